"""Fields of a people table that identify somebody directly: by their names, and by the look of their values."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import median

from unname.dates import Day, days_of
from unname.errors import SettingsError
from unname.knowledge.commonnames import holds_common_name
from unname.knowledge.fieldnames import Kind, field_kind, is_doubtful, of_kin, of_others
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import NameIndex, name_index
from unname.knowledge.novalues import says_nothing
from unname.knowledge.pieces import Pieces, pieces_of
from unname.knowledge.population import Population
from unname.taggers.rules.tagger import Rules
from unname.text import folded_runs
from unname.types import Profile

# Field → what it holds; "" where somebody called it direct without its name or values saying what it is.
DirectFields = Mapping[str, Kind]
AUTO, NONE = "auto", "none"
# Values that are looked at, and the shares of them that must look alike.
SAMPLE = 400
_MOST, _MANY, _SOME, _FEW = 0.8, 0.5, 0.3, 0.2
# How many of the values of names are different ones, at least: given names alone repeat, but colours and parties more.
_FEWEST_NAMES = 0.1
# Characters of a value from which on it is a text and no field of a registry.
LONG_VALUE = 200
_LABELS: Mapping[str, Kind] = {
    "EMAIL": "contact", "PHONE": "contact", "FAX": "contact", "URL": "contact", "IP": "contact", "MAC": "number",
    "IBAN": "number", "CARD": "number", "NATIONAL_ID": "number", "RECORD": "number", "ACCOUNT": "number",
    "PLATE": "number", "ADDRESS": "address",
}  # fmt: skip
_FIGURES = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]")
_GROUP = re.compile(r"\d+")
_FEWEST_DIGITS, _SHORTEST_PHONE = 5, 7
_CAPITAL = re.compile(r"[^\W\d_][\w'’.-]*")
_LONGEST_NAME = 6
# How a cell calls a day one of birth: a star before it, or a short word of a few languages.
_BORN = re.compile(
    r"[*⁎∗]\s?\d|(?<!\w)(?:b|born|geb|geboren|dob|née?e?|nac|nat[aoi]|ur|f|född|født|р|рожд?|生)[.:]?\s?\d|\d\s?生"
)
# An address of e-mail in angle brackets stands behind whose it is.
_BOX = re.compile(r"<[^<>@\s]{1,64}@[^<>\s]{1,255}>")
# Years from the earliest to the latest of most dates of birth, and no dates of visits.
_GENERATION = 35


def direct_fields(population: Population, asked: Sequence[str] = (AUTO,), only: Sequence[str] = ()) -> DirectFields:
    """The fields of the full profiles that directly identify, and what each holds.

    What names and values say is taken; fields in `asked` are added to it (`none` alone: no field is direct), those in
    `only` replace it. SettingsError: a name that no profile has; or nothing is recognised and nothing said, unless all
    fields are long texts, which have none by nature.
    """
    known = population.named_fields()
    named = [name for name in (only or asked) if name not in (AUTO, NONE)]
    missing = [name for name in named if name not in known]
    if missing:
        raise SettingsError(f"no profile has a field {missing[0]!r} to call direct; known: {', '.join(sorted(known))}")
    if NONE in (*asked, *only) and (named or len({*asked, *only} - {AUTO}) > 1):
        raise SettingsError("direct: none stands alone")
    if NONE in only or (NONE in asked and not only):
        return {}
    recognised = recognised_fields(population)
    fields = {} if only else dict(recognised)
    fields |= {name: recognised.get(name, "") for name in named}
    if not fields and known and not of_texts(population):
        raise SettingsError(
            "no field of the people table was recognised as a name, contact, number, birth date or address: say which are"
            f" (--direct FIELD,…), or that there is none (--direct none); fields: {', '.join(sorted(known))}"
        )
    return fields


def recognised_fields(population: Population) -> DirectFields:
    """The fields that names and values say are direct, and what each holds."""
    kinds = {name: _kind(name, tuple(_values(population.full, name))) for name in population.named_fields()}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def of_texts(population: Population) -> bool:
    """True if every field is a long text: such a population has no direct fields by nature."""
    lengths = [
        median(map(len, values)) for name in population.named_fields() if (values := _values(population.full, name))
    ]
    return bool(lengths) and min(lengths) >= LONG_VALUE


def _values(profiles: Sequence[Profile], field: str) -> list[str]:
    """Up to `SAMPLE` values of a field, evenly over the table."""
    stated = [value for profile in profiles if (value := profile.fields.get(field, "").strip())]
    return stated[:: max(1, len(stated) // SAMPLE)][:SAMPLE]


# A run asks several times for the same few fields, and rules read every value.
@lru_cache(maxsize=32)
def _kind(name: str, values: tuple[str, ...]) -> Kind | None:
    """The kind of a field by its name or else by its values, None where it is not direct."""
    said = field_kind(name)
    if said == "date" and values and not _dated(values, said=True) and _share(map(_is_no_day, values)) >= _MANY:
        return None  # years alone, or places
    if said and is_doubtful(name) and len(set(values)) < _several(values):
        said = None  # "AD" is a name in Turkish, and elsewhere says yes or no
    kind = said or kind_of_values(values)
    # Whoever or whatever else such a field holds is called by names as well, and found on pages of its own.
    if of_others(name) and (kind == "name" or (kind == "contact" and _share(map(_is_page, values)) >= _MANY)):
        return None
    return kind


def _is_no_day(value: str) -> bool:
    return sum(c.isdecimal() for c in value) < _FEWEST_DIGITS


def _is_page(value: str) -> bool:
    return "//" in value or value.lower().startswith("www.")


def texts_left(population: Population, direct: DirectFields) -> tuple[str, ...]:
    """Fields of words that are not direct, so that somebody sees which of them should be."""
    left = [name for name in population.named_fields() if name not in direct]
    return tuple(name for name in left if _share(map(_in_words, _values(population.full, name))) >= _MANY)


def _in_words(value: str) -> bool:
    return bool(_LETTERS.search(value)) and len(value) < LONG_VALUE


def _dated(values: Sequence[str], *, said: bool = False) -> bool:
    """True if most values are days; plain numbers only where the field's name says so."""
    return _share(bool(days_of(value, dated=said)) for value in values) >= _MANY


def kind_of_values(values: Sequence[str]) -> Kind | None:
    """The kind of direct identifier that the values of a field of an unknown name look like, or None."""
    short = [value for value in values if len(value) < LONG_VALUE]
    if not values or len(short) < _MOST * len(values):
        return None
    if _dated(short):
        return "date" if _of_births(short) else None
    kinds = (tell(short) for tell in (_by_rules, _by_pieces, _by_shape, _by_names))
    return next((kind for kind in kinds if kind is not None), None)


def _of_births(values: Sequence[str]) -> bool:
    """True if dates lie as those of births do: over generations, few of them the same."""
    years = sorted(min(day.year or 0 for day in days) for value in values if (days := days_of(value)))
    if len(years) < 5:
        return False
    trimmed = years[len(years) // 20 : len(years) - len(years) // 20]
    return trimmed[-1] - trimmed[0] >= _GENERATION and len(set(values)) >= _MANY * len(values)


def _by_rules(values: Sequence[str]) -> Kind | None:
    """The kind that rules find in most values, each of them whole."""
    rules, counts = Rules(), Counter[Kind]()
    for value in values:
        covering = (
            _LABELS[span.label] for span in rules.proposals(value)
            if span.label in _LABELS and span.end - span.start >= _MOST * len(value)
        )  # fmt: skip
        counts.update(set(covering))
    kind, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    several = len(set(values)) >= _MANY * len(values)
    return kind if several and count >= _MANY * len(values) else None


def _by_shape(values: Sequence[str]) -> Kind | None:
    """`number` where nearly every value is another one of the same shape, in one piece and with many digits."""
    if len(values) < 5 or len(set(values)) < 0.95 * len(values):
        return None
    shapes = Counter(_LETTERS.sub("a", _FIGURES.sub("9", value)) for value in values)
    alike = sum(count for _, count in shapes.most_common(2))
    shape = shapes.most_common(1)[0][0]
    many = shape.count("9") >= _FEWEST_DIGITS and "," not in shape and not re.search(r"^9*\.9+$", shape)
    return "number" if many and alike >= _MOST * len(values) else None


def _by_names(values: Sequence[str]) -> Kind | None:
    """`name` where values are short rows of capitalised words, many of them common names of people."""
    common = _share(map(holds_common_name, values))
    short = _share(len(folded_runs(value)) <= _LONGEST_NAME and not _FIGURES.search(value) for value in values)
    if _share(_looks_named(value) for value in values) < _MOST and not (common >= _MANY and short >= _MOST):
        return None
    return "name" if len(set(values)) >= _several(values) and common >= _SOME else None


def _several(values: Sequence[str]) -> float:
    """The number of values that must be different ones, to be names."""
    return max(min(len(values), 20) * _FEW, len(values) * _FEWEST_NAMES)


def _by_pieces(values: Sequence[str]) -> Kind | None:
    """The kind of values that hold several things: "" where names are among them, else `contact`."""
    rows = [pieces_of(value) for value in values]
    if len(set(values)) < _MANY * len(values) or _share(row.several for row in rows) < _MANY:
        return None
    reached = _share(bool(row.mails or any(map(_is_phone, row.numbers))) for row in rows) >= _MANY
    apart = (
        _share(len(row.mails) + len(row.numbers) > 1 or any(n[0] in "+0(" for n in row.numbers) for row in rows)
        >= _MANY
    )
    if _share(map(_names_in_pieces, rows)) >= _MANY and (
        _with_births(values, rows) or _with_own(values, rows, reached)
    ):
        return ""
    return "contact" if reached and apart else None


def _with_births(values: Sequence[str], rows: Sequence[Pieces]) -> bool:
    """True if most values hold a day beside a name, and days that lie as those of births do or are called such."""
    days = [day for row in rows for day in row.days]
    if _share(bool(row.days) for row in rows) < _MANY or len({day.year for day in days}) < 2:
        return False
    called = _share(bool(_BORN.search(value)) for value in values) >= _MANY
    several = len({text for row in rows for text in row.texts}) >= _several(values)
    return several and (_spread(days) or called or _apart(rows, values))


def _with_own(values: Sequence[str], rows: Sequence[Pieces], reached: bool) -> bool:
    """True if names stand beside what each person has of their own: a phone, an address of e-mail, a number."""
    said = _share(any(map(holds_common_name, row.texts)) for row in rows) >= _SOME
    said = said or _share(row.relations > 0 for row in rows) >= _SOME
    if reached and said and len({text for row in rows for text in row.texts}) >= _several(values):
        return True
    if not _apart(rows, values):
        return False
    if _share(bool(row.mails) for row in rows) >= _MANY:
        held = zip(values, rows, strict=True)
        return _share(bool(_BOX.search(value)) or _in_mailbox(row) for value, row in held) >= _MANY
    numbers = [number for row in rows for number in row.numbers]
    return _share(bool(row.numbers) for row in rows) >= _MOST and len(set(numbers)) >= 0.95 * len(numbers)


def _in_mailbox(row: Pieces) -> bool:
    """True if the mailbox beside a name is called by it."""
    boxes = " ".join(mail.partition("@")[0].lower() for mail in row.mails)
    return any(len(word) > 2 and word in boxes for text in row.texts for word in folded_runs(text))


def _apart(rows: Sequence[Pieces], values: Sequence[str]) -> bool:
    """True if nearly every value has words of its own, all written as names are, as no offices or findings are."""
    whole = [" ".join(text for text in row.texts if not text.islower()) for row in rows]
    return len(values) >= 5 and len(set(whole)) >= _MOST * len(whole) and _share(map(_in_capitals, whole)) >= _MOST


def _in_capitals(text: str) -> bool:
    row = _CAPITAL.findall(text)
    return len(row) > 1 and not _FIGURES.search(text) and all(word[0].isupper() for word in row)


def _names_in_pieces(row: Pieces) -> bool:
    return any(_looks_named(text) or holds_common_name(text) for text in row.texts)


def _is_phone(number: str) -> bool:
    """True if figures are grouped, or begin, as those of phones do; values measured have single figures ("5.4 6.1")."""
    groups = _GROUP.findall(number)
    return len("".join(groups)) >= _SHORTEST_PHONE and (
        number[0] in "+0(" or (len(groups) > 1 and min(map(len, groups)) > 1)
    )


def _spread(days: Iterable[Day]) -> bool:
    years = sorted(day.year for day in days if day.year is not None and day.year >= 100)
    trimmed = years[len(years) // 20 : len(years) - len(years) // 20]
    return len(trimmed) >= 5 and trimmed[-1] - trimmed[0] >= _GENERATION


def unreadable(population: Population, direct: DirectFields) -> dict[str, tuple[int, int]]:
    """Of each direct field with values that cannot be read as its kind: how many these are, of how many that say something.

    A day of birth that is none, a phone without figures, an e-mail address without "@", a name without letters.
    """
    counts = {}
    for name, kind in direct.items():
        said = [value for profile in population.full if not says_nothing(value := profile.fields.get(name, ""))]
        mail = kind == "contact" and _share("@" in value for value in said) >= _MANY
        odd = sum(not _readable(value, kind, mail=mail) for value in said)
        # Contacts of which none is a phone or an address are names of users.
        if odd and (kind != "contact" or 2 * odd < len(said)):
            counts[name] = (odd, len(said))
    return counts


def _readable(value: str, kind: Kind, *, mail: bool) -> bool:
    """True if a value may be of its kind."""
    if kind == "date":
        return bool(days_of(value, dated=True) or pieces_of(value).days)
    if mail:
        return "@" in value
    if kind == "contact":
        return "@" in value or "://" in value or sum(c.isdecimal() for c in value) >= _FEWEST_DIGITS
    if kind == "number":
        return any(c.isdecimal() for c in value)
    return any(c.isalpha() for c in value) if kind in ("name", "address") else True


def _looks_named(value: str) -> bool:
    row = _CAPITAL.findall(value)
    capitals = sum(word[:1].isupper() for word in row)
    return 0 < len(row) <= _LONGEST_NAME and not _FIGURES.search(value) and capitals >= len(row) / 2


def _share(marks: Iterable[bool]) -> float:
    row = list(marks)
    return sum(row) / len(row) if row else 0.0


def names_of(population: Population, direct: DirectFields | None = None) -> NameIndex:
    """Everybody's name words, from the direct fields and those that are called names; not of those close to them."""
    every = {**recognised_fields(population), **(direct or {})}
    named = {name: kind for name, kind in every.items() if kind in ("name", "") and not of_kin(name)}
    return name_index(direct_identifiers(profile, named).single for profile in population.full)
