"""Guesses of a language model: of the people whom simple attackers put first, for whom is the text likeliest?

It reads what `unname export` wrote for outsiders and nothing else. Source: Staab 2024, language models as attackers.
"""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from unname import registry
from unname.attacking.adversary import shortlist, standardised
from unname.draws import draw
from unname.errors import InputError, SettingsError
from unname.neural.language_model import LanguageModel
from unname.reidentifiers.base import Index, IntArray, Reidentifier
from unname.runtime import Runtime
from unname.storage.documents import read_documents
from unname.storage.people import read_profiles
from unname.text import GAP, PLACEHOLDER, visible
from unname.types import Document, Profile

# Whoever puts the people of a text in order before the model reads it.
SHORTLIST_BY = ("bm25", "ngrams", "facts")
_PROFILE_TOKENS, _TEXT_TOKENS, _VALUE_WORDS = 160, 320, 30
_BEFORE = "The text:\n"
# Placeholders with nothing but spaces between them.
_BLANK = re.compile(rf"{PLACEHOLDER.pattern}(?: *{PLACEHOLDER.pattern})*")
_TOUCHING = re.compile(r"\w\w")


def guesses(
    folder: Path,
    *,
    language_model: Path,
    encoder: Path | None = None,
    sample: int = 50,
    top: int = 20,
    infill: bool = False,
    runtime: Runtime | None = None,
) -> list[dict[str, Any]]:
    """Guesses for a sample of a folder's documents, drawn by hash, as `unname audit --guesses` reads them.

    The `top` people of a shortlist, by simple attackers and with an `encoder` by meaning, are put in order by the
    likelihood of the text after what is known of each. Whoever stands lower on the shortlist is not guessed. With `infill`
    the model first writes words into the blanks; the shortlist then counts both texts, the likelihood the filled one.
    """
    if top < 2 or sample < 1:
        raise SettingsError("a sample has a document or more, and a shortlist two people or more")
    texts, people = folder / "documents.jsonl", folder / "people.jsonl"
    if not texts.is_file() or not people.is_file():
        raise InputError("this is no folder that `unname export --for-attack` wrote: documents.jsonl, people.jsonl")
    documents, profiles = list(read_documents(texts)), read_profiles(people)
    chosen = sorted(documents, key=lambda document: draw("guess", 0, document.id))[:sample]
    model, runtime = LanguageModel(language_model), runtime or Runtime()
    advance = runtime.progress("guess", len(chosen))
    indexes, rows = simple_attackers(profiles, chosen, encoder), []
    for document in chosen:
        text = infilled(model, document.text) if infill else document.text
        first = put_first(indexes, document.id, dict.fromkeys((document.text, text)), top)
        rows.append({"id": document.id, "person": guess(model, text, [profiles[i] for i in first])})
        advance(1)
    return rows


def simple_attackers(profiles: Sequence[Profile], documents: Sequence[Document], encoder: Path | None) -> list[Index]:
    """Those who make the shortlist, ready to score everybody."""
    made: list[Reidentifier] = [registry.create(registry.ATTACKERS, name) for name in SHORTLIST_BY]
    if encoder is not None:
        made.append(registry.create(registry.ATTACKERS, "meaning", encoder=encoder))
    return [one.fit(profiles, documents).index(profiles) for one in made]


def put_first(indexes: Sequence[Index], name: str, texts: Iterable[str], top: int) -> IntArray:
    """The places of the people whom simple attackers put first, by the sum of standardised scores of a text's versions."""
    scores = [np.array([index.scores(text) for index in indexes], np.float64) for text in texts]
    total = np.array([standardised(one).sum(axis=0) for one in scores]).sum(axis=0)
    lot = np.random.default_rng(int.from_bytes(draw("tie", 0, name)[:8]))
    return shortlist(total, top, lot)


def infilled(model: LanguageModel, text: str) -> str:
    """A released text with words of the model in its blanks, up to where the model stops reading; after that with gaps."""
    first, *others = _BLANK.split(text)
    words = model.fillings([_BEFORE + first, *others], _TEXT_TOKENS)
    whole = first
    for word, stretch in zip(words, others, strict=True):
        for part in (word or GAP, stretch):
            whole += f" {part}" if _TOUCHING.fullmatch(whole[-1:] + part[:1]) else part
    return whole


def guess(model: LanguageModel, text: str, people: Sequence[Profile]) -> list[tuple[str, float]]:
    """People with ln p(text | person), the likeliest first."""
    said = model.ids(visible(text), _TEXT_TOKENS)
    begun = [
        [*model.ids(described(profile), _PROFILE_TOKENS), *model.ids(f"\n\n{_BEFORE}", _PROFILE_TOKENS)]
        for profile in people
    ]
    likelihoods = model.log_likelihoods(begun, said) if said else [0.0] * len(people)
    rows = [(profile.id, round(score, 4)) for profile, score in zip(people, likelihoods, strict=True)]
    return sorted(rows, key=lambda row: (-row[1], row[0]))


def described(profile: Profile) -> str:
    """A profile as a list of what is known; long values begin."""
    known = (f"- {name}: {' '.join(value.split()[:_VALUE_WORDS])}" for name, value in profile.fields.items() if value)
    return "\n".join(["What is known of the person whom a text is by or about:", *known])
