"""H1: what is disguised is seen through, and hidden with all of its disguise: at least 95 % of what is found in clean text.

Tagger and leak scan read a normalised text; masks lie in the original. `python -m benchmarks.evasion` measures the same on
annotated clinical cases.
"""

import unicodedata

import pytest

from benchmarks.clinical import made_up
from benchmarks.evasion import TRICKS, covered, evade
from unname.job import Deidentification
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.mentions import name_index, seen_words
from unname.knowledge.population import make_population
from unname.taggers.rules.tagger import Rules
from unname.types import Document, Profile, Span
from unname.verbs.deidentify.in_memory import deidentify

RECORDS = made_up(12, seed=7)
ADA = Profile("person-x7", {"name": "Winifred Kellerhals", "phone": "0555 570 3312", "mail": "win.k@post.example"})
IDENTIFIERS = direct_identifiers(ADA, list(ADA.fields))
SEEN = "We saw {} in town today, and then nobody else came by."


@pytest.mark.parametrize("trick", TRICKS)
def test_rules_cover_nearly_all_disguised_identifiers_that_they_cover_in_clean_text(trick: str) -> None:
    rules = Rules()
    found = total = 0
    for record in RECORDS:
        clean = rules.tag([record.text])[0]
        known = [any(s.start <= g.start and g.end <= s.end for s in clean) for g in record.spans]
        evaded, letters = evade(record, TRICKS[trick])
        spans = rules.tag([evaded.text])[0]
        total += sum(known)
        found += sum(covered(places, spans) for places, was in zip(letters, known, strict=True) if was)
    assert total > 200 and found >= 0.95 * total


@pytest.mark.parametrize("value", ["Winifred", "Winifred Kellerhals", "05555703312", "win.k@post.example"])
@pytest.mark.parametrize("trick", TRICKS)
def test_the_leak_scan_sees_disguised_identifiers_of_a_person(trick: str, value: str) -> None:
    start = SEEN.index("{}")
    document = Document("d", SEEN.format(value), spans=(Span(start, start + len(value)),))
    evaded, (letters,) = evade(document, TRICKS[trick])
    spans = [Span(a, b) for a, b in IDENTIFIERS.find(evaded.text)]
    assert all(any(s.start <= a and b <= s.end for s in spans) for a, b in letters)


@pytest.mark.parametrize("trick", TRICKS)
def test_a_release_shows_nothing_of_a_disguised_name(trick: str) -> None:
    start = SEEN.index("{}")
    clean = Document("d", SEEN.format("Winifred"), "person-x7", spans=(Span(start, start + 8),))
    evaded, _ = evade(clean, TRICKS[trick])
    others = [Profile(f"q{i}", {"name": f"Nobody{i} Here{i}"}) for i in range(6)]
    made = deidentify(
        [evaded], make_population([ADA, *others]), key=b"k" * 32,
        settings=Deidentification(k=2, reidentifiers=("bm25",), direct=("name",)),
    )  # fmt: skip
    (release,) = made.releases
    assert release is not None
    shown = unicodedata.normalize("NFKC", release.text[start:])
    assert shown.startswith("[MASK]"), "the disguise is hidden from its first sign"
    assert shown.removeprefix("[MASK]").lstrip("\u200b\u200c\u200d\u2060\ufeff\xad" + "".join(map(chr, range(0x2000, 0x2070)))
        + "".join(map(chr, range(0xFE00, 0xFE10))) + "\U000e0100").startswith((" in", " [MASK]"))  # fmt: skip


def test_other_people_are_recognised_in_disguise() -> None:
    index = name_index([IDENTIFIERS.single])
    row = seen_words("with W\u200binifred K e l l e r h a l s today")
    (named,) = index.find(row)
    text = "with W\u200binifred K e l l e r h a l s today"
    assert text[row[named.first].start : row[named.last].end] == text[5:-6]


def test_the_check_notices_what_is_not_covered() -> None:
    evaded, letters = evade(Document("d", "x Ada y", spans=(Span(2, 5),)), TRICKS["zero-width"])
    start = evaded.spans[0].start
    assert not covered(letters[0], [Span(start, start + 3)]) and covered(letters[0], [Span(0, len(evaded.text))])
