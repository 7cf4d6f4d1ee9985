"""Mentions that mean one person get one number; those that may mean several stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.coreference import KnownAs, NameMention, mentions_in, parts_of, same_people, stated_sex
from unname.types import Span

TOGETHER = [
    ("Anna Holm", "Dr Holm", "A. Holm", "Anna", "Holm", "anna.holm@example.org", "Holm, Anna", "Mrs Anna Holm"),
    ("Robert James Miller", "Bob Miller", "Robert J. Miller", "R. J. Miller", "Mr Miller", "rmiller@clinic.example"),
    ("Ludwig van der Berg", "van der Berg", "L. van der Berg", "Berg", "Herr van der Berg"),
    ("María García López", "Sra. García López", "María", "Dª María García López"),
    ("Katherine O'Neill", "Kate O'Neill", "Ms O'Neill"),
    ("Smith, John", "John Smith Jr", "Mr. Smith"),
    ("HOLM Anna", "Anna Holm", "A. HOLM"),
    ("Ms Anna Holm", "Ms Holm’s", "Anna's"),
    ("Jürgen Müller", "Jurgen Muller", "Müllers"),
    ("Anna-Maria Kern", "Anna Maria Kern", "Anna Maria"),
]
APART = [
    ("Anna Holm", "Adam Holm"),
    ("Mr John Smith", "Mrs Smith"),
    ("Anna Holm", "Anna Berg"),
    ("Anna Holm", "Bert Holm", "Holm"),
    ("Anna Holm", "Adam Holm", "A. Holm"),
    ("Mary Smith", "John Smith", "Mr Smith"),
    ("Mr Smith", "Mrs Smith", "Pat Smith"),
    ("J. Holm", "Jansen"),
]


@pytest.mark.parametrize("mentions", TOGETHER)
def test_one_person_by_many_names(mentions: tuple[str, ...]) -> None:
    assert len(set(same_people(mentions))) == 1
    assert len(set(same_people(mentions[::-1]))) == 1


@pytest.mark.parametrize("mentions", APART)
def test_people_who_may_differ_stay_apart(mentions: tuple[str, ...]) -> None:
    numbers = same_people(mentions)
    assert len(set(numbers)) == len(mentions)


def test_a_title_tells_relatives_apart() -> None:
    john, mary, mr, mrs = same_people(["Mr John Smith", "Mrs Mary Smith", "Mr Smith", "Mrs Smith"])
    assert john == mr != mary == mrs


@given(st.lists(st.text(max_size=30), max_size=12))
def test_any_text_has_one_person_for_each_distinct_mention(mentions: list[str]) -> None:
    numbers = same_people(mentions)
    assert len(numbers) == len(mentions)
    assert len({(mention, number) for mention, number in zip(mentions, numbers, strict=True)}) == len(set(mentions))


@given(st.permutations([mention for row in TOGETHER + APART for mention in row if len(mention.split()) > 1]))
def test_whoever_is_named_in_full_is_the_same_in_any_order(mentions: list[str]) -> None:
    full = [mention for mention in mentions if parts_of(mention).rank == 0]
    numbers = dict(zip(full, same_people(full), strict=True))
    again = dict(zip(sorted(full), same_people(sorted(full)), strict=True))
    assert {(a, b) for a in full for b in full if numbers[a] == numbers[b]} == {
        (a, b) for a in full for b in full if again[a] == again[b]
    }


def test_a_name_of_several_means_the_only_one_named_before() -> None:
    anna, holm, bert = same_people(["Anna Holm", "Holm", "Bert Holm"])
    assert anna == holm != bert
    kern, dr, other = same_people(["Dr Anna Kern", "Dr Kern", "Dr Bert Kern"])
    assert kern == dr != other


def test_whoever_is_known_takes_the_mentions_that_nobody_else_of_the_text_may_be() -> None:
    known = KnownAs(("Robert Holm-Berg",))
    assert same_people(["Holm", "Bob Berg", "Mr Holm", "R. Berg", "Anna Kern", "Holms"], known) == [0, 0, 0, 0, 1, 0]
    karl, holm, robert = same_people(["Karl Holm", "Holm", "Robert"], known)
    assert len({karl, holm, robert}) == 3 and robert == 0
    assert 0 not in same_people(["B.", "R.", "Dr Roberts", "Kern"], KnownAs(("Holm",)))


def test_two_family_names_are_one_way_to_read_three_words() -> None:
    assert parts_of("María García López", two_family_names=True).family == "garcia lopez"
    assert parts_of("Juan de la Cruz Pérez", two_family_names=True).given[0] == "juan"
    mentions = ["María García López", "Sra. García", "García", "López", "María García"]
    assert set(same_people(mentions, two_family_names=True)) == {0}


def spans(text: str, *marked: tuple[str, str]) -> list[Span]:
    """Spans of stretches in order of the text, each with a label."""
    row, at = [], 0
    for written, label in marked:
        start = text.index(written, at)
        row.append(Span(start, start + len(written), label))
        at = start + len(written)
    return row


def test_mentions_are_names_by_label_by_table_and_beside_a_name() -> None:
    text = "Anna Holm saw Maria Kern in Leeds on Monday; Holm wrote to m.kern@x.org. Maria left."
    found = mentions_in(
        text,
        spans(text, ("Anna", ""), ("Holm", ""), ("Maria", ""), ("Kern", "NAME"), ("Leeds", "PLACE"), ("Monday", ""),
              ("Holm", ""), ("m.kern@x.org", "EMAIL"), ("Maria", "")),
        KnownAs(("Anna Holm",)),
    )  # fmt: skip
    assert [(text[m.start : m.end], m.who) for m in found] == [
        ("Anna Holm", NameMention.SUBJECT), ("Maria Kern", 1), ("Holm", NameMention.SUBJECT), ("m.kern@x.org", 1),
    ]  # fmt: skip


def test_nobody_is_the_subject_where_no_name_is_known() -> None:
    text = "Anna Holm saw Kern."
    found = mentions_in(text, spans(text, ("Anna Holm", "NAME"), ("Kern", "PERSON")))
    assert [m.who for m in found] == [1, 2]


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=10), st.text(max_size=12))
def test_any_stretches_of_any_text_have_mentions_in_order(text: str, cuts: list[int], name: str) -> None:
    row = sorted({min(cut, len(text)) for cut in cuts})
    labels = ["NAME", "", "EMAIL", "PLACE"]
    stretches = [Span(a, b, labels[a % 4]) for a, b in zip(row[::2], row[1::2], strict=False)]
    found = mentions_in(text, stretches, KnownAs((name,)))
    starts, ends = {s.start for s in stretches}, {s.end for s in stretches}
    assert all(m.start in starts and m.end in ends and m.who >= 0 for m in found)
    assert all(a.end <= b.start for a, b in zip(found, found[1:], strict=False))


@pytest.mark.parametrize(
    ("fields", "sex"),
    [
        ({"sex": "F"}, "woman"), ({"Gender": " Male "}, "man"), ({"Geschlecht": "weiblich"}, "woman"),
        ({"Sexo": "M"}, ""), ({"sexo": "Mujer"}, "woman"), ({"sex": "unknown"}, ""), ({"trade": "man"}, ""),
        ({"sex": "F", "gender": "male"}, ""), ({}, ""), ({"patient_sex": "female"}, ""), ({"Patient Sex": "female"}, "woman"),
    ],
)  # fmt: skip
def test_a_table_says_the_sex_in_words_of_its_own(fields: dict[str, str], sex: str) -> None:
    assert stated_sex(fields) == sex


def test_parts_are_never_shown() -> None:
    assert "Holm" not in repr(KnownAs(("Anna Holm",)))
    assert "Holm" not in repr(parts_of("Anna Holm"))
