"""Two releases of the same texts, and what they betray together: made apart, and the second one continuing the first.

    python -m benchmarks.versions [--fresh]

The first 150 documents of the dev part of `congress` against the thin profiles of its 1,300 people; masked by `composed`
(no rounds) against bm25 and n-grams: with k = 10 and with k = 100 apart under one key, with k = 10 apart under two keys
and under eight, and with either k continuing the other (`--after`). A simple attacker reads all versions of a document and
counts the words that one shows and another hides six times (BM25 otherwise). Rows `audit …` are what `unname audit
--previous` says of a pair.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.corpora import SEARCH_ALONE, Corpus, closed_world
from benchmarks.results import load_rows, save, say
from unname.auditing.verdict import judged
from unname.job import ALL, AuditPlan, Deidentification
from unname.protecting.earlier import Earlier
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import AdditiveIndex
from unname.reidentifiers.ensemble import Ensemble, build_ensemble
from unname.reidentifiers.terms.bm25 import Bm25
from unname.statistics import credit_of, rate, standing
from unname.text import folded_words, visible
from unname.verbs.audit.in_memory import Knowledge, audit, prepare, tried_names
from unname.verbs.deidentify.in_memory import deidentify
from unname.writing.versions import published

DOCUMENTS, KS, WEIGHT, CROWD = 150, (10, 100), 6, 10
MEMBERS, KEY = ("bm25", "ngrams"), bytes(range(32))
Texts = Sequence[str | None]


@dataclass(frozen=True)
class Setting:
    """The corpus, and the ensemble that hides its people: the same for every release."""

    corpus: Corpus
    ensemble: Ensemble

    def release(self, k: int, key: bytes = KEY, after: Deidentified | None = None) -> Deidentified:
        """One release, or one that continues another."""
        settings = Deidentification(method="composed", reidentifiers=MEMBERS, k=k, **SEARCH_ALONE)
        return deidentify(
            self.corpus.documents, self.corpus.population, settings=settings, key=key,
            fitted=Fitted(ensemble=self.ensemble, earlier=Earlier() if after is None else published(after, key)),
        )  # fmt: skip


def attack(setting: Setting, index: AdditiveIndex, *versions: Texts) -> dict[str, Any]:
    """The people whom the simple attacker finds, and those whose crowd is small under it."""
    found, small, people = [], [], []
    for document, *texts in zip(setting.corpus.documents, *versions, strict=True):
        shown = [set(folded_words(visible(text))) for text in texts if text is not None]
        people.append(str(document.person))
        if not shown:
            found.append(0.0)
            small.append(0.0)
            continue
        union = set[str]().union(*shown)
        differing = union - set[str].intersection(*shown)
        scores = index.sum_of(sorted(union)) + (WEIGHT - 1) * index.sum_of(sorted(differing))
        above, tied = standing(scores, setting.corpus.population.rows[str(document.person)])
        found.append(credit_of(above, tied))
        small.append(float(above + tied - 1 < CROWD))
    withheld = sum(text is None for text in versions[-1])
    return {"found": rate(found, people).as_dict(), "small": rate(small, people).as_dict(), "withheld": withheld}


def audited(setting: Setting, made: Deidentified, earlier: Sequence[Deidentified] = ()) -> dict[str, Any]:
    """The figures of an audit of a release, with earlier ones beside it."""
    plan = AuditPlan(attackers=ALL, simulate=False)
    known = Knowledge(used=made.settings.reidentifiers, k=made.settings.k, ensemble=made.ensemble)
    prepared = prepare(setting.corpus.documents, setting.corpus.population, plan=plan, knowledge=known)
    report = audit(prepared, made.texts(), masks=made.masks, previous=[one.texts() for one in earlier]).report
    report = judged(report, plan.largest_risk(made.settings.k), tried=tried_names(plan.attackers))
    said = report.as_dict()
    row = {"verdict": report.verdict, "headline": {name: said["headline"][name] for name in ("attacker", "per", "risk")},
           "strongest": said["strongest"], "fused": said["fused"]["after"]}  # fmt: skip
    if earlier:
        row["together"] = {one["name"]: one["after"] for one in said["previous"]["joined"] if one["per"] == "document"}
    return row


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fresh", action="store_true")
    rows = load_rows("versions", fresh=parser.parse_args().fresh)
    whole = closed_world("dev")
    people = whole.population.profiles
    setting = Setting(replace(whole, documents=whole.documents[:DOCUMENTS]), build_ensemble(MEMBERS, people))
    small, large = KS
    first, second = setting.release(small), setting.release(large)
    others = [setting.release(small, bytes(range(n, n + 32))) for n in range(1, 8)]
    larger, smaller = setting.release(large, after=first), setting.release(small, after=second)
    index = Bm25().fit(people).index(people)
    for name, versions in (
        ("first alone", (first,)), ("second alone", (second,)), ("apart, one key", (first, second)),
        ("apart, another key", (first, others[0])), ("apart, eight keys", (first, *others)),
        ("second continues first", (first, larger)), ("first continues second", (second, smaller)),
    ):  # fmt: skip
        rows[name] = attack(setting, index, *(made.texts() for made in versions))
        say(name, rows[name]["found"]["rate"], rows[name]["small"]["rate"], rows[name]["withheld"])
    for name, made, earlier in (
        ("audit first alone", first, ()), ("audit second alone", second, ()),
        ("audit apart, one key", second, (first,)), ("audit second continues first", larger, (first,)),
        ("audit first continues second", smaller, (second,)),
    ):  # fmt: skip
        if name not in rows:
            rows[name] = audited(setting, made, earlier)
        save("versions", rows, seed=0, documents=DOCUMENTS, k=KS, weight=WEIGHT, crowd=CROWD)
        say(name, rows[name]["verdict"], rows[name]["headline"])


if __name__ == "__main__":
    main()
