"""Other ages in figures for those of a text, some years away."""

import re
import unicodedata

from unname.knowledge.ages import counts_less_than_years, says_age_alone
from unname.transforms.standins.signs import LONGEST_CODE, in_script

_NUMBER = re.compile(r"\d+")
# A decade or an ordinal is no age.
_NO_AGE = re.compile(r"(?:['’]?s|er\w*|st|nd|rd|th)(?!\w)|%", re.IGNORECASE)
_OLDEST, _MOST_NUMBERS = 89, 2


def other_age(text: str, years: int) -> str | None:
    """An age in figures so many years later or, where that leaves 1 to 89, earlier; the rest stays as it is.

    None where the text has no such number, or it is from 90 on, or counts months, weeks or days; where it is a decade;
    where other numbers stand beside it that an age has not; and where a word stands there that is not said of ages.
    """
    numbers = list(_NUMBER.finditer(text)) if len(text) <= LONGEST_CODE else []
    if not 1 <= len(numbers) <= _MOST_NUMBERS or any(len(each[0]) > 2 for each in numbers):
        return None
    if counts_less_than_years(text, numbers[0]) or not says_age_alone(text):
        return None
    ages = [each for each in numbers if not counts_less_than_years(text, each)]
    if any(_NO_AGE.match(text, each.end()) for each in ages):
        return None
    values = [int(each[0]) for each in ages]
    step = next((step for step in (years, -years) if all(1 <= value + step <= _OLDEST for value in values)), 0)
    if step == 0 or max(values) > _OLDEST:
        return None
    parts, at = list[str](), 0
    for each, value in zip(ages, values, strict=True):
        width = len(each[0]) if unicodedata.decimal(each[0][0]) == 0 else 1
        moved = "".join(in_script(digit, each[0][0]) for digit in f"{value + step:0{width}d}")
        parts += [text[at : each.start()], moved]
        at = each.end()
    return "".join((*parts, text[at:]))
