"""The first minute: notes of a fictional town deidentified and audited, one before and after, and other ways to mask."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from unname import registry
from unname.attacking.choice import quick
from unname.auditing.report import Found
from unname.job import AuditPlan, Deidentification, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.protecting.keys import new_key
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.reidentifiers.names import is_trained
from unname.runtime import Runtime
from unname.storage.files import PRIVATE, RELEASE, TOWN, require_absent, staged_folders
from unname.storage.tables import write_jsonl
from unname.types import Document
from unname.verbs.audit.in_memory import Knowledge, audit, prepare
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.writing.layout import private_folder

# So many documents are masked in other ways as well, each of which is audited anew.
COMPARED = 200
# Of so many in a hundred people, and of so many at least, the notes are released; others hold those of the rest.
RELEASED, FEWEST_RELEASED = 15, 50
# Why the town's release may go out.
INVENTED = "everybody in it is invented"


@dataclass(frozen=True, slots=True)
class Choice:
    """A way of masking: the share of words that it hides, and what the strongest adversary finds then."""

    name: str
    masked: float
    found: Found | None


@dataclass(frozen=True, slots=True, repr=False)
class Demo:
    """A release, one of its documents before and after, and other `choices` on so many `compared` documents."""

    released: Released
    before: str
    after: str
    choices: tuple[Choice, ...]
    compared: int

    def __repr__(self) -> str:
        return f"Demo({self.released!r})"


def write_town(
    folder: Path, town: Town, *, others: Sequence[Document] = (), replace: bool = False
) -> tuple[Path, Path]:
    """Write a fictional town as `documents.jsonl` and `people.jsonl`, and `others` as `others.jsonl`; returns both paths."""
    named = {"documents.jsonl": town.documents} | ({"others.jsonl": others} if others else {})
    with staged_folders((folder, False), replace=replace, kinds=(TOWN,)) as (aside,):
        for name, documents in named.items():
            write_jsonl(aside / name, ({"id": d.id, "person": d.person, "text": d.text} for d in documents))
        write_jsonl(aside / "people.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in town.profiles))
    return folder / "documents.jsonl", folder / "people.jsonl"


def run_demo(
    out: Path,
    *,
    people: int = 800,
    k: int = 10,
    seed: int = 0,
    replace: bool = False,
    runtime: Runtime | None = None,
) -> Demo:
    """Make a town in `out/town`, its release in `out/release`; also show one document, and what other maskings leave.

    The notes of some people are released; those of the others teach masking and attackers.
    Everybody in it is invented, so this is the one place where Unname shows text.
    """
    runtime = runtime or Runtime()
    release = out / "release"
    for folder, kind in ((out / "town", TOWN), (release, RELEASE), (private_folder(release), PRIVATE)):
        require_absent(folder, replace=replace, kind=kind)
    runtime.progress("make a fictional town", 1)
    town = fictional_town(people=people, seed=seed)
    own = {profile.id for profile in town.profiles[: max(FEWEST_RELEASED, people * RELEASED // 100)]}
    others = [document for document in town.documents if document.person not in own]
    town = dataclasses.replace(town, documents=tuple(d for d in town.documents if d.person in own))
    documents, profiles = write_town(out / "town", town, others=others, replace=replace)
    released = deidentify_files(
        make_job(documents, profiles, release, accept_risk=INVENTED, replace=replace, k=k, seed=seed, runtime=runtime,
                 training=out / "town" / "others.jsonl" if others else None)
    )  # fmt: skip
    return Demo(released, *_example(released), *_choices(released.result, others, runtime))


def quickest() -> tuple[str, ...]:
    """Of the quick audit's attackers those that need not learn."""
    return tuple(name for name in quick() if not is_trained(registry.ATTACKERS, name))


def _choices(made: Deidentified, others: Sequence[Document], runtime: Runtime) -> tuple[tuple[Choice, ...], int]:
    """Names hidden, term matching, and the release at hand, on its first documents; and how many these are.

    By attackers that need not learn: the minutes that others would take tell a newcomer no more.
    """
    documents, population, k, seed = made.documents[:COMPARED], made.population, made.settings.k, made.settings.seed
    names = Deidentification(method="tagged", k=k, seed=seed), Fitted(ensemble=made.ensemble)
    terms = Deidentification(method="greedy", reidentifiers=("bm25", "ngrams"), k=k, seed=seed), None
    choices, prepared = list[Choice](), None
    with runtime.started(len(documents)) as runtime:
        runtime.progress("compare", 1)
        for name, how in (("names hidden", names), ("term matching", terms), ("default", None)):
            one = made
            if how is not None:
                one = deidentify(documents, population, settings=how[0], key=new_key(), fitted=how[1], runtime=runtime)
            known, plan = (
                Knowledge(used=tuple(one.ensemble.members), k=k, ensemble=one.ensemble, training=others),
                AuditPlan(attackers=quickest(), simulate=False),
            )
            prepared = prepared or prepare(
                documents, population, plan=plan, knowledge=known, seed=seed, runtime=runtime
            )
            prepared.knowledge = known
            outcomes = [one.outcome(place) for place in range(len(documents))]
            texts = [None if outcome.release is None else outcome.release.text for outcome in outcomes]
            report = audit(prepared, texts, masks=[outcome.mask for outcome in outcomes]).report
            choices += [Choice(name, report.masked.rate, report.counted)]
    return tuple(choices), len(documents)


def _example(released: Released) -> tuple[str, str]:
    """A short released document with the most words hidden by search rather than by rule."""
    result = released.result
    best, most = 0, -1.0
    for i, (document, mask, release) in enumerate(zip(result.documents, result.masks, result.releases, strict=True)):
        if release is not None and len(document.text) < 800:
            ruled = sum(s.method == "direct-identifier" for s in mask.spans)
            share = min(ruled, 3) + (len(mask.spans) - ruled) / 10
            if share > most:
                best, most = i, share
    release = result.releases[best]
    return result.documents[best].text, release.text if release is not None else ""
