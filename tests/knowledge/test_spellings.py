"""Other spellings of names: typed without accents, inflected, in another script, short; and what is none of them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.spellings import other_forms, sounds, spelled
from unname.types import Profile
from unname.verifying.written import identifies

FIELDS = {"given name": "name", "family name": "name"}
PEOPLE = {
    "Jürgen Müllenbröck": "Juergen Muellenbroeck Jurgen Mullenbrock JUERGEN",
    "Juergen Muellenbroeck": "Jürgen Müllenbröck",
    "Łucja Kowalska": "Lucja Łucji Lucji Kowalskiej Łucję Kowalską",
    "Marek Wiśniewski": "Marka Markiem Wiśniewskiego Wisniewskiemu Markowi",
    "Květa Dvořáková": "Květy Květě Dvořákové Dvorakova Květu",
    "Jan Dvořáček": "Dvořáčka Janem Janovi Dvořáčkovi",
    "Eva Horváthová": "Evy Evu Evou Horváthovej Horvathova",
    "Анна Морозова": "Анне Морозовой Анну Morozova Anna",
    "Юрий Хрущёв": "Yuri Khrushchev Хрущёва Юрия Yury Хрущев",
    "Alexej Kusnezow": "Алексей",
    "Алексей Кузнецов": "Alexey Aleksei Kuznetsov Kuznecov Алексея Кузнецовым",
    "Оксана Шевченко": "Oksana Shevchenko Оксані Шевченка",
    "Γιώργος Παπαδόπουλος": "Giorgos Papadopoulos Γιώργου Παπαδόπουλου Γιώργο Yorgos",
    "Giorgos Papadopoulos": "Γιώργος Παπαδόπουλος",
    "محمد الشمري": "Mohammed Muhammad ومحمد لمحمد للشمري محـمد مُحَمَّد",
    "إبراهيم يحيى": "ابراهيم يحيي",
    "יצחק לוי": "ליצחק ויצחק",
    "Jonas Kazlauskas": "Jono Kazlausko Kazlauskui Jonui",
    "Jānis Bērziņš": "Jāņa Bērziņa Janis Berzins Jānim",
    "Pekka Virtanen": "Pekan Virtasen Virtaselle Pekalle",
    "Ágnes Kovács": "Kovácsnak Kovácsné Ágnessel Kováccsal Ágnesnek",
    "Ayşe Yılmaz": "Ayse Yilmaz Yılmazın YILMAZ",
    "Maria Ionescu": "Mariei Ionescului",
    "Đorđe Đorđević": "Djordje Djordjevic Đorđa Đorđevića Ђорђе Ђорђевић Dordevic",
    "민수 김": "김민수는 Kim 민수가 Minsu",
    "小明 王": "王女士 小王 王小明 Wang Xiaoming",
    "伟强 陈": "陳偉強 Chen Weiqiang",
    "Øystein Kjær": "Oystein Oeystein Kjaer",
    "Åse Håkonsen": "Aase Haakonsen Ase",
    "Robert Miller": "Bob Rob",
    "Kaja Tamm": "Tamme Tammele",
}
WRITTEN = [(person, word) for person, words in PEOPLE.items() for word in words.split()]


def hidden(person: str, text: str) -> str:
    """A text without what is found of somebody, whole words."""
    given, family = person.rsplit(" ", 1)
    profile = Profile("p-zz9", {"given name": given, "family name": family})
    found = {i for a, b in direct_identifiers(profile, FIELDS).find(text) for i in range(a, b)}
    return "".join("·" if i in found else c for i, c in enumerate(text))


@pytest.mark.parametrize(("person", "word"), WRITTEN)
def test_a_name_is_found_however_its_language_and_keyboard_write_it(person: str, word: str) -> None:
    left = hidden(person, f"Seen {word}, today.")
    assert left.startswith("Seen ") and left.endswith(", today.")
    name = re.sub("女士|^小", "", word)
    assert name not in left


@pytest.mark.parametrize(("person", "word"), WRITTEN)
def test_the_mask_hid_every_word_that_the_second_reading_finds(person: str, word: str) -> None:
    given, family = person.rsplit(" ", 1)
    profile = Profile("p-zz9", {"given name": given, "family name": family})
    for text in (f"Seen {word}, today.", f"{word.upper()} came", f"x {word} y"):
        assert not identifies(profile, FIELDS, hidden(person, text))


@given(st.sampled_from(sorted(PEOPLE)), st.sampled_from(WRITTEN), st.sampled_from(WRITTEN))
def test_no_other_persons_name_misleads_the_second_reading(
    person: str, one: tuple[str, str], other: tuple[str, str]
) -> None:
    text = f"{one[1]} and {other[1]}, {one[0]}"
    given, family = person.rsplit(" ", 1)
    profile = Profile("p-zz9", {"given name": given, "family name": family})
    assert not identifies(profile, FIELDS, hidden(person, text))


@pytest.mark.parametrize(
    ("person", "text"),
    [
        ("Ada Lovelace", "Adam, Adagio, any adage"),
        ("Ana Silva", "Any silver, and Anything"),
        ("Mark Stone", "market, marked, the mark-up of Stonehenge"[:15]),
        ("Eva Lang", "Ever, Even, Evil, Language"),
        ("Анна Ким", "анонс, Канна"),
        ("علي حسن", "عليها"),
        ("David Carter", "in Washington, D.C."),
        ("Hans Berg", "he has a hand"),
    ],
)
def test_words_that_only_begin_like_a_name_stay(person: str, text: str) -> None:
    assert hidden(person, text) == text


def test_initials_of_a_whole_name_are_found_together() -> None:
    assert hidden("Zenobius Quillerby", "Z. Q. came, and Z.Q. left") == "····· came, and ···· left"
    assert hidden("Zenobius Quillerby", "Q. E. D., Z. X.") == "Q. E. D., Z. X."


def test_a_surname_of_one_character_counts_beside_a_title_alone() -> None:
    assert hidden("小明 王", "国王来了，王女士也来了") == "国王来了，·女士也来了"
    assert hidden("Uma O", "Mr. O saw an O on the wall") == "Mr. · saw an O on the wall"


def test_short_forms_count_with_a_capital_and_only_if_they_are_no_function_word() -> None:
    assert hidden("Robert Miller", "Bob has a bob") == "··· has a bob"
    assert "will" not in other_forms("william")


def test_every_form_is_a_spelling_of_something_else() -> None:
    for name in ("müller", "морозова", "anna", "לוי", "محمد"):
        assert other_forms(name).isdisjoint(spelled(name))
        assert len(other_forms(name)) < 1000


def test_words_of_different_scripts_sound_alike() -> None:
    assert not sounds("хрущев").isdisjoint(sounds("khrushchev"))
    assert not sounds("παπαδοπουλοσ").isdisjoint(sounds("papadopoulos"))
    assert not sounds("محمد").isdisjoint(sounds("mohammed"))
    assert sounds("москва").isdisjoint(sounds("minsk"))
