"""Other people whom a text names: the remains of passages that name known people, as documents about them of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from unname.draws import draw
from unname.knowledge.mentions import NamedPerson, NameIndex, passage, seen_words
from unname.knowledge.population import Population
from unname.text import Word, visible, words
from unname.types import Document

# Passages that attackers are tried on; one for each person a document names.
MOST_PASSAGES = 200


def naming_passages(
    originals: Sequence[Document],
    texts: Sequence[str | None],
    names: NameIndex,
    population: Population,
    *,
    most: int = MOST_PASSAGES,
    seed: int = 0,
) -> tuple[list[Document], list[str | None]]:
    """First passages of originals that name a known person other than their own, and what of each can still be read.

    A passage is a document about whom it names. Of more than `most` some are drawn by hash. What is left of one is found by
    aligning the words of both texts; None of a withheld document.
    """
    named = [
        (draw("bystander", seed, f"{document.id} {person}"), place, mention, person)
        for place, document in enumerate(originals)
        for mention, person in _others(document, names, population)
    ]
    passages: list[Document] = []
    left: list[str | None] = []
    aligned: dict[int, _Aligned] = {}
    for _, place, mention, person in sorted(named, key=lambda one: one[0])[:most]:
        document, text = originals[place], texts[place]
        start, end = passage(document.text, seen_words(document.text), mention)
        passages.append(Document(f"{document.id} {person}", document.text[start:end], person))
        if text is not None and place not in aligned:
            aligned[place] = _Aligned.of(document.text, visible(text))
        left.append(aligned[place].left(start, end) if text is not None else None)
    return passages, left


def still_named(
    originals: Sequence[Document], texts: Sequence[str | None], names: NameIndex, population: Population
) -> list[tuple[str, bool]]:
    """Everybody but its own person whom an original names in full, and whether its released text still does.

    None of the texts is one that was withheld.
    """
    named_people: list[tuple[str, bool]] = []
    for document, text in zip(originals, texts, strict=True):
        named = [person for _, person in _others(document, names, population)]
        if named:
            left = set() if text is None else {one.column for one in names.find(seen_words(visible(text)))}
            named_people += [(person, population.rows[person] in left) for person in named]
    return named_people


def _others(document: Document, names: NameIndex, population: Population) -> Iterator[tuple[NamedPerson, str]]:
    """Everybody but the document's own person whom it names, where it does so first."""
    own = population.rows.get(str(document.person), -1)
    first: dict[int, NamedPerson] = {}
    for mention in names.find(seen_words(document.text)):
        if mention.column != own and (mention.column not in first or mention.first < first[mention.column].first):
            first[mention.column] = mention
    for column, mention in sorted(first.items()):
        yield mention, population.profiles[column].id


@dataclass(frozen=True, slots=True, repr=False)
class _Aligned:
    """Words of an original and of its release, and the stretches that go together: (place, place, words)."""

    before: Sequence[Word]
    after: Sequence[Word]
    released: str
    together: Sequence[tuple[int, int, int]]

    @classmethod
    def of(cls, original: str, released: str) -> "_Aligned":
        before, after = words(original), words(released)
        rows = [word.folded for word in before], [word.folded for word in after]
        blocks = SequenceMatcher(None, *rows, autojunk=False).get_matching_blocks()
        return cls(before, after, released, [(a, b, size) for a, b, size in blocks])

    def left(self, start: int, end: int) -> str:
        """The stretch of the release between the nearest words around `[start, end)` of the original that are kept."""
        inside = [i for i, word in enumerate(self.before) if start <= word.start < end]
        if not inside:
            return ""
        low, high, first, last = inside[0], inside[-1], 0, len(self.after)
        for a, b, size in self.together:
            if a < low and size:
                first = b + min(size, low - a)
            if a + size > high + 1:
                last = b + max(0, high + 1 - a)
                break
        return self.released[self.after[first].start : self.after[last - 1].end] if first < last else ""
