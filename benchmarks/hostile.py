"""The cost of reading hostile text: nanoseconds per character at 20 kB and at 200 kB, which show linear time.

    python -m benchmarks.hostile

Read by the rules, by the fold of disguises and by the search for a person's direct identifiers. Written to
results/hostile.json, a row a reader. The texts and readers are those of the promise's test (H2).
"""

import time
import timeit
from collections.abc import Callable

from benchmarks.results import save, say
from unname.knowledge.identifiers import direct_identifiers
from unname.normalised import normalised
from unname.taggers.rules.tagger import Rules
from unname.types import Profile

Read = Callable[[str], object]
SMALL, LARGE = 20_000, 200_000
# What brings a backtracking pattern to its knees: repeated beginnings that never end; and texts in which every few
# characters begin an identifier or a disguise, true ones and such as are nothing at a second look.
TEXTS = {
    "digits": "1", "mails": "a@", "ats": "@", "numbers in a row": "1-", "no.": "no. ", "blanks": " ", "letters": "a",
    "dots": "a.com", "colons": ":a:", "hyphens": "-aa", "ampersands": "&", "entities": "&amp;", "marks": "\u0301",
    "links": "://", "ends of links": "://.", "hyphens at line ends": "a-\n", "titles": "Dr ", "fields": "Nombre: ",
    "zero-width": "\u200b", "brackets": "(", "names": "Aa", "dates": "1/1/19 ", "pairs": "1 2 ", "cues": "NHC: 1 ",
    "accounts": "ES91 ", "streets": "c/ A 1 ", "plus": "+1 ", "letters and digits": "A1", "months": "mayo 1 ",
    "houses": "12 High ", "ages": "46 years ", "look-alikes": "а x ", "spaced": "a b c d ", "times": ":1",
    "phrases": "a a a ", "ligatures": "ﬁ²²²", "no dates": "99/99/99 ", "groups": "1234 ", "years told": "in 1985 ",
    "no cards": "4111 1111 1111 1112 ", "no national ids": "12345678A ", "national ids": "12345678Z ", "codes": "A12 ",
    "endings": "weg 1 ", "cues of none": "tel 1 2 3 ", "decimals": "1.5 ", "ranges": "12-12 ", "machines": "1.2.3.4 ",
    "machines of six": "fe80::1 ", "applications": "no 1/12 ", "postcodes": "CA 12345 ", "telephones": "555 123 456 ",
    "underscores": "_", "bars": "|\"",
}  # fmt: skip
_NAMED = direct_identifiers(Profile("p", {"name": "Ada Lovelace", "phone": "0555 570 3312"}), ["name", "phone"])
READERS: dict[str, Read] = {
    "rules": lambda text: Rules().tag([text]),
    "normalised": normalised,
    "leak scan": _NAMED.find,
}


def per_character(read: Read, bit: str, size: int, times: int = 3) -> float:
    """Nanoseconds for a character of so many of a repeated beginning: the best of several, without garbage collector."""
    text = (bit * (size // len(bit) + 1))[:size]
    return 1e9 / size * min(timeit.repeat(lambda: read(text), timer=time.process_time, repeat=times, number=1))


def main() -> None:
    """Measure all and say what grows most."""
    rows = {
        reader: {
            name: [round(per_character(read, bit, size), 1) for size in (SMALL, LARGE)] for name, bit in TEXTS.items()
        }
        for reader, read in READERS.items()
    }
    for reader, row in rows.items():
        most = max(row, key=lambda name: row[name][1] / row[name][0])
        say(f"{reader:10} grows most with {most}: {row[most][0]} ns a character at 20 kB, {row[most][1]} at 200 kB")
    save("hostile", rows, small=SMALL, large=LARGE)


if __name__ == "__main__":
    main()
