"""A job: what is read, how it is masked, who attacks it, where the result goes, and by how many processes.

Frozen values, checked when they are made. Command line, TOML settings, dry run, manifest and Python take their options
from these fields.
"""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from unname import registry
from unname.errors import SettingsError, printable
from unname.option import (
    AUDIT,
    DOCUMENTS,
    HIDDEN,
    OUTPUT,
    PEOPLE,
    RUN,
    SEARCH,
    Value,
    build,
    group,
    option,
    options_of,
    require,
    require_kinds,
)
from unname.runtime import Runtime, seconds_of
from unname.shared_options import (
    USUAL_TAGGERS,
    gazetteers_option,
    generic_option,
    give_back_option,
    graph_texts_option,
    idf_threshold_option,
    label_map_option,
    require_generic,
    rounds_option,
    spans_option,
    stop_words_option,
    strategy_option,
    tagger_option,
    unit_option,
    whose_option,
)
from unname.spec import parse
from unname.storage.documents import Columns

AUTO = ("auto",)
# In place of a table of people: everybody's own originals are their profile; or nobody is known.
FROM_DOCUMENTS, NOBODY = "from-documents", "none"
# What becomes of profiles that are about the same person, and of documents whose person is not in the table.
REFUSE, MERGE, KEEP = "refuse", "merge", "keep"
FLOOR_ONLY, ANY = "floor-only", "any"
ALL, FAST, NONE = ("all",), ("quick",), ("none",)
# The largest share of people that may be found without anybody giving a reason.
USUAL_LIMIT = 0.2
# Documents that attackers are tried on, unless asked otherwise; below it everything is.
AUDIT_SAMPLE = 2000
# What is done about facts that no table of people holds.
POLICIES = ("report", "mask", "mask-rare")
FACTS = "mask-rare"
FORMATS = ("jsonl", "csv", "parquet", "txt")
# An option that stands for a parameter of the method.
_OLD: dict[str, Any] = {"group": SEARCH, "advanced": True, "shown": "the method's own"}


@dataclass(frozen=True, slots=True, repr=False)
class Source:
    """The input of a job: documents, and the people whom an adversary may know.

    `people` is a table, `from-documents` or `none`. `split` chooses the rows to work on, `limit` how many of them. The
    rows of other splits, or the documents of `training`, teach whatever learns.
    """

    GROUP: ClassVar[str] = PEOPLE
    documents: Path
    people: Path | str = option(
        NOBODY, "Table of people: JSONL, CSV, Excel or Parquet. With `from-documents` each person's own "
        "originals are the profile; `none`: there is no table.",
        kind="people",
    )  # fmt: skip
    people_id_column: str = option("id", "Column of ids in the table of people.")
    duplicates: str = option(
        REFUSE, "Several profiles about the same person: refuse them, merge them, or keep them as different "
        "people.",
        choices=(REFUSE, MERGE, KEEP), advanced=True
    )  # fmt: skip
    graph: Path | None = option(
        None,
        "Triples (person, relation, value) to merge into the profiles, or without a table to search as readers would; TSV.",
        kind="file",
        advanced=True,
    )
    fields: tuple[str, ...] = option((), "Use only these fields of the profiles.")
    without_fields: tuple[str, ...] = option((), "Ignore these fields of the profiles.")
    split: str | None = option(
        None, "Work only on the rows of this split; the others may train attackers.", group=DOCUMENTS
    )
    columns: Columns = group(Columns)
    training: Path | None = option(
        None, "Documents about other people to learn from.", kind="path", shown="rows outside --split", group=DOCUMENTS
    )
    training_people: Path | None = option(
        None,
        "Profiles of the people whom those documents are about, where the table of people lacks them.",
        kind="file",
        group=DOCUMENTS,
        advanced=True,
    )
    limit: int | None = option(None, "Only the first N documents.", least=1, group=DOCUMENTS, advanced=True)
    withhold_bad: bool = option(False, "Leave faulty records out and go on; exit code 3.", group=DOCUMENTS)

    def __post_init__(self) -> None:
        require_kinds(self)

    def __repr__(self) -> str:
        return "Source()"

    @property
    def table(self) -> Path | None:
        """The table of people, if there is one."""
        return None if self.people in (FROM_DOCUMENTS, NOBODY) else Path(self.people)

    @property
    def is_texts(self) -> bool:
        """True if documents come as a folder of texts, and so should leave as one."""
        return self.documents.is_dir() and self.columns.format is None

    def tables(self) -> dict[str, Path]:
        """Every file that is read, by what it is."""
        named = {"documents": self.documents, "people": self.table, "graph": self.graph, "training": self.training,
                 "training people": self.training_people, "persons": self.columns.persons}  # fmt: skip
        return {name: path for name, path in named.items() if path is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Deidentification:
    """Everything that decides what a release looks like, apart from the input and the secret key.

    `reidentifiers` are whom to hide from; `auto` is bm25, ngrams and, where there are documents or passages enough to
    learn from, static and static-two, which learn from `vectors`, a file, instead of the English ones that are shipped
    (a whole job has those of its audit); with a `masking_encoder` also meaning. `models` are folders of trained ones beside
    them, or alone where `reidentifiers` is `none`. `k` is the crowd asked for. `keyed_target` draws each document's own
    target k′ between k and `target_span` · k, at most half of the population, from the secret key, so that a crowd near k
    does not point at the person (docs/concepts.md, keyed targets).
    `direct` names profile fields that must never survive, beside those that names and values tell (`auto`); `none` says
    that there is none; `direct_only` names all of them instead.
    `keep` names metadata columns that are released beside the text; what they say counts in every crowd.
    `protect` is `subject`, or `everyone-known` to hide whoever of the population a document names as well.
    `unknown_person` says what becomes of a document whose person is missing or not in the population: an `error`,
    `withhold`, or `floor-only` (lists, known names and all that taggers find are hidden; no crowd can be stated).
    `taggers` are those of a method that has any (all but searches alone and baselines): names, or folders of trained ones,
    which come beside the rules and the tagger that ships unless `none` or another name stands there, and those of other
    libraries (docs/taggers.md, taggers from elsewhere), whose labels `label_map` names in our words, beside the known ones;
    so do those of `spans`, a file of what any tool found in these very documents. `hide` says what of their labels is
    hidden: `direct`, `all`, `safe-harbor` (HIPAA's 18 kinds), or labels by name; empty: as the method does by default.
    `facts` says what is done about what they find that names nobody and can be looked up: only listed, masked, or masked
    where it is rare.
    `gazetteers` and `allow` are lists of phrases for the rules, `always` and `never` words and /patterns/, as lines or as
    the file that holds them.
    `method` is a name, with parameters in parentheses where it has any: `anonymity(strategy=random)` (`unname methods`).
    Those of `OLD_SPELLINGS` may be given as fields as well. With `graph_floor` k-anonymity over what fields and graph say
    (docs/concepts.md, k-anonymity over a graph) is part of the mandatory mask of any method but `anonymity`; `strategy`,
    `whose`, `generic` and `graph_texts` are the floor's then.
    `budget` is the largest share of a document's words that the method may hide; beyond it the document is withheld.
    """

    GROUP: ClassVar[str] = HIDDEN
    method: str = option(
        "adaptive", "How to choose the words to hide; `unname methods` lists all methods.", group=SEARCH
    )
    taggers: tuple[str, ...] = tagger_option(
        USUAL_TAGGERS,
        "Tagger to use in addition to the built-in ones:",
        "; naming rules, entities or none replaces them",
    )
    label_map: Path | None = label_map_option()
    spans: Path | None = spans_option()
    gazetteers: tuple[tuple[str, Path], ...] = gazetteers_option()
    allow: Path | None = option(
        None, "File of phrases that the rules never tag, one a line.", kind="file", advanced=True
    )
    hide: tuple[str, ...] = option(
        (), "Which of the taggers' findings to mask: direct, all, safe-harbor (HIPAA's 18 kinds), or labels "
        "by name.",
        shown="direct; all for the method tagged",
    )  # fmt: skip
    facts: str = option(
        FACTS,
        "Facts that readers could look up though no table holds them (offices, events, titles, exact "
        "dates): report them, mask them, or mask rare ones and the day of dates.",
        choices=POLICIES,
    )
    reidentifiers: tuple[str, ...] = option(
        AUTO,
        "Reidentifiers that the masking must defeat. auto: bm25, ngrams and, with enough to learn from, "
        "static and static-two; none: only those of --model.",
        group=SEARCH,
    )
    masking_encoder: Path | None = option(
        None,
        "Folder of a sentence encoder: hide from an attacker that understands as well (needs the extra neural).",
        kind="folder",
        group=SEARCH,
        advanced=True,
    )
    vectors: Path | None = None
    models: tuple[Path, ...] = option(
        (),
        "Folder of a trained reidentifier that the masking must defeat as well; repeatable.",
        name="model",
        kind="folder",
        each=True,
        group=SEARCH,
        advanced=True,
    )
    k: int = option(10, "Crowd: how many other people must be at least as likely as the right one.", least=1)
    transform: str = option(
        "redact", "Replacement of hidden words: redact, a token each; collapse, one for neighbours; delete, none; numbered, "
        "one with the same number for all names of a person.", parts=registry.TRANSFORMS,
    )  # fmt: skip
    direct: tuple[str, ...] = option(
        AUTO,
        "Fields whose values must never appear in the release, in addition to those recognised automatically; `none`: "
        "there are none.",
        group=PEOPLE,
    )
    direct_only: tuple[str, ...] = option(
        (), "Use only these fields as direct identifiers; recognise no others.", group=PEOPLE, advanced=True
    )
    ids: str = option(
        "keyed",
        "Ids of released documents: keyed ones, or those of the originals.",
        choices=("keyed", "keep"),
        group=OUTPUT,
        advanced=True,
    )
    seed: int = option(0, "Public seed.", group=SEARCH, advanced=True)
    keyed_target: bool = option(
        True,
        "Give each document its own secret target crowd of k or more, or k to all.",
        off="exact-target",
        group=SEARCH,
        advanced=True,
    )
    target_span: float = option(3.0, "Largest keyed target, in k.", group=SEARCH, advanced=True)
    budget: float = option(1.0, "Largest share of a document's words to hide.", group=SEARCH, advanced=True)
    graph_floor: bool = option(
        False, "Hide first what k-anonymity over the people's fields and --graph asks for.", group=SEARCH, advanced=True
    )
    # Parameters of methods and of the floor, spelt as options: None stands for the method's own default.
    give_back: bool | None = give_back_option(None, off="no-give-back", **_OLD)
    unit: str | None = unit_option(None, **_OLD)
    stop_words: str | None = stop_words_option(None, **_OLD)
    idf_threshold: float | None = idf_threshold_option(group=SEARCH, advanced=True)
    rounds: int | None = rounds_option(group=SEARCH, advanced=True)
    strategy: str | None = strategy_option(None, **_OLD)
    whose: str | None = whose_option(None, **_OLD)
    generic: float | None = generic_option(None, **_OLD)
    graph_texts: bool | None = graph_texts_option(None, **_OLD)
    always: tuple[str, ...] | Path = option(
        (), "File of words and /patterns/ that are always hidden, one a line.", kind="file", private=True
    )
    never: tuple[str, ...] | Path = option(
        (), "File of words and /patterns/ that are never hidden, one a line.", kind="file", private=True
    )
    keep: tuple[str, ...] = option(
        (), "Metadata columns to release unchanged; what they say counts in every crowd.", group=OUTPUT
    )
    protect: str = option(
        "subject", "Hide only the person whom a document is about, or everybody in the table whom it names.",
        choices=("subject", "everyone-known"), group=PEOPLE
    )  # fmt: skip
    unknown_person: str = option(
        "error",
        "What to do with a document whose person is missing or has no profile; floor-only hides what "
        "rules and taggers find, and measures nothing.",
        choices=("error", "withhold", FLOOR_ONLY), group=PEOPLE
    )  # fmt: skip

    def __post_init__(self) -> None:
        require_kinds(self)
        object.__setattr__(self, "method", str(parse(self.method)))
        object.__setattr__(self, "keep", tuple(dict.fromkeys(self.keep)))
        require(0 < self.budget <= 1, "budget must be above 0 and at most 1")
        require(1 <= self.target_span < math.inf, "target-span must be a number of at least 1")
        if self.generic is not None:
            require_generic(self.generic)
        require(not {"id", "text"} & set(self.keep), "keep must not name a column id or text: the release has its own")
        require(len(self.reidentifiers) > 0, "at least one reidentifier is needed")
        for word in (*AUTO, *NONE):
            require(
                len(self.reidentifiers) == 1 or word not in self.reidentifiers, f"reidentifiers: {word} stands alone"
            )

    def as_dict(self) -> dict[str, Any]:
        """Plain values, for a manifest: no lists or models, which hold words of the user's, and no old spellings."""
        return {name: value for name, value in asdict(self).items() if name not in _OF_THE_USER | {*OLD_SPELLINGS}}

    def tables(self) -> dict[str, Path]:
        """Every file that is read, by what it is."""
        named = {"always": self.always, "never": self.never, "allow": self.allow, "word vectors": self.vectors,
                 "label map": self.label_map, "spans": self.spans}  # fmt: skip
        files = {name: path for name, path in named.items() if isinstance(path, Path)}
        return files | {f"gazetteer {number}": path for number, (_, path) in enumerate(self.gazetteers, start=1)}


# Options that say what stands in parentheses behind the method's name: what it says there counts, and a method that has no
# such parameter passes them over.
OLD_SPELLINGS = (
    "give_back", "unit", "stop_words", "idf_threshold", "rounds", "strategy", "whose", "generic", "graph_texts",
)  # fmt: skip

_OF_THE_USER = frozenset(
    ("gazetteers", "allow", "models", "masking_encoder", "vectors", "always", "never", "label_map", "spans")
)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AuditPlan:
    """The attackers of a release, their knowledge, and the most that they may find.

    `attackers` are names, or `all`, `quick` or `none` alone, as `audit` says where no attackers are named. They are tried
    on at most `sample` documents. `max_risk` is the largest share of people that may be found; None: 2/(k+1), but from
    10 to 20 %; above that a release stays private without a reason. `others_private` says why nobody outside holds
    documents like these about other people: without a reason, an audit whose attackers could read few of them is weak
    evidence. With `read_curve` other attackers, who read fewer of them, are tried too. `outsiders` are reference texts in
    which readers look things up. `strongest` tries who combines everything as well, `simulate` how crowds bear a changing
    population.
    """

    GROUP: ClassVar[str] = AUDIT
    attackers: tuple[str, ...] = option(ALL, "Attackers to try in the audit.")
    audit: str = option(
        "full",
        "How many attackers to try: all of them (full), none, or a fixed small set (quick), which is "
        "never enough for a release.",
        choices=("quick", "full", "none"),
    )
    max_risk: float | None = option(
        None,
        "Largest share of people that may be found; more than 20 % needs a reason.",
        kind="share",
        shown="2/(k+1), from 10 to 20 %",
    )
    others_private: str = option(
        "",
        "Why nobody outside holds documents like these about other people. Without a reason, an audit "
        "that could read few of them is weak evidence.",
        metavar="REASON",
    )
    read_curve: bool = option(
        False,
        "Also say who would be found by attackers who have read fewer of the documents about other people, or more.",
        advanced=True,
    )
    word_vectors: Path | None = option(
        None,
        "Word vectors in text form (fastText, GloVe) from which statics learn, in masking and audit, "
        "instead of the English ones that come with Unname.",
        kind="file",
        shown="English",
        advanced=True,
    )
    attacker_people: Path | None = option(
        None,
        "Profiles that the attackers use, if they differ from --people; all their fields count.",
        kind="file",
        advanced=True,
    )
    outsiders: Path | None = option(
        None,
        "Texts in which readers could look these people up (articles, biographies); the column person, "
        "or id, says whom each is about.",
        kind="path",
    )
    attacker_models: tuple[Path, ...] = option(
        (),
        "Folder of a trained reidentifier that attacks; repeatable.",
        name="attacker_model",
        kind="folder",
        each=True,
        advanced=True,
    )
    encoder: Path | None = option(
        None,
        "Folder of a sentence encoder, for an attacker that understands (needs the extra neural).",
        kind="folder",
        advanced=True,
    )
    sensitive: tuple[str, ...] = option((), "Profile fields that a crowd should not agree on.", advanced=True)
    tasks: tuple[str, ...] = option(
        (),
        "Profile fields that somebody would learn to tell from the release; the report says how well that still works.",
        name="task",
        advanced=True,
    )
    sample: int = option(
        AUDIT_SAMPLE,
        "Documents to try the attackers on; people are drawn by hash.",
        name="audit_sample",
        least=1,
        advanced=True,
    )
    strongest: bool = True
    simulate: bool = True

    def __post_init__(self) -> None:
        require_kinds(self)
        require(self.audit == "full" or self.attackers == ALL, "audit and attackers: name one of them")
        require(
            self.max_risk is None or 0 <= self.max_risk <= 1, "max-risk must be a share from 0 to 1, or a percentage"
        )
        object.__setattr__(self, "others_private", printable(self.others_private.strip()))
        if self.audit != "full":
            object.__setattr__(self, "attackers", (self.audit,))
            object.__setattr__(self, "audit", "full")

    def __repr__(self) -> str:
        return f"AuditPlan({', '.join(self.attackers)})"

    def largest_risk(self, k: int) -> float:
        """The largest share of people that may be found: what was asked, else 2 / (k + 1), but from 10 to 20 %."""
        return min(USUAL_LIMIT, max(0.1, 2 / (k + 1))) if self.max_risk is None else self.max_risk


@dataclass(frozen=True, slots=True, repr=False)
class Output:
    """The output of a job, and who answers for it: `accept_risk` lets a release go out whatever its verdict.

    A `vault` holds the originals, for its `recipients` alone. What would take longer than the `time_budget` by the estimate
    is left out, and the report says so; empty: nothing is.
    """

    GROUP: ClassVar[str] = OUTPUT
    out: Path
    out_format: str | None = option(
        None, "Format of the documents in that folder.", choices=FORMATS, shown="jsonl; txt for a folder of texts"
    )
    private: Path | None = option(None, "Folder for masks, risks and the key.", kind="folder", shown="OUT.private")
    accept_risk: str = option(
        "",
        "Release whatever the verdict says, and record this reason. It overrules neither leaks nor "
        "crowds that are too small.",
        metavar="REASON",
        group=AUDIT,
    )
    key: Path | None = option(
        None,
        "Secret key file (64 hexadecimal digits, mode 0600).",
        kind="file",
        shown="that of the release which is continued or replaced, else a new key",
        advanced=True,
    )
    after: Path | None = option(
        None,
        "Continue an earlier release of these documents, named by its private folder: hide what it hid, "
        "and count what it shows.",
        kind="folder",
    )
    replace: bool = option(False, "Replace the outputs of an earlier run.")
    vault: Path | None = option(
        None,
        "Also write the originals to this file, encrypted for each --recipient; `unname reveal` gives them back "
        "(needs the extra vault).",
        kind="output",
        advanced=True,
    )
    recipients: tuple[str, ...] = option(
        (), "Who may open the vault: a public key of age or SSH, or a file of them; repeatable.",
        name="recipient", metavar="KEY", each=True, advanced=True
    )  # fmt: skip
    time_budget: str = option(
        "",
        "Time that the run may take, such as 90s, 10m or 1h30m. By an estimate made first, rounds of masking and then "
        "attackers are left out until it fits.",
        metavar="TIME",
        group=RUN,
    )

    def __post_init__(self) -> None:
        require_kinds(self)
        require(
            not self.time_budget or seconds_of(self.time_budget) > 0, "time-budget must be a time such as 90s or 1h30m"
        )
        require((self.vault is None) == (not self.recipients), "vault and recipient go together: name both, or neither")
        object.__setattr__(self, "accept_risk", printable(self.accept_risk.strip()))

    def __repr__(self) -> str:
        return "Output()"


@dataclass(frozen=True, slots=True, repr=False)
class Job:
    """The main job, whole: read, mask, read again, verify crowds, audit, write, verify what was written."""

    source: Source
    output: Output
    masking: Deidentification = field(default_factory=Deidentification)
    audit: AuditPlan = field(default_factory=AuditPlan)
    runtime: Runtime = field(default_factory=Runtime)

    def __post_init__(self) -> None:
        if self.source.people == NOBODY:
            object.__setattr__(self, "masking", replace(self.masking, unknown_person=FLOOR_ONLY))
        if self.audit.word_vectors is not None:
            object.__setattr__(self, "masking", replace(self.masking, vectors=self.audit.word_vectors))
        both = {path.resolve() for path in self.masking.models} & {p.resolve() for p in self.audit.attacker_models}
        require(not both, "a model that is used in masking cannot be held out as an attacker; name another one")

    def __repr__(self) -> str:
        return f"Job({self.masking.method})"

    def as_options(self) -> dict[str, Any]:
        """The input and the audit as a manifest states them beside the settings: no names of files."""
        source, audit = self.source, self.audit
        columns = asdict(source.columns) | {
            name: getattr(source.columns, name) is not None for name in ("persons", "person_pattern")
        }
        return {
            "people": "table" if source.table is not None else source.people, "columns": columns,
            **{name: getattr(source, name) for name in (
                "split", "limit", "fields", "without_fields", "withhold_bad", "people_id_column", "duplicates")},
            "sensitive": audit.sensitive, "tasks": audit.tasks, "audit_sample": audit.sample,
            "max_risk": round(audit.largest_risk(self.masking.k), 6), "after": self.output.after is not None,
            "others_private": audit.others_private,
            "outsiders": audit.outsiders is not None,
            "gazetteers": [label for label, _ in self.masking.gazetteers],
        }  # fmt: skip


def make_job(documents: Path, people: Path | str, out: Path, **options: Any) -> Job:
    """A job from options as the command has them, with underscores; `masking`, `plan` and `runtime` may be given whole.

    >>> make_job(Path("notes.csv"), Path("people.csv"), Path("release"), k=20, audit="quick")
    Job(adaptive)

    SettingsError: an option that there is not, or no people; `none` says that there is no table.
    """
    require(people is not None, "people must be given")
    given = {"documents": documents, "people": people, "out": out, **options}
    job = Job(
        build(Source, given), build(Output, given), _group(Deidentification, "masking", given),
        _group(AuditPlan, "plan", given), _group(Runtime, "runtime", given),
    )  # fmt: skip
    require_all_known(given)
    return job


def _group(kind: type[Value], name: str, given: dict[str, Any]) -> Value:
    """A part of a job: given whole, with single options changed, or made of options."""
    whole = given.pop(name, None)
    if whole is None:
        return build(kind, given)
    changed = {each.name: given.pop(option) for option, each, _ in options_of(kind) if option in given}
    made: Value = replace(whole, **changed) if changed else whole
    return made


def require_all_known(given: Mapping[str, Any]) -> None:
    """Nothing is left of the options that were given; SettingsError names the first."""
    for name in given:
        raise SettingsError(f"no option is called {name.replace('_', '-')!r}")
