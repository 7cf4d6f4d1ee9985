"""I4: every metric has a second implementation: no public function of the audit goes without a test that names it."""

import ast
import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

import unname
from unname.attacking.attack import AttackResults
from unname.attacking.attackers import Tally
from unname.attacking.learning import STRONGEST
from unname.auditing.privacy import attacker_names, histogram_of, most_found, tally_figures
from unname.types import Document

MODULES = (
    "statistics",
    "utility",
    "usefulness",
    "privacy",
    "crowdsizes",
    "adversary",
    "profilewords",
    "matching",
    "confidence",
    "scores",
    "i2b2",
    "meddocan",
    "tab",
)
PACKAGE = Path(unname.__file__).parent
ROOMS = ("auditing", "attacking", "scoring")
TESTS = Path(__file__).parents[1]


def public_functions(package: Path) -> set[str]:
    """Public functions of the modules that hold metrics."""
    found = set()
    for name in MODULES:
        (path,) = [*package.glob(f"{name}.py"), *(p for room in ROOMS for p in (package / room).glob(f"{name}.py"))]
        tree = ast.parse(path.read_text(encoding="utf-8"))
        found |= {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("_")}
    return found


def require_second_implementations(functions: set[str], tests: Sequence[Path], *own: Path) -> None:
    """Every function is called in a test of the audit, or in this one (an import alone does not count)."""
    called: set[str] = set()
    for path in [*(path for folder in tests for path in folder.rglob("test_*.py")), *own]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called.add(node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", ""))
    missing = sorted(functions - called)
    assert not missing, f"no test of the audit calls {', '.join(missing)}"


def test_every_metric_is_computed_a_second_time_by_a_test() -> None:
    functions = public_functions(PACKAGE)
    assert {"rate", "credit", "information_loss", "hidden_words", "all_crowds", "one_to_one"} <= functions
    folders = [TESTS / room for room in ROOMS]
    require_second_implementations(functions, folders, TESTS / "test_statistics.py", Path(__file__))


def test_the_figures_of_an_attacker_are_the_means_of_its_credits() -> None:
    tally = Tally(top1=[1.0, 0.5, 0.0, 0.0], top5=[1.0, 1.0, 0.5, 0.0], top10=[1.0, 1.0, 1.0, 0.0], guess=[0, 1, 2, 3])
    figures = tally_figures(tally, ["a", "b", "c", "d"])
    assert [figures.rate, figures.top5, figures.top10] == pytest.approx([1.5 / 4, 2.5 / 4, 3 / 4])
    assert figures.ci[0] < figures.rate < figures.ci[1] and figures.n == figures.people == 4


def test_the_most_that_one_adversary_finds_is_the_largest_of_its_figures() -> None:
    originals = [Document("a", "", "p"), Document("b", "", "q")]

    def tally(*credits: float) -> Tally:
        return Tally(list(credits), list(credits), list(credits), [0] * len(credits))

    single = AttackResults({"x": tally(1.0, 0.0), "y": tally(0.0, 0.0)}, used={"x": False, "y": False})
    assert most_found(single, originals).rate == 0.5
    both = AttackResults({"x": tally(1.0, 1.0), STRONGEST: tally(0.0, 0.0)}, ["p", "q"], {STRONGEST: tally(0.0, 1.0)})
    assert most_found(both, originals).rate == 0.5


def test_attackers_are_told_apart_by_whether_they_served() -> None:
    examination = AttackResults(used={"bm25.v1": True, "facts.v1": False, "pairs.v1": False})
    assert attacker_names(examination, used=True) == ["bm25.v1"]
    assert attacker_names(examination, used=False) == ["facts.v1", "pairs.v1"]


@given(st.lists(st.integers(0, 5000), max_size=40), st.integers(1, 300))
def test_a_histogram_of_crowds_counts_each_document_in_the_step_it_lies_in(smallest: list[int], k: int) -> None:
    found = histogram_of(smallest, k, 4000)
    if not smallest:
        assert found is None
        return
    edges = [*found.edges, 10**9]
    assert set(edges) == {0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9, k}
    assert list(found.counts) == [sum(a <= n < b for n in smallest) for a, b in pairwise(edges)]
    assert found.below_k == len([n for n in smallest if n < k]) and found.people == 4000
    assert found.median == median(min(n, 3999) for n in smallest)


def test_the_check_notices_a_metric_without_a_test(tmp_path: Path) -> None:
    (tmp_path / "test_some.py").write_text("from unname.statistics import rate, credit\nrate([], [])\n")
    require_second_implementations({"rate"}, [tmp_path])
    with pytest.raises(AssertionError, match=re.escape("calls credit")):
        require_second_implementations({"rate", "credit"}, [tmp_path])
