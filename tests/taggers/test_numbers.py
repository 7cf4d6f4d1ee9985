"""Numbers: every form is tried wherever it matches, and how numbers are read changes nothing of what is found."""

import re
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unname.taggers import cues, numbers, patterns
from unname.taggers.checksums import iban
from unname.taggers.patterns import Form
from unname.types import Span

FORMS = (
    *patterns.FORMS, *patterns.ABROAD, patterns.YEAR, patterns.YEARS, patterns.YEARS_OLD,
    *cues.HOUSES_FIRST, cues.PLACE_AFTER, cues.ZIP,
)  # fmt: skip


@pytest.mark.parametrize("form", FORMS, ids=[f"{form.label} {place}" for place, form in enumerate(FORMS)])
def test_a_form_is_tried_where_it_matches(form: Form) -> None:
    # What writes examples would write twice what is only looked ahead at.
    written = re.compile(form.pattern.pattern.replace(cues._BEGINS_STREET, ""))

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(written))
    def tried(text: str) -> None:
        match = form.pattern.search(text)
        if match and (run := re.match(r"\d+", text[match.start() :])) and len(run[0]) in form.lengths:
            behind = text[match.start() + run.end() :]
            kind = numbers._kind(text[match.start() - 1 : match.start()], len(run[0]), behind[:2])
            # Behind a letter only what is distinct is looked for.
            unlike = kind.before == "a" and (form.score < patterns.DISTINCT or form in patterns.ABROAD)
            forms = [f for f in (*kind.forms, *kind.abroad, kind.behind, kind.announced) if f and f.label == form.label]
            ends = [other.end() for f in forms if (other := f.pattern.match(text, match.start()))]
            assert unlike or max(ends, default=0) >= match.end()

    tried()


BEHIND_LETTERS = {p.pattern: p for p in (*(form.pattern for form in patterns.LETTERED), *patterns.ACCOUNTS.values())}


@pytest.mark.parametrize("pattern", BEHIND_LETTERS.values(), ids=range(len(BEHIND_LETTERS)))
def test_digits_behind_letters_are_tried_where_they_match(pattern: re.Pattern[str]) -> None:
    @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_regex(pattern))
    def tried(text: str) -> None:
        match = pattern.search(text)
        assert match
        run = re.compile(r"\d+").search(text, match.start())
        assert run
        kind = numbers._kind("A", len(run[0]), text[run.end() : run.end() + 2])
        # A sign between letters and digits is no letter: then the digits are no number behind letters.
        if text[run.start() - 1].isalnum():
            assert kind.begins.match(text, run.start())
            assert kind.is_account or any(form.pattern == pattern for form in kind.lettered)

    tried()


def test_what_a_form_says_of_signs_is_known() -> None:
    for form in (*FORMS, *patterns.AFTER_LETTERS):
        for pair in form.after.split():
            assert len(pair) == 2
            assert set(pair) <= patterns.SIGNS | set("_a0?$")


@pytest.mark.parametrize(
    "signs, kinds", [("", "$$"), (" ", "_$"), ("\u00a0é", "_a"), ("_٣", "_0"), ("☎", "*$"), ("½-", "½-")]
)
def test_the_kinds_of_two_signs(signs: str, kinds: str) -> None:
    assert patterns.kinds_of(signs) == kinds


def test_what_patterns_take_for_a_letter_is_one() -> None:
    signs = "".join(map(chr, range(0x110000)))
    assert {patterns.kinds_of(sign)[0] for sign in re.findall(r"[^\W\d_]", signs)} == {"a", "½"}
    assert {patterns.kinds_of(sign)[0] for sign in re.findall(r"\d", signs)} == {"0"}
    assert {patterns.kinds_of(sign)[0] for sign in re.findall(r"\s", signs)} == {"_"}


@pytest.mark.parametrize(
    "text", ["12 High Street", "12 \u2167x Street", "12 ½x Street", "28001 Ávila", "12b High Road"]
)
def test_a_place_may_begin_with_any_capital(text: str) -> None:
    assert _found(text)


def test_a_sign_is_no_capital() -> None:
    assert not _found("28001\x85×aa")


PIECES = (
    "NHC: 1234", "tel 91 123 45 67", "mayo de 2019", "3 de mayo", "c/ Peña 12", "Hauptstraße 5", "aged 46", "plate 12 AB",
    "ES91 2100 0418 4502 0005 1332", "in 1985", "CA 94105", "+34 612 345 678", "12345678Z", "1/1/19", "1", "12", "12", "7",
    "A1", "no. 36244/06", "de", "Ada", "the street", "Lindenweg", "31", "1.5", "2A", "id", "AB12", "x", "matrícula",
)  # fmt: skip


def _found(text: str) -> list[Span]:
    return list(numbers.in_numbers(text, lambda: None))


@pytest.mark.parametrize("seed", range(6))
def test_words_read_together_or_one_by_one_say_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(seed)
    text = "".join(draw.choice(PIECES) + draw.choice((" ", " ", " ", ", ", ". ", "\n", "")) for _ in range(6000))
    monkeypatch.setattr(numbers, "_DENSE", 0)
    one_by_one = _found(text)
    assert len(one_by_one) > 1000
    for stretch in (500, 3072, 50_000):
        monkeypatch.setattr(numbers, "_DENSE", stretch)
        assert _found(text) == one_by_one


@pytest.mark.parametrize("without", ["few", "behind another", "initials", "capitals"])
def test_what_spares_a_look_changes_nothing(without: str, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = Random(without)
    pieces = (
        *PIECES,
        "tel 1 2 3",
        "tel 12 34 56",
        "NHC-12 3456",
        "Calle 1000000 23",
        "1 2",
        "1985 1986",
        "hauptstraße 3",
        "calle peña 3",
        "12 March",
        "46 y",
        "7 x",
    )
    text = "".join(draw.choice(pieces) + draw.choice((" ", " ", "\n", ", ", "-", ".")) for _ in range(5000))
    found = _found(text)
    assert len(found) > 1000
    if without == "few":
        monkeypatch.setattr(numbers, "_is_of_few", lambda text, start: False)
    elif without == "behind another":
        monkeypatch.setattr(numbers, "_FROM_AFAR", -1)
    elif without == "capitals":
        monkeypatch.setattr(numbers, "_has_no_street", lambda before: False)
    else:
        monkeypatch.setattr(numbers, "_BEFORE_INITIALS", frozenset())
        numbers._kind.cache_clear()
    assert _found(text) == found
    numbers._kind.cache_clear()


@pytest.mark.parametrize(
    "behind", ["", " 12/27", " exp 12/27", " 123", " 1999", "-12", "décembre", " 4111 1111 1111 1111"]
)
@pytest.mark.parametrize("card", ["4111 1111 1111 1111", "4111-1111-1111-1111", "3782 822463 10005"])
def test_what_stands_behind_a_card_hides_it_not(card: str, behind: str) -> None:
    found = _found(f"paid with {card}{behind}")
    assert [(span.label, span.start) for span in found][:1] == [("CARD", 10)]
    assert found[0].end >= 10 + len(card)


def test_a_month_is_a_whole_word_in_any_case() -> None:
    for month in patterns.MONTHS:
        for said in (month, month.upper(), month.title()):
            assert [span.label for span in _found(f"the 7 {said}, then")] == ["DATE"]
        assert _found(f"the 7 {month}zq, then") == []


def test_an_account_is_made_up_as_its_country_makes_it_up() -> None:
    assert [span.label for span in _found("ES9121000418450200051332")] == ["IBAN"]
    # Its check digits hold, but Spain's accounts have no letters.
    assert iban("ES91 personalausweis Postc")
    assert all(span.label != "IBAN" for span in _found("ES91 personalausweis Postcode"))


@pytest.mark.parametrize(
    "number, label", [("4111 1111 1111 1111", "CARD"), ("3/5/1985", "DATE"), ("46 years old", "AGE")]
)
def test_digits_of_other_scripts_are_digits(number: str, label: str) -> None:
    arabic = number.translate({ord(str(digit)): chr(0x660 + digit) for digit in range(10)})
    assert [span.label for span in _found(arabic)] == [label]
