"""Folded shadow text: what a text says once its disguises are taken off, with the way back to the original.

Detection reads the shadow; masking hides in the original. Taken off are: HTML entities, also of entities; percent
encoding; invisible
characters (zero-width, soft hyphens, direction and variation marks, control characters); full width, mathematical,
circled and other forms of letters and digits; marks that no spelling puts there; look-alike letters of other scripts;
s p a c e d letters and digits; hyphens at a line end within a word. Case is kept. A text without disguises is its own
shadow, but for accents, which are composed (NFC).
"""

import html
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from unname.lookalikes import ALIKE, disguised_words

Edit = tuple[int, int, str]
IntArray: TypeAlias = "npt.NDArray[np.int64]"
# Of each character: in a row where nothing was changed yet.
Offsets: TypeAlias = "range | array[int]"


@dataclass(frozen=True, slots=True, repr=False)
class Shadow:
    """A folded text; its character i was made of the original's `[starts[i], ends[i])`. Case is kept."""

    text: str
    starts: Offsets
    ends: Offsets

    def __repr__(self) -> str:
        return f"Shadow({len(self.text)} characters)"

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the shadow, not an empty one, stands in the original."""
        return self.starts[start], self.ends[end - 1]

    def folded(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the original stands in the shadow; empty where nothing of it is left."""
        first = bisect_right(self.ends, start)
        return first, max(first, bisect_left(self.starts, end))


def shadow(text: str) -> Shadow:
    """The folded shadow of a text, in time linear in its length; the shadow of a shadow's text is that text."""
    made = Shadow(text, range(len(text)), range(1, len(text) + 1))
    # One disguise may hide another; whoever piles up more of them than this is not read by anybody.
    for _ in range(_ROUNDS):
        before = made
        for stage in _stages(made.text):
            edits = stage(made.text)
            made = _edited(made, edits) if len(edits.starts) else made
        if made is before:
            break
    return made


class _Edits(NamedTuple):
    """Stretches to be replaced, disjoint and in order.

    `new` is all that replaces them, one after the other, and `lengths` how many characters of it each gets.
    """

    starts: IntArray
    ends: IntArray
    lengths: IntArray
    new: str


_NO_PLACES = np.zeros(0, np.int64)
_NO_EDITS = _Edits(_NO_PLACES, _NO_PLACES, _NO_PLACES, "")


def _gathered(found: Iterable[Edit]) -> _Edits:
    rows = list(found)
    if not rows:
        return _NO_EDITS
    starts, ends, new = zip(*rows, strict=True)
    lengths = np.fromiter(map(len, new), np.int64, len(new))
    return _Edits(np.array(starts, np.int64), np.array(ends, np.int64), lengths, "".join(new))


def _edited(before: Shadow, edits: _Edits) -> Shadow:
    """A shadow with stretches replaced; each new character stands for the whole stretch."""
    first, last = edits.starts, edits.ends - 1
    # What is kept and what is edited take turns. Edits may be many and short: they are made all at once.
    turns = np.diff(np.column_stack((first, edits.ends)).ravel(), prepend=0, append=len(before.text))
    edited = np.arange(len(turns)) % 2 == 1
    kept = ~np.repeat(edited, turns)
    turns[1::2] = edits.lengths
    is_new = np.repeat(edited, turns)
    made, from_start = np.empty(len(is_new), np.uint32), np.empty(len(is_new), np.int64)
    from_end = from_start.copy()
    made[~is_new], made[is_new] = _codes(before.text)[kept], _codes(edits.new)
    from_start[~is_new] = from_end[~is_new] = np.flatnonzero(kept)
    from_start[is_new], from_end[is_new] = np.repeat(first, edits.lengths), np.repeat(last, edits.lengths)
    text = made.tobytes().decode(_UTF32, "surrogatepass")
    return Shadow(text, _at(before.starts, from_start), _at(before.ends, from_end))


_UTF32 = "utf-32-le"


def _codes(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode(_UTF32, "surrogatepass"), "<u4")


def _at(offsets: Offsets, places: IntArray) -> Offsets:
    """The offsets at some places, as whole numbers of Python's own."""
    if isinstance(offsets, range):
        return array("q", (places + offsets.start).tobytes())
    return array("q", np.frombuffer(offsets, np.int64)[places].tobytes())


_ROUNDS = 8

# --- HTML entities

_ENTITY = re.compile(
    r"&(?:(?:amp|#0{0,4}38|#[xX]0{0,4}26);)*(#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});"
)


def _entities(text: str) -> Iterator[Edit]:
    """Entities, also of entities (`&amp;#74;`)."""
    if "&" not in text:
        return
    for match in _ENTITY.finditer(text):
        new = html.unescape(f"&{match[1]};")
        if new != match[0]:
            yield match.start(), match.end(), new


# --- percent encoding

_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,16}")


def _percent(text: str) -> Iterator[Edit]:
    """Characters of a web address as their bytes ("garc%C3%ADa", "maria%20garcia"); "50%20" is a share and a number."""
    if "%" not in text:
        return
    for match in _PERCENT.finditer(text):
        try:
            new = bytes.fromhex(match[0].replace("%", "")).decode()
        except UnicodeDecodeError:
            continue
        before = text[match.start() - 1 : match.start()]
        if new.isprintable() and not before.isdecimal():
            yield match.start(), match.end(), new


# --- invisible characters

_INVISIBLE = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]+"
)
_JOINERS = re.compile("[\u200c\u200d]+")
_EMOJI_PARTS = re.compile("[\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]+")


def _invisible(text: str) -> Iterator[Edit]:
    """Invisible characters, but for those that scripts of joined letters and emoji are spelled with."""
    for match in _INVISIBLE.finditer(text):
        start, end = match.span()
        before, after = text[start - 1 : start], text[end : end + 1]
        joins = _JOINERS.fullmatch(match[0]) and _joined_script(before) and _joined_script(after)
        draws = _EMOJI_PARTS.fullmatch(match[0]) and not before.isascii() and unicodedata.category(before)[0] in "SP"
        if not joins and not draws:
            yield start, end, ""


def _joined_script(character: str) -> bool:
    return "\u0590" <= character <= "\u1cff" and unicodedata.category(character)[0] in "LM"


# --- other forms of letters and digits

# Chinese and Korean texts have very many different characters; to look at one anew takes microseconds.
_CHARACTERS = 1 << 17
_FORM, _RAISED = 1, 2


@lru_cache(maxsize=_CHARACTERS)
def _form(character: str) -> str | None:
    """The plain form of a letter, digit or ASCII sign, or None where the character is one or has none.

    Signs of everyday text (ª, ², …, ½, №, ´, a space that does not break) stay as they are.
    """
    if character < "\u0100":
        return None
    if "\U0001f150" <= character <= "\U0001f169" or "\U0001f170" <= character <= "\U0001f189":
        return chr(ord("A") + (ord(character) - 0x1F150) % 32)
    composed = unicodedata.normalize("NFC", character)
    if composed != character and unicodedata.combining(character) == 0:
        return composed
    plain = unicodedata.normalize("NFKC", character)
    signs = plain.isascii() and plain.isprintable() and plain != " " * len(plain)
    if plain == character or not (plain.isalnum() or (len(plain) == 1 and signs) or re.fullmatch(r"\(\w+\)", plain)):
        return None
    return None if character in "№™ℹ" else plain


@lru_cache(maxsize=_CHARACTERS)
def _is_raised(character: str) -> bool:
    """Whether a character is a raised or lowered letter or digit."""
    form = unicodedata.decomposition(character)
    return form.startswith(("<super>", "<sub>")) and unicodedata.normalize("NFKC", character).isalnum()


@lru_cache(maxsize=_CHARACTERS)
def _new_form(character: str) -> tuple[int, str] | None:
    """What a character may become, and of which kind that is."""
    if _is_raised(character):
        return _RAISED, unicodedata.normalize("NFKC", character)
    form = _form(character)
    return None if form is None else (_FORM, form)


def _forms(text: str) -> _Edits:
    """Compatibility forms one by one; raised and lowered ones only from three on ("m²", "10⁹" and "1ª" are spellings)."""
    characters, codes = [c for c in set(text) if c > "\x7f"], _codes(text)
    found = {ord(c): form for c, form in zip(characters, map(_new_form, characters), strict=True) if form}
    new = {code: form for code, (_, form) in found.items()}
    highest = int(codes.max())
    kinds, lengths = np.zeros(highest + 1, np.uint8), np.zeros(highest + 1, np.int64)
    kinds[list(found)] = [kind for kind, _ in found.values()]
    lengths[list(found)] = [len(form) for form in new.values()]
    # An emoji is no letter, though it may be drawn as one.
    single = (kinds[codes] == _FORM) & (np.append(codes[1:], 0) != _DRAWN)
    row = np.pad(kinds[codes] == _RAISED, 2)
    threes = row[:-2] & row[1:-1] & row[2:]
    places = np.flatnonzero(single | threes[:-2] | threes[1:-1] | threes[2:])
    old = codes[places].tobytes().decode(_UTF32, "surrogatepass")
    return _Edits(places, places + 1, lengths[codes[places]], old.translate(new))


_DRAWN = 0xFE0F


# --- marks

_MARK = "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_MARKED = re.compile(f"([^{_MARK}])([{_MARK}]+)", re.DOTALL)
_ACCENTS = re.compile(
    "[\u0300-\u0304\u0306-\u030c\u030f\u0311\u0313\u0314\u031b\u0323-\u0328\u032d\u032e\u0330\u0331\u0342-\u0345]+"
)
# Letters that some orthography gives an accent for which there is no letter of its own.
_BEARERS = frozenset("aeiouymnlrgAEIOUYMNLRG")


def _marks(text: str) -> Iterator[Edit]:
    """Accents are composed with their letters; marks that no spelling has there go, and with them all of their word's."""
    word: list[tuple[int, int, str, str | None]] = []
    for match in _MARKED.finditer(text):
        if word and not (match.start() == word[-1][1] or text[word[-1][1] : match.start()].isalnum()):
            yield from _settled(text, word)
            word = []
        base = match[1]
        if base.isascii() or unicodedata.category(base) not in ("So", "Sk"):
            word.append((*match.span(), base, _composed(*match.groups())))
    yield from _settled(text, word)


def _settled(text: str, word: Sequence[tuple[int, int, str, str | None]]) -> Iterator[Edit]:
    spelled = all(composed is not None for *_, composed in word)
    for start, end, base, composed in word:
        new = composed if spelled and composed is not None else base
        if new != text[start:end]:
            yield start, end, new


def _composed(base: str, marks: str) -> str | None:
    """A letter with its accents, or None where no spelling has such."""
    if len(marks) > 2 or not base.isalpha() or not _ACCENTS.fullmatch(marks):
        return None
    composed, apart = unicodedata.normalize("NFC", base + marks), unicodedata.normalize("NFD", base + marks)
    spelled = len(composed) == 1 or apart[0] in _BEARERS or not "\0" < apart[0] < "\u0250"
    return composed if len(apart) <= 3 and len(composed) <= 2 and spelled else None


# --- spaced letters

_ONE = r"[^\W_]"
_SPACE = "[ \t\u00a0\u2000-\u200a\u202f\u205f\u3000]"
_ITEM = f"(?:{_ONE}|[@./:+_-])(?!{_ONE})"
# Two that others stand beside, or two spaces: less is no word. What it ends with looks back at what stands before.
_HINT = re.compile(
    rf"{_SPACE}{_ONE}{_SPACE}{_ONE}{_SPACE}(?:\s|{_ITEM}\s|(?<=[\w\s]{_SPACE}.{_SPACE}.{_SPACE}){_ITEM})"
)
_SPACED = re.compile(f"{_ONE}(?:{_SPACE}{_ITEM})+")
_DOTTED_HINT = re.compile(rf"([._-]){_ONE}\1{_ONE}\1")
_DOTTED = re.compile(rf"{_ONE}([._-]){_ONE}(?!{_ONE})(?:\1{_ONE}(?!{_ONE}))*")
_WIDE = re.compile(_SPACE + _SPACE)
_PAIR = re.compile(rf"(?={_ONE}{_ONE})")
# "8 x 5 x 2 cm" is spelled so.
_SIZES = re.compile(r"\d\Wx\W\d")
_FEWEST = 4
_FEWEST_DOTTED = 6
_CHANGE = re.compile(r"(?<=\d{4})(?=[^\W\d_]{4})|(?<=[^\W\d_]{4})(?=\d{4})|(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")


def _spaced(text: str) -> _Edits:
    """Runs of four or more single letters or digits, each parted from the next by one space.

    Beside two spaces, which part the words of such a text and become one, three suffice, and two letters between. Letters in
    the order of the alphabet are a list, not a word. A space stays before a capital that follows a small letter, and between
    four letters and four digits: it parts words. Signs of addresses and dates may stand between ("a d a @ m a i l . e x").
    """
    return _without(_joined(text, _HINT, _SPACED, _is_spaced_word))


def _dotted(text: str) -> _Edits:
    """The same with one dot, hyphen or underscore between; "U.S.S.R." and "1.2.3.4" stay."""
    return _without(_joined(text, _DOTTED_HINT, _DOTTED, _is_dotted_word))


def _without(found: Iterable[Sequence[int]]) -> _Edits:
    rows = list(found)
    if not rows:
        return _NO_EDITS
    places = np.fromiter(chain.from_iterable(rows), np.int64)
    return _Edits(places, places + 1, np.zeros(len(places), np.int64), "")


def _joined(
    text: str, hint: re.Pattern[str], run: re.Pattern[str], is_word: Callable[[str, int, int], bool]
) -> Iterator[Sequence[int]]:
    """Places of what stands between the characters of words that are written apart, word by word."""
    at = 0
    while (found := hint.search(text, at)) is not None:
        start = found.start()
        # A single letter may stand before the separator that was found.
        single = start > at and text[start - 1].isalnum() and not text[max(0, start - 2) : start - 1].isalnum()
        start += -1 if single else 1
        whole = run.match(text, start)
        if whole is None:
            at = found.start() + 1
            continue
        end = whole.end()
        while not text[end - 1].isalnum():
            end -= 2
        if is_word(text, start, end) and not _SIZES.search(text, start, end):
            letters = text[start:end:2]
            changes = set() if "@" in letters else {m.start() for m in _CHANGE.finditer(letters)}
            if start - 2 >= at and _WIDE.fullmatch(text, start - 2, start):
                yield (start - 1,)
            spaces = range(start + 1, end, 2)
            yield [space for space in spaces if (space + 1 - start) // 2 not in changes] if changes else spaces
            if _WIDE.fullmatch(text, end, end + 2):
                yield (end,)
                end += 1
        at = max(end, found.start() + 1)


def _is_spaced_word(text: str, start: int, end: int) -> bool:
    letters = text[start:end:2]
    before, behind = text[max(0, start - 2) : start], text[end : end + 2]
    flanked = (len(before) == 2 and before.isspace()) + (len(behind) == 2 and behind.isspace())
    fewest = _FEWEST - flanked if flanked < 2 or letters.isalpha() else _FEWEST - 1
    if len(letters) < fewest:
        return False
    pairs = islice(_PAIR.finditer(letters), fewest - 1)
    return sum(1 for _ in pairs) == fewest - 1 and not _is_list(letters)


def _is_dotted_word(text: str, start: int, end: int) -> bool:
    letters = text[start:end:2]
    many = text[start + 1] == "." and (letters.isdigit() or letters.isupper())
    return len(letters) >= (_FEWEST_DOTTED if many else _FEWEST) and not _is_list(letters)


def _is_list(letters: str) -> bool:
    """Whether letters follow each other as in the alphabet."""
    low = letters.lower()
    return len(letters) > 2 and letters.isalpha() and all(ord(b) == ord(a) + 1 for a, b in pairwise(low))


# --- words broken at a line end

_BROKEN = re.compile(r"[-\u2010\xad][ \t]*\r?\n[ \t]*[^\W\d_]")


def _broken(text: str) -> Iterator[Edit]:
    """A hyphen and line end within a word; before a capital the hyphen is the word's own and stays."""
    if "\n" in text:
        for match in _BROKEN.finditer(text):
            start, end = match.span()
            capital = text[end - 1].isupper()
            if text[start - 1 : start].isalpha() and not (capital and text[start] == "\xad"):
                yield start, end - 1, "-" if capital else ""


# --- all of them

Stage = Callable[[str], _Edits]


def _one_by_one(found: Callable[[str], Iterable[Edit]]) -> Stage:
    return lambda text: _gathered(found(text))


# Each stage, and the kind of character without which it finds nothing.
_STAGES: tuple[tuple[str, Stage], ...] = (
    ("", _one_by_one(_entities)),
    ("", _one_by_one(_percent)),
    ("", _one_by_one(_broken)),
    ("invisible", _one_by_one(_invisible)),
    ("form", _forms),
    ("mark", _one_by_one(_marks)),
    ("alike", _one_by_one(disguised_words)),
    ("", _spaced),
    ("", _dotted),
)
_ASCII_CONTROL = re.compile("[\0-\x08\x0e-\x1b\x7f]")


def _stages(text: str) -> list[Stage]:
    """The stages that may find something in a text."""
    controlled = text.isascii() and _ASCII_CONTROL.search(text)
    kinds = {"invisible"} if controlled else set() if text.isascii() else set(map(_kind, set(text)))
    return [stage for kind, stage in _STAGES if not kind or kind in kinds]


@lru_cache(maxsize=_CHARACTERS)
def _kind(character: str) -> str:
    """What a character may be a disguise of, or a part of one."""
    if character in ALIKE:
        return "alike"
    if _INVISIBLE.match(character):
        return "invisible"
    if re.match(f"[{_MARK}]", character):
        return "mark"
    return "form" if _form(character) is not None or (_is_raised(character) and character not in "ªº²³") else "plain"
