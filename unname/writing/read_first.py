"""`read-first.csv` in the private folder: every fact that a release still states, with a word on what to do about it."""

from array import array
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from unname.auditing.report import FEWEST_PEOPLE
from unname.facts.left import as_shown, how_sure, looked_up, risk_of, sentence_of, why_left
from unname.facts.stated import Fact, FactSettings
from unname.facts.wording import COMMON, wording
from unname.protecting.facts_left import DocumentFacts, hidden_of
from unname.protecting.result import Deidentified
from unname.storage.files import write_atomically
from unname.storage.tables import csv_lines
from unname.writing.release import public_id

READ_FIRST = "read-first.csv"
COLUMNS = (
    "person", "document", "release_id", "kind", "words", "sentence", "look_up", "sure", "why_left", "what_to_do",
)  # fmt: skip


def write_read_first(private: Path, made: Deidentified, facts: Sequence[DocumentFacts], key: bytes) -> None:
    """The list, riskiest documents first; of few people person by person. No row where no tagger looked for facts."""
    settings = made.mandatory.facts
    order = _order(made, facts) if settings else ()
    rows = (row for at in order if settings for row in _rows(made, facts[at], settings, key))
    # Without the mark spreadsheets take the letters of other languages than English for something else.
    write_atomically(private / READ_FIRST, chain((BOM_UTF8,), csv_lines(rows, COLUMNS)), private=True)


def _order(made: Deidentified, facts: Sequence[DocumentFacts]) -> list[int]:
    """In which order documents are listed: by risk; of few people the documents of each stand together."""
    risks, persons = array("d"), array("q")
    together: dict[int, float] = defaultdict(float)
    for one in facts:
        risks.append(risk_of(one.left))
        persons.append(hash(made.documents[one.place].person or one.place))
        together[persons[-1]] += risks[-1]
    if len(together) >= FEWEST_PEOPLE:
        return sorted(range(len(risks)), key=lambda at: (-risks[at], at))
    first = {person: at for at, person in reversed(list(enumerate(persons)))}
    return sorted(range(len(risks)), key=lambda at: (-together[persons[at]], first[persons[at]], -risks[at], at))


def _rows(made: Deidentified, facts: DocumentFacts, settings: FactSettings, key: bytes) -> Iterator[Mapping[str, Any]]:
    document, outcome = made.documents[facts.place], made.outcome(facts.place)
    hidden = hidden_of(outcome.mask.spans)
    for fact in sorted(facts.left, key=lambda one: (not looked_up(one), one.start, one.end)):
        yield {
            "person": document.person or "", "document": document.id, "release_id": public_id(document.id, made, key),
            "kind": _kind(fact), "words": as_shown(document.text, fact.start, fact.end, hidden),
            "sentence": sentence_of(document.text, fact, hidden), "look_up": _may_be(fact), "sure": how_sure(fact),
            "why_left": why_left(fact, document.text, settings), "what_to_do": _advice(fact),
        }  # fmt: skip


def _kind(fact: Fact) -> str:
    return "month or year" if fact.kind == "date" and not fact.rare else wording(fact.kind).one


def _advice(fact: Fact) -> str:
    return wording(fact.kind).advice if looked_up(fact) else COMMON


def _may_be(fact: Fact) -> str:
    return "likely" if looked_up(fact) else "hardly"
