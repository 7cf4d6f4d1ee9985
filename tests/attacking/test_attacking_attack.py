"""Attackers learn from other people only, and an examination tallies every document in its place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import pytest

from unname import registry
from unname.attacking import attack, learning
from unname.attacking import texts as texts_module
from unname.attacking.attack import CROWD_SMALLEST, FUSED, Attack, AttackResults
from unname.attacking.attackers import (
    ROTATING,
    Attacker,
    AttackerRequest,
    Tally,
    TrainingTexts,
    fit_attackers,
    released_documents,
)
from unname.attacking.crowdsizes import CrowdPattern
from unname.attacking.learning import STRONGEST, material_of
from unname.auditing.privacy import any_of
from unname.errors import ModelError
from unname.knowledge.population import Population
from unname.reidentifiers.base import Index
from unname.reidentifiers.learned.training_examples import by_fold, fold_of
from unname.reidentifiers.names import is_trained
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.statistics import credit
from unname.types import Document, Profile

ATTACKED: list[tuple[frozenset[str], str]] = []
TAUGHT: list[list[Document]] = []


@dataclass
class SpyIndex:
    """Remembers, for each text it is asked about, from whom it learned. Texts start with their person's id."""

    people: tuple[str, ...]
    learned: frozenset[str]

    def scores(self, text: str) -> np.ndarray:
        return self.scores_of([text])[0]

    def scores_of(self, texts: Sequence[str]) -> np.ndarray:
        for text in texts:
            ATTACKED.append((self.learned, text.split(" ")[0]))
        return np.zeros((len(texts), len(self.people)), np.int64)


@dataclass
class Spy:
    """A trained reidentifier that only watches."""

    trained: ClassVar[bool] = True
    seed: int = 0
    name: str = "spy.v1"
    learned_: frozenset[str] = field(default=frozenset())

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> Self:
        TAUGHT.append(list(documents))
        if not documents:
            raise ModelError("nothing to learn from")
        self.learned_ = frozenset(str(d.person) for d in documents)
        return self

    def index(self, profiles: Sequence[Profile]) -> SpyIndex:
        return SpyIndex(tuple(p.id for p in profiles), self.learned_)


@dataclass
class CountingSpy(Spy):
    """One that needs documents of so many people, and says beforehand whether there are."""

    fewest: ClassVar[int] = 0
    name: str = "counting.v1"

    def can_learn(self, profiles: Sequence[Profile], documents: Sequence[Document]) -> bool:
        return len({d.person for d in documents} & {p.id for p in profiles}) >= self.fewest


@pytest.fixture
def spy(monkeypatch: pytest.MonkeyPatch) -> str:
    """`spy.v1` among the registered attackers, and `counting.v1`."""
    real = registry.create

    def create(group: str, name: str, **parameters: Any) -> Any:
        made = {"spy.v1": Spy, "counting.v1": CountingSpy}.get(name)
        return made(**parameters) if made else real(group, name, **parameters)

    monkeypatch.setattr(registry, "create", create)
    monkeypatch.setattr(registry, "resolve", lambda group, name: name)
    ATTACKED.clear()
    TAUGHT.clear()
    return "spy.v1"


def crowd_of_people(count: int, each: int = 2) -> tuple[Population, list[Document]]:
    """People p0, p1, … with documents that start with their id, in an order that mixes people."""
    population = Population(tuple(Profile(f"p{i}", {"word": f"p{i} w{i % 7}"}) for i in range(count)))
    documents = [Document(f"d{j}-{i}", f"p{i} w{i % 7} text {j}", f"p{i}") for j in range(each) for i in range(count)]
    return population, documents


# --- whom attackers learn from


def test_no_attacker_attacks_a_person_it_learned_from(spy: str) -> None:
    population, documents = crowd_of_people(40)
    apart = [Document(f"t{i}", f"p{i} t", f"p{i}") for i in range(5)] + [Document("s", "s t", "stranger")]
    attackers = fit_attackers(AttackerRequest([spy], seed=3), population, TrainingTexts(documents, documents, apart))
    assert [a.name for a in attackers] == ["spy.v1@originals", "spy.v1@release"]
    assert [a.trained_on for a in attackers] == ["originals", "release"]
    Attack(population, documents, 5, seed=3).run([d.text for d in documents], attackers)
    assert len(ATTACKED) >= 2 * len(documents)
    assert all(person not in learned for learned, person in ATTACKED)
    assert any("stranger" in learned for learned, _ in ATTACKED)
    assert {person for _, person in ATTACKED} == {f"p{i}" for i in range(40)}


def test_attackers_trained_on_the_release_never_see_an_original_of_it(spy: str) -> None:
    population, documents = crowd_of_people(30)
    released = released_documents(
        documents, [None if i % 5 == 0 else f"{d.person} [MASK]" for i, d in enumerate(documents)]
    )
    assert len(released) == 48
    TAUGHT.clear()
    fit_attackers(AttackerRequest([spy]), population, TrainingTexts(documents, released), kinds=("release",))
    seen = [d.text for documents in TAUGHT for d in documents]
    assert seen and all(text.endswith("[MASK]") for text in seen)


def test_with_a_thousand_training_documents_of_others_no_original_under_attack_is_learned(spy: str) -> None:
    population, documents = crowd_of_people(20)
    training = [Document(f"t{i}", "x", f"other{i}") for i in range(1000)] + documents
    fit_attackers(AttackerRequest([spy]), population, TrainingTexts(documents, (), training))
    assert len(TAUGHT) == 1
    assert {d.person for d in TAUGHT[0]} == {f"other{i}" for i in range(1000)}


def test_an_attacker_with_nothing_to_learn_from_is_left_out(spy: str) -> None:
    population, _ = crowd_of_people(3)
    only = [Document("d", "p0", "p0")]
    assert fit_attackers(AttackerRequest([spy]), population, TrainingTexts(only, only)) == []


def test_no_third_teaches_an_attacker_where_another_third_has_too_little(
    spy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    population, documents = crowd_of_people(40)
    thirds = sorted(len({str(d.person) for d in fold}) for fold in by_fold(documents, "3", ROTATING))
    assert thirds[0] < thirds[-1]
    asked, teaching = AttackerRequest(["counting.v1"], seed=3), TrainingTexts(documents, documents)
    monkeypatch.setattr(CountingSpy, "fewest", thirds[0])
    both = fit_attackers(asked, population, teaching)
    assert [a.name for a in both] == ["counting.v1@originals", "counting.v1@release"] and len(TAUGHT) == 2 * ROTATING
    TAUGHT.clear()
    monkeypatch.setattr(CountingSpy, "fewest", thirds[-1])
    assert fit_attackers(asked, population, teaching) == [] and not TAUGHT


def test_folds_are_of_people_and_depend_on_the_seed() -> None:
    people = [f"p{i}" for i in range(400)]
    folds = [fold_of(p, str(0)) for p in people]
    assert 150 < sum(folds) < 250
    assert folds == [fold_of(p, str(0)) for p in people]
    assert folds != [fold_of(p, str(1)) for p in people]


def test_our_trained_attacker_says_so() -> None:
    assert is_trained(registry.ATTACKERS, "translation.v1") and not is_trained(registry.ATTACKERS, "bm25.v1")


def test_who_combines_and_who_tells_learn_from_other_folds_only(monkeypatch: pytest.MonkeyPatch) -> None:
    population, documents = crowd_of_people(30)
    folds = [fold_of(p.id, str(0), ROTATING) for p in population.profiles]
    told: list[list[int]] = []
    looked: list[tuple[int, tuple[int, ...], set[int]]] = []
    real_looks, real_learn = learning._first_looks, learning.learn_first

    def learn(taught: Any, members: int, crowds: int) -> Any:
        told.append([person for _, person in taught])
        return real_learn(taught, members, crowds)

    def looks(shared: Any, teaching: Any) -> Any:
        told.clear()
        found = real_looks(shared, teaching)
        for stated, people in zip(found, told, strict=True):
            looked.append((teaching.judged, stated, {folds[column] for column in people}))
        return found

    monkeypatch.setattr(learning, "_first_looks", looks)
    monkeypatch.setattr(learning, "learn_first", learn)
    index = Bm25().fit(population.profiles).index(population.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("other.v1", False, (index,))]
    Attack(population, documents, 5).run([d.text for d in documents], attackers, material=material_of(population))
    assert len(looked) == 9
    for judged, stated, taught in looked:
        assert judged not in taught and taught == set(stated)
    assert sorted(len(taught) for _, _, taught in looked) == [1] * 6 + [2] * 3


def test_a_shortlist_that_teaches_the_second_look_comes_from_a_first_look_of_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    population, documents = crowd_of_people(60)
    folds = {p.id: fold_of(p.id, str(0), ROTATING) for p in population.profiles}
    taught: dict[int, tuple[int, ...]] = {}
    seen: list[tuple[set[int], tuple[int, ...], int]] = []
    real_looks, real_cases = learning._first_looks, learning._cases

    def looks(shared: Any, teaching: Any) -> Any:
        found = real_looks(shared, teaching)
        taught.update({id(of_views[0].first.weights): stated for stated, of_views in found.items()})
        return found

    def cases(shared: Any, stretch: Any) -> Any:
        own = {folds[documents[unit[0]].person or ""] for unit in stretch.units}
        others = sorted({0, 1, 2} - {stretch.fold})
        for judged, of_views in zip(others, stretch.learned, strict=True):
            seen.append((own, taught[id(of_views[0].first.weights)], judged))
        return real_cases(shared, stretch)

    def second(shared: Any, item: Any) -> Any:
        judged = len(learnt_from)
        of_folds = [{folds[population.profiles[case.columns[0]].id] for case in cases} for cases in item[0][0]]
        learnt_from.append((judged, of_folds))
        return real_second(shared, item)

    learnt_from: list[tuple[int, list[set[int]]]] = []
    real_second = learning._second_looks
    monkeypatch.setattr(learning, "_first_looks", looks)
    monkeypatch.setattr(learning, "_cases", cases)
    monkeypatch.setattr(learning, "_second_looks", second)
    index = Bm25().fit(population.profiles).index(population.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("other.v1", False, (index,))]
    Attack(population, documents, 5).run([d.text for d in documents], attackers, material=material_of(population))
    assert seen
    for own, first, judged in seen:
        assert len(own) == len(first) == 1 and own | set(first) | {judged} == {0, 1, 2}
    # Who judges a fold put shortlists in order that come from the other two, each by itself.
    assert learnt_from == [(0, [{1}, {2}]), (1, [{0}, {2}]), (2, [{0}, {1}])]


# --- tallies


def slow_examination(
    population: Population, documents: list[Document], texts: list[str | None], index: Any
) -> tuple[list[float], list[int], dict[str, float]]:
    """Credit and crowd of each document, and credit of each person, one at a time."""
    credits, crowds, total = [], [], {}
    for document, text in zip(documents, texts, strict=True):
        column = population.rows[str(document.person)]
        if text is None:
            credits.append(0.0)
            crowds.append(len(population) - 1)
            continue
        scores = index.scores(text)
        credits.append(credit(scores, column))
        crowds.append(int((scores >= scores[column]).sum()) - 1)
        total[str(document.person)] = total.get(str(document.person), 0) + scores
    persons = {d.person: 0.0 for d in documents}
    persons |= {p: credit(s, population.rows[p]) for p, s in total.items()}
    return credits, crowds, persons


def test_tallies_stand_in_input_order_although_people_are_examined_one_after_the_other(small_town, townspeople) -> None:
    documents = sorted(small_town.documents[:90], key=lambda d: d.id[::-1])
    texts: list[str | None] = [None if i % 9 == 4 else d.text[: 40 + i] for i, d in enumerate(documents)]
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    found = Attack(townspeople, documents, 5).run(
        texts, [Attacker("bm25.v1", True, (index,))], material=material_of(townspeople)
    )
    credits, crowds, persons = slow_examination(townspeople, documents, texts, index)
    assert found.documents["bm25.v1"].top1 == credits
    assert found.crowds["bm25.v1"] == crowds
    assert dict(zip(found.persons, found.by_person["bm25.v1"].top1, strict=True)) == persons
    assert {name: len(t.top1) for name, t in found.documents.items()} == dict.fromkeys(found.documents, len(documents))


def test_withheld_documents_count_as_not_found_by_anybody(small_town, townspeople) -> None:
    documents = small_town.documents[:30]
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("other.v1", False, (index,))]
    found = Attack(townspeople, documents, 5).run([None] * 30, attackers, material=material_of(townspeople))
    assert {FUSED, CROWD_SMALLEST} < set(found.documents)
    for tally in (*found.documents.values(), *found.by_person.values()):
        assert not any(tally.top1) and not any(tally.top5) and not any(tally.top10) and set(tally.guess) == {-1}


def test_the_order_of_documents_changes_no_tally(small_town, townspeople) -> None:
    documents = list(small_town.documents[:40])
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("x.v1", False, (index,))]
    one = Attack(townspeople, documents, 5).run(
        [d.text for d in documents], attackers, material=material_of(townspeople)
    )
    back = documents[::-1]
    other = Attack(townspeople, back, 5).run([d.text for d in back], attackers, material=material_of(townspeople))
    for name, tally in one.documents.items():
        assert np.allclose(tally.top1, other.documents[name].top1[::-1], atol=1e-9), name


def test_one_person_alone_in_a_fold_is_still_attacked_by_the_fused_guess() -> None:
    """With nobody else to learn weights from, members count alike; that is no reason to report the person as safe."""
    population, _ = crowd_of_people(12)
    documents = [Document("d", "p3 w3", "p3")]
    index = Bm25().fit(population.profiles).index(population.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("x.v1", False, (index,))]
    found = Attack(population, documents, 2).run(["p3 w3"], attackers, material=material_of(population))
    assert found.documents["bm25.v1"].top1 == [1.0]
    assert found.documents[FUSED].top1 == [1.0] and found.documents[STRONGEST].top1 == [1.0]


def test_the_any_attacker_credit_is_the_largest_for_each_document() -> None:
    one, other = Tally(), Tally()
    rng = np.random.default_rng(0)
    for _ in range(50):
        person = int(rng.integers(6))
        one.add(rng.integers(0, 3, 6).astype(float), person)
        other.add(rng.integers(0, 3, 6).astype(float), person)
    both = any_of({"a": one, "b": other}, ["a", "b"])
    for level in ("top1", "top5", "top10"):
        pairs = zip(getattr(one, level), getattr(other, level), strict=True)
        assert getattr(both, level) == [a if a > b else b for a, b in pairs]
    assert any_of({"a": one}, []).top1 == []


def test_a_tally_counts_ties_by_lot_and_keeps_the_first_choice() -> None:
    tally = Tally()
    tally.add(np.array([1.0, 3.0, 3.0, 0.0]), 2)
    tally.miss()
    assert (tally.top1, tally.top5, tally.guess) == ([0.5, 0.0], [1.0, 0.0], [1, -1])


# --- several at work, what is remembered, and who is not known


@pytest.mark.parametrize("chunk", [1, 7])
def test_tallies_and_crowds_are_the_same_however_documents_are_parcelled_out(
    small_town, townspeople, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    """The fused and the learned attacker sum over documents, so those may differ in the last bit and tie otherwise."""
    documents = list(small_town.documents[:60])
    texts: list[str | None] = [None if i % 9 == 4 else d.text[: 40 + i] for i, d in enumerate(documents)]
    index = Bm25().fit(townspeople.profiles).index(townspeople.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("x.v1", False, (index,))]
    usual = Attack(townspeople, documents, 5).run(texts, attackers, material=material_of(townspeople))
    monkeypatch.setattr(attack, "CHUNK", chunk)
    other = Attack(townspeople, documents, 5).run(texts, attackers, material=material_of(townspeople))
    assert (other.persons, other.crowds, other.person_crowds) == (usual.persons, usual.crowds, usual.person_crowds)
    for name in ("bm25.v1", "x.v1", CROWD_SMALLEST):
        assert other.documents[name] == usual.documents[name] and other.by_person[name] == usual.by_person[name]
    assert np.allclose(other.documents[FUSED].top1, usual.documents[FUSED].top1, atol=1e-9)


def test_every_text_is_scored_once_where_scores_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    population, documents = crowd_of_people(30)
    spies = [Attacker("spy.v1", False, (SpyIndex(tuple(p.id for p in population.profiles), frozenset()),))]
    monkeypatch.setattr(learning, "FIRST_DOCUMENTS", 4)
    # Two documents and two people with two documents each of every fold teach both folds that they are not judged with.
    for most, again in ((texts_module.MOST_KEPT, 0), (0, 2 * 3 * (2 + 2 * 2))):
        monkeypatch.setattr(texts_module, "MOST_KEPT", most)
        ATTACKED.clear()
        Attack(population, documents, 5).run([d.text for d in documents], spies)
        assert len(ATTACKED) == len(documents) + again


def test_scores_that_are_kept_are_those_that_would_be_counted_again(
    small_town, townspeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, people = list(small_town.documents[:120]), townspeople.profiles
    shown: list[str | None] = [None if i % 9 == 4 else d.text[: 60 + i] for i, d in enumerate(documents)]
    indexes: tuple[Index, ...] = tuple(kind().fit(people).index(people) for kind in (Bm25, Ngrams))
    attackers = [
        Attacker("bm25.v1", True, indexes[:1]),
        Attacker("learned@release", False, (*indexes, SpyIndex(indexes[0].people, frozenset())), "release", "7"),
        Attacker("folds", True, indexes[:2], "served", "half"),
    ]
    both = [AttackResults(), AttackResults()]
    for turn, most in enumerate((texts_module.MOST_KEPT, 0)):
        monkeypatch.setattr(texts_module, "MOST_KEPT", most)
        attack_ = Attack(townspeople, documents, 5, 3, among=[None, np.arange(20)])
        both[turn] = attack_.run(shown, attackers, material=material_of(townspeople))
    assert both[0].documents == both[1].documents and both[0].by_person == both[1].by_person
    assert (both[0].crowds, both[0].sure, both[0].above) == (both[1].crowds, both[1].sure, both[1].above)


def test_a_person_whom_the_attackers_do_not_know_is_found_by_none_and_teaches_none(
    small_town, townspeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: set[int] = set()
    learn = CrowdPattern.learn
    monkeypatch.setattr(
        CrowdPattern, "learn", lambda self, crowds, person: (told.add(person), learn(self, crowds, person))[1]
    )
    documents = list(small_town.documents[:40])
    gone = str(documents[0].person)
    others = Population(tuple(p for p in townspeople.profiles if p.id != gone))
    index = Bm25().fit(others.profiles).index(others.profiles)
    attackers = [Attacker("bm25.v1", True, (index,)), Attacker("x.v1", False, (index,))]
    found = Attack(others, documents, 5).run([d.text for d in documents], attackers, material=material_of(others))
    strangers = [i for i, d in enumerate(documents) if d.person == gone]
    assert told == {others.rows[str(d.person)] for d in documents if d.person != gone}
    for tally in found.documents.values():
        assert all(tally.top1[i] == tally.top10[i] == 0.0 and tally.guess[i] >= 0 for i in strangers)
    assert found.by_person[FUSED].top10[found.persons.index(gone)] == 0.0
    rest = [d for d in documents if d.person != gone]
    alone = Attack(others, rest, 5).run([d.text for d in rest], attackers, material=material_of(others))
    kept = [i for i in range(len(documents)) if i not in strangers]
    for name, tally in alone.documents.items():
        assert tally.top1 == [found.documents[name].top1[i] for i in kept], name
