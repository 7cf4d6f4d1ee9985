"""Direct fields: by names, by values, and as a user says; none at all is an error unless that is said."""

from collections.abc import Sequence

import pytest
from made_settings import by_rules

from unname.errors import SettingsError
from unname.knowledge.fictional import Town
from unname.knowledge.population import Population, make_population
from unname.protecting.direct_fields import (
    direct_fields,
    kind_of_values,
    of_texts,
    recognised_fields,
    texts_left,
    unreadable,
)
from unname.text import fold, folded_words
from unname.types import Document, Profile
from unname.verbs.deidentify.in_memory import deidentify

PEOPLE = [Profile(f"p{i}", {"name": f"Ada Quill{i}", "town": "York", "trade": "smith"}) for i in range(12)]


def test_names_and_values_tell_and_a_user_adds_or_replaces() -> None:
    population = Population(tuple(PEOPLE))
    assert direct_fields(population) == {"name": "name"}
    assert direct_fields(population, ["town"]) == {"name": "name", "town": ""}, "what is asked for is added"
    assert direct_fields(population, only=["town"]) == {"town": ""}
    assert direct_fields(population, ["none"]) == {} == direct_fields(population, only=["none"])
    for asked in (["nome"], ["none", "name"]):
        with pytest.raises(SettingsError):
            direct_fields(population, asked)


def test_no_direct_field_is_an_error_unless_that_is_said_or_fields_are_long_texts() -> None:
    quasi = Population(tuple(Profile(f"p{i}", {"town": "York", "trade": f"smith {i % 3}"}) for i in range(12)))
    with pytest.raises(SettingsError, match=r"--direct none.*town, trade"):
        direct_fields(quasi)
    with pytest.raises(SettingsError, match="--direct none"):
        deidentify([Document("d", "x", "p1")], quasi, settings=by_rules(k=2), key=b"k" * 32)
    assert direct_fields(quasi, ["none"]) == {}
    texts = Population(tuple(Profile(f"p{i}", {"article": "words and more words " * 20}) for i in range(12)))
    assert of_texts(texts) and direct_fields(texts) == {}


def test_what_is_left_out_for_the_adversary_is_direct_all_the_same(small_town: Town) -> None:
    population = make_population(small_town.profiles, fields=["village", "occupation"])
    found = direct_fields(population)
    assert {"given name", "family name", "phone", "record number", "birth date", "street"} <= found.keys()
    settings = by_rules(k=3, method="none")
    made = deidentify(small_town.documents[:30], population, settings=settings, key=b"k" * 32)
    named = 0
    for document, text in zip(made.documents, made.texts(), strict=True):
        family = fold(population.full[population.rows[str(document.person)]].fields["family name"])
        assert text is not None and family not in folded_words(text)
        named += family in folded_words(document.text)
    assert named > 10, "or nothing was hidden"


FIRST, LAST = ["Alma", "Bruno", "Carla", "Dario", "Edda", "Hugo"], ["Abelsen", "Quill", "Corvin", "Norrland"]
WHOLE = [f"{FIRST[i % 6]} {LAST[i % 4]}{'abcdefghij'[i // 6]}" for i in range(60)]
PHONES = [f"0{400 + i}-55{i:02}{i * 37 % 100:02}" for i in range(60)]
BORN = [f"19{30 + i % 50}-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(60)]
# A class of one school: born within a few years, and few of the names are common ones.
RARE_NAMES = [
    "Alma Abelsen", "Quendra Brandvik", "Corvo Corvin", "Dario Dalgaard", "Eddeline Ellwang", "Fabo Fossheim",
    "Gretel Gruben", "Hugo Hallborg", "Ilsebil Iversen", "Jonte Janske", "Klarissa Kestrel", "Lennart Lindq",
]  # fmt: skip
RARE = [(name, f"{13 + i}.0{1 + i % 9}.{1940 + i}") for i, name in enumerate(RARE_NAMES)]
VALUES: list[tuple[str | None, Sequence[str]]] = [
    ("contact", [f"{phone} / mail{i}@post.example" for i, phone in enumerate(PHONES)]),
    ("contact", [f"{phone}, {phone[::-1]}" for phone in PHONES]),
    ("", [f"{name} (*{day})" for name, day in zip(WHOLE, BORN, strict=True)]),
    ("", [f"{name}, wife, {phone}" for name, phone in zip(WHOLE, PHONES, strict=True)]),
    *(
        ("", [form.format(first=name.split()[0], last=name.split()[1], day=day) for name, day in RARE])
        for form in (
            "{first} {last}, {day}",
            "{last}, {first} (b. {day})",
            "{first} {last} / {day}",
            "{first} {last} *{day}",
            "{first} {last}, geb. {day}",
        )
    ),
    ("", [f"{7000000 + 13 * i} - {name}" for i, (name, _) in enumerate(RARE)]),
    ("", [f"{name} <{name.split()[0].lower()}{i}@post.example>" for i, (name, _) in enumerate(RARE)]),
    ("", [f"{name} <mail{i}@post.example>" for i, (name, _) in enumerate(RARE)]),
    (None, [f"Hip replaced, 2019-0{1 + i % 9}-13" for i in range(24)]),
    (None, [f"Ward Blue {i % 3}, 20{10 + i % 9}-03-13" for i in range(24)]),
    (None, [f"Glucose 5.{i}, HbA1c 6.{i} (2021-03-{1 + i % 28:02})" for i in range(60)]),
    (None, [f"{i}/80, 37.{i}" for i in range(60)]),
    ("name", ["王小明", "李芳", "张伟", "刘洋", "陈静", "杨丽华"] * 4),
    ("name", ["Иванова Анна", "Петров Сергей", "Морозова Елена", "Волков Иван", "Орлова Ольга"] * 4),
    ("name", ["김민수", "이영희", "박지성", "최수진", "정우성"] * 4),
    (None, ["北京", "上海", "广州", "深圳", "天津", "重庆", "黄山"] * 4),
    (None, ["서울", "부산", "대구", "인천", "광주", "대전", "김해"] * 4),
    ("contact", [f"ada{i}@post.example" for i in range(20)]),
    ("contact", [f"0555 570 {i:04}" for i in range(3300, 3340)]),
    ("number", [f"MG{4391207 + 13 * i}" for i in range(20)]),
    ("name", ["Ada Smith", "Peter Quill", "María García", "Hans Müller", "Jean Dupont", "Lena Vane"] * 4),
    ("name", ["García López, María", "Ruiz Gil, Juan", "Paz Moreno, Ana", "Sanz, Pilar", "Vidal Cruz, Luis"] * 4),
    ("date", [f"{1930 + i}-0{1 + i % 9}-1{i % 9}" for i in range(60)]),
    ("address", [f"{i} High Street" for i in range(20)]),
    (None, [f"2021-0{1 + i % 9}-1{i % 9}" for i in range(60)]),
    (None, ["York", "Leeds", "Bath", "Wells"] * 10),
    (None, ["New York", "Virginia", "Ohio", "Texas", "Utah", "Maine", "Iowa", "Idaho"] * 4),
    (None, [str(20 + i) for i in range(40)]),
    (None, [f"{i * 1000}.5" for i in range(10, 50)]),
    (None, ["software engineer", "nurse", "teacher"] * 10),
    (None, ["A long text about nothing at all. " * 20] * 10),
    (None, []),
]


@pytest.mark.parametrize(("kind", "values"), VALUES, ids=[f"{k} {i}" for i, (k, _) in enumerate(VALUES)])
def test_values_tell_what_a_field_of_another_name_holds(kind: str | None, values: Sequence[str]) -> None:
    assert kind_of_values(values) == kind


NAMES = ["Elizabeth Brown", "Charles Smith", "George Green", "Victoria King", "Edward Grey", "Anna Ford"]
ELSEWHERE = {
    "eye_color": ["Brown", "Grey", "Green", "Hazel", "Blue", "Amber"], "monarch": NAMES, "president": NAMES,
    "company": ["Smith & Sons", "Ford Motor", "Morgan Stanley", "Wells Fargo", "Johnson Controls", "Baker Hughes"],
    "source": [f"https://press.example/{i}" for i in range(24)],
}  # fmt: skip


def of_column(name: str, values: Sequence[str]) -> Population:
    return Population(tuple(Profile(f"p{i}", {name: values[i % len(values)]}) for i in range(24)))


@pytest.mark.parametrize("name", ELSEWHERE)
def test_what_others_are_called_by_is_neither_name_nor_contact_of_a_person(name: str) -> None:
    values = ELSEWHERE[name]
    assert recognised_fields(of_column(name, values)) == {}
    assert kind_of_values(values) == ("contact" if name == "source" else "name"), "or its name changes nothing"


def test_a_mail_address_or_a_number_of_a_company_is_direct_all_the_same() -> None:
    assert recognised_fields(of_column("company", [f"ada{i}@firm.example" for i in range(24)])) == {
        "company": "contact"
    }
    assert recognised_fields(of_column("user", NAMES)) == {"user": "name"}


def test_a_few_values_that_many_share_are_no_names_of_persons() -> None:
    assert kind_of_values([["Brown", "Grey", "Green", "Hazel", "Blue"][i % 5] for i in range(200)]) is None
    assert kind_of_values([NAMES[i % 6].split()[0] + "abcdefgh"[i % 8] for i in range(24)] + NAMES * 4) == "name"


def test_fields_of_words_that_are_not_direct_are_named() -> None:
    rows = [{"name": "Ada Quill", "town": "York", "age": "41", "story": "words " * 60, "seen": "2020-01-02"}] * 12
    population = Population(tuple(Profile(f"p{i}", row) for i, row in enumerate(rows)))
    assert texts_left(population, {"name": "name"}) == ("town",)


def test_a_word_that_is_a_name_elsewhere_must_hold_names() -> None:
    assert recognised_fields(of_column("AD", ["yes", "no"])) == {}
    assert recognised_fields(of_column("Ad", ["Mehmet", "Ayşe", "Fatma", "Ali", "Zeynep"])) == {"Ad": "name"}


def test_a_day_of_birth_that_nobody_can_read_is_direct_and_counted() -> None:
    days = [
        *(f"1951-03-1{i}" for i in range(7)),
        "before 1951",
        "last of may",
        "1951",
        "unknown",
        "before the war, 1944-5-6x",
    ]
    people = Population(
        tuple(
            Profile(
                f"p{i}",
                {"birth_date": day, "phone": f"0555 57{i}" if i else "at work", "e-mail": "a@b.example"[i > 10 :]},
            )
            for i, day in enumerate(days)
        )
    )
    direct = recognised_fields(people)
    assert direct == {"birth_date": "date", "phone": "contact", "e-mail": "contact"}
    assert unreadable(people, direct) == {"birth_date": (4, 11), "phone": (1, 12)}
    serials = of_column("birth date", [str(30000 + 97 * i) for i in range(24)])
    assert recognised_fields(serials) == {"birth date": "date"}, "or it would be released"
    assert recognised_fields(of_column("birth date", [str(1930 + i) for i in range(24)])) == {}
