"""Forty transcripts of interviews about a life, twenty in German and twenty in Spanish, with what is in them.

Every transcript has one interviewer and one speaker, who tells of a spouse, one to four children, neighbours or
colleagues, a village, a job, an illness, and of one fact that could be looked up. The paragraphs are drawn so that two
transcripts share few of them; names come as they are said: with genitive endings, shortened, in capitals, as initials.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.made_up.marked import Value, Writer, sections
from unname.types import Document

COUNT = 20
LANGUAGES = ("de", "es")
ROLES = ("speaker", "spouse", "child", "interviewer", "other")
TOPICS = ("opening", "job", "spouse", "children", "neighbours", "illness", "village", "closing")

# How questions and answers begin.
_STYLES = {
    "de": (
        ("{in^}: ", "{me^}: "),
        ("{in.}: ", "{me.}: "),
        ("I: ", "B: "),
        ("{IN}: ", "<Herr/Frau> {Me}: "),
        ("[{clock}] {in}: ", "[{clock}] {me}: "),
        ("Frage: ", "Antwort: "),
        ("**{IN}** – ", "**{ME}** – "),
        ("– ", "– "),
        ("{In}, {in}: ", "{Me}, {me}: "),
        ("Interview ({in.}): ", "<Zeitzeuge/Zeitzeugin>: "),
    ),
    "es": (
        ("{in^}: ", "{me^}: "),
        ("{in.}: ", "{me.}: "),
        ("P: ", "R: "),
        ("{IN}: ", "<Sr./Sra.> {Me}: "),
        ("[{clock}] {in}: ", "[{clock}] {me}: "),
        ("Pregunta: ", "Respuesta: "),
        ("**{IN}** – ", "**{ME}** – "),
        ("– ", "– "),
        ("{In}, {in}: ", "{Me}, {me}: "),
        ("Entrevista ({in.}): ", "Testigo: "),
    ),
}
_HEADS = {
    "de": (
        "",
        "Transkript, aufgenommen am {day}\n\n",
        "Gespräch mit {ME}, {village}, {day}\n\n",
        "Interview: {IN}\nDatum: {day}\n\n",
    ),
    "es": (
        "",
        "Transcripción, grabada el {day}\n\n",
        "Conversación con {ME}, {village}, {day}\n\n",
        "Entrevista: {IN}\nFecha: {day}\n\n",
    ),
}
_MONTHS = {
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
           "Dezember"),
    "es": ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
           "noviembre", "diciembre"),
}  # fmt: skip
_DAYS = {
    "de": ("{d}. {name} {y}", "{d}. {name} {y}", "{d}.{m}.{y}", "{d:02}.{m:02}.{y}"),
    "es": ("{d} de {name} de {y}", "{d} de {name} de {y}", "{d}/{m}/{y}", "{d:02}-{m:02}-{y}"),
}
_MONTH_AND_YEAR = {"de": "{name} {y}", "es": "{name} de {y}"}


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a transcript: where it stands, whose it is, and which part that person has in the conversation."""

    start: int
    end: int
    role: str
    person: str


@dataclass(frozen=True, slots=True, repr=False)
class Interview:
    """A transcript with all its spans, the names in it, and the numbers of the hand-written paragraphs by topic."""

    document: Document
    names: tuple[Mention, ...]
    children: int
    paragraphs: tuple[tuple[str, int], ...]

    def __repr__(self) -> str:
        return f"Interview({self.document!r}, {len(self.names)} names)"


@dataclass(frozen=True, slots=True)
class _Person:
    first: str
    short: str
    last: str = ""

    def words(self) -> set[str]:
        return {self.first, self.short, self.last} - {""}


@dataclass(frozen=True, slots=True)
class _Life:
    male: bool
    me: _Person
    born: int
    spouse: _Person
    village: str
    town: str
    job: str
    employer: str
    illness: str
    fact: str


@dataclass(frozen=True, slots=True)
class _Written:
    """Everything written by hand for one language."""

    women: tuple[_Person, ...]
    men: tuple[_Person, ...]
    surnames: tuple[str, ...]
    interviewers: tuple[_Person, ...]
    lives: tuple[_Life, ...]
    paragraphs: dict[str, tuple[str, ...]]


def interviews(language: str) -> tuple[Interview, ...]:
    """The twenty transcripts of a language, always the same."""
    written = _written(language)
    draw = Random(f"interviews {language}")  # noqa: S311 (invented people)
    dealt = {topic: _dealt(draw, len(written.paragraphs[topic]), at) for at, topic in enumerate(TOPICS)}
    return tuple(
        _interview(language, written, number, {topic: dealt[topic][number] for topic in TOPICS})
        for number in range(COUNT)
    )


def _dealt(draw: Random, many: int, topic: int) -> list[int]:
    """The paragraph for each transcript: each as often as others, and in the next round next to others."""
    order = draw.sample(range(many), many)
    return [order[(number + topic * (number // many)) % many] for number in range(COUNT)]


def _interview(language: str, written: _Written, number: int, chosen: dict[str, int]) -> Interview:
    draw = Random(f"interview {language} {number}")  # noqa: S311 (invented people)
    life = written.lives[number]
    texts = {topic: written.paragraphs[topic][at] for topic, at in chosen.items()} | {"fact": life.fact}
    people = _people(draw, written, life, texts["children"], number)
    writer = Writer(draw, _gaps(language, draw, life, people), male=life.male)
    style = _STYLES[language][number % len(_STYLES[language])]
    middle = ["job", "spouse", "children", "neighbours", "illness", "village", "fact"]
    draw.shuffle(middle)
    writer.fill(draw.choice(_HEADS[language]))
    for topic in ("opening", *middle, "closing"):
        question, answer = texts[topic].split("\n")
        end = "\n\n" if number % 2 else "\n"
        writer.fill(style[0] + question.removeprefix("? ") + end)
        writer.fill(style[1] + answer.removeprefix("! ") + ("" if topic == "closing" else "\n\n"))
    spans = tuple(sorted(writer.spans))
    document = Document(
        f"interview-{language}-{number + 1:02}", writer.text, spans=spans, metadata={"language": language}
    )
    names = tuple(Mention(s.start, s.end, _role(s.entity), s.entity) for s in spans if s.label == "NAME")
    children = sum(_role(key) == "child" for key in people)
    return Interview(document, names, children, tuple(sorted(chosen.items())))


def _role(person: str) -> str:
    known = {"me": "speaker", "sp": "spouse", "in": "interviewer", "man": "other", "woman": "other"}
    return known.get(person, "child")


def _people(draw: Random, written: _Written, life: _Life, children: str, number: int) -> dict[str, _Person]:
    """Everybody in a transcript by the name of the gap; no two are called alike."""
    people = {"me": life.me, "sp": life.spouse, "in": written.interviewers[number]}
    taken = set().union(*(person.words() for person in people.values()))
    keys = [key for key in ("D1", "D2", "D3", "S1", "S2", "S3") if f"{{{key}" in children]
    for key in (*keys, "woman", "man"):
        pool = written.women if key[0] in "Dw" else written.men
        person = draw.choice([each for each in pool if not each.words() & taken])
        if key in ("woman", "man"):
            last = draw.choice([each for each in written.surnames if each not in taken])
            person = _Person(person.first, person.short, last)
        people[key] = person
        taken |= person.words()
    return people


def _gaps(language: str, draw: Random, life: _Life, people: dict[str, _Person]) -> Callable[[str], Value | str]:
    year = draw.randint(2016, 2022)
    wed = life.born + draw.randint(21, 28)
    values: dict[str, Value | str] = {
        "village": Value(life.village, "PLACE"),
        "town": Value(life.town, "PLACE"),
        "job": Value(life.job, "PROFESSION"),
        "ill": Value(life.illness, "DISEASE"),
        "at": life.employer.replace("[", "[ORGANISATION "),
        "born": Value(str(life.born)),
        "age": Value(str(year - life.born)),
        "start": Value(str(life.born + draw.randint(15, 16))),
        "kidyear": Value(str(wed + draw.randint(1, 3))),
        "diag": Value(_date(language, draw, draw.randint(life.born + 50, 2014), _MONTH_AND_YEAR[language])),
        "wed": Value(_date(language, draw, wed, draw.choice(_DAYS[language])), "DATE"),
        "day": Value(_date(language, draw, year, draw.choice(_DAYS[language])), "DATE"),
    }
    kid = draw.choice([key for key in people if _role(key) == "child"])
    seconds = 0

    def gap(name: str) -> Value | str:
        nonlocal seconds
        if name == "clock":
            seconds += draw.randint(9, 70)
            return Value(f"00:{seconds // 60:02}:{seconds % 60:02}")
        return values[name] if name in values else _name(language, people, name.replace("kid", kid))

    return gap


def _name(language: str, people: dict[str, _Person], gap: str) -> Value:
    """A name as its gap asks: `me` first, `Me` last, `ME` both, `~` short, `^` in capitals, `.` initials, `'s` genitive."""
    base = gap.rstrip("~^.").removesuffix("'s")
    key = base if base in people else base.lower()
    person = people[key]
    text = person.first if base == key else person.last if base != base.upper() else f"{person.first} {person.last}"
    if gap.endswith("~"):
        text = person.short
    elif gap.endswith("^"):
        text = text.upper()
    elif gap.endswith("."):
        text = person.first[0] + person.last[0]
    elif gap.endswith("'s") and language == "de":
        if text[-1] in "sxzß":
            return Value(text, "NAME", key, tail="’")
        text += "s"
    return Value(text, "NAME", key)


def _date(language: str, draw: Random, year: int, form: str) -> str:
    month = draw.randint(1, 12)
    return form.format(d=draw.randint(1, 28), m=month, name=_MONTHS[language][month - 1], y=year)


def _written(language: str) -> _Written:
    bodies = dict(sections(f"interviews.{language}.txt"))
    return _Written(
        women=tuple(_named(line) for line in bodies["names of women"].splitlines()),
        men=tuple(_named(line) for line in bodies["names of men"].splitlines()),
        surnames=tuple(bodies["surnames"].splitlines()),
        interviewers=tuple(
            _Person(first, "", last) for first, last in (line.split() for line in bodies["interviewers"].splitlines())
        ),
        lives=tuple(_life(block) for block in bodies["lives"].split("\n\n")),
        paragraphs={topic: tuple(bodies[topic].split("\n\n")) for topic in TOPICS},
    )


def _named(line: str, last: str = "") -> _Person:
    first, short = line.split(", ")
    return _Person(first, short, last)


def _life(block: str) -> _Life:
    line, _, fact = block.partition("\n")
    sex, me, last, born, spouse, *rest = line.split(" | ")
    village, town, job, employer, illness = rest
    return _Life(sex == "m", _named(me, last), int(born), _named(spouse), village, town, job, employer, illness, fact)


def shared(one: Interview, other: Interview) -> Sequence[tuple[str, int]]:
    """The hand-written paragraphs that two transcripts have in common."""
    return sorted(set(one.paragraphs) & set(other.paragraphs))
