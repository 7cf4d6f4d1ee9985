"""Windows over long texts: nothing is left out, and nothing short is cut in all of them."""

from hypothesis import given
from hypothesis import strategies as st

from unname.taggers.foreign.windows import token_windows, windows


@given(st.text(alphabet="ab \n", max_size=300), st.integers(20, 60), st.integers(1, 8))
def test_every_short_stretch_lies_whole_in_some_window(text: str, size: int, overlap: int) -> None:
    found = list(windows(text, size, overlap))
    assert found[0][0] == 0 and found[-1][1] == len(text) and all(end - start <= size for start, end in found)
    assert all(a < c and b < d for (a, b), (c, d) in zip(found, found[1:], strict=False))
    for at in range(len(text) - overlap + 1):
        assert any(start <= at and at + overlap <= end for start, end in found)


def test_windows_end_at_white_space_where_there_is_any() -> None:
    text = "word " * 100
    assert all(text[end - 1] == " " for _, end in windows(text, 50, 10))
    assert list(windows("short")) == [(0, 5)] and list(windows("")) == [(0, 0)]
    assert next(windows("x" * 25, 20, 4)) == (0, 20)


@given(st.lists(st.integers(0, 9), max_size=60), st.integers(1, 20), st.integers(1, 9))
def test_runs_of_tokens_cover_all_and_cost_no_more_than_there_is_room(costs: list[int], room: int, most: int) -> None:
    found = list(token_windows(costs, room, most))
    assert found[0][0] == 0 and found[-1][1] == len(costs)
    assert set(range(len(costs))) == {at for start, end in found for at in range(start, end)}
    for (start, end), after in zip(found, [*found[1:], None], strict=True):
        assert end - start <= most and (sum(costs[start:end]) <= room or end - start == 1)
        if after is not None:
            assert start < after[0] <= end <= after[1]
