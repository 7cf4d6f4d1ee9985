"""People found by attackers who have read more or fewer documents about other people.

    python -m benchmarks.teachers CORPUS [--rows ROW,...] [--texts LABEL=FILE ...] [--model DIR] [--own-vectors] [--fresh]

Releases, with a fixed key: `default k=…` (what comes by default: the search against bm25, n-grams and two statics),
`search k=…` (against bm25 and n-grams alone), `random k=…` (as many words as by default, those above `search` drawn at
random), `rounds k=…` (by default, then in rounds), `human` masks and `originals`. All but `shipped k=…`, which has it all,
are made without the tagger that ships and without masking of facts: they measure the search.
Documents about others are shared out: two people in five teach the masking, the audit reads about the rest. A row that
ends in ` read 1000` is audited by attackers who have read 1,000 of these, one without a number by who has read all of them,
` all` by who has read those as well that taught the masking, and ` known` by who holds the masking's private models too;
` key 1` is a release under another key, whose models learned with other seeds.
`--texts` audits released texts that another version made (JSON: a list, null where withheld), and `--model` names a trained
bi-encoder that attacks as well (benchmarks.biencoder); `--own-vectors` lets statics, in masking and audit alike, begin with
vectors of words learned from all teachers' texts in place of the English table. Rows of both have a file of their own.

`congress-dev` and `congress-test` are closed worlds of 1,300 people, beside whom the train part teaches; `google_re` is
one of 1,000 people with what its graph says of them, beside whom the others teach; `congress` are 400 documents among all
12,975 people. `tab`, `wikipedia553` and `authors` have no documents of others: everybody learns from other people of the
release, and from passages of long profiles. `town-de` and `town-es` are 500 of 2,500 invented people (benchmarks.abroad)
beside whom the others teach, `meddocan` Spanish clinical cases: the dev part, beside which the train part teaches.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import to_builtins

from benchmarks.abroad import cases, town
from benchmarks.adversary import KEY, corpus_of, more_hidden
from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import SEARCH_ALONE, Corpus, data_folder, human_masks, human_release, load, without_spans
from benchmarks.results import load_rows, machine, save, say
from unname.draws import draw
from unname.inputs.training_documents import teaches_masking
from unname.job import AuditPlan, Deidentification
from unname.knowledge.population import make_population, merge_graph
from unname.parallel.workers import MANY_DOCUMENTS, WorkerPool, suitable_workers
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.models import load_model
from unname.reidentifiers.terms.neighbours import sequence
from unname.runtime import Runtime
from unname.storage.documents import read_documents
from unname.storage.people import read_triples
from unname.taggers.wordvectors import teach_word_vectors
from unname.text import GAP
from unname.transforms.redact import Redact
from unname.types import Document, Mask, Profile
from unname.verbs.audit.in_memory import Knowledge, PreparedAudit, audit, prepare
from unname.verbs.deidentify.in_memory import deidentify

ABROAD: dict[str, Callable[[], tuple[Corpus, list[Profile], tuple[Document, ...]]]] = {
    "town-de": partial(town, "de"), "town-es": partial(town, "es"), "meddocan": cases,
}  # fmt: skip
CORPORA = ("congress-dev", "congress-test", "congress", "google_re", "tab", "wikipedia553", "authors", *ABROAD)
# Where nobody has read of others `additive` finds more than statics, and attacks as well.
ATTACKERS, BESIDE = ("bm25", "ngrams", "facts", "skeletons", "names", "pairs", "static"), ("additive",)
# What authors say of themselves must be understood.
UNDERSTANDING = ("meaning",)
WORDS = ("bm25", "ngrams")
ROWS = (
    "default k=100",
    "search k=100",
    "random k=100",
    "default k=100 all",
    "default k=100 known",
    "default k=100 key 1",
    "default k=100 key 2",
    "default k=10",
    "search k=10",
)
CURVE = (0, 250, 1000, 4000)
FIGURES = ("strongest", "strongest_without_models", "matched", "read", "masked", "documents", "people")
# Vectors of words are learned where a word stands so often.
FEWEST_TIMES = 3
# Who has no name in the table.
NAMELESS = ("authors", "town-de", "town-es")
# So many people of `google_re` are released.
RELEASED = 1000


def world(name: str) -> tuple[Corpus, tuple[Document, ...]]:
    """A corpus to release with its population and the people beside it whom teachers write about, and the teachers."""
    if name == "google_re":
        return _google_re()
    if name in ABROAD:
        corpus, profiles, teachers = ABROAD[name]()
        return _beside(corpus, profiles, teachers), teachers
    corpus = corpus_of(name)
    if not name.startswith("congress-"):
        return corpus, tuple(map(without_spans, corpus.others))
    everybody = load("congress")
    teachers = tuple(map(without_spans, (d for d in everybody.others if d.split == "train")))
    return _beside(corpus, everybody.population.profiles, teachers), teachers


def _beside(corpus: Corpus, profiles: Sequence[Profile], teachers: Sequence[Document]) -> Corpus:
    about = {document.person for document in teachers}
    beside = tuple(profile for profile in profiles if profile.id in about)
    return replace(corpus, population=replace(corpus.population, beside=beside))


def _google_re() -> tuple[Corpus, tuple[Document, ...]]:
    """Snippets of an encyclopedia, and what raters confirmed of their people."""
    folder = data_folder() / "google_re"
    triples = read_triples(folder / "graph.tsv.gz")
    profiles, _ = merge_graph([Profile(person, {}) for person in dict.fromkeys(p for p, _, _ in triples)], triples)
    known = {profile.id for profile in profiles}
    documents = sorted(read_documents(folder / "documents.jsonl.gz"), key=lambda d: draw("google_re", 0, d.person))
    documents = [without_spans(d) for d in documents if d.person in known]
    released, teachers = documents[:RELEASED], documents[RELEASED:]
    own = {document.person for document in released}
    population = make_population([profile for profile in profiles if profile.id in own])
    return _beside(Corpus("google_re", tuple(released), (), population), profiles, teachers), tuple(teachers)


@dataclass
class Bench:
    """A corpus and who teaches beside it, and what is released."""

    corpus: Corpus
    teachers: tuple[Document, ...]
    runtime: Runtime
    models: tuple[Reidentifier, ...] = ()
    texts: dict[str, Path] = field(default_factory=dict)
    vectors: Path | None = None
    made: dict[str, Deidentified] = field(default_factory=dict)
    prepared: dict[str, PreparedAudit] = field(default_factory=dict)

    @property
    def attackers(self) -> tuple[str, ...]:
        """The names of the attackers."""
        understanding = UNDERSTANDING if self.corpus.name == "authors" else ()
        return ATTACKERS if self.teachers else (*ATTACKERS, *BESIDE, *understanding)

    def release(self, name: str) -> Deidentified:
        """A release by its name."""
        if name not in self.made:
            asked, _, number = name.partition(" key ")
            kind, _, k = asked.partition(" k=")
            kinds: dict[str, dict[str, Any]] = {
                "default": SEARCH_ALONE,
                "search": {"method": "composed", "reidentifiers": WORDS, **SEARCH_ALONE},
                "rounds": {"rounds": 3, **SEARCH_ALONE},
                "shipped": {},
            }
            how = kinds[kind]
            direct = ("none",) if self.corpus.name in NAMELESS else ("auto",)
            started = time.process_time()
            self.made[name] = deidentify(
                self.corpus.documents, self.corpus.population, training=self.teachers, runtime=self.runtime,
                key=sha256(number.encode()).digest() if number else KEY,
                settings=Deidentification(k=int(k), direct=direct, vectors=self.vectors, **how),
            )  # fmt: skip
            say(f"  {name}: masked in {time.process_time() - started:.0f} CPU s")
        return self.made[name]

    def texts_of(self, name: str) -> tuple[Sequence[str | None], Sequence[Mask] | None]:
        """The texts that a row releases, and the masks, where they are known."""
        kind, _, k = name.partition(" k=")
        if name in self.texts:
            return json.loads(self.texts[name].read_bytes()), None
        documents = self.corpus.documents
        if name == "originals":
            return [document.text for document in documents], [Mask(document.id) for document in documents]
        if name == "human":
            return list(map(human_release, documents)), list(map(human_masks, documents))
        if kind != "random":
            made = self.release(name)
            return made.texts(), made.masks
        masks = more_hidden(self.release(f"search k={k}"), self.release(f"default k={k}"), rarest=False)
        return [Redact().release(d, m).text for d, m in zip(documents, masks, strict=True)], masks

    def ready(self, name: str, how: str) -> PreparedAudit:
        """Attackers who have read so much (`read 1000`, `all`), or hold the private models (`known`), fitted once."""
        k = int((name.partition(" k=")[2] or "10").split()[0])
        read = sorted(
            (d for d in self.teachers if not teaches_masking(d.person, 0)), key=lambda d: draw("teachers", 0, d.id)
        )
        kind, _, number = how.partition(" ")
        read = list(self.teachers) if kind == "all" else read[: int(number)] if kind == "read" else read
        known = Knowledge(k=k, training=read, models=self.models)
        if kind == "known":
            made = self.release(name)
            known = replace(known, used=tuple(made.ensemble.members), ensemble=made.ensemble)
        at = name + how if kind == "known" else how
        if at not in self.prepared:
            self.prepared[at] = prepare(
                list(map(without_spans, self.corpus.documents)), self.corpus.population, runtime=self.runtime,
                knowledge=known, plan=AuditPlan(
                    attackers=self.attackers, simulate=False, word_vectors=self.vectors,
                    encoder=bundled_encoder() if set(UNDERSTANDING) & set(self.attackers) else None,
                ),
            )  # fmt: skip
        self.prepared[at].knowledge = known
        return self.prepared[at]

    def row(self, row: str) -> dict[str, Any]:
        """The figures of a row: who is found."""
        name = row.partition(" known")[0].partition(" read")[0].partition(" all")[0]
        texts, masks = self.texts_of(name)
        report = audit(self.ready(name, row[len(name) + 1 :]), texts, masks=masks).report
        found = {a.name: to_builtins(a.after) for a in report.attackers}
        return {name: to_builtins(getattr(report, name)) for name in FIGURES} | {"attackers": found, "on": machine()}


def rows_of(corpus: Corpus, teachers: Sequence[Document]) -> list[str]:
    """All rows of a corpus: the curve over documents read only where there are documents to read."""
    curve = [f"{release} k=100 read {number}" for release in ("default", "search") for number in CURVE]
    human = ["human"] if any(document.spans for document in corpus.documents) else []
    return [*ROWS, *human, *(curve if teachers else ())]


def own_vectors(teachers: Sequence[Document], path: Path) -> Path:
    """Vectors of the words of the teachers' texts, in a file as fastText writes it."""
    rows = [[word for word in sequence(document.text) if word != GAP] for document in teachers]
    words = [word for word, times in Counter(chain.from_iterable(rows)).most_common() if times >= FEWEST_TIMES]
    places = {word: place for place, word in enumerate(words)}
    told = [[places[word] for word in row if word in places] for row in rows]
    found = teach_word_vectors(told, len(words), width=64, epochs=3, seed=0)
    lines = (f"{word} {' '.join(map(str, row.tolist()))}\n" for word, row in zip(words, found, strict=True))
    path.write_text("".join(lines), encoding="utf-8")
    return path


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("--rows", default="", help="these rows alone, parted by commas")
    parser.add_argument("--texts", action="append", default=[], metavar="LABEL=FILE")
    parser.add_argument("--model", action="append", default=[], type=Path)
    parser.add_argument("--own-vectors", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    corpus, teachers = world(options.corpus)
    saved = f"teachers_{options.corpus}{'_models' if options.model else ''}{'_vectors' if options.own_vectors else ''}"
    rows = load_rows(saved, fresh=options.fresh)
    files = {label: Path(file) for label, _, file in (one.rpartition("=") for one in options.texts)}
    with WorkerPool(suitable_workers(0, MANY_DOCUMENTS)) as pool, TemporaryDirectory() as folder:
        vectors = own_vectors(teachers, Path(folder) / "own.vec") if options.own_vectors else None
        bench = Bench(corpus, teachers, Runtime(pool=pool), tuple(map(load_model, options.model)), files, vectors)
        for row in options.rows.split(",") if options.rows else rows_of(corpus, teachers):
            if row in rows:
                continue
            started = time.process_time()
            rows[row] = bench.row(row)
            save(saved, rows, seed=0, attackers=bench.attackers)
            found, hidden = rows[row]["strongest"], rows[row]["masked"]["rate"]
            say(f"{row}: {found['rate']:.3f} at {hidden:.3f}, read {rows[row]['read']}; "
                f"{time.process_time() - started:.0f} CPU s")  # fmt: skip


if __name__ == "__main__":
    main()
