"""Other people whom texts name: passages found, what is left of them, and who is found by it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.attacking.bystanders import naming_passages, still_named
from unname.job import AuditPlan
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.population import Population
from unname.protecting.direct_fields import names_of, recognised_fields
from unname.types import Document, Profile
from unname.verbs.audit.in_memory import Knowledge, audit, prepare

GIVEN = ("Ada", "Bea", "Cleo", "Dora", "Edda", "Fay", "Gus", "Hal", "Ivo", "Jon")
PEOPLE = Population(
    tuple(
        Profile(
            f"p{i}",
            {"given name": GIVEN[i % 10], "family name": f"Holl{'abcdefghij'[i // 10]}and", "trade": f"trade{i}"},
        )
        for i in range(60)
    )
)


def story(number: int) -> str:
    """Words of which each text has its own."""
    return " ".join(f"calm{number}x{i}" for i in range(20))


def name(person: int) -> str:
    """How a text names somebody."""
    fields = PEOPLE.profiles[person].fields
    return f"{fields['given name']} {fields['family name']}"


def written(own: int, *others: int) -> Document:
    """A text about one person that names others."""
    parts = [f"{name(own)} spoke.", story(own)]
    parts += [f"Then{o} {name(o)}, trade{o} by{o} trade, came{o} in{o}. {story(o)}." for o in others]
    return Document(f"d{own}", " ".join(parts), f"p{own}")


def test_first_passages_of_others_are_taken_and_none_of_ones_own() -> None:
    documents = [written(1, 2, 3, 2), written(4)]
    passages, left = naming_passages(documents, [d.text for d in documents], names_of(PEOPLE), PEOPLE)
    assert sorted(str(p.person) for p in passages) == ["p2", "p3"]
    for passage, text in zip(passages, left, strict=True):
        assert name(int(str(passage.person)[1:])) in passage.text and passage.text in documents[0].text
        assert text is not None and text.rstrip(".") == passage.text.rstrip(".")


@given(st.sets(st.integers(0, 90)), st.integers(0, 3))
def test_what_is_left_is_what_a_release_keeps_of_the_passage(hidden: set[int], which: int) -> None:
    document = written(1, 2, 3)
    row = document.text.split()
    released = " ".join("[MASK]" if i in hidden else word for i, word in enumerate(row))
    (passage, *_), (text, *_) = naming_passages([document], [released], names_of(PEOPLE), PEOPLE, seed=which, most=1)
    start = document.text.index(passage.text)
    first = len(document.text[:start].split())
    count = len(passage.text.split())
    kept = [w.strip(".,") for i, w in enumerate(row) if first <= i < first + count and i not in hidden]
    assert text is not None
    shown = [w.strip(".,") for w in text.replace("█", " ").split()]
    assert [w for w in shown if w] == kept


def test_nobody_named_and_nothing_released() -> None:
    documents = [written(4)]
    assert naming_passages(documents, [None], names_of(PEOPLE), PEOPLE) == ([], [])
    documents = [written(1, 2)]
    passages, left = naming_passages(documents, [None], names_of(PEOPLE), PEOPLE)
    assert len(passages) == 1 and left == [None]


def test_of_many_some_are_drawn_by_hash_and_order_changes_nothing() -> None:
    documents = [written(i, (i + 1) % 60, (i + 7) % 60) for i in range(30)]
    texts = [d.text for d in documents]
    some, _ = naming_passages(documents, texts, names_of(PEOPLE), PEOPLE, most=20)
    turned, _ = naming_passages(documents[::-1], texts[::-1], names_of(PEOPLE), PEOPLE, most=20)
    assert len(some) == 20 and some == turned
    other, _ = naming_passages(documents, texts, names_of(PEOPLE), PEOPLE, most=20, seed=1)
    assert {d.id for d in some} != {d.id for d in other}


def test_whoever_is_still_named_in_full_is_counted_in_every_document() -> None:
    documents = [written(1, 2, 3), written(4, 5), written(6), written(7, 8)]
    texts = [documents[0].text.replace("Cleo Hollaand", "[NAME] Hollaand"), documents[1].text, documents[2].text, None]
    found = still_named(documents, texts, names_of(PEOPLE), PEOPLE)
    assert sorted(found) == [("p2", False), ("p3", True), ("p5", True), ("p8", False)]


def test_of_joined_biographies_the_others_names_are_still_there_once_ones_own_are_hidden(
    congress: tuple[list[Profile], list[Document]],
) -> None:
    people, some = Population(tuple(congress[0])), congress[1][:60]
    joined = [replace(one, text=f"{one.text}\n\n{some[i - 20].text}") for i, one in enumerate(some)]
    direct, texts = recognised_fields(people), []
    for document in joined:
        text = document.text
        identifiers = direct_identifiers(people.profiles[people.rows[str(document.person)]], direct)
        for start, end in reversed(identifiers.find(text)):
            text = text[:start] + "[MASK]" + text[end:]
        texts.append(text)
    found = still_named(joined, texts, names_of(people), people)
    assert len(found) >= 60 and sum(stays for _, stays in found) > 0.8 * len(found)


def test_a_quick_audit_counts_bystanders_too() -> None:
    documents = [written(i, (i + 1) % 60) for i in range(20)]
    ready = prepare(documents, PEOPLE, plan=AuditPlan(audit="quick", simulate=False), knowledge=Knowledge(k=3))
    found = audit(ready, [d.text for d in documents]).report.bystanders
    assert found is not None and found.named is not None and found.named.rate == 1.0 and found.named.known == "exact"


@pytest.mark.parametrize("shown", ["whole", "without names", "without anything"])
def test_the_audit_says_how_many_bystanders_are_found(shown: str) -> None:
    documents = [written(i, (i + 1) % 60, (i + 7) % 60) for i in range(40)]
    texts = [d.text for d in documents]
    if shown != "whole":
        gone = {w for p in PEOPLE.profiles for w in (p.fields["given name"], p.fields["family name"])}
        gone |= {p.fields["trade"] for p in PEOPLE.profiles} if shown == "without anything" else set()
        texts = [" ".join("[MASK]" if w.strip(",.") in gone else w for w in text.split()) for text in texts]
    ready = prepare(
        documents, PEOPLE, plan=AuditPlan(attackers=("bm25", "names"), simulate=False), knowledge=Knowledge(k=3)
    )
    found = audit(ready, texts).report.bystanders
    assert found is not None and found.passages == found.any.n == 80 and found.any.rate is not None
    assert found.strongest is not None and found.strongest.rate is not None
    if shown == "without anything":
        assert found.any.rate < 0.1 and found.strongest.rate < 0.1
    else:
        assert found.any.rate > 0.9 and found.strongest.rate > 0.8


def test_a_text_that_names_nobody_else_has_no_bystanders() -> None:
    documents = [written(i) for i in range(20)]
    ready = prepare(documents, PEOPLE, plan=AuditPlan(attackers=("bm25",), simulate=False), knowledge=Knowledge(k=3))
    assert audit(ready, [d.text for d in documents]).report.bystanders is None
