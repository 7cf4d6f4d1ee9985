"""A dry run: what a release would do and cost, and nothing written at all."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from made_settings import by_rules

from unname.apps import cli
from unname.errors import InputError, SettingsError
from unname.inputs.files import Inputs
from unname.job import AuditPlan, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.protecting.parts import make_parts
from unname.runtime import Runtime
from unname.types import Document
from unname.verbs.deidentify import estimate as module
from unname.verbs.deidentify.estimate import Costs, estimate
from unname.verbs.deidentify.files import estimate_files
from unname.verbs.deidentify.in_memory import deidentify

SETTINGS = by_rules(k=4)


def listing(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every path below a folder, itself included, with size and times of change."""
    return {str(p): ((s := p.stat()).st_size, s.st_mtime_ns, s.st_ctime_ns) for p in [folder, *folder.rglob("*")]}


def write(folder: Path, town: Town, more: list[dict[str, Any]] = []) -> tuple[Path, Path]:  # noqa: B006
    rows = [{"id": d.id, "text": d.text, "person": d.person, "ward": "n"} for d in town.documents] + more
    paths = folder / "d.jsonl", folder / "p.jsonl"
    paths[0].write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    people = [{"id": p.id, "fields": dict(p.fields)} for p in town.profiles]
    paths[1].write_text("".join(json.dumps(row) + "\n" for row in people), "utf-8")
    return paths


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town(people=20, seed=17)


def test_a_dry_run_writes_nothing_and_says_so(
    town: Town, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    paths = write(tmp_path, town)
    before = listing(tmp_path)
    command = ["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(tmp_path / "deep" / "out"),
               "--k", "3", "--dry-run"]  # fmt: skip
    assert cli.run(command) == 0
    assert listing(tmp_path) == before
    said = capfd.readouterr().out
    assert f"{len(town.documents)} documents about 20 people; 20 people in the population" in said
    assert "nothing was written" in said and "words to hide" in said


def test_a_dry_run_without_a_table_says_that_it_estimates_nothing(
    town: Town, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    documents, _ = write(tmp_path, town)
    assert cli.run(["deidentify", str(documents), "--out", str(tmp_path / "out"), "--dry-run"]) == 0
    assert "words to hide  not estimated: there is no table of people" in capfd.readouterr().out


@pytest.mark.parametrize("option", [["--keep", "ward"], ["--keep", "ward", "--key", "KEY"], ["--attacker-people",
                                    "PEOPLE"], ["--sensitive", "occupation"], ["--audit-sample", "5"]], ids=str)  # fmt: skip
def test_a_dry_run_takes_the_options_of_the_run(town: Town, tmp_path: Path, option: list[str]) -> None:
    paths = write(tmp_path, town)
    (tmp_path / "key").write_text("ab" * 32, encoding="ascii")
    (tmp_path / "key").chmod(0o600)
    named = {"KEY": str(tmp_path / "key"), "PEOPLE": str(paths[1])}
    before = listing(tmp_path)
    command = ["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(tmp_path / "out"), "--k", "3"]
    assert cli.run([*command, *(named.get(o, o) for o in option), "--dry-run"]) == 0
    assert listing(tmp_path) == before


def test_bad_input_fails_a_dry_run_as_it_would_the_run(
    town: Town, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    paths = write(tmp_path, town, [{"id": "bad"}])
    unread = tmp_path / "unread.jsonl"
    unread.write_text('{"fields": {}}\n', "utf-8")
    before = listing(tmp_path)
    command = ["deidentify", str(paths[0]), "--people", str(paths[1]), "--out", str(tmp_path / "out"), "--dry-run"]
    assert cli.run([*command, "--k", "3"]) == 1
    assert f"record {len(town.documents) + 1}: field 'text'" in capfd.readouterr().err
    assert cli.run([*command, "--k", "20", "--withhold-bad"]) == 1, "a crowd that cannot be"
    assert cli.run([*command, "--k", "3", "--withhold-bad", "--keep", "nosuch"]) == 2
    assert cli.run([*command, "--k", "3", "--withhold-bad", "--method", "nosuch"]) == 2
    assert cli.run([*command, "--k", "3", "--withhold-bad", "--attackers", "nosuch"]) == 2
    assert cli.run([*command, "--k", "3", "--withhold-bad", "--sensitive", "nosuch"]) == 2
    assert cli.run([*command, "--k", "3", "--withhold-bad", "--attacker-people", str(unread)]) == 1
    assert cli.run([*command, "--k", "3", "--withhold-bad"]) == 0
    assert "1 bad records passed over" in capfd.readouterr().out
    assert listing(tmp_path) == before


def test_an_unknown_person_fails_a_dry_run_as_it_would_the_run(town: Town, tmp_path: Path) -> None:
    paths = write(tmp_path, town, [{"id": "u", "text": "x", "person": "nobody"}])
    with pytest.raises(InputError, match=f"record {len(town.documents) + 1}"):
        estimate_files(make_job(*paths, Path("unused"), masking=by_rules(k=3)))
    found, _ = estimate_files(make_job(*paths, Path("unused"), masking=by_rules(k=3, unknown_person="withhold")))
    assert found.unknown == 1 and found.documents == len(town.documents) + 1 and found.persons == 20


def test_figures_are_those_of_the_run_where_everybody_is_in_the_sample(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same key, for the crowd each document is to reach comes from it."""
    monkeypatch.setattr(module, "SAMPLE_PEOPLE", 1000)
    monkeypatch.setattr(module, "new_key", lambda: b"e" * 32)
    documents = small_town.documents[:60]
    result = deidentify(documents, townspeople, settings=SETTINGS, key=b"e" * 32)
    found = estimate(Inputs(documents, (), townspeople), make_parts(SETTINGS))
    outcomes = list(result.outcomes())
    assert found.masked == pytest.approx(sum(o.hidden_words for o in outcomes) / sum(o.words for o in outcomes))
    assert found.withheld.value == len(result.withheld) / 60
    assert (found.documents, found.sampled, found.people) == (60, 60, 120)
    assert found.index_bytes > 0 and found.costs.index_s > 0 and found.costs.mask_s > 0


def test_a_sample_comes_close_to_the_true_run_and_its_interval_says_how_close(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents = small_town.documents[:150]
    result = deidentify(documents, townspeople, settings=SETTINGS, key=b"e" * 32)
    outcomes = list(result.outcomes())
    truth = sum(o.hidden_words for o in outcomes) / sum(o.words for o in outcomes)
    monkeypatch.setattr(module, "SAMPLE_PEOPLE", 25)
    held = 0
    for seed in range(8):
        found = estimate(Inputs(documents, (), townspeople), make_parts(replace(SETTINGS, seed=seed)))
        low, high = found.masked_ci
        assert abs(found.masked - truth) < 0.08 and high - low < 0.2
        assert 25 <= found.sampled < 75
        held += low <= truth <= high
    assert held >= 6


def test_time_is_reckoned_for_all_documents_and_shared_among_workers(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("perf_counter", "process_time"):
        clock = iter(float(t) for t in range(100))
        monkeypatch.setattr(module.time, name, lambda clock=clock: next(clock))
    monkeypatch.setattr(module, "SAMPLE_PEOPLE", 4)
    documents = small_town.documents[:40]
    one = estimate(Inputs(documents, (), townspeople), make_parts(SETTINGS))
    four = estimate(Inputs(documents, (), townspeople), make_parts(SETTINGS), runtime=Runtime(4))
    assert one.costs.index_s == 1 and one.costs.mask_s == pytest.approx(40 / one.sampled, abs=1e-3)
    assert four.costs.mask_s == pytest.approx(one.costs.mask_s / 4, abs=1e-3)


def test_who_waits_for_lists_to_be_loaded_is_not_counted(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([0.0, 1000.0, 1003.0])
    monkeypatch.setattr(module.time, "process_time", lambda: next(clock))
    monkeypatch.setattr(module, "SAMPLE_PEOPLE", 10)
    found = estimate(Inputs(small_town.documents[:40], (), townspeople), make_parts(SETTINGS))
    assert 0 < found.costs.each_s < 3 / 6


@pytest.mark.usefixtures("few_steps")
def test_nobody_of_the_sample_is_hidden_from_what_their_own_documents_taught(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such members know people by heart: the sample lost four times as many words as the run."""
    taught, asked = set[str | None](), set[str | None]()
    make, mask = module.make_masker, module.hide

    def making(population: Population, parts: Any, groups: Any, **more: Any) -> Any:
        taught.update(document.person for group in groups for document in group)
        return make(population, parts, groups, **more)

    def hiding(masker: Any, person: Any) -> Any:
        asked.update(document.person for document in person.documents)
        return mask(masker, person)

    monkeypatch.setattr(module, "make_masker", making)
    monkeypatch.setattr(module, "hide", hiding)
    found = estimate(
        Inputs(small_town.documents, (), townspeople), make_parts(replace(SETTINGS, reidentifiers=("static",)))
    )
    assert len(taught) > 10 and len(asked) > 10 and found.sampled > 10
    assert not taught & asked


def test_more_rounds_more_attackers_and_more_documents_to_try_take_longer() -> None:
    costs = Costs(index_s=2.0, each_s=0.1, documents=400, team=400, taught=True, halves=False)
    full, quick, few, none = AuditPlan(), AuditPlan(audit="quick"), AuditPlan(sample=300), AuditPlan(audit="none")
    seconds = [costs.together_s(rounds, full) for rounds in (None, 0, 1, 2)]
    assert seconds == sorted(seconds) and len(set(seconds)) == 4
    assert costs.audit_s(none) == 0 < costs.audit_s(quick) < costs.audit_s(few) < costs.audit_s(full)
    assert costs.together_s(None, none) > costs.index_s + costs.mask_s
    untaught = replace(costs, taught=False)
    assert untaught.rounds_s(1) < costs.rounds_s(1) < replace(costs, halves=True).rounds_s(1)


def test_nobody_to_sample_is_no_error(townspeople: Population) -> None:
    found = estimate(Inputs([Document("d", "x", None)], (), townspeople), make_parts(SETTINGS))
    assert (found.sampled, found.persons, found.unknown, found.masked_ci) == (0, 0, 1, (0.0, 1.0))
    assert found.withheld.n == 0 and json.dumps(found.as_dict(), allow_nan=False)


def test_names_that_stand_for_nothing_are_refused(town: Town, tmp_path: Path) -> None:
    with pytest.raises(SettingsError):
        estimate_files(make_job(*write(tmp_path, town), Path("unused"), masking=by_rules(k=3, transform="nosuch")))
