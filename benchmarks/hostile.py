"""What hostile text costs those who read it: milliseconds per 100 kB, the best of five, without the garbage collector.

    python -m benchmarks.hostile

Read by the rules, by the fold of disguises and by the search for a person's direct identifiers. Written to
results/hostile.json, a row a reader and text. The texts and readers are those of the promise's test (H2).
"""

import time
import timeit
from collections.abc import Callable

from benchmarks.results import save, say
from unname.auditing.leaks import direct_identifiers
from unname.shadow import shadow
from unname.taggers.rules import Rules
from unname.types import Profile

Read = Callable[[str], object]
SIZE = 100_000
TIMES = 5
# What brings a backtracking pattern to its knees: repeated beginnings that never end.
SPARSE = {
    "digits": "1", "mails": "a@", "ats": "@", "numbers in a row": "1-", "no.": "no. ", "blanks": " ", "letters": "a",
    "dots": "a.com", "colons": ":a:", "hyphens": "-aa", "ampersands": "&", "entities": "&amp;", "marks": "\u0301",
    "links": "://", "hyphens at line ends": "a-\n", "titles": "Dr ", "fields": "Nombre: ", "zero-width": "\u200b",
    "brackets": "(", "names": "Aa",
}  # fmt: skip
# Texts in which every few characters begin an identifier or a disguise: slower, and still linear.
DENSE = {
    "dates": "1/1/19 ", "pairs": "1 2 ", "cues": "NHC: 1 ", "accounts": "ES91 ", "streets": "c/ A 1 ", "plus": "+1 ",
    "letters and digits": "A1", "months": "mayo 1 ", "houses": "12 High ", "ages": "46 years ", "look-alikes": "а x ",
    "spaced": "a b c d ", "times": ":1", "phrases": "a a a ", "ligatures": "ﬁ²²²",
}  # fmt: skip
_NAMED = direct_identifiers(Profile("p", {"name": "Ada Lovelace", "phone": "0555 570 3312"}), ["name", "phone"])
READERS: dict[str, Read] = {
    "rules": lambda text: Rules().tag([text]),
    "shadow": shadow,
    "leak scan": _NAMED.find,
}


def of_size(bit: str, size: int) -> str:
    """So many characters of a repeated beginning."""
    return (bit * (size // len(bit) + 1))[:size]


def seconds(read: Read, text: str, times: int) -> float:
    """The best of several, in seconds of this process, without those of the garbage collector."""
    return min(timeit.repeat(lambda: read(text), timer=time.process_time, repeat=times, number=1))


def main() -> None:
    """Measure all and say the slowest."""
    rows = {
        f"{reader}, {kind}": {
            name: round(1000 * seconds(read, of_size(bit, SIZE), TIMES), 1) for name, bit in texts.items()
        }
        for reader, read in READERS.items()
        for kind, texts in (("never ends", SPARSE), ("begins everywhere", DENSE))
    }
    for label, row in rows.items():
        slowest = max(row, key=row.__getitem__)
        within = sum(ms <= 50 for ms in row.values())
        say(f"{label:32} {within} of {len(row)} within 50 ms, slowest {row[slowest]} ms ({slowest})")
    save("hostile", rows, times=TIMES, characters=SIZE)


if __name__ == "__main__":
    main()
