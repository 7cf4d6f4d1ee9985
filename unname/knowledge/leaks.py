"""The last check before a text leaves: a search for direct identifiers that are still in it."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise

from unname.dates import Day, days_alike
from unname.knowledge.spellings import cased, other_forms, script_of, sounds, spelled
from unname.languages import phrases
from unname.normalised import normalised
from unname.stopwords import bare_function_words
from unname.text import HANGUL, UNPARTED, Word, fold, folded_words, is_parted, without_accents, words

_SIGNS = r"\s().\-/\u00b7\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_DIGITS = re.compile(rf"\d(?:[{_SIGNS}]*\d){{3,}}")
# The same over the cells of a table and the lines of a quoted message.
_CELLS, _DIGITS_IN_CELLS = re.compile(r"[|>]"), re.compile(rf"\d(?:[|>{_SIGNS}]*\d){{3,}}")
_ON_A_LINE = re.compile(r"\d(?:[^\n\r]*\d)?")
_RUNS = re.compile(r"\d+")
_INITIAL_AFTER = re.compile(r",?\s{1,2}([^\W\d_])(?=\.|$)")
_INITIAL_BEFORE = re.compile(r"(?<!\w)([^\W\d_])\.[\s-]{0,2}$")
_GAPS = (" ", "\u00a0", "\u3000", "·", "・")
# Foreign names in Japanese, which a dictionary cuts anywhere.
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc]{2,40}")
_SHORT_AFTER = re.compile(r",?[ \u00a0]{1,2}(?P<name>[^\W\d_]{1,2})(?!\w)")
_SHORT_BEFORE = re.compile(r"(?<!\w)(?P<name>[^\W\d_]{1,2}),?[ \u00a0]{1,2}$")
# Behind a comma they are a district or a degree ("Washington, D.C.").
_INITIALS = re.compile(r"(?<!\w)(?<!, )[^\W\d_](?:\.[ \u00a0-]?[^\W\d_](?!\w)){1,3}\.?")
# Breaks within a name, besides a hyphen at the end of a line: line ends, with signs of a quoted message, or of a table.
_CUT = re.compile(r"(?:\r?\n)+(?:> ?){0,5}|-?\s?\|\s?")
# Digits at the end of a number that give it away ("ending in 3312"), and of the numbers that have such an end.
_TAIL, _TAILED = 4, 7
# Parts of a word that capitals and figures tell apart ("#MariaGarcia2").
_HUMPS = re.compile(r"[A-ZÀ-ÖØ-Þ]+(?![a-zß-öø-ÿ])|[A-ZÀ-ÖØ-Þ]?[^\W\dA-ZÀ-ÖØ-Þ_]+|\d+")
# Endings that grammar adds to a name, by the length of the shortest name that may have them.
_ADDED = {"s": 3, "es": 4, "ens": 4, "n": 4, "en": 4, "er": 4, "i": 4, "a": 4, "e": 4, "ie": 4, "in": 4,
          "sche": 3, "schen": 3, "scher": 3, "sches": 3, "schem": 3, "sch": 3}  # fmt: skip
_WIDEST_CUT = 24
# Words of an address or a number, at most; a value of more is a text.
_LONGEST_SEQUENCE = 40
# Letters that a word and a sequence share, by which most words are seen to begin none.
_FRONT = 32
# The share of a word that several names of a person must be, for it to be nothing but these ("adalovelace").
_MOST_OF_IT = 0.8
# Letters of a name that is looked for at either end of a longer word, and anywhere in one.
_COMPOUNDED, _ANYWHERE = 5, 7
# Scripts that are written without blanks: a word there is a whole clause.
_NO_BLANKS = re.compile(f"[{UNPARTED}{HANGUL}]")


@dataclass(frozen=True, slots=True, repr=False)
class DirectIdentifiers:
    """Direct identifiers of one person that must not survive: single folded words, word sequences, digit strings and days.

    `short` are names of a letter or two that count beside a title or another word of the name alone.
    """

    single: frozenset[str]
    sequences: frozenset[tuple[str, ...]]
    digits: frozenset[str]
    days: frozenset[Day] = frozenset()
    short: frozenset[str] = frozenset()
    _joined: frozenset[str] = field(init=False)
    _starts: frozenset[str] = field(init=False)
    _others: "_OtherForms | None" = field(init=False, default=None, compare=False)

    def __post_init__(self) -> None:
        names = {form for name in self.single for form in spelled(name)}
        # A family name of one character stands before the given name, or behind it.
        bare = {name for name in self.short if not cased(name)}
        names |= {a + b for one in bare for other in (*names, *bare - {one}) for a, b in ((one, other), (other, one))}
        object.__setattr__(self, "single", self.single | names)
        written = {"".join(sequence) for sequence in self.sequences if len(sequence) <= _LONGEST_SEQUENCE}
        joined = frozenset(form for one in written for form in spelled(one))
        object.__setattr__(self, "_joined", joined)
        object.__setattr__(self, "_starts", frozenset(j[:i] for j in joined for i in range(1, min(len(j), _FRONT) + 1)))

    def find(self, text: str, row: Sequence[Word] | None = None) -> list[tuple[int, int]]:
        """Offsets of every identifier that stands in a text, sorted; they may overlap. `row` may give its words.

        The search covers the text and its normalised text: an identifier in disguise is reported whole.
        """
        spans = self._in(text, row)
        folded = normalised(text)
        if folded.text is not text:
            spans += [folded.original(start, end) for start, end in self._in(folded.text)]
        return sorted(set(spans))

    def _in(self, text: str, row: Sequence[Word] | None = None) -> list[tuple[int, int]]:
        """The same in a text as it is written, in any order."""
        single = self.single
        if row is None:
            # Most texts hold no word that matters, which is seen without the places of all words.
            row = words(text) if self._may_be_in(text) else ()
        spans = [
            (start, end) for start, end, folded in row
            if folded in single or not (folded.isascii() or single.isdisjoint(spelled(folded)))
        ]  # fmt: skip
        spans += self._in_clauses(text)
        spans += self._other_forms_in(text, row)
        spans += self._broken(text, row)
        spans += self._initials_beside(text, spans)
        spans += list(self._short_in(text, tuple(spans)))
        spans += self._sequences_in(row)
        # Folding makes no underscore of any letter.
        if "_" in text:
            # A name may be a part of a word that underscores join ("Ada_Lovelace.pdf").
            apart = words(text.replace("_", " "))
            spans += [(w.start, w.end) for w in row if not single.isdisjoint(w.folded.split("_"))]
            spans += self._sequences_in(apart)
            spans += self._in_longer(text, apart)
        spans += self._in_longer(text, row)
        if self.digits:
            spans += self._numbers_in(text)
        if self.days:
            spans += days_alike(text, self.days)
        return spans

    def _may_be_in(self, text: str) -> bool:
        """Check whether any word of a text may matter."""
        folded = [without_accents(word) for word in folded_words(text)]
        others = self._forms()
        return (
            not {"_", "\n", "|"}.isdisjoint(text)
            or not (text.isascii() and not others.foreign)
            or not self._starts.isdisjoint([word[:_FRONT] for word in folded])
            or not others.forms.isdisjoint(folded)
            or self._within_any(folded)
        )

    def _forms(self) -> "_OtherForms":
        if self._others is None:
            object.__setattr__(
                self, "_others", _OtherForms.of(self.single | frozenset(name for name in self.short if not cased(name)))
            )
        assert self._others is not None  # noqa: S101 (it was just set)
        return self._others

    def _other_forms_in(self, text: str, row: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """Inflected and short forms, and names in letters of another script: with a capital, if the script has any."""
        others = self._forms()
        named = [word for word in row if text[word.start].isupper() or not cased(text[word.start])]
        yield from ((start, end) for start, end, folded in named if others.hold(folded))
        for match in _KATAKANA.finditer(text) if others.latin else ():
            if not others.latin.isdisjoint(sounds(match[0])):
                yield match.span()
        # Syllables that another script does not part ("Min-su", "Xiao Ming").
        for a, b in pairwise(row) if others.foreign else ():
            if (
                b.start - a.end == 1
                and text[a.start].isupper()
                and not others.foreign.isdisjoint(sounds(a.folded + b.folded))
            ):
                yield a.start, b.end

    def _short_in(self, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Names of a letter or two beside a title, or beside another word of the name; and initials of the whole name."""
        for name in self.short:
            searched = text
            if cased(name):
                titles = _titles("title")
                written = f"(?:{re.escape(name.upper())}|{re.escape(name.title())})"
                pattern = rf"(?<!\w)(?:{titles})\.?[ \u00a0]{{1,2}}(?P<name>{written})(?!\w)"
            else:
                bare_name, searched = re.escape(_bare_character(name)), _bare(text)
                pattern = (
                    rf"(?<=[小老阿]){bare_name}|{bare_name}(?=[ \u00a0]?(?:{_titles('title_joined', 'title_of_one')}))"
                )
            for match in re.finditer(pattern, searched):
                yield match.span(match.lastgroup or 0)
        bare = {form for name in self.short for form in spelled(name)}
        for start, end in spans if self.short else ():
            beside = _SHORT_AFTER.match(text, end), _SHORT_BEFORE.search(text, max(0, start - 4), start)
            for match in filter(None, beside):
                if fold(match["name"]) in self.short and not match["name"].islower():
                    yield match.span("name")
            for place in (start - 1 - text.endswith(_GAPS, 0, start), end + text.startswith(_GAPS, end)):
                if 0 <= place < len(text) and not cased(text[place]) and _bare_character(text[place]) in bare:
                    yield place, place + 1
        initials = {name[0] for name in self.single | self.short}
        for match in _INITIALS.finditer(text) if len(self.single) > 1 and "." in text else ():
            letters = [c for c in match[0] if c.isalpha()]
            of_names = len({fold(c)[:1] for c in letters}) > 1 and {fold(c)[:1] for c in letters} <= initials
            if of_names and all(map(str.isupper, letters)) and match[0].count(".") == len(letters):
                yield match.span()

    def _broken(self, text: str, row: Sequence[Word]) -> list[tuple[int, int]]:
        """Names that a line end or the border of two cells cuts in two, without a hyphen."""
        if "\n" not in text and "|" not in text:
            return []
        return [
            (a.start, b.end) for a, b in pairwise(row)
            if b.start - a.end < _WIDEST_CUT and _CUT.fullmatch(text, a.end, b.start)
            and len(a.folded) + len(b.folded) >= _COMPOUNDED and without_accents(a.folded + b.folded) in self.single
        ]  # fmt: skip

    def _initials_beside(self, text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Initials of other words of the name that stand beside one of it ("Petra Ö.", "P. Quill")."""
        initials = {name[0] for name in self.single}
        near = [
            match for start, end in spans
            for match in (_INITIAL_AFTER.match(text, end), _INITIAL_BEFORE.search(text, max(0, start - 5), start)) if match
        ]  # fmt: skip
        return [match.span(1) for match in near if match[1].isupper() and fold(match[1])[:1] in initials]

    def _numbers_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Numbers however they are grouped, and the ends of long ones."""
        kinds = (_DIGITS, _DIGITS_IN_CELLS) if _CELLS.search(text) else (_DIGITS,)
        for match in (match for kind in kinds for match in kind.finditer(text)):
            lines = [
                (match.start() + a, match.start() + b) for a, b in map(re.Match.span, _ON_A_LINE.finditer(match[0]))
            ]
            figures = [only_digits(text[start:end]) for start, end in lines]
            whole = "".join(figures)
            # A number may go on over the end of a line, but what else stands there is no part of it.
            places = [place for place, row in enumerate(figures) for _ in row]
            for number in self.digits:
                if _is_tail(whole, number):
                    yield match.span()
                at = whole.find(number)
                while at >= 0:
                    yield lines[places[at]][0], lines[places[at + len(number) - 1]][1]
                    at = whole.find(number, at + 1)
                yield from (line for line, row in zip(lines, figures, strict=True) if _is_tail(row, number))

    def _within_any(self, folded: Sequence[str]) -> bool:
        """Check whether a name stands in any word, alone or not."""
        everything = "\n".join(folded)
        return any(name in everything for name in self.single)

    def _in_longer(self, text: str, row: Sequence[Word]) -> Iterator[tuple[int, int]]:
        """Longer words that show a name: genitives, compounds, hashtags, clauses of scripts without blanks."""
        bare = [without_accents(word[2]) for word in row]
        everything = "\n".join(bare)
        names = [name for name in self.single if name in everything]
        for word, folded in zip(row, bare, strict=True) if names else ():
            within = [name for name in names if name in folded]
            if within and folded not in self.single and _shows(text[word.start : word.end], folded, within):
                yield word.start, word.end

    def _in_clauses(self, text: str) -> Iterator[tuple[int, int]]:
        """Names in scripts that part no words, wherever they stand: their words may be others than a dictionary's."""
        names = [] if is_parted(text) else [name for name in self.single if not is_parted(name)]
        for name in names:
            yield from (match.span() for match in re.finditer(re.escape(name), _bare(text)))

    def _sequences_in(self, row: Sequence[Word]) -> Iterable[tuple[int, int]]:
        """Sequences, and the same joined ("MG4391207") or parted elsewhere ("MG4391 207")."""
        starts = self._starts
        for i in [i for i, word in enumerate(row) if word[2][:_FRONT] in starts]:
            first = row[i]
            for joined in self._joined:
                if joined.startswith(first.folded):
                    rest, j = joined[len(first.folded) :], i + 1
                    while rest and j < len(row) and rest.startswith(row[j].folded):
                        rest, j = rest[len(row[j].folded) :], j + 1
                    if not rest:
                        yield first.start, row[j - 1].end


@dataclass(frozen=True, slots=True, repr=False)
class _OtherForms:
    """Other forms of a person's names: inflected and short forms, and readings of names in another script.

    `foreign` are the readings of names that are not in Latin letters, `latin` of those that are.
    """

    forms: frozenset[str]
    foreign: frozenset[str]
    latin: frozenset[str]

    @classmethod
    def of(cls, single: frozenset[str]) -> "_OtherForms":
        """The other forms of these names."""
        readings: dict[bool, set[str]] = {True: set(), False: set()}
        for name in single:
            readings[script_of(name) == "latin"] |= sounds(name)
        forms = frozenset(form for name in single for form in other_forms(name))
        return cls(forms, frozenset(readings[False]), frozenset(readings[True]))

    def hold(self, folded: str) -> bool:
        """Check whether a folded word is one of them."""
        plain = folded.isascii()
        if folded in self.forms or not (plain or self.forms.isdisjoint(spelled(folded))):
            return True
        others = self.foreign if plain or script_of(folded) == "latin" else self.latin
        return bool(others) and not others.isdisjoint(sounds(folded))


@lru_cache(maxsize=1 << 14)
def _bare_character(character: str) -> str:
    """A character without its marks, or itself if that would be another number of characters."""
    bare = without_accents(fold(character))
    return bare if len(bare) == 1 else character


@lru_cache(maxsize=2)
def _bare(text: str) -> str:
    """A text without marks, character by character."""
    return "".join(map(_bare_character, text))


@cache
def _titles(*tables: str) -> str:
    """A pattern of the titles of all languages that stand before a name, or joined behind it."""
    bare = {title if cased(title) else _bare(title) for table in tables for title in phrases("titles", table)}
    return "|".join(map(re.escape, sorted(bare, key=lambda title: (-len(title), title))))


def _shows(written: str, folded: str, names: Sequence[str]) -> bool:
    """Check whether a word that holds names of a person besides other letters shows one of them."""
    humps = [without_accents(fold(hump)) for hump in _HUMPS.findall(written)]
    if len(humps) > 1 and (any(len(hump) > 2 and hump in names for hump in humps) or set(humps) <= set(names)):
        return True
    if any(folded == a + b for a in names for b in names if a != b):
        return True
    longer = [name for name in names if len(name) > 2]
    if len(longer) > 1 and sum(map(len, longer)) >= _MOST_OF_IT * len(folded):
        return True
    return any(_shows_one(folded, name, capital=not written[0].islower()) for name in names)


def _shows_one(folded: str, name: str, *, capital: bool) -> bool:
    """Check whether a longer word is a name with a grammatical ending, or holds a long one; not "does" or "ambulance"."""
    size = len(name)
    if not capital and (folded in bare_function_words() or (size < _ANYWHERE and not folded.startswith(name))):
        return False
    if _NO_BLANKS.search(name):
        return True
    if folded.startswith(name) and size >= _ADDED.get(folded[size:], 99):
        return True
    at_end = folded.startswith(name) or folded.endswith(name)
    return size >= _ANYWHERE or (size >= _COMPOUNDED and at_end)


def _is_tail(figures: str, number: str) -> bool:
    return len(number) >= _TAILED and _TAIL <= len(figures) < len(number) and number.endswith(figures)


def only_digits(text: str) -> str:
    """The decimal digits of any script, as 0 to 9."""
    digits = "".join(_RUNS.findall(text))
    return digits if digits.isascii() else "".join(str(unicodedata.decimal(digit)) for digit in digits)
