"""The report of a release: what attackers achieve, what it cost, and whether it may go out. Typed, frozen, aggregates only.

`report.json` holds exactly these fields, under these names (docs/files.md); shares are from 0 to 1. Who writes the file
calls `as_dict`; who reads one back, `read_report`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any

from unname.auditing.coverage import Coverage
from unname.auditing.found import Found as Found
from unname.auditing.found import rate_of as rate_of
from unname.auditing.left_out import LeftOut
from unname.auditing.outsider import Outsider
from unname.auditing.standins import MovedDates, Readable, StandIns
from unname.statistics import Rate
from unname.storage.frames import frame_of

if TYPE_CHECKING:
    from pandas import DataFrame

# Who reads several releases and weighs what they differ in; and the best of all plain attackers, whichever that is.
DIFFERENCE, SINGLE = "difference", "single"
# Fewer people are too few to learn from how many of them are found, and a table of who finds them would be an oracle.
FEWEST_PEOPLE = 50


@dataclass(frozen=True, slots=True)
class Sides:
    """The same figure on the originals and on the release."""

    before: Found | None
    after: Found | None


@dataclass(frozen=True, slots=True)
class Named:
    """A figure and the name of its attacker."""

    name: str
    after: Found


@dataclass(frozen=True, slots=True)
class AttackerFigures:
    """One attacker: how often it finds the person, whether it was used in masking, and what it is in plain words."""

    name: str
    used: bool
    before: Found | None
    after: Found
    title: str = ""
    sentence: str = ""
    family: str = ""


@dataclass(frozen=True, slots=True)
class CrowdSizes:
    """Guesses from the sizes of crowds alone: the better of the `readings`; `bound` is chance within a crowd, 1/(k + 1)."""

    rate: float | None
    ci: tuple[float, float] | None
    n: int
    people: int
    known: str
    top5: float | None
    top10: float | None
    bound: float
    readings: Mapping[str, Found] = field(default_factory=dict)

    def found(self) -> Found:
        """The figure alone."""
        return Found(self.rate, self.ci, self.n, self.people, self.known, self.top5, self.top10)


@dataclass(frozen=True, slots=True)
class PerPerson:
    """Rates per person: all released documents of a person attacked together."""

    any_unused: Sides
    any_used: Sides
    fused: Sides
    strongest: Found | None = None
    strongest_without_models: Found | None = None
    best_single: Named | None = None

    @property
    def counted(self) -> Found | None:
        """The strongest adversary's figure of the people: of two the one without the private models."""
        return self.strongest_without_models or self.strongest


@dataclass(frozen=True, slots=True)
class PlausibleCrowds:
    """Members of a crowd whose own crowd is k or more under every reidentifier used, so that they could be the person.

    Of each released document the least over reidentifiers; `below_k` counts documents with fewer than k.
    """

    below_k: int
    documents: int
    median: float
    none: int
    known: str


@dataclass(frozen=True, slots=True)
class Anonymous:
    """k-anonymity over what fields and graph state, counted in the released texts: by person, all documents together.

    `groups` are people with released documents, `below` those whose texts state what k or fewer people have, `smallest` the
    smallest such group among `people`. `whose` and `generic` are as asked: who counts, and up to which share of all people a
    term tells something.
    """

    groups: int
    below: int
    smallest: int
    people: int
    k: int
    whose: str
    generic: float
    known: str


@dataclass(frozen=True, slots=True)
class Surest:
    """The share of right guesses among the surest, which are a `share` of all documents."""

    share: float
    right: Found


@dataclass(frozen=True, slots=True)
class Confidence:
    """Figures of an adversary who knows when he is right: precision of the surest guesses, and recall by precision.

    `recall` maps a precision to the largest share of documents found by guesses that are right so often.
    """

    surest: tuple[Surest, ...]
    recall: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class AtScale:
    """The rate among fewer or more people; `extrapolated` beyond those there are, else over random parts of them."""

    people: int
    rate: float
    extrapolated: bool


@dataclass(frozen=True, slots=True)
class AtRead:
    """The strongest adversary's rate when attackers have `read` so many documents about other people.

    Measured (`found`), or beyond what there was to read `extrapolated`, a rate.
    """

    read: int
    found: Found | None = None
    extrapolated: float | None = None


@dataclass(frozen=True, slots=True)
class Among:
    """The strongest adversary's rate among the `people` of the documents alone, and among a `hundred` people of the table."""

    people: int
    own: Found | None
    hundred: Found | None


@dataclass(frozen=True, slots=True)
class KnowingField:
    """The strongest adversary's rate for who knows the person's value of a field from elsewhere."""

    field: str
    after: Found


@dataclass(frozen=True, slots=True)
class Masked:
    """Share of words hidden, pooled and as a mean over documents; `small` are names hidden where they have no capital."""

    rate: float
    per_document_mean: float
    words: int
    known: str
    small: int | None = None


@dataclass(frozen=True, slots=True)
class HiddenKind:
    """The number of words of a kind, and the share of them hidden."""

    words: int
    hidden: float


@dataclass(frozen=True, slots=True)
class Withheld:
    """Documents that were not released; `reasons` counts them, `reread` those of people whom the second reading found."""

    documents: int
    share: float
    reasons: Mapping[str, int] | None = None
    reread: int = 0


@dataclass(frozen=True, slots=True)
class Crowds:
    """Documents by their smallest crowd: `counts` from each of `edges` to the next."""

    edges: tuple[int, ...]
    counts: tuple[int, ...]
    below_k: int
    median: float
    people: int
    known: str


@dataclass(frozen=True, slots=True)
class Linked:
    """The rate at which the most similar other document is by the same person, and the rate of a blind guess."""

    rate: float | None
    ci: tuple[float, float] | None
    n: int
    people: int
    known: str
    chance: float


@dataclass(frozen=True, slots=True)
class Linkability:
    """Linked documents in the originals and in the release; None where nobody has two."""

    before: Linked | None
    after: Linked | None


@dataclass(frozen=True, slots=True)
class Inferred:
    """The rate of first guesses with the person's value of a field, beside always guessing the commonest."""

    field: str
    rate: float | None
    ci: tuple[float, float] | None
    n: int
    people: int
    known: str
    commonest: float


@dataclass(frozen=True, slots=True)
class Versions:
    """The same attackers on this release alone and with earlier ones beside it."""

    after: Found
    union: Found


@dataclass(frozen=True, slots=True)
class VersionsOfAttacker:
    """`Versions` of one attacker."""

    name: str
    used: bool
    after: Found
    union: Found


@dataclass(frozen=True, slots=True)
class Joined:
    """The figure of one adversary, `per` document or person, who reads all versions side by side."""

    name: str
    per: str
    after: Found


@dataclass(frozen=True, slots=True)
class Previous:
    """Figures of what earlier releases of the same documents add.

    `difference` is who weighs the words that one version shows and another hides; he is one of those whom the strongest
    adversary combines in joined texts.
    """

    releases: int
    documents: int
    any_unused: Versions | None
    any_used: Versions | None
    fused: Versions
    below_k: Mapping[str, int] | None
    words_only_in_previous: int
    attackers: tuple[VersionsOfAttacker, ...]
    unmatched: int = 0
    strongest: Versions | None = None
    difference: Found | None = None
    joined: tuple[Joined, ...] = ()

    def of_few(self) -> "Previous":
        """The same without the figures of single attackers."""
        joined = tuple(row for row in self.joined if row.name not in (DIFFERENCE, SINGLE))
        return replace(self, attackers=(), difference=None, joined=joined)


@dataclass(frozen=True, slots=True)
class KeptMetadata:
    """The cost of metadata released beside the texts: figures `with` it and `without`."""

    columns: tuple[str, ...]
    any_unused: Mapping[str, Found] | None
    below_k: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class ThirdParties:
    """Other people of the population whom documents name, and their crowds."""

    documents: int
    mentions: int
    below_k: int
    smallest: int | None
    median: float | None
    known: str


@dataclass(frozen=True, slots=True)
class Bystanders:
    """Known people whom texts name beside their own person, each found through what is left of the passage.

    `any` is a union over all single attackers, `strongest` one adversary who combines them; both know whose names to seek.
    `named` counts, of all that originals name in full, those who are still named in full.
    """

    passages: int
    any: Found
    strongest: Found | None
    named: Found | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """Rates of a classifier of one field of originals' people: guessing the commonest class, and taught.

    `from_originals` was taught by originals, `from_release` by the release; both are tried on originals of other people.
    """

    field: str
    classes: int
    guessing: Found
    from_originals: Found
    from_release: Found


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Words hidden and persons found at one k."""

    k: int
    masked: float
    any_used: Found
    any_unused: Found
    fused: Found | None = None
    strongest: Found | None = None

    def worst(self) -> Found:
        """The figure of the best single adversary that combines everything, else of all held-out ones together."""
        known = [f for f in (self.fused, self.strongest) if f is not None and f.rate is not None]
        return max(known, key=lambda f: f.rate or 0.0) if known else self.any_unused


@dataclass(frozen=True, slots=True)
class Curve:
    """The price of a larger crowd, on a sample."""

    points: tuple[CurvePoint, ...]
    documents: int
    attackers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """After a round of a method that masks again what attackers still find: words hidden, and what fresh ones found then.

    `strongest` is the most of what the strongest adversary finds of documents, of people, and one to one. A round that did
    not pay was not `kept`: what is released is that of the round before.
    """

    masked: float
    strongest: Found
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Headline:
    """The verdict's figure: which single adversary finds so many, `per` document or person, how many may be found.

    `chance` is what one blind guess gets, `luckiest` what the luckiest of as many blind adversaries as were tried would.
    """

    attacker: str
    per: str
    risk: float | None
    max_risk: float
    chance: float | None
    why: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    before: Found | None = None
    after: Found | None = None
    luckiest: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DocumentRisk:
    """One document, for the private folder: its crowds by reidentifier, and the attackers that find its person."""

    id: str
    crowds: Mapping[str, int]
    found_by: tuple[str, ...]

    def __repr__(self) -> str:
        return f"DocumentRisk({len(self.found_by)} attackers)"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Report:
    """Everything that is said of a release. `risks`, document by document, are for the private folder alone.

    `read` counts documents about other people that attackers could learn from and the masking did not learn from; None
    where nothing was attacked. `others_private` is the reason given why nobody outside holds such documents.

    Fields from `verdict` on stand in the file where they apply.
    """

    risks: tuple[DocumentRisk, ...] = ()
    documents: int
    persons: int
    people: int
    k: int
    withheld: Withheld
    attackers: tuple[AttackerFigures, ...]
    any_unused: Sides | None
    any_used: Sides | None
    fused: Sides | None
    per_person: PerPerson
    strongest: Found | None = None
    strongest_without_models: Found | None = None
    matched: Found | None = None
    crowd_sizes: CrowdSizes | None = None
    plausible_crowds: PlausibleCrowds | None = None
    anonymity: Anonymous | None = None
    union_chance: float | None = None
    confidence: Confidence | None = None
    scale: tuple[AtScale, ...] | None = None
    among: Among | None = None
    knowing: tuple[KnowingField, ...] | None = None
    not_trained: tuple[str, ...] | None = None
    not_usable: Mapping[str, str] | None = None
    crowds: Crowds | None
    linkability: Linkability
    inference: tuple[Inferred, ...]
    masked: Masked
    information_loss: float
    verdict: str | None = None
    headline: Headline | None = None
    accepted_risk: str | None = None
    audit: str | None = None
    method: str | None = None
    taggers: tuple[str, ...] | None = None
    direct_fields: Mapping[str, str] | None = None
    direct_left_out: tuple[str, ...] | None = None
    not_direct: tuple[str, ...] | None = None
    unread_values: Mapping[str, tuple[int, int]] | None = None
    graph_persons_without_profile: int | None = None
    recounted: int | None = None
    audited: int | None = None
    not_measured: int | None = None
    bad_records: int | None = None
    attacker_people: int | None = None
    not_in_attacker_population: int | None = None
    attackers_left_out: bool | None = None
    not_tried: tuple[str, ...] | None = None
    kinds: Mapping[str, HiddenKind] | None = None
    shadow: int | None = None
    stand_ins: StandIns | None = None
    readable: Readable | None = None
    moved_dates: MovedDates | None = None
    read: int | None = None
    read_curve: tuple[AtRead, ...] | None = None
    others_private: str | None = None
    bystanders: Bystanders | None = None
    coverage: Coverage | None = None
    outsider: Outsider | None = None
    facts_kept: Found | None = None
    tasks: tuple[Task, ...] = ()
    kept: KeptMetadata | None = None
    previous: Previous | None = None
    sensitive: tuple[Mapping[str, Any], ...] | None = None
    third_parties: ThirdParties | None = None
    population_change: Mapping[str, Any] | None = None
    safe_harbor: Mapping[str, str] | None = None
    curve: Curve | None = None
    rounds: tuple[Round, ...] | None = None
    takes_rounds: bool | None = None
    left_out: LeftOut | None = None
    readings: float | None = None

    def __repr__(self) -> str:
        return f"Report({self.documents} documents, {len(self.attackers)} attackers, {self.verdict})"

    def as_dict(self) -> dict[str, Any]:
        """The content of `report.json`: plain values, without single documents."""
        return {name: value for name, value in _plain(self).items() if name != "risks"} | {
            "crowds": _plain(self.crowds or {})
        }

    @property
    def counted(self) -> Found | None:
        """The strongest adversary's figure of the documents: of two the one without the private models."""
        return self.strongest_without_models or self.strongest

    def public(self) -> "Report":
        """The part that may be published: of few people neither documents nor single attackers, whose figures name them."""
        if any((self.not_usable or {}).values()):  # what an installation lacks is told to its owner alone
            return replace(self, not_usable=dict.fromkeys(self.not_usable or (), "")).public()
        if (outsider := self.outsider) and outsider.people < FEWEST_PEOPLE and outsider.riskiest:
            return replace(self, outsider=outsider.of_few()).public()
        if self.persons >= FEWEST_PEOPLE or self.attackers_left_out:
            return self
        sizes = replace(self.crowd_sizes, readings={}) if self.crowd_sizes else None
        previous = self.previous.of_few() if self.previous else None
        person = replace(self.per_person, best_single=None)
        headline = self.headline
        if headline is not None and headline.attacker in {attacker.name for attacker in self.attackers}:
            headline = replace(headline, attacker=SINGLE)
        if headline is not None and headline.attacker.endswith(f"-{DIFFERENCE}"):
            headline = replace(headline, attacker=headline.attacker.replace(DIFFERENCE, SINGLE))
        return replace(
            self, headline=headline, attackers=(), attackers_left_out=True, crowd_sizes=sizes, previous=previous,
            per_person=person, confidence=None, knowing=None, bystanders=None,
        )  # fmt: skip

    def frame(self) -> "DataFrame":
        """A table of pandas: for each attacker whether it was used in masking, and the shares found, with limits."""
        rows = []
        for row in self.attackers:
            low, high = row.after.ci or (None, None)
            before = row.before.rate if row.before else None
            rows.append({"attacker": row.name, "used": row.used, "before": before, "after": row.after.rate,
                         "low": low, "high": high})  # fmt: skip
        return frame_of(rows, ("attacker", "used", "before", "after", "low", "high"))


def _plain(value: Any) -> Any:
    """A value as JSON has it: a field that may be absent, and is, stands nowhere."""
    if is_dataclass(value):
        held = {each.name: getattr(value, each.name) for each in fields(value)}
        optional = {each.name for each in fields(value) if each.default is None} if type(value) in _SPARSE else set()
        return {name: _plain(one) for name, one in held.items() if one is not None or name not in optional}
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


_SPARSE = (Report, Found, Withheld, PerPerson, Masked)


def shown(figures: Found | CrowdSizes | Linked | Inferred | None) -> str:
    """A rate with its interval; a count of none as its upper limit; of fewer than 50 people a count alone."""
    if figures is None or figures.rate is None or figures.ci is None:
        return "not measured"
    if 0 < figures.people < FEWEST_PEOPLE:
        many = figures.rate * figures.n
        # Ties share their credit, so that a part of somebody may be found.
        about = "" if abs(many - round(many)) < 0.01 else "about "
        return f"{about}{max(round(many), 1 if about else 0)} of {figures.n}"
    return str(Rate(figures.rate, *figures.ci, figures.n, figures.people))
