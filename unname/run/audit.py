"""Original and released texts → who can still be found, and what it cost. Knows no method: any tool's output will do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unname import registry
from unname.auditing.attacks import Attacker, released_documents, trained_attackers, untrained_attackers
from unname.auditing.examination import FUSED, FUSED_UNUSED, Examination, Examiner
from unname.auditing.privacy import (
    attack_figures,
    crowd_histogram,
    inference,
    linkability,
    per_document,
    person_figures,
)
from unname.auditing.utility import hidden_by_alignment, hidden_classes, hidden_words, information_loss
from unname.errors import InputError, SettingsError
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.text import MASK_TOKEN
from unname.types import Document, Mask


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """The figures (`report`, aggregates only), each document's risk for the private folder, and the tallies behind both."""

    report: dict[str, Any]
    documents: list[dict[str, Any]]
    examination: Examination

    def __repr__(self) -> str:
        return f"Audit({len(self.documents)} documents)"


@dataclass(slots=True, repr=False)
class Prepared:
    """What every audit of one corpus shares: attackers that need no release, and what they do to the originals."""

    population: Population
    originals: tuple[Document, ...]
    attackers: list[Attacker]
    names: tuple[str, ...]
    used: tuple[str, ...]
    training: tuple[Document, ...]
    before: Examination
    k: int
    seed: int

    def __repr__(self) -> str:
        return f"Prepared({len(self.originals)} documents, {len(self.attackers)} attackers)"


def resolve_attackers(names: Sequence[str]) -> tuple[str, ...]:
    """Versioned names; `all` stands for every registered attacker."""
    if tuple(names) == ("all",):
        return tuple(registry.names(registry.ATTACKERS))
    return tuple(registry.resolve(registry.ATTACKERS, name) for name in names)


def prepare(
    originals: Sequence[Document],
    population: Population,
    *,
    attackers: Sequence[str] = ("all",),
    used: Sequence[str] = (),
    training: Sequence[Document] = (),
    k: int = 10,
    seed: int = 0,
    progress: Progress = silent,
) -> Prepared:
    """Fit the attackers that need no release and attack the originals; `used` are those that served the masking."""
    names, served = resolve_attackers(attackers), resolve_attackers(used) if used else ()
    names = tuple(dict.fromkeys([*names, *served]))
    progress("attackers", 1)
    ready = untrained_attackers(names, served, population)
    trained = trained_attackers(
        names, served, population,
        originals=originals, released=(), training=training, seed=seed, kinds=("originals",),
    )  # fmt: skip
    ready += trained
    examiner = Examiner(population, originals, k, seed, progress("attack originals", len(originals)))
    before = examiner.examine([d.text for d in originals], ready, aware=False)
    return Prepared(population, tuple(originals), ready, names, served, tuple(training), before, k, seed)


def audit(
    prepared: Prepared,
    texts: Sequence[str | None],
    *,
    masks: Sequence[Mask] | None = None,
    aware: bool = True,
    mask_pattern: str | None = None,
    progress: Progress = silent,
) -> Audit:
    """Attack a release: `texts` in the order of the originals, None where withheld.

    With `masks`, hidden words are counted from them; without, by aligning both texts' words.
    """
    originals, population = prepared.originals, prepared.population
    if len(texts) != len(originals):
        raise InputError("the release and the originals do not have the same number of documents")
    shown = [_normal_placeholders(t, mask_pattern) for t in texts]
    progress("attackers that learn from the release", 1)
    trained = trained_attackers(
        prepared.names, prepared.used, population,
        originals=originals, released=released_documents(originals, shown), training=prepared.training,
        seed=prepared.seed, kinds=("release",),
    )  # fmt: skip
    attackers = prepared.attackers + trained
    examiner = Examiner(
        population, originals, prepared.k, prepared.seed, progress("attack the release", len(originals))
    )
    after = examiner.examine(shown, attackers, aware=aware)
    clusters = [str(d.person) for d in originals]
    report: dict[str, Any] = {
        "documents": len(originals),
        "people": len(population),
        "persons": len(set(clusters)),
        "k": prepared.k,
        "withheld": {"documents": sum(t is None for t in texts), "share": sum(t is None for t in texts) / len(texts)},
        **attack_figures(prepared.before, after, clusters, prepared.k),
        "per_person": person_figures(prepared.before, after),
        **_cost(originals, shown, masks),
        "crowds": crowd_histogram(after, prepared.k, len(population)),
        "linkability": {
            "before": linkability(originals, [d.text for d in originals]),
            "after": linkability(originals, shown),
        },
        "inference": inference(
            population, originals, after.documents[FUSED_UNUSED if FUSED_UNUSED in after.documents else FUSED]
        ),
    }
    return Audit(report, per_document(originals, after), after)


def _normal_placeholders(text: str | None, pattern: str | None) -> str | None:
    if text is None or pattern is None:
        return text
    try:
        expression = re.compile(pattern)
    except re.error:
        raise SettingsError("the mask pattern is not a valid regular expression") from None
    if expression.match(""):
        raise SettingsError("the mask pattern matches the empty string; it must say what a placeholder looks like")
    return expression.sub(MASK_TOKEN, text)


def _cost(originals: Sequence[Document], texts: Sequence[str | None], masks: Sequence[Mask] | None) -> dict[str, Any]:
    """Masked %, pooled and per document (withheld documents count whole), information loss, kinds of words hidden."""
    shares, hidden, total = [], 0, 0
    for i, (document, text) in enumerate(zip(originals, texts, strict=True)):
        if text is None:
            gone, count = hidden_words(document, Mask(document.id))
            gone = count
        elif masks is not None:
            gone, count = hidden_words(document, masks[i])
        else:
            gone, count = hidden_by_alignment(document.text, text)
        hidden, total = hidden + gone, total + count
        if count:
            shares.append(gone / count)
    cost: dict[str, Any] = {
        "masked": {
            "rate": hidden / total if total else 0.0,
            "per_document_mean": sum(shares) / len(shares) if shares else 0.0,
            "words": total,
            "known": "exact" if masks is not None else "heuristic",
        },
        "information_loss": information_loss([d.text for d in originals], [t or "" for t in texts]),
    }
    if masks is not None:
        cost["kinds"] = hidden_classes(originals, masks)
    return cost
