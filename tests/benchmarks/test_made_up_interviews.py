"""The made-up transcripts: their number and length, whether spans fit, whom they name, and how little they repeat."""

import re
from collections import Counter
from itertools import combinations

import pytest

from benchmarks.made_up.interviews import COUNT, LANGUAGES, ROLES, TOPICS, Interview, interviews, shared

# How a line of the speaker begins; the first form that fits counts.
WAYS = {
    "time": r"\[\d\d:\d\d:\d\d\] \w",
    "bold": r"\*\*",
    "dash": r"– ",
    "initials": r"[A-ZÁÉÓ]{2}: ",
    "letter": r"[A-Z]: ",
    "title": r"(?:Herr|Frau|Sra?\.) ",
    "part": r"(?:Antwort|Respuesta|Zeitzeugin|Zeitzeuge|Testigo): ",
    "capitals": r"[A-ZÄÖÜÁÉÍÓÚÑ-]{3,}: ",
    "turned": r"[\w-]+, [\w-]+: ",
}


@pytest.fixture(scope="module", params=LANGUAGES)
def told(request: pytest.FixtureRequest) -> tuple[Interview, ...]:
    return interviews(request.param)


def test_there_are_twenty_of_a_length_that_is_read_in_minutes_and_always_the_same(told: tuple[Interview, ...]) -> None:
    assert len(told) == COUNT == len({each.document.id for each in told}) == len({each.document.text for each in told})
    assert all(350 <= len(each.document.text.split()) <= 600 for each in told)
    assert interviews(told[0].document.metadata["language"]) == told
    assert not any("Brandhuber" in repr(each) for each in told)


def test_spans_are_whole_words_in_order_and_no_mark_is_left(told: tuple[Interview, ...]) -> None:
    for each in told:
        text, end = each.document.text, 0
        assert not re.search(r"[{}<>~^]|\[[A-Z]|\?\?|  ", text)
        for span in each.document.spans:
            assert end <= span.start < span.end <= len(text) and span.label
            words = text[span.start : span.end]
            assert words == words.strip() and "\n" not in words
            assert not text[span.start - 1 : span.start].isalnum() and not text[span.end : span.end + 1].isalnum()
            end = span.end


def test_every_transcript_names_everybody_and_tells_of_everything(told: tuple[Interview, ...]) -> None:
    for each in told:
        roles = Counter(name.role for name in each.names)
        assert set(roles) == set(ROLES) and min(roles.values()) >= 2
        assert 1 <= each.children <= 4
        assert len({name.person for name in each.names if name.role == "child"}) == each.children
        labels = Counter(span.label for span in each.document.spans)
        assert labels["NAME"] == len(each.names)
        assert all(labels[label] for label in ("PLACE", "PROFESSION", "ORGANISATION", "DISEASE"))
        assert labels["DATE"] >= 2 and labels["EVENT"] + labels["ROLE"] + labels["PRIZE"] + labels["WORK"]
    assert {each.children for each in told} == {1, 2, 3, 4}


def test_a_name_once_marked_is_marked_wherever_it_stands(told: tuple[Interview, ...]) -> None:
    for each in told:
        text = each.document.text
        for word in {text[name.start : name.end] for name in each.names if name.end - name.start > 3}:
            found = [match.span() for match in re.finditer(rf"\b{re.escape(word)}\b", text)]
            assert all(any(s.start <= start and end <= s.end for s in each.document.spans) for start, end in found), (
                word
            )


def test_no_name_belongs_to_two_people(told: tuple[Interview, ...]) -> None:
    for each in told:
        owners: dict[str, set[str]] = {}
        for name in each.names:
            owners.setdefault(each.document.text[name.start : name.end], set()).add(name.person)
        assert not [forms for forms in owners.items() if len(forms[1]) > 1 and len(forms[0]) > 2]


def test_speakers_are_labelled_in_many_ways(told: tuple[Interview, ...]) -> None:
    answers = [each.document.text.rstrip("\n").split("\n")[-1] for each in told]
    ways = Counter(next(way for way, form in WAYS.items() if re.match(form, answer)) for answer in answers)
    assert len(ways) == len(WAYS) and max(ways.values()) <= 6


def test_names_come_short_and_in_german_with_an_ending(told: tuple[Interview, ...]) -> None:
    bent = 0
    for each in told:
        forms: dict[str, set[str]] = {}
        for name in each.names:
            forms.setdefault(name.person, set()).add(each.document.text[name.start : name.end])
        assert sum(len(words) > 1 for words in forms.values()) >= 3
        bent += any(f"{word}s" in words for words in forms.values() for word in words)
    assert bent >= 18 if told[0].document.metadata["language"] == "de" else bent == 0


def test_two_transcripts_hardly_share_a_paragraph(told: tuple[Interview, ...]) -> None:
    assert max(len(shared(one, other)) for one, other in combinations(told, 2)) <= 2
    uses = Counter(paragraph for each in told for paragraph in each.paragraphs)
    assert max(uses.values()) <= 2
    variants = Counter(topic for topic, _ in uses)
    assert set(variants) == set(TOPICS) and min(variants.values()) >= 10
    answers = Counter(part for each in told for part in each.document.text.split("\n") if len(part.split()) > 25)
    assert max(answers.values()) == 1
