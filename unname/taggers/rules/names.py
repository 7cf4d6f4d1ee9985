"""Names by rule: behind titles and before them, and in fields of forms, of JSON and of tables.

A search for titles and for the sign behind a field's name; from there the words of the name are read one by one, so that
each can be compared with words that are no name. A span lies in one line: a name that a line end breaks is several spans.
"""

import re
from collections.abc import Callable, Iterator

from unname.taggers.rules import cues
from unname.taggers.rules.recogniser import DISTINCT, LIKELY, SHAPE, UPPER, WITHIN, Recogniser, any_of
from unname.types import Span

_TITLE = re.compile(any_of(cues.of_names("title")) + r"\b(?:ª|[.][ao]\b)?(?:[.:]{0,2}(?=\s)|\.)")
_SMALL_TITLE = re.compile(any_of(cues.of_names("small_title")) + r"\b(?:\.|(?=\s))")
_NO_TITLE = re.compile(any_of(cues.of_names("no_title")) + r"\b")
# A small title is searched for behind these: there are fewer blanks than letters.
_SMALL_TITLE_BEHIND = re.compile(rf"[\s(,;:\"'-]{_SMALL_TITLE.pattern}")
_DON = re.compile(r"(?:D(?:\.?[ \u00a0]?ª\.?|\.ñ?a\.?|\.)|M\.)(?=[ \u00a0])")
# Behind these no title begins ("mg/dl").
_WITHIN = re.compile(r"[^\W_]|/")
_DEGREE = re.compile(
    r"(?:(?:Dr|Drs|Dra|Prof|PD|Priv\.-Doz|Doz|Dipl\.-[A-Z][a-z]{1,8}|Mag|Ing|Lic|Lcdo|Lcda|Ldo|Lda|Dott|Univ|MUDr|JUDr|Mgr|Bc"
    r"|inż|doc|drs|dr|ing|mgr|ir|lek)\b\.?)?"
    r"(?:[ \u00a0]?(?:med|rer|nat|phil|jur|iur|theol|h\.[ ]?c|univ|dent|vet|habil|hab|pol|oec|mult|Dr)\b\.?){0,6}+"
)
_SPACE, _ARTICLE = re.compile(r"\s{0,3}"), re.compile(r"(?:l[ea]|el|il|de[rn]|die)[ ](?=" + UPPER + ")")
_PARTICLES = (
    r"(?:(?:del?|la|los|y|i|e|das?|dos?|di|della|du|le|van|von|zu|de[rn]|bin|al|el|ter|ten|af|av|op|[’']t)\s{1,3}){0,2}"
)
_WORD = re.compile(rf"(?P<lead>{_PARTICLES})(?!N[ºª°])(?P<word>{UPPER}(?:\.[ao]?(?=\s)|{WITHIN}{{0,30}}+))")
# "Wm.", "C.Ph.": initials, letters without a vowel, and the usual short forms, before another word of the name.
_SHORT = re.compile(
    rf"(?P<word>(?!Ng\.){UPPER}[bcdfghjklmnpqrstvwxz]{{0,3}}|{any_of(cues.of_names('short_name'))})\.[ \u00a0-]{{0,2}}"
    rf"(?={_PARTICLES}{UPPER})"
)
_BEHIND = re.compile(rf"[ \u00a0-]{{0,2}}{any_of(cues.of_names('eponym_behind'))}\b")
_AND = re.compile(
    rf"[ \u00a0]?(?:,[ \u00a0]?|(?:,[ ])?(?<=[ ]){any_of(cues.words('and', 'titles'))}[ \u00a0])(?={_PARTICLES}{UPPER})"
)
_NEXT = re.compile(r"\s{1,3}")
_LABEL_SIGN = re.compile(r"\s{0,2}:")
_NO_NAMES = cues.of_names("title") | cues.of_names("role")
_NO_FIELD_VALUES = _NO_NAMES | cues.of_names("other_field") | cues.of_names("field") | cues.of_names("person_field")
_FIELDS = frozenset(each.lower() for each in cues.of_names("field"))
_PERSON_FIELDS = frozenset(each.lower() for each in cues.of_names("person_field"))
_MOST_SHORT, _MOST_WORDS, _MOST_TITLES, _MOST_OTHERS = 4, 5, 4, 9
# A shorter line was ended on purpose: another entry follows, unless there is but one word of the name.
_FULL_LINE = 40


def in_names(text: str, clock: Callable[[], None]) -> Iterator[Span]:
    """Names behind titles and in fields of forms."""
    for pattern, score in ((_TITLE, LIKELY), (_SMALL_TITLE_BEHIND, SHAPE), (_DON, SHAPE)):
        match = _SMALL_TITLE.match(text) if pattern is _SMALL_TITLE_BEHIND else None
        match, done = match or pattern.search(text), 0
        while match:
            clock()
            if pattern is _SMALL_TITLE_BEHIND or not _WITHIN.match(text, max(0, match.start() - 1), match.start()):
                for span in _behind_title(text, match, score):
                    yield span
                    done = span.end
            match = pattern.search(text, max(done, match.end()))
    yield from _in_fields(text, clock)


def _behind_title(text: str, title: re.Match[str], score: float) -> Iterator[Span]:
    if _NO_TITLE.match(text, title.start()):
        return
    start = _after_titles(text, _SPACE.match(text, title.end()).end())  # type: ignore[union-attr]
    weak = title.re is not _TITLE
    row = list(_words(text, start, _NO_NAMES))
    if not row or (weak and not _is_spelled(text, row)):
        return
    if title.re is _DON:
        last = row[-1][1]
        ill = title[0] == "M." and text[row[0][0] : row[0][1]] in cues.of_names("eponym")
        if ill or _BEHIND.match(text, last):
            return
    yield from _parts(text, row, score)
    if re.match(r"[^\W\d_]*", title[0].lstrip())[0] in cues.of_names("plural_title"):  # type: ignore[index]
        yield from _and_others(text, row[-1][1], score)


def _and_others(text: str, at: int, score: float) -> Iterator[Span]:
    """The other names behind a title of several people."""
    for _ in range(_MOST_OTHERS):
        joint = _AND.match(text, at)
        row = list(_words(text, joint.end(), _NO_NAMES)) if joint else []
        if not row:
            return
        yield from _parts(text, row, score)
        at = row[-1][1]


def _is_spelled(text: str, row: list[tuple[int, int]]) -> bool:
    """Check whether a name has small letters, a point, or several words: one without may be an abbreviation."""
    start, end = row[-1]
    return len(row) > 1 or text[end - 1] == "." or any(map(str.islower, text[start + 1 : end]))


def _after_titles(text: str, at: int) -> int:
    """The end of further titles, offices and degrees."""
    for _ in range(_MOST_TITLES):
        begin = _ARTICLE.match(text, at)
        first = begin.end() if begin else at
        match = _TITLE.match(text, first) or _SMALL_TITLE.match(text, first) or _role(text, first)
        degree = _DEGREE.match(text, at)
        end = max(match.end() if match else at, degree.end() if degree else at)
        gap = _SPACE.match(text, end)
        if end == at or gap is None or (gap.end() == end and text[end - 1] != "."):
            return at
        at = gap.end()
    return at


def _role(text: str, at: int) -> re.Match[str] | None:
    match = _WORD.match(text, at)
    return match if match and match["word"] in cues.of_names("role") else None


def _words(text: str, at: int, no_names: frozenset[str]) -> Iterator[tuple[int, int]]:
    """The words of a name that begins here, each with the particles before it."""
    for _ in range(_MOST_SHORT):
        short = _SHORT.match(text, at)
        if short is None or short["word"] in no_names:
            break
        yield at, short.end("word") + 1
        at = short.end()
    for many in range(1, _MOST_WORDS + 1):
        word = _WORD.match(text, at)
        if word is None or word["word"].rstrip(".") in no_names or _LABEL_SIGN.match(text, word.end()):
            return
        yield at, word.end()
        gap = _NEXT.match(text, word.end())
        if gap is None or ("\n" in gap[0] and not (many == 1 or _is_full(text, word.end()))):
            return
        at, no_names = gap.end(), _NO_FIELD_VALUES if "\n" in gap[0] else no_names


def _is_full(text: str, end: int) -> bool:
    """Check whether a line that ends here had no room for more, so that a name may go on in the next."""
    return end - text.rfind("\n", max(0, end - 2 * _FULL_LINE), end) > _FULL_LINE


def _parts(text: str, row: list[tuple[int, int]], score: float) -> Iterator[Span]:
    """A span for each line of a name."""
    start, end = row[0]
    for first, last in row[1:]:
        if "\n" in text[end:first]:
            yield Span(start, end, "NAME", score=score)
            start = first
        end = last
    yield Span(start, end, "NAME", score=score)


# --- fields of forms

# Before a value that begins with a letter.
_FIELD_SIGN = re.compile(r"[:=|\t>](?=[\s*_]{0,5}[\"']?[^\W\d_])")
_VALUE = re.compile(r"[\s*_]{0,5}[\"']?")
_COMMA = re.compile(r",[ \u00a0]{0,2}")
_WIDEST = 40
_AROUND_LABEL = " \u00a0\"'*_-([{<>/,;|)."
_LABEL_ENDS = re.compile(r"[\"'|,;{<(\t\n。、]")
_LONGEST_LABEL, _LAST_WORD = 16, re.compile(r"[^\s\"'|,;{<(\[>/*。、-]*\Z")
_LAST_WORDS = frozenset(re.split(r"[ '/-]", each)[-1][-_LONGEST_LABEL:] for each in _FIELDS | _PERSON_FIELDS)


def _in_fields(text: str, clock: Callable[[], None]) -> Iterator[Span]:
    for sign in _FIELD_SIGN.finditer(text):
        labels = _labels(text, sign.start())
        if labels.isdisjoint(_FIELDS) and labels.isdisjoint(_PERSON_FIELDS):
            continue
        clock()
        start = _after_titles(text, _VALUE.match(text, sign.end()).end())  # type: ignore[union-attr]
        row = list(_words(text, start, _NO_FIELD_VALUES))
        comma = _COMMA.match(text, row[-1][1]) if row else None
        row += list(_words(text, comma.end(), _NO_FIELD_VALUES)) if comma else []
        # The key of a record says more than a word in a text ('"family": "Kestrel"', "Family: Lives alone").
        quoted = {text[sign.start() - 1 : sign.start()], text[sign.end() : sign.end() + 1]} & {'"', "'"}
        sure = quoted or not labels.isdisjoint(_FIELDS)
        if len(row) > 1 or (row and sure):
            yield from _parts(text, row, DISTINCT)


def _labels(text: str, end: int) -> set[str]:
    """The names that the field with this sign may have: the last words before it, up to four; nothing if it is no name's."""
    label = text[max(0, end - _WIDEST) : end].rstrip(_AROUND_LABEL).removesuffix("(s").removesuffix(" value").lower()
    last = _LAST_WORD.search(label, max(0, len(label) - _LONGEST_LABEL))
    if last is None or last[0] not in _LAST_WORDS:
        return set()
    words = _LABEL_ENDS.split(label)[-1].split()[-4:]
    return {" ".join(words[at:]).lstrip(_AROUND_LABEL) for at in range(len(words))}


# --- before titles, and in scripts without capitals

_HAN = "\u3400-\u4dbf\u4e00-\u9fff々"
_IDEOGRAPHS = re.compile(f"[{_HAN}]")
_SURNAMES = cues.words("surname", "titles")
_CHINESE = any_of(name for name in _SURNAMES if not "가" <= name <= "힣")
_KOREAN = any_of(name for name in _SURNAMES if "가" <= name <= "힣")
_NO_JOINED = any_of(cues.words("no_name_joined", "titles"))


def _before(language: str) -> str:
    return any_of(cues.of_language("title_joined", language))


NAMES = (
    Recogniser("NAME", re.compile(
        rf"(?P<name>{UPPER}{WITHIN}{{1,30}}(?:[ ]{UPPER}{WITHIN}{{1,30}})?)[ ]{any_of(cues.of_names('title_behind'))}\b"
    ), LIKELY, needs=re.compile("[ğşıİ]")),
    # Of scripts without capitals.
    Recogniser("NAME", re.compile(
        rf"{any_of(cues.of_names('title_without_capitals'))}(?![^\W\d_\u0e00-\u0e7f])[./]?[ \u00a0]{{0,2}}"
        rf"(?P<name>(?![A-Za-z]){UPPER}{WITHIN}{{1,30}}+(?:[ \u00a0](?![A-Za-z]){UPPER}{WITHIN}{{1,30}}+)?)"
    ), SHAPE, needs=re.compile("[\u0590-\u0fff]")),
    Recogniser("NAME", re.compile(
        rf"(?P<name>{_CHINESE}[{_HAN}]{{0,2}}?)(?={_before('zh')})"
    ), LIKELY, needs=_IDEOGRAPHS),
    Recogniser("NAME", re.compile(
        rf"(?<![{_HAN}])(?!{_NO_JOINED}(?![{_HAN}]))(?P<name>[{_HAN}ァ-ヺー]{{1,5}}(?:[ \u3000][{_HAN}]{{1,4}})?)"
        rf"[ \u3000]?(?={_before('ja')})(?!氏名|様式|氏族|様子|殿部)"
    ), SHAPE, needs=_IDEOGRAPHS),
    Recogniser("NAME", re.compile(
        rf"(?<![가-힣])(?!{_NO_JOINED}[가-힣]?[ ]?{_before('ko')})(?P<name>{_KOREAN}[가-힣]{{1,2}})[ ]?(?={_before('ko')})"
    ), SHAPE, needs=re.compile("[가-힣]")),
)  # fmt: skip
