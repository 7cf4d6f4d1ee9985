"""Masking by taggers: alone, and as the mandatory mask of a search."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pytest
from masking.made_cases import case_of

from tests.times import in_proportion
from unname.facts.stated import FactSettings
from unname.masking.base import Case, Method
from unname.masking.baselines import Nothing
from unname.masking.search import Greedy, Traced
from unname.protecting.mandatory import MandatoryMask
from unname.protecting.tagged import rules, tagged_mandatory
from unname.taggers.base import Tagger
from unname.taggers.labels import relabelled, wanted
from unname.taggers.rules.tagger import Rules
from unname.text import token_label, words
from unname.types import Document, Mask, Span, merge_spans


@dataclass(frozen=True)
class Phrases:
    """Finds given phrases wherever they stand first in a text."""

    phrases: tuple[tuple[str, str], ...]
    name: str = "phrases.v1"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [
            sorted(Span(t.index(p), t.index(p) + len(p), label, score=0.5) for p, label in self.phrases if p in t)
            for t in texts
        ]


def hidden(case: Case, masks: Sequence[Mask]) -> list[list[str]]:
    return [[d.text[s.start : s.end] for s in m.spans] for d, m in zip(case.documents, masks, strict=True)]


NOTHING = Nothing()


def above(case: Case, taggers: Sequence[Tagger], hide: Sequence[str]) -> Case:
    """A case whose mandatory mask hides what taggers find as well."""
    rows = zip(case.mandatory, case.documents, case.words, strict=True)
    mandatory = [
        merge_spans([*own, *tagged_mandatory(taggers, hide, d, row, never=case.never)]) for own, d, row in rows
    ]
    return replace(case, mandatory=tuple(mandatory))


def masked(
    case: Case, taggers: Sequence[Tagger], hide: Sequence[str] = ("all",), method: Method = NOTHING
) -> Sequence[Mask]:
    """What taggers hide, and a method above it."""
    return method.mask(above(case, taggers, hide))


def test_all_that_a_tagger_finds_is_hidden_with_its_label_and_nothing_else() -> None:
    case = case_of(["Ada"] * 3, ["Ada of York, on 3 May"])
    masks = masked(case, (Phrases((("York", "LOC"), ("3 May", "DATE"))),))
    assert hidden(case, masks) == [["York", "3 May"]]
    assert [(s.method, s.label, s.score) for s in masks[0].spans] == [
        ("phrases.v1", "LOC", 0.5),
        ("phrases.v1", "DATE", 0.5),
    ]


def test_of_several_taggers_the_union_is_hidden() -> None:
    case = case_of(["Ada"] * 3, ["Ada Byron of York"])
    taggers = (Phrases((("Ada Byron", "NAME"),)), Phrases((("Byron of", "ORG"),)))
    assert "".join(hidden(case, masked(case, taggers))[0]) == "Ada Byron of"


def test_a_span_that_cuts_a_word_hides_the_whole_word() -> None:
    case = case_of(["Ada"] * 3, ["the miller's boy"])
    assert hidden(case, masked(case, (Phrases((("mill", "NAME"),)),))) == [["miller"]]


def test_a_direct_identifier_that_is_found_once_is_hidden_wherever_it_stands() -> None:
    case = case_of(["Ada"] * 3, ["Mr Ada Byron. Byron, said ADA BYRON, from York. York."])
    masks = masked(case, (Phrases((("Ada Byron", "NAME"), ("York", "LOC"))),))
    assert hidden(case, masks) == [["Ada Byron", "Byron", "ADA BYRON", "York"]], (
        "a place may stay where no tagger saw it"
    )


def test_an_initial_is_not_hidden_as_every_word_like_it() -> None:
    case = case_of(["Ada"] * 3, ["A. went a mile"])
    assert hidden(case, masked(case, (Phrases((("A", "NAME"),)),))) == [["A"]]


def test_words_never_to_be_hidden_stay_also_inside_of_a_span() -> None:
    case = case_of(["Ada"] * 3, ["Ada of York"], never=["of"])
    assert hidden(case, masked(case, (Phrases((("Ada of York", "NAME"),)),))) == [["Ada", "York"]]


def test_a_search_goes_on_above_what_taggers_hide_and_gives_none_of_it_back() -> None:
    people = ["mill York 1897", *["mill York"] * 5, *["mill"] * 5]
    case = case_of(people, ["Zoe ran the mill in York, 1897"], k=3)
    taggers = (Phrases((("Zoe", "NAME"), ("York", "LOC"))),)
    assert hidden(case, Greedy().mask(case)) == [["1897"]]
    assert hidden(case, masked(case, taggers, ("direct",), Greedy())) == [["Zoe", "1897"]], (
        "a place is left to the search"
    )
    assert hidden(case, masked(case, taggers, ("all",), Greedy())) == [["Zoe", "York", "1897"]], (
        "and what the mandatory mask hides is not given back"
    )


def test_a_tagger_reads_each_text_once_for_mask_and_facts_together() -> None:
    read: list[str] = []

    class Counting:
        name = "counting.v1"

        def tag(self, texts: Sequence[str]) -> list[list[Span]]:
            read.extend(texts)
            return [[] for _ in texts]

    document = Document("a", "Ada of York")
    mandatory = MandatoryMask((Counting(),), ("all",), facts=FactSettings("mask")).reading_once()
    mandatory.of(document, words(document.text), None)
    mandatory.stated(document.text)
    assert read == [document.text]


def test_one_trace_above_a_mandatory_mask_has_the_masks_of_every_k() -> None:
    people = ["mill York 1897", *["mill York"] * 5, *["mill"] * 5]
    texts, method = ["Zoe ran the mill in York, 1897"], Greedy()
    taggers = (Phrases((("Zoe", "NAME"),)),)
    assert isinstance(method, Traced)
    long = above(case_of(people, texts, k=8), taggers, ("direct",))
    trace = method.trace(long)
    for k in (1, 3, 8):
        targets = [k] * len(trace.state.constraints)
        steps = trace.length_for(targets)
        assert steps is not None
        alone = above(case_of(people, texts, k=k), taggers, ("direct",))
        assert hidden(long, method.cut(trace, targets, steps)) == hidden(alone, method.mask(alone))


def test_a_label_that_cannot_stand_in_a_placeholder_gives_a_plain_one() -> None:
    assert [token_label(x) for x in ("LOC", "birth-date", "Fecha 2", "Straße!", "3")] == [
        "LOC",
        "BIRTH_DATE",
        "FECHA_2",
        "",
        "",
    ]


def test_labels_are_wanted_by_name_as_direct_ones_or_all() -> None:
    assert wanted("NAME", ("direct",)) and wanted("correo_electronico", ("direct",)) and not wanted("DATE", ("direct",))
    assert wanted("DATE", ("all",)) and wanted("DATE", ("direct", "date")) and not wanted("DATE", ("loc",))


def test_what_is_learned_are_labels_kinds_or_identifiers() -> None:
    spans = (Span(0, 3, "PERSON", "direct"), Span(4, 6, "DATE", "quasi"), Span(7, 9, "ORG", "no_mask"))
    document = Document("a", "Ada in 97 York", spans=spans)
    assert [s.label for s in relabelled(document).spans] == ["PERSON", "DATE"]
    assert [s.label for s in relabelled(document, by="kind").spans] == ["DIRECT", "QUASI"]
    assert [s.label for s in relabelled(document, by="any").spans] == ["PHI", "PHI"]
    assert [s.label for s in relabelled(document, ("direct",)).spans] == ["PERSON"]


def test_words_of_the_text_are_the_units_of_the_floor() -> None:
    document = Document("a", "Ada (b. 1815)")
    (span,) = tagged_mandatory((Phrases((("(b. 1815)", "DATE"),)),), ("all",), document, words(document.text))
    assert document.text[span.start : span.end] == "(b. 1815)"


def test_a_direct_identifier_is_hidden_elsewhere_in_disguise_and_in_clear() -> None:
    case = case_of(["Ada"] * 3, ["Dr. Lovelace. Later Lovel\u00adace and L o v e l a c e"])
    taggers = (Phrases((("Lovelace", "NAME"),)),)
    assert hidden(case, masked(case, taggers)) == [["Lovelace", "Lovel\u00adace", "L o v e l a c e"]]
    case = case_of(["Ada"] * 3, ["Dr. L o v e l a c e. Later Lovelace"])
    taggers = (Phrases((("L o v e l a c e", "NAME"),)),)
    assert hidden(case, masked(case, taggers)) == [["L o v e l a c e", "Lovelace"]]


def test_a_name_that_ends_the_text_is_compared_with_longer_names_that_begin_alike() -> None:
    case = case_of(["Ada"] * 3, ["Ada Lucy Byron came. Ada Lucy left. Signed, Ada Lucy"])
    taggers = (Phrases((("Ada Lucy Byron", "NAME"), ("Ada Lucy left", "NAME"), ("Ada Lucy", "NAME"))),)
    assert hidden(case, masked(case, taggers)) == [["Ada Lucy Byron", "Ada Lucy left", "Ada Lucy"]]


def test_a_label_that_nobody_knows_is_direct() -> None:
    assert wanted("PATIENT_NAME", ("direct",)) and wanted("village", ("direct",))
    for label in ("QUASI", "LOC", "creative-work", "HOSPITAL", "FECHAS", "AGE", "NRP", "DATE_TIME", "DEM"):
        assert not wanted(label, ("direct",))


def test_a_word_never_to_be_hidden_does_not_take_everyday_words_with_it() -> None:
    case = case_of(["Ada"] * 3, ["see the-mill for the day"], never=["mill"])
    assert hidden(case, masked(case, (Phrases((("the-mill", "URL"),)),))) == [["the"]]


def test_a_label_that_is_left_to_the_search_takes_nothing_from_one_to_hide() -> None:
    rules = Rules(phrases=(("Mayo", "HOSPITAL"),))
    case = case_of(["Ada"] * 3, ["Seen by Dr. Mayo today. Mayo wrote."])
    assert hidden(case, masked(case, (rules,), ("Direct",))) == [["Mayo", "Mayo"]]


def test_many_identifiers_that_begin_alike_are_looked_for_in_linear_time() -> None:
    def looked(many: int) -> None:
        case = case_of(["Ada"] * 3, [" ".join(f"http://a{i}.example.com" for i in range(many))])
        tagged_mandatory((Rules(),), ("all",), case.documents[0], case.words[0])

    assert in_proportion(lambda: looked(1000), lambda: looked(4000))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("SSN 078-05-1120. Later 078051120, ending in 1120.", ["SSN", "Later", "ending", "in"]),
        ("Mail ada.king@post.example; login ada.king.", ["Mail", "login"]),
        ("Tel 0555 570 3312, or 570-3312, or 3312.", ["Tel", "or", "or"]),
        ("Dr. Piotr Quayle came. Quayle left in Quayles car, a quayle flew.",
         ["Dr", "came", "left", "in", "car", "a", "quayle", "flew"]),
    ],
)  # fmt: skip
def test_an_identifier_that_is_hidden_in_one_form_is_hidden_in_its_others(text: str, left: list[str]) -> None:
    row = words(text)
    spans = tagged_mandatory(rules(), ("direct",), Document("d", text), row)
    readable = [text[w.start : w.end] for w in row if not any(s.start < w.end and w.start < s.end for s in spans)]
    assert readable == left
