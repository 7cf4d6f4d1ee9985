"""A release that continues an earlier one: what stays hidden, what is left alone, what is withheld."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from made_settings import by_rules

from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.protecting.earlier import CARRIED, Earlier, Shown, earlier_of, hidden_words, side_by_side
from unname.protecting.keys import text_digest, word_digest
from unname.protecting.parts import Fitted, MaskingParts, make_parts
from unname.protecting.result import Deidentified
from unname.reidentifiers.ensemble import Ensemble
from unname.reidentifiers.learned.additive import Additive
from unname.reidentifiers.terms.bm25 import Bm25
from unname.runtime import Runtime
from unname.text import folded_words, visible, words
from unname.types import Document, MaskSpan
from unname.verbs.deidentify.in_memory import deidentify, make_masker, served_again, settled
from unname.verifying.recount import Recount
from unname.writing.versions import published

KEY = b"e" * 32
SETTINGS = by_rules(method="composed", reidentifiers=("bm25", "ngrams"), k=4)


@pytest.fixture(scope="module")
def notes(small_town: Town) -> list[Document]:
    """Two notes about each of twenty people."""
    found: dict[str, list[Document]] = {}
    for document in small_town.documents:
        found.setdefault(str(document.person), []).append(document)
    return [document for own in [row for row in found.values() if len(row) > 1][:20] for document in own[:2]]


@pytest.fixture(scope="module")
def first(notes: list[Document], townspeople: Population) -> Deidentified:
    return deidentify(notes, townspeople, settings=SETTINGS, key=KEY)


def again(notes: Sequence[Document], people: Population, earlier: Earlier, **more: object) -> Deidentified:
    return deidentify(notes, people, settings=replace(SETTINGS, **more), key=KEY, fitted=Fitted(earlier=earlier))


def shown_of(document: Document, hidden: Sequence[str], spans: Sequence[MaskSpan] = ()) -> Shown:
    digests = frozenset(word_digest(KEY, document.id, word) for word in hidden)
    return Shown(document.id, None, ("x",), "x", text_digest(KEY, document.id, document.text), digests, tuple(spans))


def test_the_mask_of_an_unchanged_text_stays_as_it_is() -> None:
    document = Document("a", "Ann Lee met Bo. Lee left.")
    spans = (MaskSpan(0, 7, "direct-identifier", label="NAME"), MaskSpan(16, 19, "greedy.v1", 2))
    shown = shown_of(document, ["ann", "lee"], spans)
    assert shown.is_of(document, KEY) and not shown.is_of(document, b"x" * 32)
    assert shown.still_hidden(document, words(document.text), KEY) == spans
    assert not shown.is_of(replace(document, id="b"), KEY), "digests are of one document"


def test_in_a_changed_text_every_word_that_was_hidden_stays_hidden_wherever_it_stands_now() -> None:
    document = Document("a", "Ann Lee met Bo. Lee left.")
    shown = shown_of(document, ["ann", "lee"], (MaskSpan(0, 7, "direct-identifier"),))
    changed = replace(document, text="Bo says: LEE left, and Anna with Ann.")
    found = shown.still_hidden(changed, words(changed.text), KEY)
    assert [changed.text[s.start : s.end] for s in found] == ["LEE", "Ann"]
    assert {span.method for span in found} == {CARRIED}


def test_a_word_that_is_shown_somewhere_is_not_hidden() -> None:
    text = "Ann met Lee. Lee left."
    spans = [MaskSpan(0, 3, "x"), MaskSpan(8, 11, "x")]
    assert hidden_words(words(text), spans, "[MASK] met [MASK]. Lee left.") == {"ann"}
    assert hidden_words(words(text), spans, "[MASK] met [MASK]. [MASK] left.") == {"ann", "lee"}


def test_what_was_published_is_kept_by_document_and_by_person_exactly() -> None:
    span = MaskSpan(0, 3, "m", 1, "NAME", 0.5, {"bm25.v1": 3}, {"bm25.v1": 9}, ((4, 5),))
    rows = [
        Shown("a", "p", ("x", "y"), "y", "0", frozenset({"1"}), (span,), ({"stand_in": "Ada"},)),
        Shown("b", None, ("z",)),
        Shown("c", "p", ("w",)),
    ]
    earlier = earlier_of(rows)
    assert [earlier.of(name) for name in "abcd"] == [*rows, None]
    assert earlier.about("p") == [rows[0], rows[2]] and earlier.about(None) == earlier.about("q") == []
    assert side_by_side("x", ["x", "y"]) == "x\n\ny" and "x" not in repr(rows[0])


def test_unchanged_texts_get_no_further_mask_whatever_is_asked_for_now(
    notes: list[Document], townspeople: Population, first: Deidentified
) -> None:
    for more in ({}, {"k": 2}, {"method": "lexical"}, {"reidentifiers": ("ngrams",)}, {"method": "paper", "k": 1}):
        second = again(notes, townspeople, published(first, KEY), **more)
        pairs = list(zip(first.texts(), second.texts(), strict=True))
        assert all(now in (None, before) for before, now in pairs), more
        assert sum(now is not None for _, now in pairs) > 0.9 * len(pairs), more


def test_rounds_add_no_mask_to_texts_that_were_published(
    notes: list[Document], townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.verbs.deidentify.adaptive._enough", lambda last, k: False)
    monkeypatch.setattr("unname.verbs.deidentify.adaptive._paid", lambda before, after: True)
    monkeypatch.setattr("unname.protecting.cases.SHARE", 20)  # so that rounds have much to do
    few = deidentify(notes[:20], townspeople, settings=SETTINGS, key=KEY)
    second = again(notes, townspeople, published(few, KEY), method="adaptive", rounds=1)
    assert second.rounds[1].masked > second.rounds[0].masked, "new documents do get more"
    both = [(a, b) for a, b in zip(few.texts(), second.texts()[:20], strict=True) if b is not None]
    assert len(both) > 10 and all(a == b for a, b in both)


def test_a_new_direct_identifier_is_hidden_all_the_same(
    notes: list[Document], townspeople: Population, first: Deidentified
) -> None:
    word = next(w for w in folded_words(visible(str(first.texts()[0]))) if len(w) > 6)
    second = again(notes, townspeople, published(first, KEY), always=(word,))
    assert word not in folded_words(visible(str(second.texts()[0])))
    assert second.crowds[0] == first.crowds[0], "it was shown, and counts as shown"


def test_new_documents_of_a_person_are_hidden_beside_what_was_published_of_the_others(
    notes: list[Document], townspeople: Population
) -> None:
    older, newer = notes[::2], notes[1::2]
    first = deidentify(older, townspeople, settings=SETTINGS, key=KEY)
    for here in (newer, notes):  # the older ones are gone, or still there
        second = again(here, townspeople, published(first, KEY))
        recounts = {name: Recount(name, townspeople.profiles) for name in ("bm25.v1", "ngrams.v1")}
        for document, text in zip(here, second.texts(), strict=True):
            if text is None or document not in newer:
                continue
            before = next(t for d, t in zip(older, first.texts(), strict=True) if d.person == document.person)
            for recount in recounts.values():
                column = townspeople.rows[str(document.person)]
                assert recount.crowds([([text, str(before)], column, None)])[0] >= SETTINGS.k
        assert second.recounted and len(second.withheld) < 4


def test_what_is_public_of_withheld_documents_counts_too(
    notes: list[Document], townspeople: Population, first: Deidentified
) -> None:
    more = [replace(d, id=f"new {d.id}", text=f"Nothing new of {d.person}.") for d in notes[::2]]
    second = again([*notes, *more], townspeople, published(first, KEY), k=40)
    withheld = {d.person for d in notes if d.id in second.withheld}
    assert set(second.withheld.values()) == {"shown-before"} and withheld
    small = {
        str(d.person) for d in notes
        if min(first.person_crowds[str(d.person)].values()) < 40
    }  # fmt: skip
    assert {str(d.person) for d in more if d.id in second.withheld} >= small, "whatever is hidden of the new one"


def test_a_document_that_was_withheld_is_new(notes: list[Document], townspeople: Population) -> None:
    kept = by_rules(method="composed", reidentifiers=("bm25", "ngrams"), k=4, budget=0.02)
    first = deidentify(notes, townspeople, settings=kept, key=KEY)
    assert first.withheld
    earlier = published(first, KEY)
    assert all(earlier.of(name) is None for name in first.withheld)
    second = again(notes, townspeople, earlier)
    assert not first.withheld.keys() & second.withheld.keys()


def test_nothing_is_counted_of_unknown_people_but_what_was_hidden_stays_hidden() -> None:
    document = Document("a", "The mayor of Quillbeck was there.")
    floor = by_rules(unknown_person="floor-only", reidentifiers=("bm25",), always=("Quillbeck",))
    first = deidentify([document], Population(()), settings=floor, key=KEY)
    plain = replace(floor, always=())
    second = deidentify(
        [document], Population(()), settings=plain, key=KEY, fitted=Fitted(earlier=published(first, KEY))
    )
    assert first.texts() == second.texts() == ["The mayor of [MASK] was there."]


def test_models_that_learned_serve_again_unless_others_are_asked_for(
    notes: list[Document], townspeople: Population
) -> None:
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    models = Ensemble(index.people, {"additive.v1": (index,)}, {"additive.v1": (Additive(),)}, "some split")

    def parts_of(*names: str, fitted: Fitted | None = None) -> MaskingParts:
        return replace(make_parts(replace(SETTINGS, reidentifiers=names), fitted), earlier=Earlier(models=models))

    for names in (("auto",), ("bm25", "ngrams", "additive")):
        parts, groups = settled(parts_of(*names), notes, townspeople, ())
        ensemble = make_masker(townspeople, parts, groups, key=KEY, runtime=Runtime()).ensemble
        assert groups == () and list(ensemble.members) == ["bm25.v1", "ngrams.v1", "additive.v1"], "nothing learns anew"
        assert ensemble.members["additive.v1"] == (index,) and ensemble.split == "some split"
    assert not served_again(parts_of("bm25")), "nobody serves who is not asked to"
    assert not served_again(parts_of("auto", fitted=Fitted(ensemble=models)))
    mine = Additive()
    assert not served_again(parts_of("auto", fitted=Fitted(models={"additive.v1": mine}))), "a given model comes first"
