"""The loop that masking in rounds and sanitizing share."""

from unname.rounds import in_rounds


def played(start: int, **how: object) -> tuple[int, tuple[int, ...], bool, bool]:
    """Rounds that halve a number, as long as that takes away more than 2."""
    seen = in_rounds(
        start,
        lambda state, number: state // 2,
        lambda state: state,
        paid=lambda before, after: before - after > 2,
        **how,  # type: ignore[arg-type]
    )
    return seen.state, seen.judged, seen.unpaid, seen.enough


def test_it_goes_on_while_it_pays_and_the_round_that_does_not_is_not_kept() -> None:
    assert played(20) == (2, (20, 10, 5, 2, 1), True, False)
    assert played(3) == (3, (3, 1), True, False)


def test_it_ends_where_what_is_left_is_enough_even_before_the_first_round() -> None:
    assert played(20, enough=lambda judged: judged <= 5) == (5, (20, 10, 5), False, True)
    assert played(20, enough=lambda judged: True) == (20, (20,), False, True)


def test_it_ends_after_as_many_rounds_as_were_asked_for() -> None:
    assert played(20, most=1) == (10, (20, 10), False, False)
    assert played(20, most=0) == (20, (20,), False, False)


def test_each_round_knows_its_number() -> None:
    numbers: list[int] = []
    in_rounds(3, lambda state, number: numbers.append(number) or state - 1, lambda state: state,
              paid=lambda before, after: after > 0)  # fmt: skip
    assert numbers == [1, 2, 3]
