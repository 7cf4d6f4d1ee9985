"""Taggers that learn from texts shared without their words, and what can be got out of these (Friedrich 2019).

    python -m benchmarks.sharing [NAME ...] [--keep DIR]

MEDDOCAN: taught by train (450 cases; the other 50 say when to stop), asked on dev. Vectors of words are taught by train
alone, of words that two of its texts hold; no text of dev is seen. Token F1 counts the tokens `[A-Za-z0-9À-ÿ]+` inside
spans, whatever their label; intervals are by document. All taggers here read sentences, vectors and casings, no letters.

Names: `raw SEED`, `doubled SEED` (each text twice), `doubled NAME` (each lesson of a kept representer), `pseudonymised N
SEED`, `published N SEED` (the paper's variant), `augmented N SEED` (pseudonyms beside the originals), `representation D N
SEED` (three parts, as in the paper, with pairs that neither side gives away), `narrow D N SEED` (each nat costs something as
well), `rising D N SEED` (and its price rises from nothing), `follows D N SEED` (noise that depends on the vector), `dann D N
SEED`, `blind` (adversaries who see no representation), `labels SEED` (who see what a tagger of raw text says), `attacks
NAME` (the eight attacks on a kept representer, with and without noise and rotation), `longer NAME` (each sentence once, as
commands share it, and an adversary that learns while it gets better), `sites` (three hospitals and a public corpus).
`--keep` keeps representers, and is where `attacks`, `longer` and `doubled` find them.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.clinical import meddocan
from benchmarks.results import load_rows, save, say
from benchmarks.sharing_sites import NARROW, PAPER, RISING, looked_up, sites
from benchmarks.tagging import shown
from unname.neural.trainer_state import seeded
from unname.scoring.i2b2 import token_scores
from unname.scoring.meddocan import TOKEN
from unname.sharing.adversary import PairAdversary
from unname.sharing.card import Scene, decoding_attacks
from unname.sharing.examples import SharedExample, examples_of, likeliest, most_nats, represented, tagged, teach
from unname.sharing.pairs import Neighbours, Numbered, batches, distinct, numbered, paired
from unname.sharing.pseudonymise import pseudonymise
from unname.sharing.representation import Body, Draw, Representer
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import Pseudonymising, RepresentationSettings, TeachingSettings
from unname.sharing.space import Space, taught_space
from unname.sharing.training import Attacked, Attacking, Trained, attacked, train_representation
from unname.taggers.reading import bio_labels
from unname.types import Document, Span

WIDTH, VECTOR_EPOCHS, STOPPING = 100, 5, 50
SECRET = bytes(range(32))
KINDS = ("representation", "narrow", "rising", "follows", "dann")
DEFAULT = (
    *(f"raw {seed}" for seed in range(3)),
    *(f"pseudonymised 100 {seed}" for seed in range(3)),
    *(f"pseudonymised {near} 0" for near in (5, 20, 200, 500)), "published 100 0", "augmented 100 0", "doubled 0",
    *(f"narrow 50 100 {seed}" for seed in range(3)),
    *(f"narrow 50 {near} 0" for near in (5, 20, 200, 500)), *(f"narrow {d} 100 0" for d in (100, 300)),
    "representation 50 100 0", "dann 50 100 0", *(f"rising 50 {near} 0" for near in (5, 100)),
    *(f"longer narrow 50 {near} 0" for near in (5, 100)), "blind", "labels 0", "sites",
    "doubled narrow 50 5 0",
    "attacks representation 50 100 0", *(f"attacks narrow 50 {near} 0" for near in (5, 100)),
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


def f1(found: Sequence[Sequence[Span]]) -> dict[str, Any]:
    """Token figures on dev."""
    return shown(token_scores(parts()[2], found, labels=None, pattern=TOKEN).total)


def plain(taught: Sequence[Document], seed: int) -> dict[str, Any]:
    """A tagger taught by texts as they are, or as pseudonyms."""
    started = time.process_time()
    body = _of_text(taught, seed)
    seconds = round(time.process_time() - started)
    return {
        "tokens": f1(_tags(body, looked_up(numbered(parts()[2], space(), labels()), space()))),
        "training_cpu_s": seconds,
    }


def _of_text(taught: Sequence[Document], seed: int) -> Body:
    mine, held = (looked_up(numbered(some, space(), labels()), space()) for some in (taught, parts()[1]))
    return teach(mine, held, labels(), TeachingSettings(seed=seed))


def by_labels(seed: int) -> dict[str, Any]:
    """The share of pairs told apart only by whether a tagger of raw text labels both sides alike, for each N."""
    body, asked, found = _of_text(parts()[0], seed), numbered(parts()[2], space(), labels()), dict[str, Any]()
    for many in (5, 20, 100, 200, 500):
        near, random = Neighbours(space(), many), np.random.default_rng(seed)
        right = 0
        for batch in batches(asked, 128, random):
            pairs = paired(batch, near, random)
            sides = (
                [s._replace(words=words[: len(s.words)]) for s, words in zip(batch, side.numpy(), strict=True)]
                for side in (pairs.one, pairs.other)
            )
            said = (likeliest(body, looked_up(side, space())) for side in sides)
            alike = [np.array_equal(one, other) for one, other in zip(*said, strict=True)]
            right += int((np.array(alike) == pairs.real.numpy()).sum())
        found[str(many)] = {"right": right / len(asked), "pairs": len(asked)}
    return found


def _tags(body: Body, read: Sequence[SharedExample]) -> list[list[Span]]:
    return tagged(parts()[2], body, read, labels())


def hidden(kind: str, near: int, seed: int) -> dict[str, Any]:
    """The same from sentences with pseudonyms, alone or beside the originals."""
    how = Pseudonymising(near, as_published=kind == "published")
    made = pseudonymise(parts()[0], space(), how, secret=bytes([seed] * 32))
    return plain([*made.documents, *(parts()[0] if kind == "augmented" else ())], seed)


def representation(settings: RepresentationSettings, keep: Path | None, name: str) -> dict[str, Any]:
    """A representer, a tagger taught by what it shares, and adversaries that go on learning."""
    taught, stopping, asked = (numbered(some, space(), labels()) for some in parts())
    checkpoint = keep and keep / "checkpoints" / name
    whole, started = not (checkpoint and checkpoint.exists()), time.process_time()
    trained = train_representation(taught, stopping, space(), labels(), settings, checkpoint=checkpoint)
    seconds = round(time.process_time() - started)
    row: dict[str, Any] = {"training_cpu_s": seconds if whole else None, "history": trained.history}
    if keep is not None:
        kept = PrivateRepresenter(space().words, trained.representer, labels(), settings, SECRET)
        kept.save(keep / name, replace=True)
    row |= _taggers(trained, taught, stopping, asked)
    started = time.process_time()
    row["fresh"] = _right(attacked(trained, taught, stopping, asked, Attacking(50)))
    row["continued"] = _right(attacked(trained, taught, stopping, asked, Attacking(20, fresh=False)))
    row["attack_cpu_s"] = round(time.process_time() - started)
    trained.representer.noisy = False
    row["without_noise"] = _right(attacked(trained, taught, stopping, asked, Attacking(50, enough=0.97)))
    trained.representer.noisy = True
    row["tokens_told"] = round(most_nats(trained.representer, asked), 3)
    deviations = [
        noise.deviation(torch.zeros(1)) for noise in (trained.representer.noise_in, trained.representer.noise_out)
    ]
    if not settings.follows:
        row["noise"] = [[round(float(v.median()), 3), round(float(v.max()), 3)] for v in deviations]
    return row


def _right(found: Attacked) -> dict[str, Any]:
    right = found.right
    return {"curve": found.curve, "right": right.value, "ci": [right.low, right.high], "pairs": right.n}


def kept(name: str, keep: Path | None) -> PrivateRepresenter:
    """The representer that an earlier row kept."""
    if keep is None:
        raise SystemExit("this needs --keep, and the representer in it")
    return PrivateRepresenter.load(keep / name.replace(" ", "-"))


def _read(
    network: Representer, sentences: Sequence[Numbered], secret: int, *, noisy: bool = True
) -> list[SharedExample]:
    return examples_of(sentences, represented(network, sentences, secret=secret, noisy=noisy))


def _of_examples(
    network: Representer, taught: Sequence[Numbered], stopping: Sequence[Numbered], seed: int, *, times: int = 1
) -> Body:
    """A tagger taught by vectors; it reads each lesson so many times in an epoch."""
    return teach(_read(network, taught, 2) * times, _read(network, stopping, 3), labels(), TeachingSettings(seed=seed))


def longer(name: str, keep: Path | None) -> dict[str, Any]:
    """A kept representer as commands see it: each sentence once, and an adversary that learns while it gets better."""
    holder = kept(name, keep)
    taught, stopping, asked = (numbered(some, space(), labels()) for some in parts())
    settings, (mine, held, others) = holder.settings, (distinct(some) for some in (taught, stopping, asked))
    with seeded(settings.seed):
        body, adversary = Body(settings.width, labels()), PairAdversary(settings.width, WIDTH)
    trained = Trained(holder.network, body, adversary, Neighbours(space(), settings.neighbours), settings, ())
    found = attacked(trained, taught, held, others, Attacking(50, patient=True, times=8))
    body = _of_examples(holder.network, mine, held, settings.seed)
    return {
        "patient": _right(found),
        "sentences": [len(some) for some in (mine, held, others)],
        "tokens of sentences shared once": f1(_tags(body, _read(holder.network, asked, 1, noisy=False))),
    }


def doubled(name: str, keep: Path | None) -> dict[str, Any]:
    """Token figures of a tagger that reads each lesson of a kept representer twice in an epoch."""
    holder = kept(name, keep)
    taught, stopping, asked = (numbered(some, space(), labels()) for some in parts())
    body = _of_examples(holder.network, taught, stopping, holder.settings.seed, times=2)
    return {"tokens of lessons twice": f1(_tags(body, _read(holder.network, asked, 1, noisy=False)))}


def _taggers(
    trained: Trained, taught: Sequence[Numbered], stopping: Sequence[Numbered], asked: Sequence[Numbered]
) -> dict[str, Any]:
    """Token figures of the tagger of training, and of one that is taught by vectors of all sentences."""
    network, found = trained.representer, dict[str, Any]()
    found["tokens of training"] = f1(_tags(trained.body, _read(network, asked, 1)))
    started = time.process_time()
    body = _of_examples(network, taught, stopping, trained.settings.seed)
    found["teaching_cpu_s"] = round(time.process_time() - started)
    found["tokens"] = f1(_tags(body, _read(network, asked, 1, noisy=False)))
    found["tokens read with noise"] = f1(_tags(body, _read(network, asked, 1)))
    return found


class Silent(Representer):
    """Says nothing."""

    def forward(self, words: torch.Tensor, lengths: torch.Tensor, draw: Draw = torch.randn_like) -> torch.Tensor:
        """Zeros."""
        return torch.zeros(*words.shape, 50)


def blind() -> dict[str, Any]:
    """The share of pairs an adversary tells apart without a representation, by the words of the other side alone."""
    taught, stopping, asked = (numbered(some, space(), labels()) for some in parts())
    found: dict[str, Any] = {}
    for name, balanced in (("as in the paper", False), ("balanced", True)):
        settings = RepresentationSettings(balanced=balanced, **PAPER)
        silent_ = Silent(space().vectors, 50, noise=PAPER["noise"])
        trained = Trained(
            silent_,
            Body(50, labels()),
            PairAdversary(50, WIDTH),
            Neighbours(space(), settings.neighbours),
            settings,
            (),
        )
        found[name] = _right(attacked(trained, taught, stopping, asked, Attacking(10)))
    return found


def attacks(name: str, keep: Path | None) -> dict[str, Any]:
    """All attacks but that of the pair adversary, on a representer that an earlier row kept."""
    holder = kept(name, keep)
    taught, stopping, asked = (numbered(some, space(), labels()) for some in parts())
    found: dict[str, Any] = {"ways": {}, "tokens_told": round(most_nats(holder.network, asked), 3)}
    for title, noisy, turned in (
        ("as shared, seen by an insider", True, False), ("as shared, insider without the rotation", True, True),
        ("without noise, seen by an insider", False, False),
    ):  # fmt: skip
        scene = Scene(holder, taught, stopping, asked, noisy=noisy, turned=turned)
        every, coverage = decoding_attacks(scene)
        found["ways"][title] = [asdict(attack) for attack in every]
        found["coverage"] = coverage
    return found


def measured(name: str, keep: Path | None) -> dict[str, Any]:
    """The row of a name."""
    kind, *rest = name.split()
    if kind == "attacks":
        return attacks(" ".join(rest), keep)
    if kind == "longer":
        return longer(" ".join(rest), keep)
    if kind == "doubled" and len(rest) > 1:
        return doubled(" ".join(rest), keep)
    if kind == "blind":
        return blind()
    if kind == "sites":
        return sites()
    given = list(map(int, rest))
    if kind == "labels":
        return by_labels(given[0])
    if kind in ("raw", "doubled"):
        return plain([*parts()[0]] * (2 if kind == "doubled" else 1), given[0])
    if kind not in KINDS:
        return hidden(kind, given[0], given[1])
    settings = RepresentationSettings(width=given[0], neighbours=given[1], seed=given[2], **PAPER)
    changes: dict[str, dict[str, Any]] = {
        "representation": {}, "narrow": NARROW, "rising": RISING, "follows": {"follows": True}, "dann": {"procedure": "dann"},
    }  # fmt: skip
    return representation(replace(settings, **changes[kind]), keep, name.replace(" ", "-"))


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
        started = time.process_time()
        row = measured(name, options.keep)
        save("sharing", {name: row}, seed=0)
        said = row["tokens"]["f1"]["value"] if "tokens" in row else ""
        say(name, said, round(time.process_time() - started), "CPU s")


if __name__ == "__main__":
    main()
