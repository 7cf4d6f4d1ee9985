"""The encoding of a text that is not in UTF-8, told by the words it makes; where several would do, none is taken.

Each encoding is tried, and the words with foreign letters that it makes are held against the words of the languages that
are written in it: names of countries, languages, months and currencies (CLDR) and frequent words. Of Chinese, Japanese and
Korean it counts how many characters are among the frequent ones of a national set. Encodings that make the same text of the
same bytes are one. The best is taken if it is far ahead of the next and makes words of a language at all.
"""

import codecs
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise
from typing import NamedTuple

_WEST = ("de", "fr", "es", "it", "pt", "nl", "da", "nb", "sv", "fi", "is", "ca", "ga", "et", "en")
_MIDDLE = ("cs", "sk", "pl", "hu", "sl", "hr", "ro", "sq", "de", "en")
_CYRILLIC = ("ru", "uk", "be", "bg", "sr", "mk", "en")
_BALTIC = ("lt", "lv", "et", "en")
# Encoding → languages, and how much rarer it is than that of western Windows, in nats.
_KNOWN: dict[str, tuple[Sequence[str], float]] = {
    "cp1252": (_WEST, 0), "cp1250": (_MIDDLE, 3), "cp1251": (_CYRILLIC, 1), "cp1253": (("el", "en"), 1),
    "cp1254": (("tr", "az", "en"), 3), "cp1255": (("he", "en"), 1), "cp1256": (("ar", "fa", "ur", "en"), 1),
    "cp1257": (_BALTIC, 2), "cp1258": (("vi", "en"), 2), "cp874": (("th", "en"), 1),
    "iso-8859-2": (_MIDDLE, 4), "iso-8859-15": (_WEST, 2), "iso-8859-5": (_CYRILLIC, 3), "iso-8859-7": (("el", "en"), 3),
    "iso-8859-6": (("ar", "fa", "en"), 3), "iso-8859-8": (("he", "en"), 3), "iso-8859-9": (("tr", "en"), 4),
    "iso-8859-13": (_BALTIC, 3), "iso-8859-4": (_BALTIC, 6),
    "iso-8859-3": (("mt", "eo", "en"), 6), "koi8-r": (_CYRILLIC, 1), "koi8-u": (_CYRILLIC, 1),
    "cp850": (_WEST, 3), "cp852": (_MIDDLE, 3), "cp437": (_WEST, 5), "cp866": (_CYRILLIC, 3), "cp855": (_CYRILLIC, 8),
    "cp857": (("tr", "en"), 5), "cp737": (("el", "en"), 5), "cp862": (("he", "en"), 5), "cp775": (_BALTIC, 5),
    "mac-roman": (_WEST, 8), "mac-latin2": (_MIDDLE, 8), "mac-cyrillic": (_CYRILLIC, 8), "mac-greek": (("el", "en"), 8),
    "mac-turkish": (("tr", "en"), 8),
}  # fmt: skip
# Encoding → a national set, first and last lead byte of its frequent characters, and the language.
_WIDE = {
    "gb18030": ("gb2312", 0xB0, 0xD7, "zh"), "big5hkscs": ("big5", 0xA4, 0xC6, "zh_Hant"),
    "cp932": ("euc_jp", 0xB0, 0xCF, "ja"), "euc_jp": ("euc_jp", 0xB0, 0xCF, "ja"), "cp949": ("euc_kr", 0xB0, 0xC8, "ko"),
}  # fmt: skip
_SHOWN = {"big5hkscs": "big5", "cp932": "shift_jis", "cp949": "euc_kr"}
_ESCAPES = ((b"\x1b$)C", "iso2022_kr"), (b"\x1b$B", "iso2022_jp"), (b"\x1b$@", "iso2022_jp"), (b"\x1b(J", "iso2022_jp"))
_WORD = re.compile(r"(?:[A-Za-z]|[^\x00-\x7f])+")
_PUNCTUATION = frozenset("„“”‘’‚–—…«»‹›°§€£·•×÷±µ½¼¾²³\xa0¿¡ºª´")
_TELLING = frozenset("°§€£±µ½¼¾²³×÷–—•…")
_JOINING = frozenset("’·\xad\u200c")
# With the marks over and under letters of Thai, Hebrew, Arabic and Vietnamese.
_LETTERS = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0e31-\u0e4e])+")
_MOST_WORDS, _MOST_TIMES, _LONGEST, _EACH, _SAMPLE = 1500, 3, 40, 60, 1 << 17
# Nats by which the best must be ahead, and what a character of real words costs at most, on the average.
MARGIN, _DEAREST = 7.0, 5.5
_NAMED = 5
_FLOOR = 1e-7
_TONES = frozenset("\u0300\u0301\u0303\u0309\u0323")


class Guess(NamedTuple):
    """The encoding, None where it cannot be told, and those that it may be, the likeliest first."""

    encoding: str | None
    candidates: tuple[str, ...] = ()


def guessed(content: bytes, *, whole: bool = True) -> Guess:
    """The encoding of bytes that are not UTF-8, by what it makes of them; `whole`: they do not end in mid-character."""
    for mark, name in _ESCAPES:
        if mark in content:
            return Guess(name, (name,))
    sample = _telling(content)
    scores: dict[str, float] = {}
    made: dict[str, tuple[str, ...]] = {}
    for name in (*_KNOWN, *_WIDE):
        words = _words(content, sample, name, whole)
        # A letter that stands alone tells nothing, and is rather damage.
        if words and any(_tells(word, name) for word in words):
            score = _wide_score(words, name) if name in _WIDE else _score(words, *_KNOWN[name])
            if score is not None:
                scores[name], made[name] = score, tuple(words)
    order = sorted(scores, key=lambda name: -scores[name])
    if not order:
        return Guess(None)
    # Of those that make the same words the most usual, unless another is written in a language that fits better.
    best = next(name for name in scores if made[name] == made[order[0]] and scores[name] > scores[order[0]] - 3)
    others = [name for name in order if made[name] != made[best] and scores[name] > scores[order[0]] - 2 * MARGIN]
    near = [name for name in others if scores[name] > scores[order[0]] - MARGIN]
    if best == "gb18030" and "euc_jp" in scores and "euc_jp" not in near:  # names without kana are Chinese ones as well
        near, others = [*near, "euc_jp"], [name for name in others if name != "euc_jp"] + ["euc_jp"]
    candidates = tuple(_SHOWN.get(name, name) for name in (best, *others)[:_NAMED])
    return Guess(None if near else best, candidates)


def is_wide(encoding: str) -> bool:
    """True if an encoding is one of Chinese, Japanese or Korean."""
    return encoding in _WIDE


def _tells(word: str, name: str) -> bool:
    """True if a word is more than a letter alone: of one sign, a usual one in an encoding of Windows or ISO."""
    return not word.isascii() and (len(word) > 1 or (word in _TELLING and name.startswith(("cp125", "iso"))))


def _telling(content: bytes) -> bytes:
    """Lines that have bytes beyond ASCII, until each of these was met some times: what more there is tells no more."""
    counts: Counter[int] = Counter()
    kept = []
    for line in content.split(b"\n"):
        high = {byte for byte in line if byte > 127} if not line.isascii() else set()
        if any(counts[byte] < _EACH for byte in high):
            counts.update(high)
            kept.append(line)
    return b"\n".join(kept)[:_SAMPLE]


def _words(content: bytes, sample: bytes, name: str, whole: bool) -> Counter[str] | None:
    """Words as an encoding makes them of a sample; None where the whole does not fit it."""
    try:
        codecs.getincrementaldecoder(name)().decode(content, whole)
        text = codecs.getincrementaldecoder(name)().decode(sample)
    except UnicodeError:
        return None
    return Counter(dict(islice(Counter(word[:_LONGEST] for word in _WORD.findall(text)).items(), _MOST_WORDS)))


def _is_foreign(word: str) -> bool:
    """True if something is made of letters, some of them beyond ASCII, and of marks over and under them."""
    return not word.isascii() and all(unicodedata.category(sign)[0] in "LM" for sign in word)


def _score(words: Mapping[str, int], languages: Sequence[str], rarity: float) -> float | None:
    """The likelihood of words in one of these languages, beside names in any of them and English; None: not at all."""
    plain = {word: min(times, _MOST_TIMES) for word, times in words.items() if word.isascii()}
    foreign = {word: min(times, _MOST_TIMES) for word, times in words.items() if not word.isascii()}
    chances = {language: _Letters.of(language) for language in languages}
    each = {word: {name: chances[name].chance(word) for name in languages} for word in foreign}
    mean = {word: math.log(sum(math.exp(c) for c in row.values()) / len(row) + 1e-300) for word, row in each.items()}
    english = {word: _Letters.of("en").chance(word) for word in plain}
    best = max(
        sum(times * _mixed(each[word][name], mean[word], 0.6) for word, times in foreign.items())
        + sum(times * _mixed(chances[name].chance(word), english[word], 0.6) for word, times in plain.items())
        for name in languages
    )
    letters = sum(len(word) * times for word, times in foreign.items() if _is_foreign(word))
    dear = -sum(times * max(each[word].values()) for word, times in foreign.items() if _is_foreign(word))
    return None if letters and dear > _DEAREST * letters else best - rarity


def _mixed(one: float, other: float, share: float) -> float:
    return math.log(share * math.exp(one) + (1 - share) * math.exp(other) + 1e-300)


def _wide_score(words: Mapping[str, int], name: str) -> float | None:
    """The likelihood of characters in a language written with a national set, which has its frequent ones apart."""
    charset, first, last, language = _WIDE[name]
    alone = _Letters.of(language).alone
    total, seen, rare, kana, joints = 0.0, 0, 0, 0, 0
    for word, times in words.items():
        times = min(times, _MOST_TIMES)
        joined = times * sum(one.isascii() != two.isascii() for one, two in pairwise(word))
        joints, total = joints + joined, total - 3.0 * joined
        for sign in word:
            if sign.isascii():
                total -= 3.0 * times
                continue
            common = _common(sign, charset, first, last)
            seen, rare = seen + times, rare + times * (not common)
            kana += times * ("\u3041" <= sign <= "\u30fe")
            total += times * (math.log(0.7 * alone.get(sign, 0) + 0.3 / 4000) if common else -12)
    # Letters of ASCII seldom touch others: where they do, they were parts of words.
    if not seen or rare > 0.15 * seen or joints > 0.3 * seen:
        return None
    japanese = language == "ja"
    return total - 2 - (8 * (kana < 0.05 * seen) if japanese else 20 * (kana > 0.02 * seen))


@cache
def _common(sign: str, charset: str, first: int, last: int) -> bool:
    """True if a character is among the frequent ones of a set, or punctuation."""
    try:
        lead = sign.encode(charset)[0]
    except UnicodeEncodeError:
        return False
    if first <= lead <= last or "\u3041" <= sign <= "\u30fe":
        return True
    return lead < 0xA4 and unicodedata.category(sign)[0] in "PSNZ"


class _Letters:
    """Frequencies of a letter after another in the words of a language."""

    def __init__(self, words: Iterable[str]) -> None:
        pairs: Counter[str] = Counter()
        for word in words:
            shown = f" {word.lower()} "
            pairs.update(map("".join, zip(shown, shown[1:], strict=False)))
        firsts: Counter[str] = Counter()
        seconds: Counter[str] = Counter()
        for pair, times in pairs.items():
            firsts[pair[0]] += times
            seconds[pair[1]] += times
        every = sum(seconds.values()) or 1
        self.alone = {sign: times / every for sign, times in seconds.items()}
        self._after = {pair: times / (firsts[pair[0]] + 5) for pair, times in pairs.items()}

    def chance(self, word: str) -> float:
        """The logarithm of how likely a word is; what is no letter within one is next to impossible."""
        total, before, lower, capitals = 0.0, " ", False, 0
        last = len(word) - 1
        for place, sign in enumerate(word):
            small = sign.lower()
            if unicodedata.category(sign)[0] in "LM" and sign != "µ":
                total += math.log(self._after.get(before + small, 0.0) + 0.02 * self.alone.get(small, 0.0) + _FLOOR)
                if lower and sign != small:
                    total -= 12.0  # a capital within a word
                if sign == small and capitals > 1:
                    total -= 6.0  # small letters after two capitals
                lower, capitals = sign == small, 0 if sign == small else capitals + 1
                before = small
            else:
                known = sign in _JOINING if 0 < place < last else sign in _PUNCTUATION
                total += math.log(2e-3 if known else _FLOOR) - 12.0 * (unicodedata.category(sign)[0] == "C")
                before, lower = " ", False
        return total + math.log(self._after.get(before + " ", 0.0) + 1e-3)

    @staticmethod
    @cache
    def of(language: str) -> "_Letters":
        """The letters of a language by its code."""
        return _Letters(_words_of(language))


def _words_of(language: str) -> list[str]:
    """Words of a language: what it calls countries, languages, months, days and currencies, and its frequent words."""
    from babel import Locale, UnknownLocaleError
    from stopwordsiso import stopwords

    said: list[str] = list(stopwords({"nb": "no", "zh_Hant": "zh"}.get(language, language)))
    try:
        locale = Locale.parse(language)
    except (UnknownLocaleError, ValueError):
        return said
    for names in (locale.territories, locale.languages, locale.currencies):
        said += [str(name) for name in names.values()]
    for widths in (locale.months, locale.days):
        said += [str(name) for forms in widths.values() for names in forms.values() for name in names.values()]
    words = [word for name in said for word in _LETTERS.findall(name)]
    return list(map(_with_tones_apart, words)) if language == "vi" else words


def _with_tones_apart(word: str) -> str:
    """A Vietnamese word as Windows writes it: the mark of the tone is a character of its own."""
    made = ""
    for sign in word:
        parts = unicodedata.normalize("NFD", sign)
        tones = "".join(part for part in parts if part in _TONES)
        made += unicodedata.normalize("NFC", "".join(part for part in parts if part not in _TONES)) + tones
    return made
