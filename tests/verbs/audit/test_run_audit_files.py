"""`audit`, `reidentify` and the curve over k: any tool's release, judged from files or in memory."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from made_settings import by_rules

from unname.attacking.attackers import AttackerRequest, fit_attackers
from unname.auditing.utility import cost, hidden_words
from unname.errors import InputError, SettingsError
from unname.job import AuditPlan, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.masking.base import Case
from unname.masking.search import Greedy
from unname.reidentifiers.ensemble import build_ensemble
from unname.reidentifiers.terms.bm25 import Bm25
from unname.statistics import credit
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, Profile
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.in_memory import Knowledge, audit, prepare, resolve_attackers
from unname.verbs.audit.options import make_audit_job
from unname.verbs.audit.placeholders import normal_placeholders, numbers_apart
from unname.verbs.deidentify.curve import GRID, Hiding, Tried, curve_over_k
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.verbs.reidentify.run import reidentify

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

ATTACKERS = ("bm25", "names")


def write_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A JSONL file."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def town() -> Town:
    """Thirty people."""
    return fictional_town(people=30, seed=4)


@pytest.fixture(scope="module")
def files(town: Town, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A folder, and in it documents and people."""
    folder = tmp_path_factory.mktemp("files")
    documents = [{"id": d.id, "person": d.person, "text": d.text} for d in town.documents]
    people = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    return folder, write_rows(folder / "documents.jsonl", documents), write_rows(folder / "people.jsonl", people)


@pytest.fixture(scope="module")
def own(files: tuple[Path, Path, Path]) -> Released:
    """Our own release of them, in which a tight budget makes some documents stay behind."""
    folder, documents, people = files
    settings = by_rules(k=4, budget=0.08)
    return deidentify_files(
        make_job(documents, people, folder / "out", accept_risk="a test", masking=settings, attackers=ATTACKERS)
    )


# --- our own release


def test_an_audit_of_our_release_through_its_private_folder_says_what_the_release_said(
    files: tuple[Path, Path, Path], own: Released, tmp_path: Path
) -> None:
    _, documents, people = files
    found = audit_files(
        make_audit_job(own.folder, documents, people, tmp_path / "audit", private=own.private, attackers=ATTACKERS)
    ).as_dict()
    said = own.report.as_dict()
    assert said["withheld"]["documents"] > 0, "some are withheld, which must count the same"
    for name in ("masked", "information_loss", "kinds", "k", "documents", "people", "persons", "crowds", "attackers",
                 "any_unused", "any_used", "crowd_sizes", "fused", "per_person", "linkability", "inference"):  # fmt: skip
        assert json.loads(json.dumps(found[name])) == json.loads(json.dumps(said[name])), name
    assert found["withheld"]["documents"] == said["withheld"]["documents"]
    assert json.loads((tmp_path / "audit" / "report.json").read_text(encoding="utf-8")) == found
    assert (tmp_path / "audit" / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_keyed_ids_without_the_private_folder_are_an_error_that_says_what_to_do(
    files: tuple[Path, Path, Path], own: Released, tmp_path: Path
) -> None:
    _, documents, people = files
    with pytest.raises(InputError, match="--private"):
        audit_files(make_audit_job(own.folder, documents, people, tmp_path / "audit", attackers=ATTACKERS)).as_dict()
    assert not (tmp_path / "audit").exists()


@pytest.mark.parametrize("content", ["{", "[]", "{}", '{"settings": 3}', '{"settings": {"k": "x"}}'])
def test_a_damaged_manifest_is_an_error(files: tuple[Path, Path, Path], tmp_path: Path, content: str) -> None:
    _, documents, people = files
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    released = tmp_path / "documents.jsonl"
    released.write_bytes(documents.read_bytes())
    with pytest.raises(InputError, match=r"manifest\.json"):
        audit_files(make_audit_job(released, documents, people, tmp_path / "audit", attackers=ATTACKERS)).as_dict()


# --- a stranger's release


def foreign(text: str) -> str:
    """What another tool made: every word with a capital or a figure is starred."""
    return re.sub(r"\b\w*[A-Z0-9]\w*\b", "***", text)


def test_a_foreign_release_with_its_own_placeholder_is_audited_by_alignment(
    files: tuple[Path, Path, Path], town: Town, tmp_path: Path
) -> None:
    _, documents, people = files
    released = write_rows(tmp_path / "r.jsonl", [{"id": d.id, "text": foreign(d.text)} for d in town.documents])
    found = audit_files(
        make_audit_job(
            released, documents, people, tmp_path / "audit", attackers=ATTACKERS, mask_pattern=r"\*\*\*", k=4
        )
    ).as_dict()
    hidden = sum(len(re.findall(r"\b\w*[A-Z0-9]\w*\b", d.text)) for d in town.documents)
    total = sum(len(re.findall(r"\w+", d.text)) for d in town.documents)
    assert found["masked"]["words"] == total
    assert found["masked"]["rate"] == pytest.approx(hidden / total)
    assert found["masked"]["known"] == "heuristic" and "kinds" not in found
    assert [a["used"] for a in found["attackers"]] == [False, False] and found["any_used"] is None
    assert found["withheld"] == {"documents": 0, "share": 0.0, "reread": 0} and found["k"] == 4


def test_a_mask_pattern_makes_a_foreign_token_as_empty_as_ours(town: Town) -> None:
    population = Population(town.profiles)
    prepared = prepare(town.documents, population, plan=AuditPlan(attackers=("bm25", "pairs")))
    ours = [re.sub(r"\b\w*[A-Z0-9]\w*\b", "[MASK]", d.text) for d in town.documents]
    theirs = [re.sub(r"\b\w*[A-Z0-9]\w*\b", "<HIDDEN word>", d.text) for d in town.documents]
    plain = audit(prepared, ours).report.as_dict()
    normal = audit(prepared, theirs, mask_pattern="<HIDDEN word>").report.as_dict()
    raw = audit(prepared, theirs).report.as_dict()
    assert normal == plain
    assert raw["information_loss"] != plain["information_loss"]
    with pytest.raises(SettingsError, match="regular expression"):
        audit(prepared, theirs, mask_pattern="***")


def test_originals_that_a_release_does_not_hold_count_as_withheld(
    files: tuple[Path, Path, Path], town: Town, tmp_path: Path
) -> None:
    _, documents, people = files
    released = write_rows(tmp_path / "r.jsonl", [{"id": d.id, "text": d.text} for d in town.documents[::2]])
    found = audit_files(
        make_audit_job(released, documents, people, tmp_path / "audit", attackers=("bm25",), used=("bm25",), k=4)
    ).as_dict()
    count = len(town.documents)
    missing = count - len(town.documents[::2])
    assert found["withheld"]["documents"] == missing and found["withheld"]["share"] == missing / count
    gone = sum(len(re.findall(r"\w+", d.text)) for d in town.documents[1::2])
    assert found["masked"]["rate"] == pytest.approx(gone / found["masked"]["words"])
    assert sum(found["crowds"]["counts"]) == count - missing
    index = Bm25().fit(town.profiles).index(town.profiles)
    rows = Population(town.profiles).rows
    credits = [credit(index.scores(d.text), rows[str(d.person)]) for d in town.documents[::2]]
    assert found["attackers"][0]["after"]["rate"] == pytest.approx(sum(credits) / count, abs=1e-6)


def test_a_released_document_without_an_original_is_an_error(files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    _, documents, people = files
    known = json.loads(documents.read_text(encoding="utf-8").splitlines()[0])["id"]
    released = write_rows(tmp_path / "r.jsonl", [{"id": known, "text": "x"}, {"id": "stranger", "text": "x"}])
    with pytest.raises(InputError, match="1 released documents have no original of that id, record 2 the first"):
        audit_files(make_audit_job(released, documents, people, tmp_path / "audit", attackers=("bm25",))).as_dict()


def test_a_release_identical_to_the_original_costs_nothing_and_protects_nobody(town: Town) -> None:
    prepared = prepare(town.documents, Population(town.profiles), plan=AuditPlan(attackers=ATTACKERS))
    found = audit(prepared, [d.text for d in town.documents]).report.as_dict()
    assert found["masked"]["rate"] == found["information_loss"] == 0
    for a in found["attackers"]:
        assert a["before"] == a["after"]
    assert found["any_unused"]["before"] == found["any_unused"]["after"]
    assert found["linkability"]["before"] == found["linkability"]["after"]


def test_a_release_of_another_length_is_an_error(town: Town) -> None:
    prepared = prepare(town.documents, Population(town.profiles), plan=AuditPlan(attackers=("bm25",)))
    with pytest.raises(InputError):
        audit(prepared, ["x"])


def test_masked_words_are_counted_from_masks_where_they_are_known(town: Town) -> None:
    documents = town.documents[:20]
    prepared = prepare(documents, Population(town.profiles), plan=AuditPlan(attackers=("bm25",)))
    masks = [Mask(d.id, (MaskSpan(0, len(d.text) // 2, "x"),)) for d in documents]
    texts: list[str | None] = [Redact().release(d, m).text for d, m in zip(documents, masks, strict=True)]
    texts[3] = None
    found = audit(prepared, texts, masks=masks).report.as_dict()["masked"]
    pairs = [hidden_words(d, m) for d, m in zip(documents, masks, strict=True)]
    pairs[3] = (pairs[3][1], pairs[3][1])
    assert found["rate"] == pytest.approx(sum(h for h, _ in pairs) / sum(t for _, t in pairs))
    assert found["per_document_mean"] == pytest.approx(np.mean([h / t for h, t in pairs]))
    assert found["known"] == "exact"


def test_all_attackers_means_every_registered_one() -> None:
    names = resolve_attackers(("all",))
    assert set(names) >= {"bm25.v1", "ngrams.v1", "translation.v1"} and names == tuple(sorted(names))
    assert resolve_attackers(("bm25",)) == ("bm25.v1",)
    with pytest.raises(SettingsError):
        resolve_attackers(("nosuch",))


def test_attackers_that_served_are_in_the_audit_even_if_not_asked_for(town: Town) -> None:
    prepared = prepare(
        town.documents[:8],
        Population(town.profiles),
        plan=AuditPlan(attackers=("names",)),
        knowledge=Knowledge(used=("bm25",)),
    )
    assert {a.name: a.used for a in prepared.attackers} == {"names.v1": False, "bm25.v1": True}


# --- the curve over k


def plain_curve(*given: Any) -> dict[str, Any]:
    """The curve of the plain search as the report's file has it."""
    found: dict[str, Any] = json.loads(
        msgspec.json.encode(curve_over_k(*given[:2], Hiding(given[2], Greedy()), Tried(given[3])))
    )
    return found


def test_the_curve_shows_more_words_masked_for_larger_k_and_says_who_was_tried(town: Town) -> None:
    population = Population(town.profiles)
    ensemble = build_ensemble(("bm25",), population.profiles)
    attackers = fit_attackers(AttackerRequest(("bm25.v1", "names.v1"), ("bm25.v1",)), population)
    found = plain_curve(town.documents, population, ensemble, attackers)
    points = found["points"]
    assert [p["k"] for p in points] == [k for k in GRID if k < 30]
    masked = [p["masked"] for p in points]
    assert masked == sorted(masked) and masked[0] > 0 and masked[-1] > 2 * masked[0]
    assert found["documents"] == 30 == points[0]["any_used"]["n"]
    assert all(p["any_used"]["rate"] <= 1 / (p["k"] + 1) + 1e-6 for p in points), "a tie of k + 1 counts 1/(k + 1)"
    assert found["attackers"] == ["bm25.v1", "names.v1"]


def test_points_of_the_curve_are_those_of_a_search_run_for_that_k_alone(town: Town) -> None:
    population = Population(town.profiles)
    ensemble = build_ensemble(("bm25", "ngrams"), population.profiles)
    found = plain_curve(town.documents[:10], population, ensemble, [])
    first: dict[str | None, Document] = {}
    for document in town.documents[:10]:
        first.setdefault(document.person, document)
    assert [p["k"] for p in found["points"]] == [k for k in GRID if k < 30]
    for point in found["points"]:
        hidden = total = 0
        for document in first.values():
            column = population.rows[str(document.person)]
            k = point["k"]
            case = Case((document,), population.profiles[column], column, ensemble.additive(), (k,), k)
            h, t = hidden_words(document, Greedy().mask(case)[0])
            hidden, total = hidden + h, total + t
        assert point["masked"] == pytest.approx(hidden / total)


def test_a_curve_without_unseen_attackers_leaves_them_unmeasured_and_not_at_none_found(town: Town) -> None:
    population = Population(town.profiles)
    ensemble = build_ensemble(("bm25",), population.profiles)
    attackers = fit_attackers(AttackerRequest(("bm25.v1",), ("bm25.v1",)), population)
    found = plain_curve(town.documents[:6], population, ensemble, attackers)
    assert [p["k"] for p in found["points"]] == [k for k in GRID if k < 30]
    assert all(p["any_unused"]["n"] == 0 and p["any_unused"]["rate"] is None for p in found["points"])
    assert all(p["any_used"]["n"] > 0 for p in found["points"])
    json.dumps(found, allow_nan=False)


def test_the_curve_of_a_release_hides_at_its_k_what_the_release_hides(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """Direct identifiers and a user's lists count at every k; rounds, which come after, do not."""
    _, documents, people = files
    rows = [json.loads(line) for line in documents.read_text(encoding="utf-8").splitlines()]
    alone = write_rows(tmp_path / "documents.jsonl", list({row["person"]: row for row in reversed(rows)}.values()))
    (tmp_path / "always").write_text("the\n/was|were/\n", encoding="utf-8")
    (tmp_path / "never").write_text("and\n", encoding="utf-8")
    settings = by_rules(method="composed", k=10, reidentifiers=("bm25",), keyed_target=False)
    for name, lists in (
        ("plain", {}),
        ("listed", {"always": tmp_path / "always", "never": tmp_path / "never"}),
    ):
        report = deidentify_files(
            make_job(
                alone, people, tmp_path / name, accept_risk="a test", masking=settings, attackers=("bm25",), **lists
            )
        ).report.as_dict()
        (point,) = (p for p in report["curve"]["points"] if p["k"] == 10)
        assert report["withheld"]["documents"] == 0
        assert point["masked"] == pytest.approx(report["masked"]["rate"]), name


# --- reidentify


def test_reidentify_ranks_everybody_and_counts_the_crowd(town: Town) -> None:
    population = Population(town.profiles)
    index = Bm25().fit(town.profiles).index(town.profiles)
    rows = list(reidentify(town.documents[:12], population, reidentifiers=("bm25",), top=3))
    assert [row["id"] for row in rows] == [d.id for d in town.documents[:12]]
    for row, document in zip(rows, town.documents, strict=False):
        scores = index.scores(document.text).tolist()
        own = scores[population.rows[str(document.person)]]
        found = row["by"]["bm25.v1"]
        assert found["rank"] == 1 + sum(s > own for s in scores)
        assert found["crowd"] == sum(s >= own for s in scores) - 1
        order = sorted(range(30), key=lambda i: (-scores[i], i))[:3]
        assert [person for person, _ in found["top"]] == [town.profiles[i].id for i in order]
        assert [s for _, s in found["top"]] == [round(scores[i] / 2**20, 6) for i in order]
    assert any(row["by"]["bm25.v1"]["rank"] == 1 for row in rows)


@pytest.mark.parametrize("person", [None, "stranger"])
def test_a_document_about_nobody_known_has_guesses_but_no_rank(town: Town, person: str | None) -> None:
    from dataclasses import replace

    profiles = (replace(town.profiles[0], id="None"), *town.profiles[1:])
    (row,) = reidentify([Document("d", "a nurse of Quillbeck", person)], Population(profiles))
    for found in row["by"].values():
        assert found["rank"] is None and found["crowd"] is None and len(found["top"]) == 10


def test_a_mask_pattern_that_matches_nothing_at_all_is_refused() -> None:
    with pytest.raises(SettingsError, match="empty string"):
        normal_placeholders("some text", "x*")
    with pytest.raises(SettingsError, match="valid regular expression"):
        normal_placeholders("some text", "(")


def test_a_number_within_brackets_is_read() -> None:
    for text, read in [
        ("She is [AGE 87].", "She is [AGE] 87."),
        ("[A_B 3][A 3]", "[A_B] 3[A] 3"),
        ("[PERSON 1] met [PERSON 2]", "[PERSON] 1 met [PERSON] 2"),
        (None, None), ("", ""), ("[NAME] [87] [x 87]", "[NAME] [87] [x 87]"),
    ]:  # fmt: skip
        assert numbers_apart(text) == read


def test_an_audit_reads_numbers_that_another_tool_left_in_brackets() -> None:
    people = Population(tuple(Profile(str(i), {"trade": "smith", "age": str(20 + i)}) for i in range(30)))
    originals = [Document(str(i), f"A smith, {20 + i} years old.", str(i)) for i in range(30)]
    prepared = prepare(originals, people, plan=AuditPlan(attackers=("bm25",)))
    found = audit(prepared, [f"A smith, [AGE {20 + i}] years old." for i in range(30)])
    assert list(found.attack.documents["bm25.v1"].top1) == [1.0] * 30


def test_a_release_that_withholds_everything_has_lost_nearly_all_information(small_town: Town) -> None:
    originals = small_town.documents[:20]
    paid = cost(originals, [None] * len(originals), None)
    assert paid["masked"].rate == 1
    assert paid["information_loss"] > 0.99


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000, b"\xff\xfe", b"[]", b"{}", b'{"settings": 3}', b'{"settings": {"k": 1e999}}',
        b'{"settings": {"k": -1}}', b'{"settings": {"k": "10"}}', b'{"settings": {"reidentifiers": "bm25"}}',
        b'{"settings": {"reidentifiers": ["nosuch.v1"]}}', b'{"settings": {"reidentifiers": [3]}}',
        b'{"settings": {}, "files": [1]}', b'{"settings": {}, "files": {"documents.jsonl": {}}}', b"null",
    ],
)  # fmt: skip
def test_a_hostile_manifest_is_a_clear_error(content: bytes, tmp_path: Path) -> None:
    from unname.verbs.audit.files import _settings_beside

    (tmp_path / "manifest.json").write_bytes(content)
    with pytest.raises(InputError, match=r"manifest\.json beside the release is damaged"):
        _settings_beside(tmp_path)
