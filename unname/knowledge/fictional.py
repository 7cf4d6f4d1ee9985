"""A fictional town: made-up people with known truth, for `unname demo` and for tests.

Every person has a registry profile, and one to three notes that say who they are directly (a name, a village) and
indirectly (an age, a described trade). Nobody in it exists. Sentences come from a small grammar with many choices,
so that no boilerplate recurs often enough to give notes away as templates.

Families live in blocks of twelve people, and a block depends on the seed and its own number only: person 7 is the
same in a town of ten and in a town of a hundred thousand. The truth leaves something out: pronouns, titles and
possessives hint at sex and marital status too, but marking every "she" would say nothing about masking.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from itertools import accumulate
from random import Random
from types import MappingProxyType
from typing import TypeVar

from unname.errors import SettingsError
from unname.knowledge import fictional_words as lists
from unname.types import Document, Profile, Span

_T = TypeVar("_T")

_BLOCK = 12
_NOTES_FROM, _NOTES_TO = date(2021, 1, 11), date(2024, 12, 20)
_YOUNGEST, _OLDEST, _RETIRED = 2002, 1928, 66
_SHORT, _LONG = 75, 130
_NAMES = frozenset(("given name", "family name", "phone", "record number", "spouse", "next of kin", "children"))
_MONTHS = "January February March April May June July August September October November December"
_TENS = "teens twenties thirties forties fifties sixties seventies eighties nineties"
_ONES = "no one two three four five six seven eight nine"
_WHO = """age job exjob employer exemployer own home street birthplace native spouse marital kin children hobby
history physician contact record nickname"""


@dataclass(frozen=True, slots=True, repr=False)
class Town:
    """A made-up town: its registry, the notes about its people, and the words that give them away.

    `truth` maps a document's id to spans that are sorted and disjoint: `label` is the profile field, `kind` is
    'direct' for names (relatives' too), phone and record numbers and 'quasi' for the rest, and `entity` is
    'indirect' where the words only hint at the field's value. `Document.spans` holds the same spans.
    """

    profiles: tuple[Profile, ...]
    documents: tuple[Document, ...]
    truth: Mapping[str, tuple[Span, ...]]

    def __repr__(self) -> str:
        return f"Town({len(self.profiles)} profiles, {len(self.documents)} documents)"


def fictional_town(*, people: int = 2000, seed: int = 0, noted: int | None = None) -> Town:
    """Make a town of `people` patients with one to three notes each, the same for the same seed.

    Only the first `noted` have notes, where that is given: a registry of a million is made faster than their notes.
    Raises SettingsError if `people` is negative.
    """
    if people < 0:
        raise SettingsError(f"people must not be negative, got {people}; give 0 or more")
    profiles: list[Profile] = []
    documents: list[Document] = []
    for number in range(-(-people // _BLOCK)):
        for person in _block(seed, number)[: people - number * _BLOCK]:
            profile = Profile(f"p{person.index + 1:06d}", person.registry())
            profiles.append(profile)
            if noted is not None and person.index >= noted:
                continue
            for writer, about in _notes(person, _random(seed, person.index, "notes")):
                name, text = f"note-{len(documents) + 1:06d}", "".join(writer.parts)
                documents.append(Document(name, text, profile.id, None, tuple(writer.spans), about))
    truth = MappingProxyType({document.id: document.spans for document in documents})
    return Town(tuple(profiles), tuple(documents), truth)


# --- people


@dataclass(frozen=True, slots=True, repr=False)
class _Relative:
    """Someone a note may name, a resident of the town or not: `word` is their relation to the patient."""

    given: str
    family: str
    word: str
    trade: str = ""


@dataclass(slots=True, repr=False)
class _Person:
    index: int
    birth: date
    facts: dict[str, str]
    trade: tuple[str, ...]
    event: tuple[str, int] | None
    spouse: _Relative | None = None
    kin: _Relative | None = None
    children: dict[str, int] = field(default_factory=dict)

    @property
    def female(self) -> bool:
        return self.facts["sex"] == "female"

    def age(self, day: date) -> int:
        return day.year - self.birth.year - ((day.month, day.day) < (self.birth.month, self.birth.day))

    def registry(self) -> dict[str, str]:
        """The fields of the profile; what a person does not have is left out."""
        fields = dict(self.facts)
        for name, relative in (("spouse", self.spouse), ("next of kin", self.kin)):
            fields[name] = f"{relative.given} {relative.family}" if relative else ""
        fields["children"] = ", ".join(self.children)
        fields["event"] = f"{self.event[0]} {self.event[1]}" if self.event else ""
        return {name: value for name, value in fields.items() if value}


def _random(seed: int, number: int, purpose: str) -> Random:
    digest = hashlib.sha256(f"{seed}:{number}:{purpose}".encode()).digest()
    return Random(int.from_bytes(digest[:8], "big"))


def _block(seed: int, number: int) -> list[_Person]:
    """Twelve people in families; relatives and friends who are residents are all within the block."""
    rng = _random(seed, number, "block")
    people: list[_Person] = []
    while len(people) < _BLOCK:
        shape = rng.choices(("alone", "couple", "parent", "siblings", "three"), (30, 24, 16, 8, 22))[0]
        if {"alone": 1, "three": 3}.get(shape, 2) <= _BLOCK - len(people):
            people += _family(rng, seed, number * _BLOCK + len(people), shape)
    for person in people:
        if person.kin is None and (person.spouse is None or rng.random() < 0.4):
            other = rng.choice(people)
            if other.facts["family name"] != person.facts["family name"] and rng.random() < 0.5:
                person.kin = _relative(rng, other, "friend")
            else:
                word = rng.choice(("brother", "sister", "cousin", "nephew", "niece"))
                given = _given(rng, word in ("sister", "niece") or (word == "cousin" and rng.random() < 0.5))
                person.kin = _Relative(given, person.facts["family name"], word)
    return people


def _family(rng: Random, seed: int, index: int, shape: str) -> list[_Person]:
    surname, home = _skewed(rng, _surnames(), 0.75), _home(rng)
    latest = 1978 if shape in ("parent", "three") else _YOUNGEST
    born = int(rng.triangular(_OLDEST, latest, 1952))
    first = _person(rng, seed, index, surname, rng.random() < 0.5, born, home)
    members = [first]
    if shape in ("couple", "three"):
        alike = shape == "couple" and rng.random() < 0.04
        name = surname if rng.random() < 0.85 else _skewed(rng, _surnames(), 0.75)
        born = min(_YOUNGEST, max(_OLDEST, born + rng.randint(-6, 6)))
        second = _person(rng, seed, index + 1, name, first.female == alike, born, home)
        first.facts["marital status"] = second.facts["marital status"] = "married"
        first.spouse = _relative(rng, second, "wife" if second.female else "husband")
        second.spouse = _relative(rng, first, "wife" if first.female else "husband")
        members.append(second)
        first.children = second.children = _offspring(rng, max(m.birth.year for m in members))
    else:
        _settle(rng, first, parent=shape == "parent")
    if shape in ("parent", "three"):
        born = min(_YOUNGEST, max(m.birth.year for m in members) + rng.randint(21, 34))
        child = _person(rng, seed, index + len(members), surname, rng.random() < 0.5, born, _home(rng))
        _settle(rng, child)
        child.kin = _relative(rng, first, "mother" if first.female else "father")
        first.children[child.facts["given name"]] = born
        first.kin = _relative(rng, child, "daughter" if child.female else "son")
        members.append(child)
    elif shape == "siblings":
        born = min(_YOUNGEST, max(_OLDEST, born + rng.choice((-7, -4, -3, -2, 2, 3, 5, 8))))
        second = _person(rng, seed, index + 1, surname, rng.random() < 0.5, born, _home(rng))
        _settle(rng, second)
        first.kin = _relative(rng, second, "sister" if second.female else "brother")
        second.kin = _relative(rng, first, "sister" if first.female else "brother")
        members.append(second)
    return members


def _settle(rng: Random, person: _Person, *, parent: bool = False) -> None:
    """Give someone who is not half of a resident couple a marital status, and perhaps a spouse elsewhere."""
    age = 2021 - person.birth.year
    weights = (30 * (not parent), 30 * (age > 24 and not parent), 22 * (age > 30), 40 * (age > 62), 5 * (not parent))
    status = rng.choices(("single", "married", "divorced", "widowed", "single"), weights)[0]
    person.facts["marital status"] = status
    if status == "married":
        given, word = _given(rng, not person.female), "husband" if person.female else "wife"
        person.spouse = _Relative(given, person.facts["family name"], word)
    if status != "single":
        person.children = _offspring(rng, person.birth.year)


def _offspring(rng: Random, born: int) -> dict[str, int]:
    years = sorted(born + rng.randint(20, 36) for _ in range(rng.choices((0, 1, 2, 3), (25, 30, 32, 13))[0]))
    return {_given(rng, rng.random() < 0.5): year for year in years if year < 2020}


def _person(
    rng: Random, seed: int, index: int, surname: str, female: bool, born: int, home: tuple[str, str]
) -> _Person:
    birth = date(born, 1, 1) + timedelta(days=rng.randrange(365))
    trade = _skewed(rng, [row for row in _rows(lists.OCCUPATIONS) if int(row[1]) <= 2020 - born], 0.75)
    ill = [row for row in _rows(lists.CONDITIONS) if int(row[1]) <= 2021 - born]
    count = rng.choices((0, 1, 2, 3), (45, 35, 15, 5) if born > 1975 else (10, 35, 35, 20))[0]
    away = _skewed(rng, _rows(lists.OUTSIDE if rng.random() < 0.5 else lists.VILLAGES), 0.6)[0]
    facts = {
        "given name": _given(rng, female),
        "family name": surname,
        "birth date": birth.isoformat(),
        "sex": "female" if female else "male",
        "occupation": trade[0],
        "employer": rng.choice(trade[2].split(", ")).replace("self", "self-employed"),
        "village": home[0],
        "street": home[1],
        "birth place": home[0] if rng.random() < 0.35 else away,
        "phone": f"0555 {rng.randrange(100, 1000)} {rng.randrange(10_000):04d}",
        # Multiplying by a number prime to the modulus gives everybody a record number of their own.
        "record number": f"MG {(index * 7_368_787 + seed * 104_729 + 4_391_207) % 9_999_991:07d}",
        "physician": _skewed(rng, _rows(lists.PHYSICIANS), 0.6)[0],
        "marital status": "single",
        "hobby": _skewed(rng, _rows(lists.HOBBIES), 0.7)[0],
        "conditions": ", ".join(dict.fromkeys(_skewed(rng, ill, 0.7)[0] for _ in range(count))),
    }
    lived = born + 18 < 2016 and rng.random() < 0.22
    event = (_skewed(rng, _rows(lists.EVENTS), 0.5)[0], rng.randint(born + 18, 2019)) if lived else None
    return _Person(index, birth, facts, trade, event)


def _relative(rng: Random, person: _Person, word: str) -> _Relative:
    # A way to tell a trade that says "his" would speak of the patient, not of the relative.
    ways = [way for way in person.trade[3].split(" / ") if "<" not in way]
    trade = rng.choice(ways) if 2024 - person.birth.year < _RETIRED else ""
    return _Relative(person.facts["given name"], person.facts["family name"], word, trade)


def _home(rng: Random) -> tuple[str, str]:
    village, street = _skewed(rng, _rows(lists.VILLAGES), 0.85)[0], _skewed(rng, _rows(lists.STREETS), 0.4)[0]
    return village, f"{rng.randint(1, 60)} {street}"


def _given(rng: Random, female: bool) -> str:
    return _skewed(rng, _split(lists.FEMALE if female else lists.MALE), 0.7)


@cache
def _surnames() -> tuple[str, ...]:
    made = [start + end for start in _split(lists.FAMILY_STARTS) for end in _split(lists.FAMILY_ENDS)]
    return (*_split(lists.FAMILY), *sorted(made, key=lambda name: hashlib.sha256(name.encode()).digest()))


def _skewed(rng: Random, items: Sequence[_T], exponent: float) -> _T:
    """One of the items, the first the likeliest, as Zipf has it."""
    return rng.choices(items, cum_weights=_zipf(len(items), exponent))[0]


@cache
def _zipf(count: int, exponent: float) -> tuple[float, ...]:
    return tuple(accumulate((rank + 1) ** -exponent for rank in range(count)))


# --- notes


def _notes(person: _Person, rng: Random) -> Iterator[tuple["_Writer", dict[str, str]]]:
    count = rng.choices((1, 2, 3), (28, 42, 30))[0]
    days = sorted(rng.sample(range((_NOTES_TO - _NOTES_FROM).days), count))
    fitting = [row for row in _rows(lists.PROBLEMS) if int(row[1]) <= person.age(_NOTES_FROM)]
    for after, problem in zip(days, rng.sample(fitting, count), strict=True):
        day = _NOTES_FROM + timedelta(days=after)
        genre = rng.choice([row for row in _rows(lists.GENRES) if problem[0] in row[-1] or len(row) < 6])
        retired = person.age(day) >= _RETIRED
        untrue = ("job", "employer", "own") if retired else ("exjob", "exemployer")
        writer = _Writer(rng, _slots(person, problem, day, rng))
        _tell(writer, genre, [topic for topic in _split(_WHO) if topic not in untrue])
        yield writer, {"genre": genre[1].split(" / ")[0].lower(), "date": day.isoformat()}


def _tell(writer: "_Writer", genre: tuple[str, ...], who: list[str]) -> None:
    """Write a heading, an opening, the story in order, then the patient's facts mixed with small talk, and an ending."""
    opening, headings, story, talk, ending = genre[:5]
    rng, gap = writer.rng, writer.rng.choice((" ", "\n\n"))
    middle = ["event"] * (rng.random() < 0.6) + rng.sample(who, rng.randint(5, 8)) + rng.sample(talk.split(), 2)
    rng.shuffle(middle)
    writer.sentence(writer.pick(_ways(headings)), "")
    _say(writer, "heading", "")
    _say(writer, "dear" if "letter" in headings and rng.random() < 0.5 else "re", "\n")
    _say(writer, opening, "\n\n")
    for topic in story.split():
        if topic == story.split()[0] or rng.random() < 0.55:
            _say(writer, topic)
    before, limit = gap, rng.randint(_SHORT, _LONG)
    for topic in dict.fromkeys((*middle, *rng.sample(who, len(who)), *talk.split())):
        if (writer.count < limit or len(writer.spans) < 3) and _say(writer, topic, before):
            before = " "
    for topic in ending.split():
        gap = " " if _say(writer, topic, gap) else gap


def _say(writer: "_Writer", topic: str, before: str = " ") -> bool:
    """Write a sentence on a topic, if there is one whose slots are all open here."""
    slots = writer.slots.keys()
    fitting = tuple(phrase for phrase, needs in _topics()[topic] if slots >= needs)
    if fitting:
        writer.sentence(writer.pick(fitting), before)
    return bool(fitting)


def _slots(person: _Person, problem: tuple[str, ...], day: date, rng: Random) -> "_Slots":
    """The phrases open to sentences of one note: a note that only hints has no slot for a name."""
    style = rng.choices(("hints", "nameless", "named"), (30, 15, 55))[0]
    slots = dict(_common(person.female))
    for name, cell in zip(("np", "on", "co", "fi", "te", "tr", "ad"), problem[2:], strict=True):
        ways = _ways(cell)
        picked = rng.sample(range(len(ways)), 2)
        # Treatments are listed in the order in which they happen.
        one, two = (ways[i] for i in (sorted(picked) if name == "tr" else picked))
        slots |= {name: (one, two)} if name == "np" else {name: (one,), name + "2": (two,)}
    slots["side"] = ((rng.choice(("left", "right")),),)
    slots["today"] = _literal(*_dates(day))
    slots["before"] = _literal(*_dates(day - timedelta(days=rng.randint(2, 9))))
    for name, label, cell in (*_hints(person), *_hints_of_time(person, day)):
        if cell:
            slots[name] = ((_Mark(label, "indirect", _ways(cell)),),)
    if style != "hints":
        for name, label, values in _facts(person):
            if values[0] and (style == "named" or label not in _NAMES):
                slots[name] = ((_Mark(label, "", _literal(*values)),),)
    if style == "named":
        slots |= _naming(person, rng)
    return slots


@cache
def _common(female: bool) -> "_Slots":
    pronouns = ("she", "her", "her") if female else ("he", "him", "his")
    words = {name: _literal(word) for name, word in zip(("he", "him", "his"), pronouns, strict=True)}
    return words | {"a": ((),)} | {name: _ways(cell) for name, cell in _known(lists.EVERYONE).items()}


def _naming(person: _Person, rng: Random) -> "_Slots":
    """The ways a note names the patient: in full, and the short way that this note keeps to."""
    given, family = (("given name", person.facts["given name"]), ("family name", person.facts["family name"]))
    first, last = (_Mark(label, "", _literal(name)) for label, name in (given, family))
    initial, letter = (_Mark(label, "", _literal(name[0])) for label, name in (given, family))
    missus = person.facts["marital status"] in ("married", "widowed")
    title = ("Mrs " if missus else rng.choice(("Ms ", "Miss "))) if person.female else "Mr "
    short = rng.choice(((title, last), (title, last), (title, last), (first,), (first,), (title, letter)))
    formal = ((initial, ". ", last), (title, initial, " ", last), (title, first, " ", last))
    full = ((first, " ", last), (first, " ", last), *formal)
    names: _Slots = {"full": full, "ref": (*full, (title, last)), "S": (*_ways("<he>") * 5, short, short)}
    if person.children:
        marks = [_Mark("children", "", _literal(name)) for name in person.children]
        names["child"] = tuple((mark,) for mark in marks)
        joints = [", "] * (len(marks) - 2) + [" and ", ""]
        names["children"] = (tuple(part for pair in zip(marks, joints[-len(marks) :], strict=True) for part in pair),)
    return names


def _facts(person: _Person) -> Iterator[tuple[str, str, Sequence[str]]]:
    """Slots that say a field outright: slot, field and the ways its value is written."""
    facts = person.facts
    for slot, name in (("job", "occupation"), ("village", "village"), ("street", "street"), ("hobby", "hobby")):
        yield slot, name, (facts[name],)
    yield "own" if facts["employer"] == "self-employed" else "employer", "employer", (facts["employer"],)
    yield "marital", "marital status", (facts["marital status"],)
    yield "physician", "physician", (facts["physician"].removeprefix("Dr "),)
    yield "condition", "conditions", facts["conditions"].split(", ")
    yield "birth", "birth date", _dates(person.birth)
    yield "birthyear", "birth date", (str(person.birth.year),)
    yield "nickname", "given name", (lists.NICKNAMES.get(facts["given name"], ""),)
    if facts["birth place"] != facts["village"]:
        yield "birthplace", "birth place", (facts["birth place"],)
    phone, record = facts["phone"], facts["record number"]
    yield "phone", "phone", (phone, phone.replace(" ", "-"), phone.replace(" ", ""), phone.replace(" ", "/", 1))
    yield "record", "record number", (record, record.replace(" ", ""), record.replace(" ", "-"), record[3:])
    for slot, name, relative in (("spouse", "spouse", person.spouse), ("kin", "next of kin", person.kin)):
        if relative:
            yield slot, name, (relative.given, f"{relative.given} {relative.family}")
    if person.event:
        yield "event", "event", (person.event[0], f"{person.event[0]} {person.event[1]}")


def _hints(person: _Person) -> Iterator[tuple[str, str, str]]:
    """Slots that only hint at a field: slot, field and ways that hold none of the value's words."""
    facts, trade = person.facts, person.trade
    village, employer = facts["village"], facts["employer"]
    yield "man~", "sex", "woman / lady" if person.female else "man / gentleman"
    yield "job~", "occupation", trade[3]
    yield "place~", "occupation", trade[4]
    yield "village~", "village", _known(lists.VILLAGES)[village]
    yield "street~", "street", _known(lists.STREETS)[facts["street"].split(" ", 1)[1]]
    yield "physician~", "physician", _known(lists.PHYSICIANS)[facts["physician"]]
    yield "hobby~", "hobby", _known(lists.HOBBIES)[facts["hobby"]]
    if employer == "self-employed":
        yield "own~", "employer", "<his> own boss / <his> own master"
    else:
        yield "employer~", "employer", _known(lists.EMPLOYERS)[employer]
    if facts["birth place"] == village:
        yield "native~", "birth place", lists.NATIVE
    else:
        place = facts["birth place"]
        yield "birthplace~", "birth place", _known(lists.VILLAGES).get(place) or _known(lists.OUTSIDE)[place]
    if facts["conditions"]:
        known = _known(lists.CONDITIONS)
        yield "condition~", "conditions", " / ".join(known[name] for name in facts["conditions"].split(", "))
    if person.event:
        yield "event~", "event", _known(lists.EVENTS)[person.event[0]]
    yield "marital~", "marital status", _known(lists.MARITAL)[facts["marital status"]]
    if facts["marital status"] != "married":
        yield "lone~", "marital status", _known(lists.MARITAL)[facts["marital status"]]
    if person.spouse:
        yield "spouse.word~", "spouse", person.spouse.word
        yield "spouse~", "spouse", f"<his> {person.spouse.word}"
    if person.kin:
        word, way = person.kin.word, person.kin.trade
        yield "kin.word~", "next of kin", word
        busy = f"<a> {word} who (makes a living|spends the days) {way}"
        yield "kin~", "next of kin", busy if way else f"<his> {word}"


def _hints_of_time(person: _Person, day: date) -> Iterator[tuple[str, str, str]]:
    """Slots that hint at a field by counting the years to the day of the note."""
    age, years = person.age(day), day.year - person.birth.year
    tens, ones = divmod(age, 10)
    decade = f"{('early ', 'mid-', 'late ')[(ones > 3) + (ones > 6)]}{_split(_TENS)[tens - 1]}"
    spelt = f"{_split(_TENS)[tens - 1][:-3]}y{'-' + _split(_ONES)[ones] if ones else ''}" if tens > 1 else str(age)
    near = f" / nearing {_split(_TENS)[tens][:-3]}y" if ones > 7 and tens < 9 else ""
    yield "age~", "birth date", f"{age}-year-old / {age}-year-old / {spelt}-year-old"
    yield "years~", "birth date", f"{age} / {age} / {spelt}"
    yield "aged~", "birth date", f"{age} years old / {age} years of age / aged {age} / in <his> {decade}{near}"
    birthday = date(day.year, person.birth.month, min(person.birth.day, 28))
    left = (birthday - day).days
    if 10 < left < 150:
        season = ("winter", "spring", "summer", "autumn")[birthday.month % 12 // 3]
        soon = f"will turn {years} this {season} / has a birthday this {season} and will be {years}"
        yield "birthday~", "birth date", soon
    elif -60 < left < -10:
        yield "birthday~", "birth date", f"has just turned {years} / turned {years} (not long ago|a few weeks ago)"
    if person.event:
        yield "ago~", "event", f"{day.year - person.event[1]} years ago"
    if person.children:
        word, count = "mother" if person.female else "father", _split(_ONES)[len(person.children)]
        grown = max(person.children.values()) < day.year - 20 and count != "one"
        more = f" / <a> {word} of {count} adults / the {word} of {count} grown-up children" if grown else ""
        yield "children~", "children", f"the {word} of {count} / <a> {word} of {count}{more}"


def _dates(day: date) -> tuple[str, ...]:
    month = _split(_MONTHS)[day.month - 1]
    named = f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}", f"{day.day} {month[:3]} {day.year}"
    return *named, f"{day.day:02d}/{day.month:02d}/{day.year}", f"{day.day}.{day.month}.{day.year}"


# --- the grammar: a phrase is text, slots, choices, numbers and marks


@dataclass(frozen=True, slots=True)
class _Slot:
    name: str


@dataclass(frozen=True, slots=True)
class _Number:
    low: int
    high: int
    decimals: bool


@dataclass(frozen=True, slots=True)
class _Choice:
    options: "tuple[_Phrase, ...]"


@dataclass(frozen=True, slots=True)
class _Mark:
    """Text that gives a field away; it is written as one span."""

    label: str
    entity: str
    options: "tuple[_Phrase, ...]"


_Phrase = tuple[str | _Slot | _Number | _Choice | _Mark, ...]
_Slots = dict[str, tuple[_Phrase, ...]]


def _literal(*texts: str) -> tuple[_Phrase, ...]:
    return tuple((text,) for text in texts)


@cache
def _parse(template: str) -> _Phrase:
    options = _options(iter(re.findall(r"<a> ?|<[^>]*>|[()|]|[^<>()|]+", template)))
    return options[0] if len(options) == 1 else (_Choice(options),)


def _options(pieces: Iterator[str]) -> tuple[_Phrase, ...]:
    done: list[_Phrase] = []
    phrase: _Phrase = ()
    for piece in pieces:
        if piece == ")":
            break
        if piece == "|":
            done.append(phrase)
            phrase = ()
        elif piece == "(":
            phrase += (_Choice(_options(pieces)),)
        elif piece[:2] in ("<#", "<%"):
            low, high = piece[2:-1].split("-")
            phrase += (_Number(int(low), int(high), piece[1] == "%"),)
        else:
            phrase += (_Slot(piece.strip("<> ")) if piece[0] == "<" else piece,)
    return (*done, phrase)


def _needs(phrase: _Phrase) -> frozenset[str]:
    """The slots that some choice in a phrase uses."""
    inner = (_needs(option) for node in phrase if isinstance(node, _Choice) for option in node.options)
    own = {node.name for node in phrase if isinstance(node, _Slot)}
    return frozenset(own.union(*inner) - {"a"})


@cache
def _split(text: str) -> tuple[str, ...]:
    return tuple(text.split())


@cache
def _rows(table: str) -> tuple[tuple[str, ...], ...]:
    records = re.split(r"\n| ; ", table.strip().replace("\n    ", " "))
    return tuple(tuple(record.split(" = ")) for record in records)


@cache
def _known(table: str) -> dict[str, str]:
    return {row[0]: row[-1] for row in _rows(table)}


@cache
def _ways(cell: str) -> tuple[_Phrase, ...]:
    return tuple(_parse(way) for way in cell.split(" / "))


@cache
def _topics() -> dict[str, tuple[tuple[_Phrase, frozenset[str]], ...]]:
    return {name: tuple((way, _needs(way)) for way in _ways(cell)) for name, cell in _rows(lists.SENTENCES)}


class _Writer:
    """Text in the making: it keeps offsets, capital letters and a/an right."""

    def __init__(self, rng: Random, slots: _Slots) -> None:
        self.rng, self.slots = rng, slots
        self.parts: list[str] = []
        self.spans: list[Span] = []
        self.length = self.count = 0
        self.capital = self.article = False

    def sentence(self, phrase: _Phrase, before: str) -> None:
        self.put(before)
        first, self.capital = len(self.parts), True
        self.write(phrase)
        self.count += len(re.findall(r"\w+", "".join(self.parts[first:])))

    def write(self, phrase: _Phrase) -> None:
        for node in phrase:
            if isinstance(node, str):
                self.put(node)
            elif isinstance(node, _Choice):
                self.write(self.pick(node.options))
            elif isinstance(node, _Slot):
                self.article |= node.name == "a"
                self.write(self.pick(self.slots[node.name]))
            elif isinstance(node, _Mark):
                inner = _Writer(self.rng, self.slots)
                inner.write(self.pick(node.options))
                self.put("".join(inner.parts), node)
            else:
                tenths = self.rng.randint(node.low * 10, node.high * 10)
                self.put(f"{tenths // 10}.{tenths % 10}" if node.decimals else str(tenths // 10))

    def put(self, text: str, mark: _Mark | None = None) -> None:
        if not text:
            return
        if self.article:
            self.article = False
            self.put("an " if re.match(r"[aeiouAEIOU8]|1[18]\b", text) else "a ")
        if self.capital:
            text, self.capital = text[0].upper() + text[1:], False
        if mark:
            kind = "direct" if mark.label in _NAMES and not mark.entity else "quasi"
            self.spans.append(Span(self.length, self.length + len(text), mark.label, kind, mark.entity))
        self.parts.append(text)
        self.length += len(text)

    def pick(self, options: tuple[_Phrase, ...]) -> _Phrase:
        return options[int(self.rng.random() * len(options))]
