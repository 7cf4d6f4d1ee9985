"""The verdict: what may go out, what not yet, what is weak evidence, and what was not measured."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from unname.auditing.report import Report, report_from
from unname.auditing.verdict import QUICK, TITLES, headline, judged
from unname.errors import SettingsError
from unname.job import AuditPlan


def figures(rate: float, high: float | None = None, n: int = 200) -> dict[str, Any]:
    return {"rate": rate, "ci": [0.0, rate + 0.02 if high is None else high], "n": n, "people": n, "known": "bounded"}


def report(**more: Any) -> Report:
    """A report of an audit by the quick set in which few are found."""
    both = {"after": figures(0.03), "before": figures(0.9)}
    nothing: dict[str, Any] = {"before": None, "after": None}
    sizes = more.pop("crowd_sizes", figures(0.01))
    persons = {"any_unused": nothing, "any_used": nothing, "fused": nothing} | more.pop("per_person", {})
    return report_from({
        "documents": 200, "persons": 200, "people": 1000, "k": 10, "any_unused": both, "fused": both,
        "crowd_sizes": sizes and sizes | {"top5": None, "top10": None, "bound": 1 / 11}, "per_person": persons,
        "withheld": {"documents": 0, "share": 0.0}, "attackers": [], "any_used": None,
        "crowds": None, "linkability": nothing, "inference": [], "information_loss": 0.1,
        "masked": {"rate": 0.1, "per_document_mean": 0.1, "words": 9, "known": "exact"}, **more,
    })  # fmt: skip


def judge(made: Report, most: float, *, tried: Sequence[str]) -> Any:
    """The headline of a report with its verdict as `result`."""
    found = judged(made, most, tried=tried)
    assert found.headline is not None
    return SimpleNamespace(
        result=found.verdict, **{name: getattr(found.headline, name) for name in found.headline.__slots__}
    )


@pytest.mark.parametrize(("k", "most"), [(1, 0.2), (9, 0.2), (10, 2 / 11), (19, 0.1), (100, 0.1)])
def test_the_largest_risk_is_twice_a_guess_within_a_crowd_from_ten_to_twenty_per_cent(k: int, most: float) -> None:
    assert AuditPlan().largest_risk(k) == pytest.approx(most)
    assert AuditPlan(max_risk=0.5).largest_risk(k) == 0.5
    for wrong in (-0.1, 1.5, float("nan")):
        with pytest.raises(SettingsError):
            AuditPlan(max_risk=wrong)


def test_a_release_of_which_few_are_found_may_go_out() -> None:
    verdict = judge(report(), 0.1, tried=QUICK)
    assert (verdict.result, verdict.risk, verdict.chance) == ("pass", 0.03, 0.001) and not verdict.why


@pytest.mark.parametrize("who", ["fused", "strongest", "strongest_without_models", "matched", "crowd_sizes"])
def test_the_worst_of_all_attackers_decides(who: str) -> None:
    worse = figures(0.3)
    verdict = judge(report(**{who: {"after": worse, "before": None} if who == "fused" else worse}), 0.1, tried=QUICK)
    assert (verdict.result, verdict.attacker.replace("-", "_"), verdict.risk) == ("fail", who, 0.3) and verdict.lower


def test_a_single_attacker_that_finds_more_than_all_combinations_is_the_headline() -> None:
    row = {"name": "x.v1", "used": False, "before": None, "after": figures(0.4)}
    verdict = judge(report(attackers=[row]), 0.1, tried=QUICK)
    assert (verdict.result, verdict.attacker, verdict.risk) == ("fail", "x.v1", 0.4)


def test_the_union_of_all_attackers_is_no_single_adversary() -> None:
    union = {"before": None, "after": figures(0.5)}
    assert judge(report(any_unused=union), 0.1, tried=QUICK).result == "pass"


def test_the_luckiest_of_blind_adversaries_stands_beside_the_chance_of_one() -> None:
    found = []
    for attackers in (0, 20):
        rows = [{"name": f"a{i}.v1", "used": False, "before": None, "after": figures(0.01)} for i in range(attackers)]
        found.append(judge(report(attackers=rows), 0.1, tried=QUICK).luckiest)
    one, many = found
    assert 0.001 < one < many < 0.03


def test_the_larger_of_documents_and_persons_decides() -> None:
    worse = {"strongest": figures(0.2), "fused": {"before": None, "after": figures(0.25)}}
    verdict = judge(report(persons=100, per_person=worse), 0.1, tried=QUICK)
    assert (verdict.result, verdict.attacker, verdict.per) == ("fail", "fused", "person")


WEAK: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "only the upper limit is above": ({"fused": {"after": figures(0.08, 0.12), "before": None}}, QUICK),
    "an upper limit of another attacker is above": ({"crowd_sizes": figures(0.0, 0.12)}, QUICK),
    "too few people": ({"persons": 49, "documents": 49}, QUICK),
    "an attacker of the quick set was left out": ({}, QUICK[1:]),
    "some documents are about nobody known": ({"not_measured": 3}, QUICK),
}


@pytest.mark.parametrize("name", WEAK)
def test_evidence_is_weak_where(name: str) -> None:
    more, tried = WEAK[name]
    verdict = judge(report(**more), 0.1, tried=tried)
    assert verdict.result == "weak" and verdict.why


def test_nobody_known_is_not_measured() -> None:
    nothing = {"any_unused": None, "fused": None, "crowd_sizes": None, "persons": 0}
    for more in ({}, {"people": 0}, {"audit": "none"}):
        verdict = judge(report(**nothing, **more), 0.1, tried=QUICK)
        assert verdict.result == "unmeasured" and verdict.risk is None and verdict.why and verdict.lower


def test_the_curve_over_k_says_which_crowd_would_do() -> None:
    points = [
        {"k": k, "masked": k / 100, "any_unused": figures(1 / k), "any_used": figures(0.0)} for k in (5, 10, 20, 50)
    ]
    verdict = judge(
        report(
            fused={"after": figures(0.3), "before": None}, curve={"points": points, "documents": 9, "attackers": []}
        ),
        0.1,
        tried=QUICK,
    )
    assert verdict.lower[0].startswith("Ask for a larger crowd: --k 20 ")
    matched = judge(
        report(matched=figures(0.3), curve={"points": points, "documents": 9, "attackers": []}), 0.1, tried=QUICK
    )
    assert matched.lower[0] == "Ask for a larger crowd: --k 100.", "the curve matches nobody one to one"


@pytest.mark.parametrize("result", TITLES)
def test_the_first_sentence_has_the_number_the_chance_and_the_limit(result: str) -> None:
    made = {
        "pass": report(), "fail": report(fused={"after": figures(0.3), "before": None}),
        "weak": report(persons=40, documents=40), "unmeasured": report(any_unused=None, fused=None, crowd_sizes=None),
    }[result]  # fmt: skip
    found = judged(made, 0.1, tried=QUICK)
    assert found.verdict == result
    said = headline(found)
    assert "10.0 %" in said and ("1 of 1000" in said or result == "unmeasured")


def test_of_few_people_not_even_the_headline_names_a_single_attacker() -> None:
    row = {"name": "x.v1", "used": False, "before": None, "after": figures(0.4)}
    found = judged(report(attackers=[row], persons=40, documents=40), 0.1, tried=QUICK)
    public = found.public()
    assert found.headline and found.headline.attacker == "x.v1"
    assert public.headline and public.headline.attacker == "single" and not public.attackers
    assert "A single attacker finds" in headline(public)
    assert judged(report(), 0.1, tried=QUICK).public().headline == judged(report(), 0.1, tried=QUICK).headline
