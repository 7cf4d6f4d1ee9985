"""Mentions that mean one person get one number; those that may mean several stay apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.coreference import KnownAs, parts_of, same_people, stated_sex, whole_names

TOGETHER = [
    ("Anna Holm", "A. Holm", "Anna", "Holm", "anna.holm@example.org", "Holm, Anna", "Mrs Anna Holm"),
    ("Robert James Miller", "Bob Miller", "Robert J. Miller", "R. J. Miller", "Mr Miller", "rmiller@clinic.example"),
    ("Ludwig van der Berg", "van der Berg", "L. van der Berg", "Berg", "Herr van der Berg"),
    ("María García López", "Sra. García López", "María", "Dª María García López"),
    ("Katherine O'Neill", "Kate O'Neill", "Ms O'Neill"),
    ("Smith, John", "John Smith Jr", "Mr. Smith"),
    ("T.J. Miller", "TJ Miller", "Mr Miller"),
    ("Sister Mary", "Mary"),
    ("HOLM Anna", "Anna Holm", "A. HOLM"),
    ("Ms Anna Holm", "Ms Holm’s", "Anna's"),
    ("Jürgen Müller", "Jurgen Muller", "Muller"),
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
    ("Alexander Berg", "Alexandra Berg", "Alex Berg"),
    ("Maria Holm", "Marta Holm", "M. Holm"),
    ("Anna Maria Holm", "Anna Marta Holm", "Anna M. Holm"),
    ("John Smith Sr", "John Smith Jr"),
    ("Anna Holm", "Schwester Anna"),
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
def test_any_mentions_have_numbers_from_0_on(mentions: list[str]) -> None:
    numbers = same_people(mentions)
    assert len(numbers) == len(mentions) and set(numbers) == set(range(len(set(numbers))))


@given(st.permutations([mention for row in TOGETHER for mention in row]))
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
    titled = same_people(["Dr Anna Kern", "Dr Kern", "Dr Bert Kern"])
    assert len(set(titled)) == 3, "a title may be that of somebody who is named later"
    assert same_people(["Anna Holm", "Holm", "Bert Holm", "Holm"]) == [0, 0, 1, 2], "once there are two, it is neither"


def test_whoever_is_known_takes_the_mentions_that_nobody_else_of_the_text_may_be() -> None:
    known = KnownAs(("Robert Holm-Berg",))
    mentions = ["Holm", "Bob Berg", "Herr Holm", "R. Berg", "Anna Kern", "Holms"]
    assert same_people(mentions, known, language="de") == [0, 0, 0, 0, 1, 0]
    assert same_people(["Holms"], known) == [1], "in English an s without an apostrophe is another name"
    karl, holm, robert = same_people(["Karl Holm", "Holm", "Robert"], known)
    assert len({karl, holm, robert}) == 3 and robert == 0
    assert 0 not in same_people(["B.", "R.", "Dr Roberts", "Kern"], KnownAs(("Holm",)))


def test_an_initial_is_that_of_another_name_than_the_one_beside_it() -> None:
    known = KnownAs(("Holm, Anna",))
    assert same_people(["A. Holm", "Holm, A.", "Holm", "H. Holm"], known) == [0, 0, 0, 1]
    assert same_people(["M. Miller"], KnownAs(("Robert Miller",))) == [1]


def test_an_initial_may_be_that_of_somebody_named_later() -> None:
    anna, initial, agnes = same_people(["Anna Wexley", "A. Wexley", "Agnes Wexley"])
    assert len({anna, initial, agnes}) == 3


def test_a_doctors_title_is_no_patients() -> None:
    known = KnownAs(("Anna Holm",))
    assert same_people(["Anna Holm", "Holm", "Dr Holm"], known) == [0, 0, 1]
    assert same_people(["Anna Holm", "Dr James Holm", "Dr Holm", "Schwester Anna"], known) == [0, 1, 1, 2]
    assert same_people(["Dr Anna Holm", "Dr Holm"], known) == [0, 0]
    assert same_people(["Bert Kern", "Dr Kern"]) == [0, 0]
    garcia = ["María García López", "Dr. García", "Sra. López"]
    assert same_people(garcia, KnownAs(("María García López",), "woman"), language="es") == [0, 1, 0]


@pytest.mark.parametrize(
    ("called", "mentions"),
    [
        ("Anna Holm", ["Professor Holm", "Judge Holm", "Sgt Holm", "Nurse Holm"]),
        ("James Martin", ["Dr Martin James", "Dr James"]),
        ("Holm, Anna Maria", ["Maria Holm", "Maria"]),
        ("Anna Thomas", ["Thomas"]),
        ("Robert Hill", ["Mrs Roberts"]),
        ("Anna Holm", ["Jean-Anna Holm"]),
    ],
)
def test_somebody_else_of_the_same_name(called: str, mentions: list[str]) -> None:
    assert 0 not in same_people(mentions, KnownAs((called,)))


def test_a_mr_is_no_doctor_of_the_same_name() -> None:
    *smiths, mr = same_people(["Mr Smith", "Dr Smith", "Judge Smith", "Nurse Smith", "Mr Smith"])
    assert len(set(smiths)) == 4 and mr == smiths[0]
    assert len(set(same_people(["Frau Dr. Kern", "Frau Kern", "Dr. Kern"], language="de"))) == 1
    assert same_people(["overlæge Hansen"], KnownAs(("Maria Hansen",)), language="da") == [1]
    assert same_people(["Anna Holm", "Mr Holm", "Karl Holm"]) == [0, 2, 1]


def test_an_apostrophe_is_within_a_name() -> None:
    assert len(set(same_people(["Sean O'Brien", "Mr O’Brien", "O'Brien", "S. O'Brien"]))) == 1
    assert same_people(["Oscar Brien", "O'Brien"]) == [0, 1]


@pytest.mark.parametrize(
    ("fields", "names"),
    [
        ({"given name": "Anna Maria", "family name": "Holm"}, ("Holm, Anna Maria",)),
        ({"Nachname": "Holm", "Vorname": "Anna"}, ("Holm, Anna",)),
        ({"first_name": "Anna", "LastName": "Holm", "alias": "Nan|Annie"}, ("Holm, Anna", "Nan", "Annie")),
        ({"name": "Anna Holm"}, ("Anna Holm",)),
        ({"name": "Anna", "surname": "Holm"}, ("Holm, Anna",)),
        ({"name": "Anna Holm", "surname": "Holm"}, ("Anna Holm", "Holm")),
        ({"a": "Anna", "b": "Holm"}, ("Anna Holm",)),
        ({"PatientLastName": "Holm", "patient_first_name": "Anna"}, ("Holm, Anna",)),
        ({"Nachname des Patienten": "Holm", "Vorname": "Anna"}, ("Holm, Anna",)),
        ({"Nom et prénom": "Holm Anna"}, ("Holm Anna",)),
        ({"nombre completo": "Anna Holm"}, ("Anna Holm",)),
        ({}, ()),
    ],
)
def test_whole_names_from_fields(fields: dict[str, str], names: tuple[str, ...]) -> None:
    assert whole_names(fields) == names


def test_a_given_name_behind_its_title() -> None:
    assert same_people(["Juan Pérez Ruiz", "Don Juan"], language="es") == [0, 0]
    assert same_people(["Mary Jones", "Mr Mary"]) == [0, 1]
    assert same_people(["Mme Marie Dupont", "M. Dupont"], KnownAs(("Marie Dupont",), "woman"), language="fr") == [0, 1]


def test_a_mailbox_is_of_whoever_is_so_called_in_the_table() -> None:
    assert same_people(["Ms Holm", "anna.holm@home.example", "aholm@x.y", "z@x.y"], KnownAs(("Holm, Anna",))) == [
        0,
        0,
        0,
        1,
    ]


def test_two_family_names_are_one_way_to_read_three_words() -> None:
    assert parts_of("María García López", "es").family == "garcia lopez"
    assert parts_of("Juan de la Cruz Pérez", "es").given[0] == "juan"
    mentions = ["María García López", "Sra. García", "García", "López", "María García"]
    assert set(same_people(mentions, language="es")) == {0}


@pytest.mark.parametrize(
    ("fields", "sex"),
    [
        ({"sex": "F"}, "woman"), ({"Gender": " Male "}, "man"), ({"Geschlecht": "weiblich"}, "woman"),
        ({"Sexo": "M"}, ""), ({"sexo": "V"}, "man"), ({"nem": "F"}, "man"), ({"Lytis": "V"}, "man"), ({"sex": "V"}, ""),
        ({"sexo": "Mujer"}, "woman"), ({"sex": "unknown"}, ""), ({"trade": "man"}, ""), ({"Patient Sex": "F"}, "woman"),
        ({"sex of child": "F"}, ""), ({"sexual orientation": "female"}, ""),
        ({"sex": "F", "gender": "male"}, ""), ({}, ""), ({"patient_sex": "female"}, "woman"),
    ],
)  # fmt: skip
def test_a_table_says_the_sex_in_words_of_its_own(fields: dict[str, str], sex: str) -> None:
    assert stated_sex(fields) == sex


def test_parts_are_never_shown() -> None:
    assert "Holm" not in repr(KnownAs(("Anna Holm",)))
    assert "Holm" not in repr(parts_of("Anna Holm"))
