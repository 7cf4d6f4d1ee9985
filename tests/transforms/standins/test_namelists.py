"""Names that may be invented: of the script, the language and the sex, and no form of the person's own."""

import pytest

from unname.knowledge.coreference import MAN, WOMAN
from unname.transforms.standins.draws import Draws
from unname.transforms.standins.namelists import (
    FAMILY,
    GIVEN,
    MOST,
    NamePool,
    is_given,
    sexes_of,
    stays,
    surnames,
    words_beside,
)
from unname.transforms.standins.words import folded, script_of

DRAWS = Draws(b"k" * 32)


def invented(pool: NamePool, sex: str = "", turn: int = 0) -> dict[str, list[str]]:
    names = pool.invent(DRAWS.under(str(turn)), DRAWS.under("family", str(turn)), sex)
    assert names is not None
    return names


@pytest.mark.parametrize(
    ("script", "language"), [("latin", "en"), ("latin", "xx"), ("cyrillic", "ru"), ("cjk", "ja"), ("hangul", "ko")]
)
def test_names_are_of_the_script_and_differ(script: str, language: str) -> None:
    for turn in range(9):
        names = invented(NamePool(script, language, None, frozenset()), turn=turn)
        every = [*names[FAMILY], *names[GIVEN]]
        assert [len(names[role]) for role in (FAMILY, GIVEN)] == [MOST[FAMILY], MOST[GIVEN]]
        assert {script_of(each) for each in every} == {script} and len({*map(folded, every)}) == len(every)


def test_a_script_without_a_list_has_no_names() -> None:
    assert NamePool("ethiopic", "am", None, frozenset()).invent(DRAWS, DRAWS, "") is None


def test_given_names_are_of_the_sex() -> None:
    for sex in (WOMAN, MAN):
        names = invented(NamePool("latin", "de", None, frozenset()), sex)[GIVEN]
        assert all(sex in sexes_of("latin", "de")[folded(name)] for name in names)


def test_no_name_is_a_form_that_is_banned() -> None:
    names = invented(NamePool("latin", "en", None, frozenset()))
    banned = frozenset(map(folded, (*names[FAMILY], *names[GIVEN])))
    again = invented(NamePool("latin", "en", None, banned))
    assert banned.isdisjoint(map(folded, (*again[FAMILY], *again[GIVEN])))


def test_words_that_are_names_and_words_beside_them() -> None:
    assert is_given("anna", "en") and is_given("иван", "ru") and not is_given("zyxol", "en")
    assert "王" in surnames("zh") and "김" in surnames("ko")
    assert stays("phd") and stays("van") and stays("dr") and not stays("holm") and words_beside("born") >= {"nee"}
