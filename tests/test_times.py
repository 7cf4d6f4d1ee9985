import pytest

from tests import times
from tests.times import in_proportion, quickest


@pytest.mark.parametrize(("growth", "proportional"), [(4, True), (16, False)])
def test_quadratic_work_is_out_of_proportion(growth: int, proportional: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = {"few": 1.0, "four times": float(growth)}
    monkeypatch.setattr(times, "quickest", lambda run: seconds[run()])
    assert in_proportion(lambda: "few", lambda: "four times") is proportional


def test_the_quickest_try_counts() -> None:
    tries: list[int] = []

    def slow_at_first() -> None:
        tries.append(0)
        sum(range(5_000_000 if len(tries) == 1 else 10))

    assert quickest(slow_at_first) < quickest(lambda: sum(range(5_000_000)))
