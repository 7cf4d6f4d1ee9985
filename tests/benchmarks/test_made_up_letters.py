"""The made-up hospital letters: how many of what, whether spans fit, what the table holds and what it does not."""

import re
from collections import Counter
from datetime import datetime

import pytest

from benchmarks.made_up.letters import BIRTH, COUNT, FACTS, LETTER, Letters, letters

FORMS = ("%d %B %Y", "%d/%m/%Y", "%d/%m/%y", "%d.%m.%Y", "%d.%m.%y", "%Y-%m-%d", "%d-%b-%Y", "%B %d, %Y", "%d %b %Y")
TRAPS = """
Holter Killip Medtronic Siemens Osler Venturi Epworth ResMed Hoover Romberg Babinski Glasgow Zimmer Exeter Tinel Phalen
Depo-Medrone Murphy McBurney Bristol FibroScan Fresenius Tenckhoff Hartmann Hickman Coombs Foley Schirmer Barthel Epley
""".split()  # noqa: SIM905 (as a list it takes a page)


@pytest.fixture(scope="module")
def written() -> Letters:
    return letters()


def test_counts_lengths_and_that_nothing_changes(written: Letters) -> None:
    assert len(written.documents) == len(written.profiles) == COUNT
    assert [each.person for each in written.documents] == [each.id for each in written.profiles]
    assert len({each.id for each in written.documents}) == COUNT
    assert all(120 <= len(each.text.split()) <= 250 for each in written.documents)
    assert letters() == written
    assert repr(written) == "Letters(140 documents, 140 profiles)"


def test_spans_fit_the_text_and_no_mark_is_left(written: Letters) -> None:
    for each in written.documents:
        end = 0
        assert not re.search(r"[{}<>\[\]]|\(\(|\)\)", each.text)
        for span in each.spans:
            assert end <= span.start < span.end <= len(each.text) and span.label
            words = each.text[span.start : span.end]
            assert words == words.strip() and "\n" not in words
            end = span.end


def test_facts_are_of_all_kinds_one_a_letter_each_in_other_words(written: Letters) -> None:
    assert Counter(fact.kind for fact in written.facts) == FACTS and sum(FACTS.values()) == 75
    assert len({fact.document for fact in written.facts}) == 75
    texts = {each.id: each.text for each in written.documents}
    assert len({texts[fact.document][fact.start : fact.end] for fact in written.facts}) == 75
    sentences = [re.sub(r"\W+", " ", texts[f.document][max(0, f.start - 40) : f.start]) for f in written.facts]
    assert len(set(sentences)) == 75


def test_no_fact_stands_in_the_table_and_each_holds_a_span(written: Letters) -> None:
    documents = {each.id: each for each in written.documents}
    table = " ".join(value for each in written.profiles for value in each.fields.values())
    for fact in written.facts:
        document = documents[fact.document]
        assert document.text[fact.start : fact.end] not in table
        assert any(fact.start <= span.start and span.end <= fact.end for span in document.spans)


def test_every_letter_has_three_to_eight_dates_that_are_days(written: Letters) -> None:
    documents = {each.id: each for each in written.documents}
    many = Counter(each.document for each in written.dates if each.kind != BIRTH)
    assert set(many) == set(documents) and min(many.values()) == 3 and max(many.values()) == 8
    assert sum(each.kind == LETTER for each in written.dates) == COUNT
    used = set()
    for each in written.dates:
        text = documents[each.document].text[each.start : each.end]
        plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text.removeprefix("the ").replace(" of ", " "))
        read = [form for form in FORMS if _day(plain, form)]
        assert read, text
        used.update(read)
        assert any((s.start, s.end, s.label) == (each.start, each.end, "DATE") for s in documents[each.document].spans)
    assert used == set(FORMS)


def test_the_table_tells_people_apart_and_letters_hold_what_it_says(written: Letters) -> None:
    assert {len(each.fields) for each in written.profiles} == {9}
    for field in ("name", "address", "phone", "email", "record_number", "nhs_number"):
        assert len({each.fields[field] for each in written.profiles}) == COUNT
    born = {each.document: each for each in written.dates if each.kind == BIRTH}
    for document, profile in zip(written.documents, written.profiles, strict=True):
        last = profile.fields["name"].split(" ")[-1]
        assert last.lower() in document.text.lower()
        text = document.text[born[document.id].start : born[document.id].end]
        plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "", text)
        days = [day for form in FORMS if (day := _day(plain, form))]
        held = datetime.fromisoformat(profile.fields["birth_date"])
        assert any((day.day, day.month, day.year % 100) == (held.day, held.month, held.year % 100) for day in days)


def test_traps_are_in_the_letters_and_nobody_is_named_by_them(written: Letters) -> None:
    names = [d.text[s.start : s.end] for d in written.documents for s in d.spans if s.label == "NAME"]
    for trap in TRAPS:
        assert any(re.search(rf"\b{trap}\b", each.text) for each in written.documents), trap
        assert not any(trap in name for name in names)


def test_long_paragraphs_are_not_repeated(written: Letters) -> None:
    paragraphs = Counter(part for each in written.documents for part in each.text.split("\n\n"))
    assert max(many for part, many in paragraphs.items() if len(part.split()) > 10) <= 2


def _day(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None
