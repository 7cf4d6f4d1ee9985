"""The words of a mention that are somebody's names, and what each of them is: given or family name, and which of several."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from unname.knowledge.coreference import is_title, name_words, parts_of
from unname.languages import read
from unname.text import WORD, fold
from unname.transforms.standins.namelists import FAMILY, GIVEN, UNBROKEN, is_given, surnames, words_beside
from unname.transforms.standins.words import folded, script_of

# The role of a word that may be a given name or a family name.
EITHER = "either"
# The longest name with both its words in Chinese characters or Hangul.
_LONGEST_UNBROKEN = 5
_APOSTROPHE = "['’ʼ`]"
_TOKEN = re.compile(
    rf"(?:(?<!\w)[^\W\d_]{{1,2}}{_APOSTROPHE}(?=[^\W\d_]))?(?:{WORD.pattern}|(?<=\w)[\u0300-\u036f]+\w*)+"
)
# The apostrophe of a genitive at the end of a mention.
TAIL = re.compile(rf"{_APOSTROPHE}s?\s*$", re.IGNORECASE)
_CHUNK, _GLUED = re.compile(r"[^\s,;]+"), re.compile(r"[^\W\d_]{2,}\.(?=\w)")


@dataclass(frozen=True, slots=True, repr=False)
class NameWord:
    """A word of a mention, `[start, end)`, its form for comparisons, its role and its place among those of that role.

    Particles that go have the place −1.
    """

    start: int
    end: int
    word: str
    role: str
    place: int = 0


def read_mention(mention: str, language: str, called: Collection[str]) -> list[NameWord]:
    """The words of a mention that are names, without titles, degrees and generations; `called` are words that are one."""
    end = tail.start() if (tail := TAIL.search(mention)) else len(mention)
    tokens = [(m.start(), m.end()) for m in _TOKEN.finditer(mention, 0, end) if name_words(m[0])]
    if tokens and script_of(mention[tokens[0][0]]) in UNBROKEN:
        return _unbroken(mention, tokens, language, called)
    staying, leading = _staying(mention[:end], tokens, language, called)
    kept = [token for token in tokens if token not in staying]
    borns = (token for token in tokens if token in staying and folded(mention[slice(*token)]) in words_beside("born"))
    born = next(borns, (end, end))
    front = [token for token in kept if token < born]
    # Words that stay are gone for `parts_of`, but for titles in front, which say what a single word is.
    bare = list(mention[: born[0]].rstrip(", \u00a0"))
    for start, stop in tokens:
        if (start, stop) in staying and (
            start >= leading or folded(mention[start:stop]) in words_beside("behind_titles")
        ):
            bare[start:stop] = " " * len(bare[start:stop])
        elif start >= leading and is_title(mention[start:stop], language):
            bare[start:stop] = "Q" + "q" * (stop - start - 1)
    roles = _roles("".join(bare), mention, front, language) + [FAMILY] * (len(kept) - len(front))
    return list(_placed(mention, kept, roles))


def _staying(
    mention: str, tokens: Sequence[tuple[int, int]], language: str, called: Collection[str]
) -> tuple[set[tuple[int, int]], int]:
    """The words of a mention that are no names, and where those in front of the name end."""
    chunks = [(m.start(), m.end()) for m in _CHUNK.finditer(mention)]
    gone, leading, lead = list[tuple[int, int]](), 0, True
    last = len(chunks) - 1
    while last > 0 and _is_behind(mention[slice(*chunks[last])], called):
        gone.append(chunks[last])
        last -= 1
    for place, (start, stop) in enumerate(chunks[: last + 1]):
        glued = _GLUED.match(mention, start, stop)
        word = folded(mention[start:stop])
        behind_title = place > 0 and chunks[place - 1] in gone and word in words_beside("behind_titles")
        if lead and word not in called and place < last and (behind_title or _is_title(mention[start:stop], language)):
            gone.append((start, stop))
            leading = stop if place == 0 or leading == chunks[place - 1][1] else leading
        elif lead and glued and folded(glued[0]) not in called and _is_title(glued[0], language):
            gone.append((start, glued.end()))
            lead = False
        elif 0 < place < last and word not in called and _is_between(mention[start:stop]):
            gone.append((start, stop))
        else:
            lead = mention[stop : stop + 1] == ","
    inside = {token for token in tokens if any(a <= token[0] and token[1] <= b for a, b in gone)}
    return inside, leading if chunks and chunks[0] in gone else 0


def _roles(bare: str, mention: str, tokens: Sequence[tuple[int, int]], language: str) -> list[str]:
    """The role of each word of a name."""
    parts, many = parts_of(bare, language), len(tokens)
    comma = bare.find(",")
    if many and parts.given and parts.family and tokens[0][0] < comma < tokens[-1][0]:
        return [FAMILY if start < comma else GIVEN for start, _ in tokens]
    if parts.only or not parts.given:
        return [GIVEN if parts.forename else FAMILY if parts.family else EITHER] * many
    words, family = [folded(mention[slice(*token)]) for token in tokens], parts.family.split()
    size = min(len(family), many - 1)
    first = words[:size] == family and words[-size:] != family
    turned = many > 1 and language in words_beside("family_first") and not is_given(words[0], language)
    if turned and is_given(words[1], language):
        first, size = True, 1
    return [FAMILY if (place < size if first else place >= many - size) else GIVEN for place in range(many)]


def _placed(mention: str, tokens: Sequence[tuple[int, int]], roles: Sequence[str]) -> Iterator[NameWord]:
    """The words with their places; particles before another word have none, and say that a family name follows."""
    places, particle = {GIVEN: 0, FAMILY: 0, EITHER: 0}, False
    for (start, end), role, after in zip(tokens, roles, [*roles, ""][1:], strict=True):
        word = folded(mention[start:end])
        if role == after and (word in words_beside("particles") or re.match(_APOSTROPHE, mention[end : end + 1])):
            yield NameWord(start, end, word, role, -1)
            particle = True
            continue
        yield NameWord(start, end, word, FAMILY if particle and role == EITHER else role, places[role])
        places[role] += 1


def _unbroken(
    mention: str, tokens: Sequence[tuple[int, int]], language: str, called: Collection[str]
) -> list[NameWord]:
    """The same of a name in Chinese characters or Hangul, family name first, a title joined to it left out."""
    spoken = "ko" if script_of(mention[tokens[0][0]]) == "hangul" else language if language in ("zh", "ja") else "zh"
    kept = list[tuple[int, int, str]]()
    for start, end in tokens:
        word = folded(mention[start:end])
        title = next((each for each in _joined_titles(spoken) if word not in called and word.endswith(each)), "")
        if len(word) > len(title) and len(word) == end - start:
            kept.append((start, end - len(title), word.removesuffix(title) if title else word))
    if len(kept) != 1:
        roles = [FAMILY, *[GIVEN] * len(kept)][: len(kept)]
        return [NameWord(*row, role, max(0, at - 1)) for at, (row, role) in enumerate(zip(kept, roles, strict=True))]
    start, end, word = kept[0]
    if word in called or len(word) < 2:
        return [NameWord(start, end, word, EITHER if word in called else FAMILY)]
    unknown = 0 if spoken == "ja" else 1
    size = next((size for size in (3, 2, 1) if size < len(word) and word[:size] in surnames(spoken)), unknown)
    if not size or len(word) > _LONGEST_UNBROKEN:
        return [NameWord(start, end, word, FAMILY)]
    cut = start + size
    return [NameWord(start, cut, word[:size], FAMILY), NameWord(cut, end, word[size:], GIVEN)]


@cache
def _joined_titles(language: str) -> tuple[str, ...]:
    titles = read("titles")
    rows = (titles[table].get(language, "").split(",") for table in ("title_joined", "title_of_one"))
    said = {folded(each) for row in rows for each in row if each.strip()}
    return tuple(sorted(said, key=lambda each: (-len(each), each)))


def _is_between(chunk: str) -> bool:
    """True of "née" and "y", but not of the initial "Y"."""
    return chunk.islower() and (folded(chunk) in words_beside("and") or folded(chunk) in words_beside("born"))


def _is_behind(chunk: str, called: Collection[str]) -> bool:
    """True of degrees, which have capitals, and generations."""
    word, capitals = folded(chunk), sum(each.isupper() for each in chunk)
    is_one = word in words_beside("generations") or (word in words_beside("degrees") and capitals > 1)
    return is_one and word not in called


@lru_cache(maxsize=1 << 12)
def _is_title(chunk: str, language: str) -> bool:
    """True of titles; one of a given name ("Don") only in the language that has it."""
    if not is_title(chunk, language):
        return False
    title, of_given = fold(chunk.rstrip(".,")), read("titles")["of_given_names"]
    rows = [spoken for spoken, row in of_given.items() if title in map(str.strip, row.split(","))]
    return not rows or language in rows
