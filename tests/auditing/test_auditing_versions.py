"""The material that an attacker reads beside a text: metadata and earlier releases."""

import numpy as np
import pytest
from msgspec import to_builtins

from unname.attacking.attack import Attack
from unname.attacking.attackers import Attacker
from unname.auditing.privacy import smallest_crowds
from unname.auditing.versions import (
    WEIGHT,
    difference_attacker,
    differing_words,
    joined_figures,
    metadata_figures,
    union_texts,
    version_figures,
    with_metadata,
)
from unname.reidentifiers.terms.bm25 import Bm25
from unname.text import folded_words, visible


def test_metadata_stands_below_the_text_and_withheld_documents_show_none() -> None:
    assert with_metadata(["a", None, "c", ""], ["x\ny", "z", "", "w"]) == ["a\n\nx\ny", None, "c", "\n\nw"]


def test_a_union_holds_every_version_once_and_what_was_released_before_is_released() -> None:
    union, only = union_texts(
        ["now [MASK]", None, None, "same"], [["now Anna", "old", None, "same"], [None, "old", None, "other [MASK]"]]
    )
    assert union == ["now [MASK]\n\nnow Anna", "old", None, "same\n\nother [MASK]"]
    assert only == len({"anna"}) + len({"old"}) + len({"other"}), "placeholders are no words, and words count once"
    assert union_texts(["a", None], []) == (["a", None], 0)


@pytest.fixture(scope="module")
def sides(small_town, townspeople):
    """A release that hides nearly all, and an earlier one that hid nothing of every third document."""
    documents = list(small_town.documents[:60])
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("x.v1", False, (index,))]
    examiner = Attack(townspeople, documents, 5)
    now = [None if i % 10 == 0 else " ".join(d.text.split()[:2]) for i, d in enumerate(documents)]
    before = [d.text if i % 3 == 0 else None for i, d in enumerate(documents)]
    union, more = union_texts(now, [before])
    return documents, now, before, examiner.run(now, attackers), examiner.run(
        union, attackers
    ), more  # fmt: skip


def test_an_earlier_release_with_the_names_in_it_is_worse_and_counted_by_document(sides) -> None:
    documents, now, before, alone, union, more = sides
    clusters = [str(d.person) for d in documents]
    found = to_builtins(version_figures(alone, union, clusters, [before], k=5, only_before=more))
    assert found["releases"] == 1 and found["documents"] == 20 and found["words_only_in_previous"] == more > 100
    for side in ("any_unused", "any_used", "fused"):
        assert found[side]["union"]["rate"] > found[side]["after"]["rate"] + 0.1
    assert found["any_unused"]["union"]["rate"] == pytest.approx(np.mean(union.documents["x.v1"].top1), abs=1e-6)
    shown = [t is not None for t in now]
    assert found["below_k"]["alone"] == sum(c < 5 for c, s in zip(alone.crowds["bm25.v1"], shown, strict=True) if s)
    either = [a or b is not None for a, b in zip(shown, before, strict=True)]
    assert found["below_k"]["union"] == sum(c < 5 for c, s in zip(union.crowds["bm25.v1"], either, strict=True) if s)
    assert [(a["name"], a["used"]) for a in found["attackers"]] == [("bm25.v1", True), ("x.v1", False)]
    assert len(smallest_crowds(union)) == sum(either)


def test_metadata_figures_are_those_of_both_sides(sides) -> None:
    documents, _, _, alone, union, _ = sides
    found = to_builtins(metadata_figures(union, alone, [str(d.person) for d in documents], ["ward"], k=5))
    assert list(found["columns"]) == ["ward"]
    assert found["any_unused"]["with"]["rate"] == pytest.approx(np.mean(union.documents["x.v1"].top1), abs=1e-6)
    assert found["any_unused"]["without"]["rate"] == pytest.approx(np.mean(alone.documents["x.v1"].top1), abs=1e-6)
    assert found["below_k"] == {
        "with": sum(c < 5 for c in smallest_crowds(union)), "without": sum(c < 5 for c in smallest_crowds(alone)),
    }  # fmt: skip


def test_words_differ_that_one_version_shows_and_another_does_not() -> None:
    assert differing_words(["Ann was [MASK] here", "ANN was never here", "Ann was [MASK] there"]) == {
        "never", "here", "there",
    }  # fmt: skip
    assert differing_words(["Ann was here"]) == differing_words([]) == set(), "one version differs in nothing"


def test_who_weighs_the_difference_counts_words_one_by_one_as_bm25_does_but_those_six_times(sides, townspeople) -> None:
    _, now, before, *_ = sides
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    union, _ = union_texts(now, [before])
    attacker = difference_attacker(index, union, now, [before])
    assert not attacker.used and str(WEIGHT) not in repr(attacker)
    for text, *versions in zip(union, now, before, strict=True):
        if text is None:
            continue
        words = [set(folded_words(visible(v))) for v in versions if v is not None]
        expected = sum(
            (1 if all(word in row for row in words) else WEIGHT) * index.contributions([word])[0]
            for word in set.union(*words)
        )
        assert (attacker.indexes[0].scores_of([text])[0] == expected).all()
    assert (attacker.indexes[0].scores("of no version") == index.scores("of no version")).all()


def test_of_joined_texts_every_single_adversary_is_named_and_of_the_plain_ones_the_best(sides) -> None:
    documents, _, _, _, union, _ = sides
    clusters = [str(d.person) for d in documents]
    rows = {(row.name, row.per): row.after for row in joined_figures(union, clusters)}
    assert {("single", "document"), ("fused", "document")} <= rows.keys()
    assert rows["single", "document"].rate == pytest.approx(
        max(np.mean(union.documents[name].top1) for name in ("bm25.v1", "x.v1")), abs=1e-6
    )
    assert (("fused", "person") in rows) == (len(union.persons) < len(documents))
