"""k-anonymity over a graph counted a second time, from the released strings, by sets and look-ups of every row of words.

It shares with the masking what a value may look like in a text (`variants`), and nothing of how terms are kept, found or
put together.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unname import registry
from unname.auditing.report import Anonymous
from unname.dates import days_in
from unname.knowledge.graph import facts_of
from unname.knowledge.variants import LONGEST, Term, dated, is_proper, single, terms_of
from unname.masking.anonymity import PERSON
from unname.protecting.result import Deidentified
from unname.protecting.until_safe import kept_text, readable

_WORD = re.compile(r"[^\W_]+(?:_+[^\W_]+)*|\[[A-Z]+(?:_[A-Z0-9]+)*\]")
_APART = re.compile(r"(?!\s*\n\s*\n)(?:[^\u2588]{0,4}|\s{0,200})")
Stated = tuple[int, int, tuple[Term, ...]]


def verify_anonymity(made: Deidentified) -> Anonymous | None:
    """How small the groups are whom the released texts may be about; None where k-anonymity was not asked for.

    All released documents of a person are read side by side, with the metadata released beside them.
    """
    settings = made.settings
    if not settings.graph_floor and registry.resolve(registry.METHODS, settings.method) != "anonymity.v1":
        return None
    read: dict[str, list[list[Stated]]] = defaultdict(list)
    for document, outcome in zip(made.documents, made.outcomes(), strict=True):
        if outcome.release is not None:
            text = readable(outcome.release.text, kept_text(document, settings.keep))
            person = f"\0{document.id}" if document.person is None else document.person
            read[person].append(list(_rows(text)))
    wanted = {term for texts in read.values() for text in texts for _, _, terms in text for term in terms}
    population = made.population
    triples = facts_of(population, texts=settings.graph_texts)
    having, common, everybody = _having(triples, wanted)
    most = settings.generic * len(everybody)
    smallest, below = len(everybody), 0
    for person, texts in read.items():
        stated = {t for text in texts for t in _longest(text, having, common) if len(having[t]) <= most}
        asked = {person} if settings.whose == PERSON and person in everybody else None
        least = _least({term: having[term] for term in stated}, asked, len(everybody))
        smallest, below = min(smallest, least), below + (least <= settings.k)
    return Anonymous(
        groups=len(read), below=below, smallest=smallest, people=len(everybody), k=settings.k, whose=settings.whose,
        generic=settings.generic, known="heuristic" if settings.graph_texts else "exact",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class _Word:
    start: int
    end: int
    plain: str


def _plain(word: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", word).casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


def _rows(text: str) -> Iterator[Stated]:
    """All rows of words that may be terms, with where they stand; days as the terms of each meaning, most exact first.

    A row's terms carry a first word "small" where it is written without capitals in a text that has some.
    """
    words = [_Word(*m.span(), _plain(m[0])) for m in _WORD.finditer(text) if not m[0].startswith("[")]
    capitals = text != text.lower()
    for at in range(len(words)):
        row: list[str] = []
        for to in range(at, min(at + LONGEST, len(words))):
            if to > at and not _APART.fullmatch(text, words[to - 1].end, words[to].start):
                break
            row.append(words[to].plain)
            written = text[words[at].start : words[to].end]
            small = capitals and written == written.lower() and written.isascii() and written.upper() != written
            yield words[at].start, words[to].end, (("small", *row) if small else tuple(row),)
    for start, end, day in days_in(text):
        if day.year is not None:
            yield start, end, tuple(("day", *form) for forms in dated(day) for form in forms)


def _named(term: Term) -> Term:
    return term[1:] if term[0] in ("small", "day") and len(term) > 1 else term


def _having(
    triples: Iterable[tuple[str, str, str]], wanted: Iterable[Term]
) -> tuple[Mapping[Term, set[str]], set[Term], set[str]]:
    """Of the terms that texts may state, who has them, and which are more than names; and everybody."""
    asked = {_named(term) for term in wanted} | set(wanted)
    having, common, everybody = defaultdict[Term, set[str]](set), set[Term](), set[str]()
    for person, relation, value in triples:
        everybody.add(person)
        for term in terms_of(relation, value):
            if term in asked:
                having[term].add(person)
                if not is_proper(relation):
                    common.add(term)
    return having, common, everybody


def _longest(text: Sequence[Stated], having: Mapping[Term, set[str]], common: set[Term]) -> set[Term]:
    """What is stated: at each place the longest row that somebody has, and none within another."""
    best: dict[int, tuple[int, Term]] = {}
    for start, end, terms in text:
        known = [t for term in terms if (t := _known(term, having, common)) is not None]
        if known and terms[0][0] == "day":
            known = [min((t for t in known if len(t) == len(known[0])), key=lambda t: len(having[t]))]
        if known and (start not in best or end > best[start][0]):
            best[start] = end, known[0]
    found, reached = set[Term](), 0
    for _, (end, term) in sorted(best.items()):
        if end > reached:
            found.add(term)
            reached = end
    return found


def _known(term: Term, having: Mapping[Term, set[str]], common: set[Term]) -> Term | None:
    plain = _named(term)
    if plain not in having or (term != plain and term[0] == "small" and plain not in common and single(plain)):
        return None
    return plain


def _least(having: Mapping[Term, set[str]], asked: set[str] | None, people: int) -> int:
    """The smallest group whom all is true of that one person has of some terms; all people where nobody has any."""
    touched = set[str]().union(*having.values()) if asked is None else asked
    kinds = {frozenset(term for term, row in having.items() if person in row) for person in touched} - {frozenset()}
    return min((len(set[str].intersection(*(having[term] for term in kind))) for kind in kinds), default=people)
