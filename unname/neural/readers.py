"""Text and profiles into the tokens that an encoder reads. Source: Morris 2022 §4 and appendix A; Herzig 2020 for tables.

A document is read in windows that together cover every token of it. A profile is one window: `key || value` lines, or
for a TAPAS encoder a table of one row.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from unname.errors import NEEDS_NEURAL, ModelError
from unname.text import GAP
from unname.types import Profile

try:
    from tokenizers import Tokenizer
    from transformers.models.tapas.tokenization_tapas import EMPTY_TEXT, format_text, parse_text
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

QUESTION = "Who is this?"
_EMPTY = "[EMPTY]"
TOKEN_TYPES = 7

Ids = list[int]


class TokenWindow(NamedTuple):
    """One window of tokens; TAPAS has seven token types beside each (segment, column, row and four more)."""

    ids: Ids
    types: list[tuple[int, ...]] | None = None

    def __repr__(self) -> str:
        return f"TokenWindow({len(self.ids)} tokens)"


class EncoderReader:
    """A tokenizer and its special tokens, which can be saved as JSON and sent to another process."""

    def __init__(self, *, spec: str, mask: str | None, pad: int, before: Ids, after: Ids, specials: list[str]) -> None:
        self.spec, self.mask, self.pad = spec, mask, pad
        self.before, self.after, self.specials = before, after, specials
        try:
            self._tokenizer = Tokenizer.from_str(spec)
        except Exception:  # whatever the library raises for JSON that is no tokenizer
            raise ModelError("a tokenizer cannot be read") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def __repr__(self) -> str:
        return f"EncoderReader({self.vocabulary} tokens)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reader, (self.about(), self.spec)

    def about(self) -> dict[str, Any]:
        """The special tokens, as JSON keeps them."""
        return {"mask": self.mask, "pad": self.pad, "before": self.before, "after": self.after,
                "specials": self.specials}  # fmt: skip

    @property
    def vocabulary(self) -> int:
        """One more than the highest id."""
        known = self._tokenizer.get_vocab(with_added_tokens=True).values()
        return 1 + max((*known, self.pad, *self.before, *self.after))

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Token ids of each text, without those that frame a window; gaps become the mask token where there is one."""
        ready = [self._ready(text) for text in texts]
        return [encoding.ids for encoding in self._tokenizer.encode_batch(ready, add_special_tokens=False)]

    def _ready(self, text: str) -> str:
        for special in self.specials:  # an apparent special token in a text is none
            text = text.replace(special, " ")
        if self.mask is None or GAP not in text:
            return text
        return f" {self.mask} ".join(part.strip() for part in text.split(GAP)).strip()

    def located(self, text: str) -> tuple[Ids, list[tuple[int, int]]]:
        """Token ids of a text, and the stretch of the text that each of them was read from."""
        for special in self.specials:  # an apparent special token in a text is none
            text = text.replace(special, " " * len(special))
        encoding = self._tokenizer.encode(text, add_special_tokens=False)
        return list(encoding.ids), list(encoding.offsets)

    @property
    def gap(self) -> int:
        """The token that a gap is read as; the padding's if it is not read at all."""
        return next(iter(self.ids([GAP])[0]), self.pad)

    def located_with_gaps(self, text: str) -> tuple[Ids, list[tuple[int, int]], str]:
        """Token ids as `ids` has them, the stretch of each, and the text that these refer to, mask tokens blank."""
        ready = self._ready(text)
        encoding = self._tokenizer.encode(ready, add_special_tokens=False)
        return (
            list(encoding.ids),
            list(encoding.offsets),
            ready.replace(self.mask, " " * len(self.mask)) if self.mask else ready,
        )

    def framed(self, ids: Ids) -> Ids:
        """A window framed by the tokens that the encoder expects before and after it."""
        return [*self.before, *ids, *self.after]

    def windows(self, texts: Sequence[str], window: int) -> list[list[TokenWindow]]:
        """Each text as pieces of at most `window` tokens that together hold every token; an empty text is one piece."""
        room = window - len(self.before) - len(self.after)
        return [
            [TokenWindow(self.framed(ids[at : at + room])) for at in range(0, max(len(ids), 1), room)]
            for ids in self.ids(texts)
        ]

    def lines(self, profile: Profile, window: int) -> TokenWindow:
        """A profile as `key || value` lines; lines are dropped from the end until it fits, the first is cut."""
        room = window - len(self.before) - len(self.after)
        line_ids: Ids = []
        for ids in self.ids([f"{key} || {value}\n" for key, value in profile.fields.items()]):
            if line_ids and len(line_ids) + len(ids) > room:
                break
            line_ids += ids
        return TokenWindow(self.framed(line_ids[:room]))

    def table(self, profile: Profile, window: int) -> TokenWindow:
        """A profile as TAPAS reads a table of one row: question, names of columns, values. Source: Herzig 2020, Figure 1.

        Columns are dropped from the end until it fits, the first one's value is cut. The one number or date of a column
        has rank 1 from either end, and an empty cell is the encoder's token for it, as in the encoder's training.
        """
        values = list(profile.fields.values())
        question, *cells = self.ids([QUESTION, *profile.fields, *values])
        empty = self._tokenizer.token_to_id(_EMPTY)
        if empty is not None:
            blank = [format_text(value) == EMPTY_TEXT for value in values]
            cells[len(values) :] = [[empty] if b else ids for b, ids in zip(blank, cells[len(values) :], strict=True)]
        columns = list(zip(cells[: len(values)], cells[len(values) :], strict=True))
        ranks = [int(bool(parse_text(value))) for value in values]
        room = window - len(self.framed(question))
        if columns:
            name, value = columns[0]
            columns[0] = (name[: room // 2], value[: room - len(name[: room // 2])])
        while columns and sum(len(name) + len(value) for name, value in columns) > room:
            columns.pop()
        ids = self.framed(question)
        types = [(0,) * TOKEN_TYPES] * len(ids)
        for row in (0, 1):
            for column, cell in enumerate(columns, start=1):
                rank = row * ranks[column - 1]
                ids = ids + cell[row]
                types = types + [(1, column, row, 0, rank, rank, 0)] * len(cell[row])
        return TokenWindow(ids, types)


def _reader(about: dict[str, Any], spec: str) -> EncoderReader:
    return EncoderReader(spec=spec, **about)


def make_reader(about: Any, spec: str) -> EncoderReader:
    """A reader from the output of `about` and the tokenizer's JSON; anything else is a ModelError."""
    kinds: dict[str, Any] = {"mask": str | None, "pad": int, "before": list, "after": list, "specials": list}
    if not isinstance(about, dict) or set(about) != set(kinds):
        raise ModelError("a model's description of a tokenizer has unknown or missing parts")
    if (
        any(not isinstance(about[name], kind) for name, kind in kinds.items())
        or any(type(i) is not int or i < 0 for i in (about["pad"], *about["before"], *about["after"]))
        or any(not isinstance(s, str) or not s for s in about["specials"])
    ):
        raise ModelError("a model's description of a tokenizer has a part of the wrong kind")
    return _reader(about, spec)
