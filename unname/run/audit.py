"""Original and released texts → who can still be found, and what it cost. Knows no method: any tool's output will do."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import regex

from unname import registry
from unname.auditing.attack import FUSED, FUSED_UNUSED, Examination, Examiner
from unname.auditing.attackers import Attacker, fit_attackers, model_attackers, released_documents
from unname.auditing.change import population_change
from unname.auditing.diversity import diversity, require_fields
from unname.auditing.privacy import (
    attack_figures,
    crowd_histogram,
    inference,
    linkability,
    per_document,
    person_figures,
)
from unname.auditing.utility import hidden_by_alignment, hidden_classes, hidden_words, information_loss
from unname.auditing.verdict import QUICK
from unname.auditing.versions import metadata_figures, union_texts, version_figures, with_metadata
from unname.errors import InputError, SettingsError
from unname.hiding.wordlists import TIMEOUT_S
from unname.knowledge.population import Population
from unname.log import Progress, silent
from unname.parallel.work import ONE_PROCESS, Pool
from unname.reidentifiers.base import Reidentifier
from unname.reidentifiers.ensemble import Ensemble, is_trained
from unname.run.arguments import documents_of, frame_of, population_of, texts_of
from unname.text import MASK_TOKEN
from unname.types import Document, Mask, Profile

if TYPE_CHECKING:
    from pandas import DataFrame

ALL, FAST, NONE = ("all",), ("quick",), ("none",)


@dataclass(frozen=True, slots=True, repr=False)
class Audit:
    """The figures (`report`, aggregates only), each document's risk for the private folder, and the tallies behind both."""

    report: dict[str, Any]
    documents: list[dict[str, Any]]
    examination: Examination

    def __repr__(self) -> str:
        return f"Audit({len(self.documents)} documents)"

    def frame(self) -> "DataFrame":
        """A table of pandas: for each attacker whether it served, and the shares found before and after, with limits."""
        rows = []
        for row in self.report["attackers"]:
            after = row["after"]
            low, high = after["ci"] or (None, None)
            before = (row.get("before") or {}).get("rate")
            rows.append({"attacker": row["name"], "used": row["used"], "before": before, "after": after["rate"],
                         "low": low, "high": high})  # fmt: skip
        return frame_of(rows, ("attacker", "used", "before", "after", "low", "high"))


@dataclass(slots=True, repr=False)
class Prepared:
    """What every audit of one corpus shares: attackers that need no release, and what they do to the originals.

    `served` are members that served the masking over the masking's population, where that is not the attackers' own;
    `kept` is what is released beside each document's text ("" for nothing), which the attackers read too.
    """

    population: Population
    originals: tuple[Document, ...]
    attackers: list[Attacker]
    names: tuple[str, ...]
    used: tuple[str, ...]
    training: tuple[Document, ...]
    before: Examination
    k: int
    seed: int
    attacker_population: Population | None = None
    served: list[Attacker] = field(default_factory=list)
    kept: tuple[str, ...] = ()
    pool: Pool = ONE_PROCESS

    def __repr__(self) -> str:
        return f"Prepared({len(self.originals)} documents, {len(self.attackers)} attackers)"

    @property
    def against(self) -> Population:
        """The people among whom the attackers search."""
        return self.population if self.attacker_population is None else self.attacker_population

    def examine(
        self,
        texts: Sequence[str | None],
        attackers: Sequence[Attacker],
        advance: Callable[[int], None],
        *,
        aware: bool = False,
    ) -> Examination:
        """Attack texts over the attackers' population; crowds are those over the masking's."""
        examiner = Examiner(self.against, self.originals, self.k, self.seed, advance, self.pool)
        found = examiner.examine(texts, attackers, aware=aware)
        if self.attacker_population is not None and self.served:
            own = Examiner(self.population, self.originals, self.k, self.seed, pool=self.pool)
            counted = own.examine(texts, self.served, aware=False)
            found.crowds, found.person_crowds = counted.crowds, counted.person_crowds
        return found

    def crowd_members(self, attackers: Sequence[Attacker]) -> list[Attacker]:
        """Members that served, over the masking's population."""
        return self.served if self.attacker_population is not None else [a for a in attackers if a.used]


def resolve_attackers(names: Sequence[str]) -> tuple[str, ...]:
    """Versioned names; `all` stands for every registered attacker, `quick` for the fixed quick set, `none` for none."""
    if tuple(names) == ALL:
        return tuple(registry.names(registry.ATTACKERS))
    if tuple(names) == NONE:
        return ()
    chosen = QUICK if tuple(names) == FAST else names
    return tuple(registry.resolve(registry.ATTACKERS, name) for name in chosen)


def kind_of_audit(names: Sequence[str]) -> str:
    """What a report says of who was tried: `full`, `quick`, `none`, or `chosen` where attackers were named."""
    known: dict[tuple[str, ...], str] = {ALL: "full", FAST: "quick", NONE: "none"}
    return known.get(tuple(names), "chosen")


def tried_names(names: Sequence[str]) -> list[str]:
    """The names of attackers without their versions."""
    return [name.rpartition(".")[0] for name in resolve_attackers(names)]


def prepare(
    originals: "Sequence[Document] | DataFrame",
    population: "Population | Sequence[Profile] | DataFrame",
    *,
    attackers: Sequence[str] = ("all",),
    used: Sequence[str] = (),
    training: Sequence[Document] = (),
    k: int = 10,
    seed: int = 0,
    attacker_population: Population | None = None,
    kept: Sequence[str] | None = None,
    ready: Ensemble | None = None,
    models: Sequence[Reidentifier] = (),
    pool: Pool = ONE_PROCESS,
    progress: Progress = silent,
) -> Prepared:
    """Fit the attackers that need no release and attack the originals; `used` are those that served the masking.

    With `attacker_population` the attackers know these people instead of the masking's `population`; a person who is
    not among them cannot be found. `kept` (one for each original) is what the release shows beside the text. Members of
    `ready` over this population are not fitted again; `models` are attackers that were trained elsewhere. `pool` does
    the work, here and in `audit`; no figure depends on it. `quick` teaches an attacker that learns from the release alone,
    not from originals as well.
    """
    originals, population = documents_of(originals), population_of(population)
    names, served = resolve_attackers(attackers), resolve_attackers(used) if used else ()
    beside = _beside(kept, originals)
    taught_by = ("profiles",) if tuple(attackers) == FAST else ("profiles", "originals")

    def fit(names: Sequence[str], people: Population) -> list[Attacker]:
        return fit_attackers(
            names, served, people, originals=originals, training=training, seed=seed,
            kinds=taught_by, ready=ready if people is population else _learned_over(ready, people),
            pool=pool,
        )  # fmt: skip

    progress("attackers", 1)
    fitted = fit(names, population if attacker_population is None else attacker_population)
    fitted += model_attackers(models, population if attacker_population is None else attacker_population, pool=pool)
    members = fit((), population) if attacker_population is not None else []
    prepared = Prepared(
        population, tuple(originals), fitted, names, served, tuple(training), Examination(), k, seed,
        attacker_population, members, beside, pool,
    )  # fmt: skip
    texts = with_metadata([d.text for d in originals], beside)
    prepared.before = prepared.examine(texts, fitted, progress("attack originals", len(originals)))
    return prepared


def _learned_over(ready: Ensemble | None, people: Population) -> Ensemble | None:
    """Of an ensemble what learned, over other people: it cannot be fitted anew, and needs not."""
    if ready is None:
        return None
    kept = {name: held for name, held in ready.fitted.items() if is_trained(registry.REIDENTIFIERS, name)}
    members = {name: tuple(model.index(people.profiles) for model in held) for name, held in kept.items()}
    return Ensemble(tuple(p.id for p in people.profiles), members, kept, ready.split)


def audit(
    prepared: Prepared,
    texts: "Sequence[str | None] | DataFrame",
    *,
    masks: Sequence[Mask] | None = None,
    aware: bool = True,
    mask_pattern: str | None = None,
    kept: Sequence[str] | None = None,
    kept_columns: Sequence[str] = (),
    previous: Sequence[Sequence[str | None]] = (),
    sensitive: Sequence[str] = (),
    hidden_fields: Sequence[Profile] | None = None,
    change: bool = True,
    progress: Progress = silent,
) -> Audit:
    """Attack a release: `texts` in the order of the originals, None where withheld; or a table with `id` and `text`.

    With `masks`, hidden words are counted from them; without, by aligning both texts' words. `kept` is the metadata
    released beside each text, joined by newlines ("" for none), which attackers read as well on both sides, and
    `kept_columns` its names; None stands for what was given to `prepare`. `previous` are earlier releases of the same
    documents, each in their order (None where it lacks one): what all versions together betray. `sensitive` names
    fields that a crowd should not agree on, `hidden_fields` are the population's profiles with the fields that were
    left out of it, `change` whether to simulate how crowds bear a changing population.
    """
    texts = texts_of(texts, prepared.originals)
    _require_aligned(prepared, texts, previous, hidden_fields)
    require_fields(sensitive, hidden_fields or prepared.population.profiles)
    originals = prepared.originals
    beside = prepared.kept if kept is None else _beside(kept, originals)
    if beside != prepared.kept:
        seen = with_metadata([d.text for d in originals], beside)
        before = prepared.examine(seen, prepared.attackers, progress("attack originals", len(originals)))
        prepared = replace(prepared, kept=beside, before=before)
    bare = [_normal_placeholders(t, mask_pattern) for t in texts]
    shown = with_metadata(bare, beside)
    # With several at work this process would only wait meanwhile.
    with ThreadPoolExecutor(1) as side:
        costing = side.submit(_cost, originals, bare, masks)
        progress("attackers that learn from the release", 1)
        attackers = prepared.attackers + fit_attackers(
            prepared.names, prepared.used, prepared.against,
            originals=originals, released=released_documents(originals, shown), training=prepared.training,
            seed=prepared.seed, kinds=("release",), again=prepared.attackers, pool=prepared.pool,
        )  # fmt: skip
        after = prepared.examine(shown, attackers, progress("attack the release", len(originals)), aware=aware)
        cost = costing.result()
    report = _figures(prepared, texts, shown, after) | cost
    clusters, k = [str(d.person) for d in originals], prepared.k
    if any(beside):
        without = prepared.examine(bare, attackers, progress("attack without metadata", len(originals)))
        report["kept"] = metadata_figures(after, without, clusters, kept_columns, k=k)
    if previous:
        earlier = [[_normal_placeholders(t, mask_pattern) for t in release] for release in previous]
        union, more = union_texts(shown, earlier)
        found = prepared.examine(union, attackers, progress("attack all versions", len(originals)))
        report["previous"] = version_figures(after, found, clusters, earlier, k=k, only_before=more)
    about = (prepared.crowd_members(attackers), prepared.population, originals, shown)
    if sensitive:
        report["sensitive"] = diversity(*about, sensitive, everything=hidden_fields)
    if change and about[0]:
        progress("changing population", 1)
        report["population_change"] = population_change(
            *about, k=k, seed=prepared.seed, everything=hidden_fields, pool=prepared.pool
        )
    return Audit(report, per_document(originals, after), after)


def _require_aligned(
    prepared: Prepared,
    texts: Sequence[str | None],
    previous: Sequence[Sequence[str | None]],
    hidden_fields: Sequence[Profile] | None,
) -> None:
    if any(len(version) != len(prepared.originals) for version in (texts, *previous)):
        raise InputError("the release and the originals do not have the same number of documents")
    if hidden_fields is not None and not prepared.population.rows.keys() <= {p.id for p in hidden_fields}:
        raise InputError("the profiles with all fields lack people whom the population has")


def _beside(kept: Sequence[str] | None, originals: Sequence[Document]) -> tuple[str, ...]:
    beside = ("",) * len(originals) if kept is None else tuple(kept)
    if len(beside) != len(originals):
        raise InputError("the kept metadata and the originals do not have the same number of documents")
    return beside


def _figures(
    prepared: Prepared, texts: Sequence[str | None], shown: Sequence[str | None], after: Examination
) -> dict[str, Any]:
    """The figures that every audit has, costs aside."""
    originals, clusters = prepared.originals, [str(d.person) for d in prepared.originals]
    withheld = sum(t is None for t in texts)
    figures: dict[str, Any] = {
        "documents": len(originals),
        "people": len(prepared.population),
        "persons": len(set(clusters)),
        "k": prepared.k,
        "withheld": {"documents": withheld, "share": withheld / max(len(texts), 1)},
    }
    if prepared.attacker_population is not None:
        figures["attacker_people"] = len(prepared.attacker_population)
        known = prepared.attacker_population.rows
        figures["not_in_attacker_population"] = sum(person not in known for person in clusters)
    guesses = after.documents[FUSED_UNUSED if FUSED_UNUSED in after.documents else FUSED]
    return figures | {
        **attack_figures(prepared.before, after, clusters, prepared.k),
        "per_person": person_figures(prepared.before, after),
        "crowds": crowd_histogram(after, prepared.k, len(prepared.population)),
        "linkability": {
            "before": linkability(originals, with_metadata([d.text for d in originals], prepared.kept)),
            "after": linkability(originals, shown),
        },
        "inference": inference(prepared.against, originals, guesses, truth=prepared.population),
    }


def _normal_placeholders(text: str | None, pattern: str | None) -> str | None:
    if text is None or pattern is None:
        return text
    try:
        expression = regex.compile(pattern, regex.VERSION0)
        if expression.match(""):
            raise SettingsError("the mask pattern matches the empty string; it must say what a placeholder looks like")
        return str(expression.sub(MASK_TOKEN, text, timeout=TIMEOUT_S))
    except (regex.error, OverflowError, RecursionError):
        raise SettingsError("the mask pattern is not a valid regular expression") from None
    except TimeoutError:
        raise SettingsError("the mask pattern takes too long for a text; write it without nested repetitions") from None


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
