"""Other spellings of one word of a name: without accents, in letters of another script, inflected, short and pet forms.

A name in a table and the same name in a text are often not the same letters: "Müllenbröck" and "Muellenbroeck", "Łucja" and
"Lucja", "Морозова" and "Morozova", "Morozowej". `spelled` are the spellings that are the name anywhere; `other_forms`
those that are it where they are written with a capital, or in a script that has none; `sounds` says how a word of another
script is read, to compare it with how a name is.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import islice, product

from unname.knowledge.nicknames import NICKNAMES
from unname.languages import read
from unname.stopwords import bare_function_words
from unname.text import fold, without_accents

# Letters for one that an alphabet lacks, beside the letter without its mark: as a rule, and in names abroad.
_TYPED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "đ": "dj", "ß": "ss"})
_TWO_LETTERS = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "æ": "ae", "đ": "dj", "č": "ch", "ć": "ch", "š": "sh", "ž": "zh",
    "ş": "sh", "ç": "ch", "ś": "sh", "ż": "zh", "ő": "oe", "ű": "ue", "ñ": "ny", "þ": "th", "ð": "dh", "ğ": "gh", "ł": "l",
})  # fmt: skip
_ONE_LETTER = str.maketrans({"æ": "a", "œ": "o", "ß": "s", "þ": "t"})
_VOWELS = frozenset("aeiouyáéíóúýàèìòùâêîôûäëïöüãõåæøąęėįųūāēīōůěőűăıаеёиоуыэюяіїєαεηιουωάέήίόύώ")
# Letters before an ending, at least; and of a name's own.
_STEM, _SHORTEST = 2, 3
_LONGEST_ENDING = 5
_MOST_READINGS = 24
# Spellings of before a reform, in names that kept them (Dutch, Indonesian), of names with so many letters.
_PET = 4
_OLD, _OLD_SPELLING = (("ij", "y"), ("oe", "u"), ("tj", "c"), ("dj", "j"), ("sj", "sy")), 5


@lru_cache(maxsize=1 << 10)
def spelled(folded: str) -> frozenset[str]:
    """A folded word as it may be typed: as it is, without accents, with two letters for one that is not on the keyboard."""
    if folded.isascii():
        return frozenset((folded,))
    typed = folded, folded.translate(_TYPED), folded.translate(_TWO_LETTERS), folded.translate(_ONE_LETTER)
    return frozenset((folded, *map(without_accents, typed)))


def other_forms(name: str) -> frozenset[str]:
    """Inflected and short forms of a folded name, as they may be typed; none of them is the name itself.

    Only those count that are no everyday word of some language ("Ana" gives no "any").
    """
    if len(name) < _SHORTEST:
        return frozenset()
    forms = {*_inflected(name)}
    others = {*_short_forms().get(name, ())}
    script = script_of(name)
    if script in ("hebrew", "arabic"):
        others |= set(_joined(name, script))
    if script not in ("", "latin", "han", "kana"):
        others.add(_in_latin(name))
    if name.startswith(("mc", "mac")) and len(name) > _OLD_SPELLING:
        others |= {f"mac{name[2:]}", f"mc{name[2:]}", f"mc{name[3:]}"}
    if len(name) >= _OLD_SPELLING and script == "latin":
        others |= {name.replace(a, b) for one in _OLD for a, b in (one, one[::-1])}
    for other in others:
        forms |= spelled(other)
    return frozenset(forms - spelled(name) - _everyday_words())


def _inflected(name: str) -> Iterator[str]:
    """Inflected forms as they may be typed."""
    kind = "V" if name[-1] in _VOWELS else f"C {script_of(name)}" if name[-1].isalpha() and cased(name) else ""
    for size in range(1, min(_LONGEST_ENDING, len(name) - _STEM) + 1):
        if others := _endings().get(name[-size:]):
            for stem in spelled(name[:-size]):
                for other in others:
                    # Two letters are a stem only with one more behind them ("Eva", "Evu"): "Adam" is no Ada.
                    goes_on = other[0] == name[-size] and other[0] not in _VOWELS
                    if len(stem) > _STEM or len(other) < _STEM or size > 1 or goes_on or _VOWELS.issuperset(other):
                        yield stem + other
    for stem in spelled(name) if kind in _endings() else ():
        yield from (stem + added for added in _endings()[kind])


def cased(word: str) -> bool:
    """Check whether a word is of a script that has capitals."""
    return word.lower() != word.upper()


@cache
def _endings() -> Mapping[str, tuple[str, ...]]:
    """The replacements of every ending of names in other cases, in any language; folded, and as they may be typed."""
    replacements: dict[str, set[str]] = {}
    for language, table in read("endings").items():
        if language != "before":
            for ending, others in table.items():
                typed = {form for other in others.split() for form in spelled(fold(other))}
                # An ending that is added to a consonant is of the name's own script.
                key = f"C {script_of(min(typed))}" if ending == "C" else ending if ending == "V" else fold(ending)
                replacements.setdefault(key, set()).update(typed)
    return {ending: tuple(sorted(others)) for ending, others in replacements.items()}


def _joined(name: str, script: str) -> Iterator[str]:
    """A name of Hebrew or Arabic letters with the particles that are joined to it."""
    bare = name.removeprefix("ال")
    for before in ("", *read("endings")["before"][script].split()):
        yield from (before + stem for stem in {name, bare})


@cache
def _short_forms() -> Mapping[str, tuple[str, ...]]:
    """The short forms of each given name, and the names that each short form stands for."""
    short_forms: dict[str, set[str]] = {}
    for full, all_short in NICKNAMES.items():
        # "Rupert" is Robert in another language, and no short form.
        short = [one for one in all_short if len(one) < len(full) or len(one) <= _PET or one.endswith(("y", "ie"))]
        short_forms.setdefault(full, set()).update(short)
        for one in short:
            short_forms.setdefault(one, set()).update((full, *short))
    return {name: tuple(sorted(others)) for name, others in short_forms.items()}


@cache
def _everyday_words() -> frozenset[str]:
    """Function words and other stop words of search engines, in any language: no inflected name is worth one of these."""
    from stopwordsiso import langs, stopwords

    return bare_function_words() | {without_accents(word) for word in stopwords(langs())}


# --- how words of other scripts are read

_SCRIPTS = (
    ("latin", "a-zß-ɏḀ-ỿ"), ("cyrillic", "Ѐ-ԯ"), ("greek", "Ͱ-Ͽἀ-῿"), ("hebrew", "א-ת"), ("arabic", "ء-ۿ"),
    ("indic", "\u0900-\u0dff"), ("thai", "\u0e00-\u0eff"), ("han", "\u3400-\u9fff"), ("kana", "\u3040-\u30ff"),
    ("hangul", "\uac00-\ud7af"), ("armenian", "\u0530-\u058f"), ("georgian", "\u10a0-\u10ff"),
)  # fmt: skip
_OF_SCRIPT = tuple((name, re.compile(f"[{letters}]")) for name, letters in _SCRIPTS)
# Scripts that write few vowels or others than are spoken: of a word the consonants are compared.
_BY_CONSONANTS = frozenset(("hebrew", "arabic", "indic", "thai"))
_FEWEST_CONSONANTS = 3
# Spellings of one sound in Latin letters, by language: made one.
_SOUNDS = (
    ("schtsch|shch|sch|sh|sz", "s"), ("tsch|tch|kh|ch|cz", "h"), ("zh", "z"), ("ts|tz", "c"), ("ph", "f"), ("th", "t"),
    ("ck", "k"), ("w", "v"), ("x", "ks"), ("q", "k"), ("oo|ou", "u"), ("ee", "i"), ("[yj]", "i"), ("i+", "i"), ("ie", "e"),
    ("io", "o"), (r"(.)\1+", r"\1"),
)  # fmt: skip
_OF_CONSONANTS = (
    ("tsh|tch|ch|kh|gh", "h"), ("sch|sh", "s"), ("th", "t"), ("dh", "d"), ("bh|v", "b"), ("ph|f", "p"), ("tz|ts|zh", "z"),
    ("q|ck|c", "k"), ("x", "ks"), ("[aeiouyw]", ""),
)  # fmt: skip
_TO_SOUNDS, _TO_CONSONANTS = (
    tuple((re.compile(pattern), made) for pattern, made in table) for table in (_SOUNDS, _OF_CONSONANTS)
)


_VOWEL_GROUPS = re.compile("[aeiouyw]+")
# Letters with which words begin that begin with a vowel.
_NO_CONSONANTS = frozenset("אעיאإأآاعअआइईउऊएऐओऔअआইঈউঊএঐওঔ")
_DOUBLED = re.compile(r"(.)\1+")


def script_of(word: str) -> str:
    """The script of a word's first letter; empty for one without known readings."""
    first = word[:1].casefold()
    return next((name for name, letters in _OF_SCRIPT if letters.match(first)), "")


@lru_cache(maxsize=1 << 10)
def sounds(word: str) -> frozenset[str]:
    """The possible readings of a folded word, whatever script and language's spelling it is in; empty if there are none.

    Words of scripts that write few vowels are given by their consonants, which begin with a `-`.
    """
    script = script_of(word)
    if not script or len(word) < (1 if script in ("han", "hangul", "kana") else _SHORTEST):
        return frozenset()
    if script in _BY_CONSONANTS:
        bare = without_accents(word).removeprefix("ال")
        spoken = set(map(_sound, _readings(bare, _letters(script)))) if script == "indic" else set()
        # Letter by letter, so that two of them do not pass for the spelling of one ("זה" is no "zh").
        letters = {letters: tuple(map(_consonants, readings)) for letters, readings in _letters(script).items()}
        rows = list(_readings(bare, letters, plain=_consonant))
        return frozenset(spoken).union(*(_by_consonants(row, vowel=bare[0] in _NO_CONSONANTS) for row in rows))
    if script == "latin":
        plain = without_accents(word)
        sounded = {_sound(plain), _sound(plain.replace("c", "k"))}
        # A word of one vowel is none of three consonants: "Stir", "Child".
        few = len(_VOWEL_GROUPS.findall(plain)) < 2
        by_consonants = _by_consonants(_consonants(plain), vowel=plain[0] in "aeiou")
        return frozenset(sounded | {row for row in by_consonants if not few or len(row) > _FEWEST_CONSONANTS + 1})
    bare = word if script == "cyrillic" else without_accents(word)
    return frozenset(map(_sound, _readings(bare, _letters(script))))


@cache
def _letters(script: str) -> Mapping[str, tuple[str, ...]]:
    """The readings of letters of a script, or of pairs of them."""
    table = read("readings").get(script, {})
    return {
        letters: tuple(reading.replace("-", "") for reading in readings.split()) for letters, readings in table.items()
    }


@lru_cache(maxsize=1 << 10)
def _in_latin(word: str) -> str:
    """A word, or a letter, in Latin letters."""
    from anyascii import anyascii  # for names of other scripts alone

    return "".join(c for c in anyascii(unicodedata.normalize("NFC", word)).casefold() if c.isalpha())


def _readings(
    word: str, table: Mapping[str, tuple[str, ...]], *, plain: Callable[[str], str] = _in_latin
) -> Iterator[str]:
    """A word in Latin letters, with each of its letters' readings; `plain` reads those with one only."""
    parts: list[tuple[str, ...]] = []
    at = 0
    while at < len(word):
        size = 2 if word[at : at + 2] in table else 1
        parts.append(table.get(word[at : at + size]) or (plain(word[at : at + size]),))
        at += size
    return ("".join(row) for row in islice(product(*parts), _MOST_READINGS))


def _sound(latin: str) -> str:
    for pattern, made in _TO_SOUNDS:
        latin = pattern.sub(made, latin)
    return latin


@lru_cache(maxsize=1 << 10)
def _consonant(letter: str) -> str:
    return _consonants(_in_latin(letter))


def _consonants(latin: str) -> str:
    for pattern, made in _TO_CONSONANTS:
        latin = pattern.sub(made, latin)
    return latin


def _by_consonants(consonants: str, *, vowel: bool) -> frozenset[str]:
    """Consonants as one row, without the article, an h that nobody hears at the end, and any that is doubled.

    A row of few also shows if the word begins with a vowel: "Sister" is no Esther.
    """
    stem = _DOUBLED.sub(r"\1", consonants[:-1] + consonants[-1:].replace("h", ""))
    stems = {stem, stem[1:]} if stem.startswith("l") else {stem}
    return frozenset(f"-{'aeiou' * (vowel and len(one) < 4)}{one}" for one in stems if len(one) >= _FEWEST_CONSONANTS)
