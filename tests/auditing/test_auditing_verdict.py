"""The verdict: what may go out, what not yet, what is weak evidence, and what was not measured."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

from unname.attacking.choice import needed, quick
from unname.auditing.page import in_short, render
from unname.auditing.report import Report
from unname.auditing.report_file import report_from
from unname.auditing.verdict import ENOUGH_READ, TITLES, fewer_people, headline, judged, of_the_table
from unname.errors import SettingsError
from unname.job import AuditPlan

NEEDED, QUICK = needed(), quick()


def figures(rate: float, high: float | None = None, n: int = 200) -> dict[str, Any]:
    return {"rate": rate, "ci": [0.0, rate + 0.02 if high is None else high], "n": n, "people": n, "known": "bounded"}


def report(**more: Any) -> Report:
    """A report of an audit in which few are found."""
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
    verdict = judge(report(), 0.1, tried=NEEDED)
    assert (verdict.result, verdict.risk, verdict.chance) == ("pass", 0.03, 0.001) and not verdict.why


def test_who_is_found_all_the_same_reads_how_to_try_all_attackers() -> None:
    worse = report(fused={"before": None, "after": figures(0.3)})
    for tried, advised in ((QUICK, True), (NEEDED, False)):
        assert any("--audit full" in line for line in judge(worse, 0.1, tried=tried).lower) == advised


@pytest.mark.parametrize("who", ["fused", "strongest", "strongest_without_models", "matched", "crowd_sizes"])
def test_the_worst_of_all_attackers_decides(who: str) -> None:
    worse = figures(0.3)
    verdict = judge(report(**{who: {"after": worse, "before": None} if who == "fused" else worse}), 0.1, tried=NEEDED)
    assert (verdict.result, verdict.attacker.replace("-", "_"), verdict.risk) == ("fail", who, 0.3) and verdict.lower


def test_who_holds_the_private_models_does_not_decide() -> None:
    """They learned under the key, and lie beside it."""
    joined = [{"name": name, "per": "document", "after": figures(rate)}
              for name, rate in (("strongest", 0.4), ("strongest-without-models", 0.05))]  # fmt: skip
    previous = {"releases": 1, "documents": 200, "any_unused": None, "any_used": None, "below_k": None, "attackers": [],
                "fused": {"after": figures(0.03), "union": figures(0.04)}, "words_only_in_previous": 3,
                "joined": joined}  # fmt: skip
    both = {"strongest": figures(0.4), "strongest_without_models": figures(0.06)}
    for more in (both, {"per_person": both, "persons": 150}, {"previous": previous}):
        assert judge(report(**more), 0.1, tried=NEEDED).result == "pass"
    alone = judge(report(strongest=figures(0.4)), 0.1, tried=NEEDED)
    assert (alone.result, alone.attacker) == ("fail", "strongest")
    said = " ".join(in_short(report(**both)))
    assert "6.0 %" in said and "gets hold of the models" in said and "40.0 %" in said


@pytest.mark.parametrize("who", ["difference", "single", "fused", "strongest", "matched"])
@pytest.mark.parametrize("per", ["document", "person"])
def test_who_reads_earlier_releases_beside_this_one_decides_too(who: str, per: str) -> None:
    found = {"after": figures(0.03), "union": figures(0.04)}
    previous = {"releases": 1, "documents": 200, "any_unused": None, "any_used": None, "fused": found, "below_k": None,
                "words_only_in_previous": 3, "attackers": [],
                "joined": [{"name": who, "per": per, "after": figures(0.3)}]}  # fmt: skip
    made = report(previous=previous)
    verdict = judge(made, 0.1, tried=NEEDED)
    assert (verdict.result, verdict.attacker, verdict.per, verdict.risk) == ("fail", f"versions-{who}", per, 0.3)
    assert any("--after" in line for line in verdict.lower), "what would lower it"
    assert "one release" in headline(judged(made, 0.1, tried=NEEDED)) or "earlier" in headline(
        judged(made, 0.1, tried=NEEDED)
    )
    few = judged(report(previous=previous, persons=20), 0.1, tried=NEEDED).public()
    assert who not in ("difference", "single") or not few.previous.joined, "of few people no single attacker"
    assert (
        few.headline.attacker.replace("single", "difference") != "versions-difference"
        or "single" in few.headline.attacker
    )


def test_a_single_attacker_that_finds_more_than_all_combinations_is_the_headline() -> None:
    row = {"name": "x.v1", "used": False, "before": None, "after": figures(0.4)}
    verdict = judge(report(attackers=[row]), 0.1, tried=NEEDED)
    assert (verdict.result, verdict.attacker, verdict.risk) == ("fail", "x.v1", 0.4)


def test_the_union_of_all_attackers_is_no_single_adversary() -> None:
    union = {"before": None, "after": figures(0.5)}
    assert judge(report(any_unused=union), 0.1, tried=NEEDED).result == "pass"


def test_the_luckiest_of_blind_adversaries_stands_beside_the_chance_of_one() -> None:
    found = []
    for attackers in (0, 20):
        rows = [{"name": f"a{i}.v1", "used": False, "before": None, "after": figures(0.01)} for i in range(attackers)]
        found.append(judge(report(attackers=rows), 0.1, tried=NEEDED).luckiest)
    one, many = found
    assert 0.001 < one < many < 0.03


def test_the_larger_of_documents_and_persons_decides() -> None:
    worse = {"strongest": figures(0.2), "fused": {"before": None, "after": figures(0.25)}}
    verdict = judge(report(persons=100, per_person=worse), 0.1, tried=NEEDED)
    assert (verdict.result, verdict.attacker, verdict.per) == ("fail", "fused", "person")


WEAK: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "only the upper limit is above": ({"fused": {"after": figures(0.08, 0.12), "before": None}}, NEEDED),
    "an upper limit of another attacker is above": ({"crowd_sizes": figures(0.0, 0.12)}, NEEDED),
    "too few people": ({"persons": 49, "documents": 49}, NEEDED),
    "an attacker that is needed was left out": ({}, NEEDED[1:]),
    "the audit was quick": ({"audit": "quick"}, QUICK),
    "some documents are about nobody known": ({"not_measured": 3}, NEEDED),
}


@pytest.mark.parametrize("name", WEAK)
def test_evidence_is_weak_where(name: str) -> None:
    more, tried = WEAK[name]
    verdict = judge(report(**more), 0.1, tried=tried)
    assert verdict.result == "weak" and verdict.why


def test_evidence_is_weak_without_who_combines_all_attackers() -> None:
    found = judged(report(), 0.1, tried=NEEDED, strongest=False)
    assert found.verdict == "weak" and "strongest" in str(found.headline)


def test_evidence_is_weak_where_an_attacker_cannot_be_used_and_the_verdict_says_why() -> None:
    made = report(not_usable={"infilling": "pip install what-it-needs"})
    found = judged(made, 0.1, tried=[name for name in NEEDED if name != "infilling"])
    assert found.verdict == "weak" and found.headline is not None
    assert [line for line in found.headline.why if "infilling" in line]
    assert "what-it-needs" not in str(found.public().as_dict()) and "what-it-needs" in str(found.as_dict())
    assert not any("--audit full" in line for line in found.headline.lower), "that would not help"
    assert "infilling" in render(found)
    worse = judged(report(not_usable=made.not_usable, fused={"before": None, "after": figures(0.3)}), 0.1, tried=NEEDED)
    assert worse.verdict == "fail" and any("infilling" in line for line in worse.headline.why if worse.headline)


def test_nobody_known_is_not_measured() -> None:
    nothing = {"any_unused": None, "fused": None, "crowd_sizes": None, "persons": 0}
    for more in ({}, {"people": 0}, {"audit": "none"}):
        verdict = judge(report(**nothing, **more), 0.1, tried=NEEDED)
        assert verdict.result == "unmeasured" and verdict.risk is None and verdict.why and verdict.lower


def test_the_curve_over_k_says_which_crowd_would_do() -> None:
    points = [
        {"k": k, "masked": k / 100, "any_unused": figures(1 / k), "any_used": figures(0.0)} for k in (5, 10, 20, 50)
    ]
    curve = {"points": points, "documents": 9, "attackers": []}
    worse = {"fused": {"after": figures(0.3), "before": None}, "curve": curve, "method": "adaptive.v1"}
    verdict = judge(report(**worse), 0.1, tried=NEEDED)
    assert verdict.lower[0].startswith("Ask for a larger crowd: --k 20 ")
    matched = judge(report(matched=figures(0.3), curve=curve, method="adaptive.v1"), 0.1, tried=NEEDED)
    assert matched.lower[0] == "Ask for a larger crowd: --k 100.", "the curve matches nobody one to one"


def test_a_larger_crowd_is_advised_where_enough_people_are_known_and_the_mask_is_ours() -> None:
    worse = {"fused": {"after": figures(0.3), "before": None}}
    ours = judge(report(**worse, method="adaptive.v1"), 0.1, tried=NEEDED).lower
    assert "Ask for a larger crowd: --k 100." in ours
    few = judge(report(**worse, method="adaptive.v1", people=100), 0.1, tried=NEEDED).lower
    study = judge(report(**worse, method="adaptive.v1", people=20, persons=20, documents=20), 0.1, tried=NEEDED).lower
    assert not any("--k" in line or "Add people" in line for line in (*few, *study)) and few and study
    anyone = judge(report(**worse), 0.1, tried=NEEDED).lower
    assert anyone == ("Hide more with the tool that made this release, and audit it again.",)


def beside(named: float, high: float, found: float = 0.0, n: int = 60) -> dict[str, Any]:
    """Bystanders of whom so many are still named, and so many found."""
    return {
        "passages": n, "any": figures(0.0, n=n), "strongest": figures(found, found + 0.04, n=n),
        "named": figures(named, high, n=n),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("who", "result"),
    [
        (beside(0.95, 0.99), "fail"), (beside(0.08, 0.15), "weak"), (beside(0.0, 0.3, n=9), "pass"),
        (beside(0.0, 0.06, found=0.4), "fail"), (beside(0.0, 0.06), "pass"),
    ],
)  # fmt: skip
def test_other_people_whom_texts_name_count_as_much(who: dict[str, Any], result: str) -> None:
    verdict = judge(report(bystanders=who, method="adaptive.v1"), 0.1, tried=NEEDED)
    assert verdict.result == result
    assert any("Other people of the table" in line for line in verdict.why) is (result != "pass")
    assert any("--protect everyone-known" in line for line in verdict.lower) is (result != "pass")


def covered(**more: Any) -> dict[str, Any]:
    """A table that knows everybody well."""
    return {
        "people": 200, "nameless": 0, "telling": 1.0, "documents": 200, "misjoined": 0, "kept": [], **more,
    }  # fmt: skip


def kept(**more: Any) -> list[dict[str, Any]]:
    """One column that is kept."""
    return [{"column": "code", "documents": 200, "unique": False, "disguised": 0, **more}]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ({"telling": 0.02}, "Nothing but names is known"), ({"telling": None}, ""), ({"nameless": 1}, "no name of 1 of"),
        ({"misjoined": 10}, ""), ({"misjoined": 11}, "11 of 200 documents name another person"), ({"kept": kept()}, ""),
        ({"kept": kept(unique=True)}, "“code” are nearly unique"), ({"kept": kept(disguised=3)}, "in 3 of 200 documents"),
        ({"kept": kept(unique=True, column="id")}, "The kept ids"),
    ],
)  # fmt: skip
def test_what_the_table_does_not_cover_makes_the_evidence_weak(what: dict[str, Any], said: str) -> None:
    verdict = judge(report(coverage=covered(**what)), 0.1, tried=NEEDED)
    assert verdict.result == ("weak" if said else "pass")
    assert not said or any(said in line for line in verdict.why)


def test_a_limit_above_the_usual_one_has_another_title() -> None:
    verdict = judge(report(), 0.2, tried=NEEDED), judge(report(), 0.21, tried=NEEDED)
    assert [one.result for one in verdict] == ["pass", "raised"] and "raised to 21.0 %" in verdict[1].why[0]
    assert TITLES["raised"] != TITLES["pass"]
    worse = {"fused": {"after": figures(0.9), "before": None}}
    assert judge(report(**worse), 0.3, tried=NEEDED).result == "fail"


def test_who_chooses_among_fewer_people_stands_beside_the_headline() -> None:
    assert fewer_people(report()) == ""
    one = {"people": 60, "own": figures(0.48), "hundred": figures(0.3)}
    said = fewer_people(report(among=one))
    assert "48.0 %" in said and "60 people of these documents alone" in said and "among 100 people" in said
    assert "among 100" not in fewer_people(report(among=one | {"hundred": None}))


@pytest.mark.parametrize("result", TITLES)
def test_the_first_sentence_has_the_number_the_chance_and_the_limit(result: str) -> None:
    made = {
        "pass": report(), "fail": report(fused={"after": figures(0.3), "before": None}),
        "raised": report(), "weak": report(persons=40, documents=40),
        "unmeasured": report(any_unused=None, fused=None, crowd_sizes=None),
    }[result]  # fmt: skip
    limit = 0.3 if result == "raised" else 0.1
    found = judged(made, limit, tried=NEEDED)
    assert found.verdict == result
    said = headline(found)
    assert f"{limit:.1%}".replace("%", " %") in said and ("1 of 1000" in said or result == "unmeasured")


def test_of_few_people_not_even_the_headline_names_a_single_attacker() -> None:
    row = {"name": "x.v1", "used": False, "before": None, "after": figures(0.4)}
    found = judged(report(attackers=[row], persons=40, documents=40), 0.1, tried=NEEDED)
    public = found.public()
    assert found.headline and found.headline.attacker == "x.v1"
    assert public.headline and public.headline.attacker == "single" and not public.attackers
    assert "A single attacker finds" in headline(public)
    assert judged(report(), 0.1, tried=NEEDED).public().headline == judged(report(), 0.1, tried=NEEDED).headline


# --- what attackers could read of other people

FEW_READ = "Attackers could read only 499 documents about other people that the masking had not learned from"
HELPS = "Give documents about other people (--training), or say why nobody outside has any (--others-private REASON)."


def test_attackers_who_could_read_few_documents_about_other_people_are_weak_evidence() -> None:
    few = judge(report(read=ENOUGH_READ - 1), 0.1, tried=NEEDED)
    assert few.result == "weak" and any(line.startswith(FEW_READ) for line in few.why) and HELPS in few.lower
    none = judge(report(read=0), 0.1, tried=NEEDED)
    assert none.result == "weak" and any("could read no documents about other people" in line for line in none.why)
    enough = judge(report(read=ENOUGH_READ), 0.1, tried=NEEDED)
    assert enough.result == "pass" and not enough.why and not enough.lower


def test_a_reason_why_nobody_outside_holds_such_documents_lifts_that_and_is_stated() -> None:
    verdict = judge(report(read=3, others_private="all notes are in this house."), 0.1, tried=NEEDED)
    assert verdict.result == "pass" and not verdict.lower
    assert verdict.why == ("Nobody outside is said to hold documents about other people: all notes are in this house.",)


def test_the_reason_lifts_nothing_else() -> None:
    said = {"read": 3, "others_private": "a test"}
    assert judge(report(persons=40, documents=40, **said), 0.1, tried=NEEDED).result == "weak"
    assert judge(report(**said), 0.21, tried=NEEDED).result == "raised"


@pytest.mark.parametrize("reason", ["", "a test"])
def test_where_too_many_are_found_it_matters_little_who_read_what(reason: str) -> None:
    found = {"after": figures(0.3), "before": None}
    verdict = judge(report(fused=found, read=3, others_private=reason), 0.1, tried=NEEDED)
    assert verdict.result == "fail" and HELPS not in verdict.lower


def test_where_nothing_was_measured_nobody_asks_what_was_read() -> None:
    verdict = judge(report(any_unused=None, fused=None, crowd_sizes=None, read=0), 0.1, tried=NEEDED)
    assert verdict.result == "unmeasured" and HELPS not in verdict.lower


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (6300, "has read 6,300 documents about other people. "),
        (499, "has read only 499 documents about other people beside these. "),
        (1, "has read only 1 document about other people beside these. "),
        (0, "has read no documents about other people beside these. "),
    ],
)  # fmt: skip
def test_the_headline_says_how_much_the_attacker_has_read(read: int, said: str) -> None:
    assert f"That is an attacker who {said}" in headline(judged(report(read=read), 0.1, tried=NEEDED))


def test_a_report_that_does_not_say_what_was_read_is_judged_without_it() -> None:
    old = report()
    assert "read" not in old.as_dict() and old.read is None
    verdict = judged(old, 0.1, tried=NEEDED)
    assert verdict.verdict == "pass" and "has read" not in headline(verdict)


def test_fields_that_are_not_hidden_and_values_that_cannot_be_read_are_told() -> None:
    made = report(
        direct_fields={"birth_date": "date", "name": "name"}, not_direct=["town", "Beruf", "職業"],
        unread_values={"birth_date": [7, 60]},
    )  # fmt: skip
    direct, left, unread = of_the_table(made)
    assert "birth_date (date), name" in direct and "town, Beruf, 職業" in left and "birth_date 7 of 60" in unread
    assert "town, Beruf and 1 more" in of_the_table(made, 2)[1]
    assert of_the_table(report()) == []
    page = render(made)
    assert "職業" in page and "birth_date 7 of 60" in page
    assert report_from(made.as_dict()) == made
