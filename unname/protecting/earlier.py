"""Words that earlier releases of the documents show and hide, and the way the next release continues them.

What was hidden stays hidden. What was shown can be read for ever: it counts in every crowd, and hiding it now would only
point at it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from unname.protecting.keys import text_digest, word_digest
from unname.reidentifiers.ensemble import Ensemble
from unname.storage.spool import Spool
from unname.text import Word, folded_words, uncovered, visible
from unname.types import Document, MaskSpan, Plain, merge_spans

CARRIED = "hidden-before"


@dataclass(frozen=True, slots=True, repr=False)
class Shown:
    """The published versions of one document, and the words hidden in all of them.

    `texts` are the different versions with the metadata beside them, invented words as gaps, the first one first;
    `released` is the last release's text alone, as it stands, None where that withheld it or was never published.
    `original` and `hidden` are keyed digests of the original text and of hidden words; `spans` is the last mask.
    `secrets` are what transforms recorded for all versions.
    """

    id: str
    person: str | None
    texts: tuple[str, ...]
    released: str | None = None
    original: str = ""
    hidden: frozenset[str] = frozenset()
    spans: tuple[MaskSpan, ...] = ()
    secrets: tuple[Mapping[str, Plain], ...] = ()

    def __repr__(self) -> str:
        return f"Shown({len(self.texts)} versions)"

    def is_of(self, document: Document, key: bytes) -> bool:
        """True if the text of the document is still the one that was masked."""
        return self.original == text_digest(key, document.id, document.text)

    def still_hidden(self, document: Document, row: Sequence[Word], key: bytes) -> tuple[MaskSpan, ...]:
        """Spans that stay hidden in a document of the words `row`: the mask itself; in a changed text, the same words."""
        kept = self.spans if self.is_of(document, key) else ()
        left = uncovered(row, kept)
        again = {word.folded: word_digest(key, document.id, word.folded) in self.hidden for word in left}
        return merge_spans([*kept, *(MaskSpan(w.start, w.end, CARRIED) for w in left if again[w.folded])])


@dataclass(frozen=True, slots=True, repr=False)
class Earlier:
    """Everything that the release which is continued tells; nothing where none is.

    `models` are those that learned and were used in its masking.
    """

    rows: Sequence[Shown] = ()
    models: Ensemble | None = None
    places: dict[str, int] = field(default_factory=dict)
    of_person: dict[str, list[int]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"Earlier({len(self.rows)} documents)"

    def of(self, document: str) -> Shown | None:
        """The published versions of a document; None of one that was not published."""
        place = self.places.get(document)
        return None if place is None else self.rows[place]

    def about(self, person: str | None) -> list[Shown]:
        """Everything that was published about a person."""
        return [self.rows[place] for place in self.of_person.get(str(person), ())] if person is not None else []


def earlier_of(rows: Iterable[Shown], *, dir: Path | None = None, models: Ensemble | None = None) -> Earlier:
    """Keep what was published of each document, on the disk."""
    kept: Spool[Shown] = Spool(_encode, _decode, dir=dir)
    places, of_person = dict[str, int](), dict[str, list[int]]()
    for row in rows:
        places[row.id] = len(kept)
        if row.person is not None:
            of_person.setdefault(row.person, []).append(len(kept))
        kept.append(row)
    return Earlier(kept, models, places, of_person)


def hidden_words(row: Sequence[Word], spans: Sequence[MaskSpan], released: str) -> set[str]:
    """Folded words of an original that a mask hides wherever they stand."""
    left = {word.start for word in uncovered(row, spans)}
    gone = {word.folded for word in row if word.start not in left}
    return gone.difference(folded_words(visible(released)))


def side_by_side(text: str, earlier: Sequence[str]) -> str:
    """All that can be read of a document in any version, equal versions once."""
    return "\n\n".join(dict.fromkeys([text, *earlier]))


def _encode(row: Shown) -> bytes:
    values = [
        row.id,
        row.person,
        row.texts,
        row.released,
        row.original,
        sorted(row.hidden),
        [asdict(s) for s in row.spans],
        [dict(entry) for entry in row.secrets],
    ]
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _decode(content: bytes) -> Shown:
    name, person, texts, released, original, hidden, spans, secrets = json.loads(
        content.decode("utf-8", "surrogatepass")
    )
    masks = (replace(MaskSpan(**span), combination=tuple(map(tuple, span["combination"]))) for span in spans)
    return Shown(name, person, tuple(texts), released, original, frozenset(hidden), tuple(masks), tuple(secrets))
