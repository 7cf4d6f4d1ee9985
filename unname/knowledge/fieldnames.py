"""Kinds of fields by their names: names, contacts, numbers, birth dates and addresses, from word tables of many languages.

However words are joined, written or spelled ("PatientName", "fecha_nac.", "Versichertennummer", "familiya", "患者姓名").
The words are data (`unname/languages/fieldnames.toml`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

from unname.languages import read
from unname.text import HANGUL, UNPARTED, without_accents

# "" is a field that somebody calls direct without saying what it holds.
Kind = Literal["name", "contact", "number", "date", "address", ""]

_LONGEST_JOIN, _LONGEST_PHRASE = 6, 3
# Characters and words of a name that are read.
_LONGEST, _MOST_PARTS = 400, 40
# Letters of declension that may follow a stem, and letters that join two words of a compound.
_MOST_ENDING, _MOST_JOINT = 4, 2
_SHORTEST_TRANSLITERATED = 4
# Scripts without blanks between words: Thai to Khmer, and those of East Asia.
_UNBROKEN = re.compile(f"[{UNPARTED}{HANGUL}]")
_LETTERS = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ı": "i", "ð": "d", "þ": "th", "ي": "ی", "ى": "ی",
     "ك": "ک", "ة": "ه", "\u0640": None, "\u200c": None, "\u200d": None}
)  # fmt: skip
_GERMAN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
# Words beside the kind's own that make a field one about something else; of any other kind the foreign ones.
_ELSEWHERE: dict[Kind, str] = {"date": "places", "number": "counts"}
_TRANSLITERATED = re.compile("[\u0370-\u03ff\u0400-\u04ff]")


def word_set(words: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(words.split())


@dataclass(frozen=True, slots=True)
class _Words:
    """Words of one meaning: whole ones, stems that endings may follow, and ends of compounds."""

    whole: frozenset[str]
    stems: frozenset[str]
    ends: tuple[str, ...]

    def holds(self, word: str) -> bool:
        """Check whether a word is one of these, an inflected one or a compound."""
        if word in self.whole:
            return True
        shortest = max(len(word) - _MOST_ENDING, 1)
        return any(word[:cut] in self.stems for cut in range(shortest, len(word) + 1)) or word.endswith(self.ends)

    def among(self, parts: Sequence[str]) -> bool:
        """Check whether one of these is in a row of parts, in one of them or over several."""
        return any(self.holds(joined) for joined, _, _ in _joins(parts, _LONGEST_PHRASE))


@cache
def _table(*path: str) -> _Words:
    """One table of the data, all languages together."""
    table = read("fieldnames")
    for name in path:
        table = table[name]
    return _words(" ".join(table.values()).split())


def _words(written: Iterable[str]) -> _Words:
    whole, stems, ends = set[str](), set[str](), set[str]()
    for entry in written:
        matching = ends if entry.startswith("*") else stems if entry.endswith("*") else whole
        for word in _spelled(entry.strip("*")):
            matching.add(word)
    return _Words(frozenset(whole | ends), frozenset(stems), tuple(sorted(ends)))


def _spelled(entry: str) -> Iterator[str]:
    """A word or phrase of the data in one piece, and in Latin letters where it is Cyrillic or Greek."""
    word = "".join(_written(entry))
    yield word
    if _TRANSLITERATED.search(entry):
        from anyascii import anyascii

        latin = "".join(c for c in anyascii(entry).lower() if c.isalpha())
        if len(latin) >= _SHORTEST_TRANSLITERATED:
            yield latin


@cache
def _kinds() -> tuple[tuple[Kind, _Words], ...]:
    """The words of each kind; a word of several is of the first."""
    return tuple((kind, _table("words", kind)) for kind in get_args(Kind) if kind)


@lru_cache(maxsize=4096)
def field_kind(name: str) -> Kind | None:
    """The kind of direct identifier that a field's name indicates; None if it indicates none."""
    plain, spelled = _spellings(name)
    return _kind(plain, spelled) or (_kind(spelled, plain) if plain != spelled else None)


def of_others(name: str) -> bool:
    """Check whether a field's name indicates something other than a person: a colour, a company, an office."""
    return field_kind(name) is None and any(_table("others").among(parts) for parts in _spellings(name))


@lru_cache(maxsize=4096)
def of_kin(name: str) -> bool:
    """Check whether a field is about somebody close to the person: a mother's name, a next of kin."""
    return any(_table("kin").among(parts) for parts in _spellings(name))


@lru_cache(maxsize=4096)
def part_of_name(name: str) -> Literal["given", "family", ""]:
    """The part of a name that a field's name indicates alone; empty where it may be the whole, or none."""
    bare = _bare(name)
    given, family = (any(map(_table(part).holds, bare)) for part in ("given", "family"))
    return "given" if given and not family else "family" if family and not given else ""


@lru_cache(maxsize=4096)
def languages_of_sex(name: str) -> tuple[str, ...]:
    """The languages in which a field of this name says who is a woman and who a man; mostly none."""
    bare = _bare(name)
    return tuple(
        language for language, words in read("fieldnames")["sex"].items()
        if any(map(_words(words.split()).holds, bare))
    )  # fmt: skip


def _bare(name: str) -> list[str]:
    """A field's name in one piece, in each spelling, without particles and words for the person it is about."""
    beside = _table("particles").whole | _table("people").whole
    rows = ([part for part in parts if part not in beside] for parts in _spellings(name))
    return ["".join(row) for row in rows]


def is_doubtful(name: str) -> bool:
    """Check whether a field's name is a word that means another thing elsewhere ("ad", "ten"), so that values must agree."""
    return any("".join(parts) in _doubtful() for parts in _spellings(name))


@cache
def _doubtful() -> frozenset[str]:
    return _table("doubtful").whole


def says_relation(words: Sequence[str]) -> bool:
    """Check whether folded words only say who somebody is to a person ("wife", "madre")."""
    row = ["".join(_written(word)) for word in words]
    known = (_table("kin"), _table("relations"))
    return bool(row) and any(table.holds("".join(row)) or all(map(table.holds, row)) for table in known)


def _spellings(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts of a field's name without marks on letters, and with ä as ae."""
    name = name[:_LONGEST]
    return tuple(_parts(name)[:_MOST_PARTS]), tuple(_parts(name.translate(_GERMAN))[:_MOST_PARTS])


def _parts(name: str) -> list[str]:
    """The words of a field's name, in small letters without marks."""
    return [part for run in _written(name) for part in (_segmented(run) if _UNBROKEN.search(run) else [run])]


def _written(name: str) -> list[str]:
    """The runs of letters or digits of a name: where capitals begin, another one does ("patientID", "IDNumber")."""
    plain = unicodedata.normalize("NFC", without_accents(unicodedata.normalize("NFKC", name)))
    runs: list[str] = []
    before, sort = "", ""
    for place, c in enumerate(plain):
        now = "9" if c.isdecimal() else "A" if c.isupper() else "a" if c.isalpha() else ""
        if not now and unicodedata.category(c).startswith(("M", "Cf")):
            now = sort  # vowel signs of Indic scripts are no letters
        following = plain[place + 1 : place + 2]
        starts = now != sort and not (sort == "A" and now == "a" and len(before) == 1)
        starts = starts or (now == sort == "A" and following.islower() and following.isalpha())
        if now and starts:
            runs.append("")
            before = ""
        if now:
            runs[-1] += c
            before += c
        sort = now
    return [run.lower().translate(_LETTERS) for run in runs]


@cache
def _unbroken_words() -> frozenset[str]:
    """All words of scripts without blanks."""
    tables = [words for _, words in _kinds()]
    tables += [_table(name) for name in ("kin", "persons", "numbers", "heads", "foreign", "counts", "places", "others")]
    return frozenset(word for table in tables for word in table.whole if _UNBROKEN.search(word))


def _segmented(run: str) -> list[str]:
    """The known words of a run without blanks, longest first, and the rest between them."""
    known, longest = _unbroken_words(), max(map(len, _unbroken_words()))
    parts, at, unknown = list[str](), 0, ""
    while at < len(run):
        end = next((e for e in range(min(len(run), at + longest), at, -1) if run[at:e] in known), 0)
        if not end:
            unknown, at = unknown + run[at], at + 1
            continue
        parts += [unknown] if unknown else []
        parts.append(run[at:end])
        at, unknown = end, ""
    return parts + ([unknown] if unknown else [])


def _joins(parts: Sequence[str], longest: int) -> Iterator[tuple[str, int, int]]:
    """Each row of adjacent parts in one piece, with where it begins and ends."""
    for a in range(len(parts)):
        for b in range(min(len(parts), a + longest), a, -1):
            yield "".join(parts[a:b]), a, b


def _kind(parts: tuple[str, ...], twin: tuple[str, ...]) -> Kind | None:
    """The kind that parts indicate; `twin` are the same parts in another spelling."""
    # A longer row is more exact.
    for joined, a, b in sorted(_joins(parts, _LONGEST_JOIN), key=lambda join: join[1] - join[2]):
        kind = _kind_of_word(joined, single=b == a + 1)
        if kind and not any(
            _about_else(kind, joined, row) for whole in (parts, twin) for row in (whole[:a], whole[b:])
        ):
            return kind
    left = {part for part in parts if part not in _table("particles").whole and not part.isdecimal()}
    numbering = {part for part in left if part in _table("numbers").whole}
    if numbering and left - numbering and all(map(_table("persons").holds, left - numbering)):
        return "number"
    return "number" if len(left) == 1 and left <= _table("alone").whole else None


def _about_else(kind: Kind, word: str, beside: Sequence[str]) -> bool:
    """Check whether parts beside a word of a kind make the field one about something else, or of another kind."""
    if _table(_ELSEWHERE.get(kind, "foreign")).among(beside):
        return True
    if kind == "address":  # of e-mail
        return _table("words", "contact").among(beside)
    # A single letter is part of many words.
    return len(word) == 1 and not all(
        part.isdecimal() or any(_table(name).holds(part) for name in ("persons", "kin", "particles")) for part in beside
    )


@lru_cache(maxsize=4096)
def _kind_of_word(joined: str, *, single: bool) -> Kind | None:
    """The kind of a word or of several in one piece, "nr" as "nummer"."""
    for word in (joined, f"{joined.removesuffix('nr')}nummer" if joined.endswith("nr") else ""):
        for kind, words in _kinds():
            if word and (words.holds(word) or (single and _compound(word, kind))):
                return kind
    return None


def _compound(word: str, kind: Kind) -> bool:
    """Check whether a word is made of somebody or their papers and a head of a kind ("patientnavn")."""
    heads = read("fieldnames")["heads"].get(kind, "").split()
    fronts = _table("people" if kind == "name" else "persons").whole
    ends = (word[: -len(head)] for head in heads if word.endswith(head) and len(word) > len(head) + 1)
    return any(end[: len(end) - cut] in fronts for end in ends for cut in range(_MOST_JOINT + 1))
