"""k-anonymity over a graph counted a second time, from the released strings, by sets and look-ups of every row of words.

It shares with the masking what a value may look like in a text (`variants`), and nothing of how terms are kept, found or
put together.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from unname.auditing.report import Anonymous
from unname.dates import days_in
from unname.knowledge.graph import facts_of
from unname.knowledge.variants import LONGEST, Term, dated, is_proper, single, terms_of
from unname.masking.anonymity import PERSON
from unname.masking.anonymity import Anonymity as Wanted
from unname.protecting.result import Deidentified

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*|\[[A-Z]+(?:_[A-Z0-9]+)*(?: [1-9][0-9]{0,2})?\]")
_APART = re.compile(r"(?!\s*\n\s*\n)(?:[^\u2588]{0,4}|\s{0,200})")


class _Row(NamedTuple):
    """Words `[start, end)` that may state a term, in ways of which the first that somebody has counts.

    A day has three: itself, its month, its year. `small` words have no capital in a text that has some.
    """

    start: int
    end: int
    ways: Sequence[Sequence[Term]]
    small: bool = False


class _Facts(NamedTuple):
    """Terms and the people who have each, the terms that are more than names, and everybody."""

    having: Mapping[Term, set[str]]
    common: set[Term]
    everybody: set[str]


def verify_anonymity(made: Deidentified) -> Anonymous | None:
    """Sizes of the groups of people whom the released texts may be about; None where k-anonymity was not asked for.

    All released documents of a person are read side by side, with the metadata released beside them. Texts are read one by
    one, twice: for their words first, so that of what is known only what they may state is held.
    """
    settings = made.settings
    asked = made.mandatory.floor or made.method
    if not isinstance(asked, Wanted):
        return None
    places: dict[str, list[int]] = defaultdict(list)
    words = set[str]()
    for place, document in enumerate(made.documents):
        if made.outcome(place).release is not None:
            places[f"\0{document.id}" if document.person is None else document.person].append(place)
            words.update(word for row in _rows(_text(made, place)) for way in row.ways for term in way for word in term)
    facts = _facts(facts_of(made.population, texts=asked.graph_texts), words)
    everybody = facts.everybody
    most, smallest, below = asked.generic * len(everybody), len(everybody), 0
    for person, own in places.items():
        stated = {term for place in own for term in _stated(_rows(_text(made, place)), facts)}
        telling = {term: facts.having[term] for term in stated if len(facts.having[term]) <= most}
        whom = {person} if asked.whose == PERSON and person in everybody else None
        least = _least(telling, whom, len(everybody))
        smallest, below = min(smallest, least), below + (least <= settings.k)
    return Anonymous(
        groups=len(places), below=below, smallest=smallest, people=len(everybody), k=settings.k, whose=asked.whose,
        generic=asked.generic, known="heuristic" if asked.graph_texts else "exact",
    )  # fmt: skip


def _text(made: Deidentified, place: int) -> str:
    """The text released of a document, beside it, and before."""
    return made.read(place) or ""


def _plain(word: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", word).casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


def _rows(text: str) -> Iterator[_Row]:
    """All rows of words, none longer than a term, and all days."""
    words = [(*m.span(), _plain(m[0])) for m in _WORD.finditer(text) if not m[0].startswith("[")]
    capitals = text != text.lower()
    for at, (start, _, _) in enumerate(words):
        row: list[str] = []
        for to in range(at, min(at + LONGEST, len(words))):
            if to > at and not _APART.fullmatch(text, words[to - 1][1], words[to][0]):
                break
            row.append(words[to][2])
            written = text[start : words[to][1]]
            small = capitals and written == written.lower() and written.isascii() and written.upper() != written
            yield _Row(start, words[to][1], ((tuple(row),),), small)
    for start, end, day in days_in(text):
        if day.year is not None:
            yield _Row(start, end, dated(day))


def _facts(triples: Iterable[tuple[str, str, str]], words: set[str]) -> _Facts:
    """Known facts, of terms all of whose words are among some."""
    facts = _Facts(defaultdict(set), set(), set())
    for person, relation, value in triples:
        facts.everybody.add(person)
        for term in terms_of(relation, value):
            if words.issuperset(term):
                facts.having[term].add(person)
                if not is_proper(relation):
                    facts.common.add(term)
    return facts


def _stated(rows: Iterable[_Row], facts: _Facts) -> set[Term]:
    """Terms that are stated: at each place the longest row that somebody has, and none within another."""
    best: dict[int, tuple[int, Term]] = {}
    for row in rows:
        if row.start not in best or row.end > best[row.start][0]:
            known = ([term for term in way if _counts(term, row, facts)] for way in row.ways)
            terms = next((some for some in known if some), ())
            if terms:
                best[row.start] = row.end, min(terms, key=lambda term: len(facts.having[term]))
    stated, reached = set[Term](), 0
    for _, (end, term) in sorted(best.items()):
        if end > reached:
            stated.add(term)
            reached = end
    return stated


def _counts(term: Term, row: _Row, facts: _Facts) -> bool:
    """True if somebody has a term, and words written so can state it."""
    return term in facts.having and (not row.small or term in facts.common or not single(term))


def _least(having: Mapping[Term, set[str]], asked: set[str] | None, people: int) -> int:
    """The smallest group whom all is true of that one person has of some terms; all people where nobody has any."""
    touched = set[str]().union(*having.values()) if asked is None else asked
    kinds = {frozenset(term for term, row in having.items() if person in row) for person in touched} - {frozenset()}
    return min((len(set[str].intersection(*(having[term] for term in kind))) for kind in kinds), default=people)
