"""Labels of other tools in our words: known ones, the user's own, and those that nobody knows."""

import tomllib
from pathlib import Path

import pytest

import unname.taggers.foreign.labels as labels
from unname.errors import InputError
from unname.taggers.foreign.labels import LabelMap, known, read_label_map
from unname.taggers.labels import is_direct

OURS = {
    "NAME", "PLACE", "ADDRESS", "ORGANISATION", "PROFESSION", "DATE", "AGE", "ID", "CONTACT", "GROUP", "EVENT", "WORK",
    "AMOUNT", "DISEASE",
}  # fmt: skip
DIRECT = {"NAME", "ID", "CONTACT"}


def test_no_two_tools_call_different_things_the_same() -> None:
    table = tomllib.loads((Path(labels.__file__).parent / "labels.toml").read_text("utf-8"))
    every = [(theirs, ours) for section in table.values() for ours, row in section.items() for theirs in row.split()]
    assert len(dict(every)) == len(set(every)) and known() == dict(every)
    assert all(labels.plain(theirs) == theirs for theirs, _ in every)
    assert {ours for _, ours in every} <= OURS


def test_all_our_labels_are_reached_and_only_names_numbers_and_contacts_are_direct() -> None:
    assert set(known().values()) == OURS
    assert {label for label in OURS | {"ROLE", "PRIZE"} if is_direct(label)} == DIRECT


@pytest.mark.parametrize(
    "theirs, ours",
    [
        ("PER", "NAME"), ("per", "NAME"), ("GPE", "PLACE"), ("WORK_OF_ART", "WORK"), ("work of art", "WORK"),
        ("EMAIL_ADDRESS", "CONTACT"), ("Location-Other", "PLACE"), ("persName", "NAME"), ("phone number", "CONTACT"),
        ("MISC", "MISC"), ("RECORD", "RECORD"), ("Haustier", "HAUSTIER"), ("", "UNNAMED"), ("标签", "UNNAMED"),
        ("NAME", "NAME"), ("US_SSN", "ID"),
    ],
)  # fmt: skip
def test_a_label_in_our_words(theirs: str, ours: str) -> None:
    assert LabelMap().of(theirs) == ours


def test_a_label_that_nobody_knows_is_direct() -> None:
    assert is_direct(LabelMap().of("Haustier")) and is_direct(LabelMap().of("LABEL1"))


def test_the_users_labels_come_first(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text('# ours\n\nFAC = "ADDRESS"\nper=patient\nCARDINAL=O\nHaustier=GROUP\n', encoding="utf-8")
    made = read_label_map(file)
    assert [made.of(label) for label in ("FAC", "PER", "CARDINAL", "haustier", "GPE")] == [
        "ADDRESS", "PATIENT", "", "GROUP", "PLACE"
    ]  # fmt: skip
    assert repr(made) == "LabelMap(4)"


def test_a_model_that_finds_what_it_is_asked_for_is_asked_for_the_users_labels_too() -> None:
    asked = LabelMap().asked()
    assert {"person", "medical condition", "email address"} <= set(asked) and {LabelMap().of(a) for a in asked} == OURS
    own = LabelMap((("SHIP_OR_FERRY", "PLACE"), ("AGE", "O"))).asked()
    assert set(own) == {*asked, "ship or ferry"} - {"age"}


@pytest.mark.parametrize("line", ["PER", "PER=", "=NAME", "PER=12", "PER=[NAME]x", "O"])
def test_a_line_that_says_nothing_is_told_by_its_number_and_not_quoted(line: str, tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text(f"GPE=PLACE\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2") as raised:
        read_label_map(file)
    assert "GPE" not in str(raised.value)


def test_two_lines_that_disagree_are_an_error(tmp_path: Path) -> None:
    file = tmp_path / "map.txt"
    file.write_text("GPE=PLACE\ngpe=PLACE\nGPE=ADDRESS\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 3"):
        read_label_map(file)
