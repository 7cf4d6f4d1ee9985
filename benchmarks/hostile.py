"""What hostile text costs those who read it: milliseconds per 100 kB, the best of fifteen, without the garbage collector.

    python -m benchmarks.hostile

Read by the rules, by the fold of disguises and by the search for a person's direct identifiers. Written to
results/hostile.json, a row a reader and text. The texts and readers are those of the promise's test (H2).
"""

import time
import timeit
from collections.abc import Callable

from benchmarks.results import save, say
from unname.knowledge.identifiers import direct_identifiers
from unname.shadow import shadow
from unname.taggers.rules import Rules
from unname.types import Profile

Read = Callable[[str], object]
SIZE = 100_000
TIMES = 15
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
# Numbers of all kinds, true ones and such as are nothing at a second look: of these only the rules know.
NUMBERS = {
    "no dates": "99/99/99 ", "no accounts": "ES91 12 ", "groups": "1234 ", "years": "1985 ", "years told": "in 1985 ",
    "no cards": "4111 1111 1111 1112 ", "no national ids": "12345678A ", "national ids": "12345678Z ", "codes": "A12 ",
    "endings": "weg 1 ", "no streets": "calle 1 ", "cues of none": "tel 1 2 3 ", "records": "NHC: 12345 ",
    "ages told": "age 5 ", "months of": "mayo de 1 ", "decimals": "1.5 ", "ranges": "12-12 ",
    "machines": "1.2.3.4 ", "machines of six": "fe80::1 ",
    "applications": "no 1/12 ", "postcodes": "CA 12345 ", "telephones": "555 123 456 ",
    "all signs": "".join(f"1{chr(0x2190 + i % 4000)}{chr(0xe000 + i % 6000)} " for i in range(25_000)),
    "all letters": "".join(f"1{chr(0x4e00 + i % 20_000)}{chr(0x4e00 + 7 * i % 20_000)} " for i in range(25_000)),
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
    kinds = [(reader, *each) for reader in READERS for each in (("never ends", SPARSE), ("begins everywhere", DENSE))]
    rows = {
        f"{reader}, {kind}": {
            name: round(1000 * seconds(READERS[reader], of_size(bit, SIZE), TIMES), 1) for name, bit in texts.items()
        }
        for reader, kind, texts in (*kinds, ("rules", "numbers", NUMBERS))
    }
    for label, row in rows.items():
        slowest = max(row, key=row.__getitem__)
        within = sum(ms <= 50 for ms in row.values())
        say(f"{label:32} {within} of {len(row)} within 50 ms, slowest {row[slowest]} ms ({slowest})")
    save("hostile", rows, times=TIMES, characters=SIZE)


if __name__ == "__main__":
    main()
