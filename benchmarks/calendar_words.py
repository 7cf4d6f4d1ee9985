"""Writes `unname/languages/months.txt`: the months and the days of a month in words, as CLDR and ICU give them.

    python -m benchmarks.calendar_words

To ask Babel for all these languages takes a fifth of a second, which every process that masks would spend; the file is
read in milliseconds. A test says when it is out of date.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel import Locale, localedata
from icu4py.messageformat import MessageFormat

import unname
from unname.months import plain

TABLE = Path(unname.__file__).parent / "languages" / "months.txt"
LANGUAGES = """
af am ar as ast az be bg bn br bs ca ceb ckb cs cy da de dsb el en eo es et eu fa fi fil fo fr fur fy ga gd gl gn gsw gu ha
he hi hr hsb hu hy ia id ig is it jv ka kk km kn ku ky lb lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn no oc or pa pl ps
pt qu rm ro ru rw sc se si sk sl so sq sr su sv sw szl ta te tg th ti tk tn tr tt ug uk ur uz vec vi wa wo xh yi yo zu
""".split()  # noqa: SIM905 (as a list it takes a page)
# Languages in which days are read in words, too.
SPELLED = "ca cs da de el en es fi fr he hu id it nb nl pl pt ro ru sk sv tr uk".split()  # noqa: SIM905 (as a list it takes a page)
_UNREAD = frozenset(("Dsrt", "Mong", "Shaw"))
# Languages that say "two August" or "two of August"; elsewhere a cardinal there is another word ("to May", "en mayo").
CARDINAL = "ca el es fr he id it pt ro tr".split()  # noqa: SIM905 (as a list it takes more lines than the table)
_ARTICLES = frozenset(("un", "una", "une"))
_GENDERS = ("-masculine", "-feminine", "-neuter", "-common", "-reale")
_CASES = ("", "-genitive", "-accusative", "-dative", "-instrumental", "-locative")
_FORMS = ("", "-verbose", "-n", "-r", "-s", "-m", *(gender + case for gender in _GENDERS for case in _CASES))
# What stands before the name in CLDR, and in texts before or within what dates are read with anyhow.
_BEFORE = re.compile(r"^(?:an t-|(?:de|da|di|dhen|an|am|a’?) |d[’'])")
_HEAD = """\
# The months and the days of a month in words; written by `python -m benchmarks.calendar_words`, not by hand.
# From the Unicode CLDR and ICU. Copyright 1991-2025 Unicode, Inc. Distributed under the Terms of Use in
# https://www.unicode.org/copyright.html; Unicode License v3, https://www.unicode.org/license.txt.
# language, "month", "short" or "day", then what each is called from the first on; several names are joined by commas.
"""


def locales() -> list[str]:
    """The chosen languages in all countries and all scripts but three that hardly anybody writes."""
    written = (name for name in localedata.locale_identifiers() if _UNREAD.isdisjoint(name.split("_")))
    return sorted(name for name in written if name.partition("_")[0] in LANGUAGES)


def months(locale: str, width: str) -> list[set[str]]:
    """The names of each month in a locale, in the form in which texts are searched for them."""
    named = Locale.parse(locale).months
    return [{plain(_BEFORE.sub("", named[use][width][n].lower())) for use in named} for n in range(1, 13)]


def days(language: str) -> list[set[str]]:
    """The names of each day of a month: ordinals in any gender and case, and cardinals where those are in use."""
    # Of a kind that a language lacks ICU gives the cardinals.
    cardinals, ordinals = (
        [MessageFormat(f"{{n,spellout,%spellout-{kind}{form}}}", language) for form in _FORMS]
        for kind in ("cardinal", "ordinal")
    )
    plainly = [MessageFormat("{n,spellout}", language), *cardinals]
    found = []
    for n in range(1, 32):
        counted, placed = ({plain(each.format({"n": n})) for each in some} for some in (plainly, ordinals))
        found.append((counted | placed) - _ARTICLES if language in CARDINAL else placed - counted)
    return found


def rows() -> Iterator[str]:
    """The lines of the table."""
    for language in LANGUAGES:
        same = [name for name in locales() if name.partition("_")[0] == language]
        wide, short = (_merged(months(name, width) for name in same) for width in ("wide", "abbreviated"))
        yield _line(language, "month", wide)
        yield _line(language, "short", [some - long for some, long in zip(short, wide, strict=True)])
    for language in SPELLED:
        yield _line(language, "day", days(language))


def _merged(all_named: Iterable[list[set[str]]]) -> list[set[str]]:
    return [set().union(*same) for same in zip(*all_named, strict=True)]


def _line(language: str, kind: str, named: list[set[str]]) -> str:
    # Names with figures ("8월", "tháng 8") are read as figures.
    told = (sorted(name for name in names if len(name) > 1 and not re.search(r"\d", name)) for names in named)
    return "\t".join((language, kind, *map(",".join, told)))


def written() -> str:
    """The whole file."""
    return _HEAD + "\n".join(row for row in rows() if row.split("\t", 2)[2].strip()) + "\n"


if __name__ == "__main__":
    TABLE.write_text(written(), "utf-8")
