"""Numbers instead of names: one person one number, however the text calls them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_settings import by_rules

from unname import registry
from unname.errors import SettingsError
from unname.job import Deidentification
from unname.knowledge.coreference import MAN, WOMAN, KnownAs
from unname.knowledge.population import make_population
from unname.testing import check_transform
from unname.text import visible, words
from unname.transforms.base import Context
from unname.transforms.numbered import NumberedTokens
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, Profile, Release
from unname.verbs.deidentify.in_memory import deidentify

_MARKED = re.compile(r"\{(?:([A-Z_]*):)?([^}]*)\}")


def numbered(marked: str, *names: str, sex: str = "", transform: NumberedTokens | Redact | None = None) -> Release:
    """The release of a text in which `{LABEL:words}` or `{words}` are hidden, about somebody with these names."""
    spans, text, at = [], "", 0
    for match in _MARKED.finditer(marked):
        text += marked[at : match.start()]
        spans.append(MaskSpan(len(text), len(text) + len(match[2]), "m", 0, match[1] or ""))
        text += match[2]
        at = match.end()
    text += marked[at:]
    context = Context(b"k" * 32, "p", KnownAs(names, sex), tuple(words(text)))
    return (transform or NumberedTokens()).release(Document("d", text), Mask("d", tuple(spans)), context)


def test_conformance() -> None:
    check_transform(NumberedTokens)
    check_transform(lambda: NumberedTokens(subject="PATIENT"))


@pytest.mark.parametrize(
    ("marked", "text"),
    [
        ("{NAME:Anna Holm} met {NAME:Holm}, then {NAME:Anna}.", "[PERSON 1] met [PERSON 1], then [PERSON 1]."),
        ("{Anna} {NAME:Holm} and {NAME:Bert Kern}", "[PERSON 1] and [PERSON 2]"),
        ("{NAME:Holm}, {NAME:Anna}: {NAME:Anna Holm}", "[PERSON 1]: [PERSON 1]"),
        ("{NAME:Anna}\n{NAME:Holm} is {NAME:Anna Holm}", "[PERSON 1]\n[PERSON 1] is [PERSON 1]"),
        ("{NAME:Anna Holm}\n\n{NAME:Anna Holm} rose", "[PERSON 1]\n\n[PERSON 1] rose"),
        ("{NAME:Anna Holm}; {NAME:Anna Holm}", "[PERSON 1]; [PERSON 1]"),
        ("Mr {NAME:Berg} and Mrs {NAME:Berg}", "Mr [PERSON 1] and Mrs [PERSON 2]"),
        ("Dr {NAME:Kern} wrote. {NAME:B. Kern} signed", "Dr [DOCTOR 1] wrote. [DOCTOR 1] signed"),
        ("{Dr} {NAME:Kern} wrote", "[MASK] [PERSON 1] wrote"),
        ("{PATIENT:Anna Holm} saw {DOCTOR:Kern}. {NAME:Holm} left", "[PATIENT 1] saw [DOCTOR 2]. [PATIENT 1] left"),
        ("{DOCTOR:Kern}{PATIENT:Holm}", "[DOCTOR 1][PATIENT 2]"),
        ("{PLACE:Leeds}, {PLACE:York}, {PLACE:LEEDS}", "[PLACE 1], [PLACE 2], [PLACE 1]"),
        ("{NAME:Anna Holm} ({EMAIL:anna.holm@x.org})", "[PERSON 1] ([EMAIL 1])"),
        ("{EMAIL:z@x.org} of {NAME:Anna Holm}", "[EMAIL 2] of [PERSON 1]"),
        ("{NAME:Ms Anna Holm} and {NAME:Ms Holm}{NAME:’s} son", "[PERSON 1] and [PERSON 1] son"),
        ("{NAME:Karl Berg},{NAME:Karl Berg},81", "[PERSON 1],[PERSON 1],81"),
        ("{PERSON:Anna Holm} and {PERSON:4711}", "[PERSON 1] and [PERSON 2]"),
        ("{FIRSTNAME:Anna} {LASTNAME:Holm} left", "[PERSON 1] left"),
        ("Seen by Dr {NAME:Wu}. {NAME:Anna Holm} left.", "Seen by Dr [DOCTOR 1]. [PERSON 2] left."),
        ("{NAME:Anna Holm} <{EMAIL:anna@x.org}>", "[PERSON 1] <[EMAIL 1]>"),
        ("{winter} in {PLACE:Leeds}", "[MASK] in [PLACE 1]"),
        ("{J.} {NAME:Holm} and {J.} {winter}", "[PERSON 1] and [MASK] [MASK]"),
    ],
)
def test_texts_with_numbers(marked: str, text: str) -> None:
    assert numbered(marked).text == text


def test_a_name_of_the_table_needs_no_label() -> None:
    marked = "{Anna} {Holm} came; {Holm}'s {sister} too. Dr {NAME:Kern} knows {Holm}'s case of {Anna}"
    wanted = "[PATIENT 1] came; [PATIENT 1]'s [MASK] too. Dr [DOCTOR 2] knows [PATIENT 1]'s case of [PATIENT 1]"
    assert numbered(marked, "Anna Holm", transform=NumberedTokens(subject="PATIENT")).text == wanted
    assert numbered("{Bob} {Berg} rose", "Robert Berg").text == "[PERSON 1] rose"
    assert numbered("{ORG:HOLM Anna} or {ORG:Holm}", "Anna Holm").text == "[PERSON 1] or [ORG 1]"
    assert numbered(marked).text.count("[MASK]") == 6, "nobody says that these are names"


def test_whoever_has_other_given_names_is_another_person() -> None:
    marked = "{NAME:Karl Holm} brought {Anna} {Holm}. {NAME:Holm} left"
    assert numbered(marked, "Anna Holm").text == "[PERSON 1] brought [PERSON 2]. [PERSON 3] left"


def test_a_title_of_the_other_sex_means_a_relative() -> None:
    marked = "{Anna} {Holm} came with {NAME:Karl Holm}. Mr {NAME:Holm} left, Ms {NAME:Holm} stayed."
    wanted = "[PERSON 1] came with [PERSON 2]. Mr [PERSON 2] left, Ms [PERSON 1] stayed."
    assert numbered(marked, "Anna Holm", sex=WOMAN).text == wanted
    assert numbered("{Anna} {Holm} and Mr {NAME:Holm}", "Anna Holm", sex=WOMAN).text == "[PERSON 1] and Mr [PERSON 2]"
    assert numbered("{Per} {Holm} and Mr {NAME:Holm}", "Per Holm", sex=MAN).text == "[PERSON 1] and Mr [PERSON 1]"


def test_two_family_names_are_read_as_such_in_spanish() -> None:
    text = (
        "La paciente {NAME:María García López} fue vista por la Dra. {NAME:Ana Ruiz} el día de la fecha. "
        "La Sra. {NAME:García} no quiso más, y {NAME:López} tampoco."
    )
    assert re.findall(r"\[\w+ \d\]", numbered(text).text) == [
        "[PERSON 1]", "[DOCTOR 2]", "[PERSON 1]", "[PERSON 1]",
    ]  # fmt: skip


def test_whom_the_table_has_keeps_their_label() -> None:
    patient = NumberedTokens(subject="PATIENT")
    marked = "Frau Dr. {Anna} {Holm} ist Patientin; Dr. {NAME:Holm} kam."
    assert (
        numbered(marked, "Anna Holm", transform=patient).text
        == "Frau Dr. [PATIENT 1] ist Patientin; Dr. [PATIENT 1] kam."
    )
    marked = "{Anna} {Holm} was seen by Dr {NAME:Holm}; the doctor {Anna} knew"
    wanted = "[PATIENT 1] was seen by Dr [DOCTOR 2]; the doctor [PATIENT 1] knew"
    assert numbered(marked, "Anna Holm", transform=patient).text == wanted


def test_the_subject_is_a_label() -> None:
    assert registry.create(registry.TRANSFORMS, "numbered(subject=PATIENT)") == NumberedTokens(subject="PATIENT")
    for wrong in ("patient", "", "A B", "[X]"):
        with pytest.raises(SettingsError, match="subject must be a label"):
            NumberedTokens(subject=wrong)


def test_more_people_than_numbers_have_none() -> None:
    marked = " ".join(
        f"{{NAME:Person{chr(65 + i // 26 % 26)}{chr(65 + i % 26)}{chr(65 + i // 676)}}};" for i in range(1001)
    )
    released = numbered(marked)
    assert "[PERSON 999]; [PERSON]; [PERSON]" in released.text
    assert not visible(released.text).replace("\u2588", "").strip(" ;")


PIECES = st.sampled_from(
    [
        "{NAME:Anna Holm}",
        "{Holm}",
        "{NAME:Dr Kern}",
        "Mr ",
        "{PLACE:Leeds}",
        ", ",
        "\n",
        "{x}",
        "saw ",
        "{EMAIL:a.holm@x.y}",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_readers_see_the_words_that_a_redacted_text_shows(marked: str) -> None:
    def read(release: Release) -> list[str]:
        return re.sub(r"[^\w█]|█", " ", visible(release.text)).split()

    assert read(numbered(marked, "Anna Holm")) == read(numbered(marked, "Anna Holm", transform=Redact()))


def test_a_doctors_column_does_not_make_the_doctor_the_patient() -> None:
    people = [
        Profile(str(i), {"name": f"Given{c} Family{c}", "GP": f"Dr Ruth{c} Kern{c}", "town": "Leeds"})
        for i, c in enumerate("ABCDEFGHIJKL")
    ]
    text = "GivenB FamilyB came. Dr RuthB KernB wrote that GivenB FamilyB is well. KernB signed."
    settings = by_rules(k=2, reidentifiers=("bm25",), transform="numbered(subject=PATIENT)")
    made = deidentify([Document("d", text, "1")], make_population(people), key=b"k" * 32, settings=settings)
    assert made.texts() == ["[PATIENT 1] came. Dr [DOCTOR 2] wrote that [PATIENT 1] is well. [DOCTOR 2] signed."]


def test_a_run_knows_what_the_people_of_the_table_are_called() -> None:
    people = [
        Profile(str(i), {"given name": f"Given{chr(65 + i)}", "surname": f"Family{chr(65 + i)}", "town": "Leeds"})
        for i in range(8)
    ]
    text = "Seen today: FamilyB, GivenB. Dr Sam Kern wrote that Ms FamilyB is well."
    settings = by_rules(k=2, reidentifiers=("bm25",), transform="numbered(subject=PATIENT)")
    made = deidentify([Document("d", text, "1")], make_population(people), key=b"k" * 32, settings=settings)
    assert made.texts() == ["Seen today: [PATIENT 1]. Dr [DOCTOR 2] wrote that Ms [PATIENT 1] is well."]


def test_the_example_of_the_page_is_what_a_run_makes() -> None:
    page = (Path(__file__).parents[2] / "docs/readable.md").read_text(encoding="utf-8")
    before, after = re.findall(r"^(?:before|after) +(.+)$", page, re.MULTILINE)[:2]
    names = ["Anna Holm", *(f"Given{chr(65 + i)} Family{chr(65 + i)}" for i in range(11))]
    people = [Profile(str(i), {"name": name, "sex": "F", "town": "Leeds"}) for i, name in enumerate(names)]
    settings = Deidentification(k=2, reidentifiers=("bm25",), transform="numbered(subject=PATIENT)")
    made = deidentify([Document("d", before, "0")], make_population(people), key=b"k" * 32, settings=settings)
    assert made.texts() == [after]
