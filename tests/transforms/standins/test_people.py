"""An invented person stands for a real one in every way in which a text names people, and is nobody of the table."""

import re
from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.knowledge.coreference import MAN, WOMAN, name_words
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.namelists import FAMILY, GIVEN
from unname.transforms.standins.people import StandIn, stand_in_for

DRAWS = Draws(b"k" * 32)
ANNA = ("Holm, Anna Maria", "Mrs Holm")


class Table:
    """A people table that knows what it is made of."""

    def __init__(self, people: Sequence[str]) -> None:
        self.people = [set(name_words(name)) for name in people]
        self.counts = Counter(word for words in self.people for word in words)

    def bearers(self, word: str) -> int:
        return self.counts[word]

    def anybody(self, given: str, family: str) -> bool:
        return any({given, family} <= words for words in self.people)


def drawn(stand_in: StandIn, script: str = "latin") -> tuple[str, str, str, str]:
    """First two given names and family names."""
    names = stand_in.invented[script]
    return names[GIVEN][0], names[GIVEN][1], names[FAMILY][0], names[FAMILY][1]


def filled(pattern: str, stand_in: StandIn, script: str = "latin") -> str:
    """A pattern with {g}, {h} (given names), {f}, {k} (family names), {i}, {j} (initials), {F} and {G} (capitals)."""
    g, h, f, k = drawn(stand_in, script)
    return pattern.format(g=g, h=h, f=f, k=k, i=g[0], j=h[0], e=f[0], F=f.upper(), G=g.upper(), s=f.lower())


ENGLISH = [
    ("Holm, Anna Maria", "{f}, {g} {h}"),
    ("Holm, Anna", "{f}, {g}"),
    ("Anna Holm", "{g} {f}"),
    ("Anna\nHolm", "{g}\n{f}"),
    ("Anna\u00a0Holm", "{g}\u00a0{f}"),
    ("ANNA HOLM", "{G} {F}"),
    ("HOLM Anna", "{F} {g}"),
    ("holm", "{s}"),
    ("Anna-Maria Holm", "{g}-{h} {f}"),
    ("Mrs Holm", "Mrs {f}"),
    ("Mr. and Mrs. Holm", "Mr. and Mrs. {f}"),
    ("Dr. A.M. Holm", "Dr. {i}.{j}. {f}"),
    ("Dr.Holm", "Dr.{f}"),
    ("Holm, Dr. Anna", "{f}, Dr. {g}"),
    ("A. Holm", "{i}. {f}"),
    ("Holm A", "{f} {i}"),
    ("AM Holm", "{i}{j} {f}"),
    ("AH", "{i}{e}"),
    ("Maria", "{h}"),
    ("Annie", "{g}"),
    ("Annie's", "{g}'s"),
    ("Holm’s", "{f}’s"),
    ("HOLM'S", "{F}'S"),
    ("Ana Holm", "{g} {f}"),
    ("Anna van der Holm", "{g} {f}"),
    ("Anna Holm Jr.", "{g} {f} Jr."),
    ("Anna Holm III", "{g} {f} III"),
    ("Anna Holm, M.D., PhD", "{g} {f}, M.D., PhD"),
    ("Anna Holm (née Berg)", "{g} {f} (née {k})"),
    ("Anna Zyx", "{g} {f}"),
    ("Dr Zyx", "Dr {f}"),
]


@pytest.mark.parametrize(("mention", "pattern"), ENGLISH)
def test_english_mentions(mention: str, pattern: str) -> None:
    stand_in = stand_in_for(DRAWS, ANNA, language="en")
    assert stand_in.said_as(mention) == filled(pattern, stand_in)


GERMAN = [
    ("Dr. Karl-Heinz Müller", "Dr. {g}-{h} {f}"),
    ("Frau Dr. med. Müller", "Frau Dr. med. {f}"),
    ("Herrn Müller", "Herrn {f}"),
    ("Mueller", "{f}"),
    ("MÜLLER", "{F}"),
    ("K.-H. Müller", "{i}.-{j}. {f}"),
    ("KH Müller", "{i}{j} {f}"),
    ("Müller-Lüdenscheidt", "{f}-{k}"),
]


@pytest.mark.parametrize(("mention", "pattern"), GERMAN)
def test_german_mentions(mention: str, pattern: str) -> None:
    stand_in = stand_in_for(DRAWS, ["Müller, Karl-Heinz"], language="de", own=frozenset(["dr", "muller"]))
    assert stand_in.said_as(mention) == filled(pattern, stand_in)


SPANISH = [
    ("María del Carmen García López", "{g} {h} {f} {k}"),
    ("Dña. Carmen", "Dña. {h}"),
    ("Sra. García", "Sra. {f}"),
    ("García y López", "{f} y {k}"),
    ("Garcia Lopez, Maria", "{f} {k}, {g}"),
    ("De la García", "{f}"),
]


@pytest.mark.parametrize(("mention", "pattern"), SPANISH)
def test_spanish_mentions(mention: str, pattern: str) -> None:
    stand_in = stand_in_for(DRAWS, ["María del Carmen García López"], language="es")
    assert stand_in.said_as(mention) == filled(pattern, stand_in)


OTHERS = [
    ("zh", "cjk", "王小明", "王小明", "{f}{g}"),
    ("zh", "cjk", "王小明", "王先生", "{f}先生"),
    ("zh", "cjk", "王小明", "小明", "{g}"),
    ("ja", "cjk", "田中太郎", "田中 太郎", "{f} {g}"),
    ("ja", "cjk", "田中太郎", "田中さん", "{f}さん"),
    ("ko", "hangul", "김민수", "김민수 씨", "{f}{g} 씨"),
    ("ru", "cyrillic", "Иванова Анна", "Анна Иванова", "{g} {f}"),
    ("ru", "cyrillic", "Иванов Иван Иванович", "И. И. Иванов", "{i}. {j}. {f}"),
    ("pl", "latin", "Anna Kowalska", "pani Kowalskiej", "pani {f}"),
    ("hu", "latin", "Nagy Éva", "Éva", "{g}"),
    ("he", "hebrew", "משה כהן", "כהן", "{f}"),
    ("ka", "georgian", "გიორგი ბერიძე", "ბერიძე", "{f}"),
    ("en", "latin", "Conan O'Brien", "O’BRIEN", "{F}"),
    ("en", "latin", "Don Holm", "Don", "{g}"),
    ("it", "latin", "Susanna Dell'Acqua", "Signora Dell'Acqua", "Signora {f}"),
]


@pytest.mark.parametrize(("language", "script", "name", "mention", "pattern"), OTHERS)
def test_mentions_in_other_scripts_and_languages(
    language: str, script: str, name: str, mention: str, pattern: str
) -> None:
    stand_in = stand_in_for(DRAWS, [name], language=language)
    assert stand_in.said_as(mention) == filled(pattern, stand_in, script)


@pytest.mark.parametrize(
    ("language", "mention", "hissing", "other"),
    [
        ("de", "Jonas'", "{f}'", "{f}s"), ("en", "Jonas'", "{f}'", "{f}'s"), ("nl", "Holms", "{f}", "{f}s"),
        ("de", "Holms", "{f}'", "{f}s"), ("en", "Holm's", "{f}'s", "{f}'s"), ("de", "Holms, MD", "{f}', MD", "{f}s, MD"),
    ],
)  # fmt: skip
def test_a_genitive_stays_one(language: str, mention: str, hissing: str, other: str) -> None:
    seen = set()
    for number in range(60):
        family = "Jonas" if "Jonas" in mention else "Holm"
        stand_in = stand_in_for(DRAWS.under(str(number)), [f"{family}, Thea"], language=language)
        ends_in_s = drawn(stand_in)[2].endswith(("s", "x", "z", "ß"))
        seen.add(ends_in_s)
        assert stand_in.said_as(mention) == filled(hissing if ends_in_s else other, stand_in)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("address", "pattern"),
    [
        ("anna.holm@clinic.org", "{g}.{f}@example.org"), ("a.holm@x.de", "{i}.{f}@example.org"),
        ("annaholm@x.de", "{g}{f}@example.org"), ("aholm@x.de", "{i}{f}@example.org"), ("ah@x.de", "{i}{e}@example.org"),
        ("holm_anna@x.de", "{f}_{g}@example.org"), ("<annie@x.de>", "<{g}@example.org>"),
    ],
)  # fmt: skip
def test_addresses_are_built_alike(address: str, pattern: str) -> None:
    stand_in = stand_in_for(DRAWS, ANNA, language="en")
    assert stand_in.said_as(address) == filled(pattern, stand_in).lower()


def test_figures_of_an_address_are_others() -> None:
    said = stand_in_for(DRAWS, ANNA, language="en").said_as("annaholm84@x.de")
    figures = re.findall(r"\d", said or "")
    assert len(figures) == 2 and figures[0] != "8" and figures[1] != "4"


def test_an_address_of_other_letters_is_ascii() -> None:
    said = stand_in_for(DRAWS, ["Иванова Анна"], language="ru").said_as("anna.ivanova@x.ru")
    assert said is not None and said.isascii() and said.endswith("@example.org") and "anna" not in said


@pytest.mark.parametrize("mention", ["", "!!", "12", "😀", "Анна Хольм", "Anna Анна", "x" * 500])
def test_what_cannot_be_named_is_left_to_others(mention: str) -> None:
    assert stand_in_for(DRAWS, ANNA, language="en").said_as(mention) is None


def test_a_script_without_a_list_has_no_stand_in() -> None:
    assert stand_in_for(DRAWS, ["ትርሲት መኮንን"], language="am").said_as("መኮንን") is None


@pytest.mark.parametrize(
    ("names", "language", "sex", "women"),
    [
        (["A. Holm"], "en", WOMAN, True), (["A. Holm"], "en", MAN, False), (["Frau Holm"], "de", "", True),
        (["Herr Holm"], "de", "", False), (["Anna Holm"], "de", "", True), (["Sir Peter Holm"], "en", "", False),
        (["Ольга Морозова"], "ru", "", True),
    ],
)  # fmt: skip
def test_sex_stays(names: list[str], language: str, sex: str, women: bool) -> None:
    from faker.providers.person.de_DE import Provider as German
    from faker.providers.person.en_GB import Provider as British
    from faker.providers.person.en_US import Provider as American
    from faker.providers.person.ru_RU import Provider as Russian

    lists = (German, British, American, Russian)
    attribute = "first_names_female" if women else "first_names_male"
    known = {name for each in lists for name in getattr(each, attribute)}
    for number in range(20):
        stand_in = stand_in_for(DRAWS.under(str(number)), names, language=language, sex=sex)
        assert {name for each in stand_in.invented.values() for name in each[GIVEN]} <= known


def test_family_names_agree_with_the_sex() -> None:
    for number in range(20):
        stand_in = stand_in_for(DRAWS.under(str(number)), ["Ольга Морозова"], language="ru")
        assert all(name.endswith(("а", "я")) for name in stand_in.invented["cyrillic"][FAMILY])


def test_family_names_of_nobody_come_first() -> None:
    free = drawn(stand_in_for(DRAWS, ANNA, language="en"))[2]
    table = Table([f"Zora {free}"])
    for number in range(200):
        stand_in = stand_in_for(DRAWS.under(str(number)), ANNA, language="en", taken=table)
        assert free not in stand_in.invented["latin"][FAMILY]


def test_where_few_are_free_a_crowd_may_bear_it() -> None:
    every = {
        name for number in range(60)
        for name in stand_in_for(DRAWS.under(str(number)), ["Kari Aune"], language="no").invented["latin"][FAMILY]
    }  # fmt: skip
    crowd, few = sorted(every)[0], sorted(every)[1]
    table = Table([f"Xx {crowd}"] * 20 + [f"Xx {few}"] * 19)
    names = {
        name for number in range(100)
        for name in stand_in_for(DRAWS.under(str(number)), ["Kari Aune"], language="no", taken=table)
        .invented["latin"][FAMILY]
    }  # fmt: skip
    assert crowd in names and few not in names


def test_nobody_of_the_table_has_both_names() -> None:
    g, _, f, _ = drawn(stand_in_for(DRAWS, ["김민수"], language="ko"), "hangul")
    table = Table([f"{g} {f}", *[f"Xx {f}"] * 30])
    stand_in = stand_in_for(DRAWS, ["김민수"], language="ko", taken=table)
    for given_name in stand_in.invented["hangul"][GIVEN]:
        assert not any(table.anybody(given_name, name) for name in stand_in.invented["hangul"][FAMILY])
    assert drawn(stand_in, "hangul")[0] != g or drawn(stand_in, "hangul")[2] != f


def test_own_names_are_never_drawn() -> None:
    g, _, f, _ = drawn(stand_in_for(DRAWS, ANNA, language="en"))
    again = stand_in_for(DRAWS, ANNA, language="en", own=frozenset(name_words(f"{g} {f}")))
    assert {g, f}.isdisjoint((*again.invented["latin"][GIVEN], *again.invented["latin"][FAMILY]))


def test_a_name_that_would_stay_is_no_stand_in() -> None:
    stand_in = stand_in_for(DRAWS, ANNA, language="en", own=frozenset(["example"]))
    assert stand_in.said_as("anna.holm@x.de") is None and stand_in.said_as("Anna Holm") is not None


def test_what_is_printed_shows_no_name() -> None:
    assert "holm" not in repr(stand_in_for(DRAWS, ANNA, language="en")).lower()


MENTIONS = ["Anna Holm", "Mrs Holm", "A. Holm", "Annie", "anna.holm@x.org", "Holm, Anna", "HOLM", "Anna Maria"]


@given(st.lists(st.sampled_from(MENTIONS)), st.binary(min_size=32, max_size=32))
def test_the_same_draws_give_the_same_names_whatever_the_mentions(mentions: list[str], key: bytes) -> None:
    one = stand_in_for(Draws(key), ["Holm, Anna Maria", *mentions], language="en", sex=WOMAN)
    other = stand_in_for(Draws(key), ["Holm, Anna Maria"], language="en", sex=WOMAN)
    assert one.invented == other.invented
    assert [one.said_as(each) for each in MENTIONS] == [other.said_as(each) for each in MENTIONS]


WORDS = st.text(st.sampled_from("aeioumnrstlké"), min_size=2, max_size=8).map(str.title)


@given(st.lists(WORDS, min_size=1, max_size=4), st.sampled_from(["en", "de", "es", "sv", "it"]), st.booleans())
def test_as_many_words_and_none_of_the_own(row: list[str], language: str, capitals: bool) -> None:
    name = " ".join(row).upper() if capitals else " ".join(row)
    stand_in = stand_in_for(DRAWS, [name], language=language)
    said = stand_in.said_as(name)
    if said is not None:
        assert set(name_words(said)).isdisjoint(stand_in.own)
    if said is not None and not any(len(word) < 4 for word in row):
        assert len(said.split()) == len(row)


@given(st.lists(st.text()), st.text(), st.text(max_size=3))
def test_no_text_is_too_strange(names: list[str], mention: str, language: str) -> None:
    stand_in = stand_in_for(DRAWS, names, language=language, own=frozenset(names))
    for each in (mention, *names):
        said = stand_in.said_as(each)
        assert said is None or set(name_words(said)).isdisjoint(stand_in.own)


STRANGE = st.text(st.sampled_from("Aab.' -,@1²'’\u0301ßİ王김יДЖრđ_/()&née Dr MD Jr van"), max_size=24)


@given(st.lists(STRANGE, max_size=3), STRANGE, st.sampled_from(["en", "de", "es", "hu", "ru", "zh", "ja", "tr"]))
def test_nor_one_of_signs_that_names_have(names: list[str], mention: str, language: str) -> None:
    stand_in = stand_in_for(DRAWS, names, language=language)
    for each in (mention, *names):
        said = stand_in.said_as(each)
        assert said is None or set(name_words(said)).isdisjoint(stand_in.own)
