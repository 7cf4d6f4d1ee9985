"""Facts kept and tasks learned: counted a second time by hand, and by a classifier of another kind."""

from random import Random

import numpy as np
import pytest
from sklearn.naive_bayes import MultinomialNB

from unname.auditing.report import shown
from unname.auditing.usefulness import facts_kept, learned, task_learned
from unname.knowledge.population import Population
from unname.reidentifiers.learned.training_examples import fold_of
from unname.types import Document, Profile

WORDS = {"whig": "tariff canal bank loom", "free soil": "prairie plough settler river"}


def people(number: int) -> Population:
    """Two parties, a year, and a name that nobody shares."""
    draw = Random(3)
    return Population(
        tuple(
            Profile(
                str(i), {"party": draw.choice(list(WORDS)), "year": str(1800 + draw.randint(0, 59)), "name": f"N{i}"}
            )
            for i in range(number)
        )
    )


def spoken(population: Population, *, noise: int = 3) -> list[Document]:
    """What people of a party say, and words that tell nothing."""
    draw, found = Random(5), []
    for profile in population.profiles:
        own = draw.sample(WORDS[profile.fields["party"]].split(), 2)
        rest = [draw.choice(["and", "the", "of", "to", "was", "were", "on", "in"]) for _ in range(noise)]
        found.append(Document(f"d{profile.id}", " ".join(draw.sample([*own, *rest], 2 + noise)), profile.id))
    return found


def test_facts_are_values_that_are_stated_and_shared_and_may_be_hidden() -> None:
    population = Population(
        tuple(Profile(str(i), {"town": "New York" if i < 6 else "Leeds", "trade": f"trade{i}"}) for i in range(8))
    )
    documents = [
        Document("a", "She came from NEW  york, as trade0.", "0"),
        Document("b", "From New York to York.", "1"),
        Document("c", "From Newer York.", "2"),
        Document("d", "From Leeds.", "7"),
        Document("e", "From New York.", "nobody"),
    ]
    released = [
        "She came from New York, as [MASK].",
        "From New [MASK] to York.",
        "From Newer York.",
        "From Leeds.",
        None,
    ]
    kept = facts_kept(documents, released, population, 5)
    assert kept is not None and (kept.rate, kept.n, kept.people) == (0.5, 2, 2), "Leeds has two, a trade one"
    whole = facts_kept(documents, released, population, 1)
    assert whole is not None and (whole.rate, whole.n) == (pytest.approx(2 / 3), 3)
    assert facts_kept(documents, released, population, 6) is None
    withheld = facts_kept(documents, [None] * 5, population, 5)
    assert withheld is not None and withheld.rate == 0


def test_a_task_is_learned_from_other_people_and_lost_where_its_words_are() -> None:
    population = people(120)
    documents = spoken(population)
    bare = [" ".join(w for w in d.text.split() if w not in " ".join(WORDS.values())) for d in documents]
    for texts, low, high in (([d.text for d in documents], 0.95, 1.0), (bare, 0.2, 0.65), ([None] * 120, 0.0, 0.0)):
        task = task_learned(documents, texts, population, "party")
        assert task.classes == 2 and task.from_originals.rate is not None and task.from_originals.rate > 0.95
        assert task.from_release.rate is not None and low <= task.from_release.rate <= high
        often = sum(p.fields["party"] == "whig" for p in population.profiles) / 120
        assert task.guessing.rate == pytest.approx(max(often, 1 - often))


def test_another_classifier_in_the_same_folds_does_about_as_well() -> None:
    population = people(200)
    documents = spoken(population, noise=8)
    vocabulary = sorted({w for d in documents for w in d.text.split()})
    counts = np.array([[d.text.split().count(w) for w in vocabulary] for d in documents])
    answers = np.array([p.fields["party"] for p in population.profiles])
    folds = np.array([fold_of(p.id, "task", 5) for p in population.profiles])
    right = []
    for fold in range(5):
        model = MultinomialNB().fit(counts[folds != fold], answers[folds != fold])
        right += (model.predict(counts[folds == fold]) == answers[folds == fold]).tolist()
    task = task_learned(documents, [d.text for d in documents], population, "party")
    assert task.from_release.rate == pytest.approx(np.mean(right), abs=0.05)


def test_years_of_many_are_decades_and_few_of_a_kind_are_one_class() -> None:
    population = people(120)
    documents = [Document(f"d{p.id}", f"in the {p.fields['year'][:3]}0s", p.id) for p in population.profiles]
    task = task_learned(documents, [d.text for d in documents], population, "year")
    assert task.classes == 6 and task.from_release.rate is not None and task.from_release.rate > 0.9


def test_where_there_is_nothing_to_learn_nothing_is_measured() -> None:
    population = people(120)
    documents = spoken(population)
    for field, some in (("name", documents), ("party", documents[:6])):
        task = task_learned(some, [d.text for d in some], population, field)
        assert shown(task.from_release) == shown(task.guessing) == "not measured" and task.from_originals.n == 0


def test_a_task_may_be_about_documents_and_those_without_a_value_neither_teach_nor_count() -> None:
    documents = spoken(people(120))
    values = ["x" if "bank" in d.text or "loom" in d.text else "y" for d in documents]
    task = learned(documents, [d.text for d in documents], "topic", ["", *values[1:]])
    assert (task.field, task.classes, task.from_release.n) == ("topic", 2, 119)
    assert task.from_release.rate is not None and task.from_release.rate > 0.9
