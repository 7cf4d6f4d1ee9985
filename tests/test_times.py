from tests.times import in_proportion


def test_quadratic_work_is_out_of_proportion() -> None:
    def pairs(many: int) -> None:
        for _ in range(many):
            sum(range(many))

    assert not in_proportion(lambda: pairs(2_500), lambda: pairs(10_000))
    assert in_proportion(lambda: sum(range(1_000_000)), lambda: sum(range(4_000_000)))
