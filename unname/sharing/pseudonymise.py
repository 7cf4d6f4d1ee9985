"""Automatic pseudonyms: sentences in another order, and another word for each token of an identifier.

Source: Friedrich 2019, §4. The paper draws from a token's nearest neighbours in a space of words, itself among them, and
leaves words that the space does not know as they are: most names are such. Here these become invented words, spelt like
what their label's other words are like (a tagger that learned from known words alone would miss all names that are new to
it); neighbours that hold the token, or lie within it, are passed over; digits are drawn; and what is an identifier at one
place of a text is replaced elsewhere in it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from unname.errors import InputError
from unname.sharing.invented import Inventor
from unname.sharing.overlap import plain_words
from unname.sharing.settings import Pseudonymising
from unname.sharing.space import Float32, IntArray, Space
from unname.taggers.base import disjoint
from unname.taggers.lstm.reading import key
from unname.taggers.tokens import OUTSIDE, Token, encode, sentences
from unname.types import Document, Span

# Letters of a token that is looked for elsewhere in its text.
SHORTEST = 3
# Words from which it is learned how those of a label are spelt.
_SPELT_LIKE = 200
_TRIES = 50


class Replaced(NamedTuple):
    """A token of an identifier, as it was and as it is now: both as they are looked up."""

    before: str
    after: str

    def __repr__(self) -> str:
        return "Replaced()"


@dataclass(frozen=True, slots=True, repr=False)
class Pseudonymised:
    """Texts with pseudonyms, the place of the document that each came from, and what was replaced in each.

    The last two never leave the house. `unknown` tokens are in no space; in the paper's variant they are in clear.
    """

    documents: tuple[Document, ...]
    origins: tuple[int, ...]
    replaced: tuple[tuple[Replaced, ...], ...]
    unknown: int

    def __repr__(self) -> str:
        return f"Pseudonymised({len(self.documents)} texts)"


def pseudonymise(
    documents: Sequence[Document], space: Space, how: Pseudonymising | None = None, *, secret: bytes
) -> Pseudonymised:
    """Texts whose annotated tokens are others, in an order and under ids that only the `secret` decides.

    Each text is a sentence, unless they are to be coherent: then it is a document, in which the same token is always
    replaced by the same. Nothing but text, spans and split is kept.
    """
    how = how or Pseudonymising()
    made = _Maker(documents, space, how, secret)
    parts = [part for place in range(len(documents)) for part in made.parts(place)]
    order = np.random.default_rng(_number(secret, "order")).permutation(len(parts)).tolist()
    texts = tuple(replace(parts[place].document, id=str(number)) for number, place in enumerate(order, start=1))
    return Pseudonymised(
        texts,
        tuple(parts[place].origin for place in order),
        tuple(parts[place].replaced for place in order),
        made.unknown,
    )


def leaking(documents: Sequence[Document], made: Pseudonymised) -> list[int]:
    """Places of the texts in which a word of an identifier of their own document stands where an identifier does.

    It reads what is to be written, and goes by words rather than tokens.
    """
    places = []
    for place, (text, origin, changed) in enumerate(zip(made.documents, made.origins, made.replaced, strict=True)):
        shown = _names(text).union(*(_long_words(one.after) for one in changed))
        if not shown.isdisjoint(_names(documents[origin])):
            places.append(place)
    return places


def _names(document: Document) -> set[str]:
    """The words of a document's identifiers that may not stand for others of it."""
    return {word for span in document.spans for word in _long_words(document.text[span.start : span.end])}


def _long_words(text: str) -> set[str]:
    """Words with a letter that are not too short to tell anything."""
    return {word for word in plain_words(text) if len(word) >= SHORTEST and any(c.isalpha() for c in word)}


class _WrittenPart(NamedTuple):
    document: Document
    origin: int
    replaced: tuple[Replaced, ...]


class _Maker:
    """The draws of a replacement for each token."""

    def __init__(self, documents: Sequence[Document], space: Space, how: Pseudonymising, secret: bytes) -> None:
        self._documents, self._space, self._how, self._secret = documents, space, how, secret
        self._near: dict[str, IntArray] = {}
        self._inventors: dict[str, Inventor] = {}
        self._rows = [sentences(document.text) for document in documents]
        self._labels = [
            encode(rows, disjoint(document.spans)) for rows, document in zip(self._rows, documents, strict=True)
        ]
        # Whoever is named in a document does not stand for others of it.
        self._own: set[str] = set()
        self._centres = {} if how.as_published else self._middles()
        self.unknown = 0

    def parts(self, place: int) -> Iterator[_WrittenPart]:
        """The sentences of a document with pseudonyms, or all of it."""
        document, rows, labels = self._documents[place], self._rows[place], self._labels[place]
        random = np.random.default_rng(_number(self._secret, f"document {place}"))
        sensitive = {
            key(document.text[t.start : t.end]): label[2:]
            for row, said in zip(rows, labels, strict=True)
            for t, label in zip(row, said, strict=True)
            if label != OUTSIDE
        }
        kept: dict[str, str] = {}
        self._own = set() if self._how.as_published else _names(document)
        done = [
            self._row(document.text, row, said, sensitive, random, kept) for row, said in zip(rows, labels, strict=True)
        ]
        if not self._how.coherent:
            for text, spans, changed in done:
                yield _WrittenPart(Document("", text, split=document.split, spans=spans), place, changed)
        elif done:
            yield _joined(document, rows, done, place)

    def _row(
        self, text: str, row: Sequence[Token], said: Sequence[str], sensitive: dict[str, str],
        random: np.random.Generator, kept: dict[str, str],
    ) -> tuple[str, tuple[Span, ...], tuple[Replaced, ...]]:  # fmt: skip
        """One sentence: its text, spans, and what was replaced."""
        made, spans, changed, at = "", list[Span](), list[Replaced](), row[0].start
        for token, label in zip(row, said, strict=True):
            made += text[at : token.start]
            word, at = text[token.start : token.end], token.end
            name = key(word)
            of = label[2:] if label != OUTSIDE else self._elsewhere(word, sensitive)
            if of is not None and any(c.isalnum() for c in word):
                # What is looked up alike ("Ana", "ANA") is one token, but digits are not: all numbers are looked up as zeros.
                same = word if word.isdigit() else name
                if not (self._how.coherent and same in kept):
                    kept[same] = self._drawn(word, of, random)
                word = _styled(kept[same], word)
                changed.append(Replaced(name, key(word)))
            if label != OUTSIDE:
                if label[0] == "I" and spans:
                    spans[-1] = Span(spans[-1].start, len(made) + len(word), label[2:])
                else:
                    spans.append(Span(len(made), len(made) + len(word), label[2:]))
            made += word
        return made, tuple(spans), tuple(changed)

    def _elsewhere(self, word: str, sensitive: dict[str, str]) -> str | None:
        """The label of an identifier that stands here unmarked, with a capital."""
        if self._how.as_published or len(word) < SHORTEST or not word[0].isupper():
            return None
        return sensitive.get(key(word))

    def _drawn(self, word: str, label: str, random: np.random.Generator) -> str:
        """A pseudonym of a token."""
        name = key(word)
        if not self._how.as_published and word.isdigit():
            return _digits("0" * len(word), random)
        if name not in self._space.places:
            self.unknown += 1
            return word if self._how.as_published else self._invented(name, label, random)
        near = [place for place in self._neighbours(name).tolist() if not self._is_own(self._space.words[place])]
        if not near:  # every word of the space holds this one, or lies within it, or is of this document
            return self._invented(name, label, random)
        drawn = self._space.words[near[random.integers(len(near))]]
        return word if drawn == name else self._filled(drawn, random)

    def _filled(self, word: str, random: np.random.Generator) -> str:
        """A word of the space with digits that make no identifier of the document."""
        tries = (_digits(word, random) for _ in range(_TRIES))
        return next((made for made in tries if not self._is_own(made)), word)

    def _is_own(self, word: str) -> bool:
        return not self._own.isdisjoint(_long_words(word))

    def _neighbours(self, name: str) -> IntArray:
        """The places in the space from which a known token's pseudonym is drawn."""
        if name not in self._near:
            vector, unlike = self._space.vectors[self._space.places[name]], None if self._how.as_published else name
            self._near[name] = self._space.near(vector, self._how.neighbours, unlike)
        return self._near[name]

    def _invented(self, name: str, label: str, random: np.random.Generator) -> str:
        """A word that the space does not know, spelt like its words that are nearest to the label's."""
        if label not in self._inventors:
            near = self._space.near(self._centres[label], max(self._how.neighbours, _SPELT_LIKE), None)
            self._inventors[label] = Inventor([self._space.words[place] for place in near.tolist()])
        word = self._inventors[label].word(random, name, self._space.places)
        if word is not None and not self._is_own(word):
            return word
        own = self._space.places.get(name, -1)
        places = [
            place for place in self._space.plain.tolist() if place != own and not self._is_own(self._space.words[place])
        ]
        if not places:
            raise InputError("the word vectors have no word that could stand for another")
        return self._filled(self._space.words[places[random.integers(len(places))]], random)

    def _middles(self) -> dict[str, Float32]:
        """The mean vector of the words of each label, of those that the space knows; of all where it knows none."""
        rows: dict[str, list[int]] = {}
        for document, tokens, labels in zip(self._documents, self._rows, self._labels, strict=True):
            for row, said in zip(tokens, labels, strict=True):
                for token, label in zip(row, said, strict=True):
                    if label != OUTSIDE:
                        place = self._space.places.get(key(document.text[token.start : token.end]))
                        rows.setdefault(label[2:], []).extend([] if place is None else [place])
        every = self._space.vectors.mean(axis=0)
        return {label: self._space.vectors[places].mean(axis=0) if places else every for label, places in rows.items()}


def _joined(
    document: Document, rows: Sequence[Sequence[Token]],
    done: Sequence[tuple[str, tuple[Span, ...], tuple[Replaced, ...]]], place: int,
) -> _WrittenPart:  # fmt: skip
    """A document of its sentences, with what stood between them."""
    made, spans, at = "", list[Span](), 0
    for row, (text, spans_here, _) in zip(rows, done, strict=True):
        made += document.text[at : row[0].start]
        spans += [Span(len(made) + s.start, len(made) + s.end, s.label) for s in spans_here]
        made, at = made + text, row[-1].end
    made += document.text[at:]
    changed = tuple(one for _, _, some in done for one in some)
    return _WrittenPart(Document("", made, split=document.split, spans=tuple(spans)), place, changed)


def _digits(word: str, random: np.random.Generator) -> str:
    """A word of the space with digits for its zeros, which stand for any."""
    return "".join(str(random.integers(10)) if c == "0" else c for c in word)


def _styled(word: str, like: str) -> str:
    """A word with capitals where another has them."""
    if like.isupper() and len(like) > 1:
        return word.upper()
    return word[:1].upper() + word[1:] if like[:1].isupper() else word


def _number(secret: bytes, purpose: str) -> int:
    """The seed of draws, which nobody can guess without the secret."""
    return int.from_bytes(blake2b(purpose.encode(), key=secret[:64], digest_size=16).digest(), "little")
