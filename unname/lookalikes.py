"""Letters of other scripts that look like Latin ones, and the words that are written in them for disguise.

Source: a choice from Unicode Technical Standard 39 (confusables): letters whose usual shapes pass for another in a name.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

# Each pair: a Latin letter, and the letter that looks like it.
_CYRILLIC = (
    "AА BВ EЕ IІ IӀ JЈ KК MМ HН OО PР CС TТ YУ YҮ XХ SЅ GԌ QԚ WԜ aа eе oо pр cс yу xх sѕ iі jј kк mм hн tт bв qԛ wԝ dԁ lӏ "
    "hһ vѵ"
)
_GREEK = "AΑ BΒ EΕ ZΖ HΗ IΙ KΚ MΜ NΝ OΟ PΡ TΤ YΥ XΧ CϹ JͿ aα iι kκ vν oο pρ tτ uυ xχ yγ nη cϲ jϳ eε"
_ARMENIAN = "oօ hհ nո uս gց qզ jյ"
_CHEROKEE = "AᎪ DᎠ EᎬ GᏀ HᎻ JᎫ KᏦ LᏞ MᎷ PᏢ SᏚ TᎢ VᏙ WᎳ ZᏃ CᏟ BᏴ RᎡ"
# Small capitals and letters of phonetic alphabets: Latin, but nobody's spelling.
_PHONETIC = "aᴀ bʙ cᴄ dᴅ eᴇ fꜰ gɢ hʜ iɪ jᴊ kᴋ lʟ mᴍ nɴ oᴏ pᴘ rʀ sꜱ tᴛ uᴜ vᴠ wᴡ yʏ zᴢ aɑ gɡ"

ALIKE = {pair[1]: pair[0] for pair in f"{_CYRILLIC} {_GREEK} {_ARMENIAN} {_CHEROKEE} {_PHONETIC}".split()}
_TO_LATIN = str.maketrans(ALIKE)
# The other way, for a word of another script with some Latin letters in it.
_FROM_LATIN = [str.maketrans({pair[0]: pair[1] for pair in reversed(table.split())}) for table in (_CYRILLIC, _GREEK)]

_ANY = re.compile(f"[{''.join(ALIKE)}]")
_LATIN = "A-Za-zªºÀ-ÖØ-öø-ɏḀ-ỿ"
_HAS_LATIN = re.compile(f"[{_LATIN}]")
_HAS_PHONETIC = re.compile(f"[{''.join(pair[1] for pair in _PHONETIC.split())}]")
_ALL_LATIN = re.compile(f"[{_LATIN}]+")
# Cyrillic, Greek, Armenian, Cherokee.
_SCRIPTS = tuple(re.compile(f"[{letters}]+") for letters in ("Ѐ-ԯ", "Ͱ-Ͽἀ-῿", "԰-֏", "Ꭰ-Ᏽ"))
_GREEK_SMALL = re.compile("[α-ωϲϳ]")
_SMALL = re.compile("[a-zà-öø-ÿ]")
# Signs around a letter that is a part of an address ("w.k@...").
_BEFORE, _BEHIND = "@._", "@_"
# Words, but for a single small look-alike that is none: it tells nothing.
_SINGLE = "".join(letter for letter in ALIKE if ALIKE[letter].islower() and any(s.match(letter) for s in _SCRIPTS))
_LETTER = r"[^\W\d_]"
_WORD = re.compile(rf"{_LETTER}{{2,}}|[^\W\d_{_SINGLE}]|(?<=[{_BEFORE}]){_LETTER}|{_LETTER}(?=[{_BEHIND}])")
# Words on either side among which a word of another script shows that this one is at home, too.
_REACH = 5
_WINDOW = 150
# Words of look-alikes that are common in their own language, and no disguise.
_EVERYDAY_WORDS = """
сен сент окт мар март
на не но он она оно от то та те тот том там так как кто вот все вас нас нам вам мне мама сам как ему как это
και το τον του τα οι να κατα ΝΑΤΟ
март марта марте мая
"""
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())


_Judged = tuple[int, int, str, str]


def disguised_words(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what it looks like) of every word of look-alikes, in order.

    A word that mixes scripts is folded where all of its letters can be Latin ones, or else all Cyrillic or Greek ones.
    A capital, or a word of two letters or more, all of them look-alikes, is folded only among Latin words with no word of
    another script nearby: "оса" stays itself in a Russian sentence, and "Асе" in an English one is Ace.
    A small Greek letter beside Latin capitals only is a sign of science ("TNFα") and stays.
    """
    if not _HAS_LATIN.search(text) and not _HAS_PHONETIC.search(text):
        return
    for start, end in _surroundings(text):
        # The sign behind the last word is seen, too.
        if all(_judged(word)[0] in ("latin", "other") for word in set(_WORD.findall(text, start, end + 1))):
            continue
        # (start, end, kind, folded); kinds: latin, other, mixed, and alike, which is all of look-alikes of one script.
        row = [m.span() + _judged(m[0]) for m in _WORD.finditer(text, start, end + 1)]
        alike = _among_latin(row, text) if any(word[2] == "alike" for word in row) else set()
        for word in row:
            if word[2] == "mixed" or word[0] in alike:
                yield word[0], word[1], word[3]


def _surroundings(text: str) -> Iterator[tuple[int, int]]:
    """Disjoint stretches of whole words around all look-alikes."""
    start = end = 0
    while (match := _ANY.search(text, end)) is not None:
        left, right = max(end, match.start() - _WINDOW), min(len(text), match.end() + _WINDOW)
        while left > end and text[left - 1].isalpha():
            left -= 1
        while right < len(text) and text[right].isalpha():
            right += 1
        if left > end:
            if end:
                yield start, end
            start = left
        end = right
    if end:
        yield start, end


def _among_latin(row: Sequence[_Judged], text: str) -> set[int]:
    """Starts of the words of look-alikes that stand among Latin words.

    A single small letter of another script, which is no look-alike, tells nothing either unless it is a part of an address.
    """
    letters: set[int] = set()
    telling = [w for w in row if w[2] in ("latin", "mixed") or w[1] - w[0] > 1 or w[3].isupper() or _glued(text, w)]
    at = 0
    for kind, run in groupby(telling, key=itemgetter(2)):
        words = list(run)
        if kind == "alike":
            beside = {w[2] for w in telling[max(0, at - _REACH) : at]}
            beside |= {w[2] for w in telling[at + len(words) : at + len(words) + _REACH]}
            if not beside.isdisjoint(("latin", "mixed")) and "other" not in beside:
                letters.update(word[0] for word in words)
        at += len(words)
    return letters


def _glued(text: str, word: _Judged) -> bool:
    return text[word[0] - 1 : word[0]] in tuple(_BEFORE) or text[word[1] : word[1] + 1] in tuple(_BEHIND)


@lru_cache(maxsize=1 << 14)
def _judged(word: str) -> tuple[str, str]:
    """The kind of a word and how it folds."""
    if word.isascii() or not _ANY.search(word):
        return ("latin" if _HAS_LATIN.search(word) else "other"), word
    latin, folded = bool(_HAS_LATIN.search(word)), word.translate(_TO_LATIN)
    if word in _EVERYDAY:
        return "other", word
    if _ALL_LATIN.fullmatch(folded):
        if latin and _GREEK_SMALL.search(word) and not _SMALL.search(word):
            return "latin", word
        return ("alike" if any(script.fullmatch(word) for script in _SCRIPTS) else "mixed"), folded
    for table, script in zip(_FROM_LATIN, _SCRIPTS, strict=False):
        other = word.translate(table)
        if latin and script.fullmatch(other):
            return "mixed", other
    return "other", word
