"""Days of birth as tables have them: columns called so, and a year, a month and a day in three fields."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from unname.dates import days_of
from unname.languages import read
from unname.text import without_accents

_NOT_LETTERS = re.compile(r"[\W\d_]+")
# What the parts are called, and whatever was born; "birth" is also "of birth", "geburt" also "geburts".
_YEAR = "year yyyy yob jahr anio ano annee an anno jaar rok godina god ar aar vuosi yil год рік έτος 年"
_MONTH = (
    "month mm mob monat mes mois mese maand miesiac mesic mesec mjesec manad maaned kuukausi ay месяц місяць μήνας 月"
)
_DAY = "day dd tag dia jour giorno dag dzien den dan paiva gun день ημέρα 日"
_BIRTH = (
    "birth born geburt geburts geb nacimiento nac naissance nascita nascimento nasc geboorte urodzenia urodz narozeni"
    " narodenia rodenja rojstva nasterii fodsel fodsels fodelse syntyma dogum рождения рожд народження γέννησης 出生 生"
)
_SHORTEST = 3
_TOGETHER = "birth date"


def is_of_births(name: str) -> bool:
    """True if a column is called by a word for a date of birth."""
    return _letters(name) in _dates()


def with_whole_days(fields: Mapping[str, str]) -> dict[str, str]:
    """The same fields, with a day of birth in one field where its year, month and day stood apart; the year stays, too."""
    births: dict[str, dict[str, str]] = {}
    for name in fields:
        if part := _part_of(name):
            births.setdefault(name.rpartition(".")[0], {}).setdefault(part, name)
    made = dict(fields)
    for path, names in births.items():
        together = f"{path}.{_TOGETHER}" if path else _TOGETHER
        if (
            len(names) == 3
            and together not in fields
            and (day := _day(*(fields[names[part]] for part in ("y", "m", "d"))))
        ):
            made[together] = day
            made.pop(names["m"])
            made.pop(names["d"])
    return made


def _day(year: str, month: str, day: str) -> str:
    """A day from its parts, of figures or with the month's name; nothing where they make none."""
    figures = [part.removesuffix(".0") for part in (year, month, day)]
    if all(part.isascii() and part.isdigit() and len(part) <= 4 for part in figures):
        written = f"{figures[0]:0>4}-{figures[1]:0>2}-{figures[2]:0>2}"
    else:
        written = f"{figures[2]} {month} {figures[0]}"
    return written if days_of(written) else ""


@lru_cache(maxsize=4096)
def _part_of(name: str) -> str:
    """`y`, `m` or `d` where a field is called a year, month or day of birth."""
    letters = _letters(name)
    if len(letters) > 60:
        return ""
    for part, words in (("y", _words(_YEAR)), ("m", _words(_MONTH)), ("d", _words(_DAY))):
        for word in words:
            if (letters.endswith(word) and _is_birth(letters.removesuffix(word))) or (
                letters.startswith(word) and _is_birth(letters.removeprefix(word))
            ):
                return part
    return ""


def _is_birth(rest: str) -> bool:
    return rest in _dates() or any(
        rest == word or (len(word) >= _SHORTEST and rest.endswith(word)) for word in (*_words(_BIRTH), "dob")
    )


def _letters(name: str) -> str:
    return _NOT_LETTERS.sub("", without_accents(name.lower()))


@cache
def _words(text: str) -> tuple[str, ...]:
    return tuple(map(_letters, text.split()))


@cache
def _dates() -> frozenset[str]:
    words = read("fieldnames")["words"]["date"].values()
    return frozenset(_letters(word) for row in words for word in row.split())
