"""The facts outside any table that a mask leaves: distinguished from those it hides, for releases only."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.job import Deidentification
from unname.knowledge.population import Population
from unname.protecting.facts_left import DocumentFacts, facts_of, hidden_of
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.types import Document, MaskSpan, Profile, Span, merge_spans
from unname.verbs.deidentify.in_memory import deidentify

KEY = b"f" * 32
TEXT = "Mary was Mayor of Quillbeck on 3 May 1985; she won the Vexley Prize, aged 46."
SAID = {"Mary": "NAME", "Mayor of Quillbeck": "ROLE", "3 May 1985": "DATE", "the Vexley Prize": "PRIZE", "46": "AGE"}


@dataclass(frozen=True)
class Told:
    """Finds the stretches that it was told, wherever they stand."""

    said: tuple[tuple[str, str], ...]
    name: str = "told.v1"

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        rows = (
            sorted((text.index(words), text.index(words) + len(words), label)
                   for words, label in self.said if words in text) for text in texts
        )  # fmt: skip
        return [[Span(start, end, label, score=1.0) for start, end, label in row] for row in rows]


def released(texts: Sequence[str], policy: str, said: dict[str, str] = SAID, **more: object) -> Deidentified:
    """A release of texts about nobody known, whose facts are those that are said here."""
    settings = Deidentification(taggers=(), facts=policy, unknown_person="floor-only", **more)  # type: ignore[arg-type]
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    fitted = Fitted(taggers=(Told(tuple(said.items())),))
    return deidentify(documents, Population(()), settings=settings, key=KEY, fitted=fitted)


@dataclass(frozen=True)
class Counting(Told):
    """Notes each text that it reads."""

    read: list[str] = field(default_factory=list, compare=False)

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        self.read.extend(texts)
        return super().tag(texts)


@pytest.mark.parametrize("policy", ["mask-rare", "mask", "report"])
@pytest.mark.parametrize("known", [True, False])
def test_taggers_read_a_text_once_for_its_mask_and_its_facts(policy: str, known: bool) -> None:
    tagger = Counting(tuple(SAID.items()))
    settings = Deidentification(
        method="tagged", taggers=(), facts=policy, k=1, direct=("none",), unknown_person="floor-only"
    )
    people = Population((Profile("1", {"about": "somebody"}), Profile("2", {"about": "somebody else"})))
    documents = [Document(name, text, "1" if known else None) for name, text in (("a", TEXT), ("b", f"{TEXT} Again."))]
    made = deidentify(documents, people, settings=settings, key=KEY, fitted=Fitted(taggers=(tagger,)))
    assert all(facts.hidden for facts in facts_of(made)) and None not in made.texts()
    assert sorted(tagger.read) == sorted(document.text for document in documents)


def stretches(facts: DocumentFacts, text: str) -> tuple[list[str], list[str]]:
    hidden, left = ([text[f.start : f.end] for f in some] for some in (facts.hidden, facts.left))
    return hidden, left


def test_a_date_without_its_day_is_hidden_and_an_age_is_left() -> None:
    made = released([TEXT], "mask-rare")
    assert made.texts() == ["[NAME] was [ROLE] on [DATE] May 1985; she won [PRIZE], aged 46."]
    (facts,) = facts_of(made)
    assert facts.place == 0
    assert stretches(facts, TEXT) == (["Mayor of Quillbeck", "3 May 1985", "the Vexley Prize"], ["46"])


def test_facts_that_are_only_reported_stay_unless_all_that_is_found_is_to_be_hidden() -> None:
    made = released([TEXT], "report")
    assert made.texts() == [TEXT.replace("Mary", "[NAME]")]
    (facts,) = facts_of(made)
    assert stretches(facts, TEXT) == ([], ["Mayor of Quillbeck", "3 May 1985", "the Vexley Prize", "46"])
    made = released([TEXT], "report", hide=("all",))
    assert made.texts() == ["[NAME] was [ROLE] on [DATE]; she won [PRIZE], aged [AGE]."]
    (facts,) = facts_of(made)
    assert stretches(facts, TEXT)[1] == []


def test_what_must_stay_is_left() -> None:
    made = released([TEXT], "mask-rare", never=("Mayor", "of", "Quillbeck", "3", "46"))
    (facts,) = facts_of(made)
    assert stretches(facts, TEXT) == (["the Vexley Prize"], ["Mayor of Quillbeck", "3 May 1985", "46"])


def test_a_word_that_stays_leaves_the_fact() -> None:
    made = released([TEXT], "mask-rare", never=("Quillbeck",))
    assert "Quillbeck" in made.texts()[0]
    (facts,) = facts_of(made)
    assert "Mayor of Quillbeck" in stretches(facts, TEXT)[1]


def test_withheld_documents_state_nothing() -> None:
    made = released([TEXT, "A quiet day.", TEXT], "mask-rare")
    gone = replace(made.gathered[0], release=None)
    partly = replace(made, gathered=[gone, *[made.gathered[place] for place in (1, 2)]])
    assert [facts.place for facts in facts_of(partly)] == [1, 2]
    assert [(len(f.hidden), len(f.left)) for f in facts_of(partly)] == [(0, 0), (3, 1)]


def test_a_method_that_asks_no_tagger_knows_no_facts() -> None:
    settings = Deidentification(method="none", unknown_person="floor-only")
    made = deidentify([Document("d", TEXT)], Population(()), settings=settings, key=KEY)
    assert list(facts_of(made)) == []


def test_repr_counts_only() -> None:
    (facts,) = facts_of(released([TEXT], "mask-rare"))
    assert repr(facts) == "DocumentFacts(3 hidden, 1 left)"


@given(
    st.lists(st.tuples(st.integers(0, len(TEXT) - 1), st.integers(1, 12)), max_size=8),
    st.integers(0, len(TEXT) - 1), st.integers(1, 20),
)  # fmt: skip
def test_hidden_stretches_are_found_by_place(masked: list[tuple[int, int]], start: int, many: int) -> None:
    """Beside one that looks at every span."""
    spans = merge_spans(MaskSpan(at, min(at + length, len(TEXT)), "test") for at, length in masked)
    end = min(start + many, len(TEXT))
    touching = [(s.start, s.end) for s in spans if s.start < end and start < s.end]
    assert hidden_of(spans).touching(start, end) == touching
