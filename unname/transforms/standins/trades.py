"""Other organisations and professions for those of a text, of the same kind: what says the kind stays."""

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache

from unname.knowledge.faker import providers
from unname.knowledge.world import known_city
from unname.languages import read
from unname.text import WORD, is_latin, plain
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.places import other_place
from unname.transforms.standins.signs import redrawn
from unname.transforms.standins.words import LONGEST, TRIES, cased, end_of, other_name, telling, words_of

# A word with its possessive ("Mary's"), or letters with stops ("S.A.").
_TOKEN = re.compile(r"(?:[^\W\d_]{1,2}\.[ \u00a0]?)+[^\W\d_]{1,2}\.|[Nn]\.?[ºª°]|\w+(?:['’]s\b)?")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
# What may stand within a name; anything else parts two.
_WITHIN = re.compile(r"[\s.'’&+-]{0,4}")
_ACRONYM = re.compile(r"[A-Z]{2,5}")
_LONGEST_CITY = 4
_KIND, _LINK, _NAME, _NUMBER, _ACRONYMS = "kind", "link", "name", "number", "acronym"
# Fewer professions of one kind are too few to draw among, and fewer of a country for a language.
_ENOUGH, _MANY, _MOST_WORDS = 5, 100, 3
_VOWELS = frozenset("aeiou")


@dataclass(frozen=True, slots=True, repr=False)
class _NamePart:
    """A stretch `[start, end)` of an organisation's name and its role."""

    start: int
    end: int
    role: str

    def __repr__(self) -> str:
        return f"_NamePart({self.start}, {self.end}, {self.role!r})"


def other_organisation(text: str, draws: Draws, *, language: str = "en") -> str | None:
    """An organisation of the same kind: words for its kind stay, names become family names, and cities other cities.

    Capitals alone ("BMW") become other capitals. None for scripts other than Latin and where no word is a name.
    """
    if len(text) > LONGEST or not is_latin(text):
        return None
    stretches, avoid = _stretches(text), telling(text, _staying())
    if all(each.role in (_KIND, _LINK) for each in stretches):
        return None
    said = {plain(text[each.start : each.end]) for each in stretches if each.role == _KIND}
    placed = not said.isdisjoint(words_of("of_places"))
    pieces, at = list[str](), 0
    for place, each in enumerate(stretches):
        if each.role in (_KIND, _LINK):
            continue
        old = text[each.start : each.end]
        new = other_place(old, draws, language=language) if placed and each.role == _NAME else None
        new = new or _other(old, each.role, draws, avoid=avoid, language=language)
        if new is None:
            return None
        start = each.start
        if each.role == _NAME:
            start, article = _before(text, stretches[:place], start)
            new = article + new
        pieces += [text[at:start], cased(new, text)]
        at = each.end
    return "".join((*pieces, text[at:]))


@cache
def _kinds() -> frozenset[str]:
    return words_of("kinds") | words_of("forms")


@cache
def _staying() -> frozenset[str]:
    return _kinds() | words_of("links")


def _stretches(text: str) -> list[_NamePart]:
    """The words of an organisation's name, those of one name together, with the links between them."""
    tokens = list(_TOKEN.finditer(text))
    single = len(tokens) == 1 or not text.isupper()
    rows = list[_NamePart]()
    for token in tokens:
        row = _read(token[0], token.start(), acronyms=single)
        before = len(rows)
        while before and rows[before - 1].role == _LINK:
            before -= 1
        last = rows[before - 1] if before else None
        # A name goes on over links, but not behind a word that ends with its kind.
        if row.role == _NAME and last and last.role == _NAME and last.end == _end_of_word(text, last.end):
            between = [text[a.end : b.start] for a, b in zip(rows[before - 1 :], [*rows[before:], row], strict=True)]
            if all(map(_WITHIN.fullmatch, between)):
                rows[before - 1 :] = [_NamePart(last.start, row.end, _NAME)]
                continue
        rows.append(row)
    return rows


def _end_of_word(text: str, place: int) -> int:
    return place + 1 if text[place : place + 1].isalnum() else place


def _read(word: str, start: int, *, acronyms: bool) -> _NamePart:
    """One word with its role; of one that ends with its kind ("Marienhospital"), what stands before that."""
    if word[-1] in "ºª°":
        return _NamePart(start, start + len(word), _KIND)
    name = plain(_POSSESSIVE.sub("", word))
    joined = name.replace(" ", "")
    whole = _NamePart(start, start + len(word), _NAME)
    if name in _kinds() or joined in _kinds():
        return _NamePart(start, whole.end, _KIND)
    if name in words_of("links"):
        return _NamePart(start, whole.end, _LINK)
    if any(map(str.isdecimal, word)):
        return _NamePart(start, whole.end, _NUMBER)
    if (acronyms and _ACRONYM.fullmatch(word)) or "." in word:
        return _NamePart(start, whole.end, _ACRONYMS)
    end = end_of(name, "organisations")
    if end and len(name) == len(word):
        first = name.removesuffix(end)
        if first in _kinds() or first.removesuffix("s") in _kinds():
            return _NamePart(start, whole.end, _KIND)
        return _NamePart(start, whole.end - len(end), _NAME)
    return whole


def _other(text: str, role: str, draws: Draws, *, avoid: Set[str], language: str) -> str | None:
    """Another name, number or acronym; a city is the one that it becomes elsewhere in a text."""
    mine = draws.under("organisation")
    if role in (_NUMBER, _ACRONYMS):
        return redrawn(text, mine.under(role, plain(text)), avoid=avoid)
    words = list(WORD.finditer(text))
    for many in range(min(_LONGEST_CITY, len(words)), 0, -1):
        # "Charité Berlin"
        at = words[-many].start()
        if known_city(text[at:], language):
            city = other_place(text[at:], draws, language=language)
            rest = text[:at].rstrip()
            name = other_name(mine, rest, avoid=avoid, language=language) if rest else ""
            shared = city and not avoid.isdisjoint(plain(city).split())
            return None if city is None or name is None or shared else f"{name} {city}".strip()
    return other_name(mine, text, avoid=avoid, language=language)


def _before(text: str, stretches: Sequence[_NamePart], start: int) -> tuple[int, str]:
    """The place where the articles before a name begin, and what stands for them before a family name ("de la", "de")."""
    articles: Mapping[str, str] = read("organisations")["articles"]
    written = ""
    for each in reversed(stretches):
        word = plain(text[each.start : each.end])
        if each.role != _LINK or word not in articles or written or each.start == 0:
            break
        written, start = articles[word] and f"{articles[word]} ", each.start
    return start, written


# --- professions


def other_profession(text: str, draws: Draws, *, language: str = "en") -> str | None:
    """A profession, of the same kind where a language has several of it; None for a language without a list.

    Of several words, the one that says the kind may stay; a single word never does. Professions of women become such where
    the end of the word says so.
    """
    name = plain(text)
    if not name or len(text) > LONGEST:
        return None
    head, jobs = _head(language), _jobs(language)
    kind = name.split()[head] if " " in name else ""
    alike = [job for job in _of_kind(language).get(kind, ()) if plain(job) != name]
    if len(alike) >= _ENOUGH:
        rows, avoid = alike, telling(text, [kind])
    else:
        ends = read("organisations")["professions"].get(language, "")
        rows, avoid = list(_of_sex(jobs, name.split()[head], ends)), telling(text)
    mine = draws.under("profession", name)
    drawn = (mine.choice(rows, str(each)) for each in range(TRIES if rows else 0))
    new = next(
        (each for each in drawn if avoid.isdisjoint(plain(each).split()) and _may_stand_for(plain(each), name)), None
    )
    return new and _written(new, text) if new and is_latin(new) == is_latin(text) else None


def _may_stand_for(job: str, name: str) -> bool:
    """True of another profession that begins with a vowel as well, or not: articles stay as they are."""
    return job != name and (job[0] in _VOWELS) == (name[0] in _VOWELS)


def _head(language: str) -> int:
    """The place of the word of a profession that says its kind."""
    return 0 if language in read("organisations")["professions"]["first"].replace(",", " ").split() else -1


@cache
def _of_kind(language: str) -> Mapping[str, Sequence[str]]:
    kinds = dict[str, list[str]]()
    for job in _jobs(language):
        kinds.setdefault(plain(job).split()[_head(language)], []).append(job)
    return kinds


def _of_sex(jobs: Sequence[str], word: str, ends: str) -> Sequence[str]:
    """Professions in the form for women if a word has it, else as they are."""
    pairs = [(man, woman) for man, woman in (pair.split() for pair in ends.split(",") if pair)]
    if not any(word.endswith(plain(woman)) for _, woman in pairs):
        return jobs
    single = [job for job in jobs if " " not in job]
    return [job.removesuffix(man) + woman for job in single for man, woman in pairs if job.endswith(man)]


@cache
def _jobs(language: str) -> tuple[str, ...]:
    """Short professions of a language; those of several countries where one has few."""
    jobs = dict[str, None]()
    for provider in providers("job", language):
        if len(jobs) < _MANY:
            jobs.update({job: None for job in map(_plain_job, getattr(provider, "jobs", ())) if job})
    return tuple(jobs)


def _plain_job(job: str) -> str:
    """A profession of few words without commas, brackets or a second form, or none."""
    said = job.removesuffix("*in")
    words = said.split()
    is_short = 0 < len(words) <= _MOST_WORDS and all(word.replace("-", "").isalpha() for word in words)
    # "agent immobilier immobilière", "Logistiker EFZ"
    is_one = len({plain(word)[:5] for word in words}) == len(words)
    return said if is_short and is_one and not any(word.isupper() for word in words) else ""


def _written(job: str, like: str) -> str:
    """A profession in the case of another."""
    words = [word for word in like.split() if word[:1].isalpha()]
    if like.islower() or (like.isupper() and len(like) > 1):
        return cased(job, like)
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return " ".join(word[0].upper() + word[1:] for word in job.split())
    return job[0].upper() + job[1:] if like.strip()[:1].isupper() else job[0].lower() + job[1:]
