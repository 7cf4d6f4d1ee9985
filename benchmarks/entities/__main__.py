"""Learn the tagger that ships, and write it beside its code.

    python -m benchmarks.entities [--out FILE] [--without CORPUS,...] [--epochs N]

Needs the extras `dev` and `entities`, and the corpora (`UNNAME_DATA`). `--without` leaves corpora out, for figures on
texts of corpora that the tagger has not seen; `tab:0` and `tab:1` leave one half of the court cases out.
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from safetensors.numpy import save

from benchmarks.entities.corpora import Taught, corpora
from benchmarks.entities.fillers import Filler
from benchmarks.entities.lexicon import make_lexicon
from benchmarks.entities.passages import LANGUAGES, bank, made_documents
from benchmarks.entities.training import Example, arrays_of, example, learn
from benchmarks.results import say
from unname.taggers.entities import tagger
from unname.taggers.entities.words import Lexicon

SEED = 47
ALL = ("wikigold", "wnut17", "btc", "meddocan", "tab", "synthetic")
# How often in an epoch each passage is filled anew.
TIMES = 4


def half_of(name: str) -> int:
    """The half of a corpus that a document belongs to, by its name: 0 or 1."""
    return random.Random(name).randrange(2)


def taught(without: Sequence[str]) -> list[Taught]:
    """The corpora to learn from."""
    rows = corpora([name for name in ALL if name not in without])
    halves = {name.partition(":")[0]: int(name.partition(":")[2]) for name in without if ":" in name}
    return [
        replace(row, documents=tuple(d for d in row.documents if half_of(d.id) != halves[row.name]))
        if row.name in halves else row
        for row in rows
    ]  # fmt: skip


def made_examples(epoch: int, lexicon: Lexicon) -> list[Example]:
    """Passages of all languages, filled anew."""
    banks = [bank(language) for language in LANGUAGES]
    fillers = [Filler(language, one, SEED + epoch) for language, one in zip(LANGUAGES, banks, strict=True)]
    documents = made_documents(banks, fillers, TIMES, random.Random(SEED + epoch))
    return [example(document, None, lexicon) for document in documents]


def main() -> None:
    """Read, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=tagger.WEIGHTS)
    parser.add_argument("--without", default="", type=lambda names: tuple(filter(None, names.split(","))))
    parser.add_argument("--epochs", type=int, default=7)
    given = parser.parse_args()
    lexicon = make_lexicon()
    known = [example(document, row, lexicon) for row in taught(given.without) for document in row.documents]
    say(f"{sum(len(one.rows) for one in known)} tokens of corpora")
    net = learn(lambda epoch: [*known, *made_examples(epoch, lexicon)], epochs=given.epochs, seed=SEED)
    content = save({**tagger.arrays_of(lexicon), **arrays_of(net)})
    given.out.write_bytes(content)
    say(f"{len(content) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
