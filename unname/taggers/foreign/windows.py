"""Long texts in windows that overlap, for libraries that read, or are sound on, a part at a time; nothing is left out.

A span of any window counts: where two of them see the same stretch, both may label it.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

# Characters of one window and of what two have in common; within the last part of one an end is sought.
SIZE, OVERLAP = 20_000, 400

Place = tuple[int, int]


def windows(text: str, size: int = SIZE, overlap: int = OVERLAP) -> Iterator[Place]:
    """Stretches of at most `size` characters that cover a text; of any two neighbours `overlap` characters are in both.

    They begin and end at white space where there is any near, at the end of a line rather than within one.
    """
    start = 0
    while len(text) - start > size:
        end = _cut(text, start + size - min(overlap, size // 4), start + size)
        yield start, end
        start = _cut(text, max(start + 1, end - 2 * overlap), max(start + 1, end - overlap))
    yield start, len(text)


def _cut(text: str, low: int, high: int) -> int:
    """The last place from `low` to `high` behind a line's end, else behind white space, else `high`."""
    for sign in ("\n", " "):
        at = text.rfind(sign, low, high)
        if at > low:
            return at + 1
    return high


def token_windows(costs: Sequence[int], room: int, most: int) -> Iterator[Place]:
    """Half-open runs of tokens that cover all: of at most `most` tokens that cost at most `room` together, or of one.

    Each but the first begins within the last quarter of the one before it.
    """
    sums = [0]
    for cost in costs:
        sums.append(sums[-1] + cost)
    start = 0
    while True:
        end = min(start + most, bisect_right(sums, sums[start] + room) - 1, len(costs))
        end = max(end, min(start + 1, len(costs)))
        yield start, end
        if end >= len(costs):
            return
        start = max(start + 1, min(end, bisect_left(sums, sums[end] - (sums[end] - sums[start]) // 4)))
