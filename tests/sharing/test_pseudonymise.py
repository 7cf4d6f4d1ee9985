"""Automatic pseudonyms: what is replaced, by what, what stays, and who can piece sentences together again."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError, SettingsError
from unname.sharing.linkage import linkage
from unname.sharing.pseudonymise import leaking, pseudonymise
from unname.sharing.settings import Pseudonymising
from unname.sharing.space import Space, make_space, taught_space
from unname.storage.wordvectors import WordVectors
from unname.taggers.lstm.reading import key
from unname.taggers.tokens import sentences
from unname.testing import sample_notes
from unname.types import Document, Span

SECRET = b"s" * 32
NAMES = ("ana", "anabel", "eva", "ida", "ines", "lea", "mia", "noa")
TOWNS = ("bonn", "graz", "lund", "oslo")


def made_space() -> Space:
    """Names near names, towns near towns, and small words elsewhere."""
    random = np.random.default_rng(0)
    words = [*NAMES, *TOWNS, "came", "to", "and", "0000", "00"]
    middles = [(1, 0, 0)] * len(NAMES) + [(0, 1, 0)] * len(TOWNS) + [(0, 0, 1)] * 5
    return make_space(
        WordVectors(tuple(words), np.array(middles, np.float32) + 0.05 * random.random((len(words), 3), np.float32))
    )


SPACE = made_space()


def note(number: int, name: str, town: str) -> Document:
    text = f"{name} came to {town}.\nIn {town} {name} slept 12 nights. The end."
    spans = [Span(text.index(w), text.index(w) + len(w), label) for w, label in ((name, "NAME"), (town, "PLACE"))]
    second = text.index("\n")
    spans += [Span(text.index(name, second), text.index(name, second) + len(name), "NAME")]
    return Document(f"secret-{number}", text, f"person-{number}", "train", tuple(sorted(spans)), {"ward": "7"})


def _lines(text: str) -> list[str]:
    return [text[row[0].start : row[-1].end] for row in sentences(text)]


def test_identifiers_are_neighbours_of_their_own_and_everything_else_stays() -> None:
    made = pseudonymise([note(1, "Ana", "Bonn")], SPACE, Pseudonymising(3), secret=SECRET)
    assert len(made.documents) == 3
    texts = sorted(d.text for d in made.documents)
    assert texts[2] == "The end."
    first = next(d for d in made.documents if " came to " in d.text)
    name, town = (first.text[s.start : s.end] for s in first.spans)
    assert name.lower() in NAMES
    assert town.lower() in TOWNS
    assert name[0].isupper()
    assert first.text == f"{name} came to {town}."
    # Neither the word itself, nor one that holds it.
    assert name.lower() not in ("ana", "anabel")
    second = next(d for d in made.documents if "slept" in d.text)
    assert second.text.endswith("slept 12 nights.")
    # The town is not marked there, and replaced all the same.
    assert "Bonn" not in second.text
    assert [s.label for s in second.spans] == ["NAME"]


@pytest.mark.parametrize("coherent", [False, True])
def test_nobody_of_a_document_stands_for_anybody_else_of_it(coherent: bool) -> None:
    text = "Ana came to Bonn. Eva and Ida and Lea came to Graz. Mía and Ines and Noa came to Lund."
    held = ("Ana", "Bonn", "Eva", "Ida", "Lea", "Graz", "Mía", "Ines", "Noa", "Lund")
    spans = tuple(Span(text.index(w), text.index(w) + len(w), "NAME" if w[0] not in "BGL" else "PLACE") for w in held)
    document = Document("1", text, spans=spans)
    for number in range(20):
        made = pseudonymise([document], SPACE, Pseudonymising(9, coherent=coherent), secret=bytes([number]) * 32)
        assert leaking([document], made) == []
        shown = {d.text[s.start : s.end].lower() for d in made.documents for s in d.spans}
        assert shown.isdisjoint(word.lower() for word in (*held, "mia"))
    published = pseudonymise([document], SPACE, Pseudonymising(9, as_published=True), secret=SECRET)
    assert leaking([document], published)


def test_nothing_but_text_spans_and_split_is_kept() -> None:
    made = pseudonymise([note(n, "Eva", "Oslo") for n in range(5)], SPACE, secret=SECRET)
    assert {(d.person, d.split, tuple(d.metadata)) for d in made.documents} == {(None, "train", ())}
    assert sorted(int(d.id) for d in made.documents) == list(range(1, 16))
    assert list(made.origins) != sorted(made.origins)


def test_nothing_of_what_was_replaced_shows() -> None:
    made = pseudonymise([note(1, "Ana", "Bonn")], SPACE, Pseudonymising(3), secret=SECRET)
    assert "ana" not in f"{made!r}{made.replaced!r}".lower()


def test_the_secret_alone_decides_what_is_drawn() -> None:
    notes = [note(n, name.title(), "Graz") for n, name in enumerate(NAMES)]
    one, again = (pseudonymise(notes, SPACE, secret=SECRET) for _ in range(2))
    other = pseudonymise(notes, SPACE, secret=b"t" * 32)
    assert one.documents == again.documents
    assert [d.text for d in one.documents] != [d.text for d in other.documents]


def test_as_published_a_token_may_stand_for_itself_and_unknown_words_stay() -> None:
    how = Pseudonymising(2, as_published=True)
    notes = [note(n, name, "Lund") for n, name in enumerate(["Ines"] * 40 + ["Zoltan"])]
    made = pseudonymise(notes, SPACE, how, secret=SECRET)
    firsts = [d for d in made.documents if " came to " in d.text]
    names = [d.text.split()[0] for d in firsts]
    assert 5 < names.count("Ines") < 35
    assert len(set(names)) == 3
    assert names.count("Zoltan") == 1
    assert made.unknown == 2
    assert (
        pseudonymise(notes, SPACE, Pseudonymising(1, as_published=True), secret=SECRET).replaced[0][0].before
        in NAMES + TOWNS
    )


def test_words_that_the_space_does_not_know_become_invented_ones() -> None:
    notes = [note(1, "Zoltan", "Bonn"), *(note(2 + n, name.title(), "Oslo") for n, name in enumerate(NAMES))]
    made = pseudonymise(notes, SPACE, Pseudonymising(4), secret=SECRET)
    assert not any("Zoltan" in d.text for d in made.documents)
    first = [d for d, origin in zip(made.documents, made.origins, strict=True) if origin == 0 and d.spans]
    invented = [d.text[s.start : s.end] for d in first for s in d.spans if s.label == "NAME"]
    assert len(invented) == 2
    # As unknown to a tagger as the names that it will meet, and written with a capital as they are.
    assert all(word.lower() not in SPACE.places and word[0].isupper() and len(word) >= 3 for word in invented)
    assert made.unknown == 2


def test_a_word_that_all_others_hold_is_replaced_all_the_same() -> None:
    space = make_space(WordVectors(("a", "ab", "ba"), np.eye(3, dtype=np.float32)))
    made = pseudonymise([Document("1", "A here", spans=(Span(0, 1, "NAME"),))], space, secret=SECRET)
    assert made.documents[0].text.split()[1] == "here"
    assert made.documents[0].text[0] != "A" or len(made.documents[0].text.split()[0]) > 1


def test_digits_are_drawn_digit_by_digit() -> None:
    rows = [Document(str(n), "Born 1984 here", spans=(Span(5, 9, "DATE"),)) for n in range(60)]
    made = pseudonymise(rows, SPACE, secret=SECRET)
    years = {d.text.split()[1] for d in made.documents}
    assert all(len(year) == 4 and year.isdigit() for year in years)
    assert len(years) > 40


def test_coherent_documents_stay_whole_and_say_the_same_of_the_same() -> None:
    notes = [note(n, name.title(), "Graz") for n, name in enumerate(NAMES)]
    made = pseudonymise(notes, SPACE, Pseudonymising(3, coherent=True), secret=SECRET)
    assert len(made.documents) == len(notes)
    for document, origin in zip(made.documents, made.origins, strict=True):
        names = {document.text[s.start : s.end] for s in document.spans if s.label == "NAME"}
        assert len(names) == 1
        assert document.text.count(names.pop()) == 2
        original = notes[origin]
        assert document.text.count("\n") == 1
        assert [s.label for s in document.spans] == [s.label for s in original.spans]


@given(
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(TOWNS)), min_size=1, max_size=4),
    st.booleans(),
    st.booleans(),
)
def test_no_identifier_is_left_and_every_other_token_is(
    rows: list[tuple[str, str]], coherent: bool, published: bool
) -> None:
    notes = [note(n, name.title(), town.title()) for n, (name, town) in enumerate(rows)]
    how = Pseudonymising(3, published, coherent)
    made = pseudonymise(notes, SPACE, how, secret=SECRET)
    for document, origin in zip(made.documents, made.origins, strict=True):
        name, town = rows[origin]
        shown = {key(document.text[t.start : t.end]) for row in sentences(document.text) for t in row}
        assert published or not shown & {name, town}
        for span in document.spans:
            assert document.text[span.start : span.end].isalpha()
    rest = " ".join(sorted(d.text for d in made.documents))
    assert rest.count("slept 12 nights") == len(rows)


def test_sentences_of_a_document_can_be_pieced_together_where_neighbourhoods_are_small() -> None:
    random = np.random.default_rng(1)
    words = tuple(f"w{a}{b}" for a in "abcdefghijklmnopqrst" for b in "abcdefghij")
    middles = np.repeat(random.normal(size=(20, 8)), 10, axis=0)
    space = make_space(WordVectors(words, (middles + 0.01 * random.normal(size=(200, 8))).astype(np.float32)))
    rows = []
    for n in range(20):
        name = words[10 * n].title()
        text = "\n".join(f"{name} said so." for _ in range(3))
        spans = [Span(at, at + len(name), "NAME") for at in range(0, len(text), len(name) + 10)]
        rows.append(Document(str(n), text, spans=tuple(s for s in spans if text[s.start : s.end] == name)))
    tight, wide = Pseudonymising(5), Pseudonymising(199)
    found = {}
    for how in (tight, wide):
        made = pseudonymise(rows, space, how, secret=SECRET)
        found[how] = linkage(made, space, how)
    assert found[tight].sentences == 60
    assert found[tight].before == 1.0
    assert found[tight].found > 0.9
    assert found[wide].found < 0.3
    assert found[wide].chance == pytest.approx(2 / 59)


def test_texts_without_identifiers_have_nothing_to_link() -> None:
    made = pseudonymise([Document("a", "Nothing here.")], SPACE, secret=SECRET)
    assert [d.text for d in made.documents] == ["Nothing here."]
    assert linkage(made, SPACE, Pseudonymising()).sentences == 0


def test_a_space_is_taught_by_texts_of_others() -> None:
    notes = sample_notes()
    space = taught_space(notes, width=12, epochs=2, seed=0)
    assert "ward" in space.words
    assert np.allclose(np.linalg.norm(space.vectors, axis=1), 1, atol=1e-5)
    place = space.places["ward"]
    near = space.near(space.vectors[place], 3, None)
    assert near[0] == place
    assert "Byron" not in repr(space)
    with pytest.raises(InputError):
        taught_space([Document("a", "one"), Document("b", "two")], width=4, epochs=1, seed=0)
    with pytest.raises(InputError):
        make_space(WordVectors(("a", "-"), np.array([[0, 0], [1, 0]], np.float32)))


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SettingsError):
        Pseudonymising(0)


def test_nothing_of_a_text_shows() -> None:
    made = pseudonymise([replace(note(1, "Ana", "Bonn"))], SPACE, secret=SECRET)
    assert "Bonn" not in repr(made)
