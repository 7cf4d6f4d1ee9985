"""Files → what a run works on, validated whole before anything is done; documents may stay on the disk."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from unname.errors import InputError, SettingsError
from unname.inputs.unknown_people import add_unknown, raise_unknown
from unname.job import ANY, FLOOR_ONLY, KEEP, MERGE, NOBODY, Source
from unname.knowledge.duplicates import merged, same_people
from unname.knowledge.population import Population, make_population, merge_graph
from unname.protecting.direct_fields import DirectFields, recognised_fields
from unname.storage.documents import document_faults, iter_documents, shown_columns
from unname.storage.faults import Faults, shown_name
from unname.storage.notices import counted, notice
from unname.storage.people import read_profiles, read_triples
from unname.storage.spool import Spool, document_spool
from unname.types import Document, Profile

ORIGINAL_FIELD = "original"
Direct = Callable[[Population], DirectFields]
# Documents outside the split serve to train attackers, which need no more than so many.
MOST_OTHERS = 20_000


@dataclass(frozen=True, slots=True, repr=False)
class Inputs:
    """Documents to work on, others (for training attackers), the population, and notices about them.

    `bad_records` are (record, field, problem) of records that were passed over; `graph_strangers` counts persons of the
    graph without a profile. `renamed` maps ids of profiles that were merged into another to its id.
    """

    documents: Sequence[Document]
    others: Sequence[Document]
    population: Population
    bad_records: tuple[tuple[int, str, str], ...] = ()
    graph_strangers: int = 0
    renamed: Mapping[str, str] = field(default_factory=dict)


def read_inputs(
    source: Source, *, unknown_person: str = "error", direct: Direct | None = None, spool: Path | None = None
) -> Inputs:
    """Read and check documents and people.

    With a table of people, documents that name nobody of it at all are an error, unless `unknown_person` is
    `floor-only` or `any`; with `error` so is each that does not. `direct` are the fields to tell by which profiles are
    about the same person, by default those that are recognised. With `spool` documents are kept in temporary files in
    that folder, not in memory.
    """
    if source.table is None:
        if source.fields or source.without_fields or source.graph is not None:
            raise SettingsError(
                f"people {source.people}: there is no table, so fields, without-fields and graph do not apply"
            )
        read = _read_documents(source, None, {}, spool)
        if source.people == NOBODY:
            return Inputs(read.chosen, read.others, Population(()), read.bad)
        chosen, population = _population_of(read.chosen)
        _warn_of_single_texts(source, chosen, population)
        return Inputs(chosen, read.others, population, read.bad)
    profiles, strangers = _profiles(source, source.table)
    profiles, renamed = _distinct(source.table, profiles, source, direct or recognised_fields)
    population = make_population(
        profiles, fields=source.fields, without_fields=source.without_fields, strangers=strangers
    )
    read = _read_documents(source, population, renamed, spool)
    if not read.matched and unknown_person not in (FLOOR_ONLY, ANY):
        raise InputError(_nobody(source, source.table, read, population))
    if unknown_person == "error":
        raise_unknown(read.people_faults)
    known = len({person for person, _, _ in strangers})
    return Inputs(read.chosen, read.others, population, read.bad, known, renamed)


def _warn_of_single_texts(source: Source, chosen: Sequence[Document], population: Population) -> None:
    """Say what it means that the only text of most people is also what is known of them."""
    often = Counter(document.person for document in chosen)
    single = sum(many == 1 for many in often.values())
    if 2 * single > len(population):
        notice(
            source.documents,
            f"from-documents: of {counted(single, 'person', 'people')} of {len(population)} this is the only text, and so "
            "all that is known of them: it is hidden until it does not match itself any more, which takes most of its words "
            "and still leaves it the only text of its kind. from-documents is for several texts of each person. Leave "
            "--people out: taggers and facts then say what is hidden",
        )


def _nobody(source: Source, people: Path, read: "_DocumentsRead", population: Population) -> str:
    """The message where no document's person is in the people table: the columns there are, and what to do."""
    documents, id_column, columns = source.documents, source.people_id_column, source.columns
    held = "is absent or empty in every document" if not read.named else f"holds no id of {shown_name(people)}"
    plain = {_bare_id(profile.id) for profile in population.profiles}
    if any(_bare_id(str(document.person)) in plain for document in islice(read.chosen, 1000) if document.person):
        held += " (ids differ by leading zeros, a .0 at the end, or capitals: write them alike on both sides)"
    others = Counter(name for document in islice(read.chosen, 1000) for name in document.metadata)
    often = [name for name, count in others.items() if 2 * count >= min(len(read.chosen), 1000)]
    return (
        f"{shown_name(documents)}: no document's person is in the people table: the column {columns.person!r} {held}; other "
        f"columns of the documents: {shown_columns(often)}; of {shown_name(people)}: {id_column!r} for ids, and "
        f"{shown_columns(population.named_fields())}. Name the right ones with --person-column and --people-id-column, "
        "take the person from a file's name (--person-pattern) or a table of documents and persons (--persons). Without any, "
        "--unknown-person floor-only or --people none hide what rules and taggers find; then no crowd is counted and nothing "
        "measured"
    )


def _bare_id(identifier: str) -> str:
    return identifier.strip().casefold().removesuffix(".0").lstrip("0")


def _distinct(
    table: Path, profiles: list[Profile], source: Source, direct: Direct
) -> tuple[list[Profile], dict[str, str]]:
    """Profiles of which no two are about one person, or are allowed to be, and the new id of each that was merged."""
    if source.duplicates == KEEP:
        return profiles, {}
    fields = direct(Population(tuple(profiles)))
    groups = same_people(profiles, fields, id_column=source.people_id_column)
    if not groups:
        return profiles, {}
    if source.duplicates == MERGE:
        return merged(profiles, groups)
    more, (first, second, *_) = sum(map(len, groups)) - len(groups), groups[0]
    both = profiles[first].fields, profiles[second].fields
    agree = [name for name in sorted(fields) if name in both[0] and both[0][name] == both[1].get(name)]
    by = f"agree in {', '.join(agree or sorted(fields))}" if fields else "are the same in every field"
    raise InputError(
        f"{shown_name(table)}: {more} of {len(profiles)} profiles seem to be about somebody who has one already (they {by}, "
        f"as far as these are filled in): records {first + 1} and {second + 1} are the first. One person several times is "
        "no crowd: make them one (--duplicates merge), or say that they are different people (--duplicates keep)"
    )


def with_training(inputs: Inputs, source: Source) -> Inputs:
    """Inputs whose documents to learn from come from a table of their own, where one is given."""
    training, columns = source.training, source.columns
    if source.training_people is not None:
        inputs = replace(inputs, population=_with_beside(inputs.population, source, source.training_people))
    if training is None:
        return inputs
    others: list[Document] = []
    faults = document_faults(training, columns)
    for _, document in iter_documents(training, columns, faults=faults):
        if len(others) < MOST_OTHERS:
            others.append(_renamed(document, inputs.renamed))
    faults.raise_any()
    if not inputs.population.taught_about.intersection(d.person for d in others if d.person is not None):
        raise InputError(f"{shown_name(training)}: nothing to learn from: no document's person has a profile")
    return replace(inputs, others=others)


def _with_beside(population: Population, source: Source, table: Path) -> Population:
    """The population with the profiles of a further table beside it, in the same fields; the population's own count."""
    known = set(population.field_names())
    profiles = [p for p in read_profiles(table, id_column=source.people_id_column) if p.id not in population.rows]
    if known.isdisjoint(name for profile in profiles for name in profile.fields):
        raise InputError(f"{shown_name(table)}: no profile has a field of the table of people, so none can teach")
    kept = (Profile(p.id, {name: value for name, value in p.fields.items() if name in known}) for p in profiles)
    return replace(population, beside=tuple(kept))


def _renamed(document: Document, renamed: Mapping[str, str]) -> Document:
    person = document.person
    return replace(document, person=renamed[person]) if person is not None and person in renamed else document


def attacker_population(inputs: Inputs, table: Path, id_column: str = "id") -> Population:
    """The attackers' population, from a table of their own; people with a profile for the masking have one here, too."""
    return Population(tuple(_by_id(read_profiles(table, id_column=id_column), inputs.renamed)))


def _by_id(profiles: list[Profile], renamed: Mapping[str, str]) -> list[Profile]:
    """Profiles of which those with the same id, the new one where there is one, are merged."""
    places: dict[str, list[int]] = {}
    for place, profile in enumerate(profiles):
        places.setdefault(renamed.get(profile.id, profile.id), []).append(place)
    several = [row for row in places.values() if len(row) > 1]
    return merged(profiles, several)[0] if several else profiles


def _profiles(source: Source, people: Path) -> tuple[list[Profile], list[tuple[str, str, str]]]:
    graph, repeated = source.graph, source.duplicates == MERGE
    read = read_profiles(people, id_column=source.people_id_column, dialect=source.columns.dialect, repeated=repeated)
    profiles = _by_id(read, {})
    return merge_graph(profiles, read_triples(graph)) if graph is not None else (profiles, [])


@dataclass(frozen=True, slots=True, repr=False)
class _DocumentsRead:
    chosen: Sequence[Document]
    others: Sequence[Document]
    people_faults: Faults
    named: bool
    matched: bool
    bad: tuple[tuple[int, str, str], ...]


def _read_documents(
    source: Source, population: Population | None, renamed: Mapping[str, str], spool: Path | None
) -> _DocumentsRead:
    path, columns = source.documents, source.columns
    faults, strangers = document_faults(path, columns), document_faults(path, columns, listed=False)
    chosen: list[Document] | Spool[Document] = [] if spool is None else document_spool(spool)
    others: list[Document] = []
    column, named, matched, documents_read = columns.person, False, False, 0
    for number, read in iter_documents(path, columns, faults=faults):
        document = _renamed(read, renamed)
        if source.split is not None and document.split != source.split:
            if len(others) < MOST_OTHERS:
                others.append(document)
            continue
        documents_read += 1
        named = named or document.person is not None
        if population is not None and document.person not in population.rows:
            add_unknown(strangers, number, column, document.person)
        else:
            matched = True
        if source.limit is None or len(chosen) < source.limit:
            chosen.append(document)
    if not source.withhold_bad:
        faults.raise_any()
    if not documents_read:
        problem = (
            "no document is in the split that was asked for" if source.split is not None else "every record is bad"
        )
        raise InputError(f"{shown_name(path)}: {problem}")
    return _DocumentsRead(chosen, others, strangers, named, matched, tuple(faults.bad_records))


def _population_of(documents: Sequence[Document]) -> tuple[list[Document], Population]:
    """Each person's originals as their profile; a document without a person is about one of its own.

    So every other document is a candidate, and whoever holds the originals is the adversary (people: in order of their
    first document).
    """
    named = [d if d.person is not None else replace(d, person=f"document {d.id}") for d in documents]
    texts: dict[str, list[str]] = {}
    for document in named:
        texts.setdefault(str(document.person), []).append(document.text)
    profiles = tuple(Profile(person, {ORIGINAL_FIELD: "\n\n".join(row)}) for person, row in texts.items())
    return named, Population(profiles)
