import inspect
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from hashlib import sha256

import pytest

from unname.errors import SettingsError
from unname.knowledge import fictional_words
from unname.knowledge.fictional import Town, fictional_town
from unname.types import Document, Span

WORD = re.compile(r"\w+")
DATE_FORMATS = ("%d %B %Y", "%B %d, %Y", "%d %b %Y", "%d/%m/%Y", "%d.%m.%Y")
DIRECT = {"given name", "family name", "phone", "record number", "spouse", "next of kin", "children"}


@pytest.fixture(scope="module")
def town() -> Town:
    return fictional_town()


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


def said(town: Town) -> Iterator[tuple[Document, Span, str, str]]:
    """Every span with the words it covers and the value of the profile field it is about."""
    fields = {profile.id: profile.fields for profile in town.profiles}
    for document in town.documents:
        for span in document.spans:
            assert document.person is not None
            yield document, span, document.text[span.start : span.end], fields[document.person][span.label]


def digest(town: Town) -> str:
    fields = [(p.id, sorted(p.fields.items())) for p in town.profiles]
    notes = [(d.id, d.text, d.person, d.spans, sorted(d.metadata.items())) for d in town.documents]
    return sha256(repr((fields, notes)).encode()).hexdigest()


def is_variant(label: str, text: str, value: str) -> bool:
    """Check whether the text is the value or one of the ways in which people write it."""
    digits = re.sub(r"\D", "", text)
    if label in ("phone", "record number"):
        return digits == re.sub(r"\D", "", value)
    if label == "birth date":
        return text == value[:4] or any(date.fromisoformat(value).strftime(f) == padded(text) for f in DATE_FORMATS)
    if label == "given name":
        return text in (value, value[0], fictional_words.NICKNAMES.get(value))
    if label == "family name":
        return text in (value, value[0])
    if label in ("children", "conditions"):
        return text.casefold() in value.casefold().split(", ")
    if label in ("spouse", "next of kin"):
        return text in (value, value.split(" ")[0])
    if label == "physician":
        return f"Dr {text}" == value
    if label == "event":
        return text.casefold() in (value.casefold(), value.casefold().rsplit(" ", 1)[0])
    return text.casefold() == value.casefold()


def padded(text: str) -> str:
    """A date with two digits for day and month, as strftime writes it."""
    return re.sub(r"(?<!\d)(\d)(?!\d)", r"0\1", text)


def test_the_same_seed_makes_the_same_town() -> None:
    assert digest(fictional_town(people=150, seed=4)) == digest(fictional_town(people=150, seed=4))


def test_another_seed_makes_another_town() -> None:
    assert digest(fictional_town(people=150, seed=4)) != digest(fictional_town(people=150, seed=5))


@pytest.mark.parametrize("hash_seed", ["1", "77"])
def test_the_town_does_not_depend_on_pythonhashseed(hash_seed: str) -> None:
    code = (
        "from hashlib import sha256\nfrom unname.knowledge.fictional import Town, fictional_town\n"
        f"{inspect.getsource(digest)}\nprint(digest(fictional_town(people=100, seed=2)))"
    )
    env = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == digest(fictional_town(people=100, seed=2))


@pytest.mark.parametrize("people", [1, 7, 12, 13, 100])
def test_a_person_is_the_same_in_a_smaller_town(town: Town, people: int) -> None:
    small = fictional_town(people=people)
    assert [(p.id, dict(p.fields)) for p in small.profiles] == [(p.id, dict(p.fields)) for p in town.profiles[:people]]
    assert small.documents == town.documents[: len(small.documents)]


def test_nobody_lives_in_an_empty_town() -> None:
    assert fictional_town(people=0) == Town((), (), {})
    with pytest.raises(SettingsError, match="-1"):
        fictional_town(people=-1)


def test_everybody_has_one_to_three_notes(town: Town) -> None:
    notes = Counter(document.person for document in town.documents)
    assert len(town.profiles) == 2000
    assert set(notes) == {profile.id for profile in town.profiles}
    assert set(notes.values()) == {1, 2, 3}
    assert 1.8 < len(town.documents) / len(town.profiles) < 2.2


def test_ids_are_unique_and_notes_do_not_name_the_person_they_are_about(town: Town) -> None:
    assert len({document.id for document in town.documents}) == len(town.documents)
    assert len({profile.fields["record number"] for profile in town.profiles}) == len(town.profiles)
    assert town.profiles[0].id == "p000001"
    for document in town.documents:
        assert document.person is not None and document.person not in document.id + document.text


def test_notes_have_60_to_200_words(town: Town) -> None:
    assert all(60 <= len(WORD.findall(document.text)) <= 200 for document in town.documents)


def test_spans_are_in_range_sorted_and_disjoint(town: Town) -> None:
    for document in town.documents:
        end = 0
        for span in document.spans:
            assert end <= span.start < span.end <= len(document.text)
            end = span.end


def test_spans_cover_whole_words_and_no_space_around_them(town: Town) -> None:
    for document, span, text, _ in said(town):
        around = document.text[max(0, span.start - 1) : span.end + 1]
        assert text == text.strip()
        assert not re.search(r"\w\w", document.text[max(0, span.start - 1) : span.start + 1]) or span.start == 0
        assert not re.search(r"\w\w", document.text[span.end - 1 : span.end + 1]), around


def test_the_truth_is_what_the_documents_carry(town: Town) -> None:
    assert dict(town.truth) == {document.id: document.spans for document in town.documents}


def test_names_and_numbers_are_direct_and_all_else_is_quasi(town: Town) -> None:
    for _, span, _, _ in said(town):
        assert span.entity in ("", "indirect")
        assert span.kind == ("direct" if span.label in DIRECT and not span.entity else "quasi")


def test_outright_spans_are_the_value_or_a_variant_of_it(town: Town) -> None:
    for _, span, text, value in said(town):
        assert span.entity or is_variant(span.label, text, value), (span.label, text, value)


def test_hints_share_no_word_with_the_value(town: Town) -> None:
    for _, span, text, value in said(town):
        if span.entity:
            written = value[:4] if span.label == "birth date" else value
            assert not words(text) & words(written), (span.label, text, value)


def test_names_and_numbers_of_the_patient_stand_nowhere_outside_a_span(town: Town) -> None:
    fields = {profile.id: profile.fields for profile in town.profiles}
    for document in town.documents:
        assert document.person is not None
        known = fields[document.person]
        hidden = bytearray(document.text, "utf-32-le")
        for span in document.spans:
            hidden[4 * span.start : 4 * span.end] = "_".encode("utf-32-le") * (span.end - span.start)
        rest = words(hidden.decode("utf-32-le"))
        assert not rest & words(f"{known['given name']} {known['family name']} {known['village']}"), document.id
        assert not rest & {known["birth date"][:4], known["record number"][3:]}


def test_ages_are_right_on_the_day_of_the_note(town: Town) -> None:
    checked = 0
    for document, span, text, value in said(town):
        found = re.match(r"(?:aged )?(\d+)(?: years|-year-old|$)", text, re.IGNORECASE)
        if span.label == "birth date" and span.entity and found:
            born, day = date.fromisoformat(value), date.fromisoformat(document.metadata["date"])
            assert int(found[1]) == day.year - born.year - ((day.month, day.day) < (born.month, born.day))
            checked += 1
    assert checked > 500


def test_nobody_is_a_child_or_survives_an_event_before_growing_up(town: Town) -> None:
    for profile in town.profiles:
        born = int(profile.fields["birth date"][:4])
        assert born <= 2002
        if "event" in profile.fields:
            assert int(profile.fields["event"][-4:]) >= born + 18
        assert ("spouse" in profile.fields) == (profile.fields["marital status"] == "married")


def test_every_field_is_said_outright_in_some_notes_and_hinted_at_in_others(town: Town) -> None:
    seen = Counter((span.label, span.entity) for _, span, _, _ in said(town))
    fields = set().union(*(profile.fields for profile in town.profiles))
    assert all(seen[name, ""] > 30 for name in fields - {"sex"})
    hinted = fields - {"given name", "family name", "phone", "record number"}
    assert all(seen[name, "indirect"] > 100 for name in hinted)


def test_some_notes_hold_no_name_and_some_only_hints(town: Town) -> None:
    nameless = sum(all(span.kind != "direct" for span in document.spans) for document in town.documents)
    hints = sum(all(span.entity for span in document.spans) for document in town.documents)
    assert 0.3 < nameless / len(town.documents) < 0.6
    assert 0.2 < hints / len(town.documents) < 0.45
    assert all(len(document.spans) >= 3 for document in town.documents)


def test_relatives_are_often_residents_themselves(town: Town) -> None:
    residents = {f"{p.fields['given name']} {p.fields['family name']}" for p in town.profiles}
    related = [p.fields[name] for p in town.profiles for name in ("spouse", "next of kin") if name in p.fields]
    assert sum(name in residents for name in related) > len(related) / 2


@pytest.mark.parametrize("names_count", [True, False])
def test_no_eight_words_in_a_row_recur_in_more_than_one_percent_of_the_notes(town: Town, names_count: bool) -> None:
    notes_with: Counter[tuple[str, ...]] = Counter()
    for document in town.documents:
        left_out: set[int] = set()
        if not names_count:
            for span in document.spans:
                if span.kind == "direct" or (span.label == "birth date" and not span.entity):
                    left_out.update(range(span.start, span.end))
        tokens = [
            match.group().lower()
            for match in WORD.finditer(document.text)
            if left_out.isdisjoint(range(match.start(), match.end()))
        ]
        notes_with.update(set(zip(*(tokens[start:] for start in range(8)), strict=False)))
    assert max(notes_with.values()) <= len(town.documents) / 100


def test_notes_are_clean_english(town: Town) -> None:
    wrong = re.compile(
        r"  | [,.;:]|[,.;:]{2}|[<>|()~]|\ba [aeio]\w| \n|\n{3}"
        r"|\ban (?!hour)[bcdfghjklmnpqrstvwxz1-79]|\.\s+[a-z]|\n[a-z]|\b(the|a|to|in|of) \1\b"
    )
    for document in town.documents:
        found = wrong.search(re.sub(r"\ban 1[18]\b", "", document.text))
        assert found is None, document.text[max(0, found.start() - 40) : found.end() + 20]
        assert document.text[0].isupper() and document.text[-1] == "."


def test_pronouns_agree_with_the_sex_of_the_patient(town: Town) -> None:
    sexes = {profile.id: profile.fields["sex"] for profile in town.profiles}
    for document in town.documents:
        wrong = {"he", "him", "his", "mr"} if sexes[document.person or ""] == "female" else {"she", "her", "mrs", "ms"}
        assert not words(document.text) & wrong


def test_no_name_or_note_shows_in_a_repr(town: Town) -> None:
    assert repr(town) == f"Town(2000 profiles, {len(town.documents)} documents)"
    assert repr(replace(town, documents=())) == "Town(2000 profiles, 0 documents)"
