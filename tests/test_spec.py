"""Parts as text: what is printed is read back, and what a part does not take is told."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname import registry
from unname.errors import SettingsError
from unname.job import OLD_SPELLINGS, Deidentification
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import make_population
from unname.masking.base import Case
from unname.masking.presets import preset_of
from unname.option import option
from unname.protecting.parts import make_parts, versioned, versioned_method
from unname.registry import split_names
from unname.spec import PartSpec, checked, parameters_of, parse
from unname.types import Document, Mask, Release
from unname.verbs.audit.in_memory import tried_names
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.recount import Recount

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_.-]{0,8}", fullmatch=True)
VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
SPECS = st.builds(
    PartSpec, NAMES, st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), VALUES, max_size=4)
)


@dataclass(frozen=True)
class Sample:
    """A part with a parameter of each kind, and a field that is none."""

    share: float = option(0.5, "A share.", least=0)
    most: int | None = option(None, "How many at most.", least=1)
    kind: str = option("plain", "Its kind.", choices=("plain", "other"))
    deep: bool = option(False, "Whether it goes deep.")
    name: str = "sample.v1"


@given(SPECS)
def test_what_is_printed_is_read_back_with_values_of_the_same_kind(spec: PartSpec) -> None:
    again = parse(str(spec))
    assert again == spec and str(again) == str(spec)
    assert [type(value) for value in again.parameters.values()] == [type(value) for value in spec.parameters.values()]


@given(st.text(max_size=30))
def test_any_text_is_a_part_or_a_settings_error(text: str) -> None:
    try:
        spec = parse(text)
    except SettingsError:
        return
    assert parse(str(spec)) == spec


@pytest.mark.parametrize(
    "text",
    ["", "(a=1)", "x(", "x)", "x(a)", "x(a=)", "x(a=1 b=2)", "x(a=1", "x(a=1)y", "x(a=1, a=2)", "x y", 'x(a="b)'],
)
def test_what_is_no_spec_is_a_settings_error(text: str) -> None:
    with pytest.raises(SettingsError):
        parse(text)


def test_blanks_do_not_matter() -> None:
    assert str(parse(" x ( a = 1 ,b=two ) ")) == "x(a=1, b=two)" and str(parse("x()")) == "x"


def test_parameters_are_the_fields_that_are_options() -> None:
    found = parameters_of(Sample)
    assert list(found) == ["share", "most", "kind", "deep"] and found["share"].default == 0.5
    assert found["kind"].about.help == "Its kind."


def test_values_of_the_right_kinds_are_taken() -> None:
    text = "sample(share=1, most=none, kind=other, deep=true)"
    assert checked(parse(text), Sample) == {"share": 1, "most": None, "kind": "other", "deep": True}


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("name=x", "no parameter name; its parameters: share, most, kind, deep"), ("share=-1", "at least 0"),
        ("share=much", "share must be a number"), ("share=inf", "a finite number"),
        ("most=1.5", "a whole number or none"), ("most=true", "a whole number"), ("kind=3", "plain or other"),
        ("deep=1", "true or false"),
    ],
)  # fmt: skip
def test_what_a_part_does_not_take_is_told(inside: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        checked(parse(f"sample({inside})"), Sample)


@dataclass
class Reads:
    """A part with a file, which a text in parentheses is not."""

    file: Path | None = option(None, "A file.", kind="file")


def test_a_path_cannot_stand_in_parentheses() -> None:
    with pytest.raises(SettingsError, match="file cannot be given in parentheses"):
        checked(parse("reads(file=abc)"), Reads)


# --- methods


@pytest.mark.parametrize("name", registry.names(registry.METHODS))
def test_every_parameter_of_every_method_can_be_set_to_its_default(name: str) -> None:
    known = parameters_of(preset_of(name))
    spec = PartSpec(name, {each.name: each.default for each in known.values()})
    spelt, bare = (make_parts(Deidentification(method=text)).method for text in (str(spec), name))
    assert spelt == bare
    assert all(each.about.help for each in known.values())


def test_a_spec_means_what_the_old_spelling_means() -> None:
    for method, old in (
        ("greedy", {"unit": "occurrence", "give_back": False}), ("adaptive", {"rounds": 2, "stop_words": "skip"}),
        ("anonymity", {"strategy": "random", "whose": "person", "generic": 0.5, "graph_texts": True}),
        ("idf-table-aware", {"idf_threshold": 2.0}),
    ):  # fmt: skip
        assert set(old) <= set(OLD_SPELLINGS)
        new = make_parts(Deidentification(method=str(PartSpec(method, old))))
        before = make_parts(Deidentification(method=method, **old))
        assert (new.method, new.rounds) == (before.method, before.rounds)


def test_what_the_spec_says_counts_before_the_old_spelling() -> None:
    made = make_parts(Deidentification(method="adaptive(rounds=1, unit=occurrence)", rounds=3, unit="word"))
    assert made.rounds == 1 and "occurrence" in repr(made.method)


def test_a_manifest_has_the_spec_under_its_versioned_name() -> None:
    said = Deidentification(method="adaptive(rounds=2)", unit="occurrence")
    assert versioned_method(said) == "adaptive.v1(unit=occurrence, rounds=2)"
    for name in ("greedy", "greedy.v1"):
        assert versioned_method(Deidentification(method=name)) == "greedy.v1"
    floor = versioned(Deidentification(graph_floor=True, strategy="random"))["graph_floor"]
    assert floor == "anonymity.v1(strategy=random, whose=any, generic=1.0, graph_texts=false)"


@dataclass(frozen=True)
class InRounds:
    """A method of somebody else with a parameter that ours have, too; it never takes the rounds of a job."""

    rounds: int = option(7, "Its own.", least=1)
    name: str = "theirs.v1"
    seeks_crowd: ClassVar[bool] = False
    keyed_targets: ClassVar[bool] = True

    def mask(self, case: Case) -> Sequence[Mask]:
        return [Mask(document.id, spans) for document, spans in zip(case.documents, case.mandatory, strict=True)]


@dataclass(frozen=True)
class OfBefore:
    """Somebody else's method and transform as both were once."""

    name: str = "old.v1"

    def mask(self, case: Case) -> Sequence[Mask]:
        return []

    def release(self, document: Document, mask: Mask) -> Release:
        return Release(document.id, document.text)


def install(monkeypatch: pytest.MonkeyPatch, part: type) -> None:
    """As if a package brought a method and a transform `theirs`."""
    point = EntryPoint("theirs.v1", f"{part.__module__}:{part.__name__}", "x")
    ours = registry._parts
    monkeypatch.setattr(registry, "_parts", lambda group: {**ours(group), point.name: point})


def test_a_parameter_called_rounds_is_the_method_s_own_where_it_takes_no_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install(monkeypatch, InRounds)
    made = make_parts(Deidentification(method="theirs(rounds=2)", taggers=()))
    assert made.method == InRounds(rounds=2) and made.rounds == 0


def test_a_method_or_transform_that_lacks_what_a_run_asks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, OfBefore)
    with pytest.raises(SettingsError, match="method theirs lacks seeks_crowd, keyed_targets"):
        make_parts(Deidentification(method="theirs", taggers=()))
    with pytest.raises(SettingsError, match="transform theirs: release must take a document, a mask and a context"):
        make_parts(Deidentification(transform="theirs"))


def test_what_a_method_has_no_use_for_is_refused_with_the_methods_that_have() -> None:
    for settings, told in (
        ({"method": "greedy", "hide": ("all",)}, "taggers; these have: adaptive, composed, tagged$"),
        ({"method": "greedy", "idf_threshold": 2.0}, "IDF threshold; these have: idf, idf-table-aware$"),
        ({"method": "anonymity", "graph_floor": True}, "leave the floor out"),
    ):
        with pytest.raises(SettingsError, match=told):
            make_parts(Deidentification(**{"taggers": (), **settings}))


# --- reidentifiers, attackers and taggers


def test_parts_of_every_kind_take_parameters_behind_their_names() -> None:
    made = registry.create(registry.REIDENTIFIERS, "bm25(b=0.5, k1=2)")
    assert (made.b, made.k1) == (0.5, 2)
    assert registry.resolve(registry.ATTACKERS, "ngrams(longest=4)") == "ngrams.v1(longest=4)"
    assert registry.create(registry.TAGGERS, "entities(lean=3)").lean == 3
    for group, text, told in (
        (registry.REIDENTIFIERS, "bm25(c=1)", "bm25 has no parameter c; its parameters: k1, b"),
        (registry.REIDENTIFIERS, "bm25(b=much)", "b must be a number"), (registry.TRANSFORMS, "redact(x=1)", "none"),
        (registry.REIDENTIFIERS, "nosuch(b=1)", "no reidentifier is called that"),
    ):  # fmt: skip
        with pytest.raises(SettingsError, match=told):
            registry.create(group, text)


def test_a_list_of_parts_is_split_at_the_commas_between_them() -> None:
    assert split_names("bm25(b=0.5, k1=2), ngrams ,bm25") == ("bm25(b=0.5, k1=2)", "ngrams", "bm25")


def test_people_are_hidden_from_reidentifiers_with_parameters_and_recounted_under_them() -> None:
    town = fictional_town(people=40, seed=2)
    people = make_population(town.profiles)
    names = ("bm25(b=0.1)", "ngrams(shortest=2, longest=4)")
    settings = Deidentification(k=3, method="greedy", reidentifiers=names, taggers=())
    made = deidentify(town.documents[:12], people, settings=settings, key=bytes(32))
    assert set(made.ensemble.members) == {"bm25.v1(b=0.1)", "ngrams.v1(shortest=2, longest=4)"} and made.recounted
    text, place = made.texts()[0], people.rows[str(town.documents[0].person)]
    assert text is not None
    usual, own = (Recount("bm25.v1", people.profiles, parameters=given) for given in ({}, {"b": 0.1}))
    assert usual.scores_of([[text]]) != own.scores_of([[text]]) and own.crowd([text], place) >= 3


def test_an_attacker_with_parameters_is_not_the_one_that_an_audit_must_not_lack() -> None:
    assert tried_names(["bm25", "bm25(b=0)", "facts"]) == ["bm25", "bm25(b=0)", "facts"]
    assert "bm25" not in tried_names(["bm25(b=0, k1=0)"])


def test_whole_words_are_hidden_where_everybody_is_protected_however_the_unit_is_spelt() -> None:
    for settings in ({"method": "greedy(unit=occurrence)"}, {"method": "greedy", "unit": "occurrence"}):
        with pytest.raises(SettingsError, match="unit must be word"):
            make_parts(Deidentification(protect="everyone-known", **settings))
