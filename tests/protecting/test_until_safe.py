"""Protection beyond a text and its subject: kept columns, other people who are named, people nobody knows."""

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from made_settings import by_rules

from tests.times import in_proportion
from unname.apps import cli
from unname.errors import InputError, SettingsError
from unname.job import make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.fieldnames import of_kin
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import NAME_REACH, PASSAGE_REACH
from unname.knowledge.population import Population
from unname.masking.base import Case
from unname.protecting.look import Subject
from unname.protecting.outcomes import Outcome
from unname.protecting.result import Deidentified
from unname.text import fold, words
from unname.transforms.base import Context
from unname.transforms.redact import Redact
from unname.types import Document, Mask, Profile, Release
from unname.verbs.deidentify import files as release_module
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.recount import Recount

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

KEY = b"h" * 32
K = 4
MEMBERS = ("bm25.v1", "ngrams.v1")
KEEP = by_rules(k=K, keep=("sex", "ward"))
PROTECT = by_rules(direct_only=("given name", "family name", "phone", "record number"), k=K, protect="everyone-known")


@pytest.fixture(scope="module")
def notes(small_town: Town) -> list[Document]:
    """The notes of thirty townspeople, with their sex as metadata, and a word that tells nothing."""
    sexes = {p.id: p.fields["sex"] for p in small_town.profiles}
    first = {p.id for p in small_town.profiles[:30]}
    return [
        replace(d, metadata={"sex": sexes[str(d.person)], "ward": "north", "own": f"unreleased {d.id}"})
        for d in small_town.documents if d.person in first
    ]  # fmt: skip


def require_exact_with_kept(result: Deidentified, keep: Sequence[str], k: int) -> int:
    """Every stated crowd, alone and together, by brute force on what is released: the text and the kept values."""
    recounts = {name: Recount(name, result.population.profiles) for name in MEMBERS}
    together: dict[str, list[str]] = {}
    stated: dict[str, Any] = {}
    for document, outcome in zip(result.documents, result.outcomes(), strict=True):
        if outcome.release is not None:
            kept = "\n".join(document.metadata[c] for c in keep if c in document.metadata)
            read = f"{outcome.release.text}\n\n{kept}" if kept else outcome.release.text
            column = result.population.rows[str(document.person)]
            crowds = {name: recount.crowd([read], column) for name, recount in recounts.items()}
            assert outcome.crowds == crowds, "a stated crowd leaves out what is released beside the text"
            assert min(crowds.values()) >= k
            together.setdefault(str(document.person), []).append(read)
            stated[str(document.person)] = outcome.together
    for person, texts in together.items():
        column = result.population.rows[person]
        crowds = {name: recount.crowd(texts, column) for name, recount in recounts.items()}
        assert stated[person] == crowds and min(crowds.values()) >= k
    return len(together)


# --- kept columns


def test_kept_columns_count_in_every_stated_crowd(notes: list[Document], townspeople: Population) -> None:
    result = deidentify(notes, townspeople, settings=KEEP, key=KEY)
    assert require_exact_with_kept(result, KEEP.keep, K) > 20
    assert result.recounted > 0, "and in the recount that production makes"
    without = deidentify(notes, townspeople, settings=replace(KEEP, keep=()), key=KEY)
    assert result.crowds != without.crowds, "it tells something"


def test_the_check_notices_kept_columns_that_no_crowd_counts(
    notes: list[Document], townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.protecting.masker.kept_text", lambda document, keep: "")
    monkeypatch.setattr("unname.protecting.result.kept_text", lambda document, keep: "")
    result = deidentify(notes, townspeople, settings=KEEP, key=KEY)
    with pytest.raises(AssertionError, match="beside the text"):
        require_exact_with_kept(result, KEEP.keep, K)


@pytest.fixture(scope="module")
def telling(small_town: Town, notes: list[Document]) -> tuple[list[Document], Population]:
    """One document whose kept column has a word that only its person's profile has."""
    profiles = list(small_town.profiles)
    place = next(i for i, p in enumerate(profiles) if p.id == notes[0].person)
    profiles[place] = Profile(profiles[place].id, {**profiles[place].fields, "motto": "quorndyke"})
    first = replace(notes[0], metadata={"sex": "quorndyke"})
    return [first, *notes[1:12]], Population(tuple(profiles))


def test_a_kept_column_that_singles_the_person_out_withholds_the_document(
    telling: tuple[list[Document], Population],
) -> None:
    documents, population = telling
    result = deidentify(documents, population, settings=KEEP, key=KEY)
    assert result.withheld == {documents[0].id: "crowd-below-k"}
    require_exact_with_kept(result, KEEP.keep, K)
    without = deidentify(documents, population, settings=replace(KEEP, keep=()), key=KEY)
    assert not without.withheld, "the text by itself can be released"


def test_a_column_that_is_not_kept_counts_nowhere(telling: tuple[list[Document], Population]) -> None:
    documents, population = telling
    other = replace(documents[0], metadata={"sex": "", "own": "quorndyke"})
    assert not deidentify([other], population, settings=replace(KEEP, keep=("sex",)), key=KEY).withheld


def test_a_word_that_is_kept_beside_the_text_is_not_hidden_in_vain(townspeople: Population) -> None:
    """Hiding it in the text would lower no score, because it stays readable beside it."""
    person = townspeople.profiles[0]
    job = person.fields["occupation"]
    document = Document("d", f"Works as {job} .", person.id, metadata={"sex": job})
    result = deidentify([document], townspeople, settings=replace(KEEP, keyed_target=False), key=KEY)
    (outcome,) = result.outcomes()
    assert outcome.release is not None and job in outcome.release.text


def test_a_placeholder_in_a_kept_column_adds_nothing_to_a_crowd(townspeople: Population) -> None:
    plain, forged = (
        deidentify([Document("d", "A note.", townspeople.profiles[0].id, metadata={"ward": ward})], townspeople,
                   settings=replace(KEEP, keep=("ward",)), key=KEY).crowds for ward in ("", "[NURSE]")
    )  # fmt: skip
    assert plain == forged


# --- other people who are named


@pytest.fixture(scope="module")
def witnesses(small_town: Town) -> tuple[list[Document], Population]:
    """Notes that name other townspeople and say much of them; two of these are namesakes."""
    profiles = list(small_town.profiles)
    profiles[41] = Profile(
        profiles[41].id,
        {**profiles[41].fields, "given name": profiles[40].fields["given name"],
         "family name": profiles[40].fields["family name"]},
    )  # fmt: skip

    def told(p: Profile, middle: str = "") -> str:
        fields = p.fields
        return (f"{fields['given name']}{middle} {fields['family name']}, {fields['occupation']} at "
                f"{fields.get('employer', 'home')}, of {fields['street']}, {fields['village']}")  # fmt: skip

    documents = []
    for i in range(12):
        me, other, third = profiles[i], profiles[40 + i], profiles[60 + i]
        documents.append(Document(
            f"d{i}", f"{told(me)}, came in.\nWith {'him' if i % 2 else 'her'} was {told(other, ' Q.' * (i % 3))}.\n"
            f"They know {told(third)}. The weather was fair and nothing else was said of it.\n", me.id,
        ))  # fmt: skip
    documents.append(Document("alone", f"{told(profiles[20])} came alone.", profiles[20].id))
    return documents, Population(tuple(profiles))


@pytest.fixture(scope="module")
def protected(witnesses: tuple[list[Document], Population]) -> Deidentified:
    return deidentify(*witnesses, settings=PROTECT, key=KEY)


def mentions_of(document: Document, outcome: Outcome, result: Deidentified) -> list[tuple[int, int, int]]:
    """(column, start, end) of passages about somebody else, by trying every two readable words for everybody."""
    mandatory = [s for s in outcome.mask.spans if s.method in ("direct-identifier", "forged-placeholder", "always")]
    row = [w for w in words(document.text) if not any(s.start < w.end and w.start < s.end for s in mandatory)]
    found = []
    own = {field: kind for field, kind in result.direct.items() if kind == "name" and not of_kin(field)}
    for column, profile in enumerate(result.population.profiles):
        name = direct_identifiers(profile, own).single
        near = {
            (i, j) for i in range(len(row)) for j in range(i + 1, min(i + NAME_REACH, len(row) - 1) + 1)
            if row[i].folded != row[j].folded and row[i].folded in name and row[j].folded in name
        }  # fmt: skip
        stretches: list[list[int]] = []
        for i, j in sorted(near):
            if stretches and i <= stretches[-1][1]:
                stretches[-1][1] = max(stretches[-1][1], j)
            else:
                stretches.append([i, j])
        if profile.id == document.person:
            continue
        for i, j in stretches:
            line = document.text.rfind("\n", 0, row[i].start) + 1
            end = document.text.find("\n", row[j].end)
            start = max(line, row[max(0, i - PASSAGE_REACH)].start)
            last = row[min(len(row) - 1, j + PASSAGE_REACH)].end
            found.append((column, start, min(last, end if end >= 0 else len(document.text))))
    return found


def shown(release: Release, mask_spans: Sequence[tuple[int, int]], text: str, start: int, end: int) -> str:
    """A stretch of the original as it was released under redact: its spans replaced, one character after the other."""
    out, at = [], start
    for a, b in [(a, b) for a, b in mask_spans if a < end and start < b]:
        out += [text[at:a], "[MASK]"]
        at = b
    return "".join([*out, text[at:end]])


def require_others_hidden(result: Deidentified, k: int) -> int:
    """Every crowd of somebody else, by brute force on the released passage."""
    recounts = [Recount(name, result.population.profiles) for name in MEMBERS]
    counted = 0
    for document, outcome in zip(result.documents, result.outcomes(), strict=True):
        if outcome.release is None:
            continue
        spans = [(s.start, s.end) for s in outcome.mask.spans]
        crowds = []
        for column, start, end in mentions_of(document, outcome, result):
            text = shown(outcome.release, spans, document.text, start, end)
            assert text in outcome.release.text
            crowds.append(min(recount.crowd([text], column) for recount in recounts))
        assert list(outcome.third) == crowds, "the crowds of those who are named are not what counting gives"
        assert all(n >= k for n in crowds), "somebody who is named does not hide among k others"
        counted += len(crowds)
    return counted


def test_whoever_is_named_hides_among_k_others_on_the_released_passage(protected: Deidentified) -> None:
    assert require_others_hidden(protected, K) >= 22
    require_exact_with_kept(protected, (), K)
    assert len(protected.withheld) <= 2


def test_both_namesakes_are_protected(protected: Deidentified, witnesses: tuple[list[Document], Population]) -> None:
    documents, _ = witnesses
    assert documents[0].id not in protected.withheld
    columns = [column for column, *_ in mentions_of(documents[0], protected.outcome(0), protected)]
    assert {40, 41} <= set(columns)


def test_who_names_nobody_else_states_no_crowd_of_others(protected: Deidentified) -> None:
    assert protected.documents[-1].id == "alone" and protected.outcome(12).third == ()


def test_the_subject_alone_is_protected_unless_asked(witnesses: tuple[list[Document], Population]) -> None:
    result = deidentify(*witnesses, settings=by_rules(k=K), key=KEY)
    assert all(o.third == () for o in result.outcomes())
    names = [[p.fields["family name"] for p in witnesses[1].profiles[40:52]], result.texts()]
    assert sum(str(text).find(name) > 0 for name, text in zip(names[0], names[1], strict=False)) > 6, (
        "other people are named in such a release, which the option is there for"
    )


def test_the_check_notices_passages_that_nobody_looks_at(
    witnesses: tuple[list[Document], Population], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Subject, "others", lambda self, place: [])
    result = deidentify(*witnesses, settings=PROTECT, key=KEY)
    with pytest.raises(AssertionError, match="not what counting gives"):
        require_others_hidden(result, K)


def test_a_passage_that_the_search_forgets_withholds_its_document(
    witnesses: tuple[list[Document], Population], monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.masking.search import Greedy

    real = Greedy.mask

    def forgetting(self: Greedy, case: Case) -> list[Mask]:
        return real(self, replace(case, mentions=()) if case.documents[0].id == "d3" else case)

    monkeypatch.setattr(Greedy, "mask", forgetting)
    result = deidentify(*witnesses, settings=PROTECT, key=KEY)
    assert result.withheld == {"d3": "third-party-crowd-below-k"}
    assert require_others_hidden(result, K) >= 20


def test_a_kept_column_that_names_somebody_else_withholds_where_that_gives_them_away(
    witnesses: tuple[list[Document], Population],
) -> None:
    documents, population = witnesses
    other = population.profiles[50].fields
    naming = replace(documents[12], metadata={"seen by": f"{other['given name']} {other['family name']}"})
    settings = replace(PROTECT, keep=("seen by",))
    result = deidentify([naming, documents[1]], population, settings=settings, key=KEY)
    assert result.withheld == {"alone": "third-party-crowd-below-k"}
    subject = deidentify([naming], population, settings=replace(settings, protect="subject"), key=KEY)
    assert not subject.withheld


# --- people nobody knows


def strange(population: Population, person: str | None) -> Document:
    """A document about a stranger that names a townsman, a forged placeholder and a listed word."""
    known = population.profiles[5].fields
    text = f"Seen {known['given name']} Q. {known['family name']} with a stranger called Xyzzy, [NAME_1], at the mill."
    return Document("strange", text, person)


@pytest.mark.parametrize("person", [None, "nobody"])
def test_a_document_of_an_unknown_person_has_lists_and_known_names_hidden_and_no_crowd(
    notes: list[Document], townspeople: Population, person: str | None
) -> None:
    settings = by_rules(k=K, unknown_person="floor-only")
    result = deidentify(
        [notes[0], strange(townspeople, person)],
        townspeople,
        settings=dataclasses.replace(settings, always=["mill"]),
        key=KEY,
    )
    known, outcome = result.outcomes()
    assert known.crowds and outcome.release is not None
    assert outcome.release.text == "Seen [MASK] [MASK]. [MASK] with a stranger called Xyzzy, [MASK], at the [MASK]."
    assert {s.method for s in outcome.mask.spans} == {"known-name", "forged-placeholder", "always"}
    assert (outcome.crowds, outcome.together, outcome.target, outcome.third) == ({}, {}, 0, ())
    assert (outcome.hidden_words, outcome.words) == (5, 13)


def test_a_kept_column_that_names_a_known_person_withholds_a_document_of_somebody_unknown(
    townspeople: Population,
) -> None:
    known = townspeople.profiles[5].fields
    settings = by_rules(k=K, unknown_person="floor-only", keep=("by",))
    documents = [
        Document("named", "A note.", None, metadata={"by": f"{known['family name']}, {known['given name']}"}),
        Document("other", "A note.", None, metadata={"by": "somebody"}),
    ]
    assert deidentify(documents, townspeople, settings=settings, key=KEY).withheld == {"named": "known-name"}


def test_documents_of_unknown_people_can_be_withheld(notes: list[Document], townspeople: Population) -> None:
    settings = by_rules(k=K, unknown_person="withhold")
    result = deidentify([strange(townspeople, "nobody"), notes[0]], townspeople, settings=settings, key=KEY)
    assert result.withheld == {"strange": "unknown-person"}


def test_auto_is_an_error_where_some_documents_name_a_person_and_one_does_not(
    notes: list[Document], townspeople: Population
) -> None:
    for person in (None, "nobody"):
        with pytest.raises(InputError, match="record 2: field 'person'"):
            deidentify([notes[0], strange(townspeople, person)], townspeople, settings=by_rules(k=K), key=KEY)
    with pytest.raises(InputError, match="record 1: field 'person'"):
        deidentify([strange(townspeople, "nobody")], townspeople, settings=by_rules(k=K), key=KEY)


def test_floor_only_is_never_guessed(townspeople: Population) -> None:
    with pytest.raises(InputError, match="field 'person': missing"):
        deidentify([strange(townspeople, None)], townspeople, settings=by_rules(k=K), key=KEY)


def test_floor_only_hides_what_rules_find_of_all_types(townspeople: Population) -> None:
    document = Document("d", "Seen on 3 May 2021, aged 46, 12 High Street. Tel 0555 123 4567, Mr Quill. Well.")
    settings = by_rules(k=K, unknown_person="floor-only")
    # A method that asks no tagger knows no facts, and hides all that rules find of a document about nobody known.
    for how in ({"method": "composed", "hide": ("all",)}, {"method": "greedy"}):
        made = deidentify([document], townspeople, settings=replace(settings, **how), key=KEY)
        (text,) = made.texts()
        assert text is not None and text.endswith("Well.") and text.startswith("Seen on [DATE], aged [AGE]")
        assert not any(word in text for word in ("2021", "46", "High", "4567", "Quill")), text


def test_without_a_table_of_people_everything_that_rules_find_goes() -> None:
    settings = by_rules(unknown_person="floor-only", hide=("all",))
    made = deidentify([Document("d", "Mr Quill, 3 May 2021.")], Population(()), settings=settings, key=KEY)
    assert made.texts() == ["Mr [NAME], [DATE]."] and made.recounted == 0
    with pytest.raises(SettingsError, match="floor-only"):
        deidentify([Document("d", "x")], Population(()), key=KEY, settings=by_rules(unknown_person="withhold"))


def test_an_unknown_person_is_never_one_with_others_who_are_unknown(
    townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each stands alone: trouble with one of them withholds no other."""
    real = Redact.release

    def failing(self: Redact, document: Document, mask: Mask, context: Context) -> Release:
        if document.id == "b":
            raise RuntimeError("planted")
        return real(self, document, mask, context)

    monkeypatch.setattr(Redact, "release", failing)
    settings = by_rules(k=K, unknown_person="floor-only")
    documents = [Document("a", "A note.", None), Document("b", "A note.", "nobody"), Document("c", "x", None),
                 Document("d", "x", "nobody")]  # fmt: skip
    result = deidentify(documents, townspeople, settings=settings, key=KEY)
    assert result.withheld == {"b": "failed"}


# --- the same through files


def write(folder: Path, documents: Sequence[dict[str, Any]], town: Town) -> tuple[Path, Path]:
    """Rows and people as files."""
    paths = folder / "d.jsonl", folder / "p.jsonl"
    paths[0].write_text("".join(json.dumps(row) + "\n" for row in documents), "utf-8")
    rows = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    paths[1].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return paths


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def village() -> Town:
    return fictional_town(people=26, seed=11)


def release(folder: Path, documents: Sequence[dict[str, Any]], town: Town, **options: Any) -> Released:
    settings = options.pop("settings", by_rules(k=3, reidentifiers=("bm25",)))
    paths = write(folder, documents, town)
    return deidentify_files(
        make_job(*paths, folder / "out", accept_risk="a test", masking=settings, attackers=("bm25", "facts"), **options)
    )


def test_documents_of_unknown_people_are_counted_as_not_measured_and_never_in_rates(
    village: Town, tmp_path: Path
) -> None:
    known = [{"id": d.id, "text": d.text, "person": d.person} for d in village.documents[:20]]
    unknown = [{"id": "u0", "text": "Nobody said a word."}, {"id": "u1", "text": "Nor here.", "person": "stranger"}]
    settings = by_rules(k=3, reidentifiers=("bm25",), unknown_person="floor-only")
    (tmp_path / "mixed").mkdir()
    (tmp_path / "plain").mkdir()
    (tmp_path / "key").write_text("cd" * 32, encoding="ascii")
    (tmp_path / "key").chmod(0o600)
    made = release(tmp_path / "mixed", [*known[:3], *unknown, *known[3:]], village, settings=settings,
                   key=tmp_path / "key")  # fmt: skip
    plain = release(tmp_path / "plain", known, village, settings=settings, key=tmp_path / "key")
    assert made.report.as_dict()["not_measured"] == 2 and plain.report.as_dict()["not_measured"] == 0
    assert made.report.as_dict()["documents"] == 22 and made.report.as_dict()["audited"] == 20
    for part in ("attackers", "any_unused", "any_used", "fused", "crowd_sizes", "crowds", "per_person", "linkability"):
        assert made.report.as_dict()[part] == plain.report.as_dict()[part], f"unknown people changed {part}"
    assert len(rows_of(made.folder / "documents.jsonl")) == 22 - len(made.result.withheld)
    page = (made.folder / "report.html").read_text("utf-8")
    assert "Not measured: how safe 2 of 22 documents" in page
    assert "Not measured: how safe" not in (plain.folder / "report.html").read_text("utf-8")


def test_documents_without_a_person_column_make_a_release_whose_report_says_that_nothing_was_measured(
    village: Town, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = write(tmp_path, [{"id": d.id, "text": d.text} for d in village.documents], village)
    command = ["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(tmp_path / "out"), "--k", "3",
               "--workers", "1"]  # fmt: skip
    assert cli.run(command) == 1
    assert "no document's person is in the people table" in capfd.readouterr().err
    command += ["--unknown-person", "floor-only"]
    assert cli.run(command) == 4, "nothing was measured, so it does not go out unasked"
    assert "Not measured" in capfd.readouterr().out.splitlines()[0] and not (tmp_path / "out").exists()
    assert cli.run([*command, "--accept-risk", "a test", "--replace"]) == 0
    said = capfd.readouterr().out
    assert "Not measured: how safe this release is" in said and "attackers that" not in said
    assert (
        "what was tagged (rules.v1, entities.v1) are hidden" in said
        and f"{len(village.documents)} documents released, 0" in said
    )
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    total = len(village.documents)
    assert (report["documents"], report["not_measured"], report["audited"], report["persons"]) == (total, total, 0, 0)
    assert report["attackers"] == [] and report["any_unused"] is None and report["fused"] is None
    assert 0 < report["masked"]["rate"] < 0.3 and 0 < report["information_loss"] < 0.3
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "Not measured" in page and "what was tagged (rules.v1, entities.v1)" in page
    assert report["taggers"] == ["rules.v1", "entities.v1"]
    assert "%" in page and "nan" not in page
    assert len(rows_of(tmp_path / "out" / "documents.jsonl")) == total
    names = [(p.fields["given name"], p.fields["family name"]) for p in village.profiles]
    for row in rows_of(tmp_path / "out" / "documents.jsonl"):
        shown_words = [fold(w) for w in row["text"].split()]
        assert not any((fold(a), fold(b)) in zip(shown_words, shown_words[1:], strict=False) for a, b in names)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert manifest["settings"]["unknown_person"] == "floor-only"


def test_a_person_column_that_was_asked_for_and_is_not_there_is_an_error(village: Town, tmp_path: Path) -> None:
    paths = write(tmp_path, [{"id": "1", "text": "x"}], village)
    said = ["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(tmp_path / "out"), "--k", "3"]
    assert cli.run([*said, "--person-column", "patient"]) == 1
    assert not (tmp_path / "out").exists()
    said += ["--person-column", "patient", "--unknown-person", "floor-only", "--workers", "1"]
    assert cli.run([*said, "--accept-risk", "a test"]) == 0


def test_withheld_documents_and_bad_records_are_listed_and_end_with_3(
    village: Town, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    good = [{"id": d.id, "text": d.text, "person": d.person} for d in village.documents[:12]]
    bad = [{"id": "b0", "text": 5, "person": good[0]["person"]}, {"id": good[1]["id"], "text": "twice"}]
    paths = write(tmp_path, [good[0], bad[0], *good[1:], bad[1], {"id": "u", "text": "who"}], village)
    command = ["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(tmp_path / "out"), "--k", "3",
               "--workers", "1", "--unknown-person", "withhold", "--attackers", "facts", "--accept-risk", "x"]  # fmt: skip
    assert cli.run(command) == 1, "bad records are an error unless asked otherwise"
    assert not (tmp_path / "out").exists()
    capfd.readouterr()
    assert cli.run([*command, "--withhold-bad"]) == 3
    failures = rows_of(tmp_path / "out.private" / "failures.jsonl")
    assert [f for f in failures if f["reason"] == "bad-record"] == [
        {"id": None, "reason": "bad-record", "record": 2, "field": "text", "problem": failures[-2]["problem"]},
        {"id": None, "reason": "bad-record", "record": 14, "field": "id", "problem": failures[-1]["problem"]},
    ]
    assert {"id": "u", "reason": "unknown-person"} in failures
    report = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert report["bad_records"] == 2 and report["documents"] == 13
    assert report["withheld"]["reasons"]["unknown-person"] == 1
    assert len(rows_of(tmp_path / "out" / "documents.jsonl")) == 13 - report["withheld"]["documents"]


def test_bad_records_alone_end_with_3_and_nothing_bad_with_0(village: Town, tmp_path: Path) -> None:
    good = [{"id": d.id, "text": d.text, "person": d.person} for d in village.documents[:8]]
    for number, (rows, code) in enumerate([([*good, {"id": "b"}], 3), (good, 0)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        paths = write(folder, rows, village)
        assert cli.run(["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(folder / "out"), "--k",
                        "2", "--workers", "1", "--withhold-bad",
                        "--attackers", "facts", "--accept-risk", "x"]) == code  # fmt: skip


def test_the_report_counts_whoever_else_is_named(village: Town, tmp_path: Path) -> None:
    other = village.profiles[20].fields
    rows = [
        {"id": d.id, "text": f"{d.text}\nSeen with {other['given name']} {other['family name']}.", "person": d.person}
        for d in village.documents[:6]
    ]
    made = release(tmp_path, rows, village, settings=replace(PROTECT, k=3))
    third = made.report.as_dict()["third_parties"]
    crowds = [n for o in made.result.outcomes() for n in o.third]
    assert third["mentions"] == len(crowds) >= 6 and third["below_k"] == 0 and third["smallest"] == min(crowds) >= 3
    assert third["median"] == np.median(crowds) and third["documents"] == 6
    rows_private = rows_of(made.private / "documents.jsonl")
    assert [row["third_party_crowds"] for row in rows_private] == [list(o.third) for o in made.result.outcomes()]
    assert f"name other known people, {len(crowds)} times in all" in (made.folder / "report.html").read_text("utf-8")


def test_a_kept_column_that_nobody_has_is_refused_before_the_work(village: Town, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(release_module, "mask_all", lambda *a, **b: pytest.fail("work had begun"))
    rows = [{"id": d.id, "text": d.text, "person": d.person, "ward": "n"} for d in village.documents[:4]]
    with pytest.raises(SettingsError, match="known: ward"):
        release(tmp_path, rows, village, keep=("wart",))


def test_ids_that_are_kept_name_nobody_who_is_known(small_town: Town, townspeople: Population) -> None:
    person = small_town.profiles[3].fields
    name = f"{person['given name']}_{person['family name']}"
    keep = by_rules(k=K, ids="keep", unknown_person="floor-only")
    documents = [Document(f"{name}_1", "A quiet day."), Document("note-2", "A quiet day.")]
    made = deidentify(documents, townspeople, settings=keep, key=KEY)
    assert made.withheld == {f"{name}_1": "known-name"}


def test_a_known_name_joined_by_an_underscore_is_hidden_with_an_unknown_person(
    small_town: Town, townspeople: Population
) -> None:
    person = small_town.profiles[3].fields
    document = Document("note", f"See {person['given name']}_{person['family name']}.pdf on the desk.")
    made = deidentify([document], townspeople, settings=by_rules(k=K, unknown_person="floor-only"), key=KEY)
    assert made.texts() == ["See [MASK].pdf on the desk."]


def test_baselines_hide_passages_that_name_others_without_withholding_for_nothing(
    witnesses: tuple[list[Document], Population],
) -> None:
    for method in ("random", "idf"):
        made = deidentify(*witnesses, settings=replace(PROTECT, method=method), key=KEY)
        assert made.withheld == {} and require_others_hidden(made, K) >= 22


def test_a_long_document_of_nobody_known_takes_time_in_proportion(townspeople: Population) -> None:
    settings = dataclasses.replace(by_rules(k=K, unknown_person="floor-only"), always=["foo"])

    def made(count: int) -> None:
        deidentify([Document("long", "foo bar " * count)], townspeople, settings=settings, key=KEY)

    assert in_proportion(lambda: made(4_000), lambda: made(16_000))


def test_people_of_whom_nothing_is_said_are_recounted_too() -> None:
    people = Population(tuple(Profile(str(i), {}) for i in range(8)))
    made = deidentify([Document("d", "a quiet day", "0")], people, settings=by_rules(k=3), key=KEY)
    assert made.crowds == ({"bm25.v1": 7, "ngrams.v1": 7},) and made.recounted == 1
