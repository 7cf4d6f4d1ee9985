"""Normalised text: what a text says once its disguises are taken off, with the way back to the original.

Detection reads the normalised text; masking hides in the original. Taken off are: HTML entities, also of entities; percent
encoding; escapes that exporters leave, and mojibake; tags within a word; invisible characters (zero-width, soft hyphens,
direction and variation marks, control characters); full width, mathematical, circled and other forms of letters and digits;
marks that no spelling puts there; look-alike letters of other scripts; s p a c e d letters and digits; hyphens at a line
end within a word. Case is kept. A text without disguises is its own normalised text, but for accents, which are composed
(NFC).
"""

import html
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from unname import exported
from unname.exported import Edit
from unname.lookalikes import ALIKE, disguised_words

Stage = Callable[[str], Iterable[Edit]]


@dataclass(frozen=True, slots=True, repr=False)
class NormalisedText:
    """A folded text; its character i was made of the original's `[starts[i], ends[i])`. Case is kept."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def __repr__(self) -> str:
        return f"NormalisedText({len(self.text)} characters)"

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original of a stretch of the normalised text, not an empty one."""
        return self.starts[start], self.ends[end - 1]

    def folded(self, start: int, end: int) -> tuple[int, int]:
        """The place in the normalised text of a stretch of the original; empty where nothing of it is left."""
        first = bisect_right(self.ends, start)
        return first, max(first, bisect_left(self.starts, end))


# One disguise may hide another; whoever piles up more of them than this is not read by anybody.
_ROUNDS = 8


def normalised(text: str) -> NormalisedText:
    """The normalised form of a text, in time linear in its length; normalising twice changes nothing."""
    made = NormalisedText(text, range(len(text)), range(1, len(text) + 1))
    for _ in range(_ROUNDS):
        before = made
        characters = "".join(set(made.text))
        for needed, stage in _STAGES:
            if needed.search(characters):
                made = _edited(made, stage(made.text))
        if made is before:
            break
    return made


def _edited(before: NormalisedText, edits: Iterable[Edit]) -> NormalisedText:
    """A normalised text with stretches replaced, disjoint and in order; each new character stands for the whole stretch."""
    parts: list[str] = []
    starts, ends, at = array("q"), array("q"), 0
    for start, end, new in edits:
        parts += before.text[at:start], new
        starts.extend(before.starts[at:start])
        ends.extend(before.ends[at:start])
        starts.extend([before.starts[start]] * len(new))
        ends.extend([before.ends[end - 1]] * len(new))
        at = end
    if not parts:
        return before
    starts.extend(before.starts[at:])
    ends.extend(before.ends[at:])
    return NormalisedText("".join([*parts, before.text[at:]]), starts, ends)


# --- HTML entities

_ENTITY = re.compile(
    r"&(?:(?:amp|#0{0,4}38|#[xX]0{0,4}26);)*(#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[A-Za-z][A-Za-z0-9]{1,31});"
)


def _entities(text: str) -> Iterator[Edit]:
    """Entities, also of entities (`&amp;#74;`)."""
    for match in _ENTITY.finditer(text):
        new = html.unescape(f"&{match[1]};")
        if new != match[0]:
            yield match.start(), match.end(), new


# --- percent encoding

_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}){1,16}")


def _percent(text: str) -> Iterator[Edit]:
    """Characters of a web address as their bytes ("garc%C3%ADa", "maria%20garcia"); "50%20" is a share and a number."""
    for match in _PERCENT.finditer(text):
        value = bytes.fromhex(match[0].replace("%", ""))
        try:
            new = value.decode()
        except UnicodeDecodeError:
            new = exported.in_latin_1(value, text, *match.span())
        if not new:
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
_remembered = lru_cache(maxsize=1 << 17)


@_remembered
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


@_remembered
def _is_raised(character: str) -> bool:
    """True if a character is a raised or lowered letter or digit."""
    form = unicodedata.decomposition(character)
    return form.startswith(("<super>", "<sub>")) and unicodedata.normalize("NFKC", character).isalnum()


def _forms(text: str) -> Iterator[Edit]:
    """Compatibility forms one by one; raised and lowered ones only from three on ("m²", "10⁹" and "1ª" are spellings)."""
    characters = {c for c in set(text) if not c.isascii()}
    raised = {c: unicodedata.normalize("NFKC", c) for c in characters if _is_raised(c)}
    single = {c: form for c in characters - raised.keys() if (form := _form(c)) is not None}
    # An emoji is no letter, though it may be drawn as one.
    kinds = [f"[{''.join(single)}](?!\ufe0f)"] * bool(single) + [f"[{''.join(raised)}]{{3,}}"] * bool(raised)
    for match in re.finditer("|".join(kinds), text) if kinds else ():
        for place, character in enumerate(match[0], match.start()):
            yield place, place + 1, single.get(character) or raised[character]


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
# To look for a part of them first is twice as fast where there are none.
_SPACED_PART = re.compile(_SPACE + f"{_ONE}{_SPACE}" * 2)
_DOTTED_PART = re.compile(rf"([._-]){_ONE}\1{_ONE}\1")
_SPACED = re.compile(f"(?<!{_ONE}){_ONE}(?:{_SPACE}{_ITEM})+")
_DOTTED = re.compile(rf"(?<!{_ONE}){_ONE}([._-]){_ONE}(?!{_ONE})(?:\1{_ONE}(?!{_ONE}))+")
_WIDE = re.compile(_SPACE + _SPACE)
_PAIR = re.compile(rf"(?={_ONE}{_ONE})")
# "8 x 5 x 2 cm" is spelled so.
_SIZES = re.compile(r"\d\Wx\W\d")
_FEWEST = 4
_FEWEST_DOTTED = 6
_CHANGE = re.compile(r"(?<=\d{4})(?=[^\W\d_]{4})|(?<=[^\W\d_]{4})(?=\d{4})|(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])")


def _spaced(text: str) -> Iterable[Edit]:
    """Runs of four or more single letters or digits, each parted from the next by one space.

    Beside two spaces, which part the words of such a text and become one, three suffice, and two letters between. Letters in
    the order of the alphabet are a list, not a word. A space stays before a capital that follows a small letter, and between
    four letters and four digits: it parts words. Signs of addresses and dates may stand between ("a d a @ m a i l . e x").
    """
    return _joined(text, _SPACED, _is_spaced_word) if _SPACED_PART.search(text) else ()


def _dotted(text: str) -> Iterable[Edit]:
    """The same with one dot, hyphen or underscore between; "U.S.S.R." and "1.2.3.4" stay."""
    return _joined(text, _DOTTED, _is_dotted_word) if _DOTTED_PART.search(text) else ()


def _joined(text: str, run: re.Pattern[str], is_word: Callable[[str, int, int], bool]) -> Iterator[Edit]:
    """Edits that remove what stands between the characters of words that are written apart."""
    at = 0
    for match in run.finditer(text):
        start, end = match.span()
        while not text[end - 1].isalnum():
            end -= 2
        if is_word(text, start, end) and not _SIZES.search(text, start, end):
            letters = text[start:end:2]
            changes = set() if "@" in letters else {m.start() for m in _CHANGE.finditer(letters)}
            if start - 2 >= at and _WIDE.fullmatch(text, start - 2, start):
                yield start - 1, start, ""
            for place in range(start + 1, end, 2):
                if (place + 1 - start) // 2 not in changes:
                    yield place, place + 1, ""
            if _WIDE.fullmatch(text, end, end + 2):
                yield end, end + 1, ""
                end += 1
        at = end


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
    """True if letters follow each other as in the alphabet."""
    low = letters.lower()
    return len(letters) > 2 and letters.isalpha() and all(ord(b) == ord(a) + 1 for a, b in pairwise(low))


# --- words broken at a line end

# The signs of quoted mails, comments and tables may begin the line that goes on.
_BROKEN = re.compile(
    r"[-\u2010\xad\xac][ \t]*(?:\|[ \t]*)?(?:[\r\f]?\n|\f|<br\s{0,2}/?>)[ \t]*(?:[>|*/#]{1,3}[ \t]*){0,5}[^\W\d_]"
)


def _broken(text: str) -> Iterator[Edit]:
    """A hyphen and line end within a word; before a capital the hyphen is the word's own and stays."""
    for match in _BROKEN.finditer(text):
        start, end = match.span()
        capital = text[end - 1].isupper()
        if text[start - 1 : start].isalpha() and not (capital and text[start] == "\xad"):
            yield start, end - 1, "-" if capital else ""


# --- tags within a word

_TAG = re.compile(
    r"(?<=\w)</?(?:a|b|i|u|s|em|strong|span|font|mark|small|big|sub|sup|wbr)\b[^<>\n]{0,80}>(?=[\w<])", re.IGNORECASE
)


def _tags(text: str) -> Iterator[Edit]:
    """Tags that dress a part of a word."""
    return ((match.start(), match.end(), "") for match in _TAG.finditer(text))


# --- all of them

# Each stage, and the characters without which it finds nothing: few texts have those of disguises.
_STAGES: tuple[tuple[re.Pattern[str], Stage], ...] = (
    (re.compile("&"), _entities),
    (re.compile(r"\\"), exported.escapes),
    (re.compile("_"), exported.cells),
    (re.compile("="), exported.encoded),
    (re.compile("="), exported.quoted),
    (re.compile("<"), _tags),
    (re.compile("%"), _percent),
    (re.compile("[\n\f<]"), _broken),
    (re.compile("[\u00c2-\u00f4\u0102\u0103\u0110\u0111\u0139\u013a\u0420\u0421]"), exported.mojibake),
    (_INVISIBLE, _invisible),
    (re.compile(r"[^\x00-\xff]|¹"), _forms),
    (re.compile(f"[{_MARK}]"), _marks),
    (re.compile(f"[{''.join(ALIKE)}]"), disguised_words),
    (re.compile(""), _spaced),
    (re.compile(""), _dotted),
)
