"""People found by reidentifiers alone, in texts with more and more words hidden at random and in redacted ones.

    python -m benchmarks.strength congress [--rich] [--only NAMES] [--seeds 3] [--model DIR]

Top 1, 5 and 10 of the test documents among all candidates, with 0, 20, 50 and 80 % of each document's distinct words
hidden at random, and with every word hidden that occurs in the person's profile (lexical redaction). Those that learn do
so from all documents outside the test part, once for each seed. `--rich` adds works, archives and graph to the profiles;
`--model` names a trained model's folder (see benchmarks.biencoder).
"""

import argparse
import gzip
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.corpora import Corpus, data_folder, load
from benchmarks.results import load_rows, save, say
from unname import registry
from unname.knowledge.population import Population, merge_graph
from unname.reidentifiers.base import Index, Reidentifier, profile_text
from unname.reidentifiers.models import load_model
from unname.reidentifiers.names import is_trained
from unname.statistics import credit_of, rate, standing
from unname.text import MASK_TOKEN, WORD, fold, folded_words
from unname.types import Document

TOPS = (1, 5, 10)
RANDOM = (0, 20, 50, 80)
SEED = 0
ALONE = ("bm25", "ngrams", "translation", "infilling", "additive")


def corpus_of(name: str, *, rich: bool = False) -> Corpus:
    """A corpus with thin profiles, or with all that is known of each person."""
    corpus = load(name, full=rich)
    return with_graph(corpus, name) if rich else corpus


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


def figures(index: Index, texts: Sequence[str], rows: Sequence[int]) -> dict[str, Any]:
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


def measure(corpus: Corpus, index: Index) -> dict[str, Any]:
    """All kinds of hidden words."""
    rows = [corpus.population.rows[str(d.person)] for d in corpus.documents]
    lexical = redacted(corpus.documents, corpus.population)
    found: dict[str, Any] = {}
    for name, texts in [("lexical", lexical), *((f"{s} %", masked(corpus.documents, s)) for s in RANDOM)]:
        begun = time.perf_counter()
        found[name] = figures(index, texts, rows)
        found[name]["documents_per_s"] = round(len(texts) / (time.perf_counter() - begun), 1)
    say({name: {top: round(of[f"top{top}"]["rate"], 4) for top in (1, 10)} for name, of in found.items()})
    return found


def main() -> None:
    """Fit and measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=["congress"])
    parser.add_argument("--rich", action="store_true", help="profiles with works, archives and graph")
    parser.add_argument("--only", default=",".join(ALONE), help="reidentifiers, parted by commas")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--model", action="append", default=[], type=Path, help="folder of a trained model")
    options = parser.parse_args()
    kind = "rich" if options.rich else "thin"
    corpus = corpus_of(options.corpus, rich=options.rich)
    rows = load_rows("strength", fresh=False)
    for name in filter(None, options.only.split(",")):
        for seed in range(options.seeds if is_trained(registry.ATTACKERS, name) else 1):
            say(name, kind, seed)
            parameters = {"seed": seed} if is_trained(registry.ATTACKERS, name) else {}
            started = time.process_time()
            made: Reidentifier = registry.create(registry.ATTACKERS, name, **parameters)
            fitted = made.fit(corpus.population.profiles, corpus.others)
            cpu_s = round(time.process_time() - started, 1)
            row = measure(corpus, fitted.index(corpus.population.profiles))
            rows[f"{made.name} {kind} seed {seed}"] = row | {"fit_cpu_s": cpu_s}
            save("strength", rows, seed=SEED)
    for folder in options.model:
        model = load_model(folder)
        say(model.name, kind)
        row = measure(corpus, model.index(corpus.population.profiles))
        held_out = list(getattr(getattr(model, "training_", None), "held_out", ()))
        rows[f"{model.name} {kind} seed 0"] = row | {"held_out": held_out}
        save("strength", rows, seed=SEED)


if __name__ == "__main__":
    main()
