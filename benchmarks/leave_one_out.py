"""Attackers judged by what the strongest adversary loses without each: never by what it finds alone.

    python -m benchmarks.leave_one_out CORPUS [--k 10,100] [--documents 300] [--search] [--fresh]

CORPUS is `congress-dev`, `tab`, `wikipedia553` or `authors`; the release is what comes by default but for the tagger that
ships and facts (benchmarks.corpora.SEARCH_ALONE), with `--search` by the search alone, which leaves more to find. All
registered attackers score every text once; the adversary who combines them then learns and judges anew without each kind
of attacker (`static@originals` and `static@release` are one kind). `hits` are the documents found, one figure each, so
that two rows can be compared document by document (McNemar, exact).
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from msgspec import to_builtins

from benchmarks.adversary import KEY
from benchmarks.biencoder import bundled_encoder
from benchmarks.corpora import SEARCH_ALONE, without_spans
from benchmarks.results import load_rows, paired, save, say
from benchmarks.teachers import WORDS, world
from unname.attacking.attack import AttackResults
from unname.attacking.attackers import Attacker
from unname.attacking.learning import counted
from unname.auditing.found import rate_of
from unname.draws import draw
from unname.inputs.training_documents import teaches_masking
from unname.job import AuditPlan, Deidentification
from unname.reidentifiers.base import Index
from unname.verbs.audit.in_memory import Knowledge, PreparedAudit, audit, prepare
from unname.verbs.deidentify.in_memory import deidentify

EVERYBODY = "all"


class Remembering:
    """An index that scores each text once; whatever else it can do it does as before."""

    def __init__(self, index: Index) -> None:
        self._index, self._known = index, dict[str, Any]()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)

    def scores_of(self, texts: Sequence[str]) -> Any:
        """(texts, people), from memory where a text was seen."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known |= zip(new, np.asarray(self._index.scores_of(new)), strict=True)
        return np.stack([self._known[text] for text in texts])


def remembering(attackers: Sequence[Attacker]) -> list[Attacker]:
    """The same attackers, each scoring a text once."""
    return [
        one if isinstance(one.indexes[0], Remembering)
        else replace(one, indexes=tuple(cast(Index, Remembering(index)) for index in one.indexes))
        for one in attackers
    ]  # fmt: skip


def kind(attacker: Attacker) -> str:
    """The registered part that an attacker is, whatever taught it."""
    return attacker.name.partition("@")[0]


def row_of(prepared: PreparedAudit, judged: AttackResults) -> dict[str, Any]:
    """The headline and who is found."""
    credits = judged.documents[counted(judged.documents)].top1
    people = [str(document.person) for document in prepared.originals]
    return {
        "strongest": to_builtins(rate_of(credits, people)),
        "hits": "".join("1" if credit >= 0.5 else "0" for credit in credits),
    }


def main() -> None:
    """Run for every k for which no row is kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", choices=("congress-dev", "tab", "wikipedia553", "authors"))
    parser.add_argument("--k", default="10,100")
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    options = parser.parse_args()
    corpus, teachers = world(options.corpus)
    documents = sorted(corpus.documents, key=lambda d: draw("leave-one-out", 0, d.id))[: options.documents]
    saved = f"leave_one_out_{options.corpus}{'_search' if options.search else ''}"
    rows = load_rows(saved, fresh=options.fresh)
    method: dict[str, Any] = {"method": "composed", "reidentifiers": WORDS} if options.search else {}
    for k in map(int, options.k.split(",")):
        if f"k={k} {EVERYBODY}" in rows:
            continue
        started = time.process_time()
        settings = Deidentification(
            k=k, direct=("none",) if options.corpus == "authors" else ("auto",), **SEARCH_ALONE, **method
        )
        made = deidentify(documents, corpus.population, training=teachers, settings=settings, key=KEY)
        read = [d for d in teachers if not teaches_masking(d.person, 0)]
        plan = AuditPlan(simulate=False, read_curve=False, encoder=bundled_encoder())
        prepared = prepare(
            list(map(without_spans, documents)), corpus.population, plan=plan, knowledge=Knowledge(k=k, training=read)
        )
        prepared.attackers = remembering(prepared.attackers)
        texts = made.texts()
        whole = audit(prepared, texts, masks=made.masks)
        attackers = remembering(whole.attackers)
        rows[f"k={k} {EVERYBODY}"] = row_of(prepared, whole.attack) | {
            "masked": to_builtins(whole.report.masked),
            "alone": {a.name: to_builtins(a.after) for a in whole.report.attackers},
        }
        say(f"k={k} {EVERYBODY}: {rows[f'k={k} {EVERYBODY}']['strongest']['rate']:.3f}; "
            f"{time.process_time() - started:.0f} CPU s")  # fmt: skip
        for name in dict.fromkeys(map(kind, attackers)):
            rest = [one for one in attackers if kind(one) != name]
            judged = prepared.attack(texts, rest, f"without {name}", strongest=True)
            row = row_of(prepared, judged)
            row["paired"] = paired(rows[f"k={k} {EVERYBODY}"], row)
            rows[f"k={k} without {name}"] = row
            say(f"k={k} without {name}: {row['strongest']['rate']:.3f} {row['paired']}")
            save(saved, rows, seed=0, documents=len(documents), people=len(corpus.population))


if __name__ == "__main__":
    main()
