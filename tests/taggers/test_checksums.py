"""Check digits: published specimens hold, and any one digit changed does not."""

from collections.abc import Callable

import pytest

from unname.taggers import checksums

# Numbers from the authorities' own explanations and forms; none is a person's.
SPECIMENS: list[tuple[Callable[[str], bool], str]] = [
    (checksums.card, "4111 1111 1111 1111"),
    (checksums.card, "378282246310005"),
    (checksums.iban, "GB82 WEST 1234 5698 7654 32"),
    (checksums.iban, "ES91 2100 0418 4502 0005 1332"),
    (checksums.iban, "DE89370400440532013000"),
    (checksums.dni, "12345678Z"),
    (checksums.dni, "X1234567L"),
    (checksums.cif, "A58818501"),
    (checksums.nass, "28 12345678 40"),
    (checksums.nir, "2 55 08 14 168 025 38"),
    (checksums.codice_fiscale, "RSSMRA85T10A562S"),
    (checksums.steuer_id, "86095742719"),
    (checksums.nhs, "943 476 5919"),
    (checksums.pesel, "44051401359"),
    (checksums.personnummer, "811228-9874"),
    (checksums.hetu, "131052-308T"),
    (checksums.cpf, "111.444.777-35"),
    (checksums.kimlik, "10000000146"),
]
IDS = [f"{check.__name__} {i}" for i, (check, _) in enumerate(SPECIMENS)]


@pytest.mark.parametrize("check, number", SPECIMENS, ids=IDS)
def test_a_specimen_holds(check: Callable[[str], bool], number: str) -> None:
    assert check(number)


@pytest.mark.parametrize("check, number", SPECIMENS, ids=IDS)
def test_hardly_any_number_with_one_digit_changed_holds(check: Callable[[str], bool], number: str) -> None:
    places = [i for i, c in enumerate(number) if c.isdigit()]
    changed = [number[:i] + d + number[i + 1 :] for i in places for d in "0123456789" if d != number[i]]
    assert sum(map(check, changed)) <= len(changed) / 40


def test_norwegian_numbers_have_two_check_digits() -> None:
    """Every number of a day that holds, by the rule written out."""
    for serial in range(1000):
        d = [int(c) for c in f"010190{serial:03d}"]
        first = 11 - (3 * d[0] + 7 * d[1] + 6 * d[2] + d[3] + 8 * d[4] + 9 * d[5] + 4 * d[6] + 5 * d[7] + 2 * d[8]) % 11
        first = 0 if first == 11 else first
        d.append(first)
        second = 11 - sum(w * x for w, x in zip((5, 4, 3, 2, 7, 6, 5, 4, 3, 2), d, strict=True)) % 11
        second = 0 if second == 11 else second
        stem = f"010190{serial:03d}"
        good = {f"{stem}{first}{second}"} if first < 10 and second < 10 else set()
        assert {f"{stem}{n:02d}" for n in range(100) if checksums.fodselsnummer(f"{stem}{n:02d}")} == good


@pytest.mark.parametrize("number", ["000-12-3456", "666-12-3456", "912-12-3456", "123-00-4567", "123-45-0000"])
def test_american_numbers_that_are_never_issued_do_not_hold(number: str) -> None:
    assert not checksums.ssn(number) and checksums.ssn("123-45-6789")


def test_danish_numbers_begin_with_a_date() -> None:
    assert checksums.cpr("070761-4285") and not checksums.cpr("071361-4285") and not checksums.cpr("320761-4285")
