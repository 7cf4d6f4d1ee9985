"""A hundred and forty English hospital letters about as many patients, with the table of people that goes with them.

Seventy-five letters hold one fact that the table does not hold and that others could look up, each in words of its own.
Every letter has three to eight exact dates besides the date of birth, and traps: eponyms, drugs, devices, laboratory
values and doses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from benchmarks.made_up.marked import Value, Writer, sections
from unname.types import Document, Profile

COUNT = 140
FACTS: Mapping[str, int] = {
    "office": 15, "event": 15, "work": 10, "prize": 10, "employer": 10, "disease": 8, "headline": 7,
}  # fmt: skip
BIRTH, LETTER, VISIT = "birth", "letter", "visit"

_COMMON = ("header", "social", "closing", "earlier")
_PARTS = ("opening", "course", "findings", "plan")
_FIRST_DAY = date(2019, 1, 7)
_LAST_BIRTH_YEAR = 1995
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December")  # fmt: skip
_WRITTEN_DATES = (
    "{d} {month} {y}", "{d} {month} {y}", "{d}{th} {month} {y}", "{d:02}/{m:02}/{y}", "{d}/{m}/{yy:02}", "{d}.{m}.{y}",
    "{d:02}.{m:02}.{yy:02}", "{y}-{m:02}-{d:02}", "{d:02}-{mon}-{y}", "{month} {d}, {y}", "{d} {mon} {y}",
    "the {d}{th} of {month} {y}",
)  # fmt: skip
_HE = {"He": "He", "he": "he", "his": "his", "His": "His", "him": "him", "himself": "himself", "man": "man"}
_SHE = {"He": "She", "he": "she", "his": "her", "His": "Her", "him": "her", "himself": "herself", "man": "woman"}


@dataclass(frozen=True, slots=True)
class Fact:
    """The words of a letter that a fact cannot do without, and what kind of fact it is."""

    document: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class ExactDate:
    """A date to the day in a letter: the date of birth, that of the letter, or one of a visit, an operation or a stay."""

    document: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, repr=False)
class Letters:
    """Letters with all their spans, the table of their patients, and what is to be found in them."""

    documents: tuple[Document, ...]
    profiles: tuple[Profile, ...]
    facts: tuple[Fact, ...]
    dates: tuple[ExactDate, ...]

    def __repr__(self) -> str:
        return f"Letters({len(self.documents)} documents, {len(self.profiles)} profiles)"


@dataclass(frozen=True, slots=True)
class _Told:
    """A fact as it is written by hand: of whom it can be true, and the sentence."""

    kind: str
    sex: str
    born: tuple[int, int]
    sentence: str


@dataclass(frozen=True, slots=True)
class _Patient:
    id: str
    male: bool
    title: str
    first: str
    last: str
    born: date
    house: str
    town: str
    postcode: str
    phone: str
    email: str
    record: str
    nhs: str
    gp: str
    practice: str
    kin: str

    def profile(self) -> Profile:
        return Profile(self.id, {
            "name": f"{self.first} {self.last}", "birth_date": self.born.isoformat(),
            "address": f"{self.house}, {self.town}, {self.postcode}", "phone": self.phone, "email": self.email,
            "record_number": self.record, "nhs_number": self.nhs, "gp": f"Dr {self.gp}, {self.practice}",
            "next_of_kin": self.kin,
        })  # fmt: skip


class _Texts:
    """Everything written by hand: names, paragraphs by part, and paragraphs by department and part."""

    def __init__(self) -> None:
        self.lists: dict[str, list[str]] = {}
        self.common: dict[str, list[str]] = {part: [] for part in _COMMON}
        self.departments: dict[str, dict[str, list[str]]] = {}
        for title, body in sections("letters.en.txt"):
            if title in self.common:
                self.common[title].append(body)
            elif " = " in title:
                parts: dict[str, list[str]] = {part: [] for part in _PARTS}
                for line in body.splitlines():
                    part, _, text = line.partition(": ")
                    parts[part].append(text)
                self.departments[title.partition(" = ")[2]] = parts
            else:
                self.lists[title] = body.replace("\n", ", ").split(", ") if "names" in title else body.splitlines()
        for title in ("surnames", "doctors", "streets"):
            self.lists[title] = ", ".join(self.lists[title]).split(", ")


def letters() -> Letters:
    """The letters, always the same."""
    texts = _Texts()
    draw = Random("letters")  # noqa: S311 (invented people)
    told: list[_Told | None] = [*_told(), *[None] * (COUNT - sum(FACTS.values()))]
    draw.shuffle(told)
    surnames = draw.sample(texts.lists["surnames"], COUNT)
    departments = list(texts.departments)
    documents, profiles = [], []
    facts: list[Fact] = []
    dates: list[ExactDate] = []
    for number, (fact, surname) in enumerate(zip(told, surnames, strict=True)):
        own = Random(f"letter {number}")  # noqa: S311 (invented people)
        patient = _patient(own, texts, fact, surname, number)
        writer = _letter(own, texts, patient, fact, departments[number % len(departments)])
        document = Document(
            f"letter-{number + 1:03}", writer.text, person=patient.id, spans=tuple(sorted(writer.spans))
        )
        documents.append(document)
        profiles.append(patient.profile())
        facts += [Fact(document.id, start, end, fact.kind) for start, end in writer.facts if fact]
        dates += [ExactDate(document.id, *mark) for mark in writer.marks]
    return Letters(tuple(documents), tuple(profiles), tuple(facts), tuple(dates))


def _told() -> list[_Told]:
    told = []
    for kind, body in sections("facts.en.txt"):
        for line in body.splitlines():
            sex, born, sentence = line.split(" | ")
            first, last = born.split("-")
            told.append(_Told(kind, sex, (int(first), int(last)), sentence))
    return told


def _patient(draw: Random, texts: _Texts, fact: _Told | None, surname: str, number: int) -> _Patient:
    sex = fact.sex if fact and fact.sex != "*" else draw.choice("mf")
    years = fact.born if fact else (1930, _LAST_BIRTH_YEAR)
    born = date(draw.randint(years[0], min(years[1], _LAST_BIRTH_YEAR)), draw.randint(1, 12), draw.randint(1, 28))
    names = {"m": texts.lists["first names of men"], "f": texts.lists["first names of women"]}
    first = draw.choice(names[sex])
    kin = draw.choice([name for name in names[draw.choice("mf")] if name != first])
    town, district = draw.choice(texts.lists["towns"]).split(", ")
    house = f"{draw.randint(1, 98)} {draw.choice(texts.lists['streets'])}"
    letters_of = "ABDEFGHJLNPQRSTUWXYZ"
    digits = 100 + number * 37 % 900  # no two alike
    doctor = draw.randrange(len(texts.lists["doctors"]))
    practices = texts.lists["practices"]
    phones = (f"01632 960{digits}", f"07700 900{digits}", f"+44 1632 960 {digits}", f"(01632) 960-{digits}")
    plain = surname.lower().replace("'", "")
    emails = (f"{first[0].lower()}.{plain}@post.example", f"{plain}{born.year % 100:02}@mail.example")
    records = (
        f"{draw.choice(letters_of)}{draw.randint(100000, 999999)}",
        f"MRN-{draw.randint(10000, 99999)}-{number % 10}",
    )
    return _Patient(
        f"patient-{number + 1:03}",
        sex == "m",
        "Mr" if sex == "m" else draw.choice(("Mrs", "Mrs", "Ms", "Miss")),
        first,
        surname,
        born,
        house,
        town,
        f"{district} {draw.randint(1, 9)}{draw.choice(letters_of)}{draw.choice(letters_of)}",
        draw.choice(phones),
        draw.choice(emails),
        draw.choice(records),
        f"999 {draw.randint(100, 999)} {number:03}{draw.randint(0, 9)}",
        texts.lists["doctors"][doctor],
        practices[doctor % len(practices)],
        f"{kin} {surname}",
    )


def _letter(draw: Random, texts: _Texts, patient: _Patient, fact: _Told | None, department: str) -> Writer:
    parts = texts.departments[department]
    course, earlier = [draw.choice(parts["course"])], [draw.choice(texts.common["earlier"])]
    history = draw.choice((course, course, [*course, *earlier], earlier, []))
    social = draw.sample(texts.common["social"], 3 if not history else 2)
    if fact:
        social[draw.randrange(2)] = fact.sentence
    body = [
        draw.choice(parts["opening"]),
        *([" ".join(history)] if history else []),
        draw.choice(parts["findings"]),
        " ".join(social),
        draw.choice(parts["plan"]),
    ]
    writer = Writer(draw, _gaps(draw, texts, patient, department), male=patient.male)
    writer.fill("\n\n".join((draw.choice(texts.common["header"]), *body, draw.choice(texts.common["closing"]))))
    return writer


def _gaps(draw: Random, texts: _Texts, patient: _Patient, department: str) -> Callable[[str], Value | str]:
    days = _days(draw)
    first, last = patient.first, patient.last
    doctor = draw.choice([name for name in texts.lists["doctors"] if name != patient.gp])
    given = draw.choice(texts.lists["first names of women"] + texts.lists["first names of men"])
    initial = draw.choice("ABCDEFGHJKLMNPRST")
    listed = draw.choice((f"{last.upper()}, {first}", f"{last}, {first}", f"{last.upper()} {first}"))
    age = days["letter"].year - patient.born.year - (
        (days["letter"].month, days["letter"].day) < (patient.born.month, patient.born.day)
    )  # fmt: skip
    values: dict[str, Value | str] = {
        "Mr": Value(patient.title),
        "last": Value(last, "NAME", "patient"),
        "name": Value(f"{first} {last}", "NAME", "patient"),
        "caps": Value(f"{first} {last}".upper(), "NAME", "patient"),
        "listed": Value(listed, "NAME", "patient"),
        "kin": Value(patient.kin, "NAME", "kin"),
        "gp": Value(draw.choice((patient.gp, f"{initial}. {patient.gp}")), "NAME", "gp"),
        "gp2": Value(patient.gp, "NAME", "gp"),
        "doctor": Value(doctor, "NAME", "doctor"),
        "doctor full": Value(f"{given} {doctor}", "NAME", "doctor"),
        "practice": Value(patient.practice),
        "hospital": Value(texts.lists["hospitals"][len(department) % len(texts.lists["hospitals"])]),
        "department": Value(department),
        "address": f"[ADDRESS {patient.house}], [PLACE {patient.town}], [ADDRESS {patient.postcode}]",
        "phone": Value(patient.phone, "CONTACT"),
        "email": Value(patient.email, "CONTACT"),
        "record": Value(patient.record, "ID"),
        "nhs": Value(patient.nhs, "ID"),
        "age": Value(str(age), "AGE"),
        "birth": Value(_written_date(draw, patient.born, _WRITTEN_DATES[:-1]), "DATE", mark=BIRTH),
    }
    values |= {name: Value(word) for name, word in (_HE if patient.male else _SHE).items()}

    def gap(name: str) -> Value | str:
        if name in values:
            return values[name]
        # How a date is written changes within a letter, too.
        forms = _WRITTEN_DATES[:-1] if name == "letter" else _WRITTEN_DATES
        return Value(_written_date(draw, days[name], forms), "DATE", mark=LETTER if name == "letter" else VISIT)

    return gap


def _days(draw: Random) -> dict[str, date]:
    """The days of one story: seen or admitted shortly before the letter, earlier visits before, the next one after it."""
    steps = {"seen": (1, 7), "dis": (0, 5), "adm": (2, 20), "prev1": (20, 200), "op": (30, 1500), "v2": (25, 300)}
    letter = day = _FIRST_DAY + timedelta(days=draw.randint(0, 1780))
    days = {"letter": letter, "next": letter + timedelta(days=draw.randint(30, 200))}
    for name, (low, high) in {**steps, "v1": (10, 90)}.items():
        day -= timedelta(days=draw.randint(low, high))
        days[name] = day
    return days


def _written_date(draw: Random, day: date, forms: tuple[str, ...]) -> str:
    month = _MONTHS[day.month - 1]
    th = "th" if 11 <= day.day <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    return draw.choice(forms).format(
        d=day.day, th=th, m=day.month, month=month, mon=month[:3], y=day.year, yy=day.year % 100
    )
