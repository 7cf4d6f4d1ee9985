"""Readers who look things up: the second line of every verdict, whom they find, and what is said of few people."""

from dataclasses import replace
from typing import Any

import pytest

from unname.attacking.choice import needed
from unname.auditing.outsider import KindOfFact, Outsider, Riskiest, Searched, Searcher, most_of
from unname.auditing.page import render
from unname.auditing.readers import (
    found_of,
    is_count,
    is_small,
    kinds_left,
    of_documents,
    readers,
    remaining,
    riskiest,
    rows_of_kinds,
)
from unname.auditing.report import Found, Report
from unname.auditing.report_file import report_from
from unname.auditing.searching import BY_FACTS, BY_TEXT, Sought, search
from unname.auditing.verdict import TITLES, headline, judged, of_readers, title
from unname.types import Profile


def rates(rate: float, high: float | None = None, n: int = 200) -> dict[str, Any]:
    return {"rate": rate, "ci": [0.0, rate + 0.02 if high is None else high], "n": n, "people": n, "known": "bounded"}


def report(**more: Any) -> Report:
    """A report of an audit in which few are found."""
    both = {"after": rates(0.03), "before": rates(0.9)}
    nothing: dict[str, Any] = {"before": None, "after": None}
    return report_from({
        "documents": 200, "persons": 200, "people": 1000, "k": 10, "any_unused": both, "fused": both,
        "per_person": {"any_unused": nothing, "any_used": nothing, "fused": nothing},
        "withheld": {"documents": 0, "share": 0.0}, "attackers": [], "any_used": None,
        "crowds": None, "linkability": nothing, "inference": [], "information_loss": 0.1,
        "masked": {"rate": 0.1, "per_document_mean": 0.1, "words": 9, "known": "exact"}, **more,
    })  # fmt: skip


def searched(before: float, after: float, high: float, *, unsought: int = 0, n: int = 200) -> Searched:
    text = Searcher(BY_TEXT, Found(before, (0.0, 1.0), n, n, "bounded"), Found(after, (0.0, high), n, n, "bounded"))
    facts = Searcher(BY_FACTS, text.before, Found(0.0, (0.0, 0.01), n, n, "bounded"))
    return Searched("texts", 900, n, unsought, (facts, text))


def outsider(**more: Any) -> Outsider:
    kinds = {
        "office": KindOfFact(30, 2, 40, 25),
        "date": KindOfFact(left=5, hidden=300, people=4),
        "place": KindOfFact(common=9),
    }
    values = {"documents": 200, "people": 200, "stating": 31, "stating_people": 28, "kinds": kinds,
              "riskiest": (Riskiest("ab12", 7), Riskiest("cd34", 1)), "listed": "read-first.csv"}  # fmt: skip
    return Outsider(**(values | more))


ALONE: dict[str, Any] = {"people": 0, "persons": 0, "any_unused": None, "fused": None}
WITH_TABLE = [
    ("pass", {}, 0.1), ("raised", {}, 0.3), ("weak", {"persons": 40}, 0.1),
    ("fail", {"fused": {"before": None, "after": rates(0.3)}}, 0.1),
    ("unmeasured", {"any_unused": None, "fused": None, "audit": "none"}, 0.1),
]  # fmt: skip


def with_outsider(made: Report, found: Outsider | None, limit: float = 0.1) -> Report:
    return judged(replace(made, outsider=found), limit, tried=needed())


@pytest.mark.parametrize(("result", "more", "limit"), WITH_TABLE)
def test_not_measured_changes_the_title_and_not_the_verdict(result: str, more: dict[str, Any], limit: float) -> None:
    before, after = (with_outsider(report(**more), found, limit) for found in (None, outsider()))
    assert before.verdict == after.verdict == result
    assert title(after) != TITLES[result] and title(after).startswith(TITLES[result])
    said = " ".join(of_readers(after))
    assert said.startswith("Readers who look things up: not measured.")
    assert "31 of 200 documents still state" in said and "30 offices and roles, 5 exact dates" in said
    assert "Read these first: read-first.csv in the private folder" in said


def test_nobody_who_looked_for_facts_is_no_silence_either() -> None:
    made = with_outsider(report(), None)
    assert made.verdict == "pass" and title(made) == "May go out, as far as your table goes"
    assert "not measured, and nobody looked" in readers(made)[0]


def test_without_a_table_the_second_line_is_the_only_one() -> None:
    made = with_outsider(report(**ALONE), outsider())
    assert (made.verdict, title(made), headline(made)) == ("unmeasured", "Not measured: read these first", "")
    assert any("--outsiders" in line for line in made.headline.lower)
    none = with_outsider(report(**ALONE), outsider(stating=0, kinds={}, riskiest=()))
    assert title(none) == "Not measured" and "no tagger sees a fact any more" in readers(none)[0]


def test_a_search_that_finds_too_many_holds_a_release_that_the_table_would_let_go() -> None:
    made = with_outsider(report(method="adaptive.v1"), outsider(searched=searched(0.9, 0.08, 0.13)))
    assert made.verdict == "fail" and title(made) == "Not yet"
    assert any("may find 13.0 %; the limit is 10.0 %" in line for line in made.headline.why)
    assert any("--facts mask" in line for line in made.headline.lower)
    others = with_outsider(report(), outsider(searched=searched(0.9, 0.08, 0.13)))
    assert others.headline.lower[-1] == "Hide more of what can be looked up with the tool that made this release."
    said = " ".join(of_readers(made))
    assert "8.0 % (0.0–13.0) of the documents (by the originals 90.0 %" in said and "the limit is 10.0 %" in said
    assert "900 people of the reference texts" in said and "not measured" not in said


def test_a_search_that_finds_few_lets_go_what_the_table_lets_go() -> None:
    few = searched(0.9, 0.02, 0.05)
    assert (found := with_outsider(report(), outsider(searched=few))).verdict == "pass" and title(found) == "May go out"
    part = with_outsider(report(), outsider(searched=searched(0.9, 0.02, 0.05, unsought=9)))
    assert part.verdict == "pass" and title(part) == "May go out, as far as your table and texts go"
    assert "The people of 9 documents are not among these" in " ".join(of_readers(part))
    stated = with_outsider(
        report(**ALONE), outsider(searched=replace(searched(0.9, 0.02, 0.05, unsought=9), where="graph"))
    )
    assert "The graph says nothing of the people of 9 documents (--graph)." in stated.headline.why
    worse = {"fused": {"before": None, "after": rates(0.3)}}
    assert with_outsider(report(**worse), outsider(searched=few)).verdict == "fail"
    nobody = with_outsider(report(), outsider(searched=Searched("texts", 9, 0, 200, ())))
    assert title(nobody) == "May go out, as far as your table goes" and "not measured" in readers(nobody)[0]


@pytest.mark.parametrize(
    ("found", "limit", "result"),
    [
        (searched(0.9, 0.02, 0.05), 0.1, "pass"), (searched(0.9, 0.02, 0.05), 0.3, "raised"),
        (searched(0.9, 0.02, 0.15), 0.1, "fail"), (searched(0.9, 0.0, 0.09, n=40), 0.1, "weak"),
        (searched(0.9, 0.02, 0.05, unsought=3), 0.1, "weak"), (searched(0.01, 0.0, 0.02), 0.1, "weak"),
    ],
)  # fmt: skip
def test_without_a_table_a_search_decides(found: Searched, limit: float, result: str) -> None:
    made = with_outsider(report(**ALONE), outsider(searched=found), limit)
    assert made.verdict == result and title(made).startswith(TITLES[result])
    assert not any("No attacker was tried" in line for line in made.headline.why)
    assert bool(made.headline.why) == (result != "pass")


def test_a_search_that_shows_little_makes_no_title_better() -> None:
    hardly, names = searched(0.01, 0.0, 0.02), replace(searched(0.9, 0.02, 0.05), unnamed=Found(*_FEW))
    for found, line in ((hardly, "Even by the originals"), (names, "hold little but names")):
        made = with_outsider(report(), outsider(searched=found))
        assert made.verdict == "pass" and title(made) == "May go out, as far as your table goes"
        assert any(line in why for why in made.headline.why)
        alone = with_outsider(report(**ALONE), outsider(searched=found))
        assert alone.verdict == "weak" and any(line in why for why in alone.headline.why)


_FEW: Any = (0.05, (0.02, 0.09), 200, 200, "bounded")


def test_the_worse_of_two_searchers_counts() -> None:
    found = searched(0.9, 0.02, 0.05)
    assert found.worst.name == BY_TEXT and found.most == 0.05
    assert most_of(Found(None, None, 0, 0, "bounded")) == 0 == Searched("texts", 0, 0, 0, ()).most


PEOPLE = ["Ada Quill was mayor of Ludlow in a bad year", "Bo Fenn won the Turnbull cup", "Cy Ash sold eels in Wick"]
REFERENCE = [Profile(f"p{i}", {"text": text}) for i, text in enumerate(PEOPLE)]


def test_a_search_finds_whom_a_text_leads_to_and_counts_whom_nobody_wrote_about() -> None:
    rows = [Sought(f"p{i}", PEOPLE[i], "was in", PEOPLE[i], "Turnbull" if i == 1 else "") for i in range(3)]
    found = search(REFERENCE, [*rows, Sought("stranger", "x", "x", "x", "x")])
    assert (found.people, found.documents, found.unsought, found.where) == (3, 3, 1, "texts")
    text, parts, pairs, facts = found.searchers
    assert parts.before.rate == pairs.before.rate == 1 and (parts.name, pairs.name) == ("parts", "pairs")
    assert pairs.after.rate == pytest.approx(1 / 3, abs=1e-5), "no two words of any reference text are left"
    assert (text.name, facts.name) == (BY_TEXT, BY_FACTS) and text.before.rate == facts.before.rate == 1
    assert 0 < (text.after.rate or 0) < 1, "who shares nothing but common words is one of several"
    assert facts.after.rate == pytest.approx((1 + 2 / 3) / 3, abs=1e-5), (
        "one by a name, and two by guessing among three"
    )
    assert "Turnbull" not in repr(rows[1])


def test_a_search_for_nobody_measures_nothing() -> None:
    found = search(REFERENCE, [Sought("stranger", "x", "x", "x", "x")])
    assert found.documents == 0 and found.searchers[0].after.rate is None
    assert outsider(searched=found).measured is None
    several = search(REFERENCE, (Sought("p0", PEOPLE[0], PEOPLE[0], "", "") for _ in range(150)))
    assert several.documents == several.searchers[0].after.n == 150 and several.searchers[0].after.people == 1


def test_of_few_people_what_remains_is_said_in_words_and_figures_are_counts() -> None:
    few = outsider(documents=25, people=20, stating=12, stating_people=9)
    worse = {"fused": {"before": rates(0.9, n=25), "after": rates(0.1, n=20)}, "any_unused": None, "persons": 20}
    made = with_outsider(report(**worse, documents=25), few)
    assert is_small(made) and not is_small(with_outsider(report(), outsider()))
    (said, question), _ = remaining(made)
    assert said == "30 offices and roles, in the texts of 25 of 20 people" and question.startswith("Ask yourself")
    assert not remaining(with_outsider(report(), outsider()))
    assert (
        "the right person for 2 of 20 documents" in headline(made) and "%" not in headline(made).partition("limit")[0]
    )
    assert "12 of 25 documents (9 of 20 people)" in readers(made)[0]
    page = render(made)
    assert page.index("So few people took part") < page.index("--always") < page.index("In short")
    assert is_count(Found(0.1, (0.0, 0.5), 20, 20, "bounded")) and not is_count(None)
    assert of_documents(Found(0.1, (0.0, 0.5), 20, 20, "bounded"), "people") == "2 of 20 people"
    assert found_of(Found(0.1, (0.0, 0.5), 20, 20, "bounded")) == "2" and found_of(None) == "not measured"
    assert of_documents(None) == "not measured"
    assert of_documents(Found(0.1, (0.0, 0.5), 90, 90, "bounded")) == "10.0 % (0.0–50.0) of the documents"


def test_what_is_published_of_few_people_names_no_document_of_theirs() -> None:
    made = with_outsider(report(), outsider())
    assert riskiest(made) == [("ab12", "7 facts"), ("cd34", "1 fact")] == riskiest(made.public())
    few = with_outsider(report(persons=20), outsider(people=20)).public()
    assert riskiest(few) == [] and few.outsider.kinds and few.public() == few and outsider().of_few().riskiest == ()
    later = with_outsider(report(persons=60), outsider(people=20)).public()
    assert riskiest(later) == [], "some were withheld"


def test_the_page_has_a_table_of_kinds_and_what_a_search_found() -> None:
    made = with_outsider(report(), outsider(searched=searched(0.9, 0.02, 0.05)))
    page = render(made)
    for said in (
        "What readers could look up",
        "offices and roles",
        "ab12: 7 facts",
        "reference texts of 900 people",
        "90.0 %",
    ):
        assert said in page
    assert [name for name, _, _ in rows_of_kinds(made)] == ["offices and roles", "exact dates", "places"]
    assert kinds_left(outsider()) == ["30 offices and roles", "5 exact dates"]
    many = {kind: KindOfFact(left=1) for kind in ("office", "event", "work", "prize", "date", "place", "age", "other")}
    assert kinds_left(outsider(kinds=many))[-1] == "2 more"
    assert report_from(made.as_dict()) == made and "What readers could look up" not in render(report())
