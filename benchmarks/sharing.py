"""What taggers learn from texts that are shared without their words, and what can be got out of these (Friedrich 2019).

    python -m benchmarks.sharing [NAME ...] [--keep DIR]

MEDDOCAN: taught by train (450 cases; the other 50 say when to stop), asked on dev. Vectors of words are taught by train
alone, of words that two of its texts hold; no text of dev is seen. Token F1 counts the tokens `[A-Za-z0-9À-ÿ]+` inside
spans, whatever their label; intervals are by document. All taggers here read sentences, vectors and casings, no letters.

Names: `raw SEED`, `pseudonymised N SEED`, `published N SEED` (the paper's variant), `representation D N SEED`,
`follows D N SEED` (noise that depends on the vector), `dann D N SEED`. `--keep` keeps representers for other benchmarks.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.clinical import meddocan
from benchmarks.results import load_rows, save, say
from benchmarks.tagging import shown
from unname.auditing.i2b2 import token_scores
from unname.auditing.meddocan import TOKEN
from unname.sharing.lessons import Lesson, TeachingSettings, lessons, represented, tagged, teach
from unname.sharing.pairs import Numbered, numbered
from unname.sharing.pseudonymise import Pseudonymising, pseudonymise
from unname.sharing.representation import Body
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.space import Space, taught_space
from unname.sharing.training import RepresentationSettings, Trained, attacked, train_representation
from unname.taggers.lstm_reading import WORDS_FROM
from unname.taggers.reading import bio_labels
from unname.types import Document, Span

WIDTH, VECTOR_EPOCHS, STOPPING = 100, 5, 50
SECRET = bytes(range(32))
DEFAULT = (
    *(f"raw {seed}" for seed in range(3)),
    *(f"pseudonymised 100 {seed}" for seed in range(3)),
    *(f"representation 50 100 {seed}" for seed in range(3)),
    *(f"representation 50 {near} 0" for near in (5, 20, 200, 500)),
    *(f"representation {d} 100 0" for d in (100, 300)),
    "follows 50 100 0", "dann 50 100 0",
    *(f"pseudonymised {near} 0" for near in (5, 20, 200, 500)),
    *(f"published {near} 0" for near in (100, 500)),
)  # fmt: skip


@cache
def parts() -> tuple[list[Document], list[Document], list[Document]]:
    """Cases to learn from, to stop by, and to be asked."""
    train = meddocan("train")
    order = np.random.default_rng(0).permutation(len(train)).tolist()
    stopping = set(order[:STOPPING])
    taught = [d for place, d in enumerate(train) if place not in stopping]
    return taught, [train[place] for place in sorted(stopping)], meddocan("dev")


@cache
def space() -> Space:
    """Words of train with their vectors; signs are words here."""
    taught, stopping, _ = parts()
    return taught_space([*taught, *stopping], width=WIDTH, epochs=VECTOR_EPOCHS, seed=0)


def labels() -> tuple[str, ...]:
    """BIO labels of train."""
    taught, stopping, _ = parts()
    return bio_labels([*taught, *stopping])


def looked_up(sentences: Sequence[Numbered]) -> list[Lesson]:
    """Lessons of plain vectors; an unknown word's is zeros."""
    table = np.zeros((WORDS_FROM + len(space().words), WIDTH), np.float32)
    table[WORDS_FROM:] = space().vectors
    return lessons(sentences, [table[sentence.words] for sentence in sentences])


def f1(found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Token figures on dev."""
    return shown(token_scores(parts()[2], found, labels=None, pattern=TOKEN).total)


def plain(taught: Sequence[Document], seed: int) -> dict[str, Any]:
    """A tagger taught by texts as they are, or as pseudonyms."""
    started = time.process_time()
    _, stopping, asked = parts()
    mine, held = (looked_up(numbered(some, space(), labels())) for some in (taught, stopping))
    body = teach(mine, held, labels(), TeachingSettings(seed=seed))
    seconds = round(time.process_time() - started)
    return {"tokens": f1(_tags(body, looked_up(numbered(asked, space(), labels())))), "training_cpu_s": seconds}


def _tags(body: Body, read: Sequence[Lesson]) -> list[list[Span]]:
    return tagged(parts()[2], body, read, labels())


def hidden(near: int, seed: int, *, as_published: bool) -> dict[str, Any]:
    """The same from sentences with pseudonyms."""
    made = pseudonymise(parts()[0], space(), Pseudonymising(near, as_published=as_published), secret=bytes([seed] * 32))
    return plain(made.documents, seed)


def representation(settings: RepresentationSettings, keep: Path | None, name: str) -> dict[str, Any]:
    """A representer, a tagger taught by what it shares, and adversaries that go on learning."""
    taught, stopping, asked = (numbered(some, space(), labels()) for some in parts())
    started = time.process_time()
    trained = train_representation(
        taught, stopping, space(), labels(), settings, checkpoint=keep and keep / "checkpoints" / name
    )
    row: dict[str, Any] = {"training_cpu_s": round(time.process_time() - started), "history": trained.history}
    if keep is not None:
        kept = PrivateRepresenter(space().words, trained.representer, labels(), settings, SECRET)
        kept.save(keep / name, replace=True)
    row |= _taggers(trained, taught, stopping, asked)
    started = time.process_time()
    row["fresh"] = attacked(trained, taught, stopping, asked, epochs=50)._asdict()
    row["continued"] = attacked(trained, taught, stopping, asked, epochs=20, fresh=False)._asdict()
    row["attack_cpu_s"] = round(time.process_time() - started)
    trained.representer.noisy = False
    row["without_noise"] = attacked(trained, taught, stopping, asked, epochs=50, enough=0.97)._asdict()
    trained.representer.noisy = True
    deviations = [
        noise.deviation(torch.zeros(1)) for noise in (trained.representer.noise_in, trained.representer.noise_out)
    ]
    if not settings.follows:
        row["noise"] = [[round(float(v.median()), 3), round(float(v.max()), 3)] for v in deviations]
    return row


def _taggers(
    trained: Trained, taught: Sequence[Numbered], stopping: Sequence[Numbered], asked: Sequence[Numbered]
) -> dict[str, Any]:
    """Token figures of the tagger of training, and of one that is taught by what is shared, each sentence once."""
    network, found = trained.representer, dict[str, Any]()

    def read(sentences: Sequence[Numbered], secret: int, *, noisy: bool = True) -> list[Lesson]:
        return lessons(sentences, represented(network, sentences, secret=secret, noisy=noisy))

    found["tokens of training"] = f1(_tags(trained.body, read(asked, 1)))
    started = time.process_time()
    body = teach(read(taught, 2), read(stopping, 3), labels(), TeachingSettings(seed=trained.settings.seed))
    found["teaching_cpu_s"] = round(time.process_time() - started)
    found["tokens"] = f1(_tags(body, read(asked, 1, noisy=False)))
    found["tokens read with noise"] = f1(_tags(body, read(asked, 1)))
    return found


def measured(name: str, keep: Path | None) -> dict[str, Any]:
    """The row of a name."""
    kind, *numbers = name.split()
    given = list(map(int, numbers))
    if kind == "raw":
        return plain(parts()[0], given[0])
    if kind in ("pseudonymised", "published"):
        return hidden(given[0], given[1], as_published=kind == "published")
    settings = RepresentationSettings(width=given[0], neighbours=given[1], seed=given[2])
    if kind == "dann":
        settings = replace(settings, procedure="dann")
    return representation(replace(settings, follows=kind == "follows"), keep, name.replace(" ", "-"))


def main() -> None:
    """Measure what is asked for; rows that an earlier run left are kept, and not measured again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--keep", type=Path, help="folder of representers and of training runs that were killed")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for name in options.names or DEFAULT:
        if name in load_rows("sharing"):
            continue
        row = measured(name, options.keep)
        save("sharing", {name: row}, seed=0)
        say(name, row["tokens"]["f1"]["value"], {k: v for k, v in row.items() if k.endswith("_s")})


if __name__ == "__main__":
    main()
