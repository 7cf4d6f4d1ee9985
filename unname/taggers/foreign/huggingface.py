"""Token classifiers of transformers, from a folder: offline, weights as safetensors only, no code of the model's.

A word has the label of its first piece, as such models are taught; the context that a window lacks on one side another has.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from unname.errors import ModelError, SettingsError, missing_extra
from unname.storage.modelfolder import check_encoder, faults_of, tensors
from unname.taggers.base import without_overlaps
from unname.taggers.foreign.base import Foreign, quietly, version_of
from unname.taggers.foreign.labels import NOTHING
from unname.taggers.reading import windows
from unname.types import Span

# Pieces that go through a model together, and of one window at most.
_TOGETHER, _MOST = 4096, 512
_PREFIXES = frozenset("BIESLUM")
_ENDING = frozenset("ESLU")
_OPENING = frozenset("BSU")


class _Word(NamedTuple):
    start: int
    end: int
    label: str
    score: float


@dataclass(frozen=True, repr=False)
class HuggingFaceTagger(Foreign):
    """The spans of a token classifier of transformers: `hf:DIR`, a folder with safetensors."""

    written: ClassVar[str] = "hf:DIR"
    library: ClassVar[str] = "transformers"
    name: str = field(default="hf.v1", init=False)

    def __post_init__(self) -> None:
        if not self.model:
            raise SettingsError("hf needs a folder: hf:DIR, a token classifier of transformers")

    @property
    def folders(self) -> tuple[Path, ...]:
        """The files of the model."""
        return (Path(self.model),)

    def their_labels(self) -> Iterable[str]:
        """Those of its configuration, without the prefixes of BIO."""
        return {_parted(label)[1] for label in self._loaded().labels} - {NOTHING}

    def about(self) -> Mapping[str, str]:
        """The libraries that read it; the folder is the user's."""
        return {"name": self.name, "transformers": version_of("transformers"), "torch": version_of("torch"),
                "model": self._loaded().kind}  # fmt: skip

    def _loaded(self) -> "TokenClassifier":
        made = classifier(self.model)
        if all(self.labels_as.of(_parted(label)[1]) not in ("", NOTHING) for label in made.labels):
            raise ModelError(
                "the token classifier has no label O, of what is no identifier: name the one that is (LABEL_0=O) in a label "
                "map"
            )
        return made

    def parts(self, text: str) -> Iterator[list[Span]]:
        """All windows of a text, whose words are then joined."""
        made = self._loaded()
        words: list[_Word] = []
        for word in made.words(text):
            if word is None:
                yield []  # a part was read, and the time may be over
            else:
                words.append(word)
        outside = {label for label in made.labels if self.labels_as.of(_parted(label)[1]) in ("", NOTHING)}
        yield without_overlaps(joined(words, outside))


def _parted(label: str) -> tuple[str, str]:
    """The prefix and the kind of a label: (B, PER) of B-PER or B_PER."""
    if len(label) > 2 and label[0] in _PREFIXES and label[1] in "-_":
        return label[0], label[2:]
    return "", NOTHING if label == NOTHING else label


def joined(words: Sequence[_Word], outside: Iterable[str] = (NOTHING,)) -> list[Span]:
    """The stretches by the labels of words (BIO, BIOES, BILOU, or kinds alone), each with its worst word's score."""
    spans: list[Span] = []
    none, going = frozenset(outside), ""
    for word in words:
        if word.label in none:
            going = ""
            continue
        prefix, kind = _parted(word.label)
        if going == kind and prefix not in _OPENING:
            last = spans[-1]
            spans[-1] = Span(last.start, word.end, kind, score=min(last.score, word.score))
        else:
            spans.append(Span(word.start, word.end, kind, score=word.score))
        going = "" if prefix in _ENDING else kind
    return spans


class TokenClassifier:
    """A model and its tokenizer, ready to read."""

    def __init__(self, model: Any, tokenizer: Any, kind: str) -> None:
        self._model, self._tokenizer, self.kind = model, tokenizer, kind
        named = model.config.id2label
        self.labels = tuple(str(named[number]) for number in range(len(named)))
        plain = tokenizer("a", add_special_tokens=False)["input_ids"]
        whole = tokenizer("a")["input_ids"]
        at = next((i for i in range(len(whole)) if whole[i : i + len(plain)] == plain), 0)
        self._before, self._after = whole[:at], whole[at + len(plain) :]

    @property
    def room(self) -> int:
        """Pieces of a text in one window."""
        config = self._model.config
        most = min(_MOST, int(getattr(config, "max_position_embeddings", _MOST) or _MOST))
        most -= int(config.pad_token_id or 0) + 1 if "roberta" in config.model_type else 0
        return most - len(self._before) - len(self._after)

    def words(self, text: str) -> Iterator[_Word | None]:
        """The words of a text with the likeliest label of each one's first piece; None after each group of windows."""
        import torch

        from unname.neural.trainer_state import one_thread

        read = self._tokenizer(
            _without_specials(text, self._tokenizer), add_special_tokens=False, return_offsets_mapping=True,
            return_attention_mask=False, verbose=False,
        )  # fmt: skip
        ids, offsets, of_word = read["input_ids"], read["offset_mapping"], read.word_ids()
        context = self.room // 4
        labels_of: list[tuple[int, float]] = [(0, 0.0)] * len(ids)
        for group in windows([len(ids)], core=self.room - 2 * context, context=context, together=_TOGETHER):
            with one_thread(), torch.no_grad():
                scores = self._scores([ids[w.start : w.end] for w in group])
                for row, w in zip(scores, group, strict=True):
                    best = torch.softmax(row[w.first - w.start : w.last - w.start].double(), -1).max(-1)
                    labels_of[w.first : w.last] = list(zip(best.indices.tolist(), best.values.tolist(), strict=True))
            yield None
        for _, places in groupby(range(len(ids)), key=lambda place: (of_word[place], of_word[place] is None and place)):
            row_of = list(places)
            label, score = labels_of[row_of[0]]
            yield _Word(offsets[row_of[0]][0], offsets[row_of[-1]][1], self.labels[label], score)

    def _scores(self, rows: Sequence[Sequence[int]]) -> Any:
        import torch

        longest = max(map(len, rows)) + len(self._before) + len(self._after)
        ids = torch.full((len(rows), longest), int(self._tokenizer.pad_token_id or 0))
        real = torch.zeros_like(ids)
        for number, row in enumerate(rows):
            framed = [*self._before, *row, *self._after]
            ids[number, : len(framed)] = torch.tensor(framed)
            real[number, : len(framed)] = 1
        logits = self._model(input_ids=ids, attention_mask=real).logits
        if not torch.isfinite(logits).all():
            raise ModelError("a token classifier gives scores that are no numbers")
        return logits[:, len(self._before) :]


def _without_specials(text: str, tokenizer: Any) -> str:
    """A text without anything that looks like a special token."""
    for special in tokenizer.all_special_tokens:
        text = text.replace(special, " " * len(special))
    return text


@cache
def classifier(model: str) -> TokenClassifier:
    """The token classifier of a folder, loaded once a process; anything that is off is a ModelError."""
    folder = Path(model)
    with faults_of(folder):
        settings = check_encoder(folder)
        if not any("classifier" in name or "score" in name for path in folder.glob("*.safetensors")
                   for name in tensors(path)):  # fmt: skip
            raise ModelError("the folder holds no token classifier: its weights have no classifying layer")
        return _load(folder, str(settings.get("model_type")))


def _load(folder: Path, kind: str) -> TokenClassifier:
    try:
        import torch
        from transformers import AutoModelForTokenClassification, AutoTokenizer
    except ImportError as error:
        raise missing_extra(error) or error from None
    from unname.neural.encoders import quiet

    failed = ""
    try:
        tokenizer = quietly(
            lambda: AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        )
        with quiet():
            made, loading_info = quietly(lambda: AutoModelForTokenClassification.from_pretrained(
                folder, use_safetensors=True, dtype=torch.float32, output_loading_info=True, local_files_only=True,
                trust_remote_code=False,
            ))  # fmt: skip
    except Exception as error:  # whatever a library raises for a folder that makes no sense
        failed = type(error).__name__
    if failed:
        raise ModelError(f"the token classifier cannot be loaded ({failed})")
    if loading_info["missing_keys"] or loading_info.get("mismatched_keys"):
        raise ModelError("the folder lacks weights that its configuration calls for: it is no token classifier")
    if not tokenizer.is_fast:
        raise ModelError("the tokenizer cannot say where it read what: save a fast one (tokenizer.json) in the folder")
    loaded = TokenClassifier(made.eval(), tokenizer, kind)
    if loaded.room < 16:
        raise ModelError("the token classifier reads windows that are too short for a text")
    return loaded
