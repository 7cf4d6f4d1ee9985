"""The tagger that ships: people, places, organisations and facts about people in running text, without any training.

A small network learned from open corpora and from passages written for it (benchmarks/entities); its weights and the
lexicon it knows words by lie beside this file. Read by numpy alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load as load_tensors

from unname.errors import ModelError, SettingsError
from unname.option import option
from unname.stopwords import bare_function_words
from unname.taggers.entities.network import ConvolutionNetwork, network_of
from unname.taggers.entities.words import CLASSED, LISTS, VERSION, Lexicon, seen
from unname.taggers.reading import TokenizedText, read
from unname.taggers.tokens import Token, decode
from unname.text import fold, without_accents, words
from unname.types import Span

WEIGHTS = Path(__file__).with_name("weights.safetensors")
LABELS = (
    "ADDRESS", "AGE", "AMOUNT", "CONTACT", "DATE", "DISEASE", "EVENT", "GROUP", "ID", "NAME", "ORGANISATION", "PLACE",
    "PRIZE", "PROFESSION", "ROLE", "WORK",
)  # fmt: skip
_NAMES = ("O", *(f"B-{label}" for label in LABELS), *(f"I-{label}" for label in LABELS))
Probabilities = npt.NDArray[np.float32]


class Model(NamedTuple):
    """The learned network, and the lexicon it was learned with."""

    network: ConvolutionNetwork
    lexicon: Lexicon


@dataclass(frozen=True, slots=True, repr=False)
class Entities:
    """Names of people, places, organisations, occupations and other facts about people, learned; seven languages and more.

    With a `lean` of 3 each token's odds to be of an identifier are taken to be three times those that were learned: more is
    found, and more that is none. A span scores as the least probable of its tokens' labels. `weights` is a file that
    `python -m benchmarks.entities` wrote.
    """

    lean: float = option(
        1.0, "Odds of an identifier, times those that were learned: 3 finds more, and more that is none."
    )
    weights: Path = field(default=WEIGHTS, compare=False)
    name: str = field(default="entities.v1", init=False)

    def __post_init__(self) -> None:
        if not 0.01 <= self.lean <= 1000:
            raise SettingsError("lean must be from 0.01 to 1000")

    @property
    def labels(self) -> frozenset[str]:
        """The labels of its spans."""
        return frozenset(LABELS)

    def __repr__(self) -> str:
        return f"Entities(lean={self.lean:g})"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text."""
        return [self._tag(text) for text in texts]

    def _tag(self, text: str) -> list[Span]:
        reading, probable = self.read(text)
        if not reading.tokens:
            return []
        if speakers := _speakers(reading):
            probable = _likelier_names(probable, speakers, _SPEAKING)
        if small := _small(reading):
            probable = _likelier_names(probable, small, _SMALL)
        spans = _decoded(reading, probable)
        if again := _named_elsewhere(reading, spans):
            spans = _decoded(reading, _likelier_names(probable, again, _RAISED))
        return reading.original(_trimmed(reading.normalised.text, spans))

    def read(self, text: str) -> tuple[TokenizedText, Probabilities]:
        """A text's tokens and the probability of each label at each: (tokens, 1 + 2 · labels)."""
        model = loaded(self.weights)
        reading = read(text)
        rows, signs = seen(reading.normalised.text, reading.tokens, model.lexicon)
        scores = model.network.scores(rows, signs)
        scores[:, 1:] += np.float32(np.log(self.lean))
        scores = np.exp(scores - scores.max(axis=1, keepdims=True)) if len(scores) else scores
        return reading, scores / scores.sum(axis=1, keepdims=True)


def _likelier_names(probable: Probabilities, places: Sequence[int], factor: float) -> Probabilities:
    """The odds of names at some tokens so many times as high."""
    raised = probable.copy()
    raised[np.ix_(places, _OF_NAMES)] *= np.float32(factor)
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float32)


# Factors on the odds of names before the colon that begins a turn of a conversation, and in small letters where a text has
# capitals.
_SPEAKING, _SMALL = 20.0, 0.15
_LONGEST_SPEAKER, _FEWEST_TURNS = 5, 2
_FEWEST_CAPITALS = 0.04


def _speakers(reading: TokenizedText) -> list[int]:
    """The tokens before the first colons of lines, of words that begin several lines so; codes such as "B2" are nobody's."""
    text, tokens = reading.normalised.text, reading.tokens
    turns: dict[str, list[range]] = {}
    for first in _line_starts(text, tokens):
        row = tokens[first : first + _LONGEST_SPEAKER + 1]
        colon = next((n for n, (a, b) in enumerate(row) if text[a:b] == ":"), 0)
        speaker = text[row[0][0] : row[colon][0]].strip()
        if colon and len(speaker) > 1 and "\n" not in speaker and not any(sign.isdigit() for sign in speaker):
            turns.setdefault(speaker, []).append(range(first, first + colon))
    return [place for rows in turns.values() if len(rows) >= _FEWEST_TURNS for row in rows for place in row]


def _line_starts(text: str, tokens: Sequence[Token]) -> Iterator[int]:
    """The tokens that begin a line."""
    end = 0
    for place, (start, after) in enumerate(tokens):
        if place == 0 or "\n" in text[end:start]:
            yield place
        end = after


def _small(reading: TokenizedText) -> list[int]:
    """The tokens in small letters of a text that has capitals where they belong."""
    text = reading.normalised.text
    words = [text[a:b] for a, b in reading.tokens]
    lettered = sum(word[:1].isalpha() for word in words)
    if sum(word[:1].isupper() for word in words) < max(2, _FEWEST_CAPITALS * lettered):
        return []
    return [place for place, word in enumerate(words) if word.islower()]


_OF_NAMES = [_NAMES.index("B-NAME"), _NAMES.index("I-NAME")]
# A word that is somebody's name at one place is that much likelier to be one elsewhere in the text.
_RAISED, _SURELY, _SHORTEST = 12.0, 0.8, 3


def _named_elsewhere(reading: TokenizedText, spans: Sequence[Span]) -> list[int]:
    """The tokens that are written as part of a name that is surely one, but are in no name themselves."""
    text, tokens = reading.normalised.text, reading.tokens
    inside = [False] * len(tokens)
    known: set[str] = set()
    at = 0
    for span in spans:
        while at < len(tokens) and tokens[at].end <= span.start:
            at += 1
        first = at
        while at < len(tokens) and tokens[at].start < span.end:
            inside[at] = span.label == "NAME"
            at += 1
        if span.label == "NAME" and span.score >= _SURELY:
            known.update(word for a, b in tokens[first:at] if b - a >= _SHORTEST and (word := text[a:b])[0].isupper())
    stems = {without_accents(fold(word))[:_STEM] for word in known if len(word) >= _STEM}
    return [
        place
        for place, (a, b) in enumerate(tokens)
        if not inside[place] and (text[a:b] in known or _is_form(text[a:b], stems))
    ]


def _is_form(word: str, stems: set[str]) -> bool:
    """Check whether a word may be a name in another form: a short one, a pet name, an inflected one."""
    return len(word) >= _STEM and word[0].isupper() and without_accents(fold(word))[:_STEM] in stems


_STEM = 4


def _decoded(reading: TokenizedText, probable: Probabilities) -> list[Span]:
    """The spans of the likeliest labels; a token is as sure as it is likely to be of anything, whatever its kind."""
    numbers = _likeliest(probable)
    sure = (1 - probable[:, 0]).astype(float).clip(0, 1).tolist()
    return decode([reading.tokens], [[_NAMES[label] for label in numbers]], [sure])


def _likeliest(probable: Probabilities) -> list[int]:
    """The most probable label of each token; if a continuation would continue nothing, the best row of labels.

    A token is something if that is likelier than nothing, even if no single kind is likelier than nothing.
    """
    something = probable[:, 0] < 0.5
    probable = probable.copy()
    probable[something, 0] = 0
    likeliest = probable.argmax(axis=1)
    kinds = len(LABELS)
    goes_on = likeliest > kinds
    before = np.concatenate([[0], likeliest[:-1]])
    odd = goes_on & (before != likeliest) & (before != likeliest - kinds)
    if odd.any():
        # A stretch ends where nothing is surely there.
        apart, done = np.flatnonzero(probable[:, 0] > _NOTHING), 0
        for place in np.flatnonzero(odd):
            if place < done:
                continue
            start = int(apart[np.searchsorted(apart, place) - 1]) + 1 if len(apart) and apart[0] < place else 0
            after = np.searchsorted(apart, place)
            end = int(apart[after]) if after < len(apart) else len(likeliest)
            likeliest[start:end] = _best_row(probable[start:end])
            done = end
    return [int(label) for label in likeliest]


_NOTHING = 0.97


def _best_row(probable: Probabilities) -> list[int]:
    """The most probable labels in a row of which each continuation continues a span of its kind. Source: Viterbi."""
    logs = np.log(np.maximum(probable, np.float32(1e-9)))
    kinds = len(LABELS)
    came = np.zeros((len(logs), 2 * kinds + 1), np.int32)
    row = logs[0].copy()
    row[1 + kinds :] = -np.inf
    every = np.arange(kinds)
    for at in range(1, len(logs)):
        best = int(row.argmax())
        begun, inside = row[1 : 1 + kinds], row[1 + kinds :]
        goes_on = inside > begun
        following = np.full(len(row), row[best], np.float32)
        came[at] = best
        following[1 + kinds :] = np.where(goes_on, inside, begun)
        came[at, 1 + kinds :] = np.where(goes_on, 1 + kinds + every, 1 + every)
        row = following + logs[at]
    labels = [int(row.argmax())]
    for at in range(len(logs) - 1, 0, -1):
        labels.append(int(came[at, labels[-1]]))
    return labels[::-1]


_EDGES = " \t\r\n,;:.()[]{}\"'«»„“”‘’!?|/\\-–—*"


def _trimmed(text: str, spans: Sequence[Span]) -> list[Span]:
    """Spans line by line, without the signs around them; spans of signs or function words alone go."""
    trimmed = []
    for span in (piece for each in spans for piece in _by_line(text, each)):
        start, end = span.start, span.end
        while start < end and text[start] in _EDGES:
            start += 1
        while (
            end > start and text[end - 1] in _EDGES and not (text[end - 1] == "." and text[end - 2 : end - 1].isupper())
        ):
            end -= 1
        if start < end and not _says_nothing(text[start:end]):
            trimmed.append(replace(span, start=start, end=end))
    return trimmed


def _by_line(text: str, span: Span) -> Iterator[Span]:
    """A span's part of each line: a mask must not make two lines one."""
    start = span.start
    for at in range(span.start, span.end):
        if text[at] in "\r\n":
            yield replace(span, end=at) if start == span.start else replace(span, start=start, end=at)
            start = at + 1
    yield replace(span, start=start)


def _says_nothing(written: str) -> bool:
    return written.islower() and all(word.folded in bare_function_words() for word in words(written))


def usual(word: str) -> int:
    """The band of frequency of a written word in German, English or Spanish, or in small letters: 0, unknown, to 7."""
    lexicon = loaded(WEIGHTS).lexicon
    return max(lexicon.band(form, language) for form in {word, word.lower()} for language in CLASSED)


@cache
def loaded(weights: Path) -> Model:
    """The model in a file, read once; ModelError if it is not one of this version."""
    arrays: dict[str, Any] = load_tensors(weights.read_bytes())
    if int(arrays.get("version", np.zeros(1))[0]) != VERSION:
        raise ModelError("the weights of the tagger are of another version than its code")
    lexicon = Lexicon(
        {name: arrays[f"words {name}"].view(np.uint32) for name in CLASSED},
        {name: arrays[f"classes {name}"].view(np.uint16) for name in CLASSED},
        {name: arrays[f"bands {name}"] for name in CLASSED},
        {name: arrays[f"list {name}"] for name in LISTS},
    )
    return Model(network_of(arrays), lexicon)


def arrays_of(lexicon: Lexicon) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a lexicon, as a file holds them."""
    return {
        "version": np.array([VERSION], np.int32),
        **{f"words {name}": lexicon.words[name].view(np.int32) for name in CLASSED},
        **{f"classes {name}": lexicon.classes[name].view(np.int16) for name in CLASSED},
        **{f"bands {name}": lexicon.bands[name] for name in CLASSED},
        **{f"list {name}": lexicon.lists[name] for name in LISTS},
    }
