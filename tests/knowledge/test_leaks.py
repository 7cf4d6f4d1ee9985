"""The leak scan: which identifiers of a person it sees in a text, and what it leaves alone."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.leaks import DirectIdentifiers
from unname.normalised import normalised
from unname.types import Profile


def identifiers(person: str = "person-x7", /, **fields: str) -> DirectIdentifiers:
    """The identifiers of a person whose fields are all direct."""
    named = {name.replace("_", " "): value for name, value in fields.items()}
    return direct_identifiers(Profile(person, named), list(named))


def seen(what: DirectIdentifiers, text: str) -> list[str]:
    """The stretches found."""
    return [text[a:b] for a, b in what.find(text)]


# --- names


def test_each_word_of_a_name_counts_alone() -> None:
    ada = identifiers(name="Ada Lovelace")
    assert seen(ada, "Lovelace came, and Ada with her.") == ["Lovelace", "Ada"]


def test_particles_and_single_letters_of_a_name_are_no_identifiers() -> None:
    van = identifiers(name="Ludwig van der B. Beethoven Jr")
    assert seen(van, "A van der b jr. for the man") == []
    assert seen(van, "van der Beethoven") == ["Beethoven"]


def test_hyphenated_and_apostrophised_names_count_by_their_parts() -> None:
    double = identifiers(name="Anne-Marie O'Brien")
    assert seen(double, "Mrs Marie Smith") == ["Marie"]
    assert seen(double, "the O’Brien boy, Anne") == ["Brien", "Anne"]


@pytest.mark.parametrize("text", ["Lovelace's house", "Lovelace’s house", "the Lovelace-Byron letters", "(Lovelace)"])
def test_possessives_and_punctuation_hide_no_name(text: str) -> None:
    assert seen(identifiers(name="Ada Lovelace"), text) == ["Lovelace"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Strauß", "STRAUSS"),
        ("ÉLODIE", "élodie"),
        ("İpek", "İPEK"),
        ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("Ada", "Ａｄａ"),
        ("Jiří", "Jir\u030ci\u0301".replace("r\u030c", "ř").replace("i\u0301", "í")),
    ],
)
def test_case_and_compatibility_forms_are_folded(name: str, text: str) -> None:
    assert seen(identifiers(name=name), f"x {text} y") == [text]


@pytest.mark.parametrize("text", ["Adam", "Canada", "adage", "Adagio", "ADAC", "velac"])
def test_letters_of_a_short_name_within_another_word_are_no_hit(text: str) -> None:
    assert seen(identifiers(name="Ada Lovelace"), f"x {text} y") == []


@pytest.mark.parametrize(
    "text",
    [
        "Adas", "Lovelaces", "Lovelacesche", "Ada2", "AdaLovelace", "FreeAdaNow", "adalovelace", "LovelaceStiftung",
        "Lovelacehaus", "Anwaltskanzleilovelace", "scanAda", "lovelace2021", "unlovelacelike",
    ],
)  # fmt: skip
def test_a_name_is_seen_in_genitives_compounds_hashtags_and_file_names(text: str) -> None:
    assert seen(identifiers(name="Ada Lovelace"), f"x {text} y") == [text]


@pytest.mark.parametrize("text", ["maria%20garc%C3%ADa.pdf", "Mar%69a", "Mar\u00adia", "MarÍa-\nGarc-\nía"])
def test_a_name_is_seen_through_percent_encoding_and_line_breaks(text: str) -> None:
    assert identifiers(name="Maria García").find(f"x {text} y")


@pytest.mark.parametrize(
    ("name", "text"), [("王 小明", "患者王小明于昨日入院"), ("ทองดี", "นายทองดีมาพบแพทย์"), ("김민준", "환자김민준은")]
)
def test_a_name_is_seen_in_scripts_without_blanks(name: str, text: str) -> None:
    assert seen(identifiers(name=name), text)


def test_several_values_of_a_field_all_count() -> None:
    both = identifiers(name="Ada Byron | Ada King")
    assert seen(both, "Byron, later King") == ["Byron", "King"]


def test_fields_not_called_direct_are_left_alone() -> None:
    profile = Profile("p", {"name": "Ada", "town": "London"})
    assert direct_identifiers(profile, ["name"]).find("London") == []


# --- phone numbers, e-mail, ids


@pytest.mark.parametrize(
    "text",
    [
        "0555 570 3312", "05555703312", "0555-570-3312", "(0555) 570 33 12", "0555.570.3312", "0555/5703312",
        "0 5 5 5 5 7 0 3 3 1 2", "0555\u00a0570\u00a03312", "0555–570–33–12", "０５５５ ５７ ０３３１２", "٠٥٥٥ ٥٧٠ ٣٣ ١٢",
        "+49 (0555) 57 03 312",
    ],
)  # fmt: skip
def test_a_phone_number_is_found_however_it_is_grouped(text: str) -> None:
    what = identifiers(phone="0555 570 3312")
    found = what.find(f"call {text} now")
    assert found and min(a for a, _ in found) <= 5 + text.index(text[-1]) and max(b for _, b in found) == 5 + len(text)


@pytest.mark.parametrize("text", ["0555 570 331", "0555 571 3312", "555", "5703313", "312", "0555"])
def test_another_number_is_no_phone_number(text: str) -> None:
    assert identifiers(phone="0555 570 3312").find(text) == []


@pytest.mark.parametrize("text", ["3312", "570 3312", "570-3312"])
def test_the_end_of_a_phone_number_gives_it_away(text: str) -> None:
    assert seen(identifiers(phone="0555 570 3312"), f"the number that ends in {text}.") == [text]


@pytest.mark.parametrize("text", ["MG 4391207", "MG4391207", "MG-4391207", "mg/439 1207", "mg.4391207"])
def test_a_record_number_is_found_joined_or_parted(text: str) -> None:
    assert text in seen(identifiers(record_number="MG 4391207"), f"see {text}.")


@pytest.mark.parametrize("text", ["4391207", "4391207 MG", "no. 439 1207", "ending in 1207"])
def test_the_digits_of_a_record_number_are_found_without_its_letters(text: str) -> None:
    assert identifiers(record_number="MG 4391207").find(text)


@pytest.mark.parametrize("text", ["MG 4391208", "MG", "MG 43912 and 07", "MG 43912"])
def test_another_record_number_is_no_hit(text: str) -> None:
    assert identifiers(record_number="MG 4391207").find(text) == []


def test_an_email_address_is_a_sequence_of_words_and_its_parts_are_not() -> None:
    mail = identifiers(email="ada.king@post.example")
    assert "Ada.King@POST.example" in seen(mail, "write to Ada.King@POST.example!")
    assert seen(mail, "post a king; ada example") == []


def test_the_part_of_an_address_before_the_at_counts_alone_unless_it_names_an_office() -> None:
    assert seen(identifiers(email="ada.king@post.example"), "her login is ada_king") == ["ada_king"]
    assert seen(identifiers(email="info@post.example"), "info about the post") == []


def test_a_value_with_figures_beside_a_name_keeps_its_words() -> None:
    for value in ("Garcia, Maria (1)", "GARCIA MARIA 2", "Maria Garcia #3"):
        assert seen(identifiers(whatever=value), "Herr garcia und MARIA") == ["garcia", "MARIA"], value
        named = direct_identifiers(Profile("p", {"patient": value}), {"patient": "name"})
        assert seen(named, "Herr garcia und MARIA, 1 2 3") == ["garcia", "MARIA"], value


@pytest.mark.parametrize(
    "value", ["1984-08-02", "2.8.1984", "2 August 1984", "02/08/1984", "2 de agosto de 1984", "19840802"]
)
@pytest.mark.parametrize(
    "text",
    [
        "2. August 1984", "2 de agosto", "August 2nd, 1984", "02.08.84", "1984-08-02", "2 août 1984", "2 agosto 1984",
        "2-Aug-84", "02.08.", "the 2nd of August", "2. Aug. 1984",
    ],
)  # fmt: skip
def test_a_day_is_found_in_every_spelling_as_a_whole(value: str, text: str) -> None:
    born = direct_identifiers(Profile("p", {"dob": value}), {"dob": "date"})
    found = seen(born, f"x {text} y")
    assert found and max(found, key=len).removesuffix(".") in (text, text.removesuffix("."), text.removeprefix("the "))


@pytest.mark.parametrize(
    "text", ["3. August 1984", "2 August 1985", "August", "1984", "2 de julio", "2 mg", "August 1984"]
)
def test_another_day_and_parts_of_one_are_no_hit(text: str) -> None:
    born = direct_identifiers(Profile("p", {"dob": "1984-08-02"}), {"dob": "date"})
    assert seen(born, f"x {text} y") == []


def test_an_address_is_found_whole_as_street_and_house_and_as_the_street() -> None:
    home = direct_identifiers(Profile("p", {"a": "Calle Mayor 12, 28013 Madrid"}), {"a": "address"})
    assert seen(home, "vive en calle Mayor 12") and seen(home, "en la Calle Mayor") == ["Calle Mayor"]
    assert seen(home, "en Madrid, calle Menor 12") == []


@pytest.mark.parametrize(
    ("text", "initial"),
    [("sah Petra Ö. heute", "Ö"), ("P. Özil kam", "P"), ("Özil, P.", "P"), ("Petra, a. m.", ""), ("Petra K.", "")]
)  # fmt: skip
def test_initials_beside_a_name_go_with_it(text: str, initial: str) -> None:
    found = [part for part in seen(identifiers(name="Petra Özil"), text) if len(part) == 1]
    assert found == ([initial] if initial else [])


def test_the_id_of_a_profile_counts_as_a_whole() -> None:
    what = direct_identifiers(Profile("note/Q42 b", {}), [])
    assert seen(what, "see note/q42-b there") == ["note/q42-b"]
    assert seen(what, "a note, a b, q42") == []


def test_a_short_id_is_an_identifier_too() -> None:
    assert seen(direct_identifiers(Profile("7", {}), []), "case 7 of 77") == ["7"]
    assert seen(direct_identifiers(Profile("A3", {}), []), "bed A3, not A33") == ["A3"]


# --- a second implementation


def slow_find(singles: set[str], sequence: str, text: str) -> set[tuple[int, int]]:
    """Every stretch between word borders, tried one by one; two names written as one word are both shown."""
    singles = singles | {a + b for a in singles for b in singles if a != b}
    word = [c.isalnum() or c == "_" for c in text] + [False]
    starts = [i for i in range(len(text)) if word[i] and not (i and word[i - 1])]
    ends = [i for i in range(1, len(text) + 1) if word[i - 1] and not word[i]]
    found = set()
    for a in starts:
        for b in (b for b in ends if b > a):
            letters = "".join(c for c, is_word in zip(text[a:b], word[a:b], strict=True) if is_word)
            if letters == sequence or (letters in singles and all(word[a:b])):
                found.add((a, b))
    return found


@given(st.text(alphabet="ab1 -", max_size=16))
def test_names_and_sequences_are_found_exactly_where_the_slow_way_finds_them(text: str) -> None:
    what = DirectIdentifiers(frozenset({"ab", "ba"}), frozenset({("a", "b1")}), frozenset())
    seen_through = normalised(text)  # letters with blanks between them are a disguise
    expected = slow_find({"ab", "ba"}, "ab1", text)
    expected |= {seen_through.original(a, b) for a, b in slow_find({"ab", "ba"}, "ab1", seen_through.text)}
    assert set(what.find(text)) == expected


@given(st.text(max_size=60))
def test_offsets_lie_in_any_text_at_all(text: str) -> None:
    what = identifiers(name="Ada", phone="12345", mail="a@b.c")
    found = what.find(f"{text} Ada {text} 1-2345")
    assert found, "the name stands there by itself"
    for start, end in found:
        assert 0 <= start < end <= 2 * len(text) + 12


# --- time


@pytest.mark.parametrize(
    "text",
    [
        "Ada " * 25_000,
        "1 " * 50_000,
        "0555 570 " * 11_000,
        "1" + " " * 100_000 + "x",
        "MG " * 33_000,
        "1 2 3 x " * 12_000,
    ],
)
def test_a_hundred_kilobytes_take_no_quadratic_time(text: str) -> None:
    what = identifiers(name="Ada Lovelace", phone="0555 570 3312", record_number="MG 4391207")
    short, text = (f"{part}\nsaid Lovelace." for part in (text[: len(text) // 4], text))
    assert (len(text) - 9, len(text) - 1) in what.find(text), "to the end, however long the text"
    assert in_proportion(lambda: what.find(short), lambda: what.find(text))


def test_nothing_of_a_person_shows_in_a_repr() -> None:
    assert "love" not in repr(identifiers(name="Lovelace", phone="0555 570 3312")).lower()


@pytest.mark.parametrize("text", ["file Ada_Lovelace.pdf", "scan_of_lovelace_1843", "mg_4391207"])
def test_a_name_or_number_joined_by_underscores_is_seen(text: str) -> None:
    assert seen(identifiers(name="Ada Lovelace", record_number="MG 4391207"), text)


def test_a_number_of_eight_figures_that_could_be_a_day_is_a_number_all_the_same() -> None:
    what = direct_identifiers(Profile("p", {"MRN": "12041987"}), {"MRN": "number"})
    for text in ("120 41 987", "12041987", "ending in 1987"):
        assert what.find(f"no. {text}."), text
    assert direct_identifiers(Profile("p", {"x": "12041987"}), {"x": ""}).find("no. 120 41 987")


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("phone 0555 570 3312\n12 High Street", ["0555 570 3312"]),
        ("12\n0555 570 3312\n12\n7", ["0555 570 3312"]),
        ("phone 0555 570\n3312\n12 High Street", ["0555 570\n3312"]),
        ("it ends in 3312\n12 High Street", ["3312"]),
        ("phone (0555)\r\n570 3312\r\n12 High Street", ["0555)\r\n570 3312"]),
    ],
)
def test_of_a_number_that_goes_on_over_line_ends_only_its_own_lines_are_hidden(text: str, hidden: list[str]) -> None:
    found = seen(identifiers(phone="0555 570 3312"), text)
    assert set(found) >= set(hidden) and all(any(one in whole for whole in hidden) for one in found)


def test_a_very_long_value_takes_no_more_than_its_length() -> None:
    began = time.process_time()
    long = identifiers(notes=" ".join(f"a{i}" for i in range(20_000)))
    assert seen(long, "a1 a2 b") == [] and time.process_time() - began < 5
    two = identifiers(number="MG4391207" + "x" * 40 + " 77")
    assert "MG4391207" + "x" * 40 + "77" in seen(two, "of MG4391207" + "x" * 40 + "77.")


@pytest.mark.parametrize(
    ("address", "text"),
    [
        ("12 Elm St", "at 12 Elm Street"), ("12 Elm Street", "at 12 Elm St"), ("Hauptstr. 12", "Hauptstraße 12"),
        ("Calle Mayor 5", "C/ Mayor 5"), ("ul. Świętokrzyska 7", "na Swietokrzyska 7"), ("улица Ленина 5", "ул. Ленина 5"),
        ("Königstraße 5", "Koenigstrasse 5"),
    ],
)  # fmt: skip
def test_a_street_is_found_whatever_word_stands_for_its_kind(address: str, text: str) -> None:
    home = direct_identifiers(Profile("person-x7", {"street": address}), {"street": "address"})
    assert seen(home, text) and "".join(c for c in text if c.isdigit()) in seen(home, text)[-1]
    assert seen(home, "at 13 Oak Street, 5 pm") == []
