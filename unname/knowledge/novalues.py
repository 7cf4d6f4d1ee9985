"""Values that say nothing: entries of tables where somebody did not know or did not say ("unknown", "n/a", "XXX", "-").

They name nobody. Taken for names they would be hidden as words, and the person would seem to have a name that is known.
The words are data (`unname/languages/novalues.toml`).
"""

import re
from functools import cache

from unname.knowledge.fieldnames import word_set
from unname.languages import read
from unname.text import folded_runs, without_accents

# Whatever a field is about. All is folded, without accents, with one blank between words.
UNKNOWN = frozenset(("unknown", "none", "null", "nan", "not known", "nationality unknown", "no place", "various"))
# Written like this they may be somebody's name.
_NAMES = word_set("Nan Null Nil Na Nd Blank Ignoto Ignota")
_CROSSED = re.compile(r"x{2,}|([^\W\d])\1{3,}|0{4,}")


def says_nothing(value: str) -> bool:
    """Check whether a value is empty, punctuation alone, or says that there is none."""
    row = _plain(value)
    if not row:
        return True
    if value.strip() in _NAMES:
        return False
    nothing, beside = _phrases("nothing"), _phrases("beside")
    return " ".join(row) in nothing or (
        all(word in nothing or word in beside or _CROSSED.fullmatch(word) for word in row)
        and not all(word in beside for word in row)
    )


def names_nobody(value: str) -> bool:
    """Check whether the value of a name says nothing, or stands for somebody without a name ("Baby Boy", "Patient")."""
    row = _plain(value)
    numbered = row[:-1] if len(row) > 1 and len(row[-1]) == 1 else row  # "Baby Girl B", "Test 2"
    known = _phrases("placeholders")
    return says_nothing(value) or " ".join(row) in known or " ".join(numbered) in known


def _plain(value: str) -> list[str]:
    return [without_accents(word) for word in folded_runs(value)]


@cache
def _phrases(table: str) -> frozenset[str]:
    """The entries of one table of the data, all languages together."""
    rows = ",".join(read("novalues")[table].values()).split(",")
    return frozenset(" ".join(words) for row in rows if (words := _plain(row))) | (
        UNKNOWN if table == "nothing" else set()
    )
