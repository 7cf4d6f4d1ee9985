"""Latent and trained reidentifiers: they find whom words fit, not whom they name; the same for a seed; loud when unfit."""

from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

from unname.errors import ModelError
from unname.reidentifiers.base import SCALE
from unname.reidentifiers.learned.additive import Additive
from unname.reidentifiers.learned.infilling import Infilling
from unname.reidentifiers.learned.training_examples import passages
from unname.reidentifiers.learned.translation import Translation
from unname.reidentifiers.terms.latent import Latent
from unname.types import Document, Profile

TRADES = ("smith", "miller", "tailor", "cooper", "mason", "weaver", "tanner", "baker")
TOWNS = ("york", "bath", "leeds", "derby", "truro", "ripon", "wells", "ely")
HINTS = dict(zip(TRADES, ("anvil", "flour", "needle", "barrel", "stone", "loom", "hides", "oven"), strict=True)) | dict(
    zip(TOWNS, ("minster", "spa", "aire", "ram", "cornish", "dales", "swans", "fens"), strict=True)
)


def planted() -> tuple[list[Profile], list[Document]]:
    """A profile says a trade and a town; its document only what stands for them, and shares no word with any profile."""
    pairs = list(product(TRADES, TOWNS))
    people = [Profile(f"{a}-{b}", {"trade": a, "town": b}) for a, b in pairs]
    notes = [Document(f"d{i}", f"He knew the {HINTS[a]} and {HINTS[b]}.", f"{a}-{b}") for i, (a, b) in enumerate(pairs)]
    order = np.random.default_rng(7).permutation(len(notes))
    return people, [notes[i] for i in order]


def ranks(scores: npt.NDArray[np.int64], people: list[Profile], documents: list[Document]) -> list[int]:
    place = {profile.id: row for row, profile in enumerate(people)}
    return [int((row > row[place[str(d.person)]]).sum()) for row, d in zip(scores, documents, strict=True)]


def test_translation_finds_people_of_whom_it_saw_no_document_by_words_that_are_in_no_profile() -> None:
    people, documents = planted()
    seen, unseen = documents[:48], documents[48:]
    index = Translation().fit(people, seen).index(people)
    assert ranks(index.scores_of([d.text for d in unseen]), people, unseen) == [0] * len(unseen)


def test_without_the_association_it_finds_nobody() -> None:
    people, documents = planted()
    shuffled = [Document(d.id, d.text, e.person) for d, e in zip(documents[:48], documents[1:49], strict=True)]
    unseen = documents[48:]
    found = ranks(Translation().fit(people, shuffled).index(people).scores_of([d.text for d in unseen]), people, unseen)
    assert np.mean(found) > 10


def test_translation_is_ridge_regression_from_latent_vectors_to_profile_terms() -> None:
    people, documents = planted()
    model = Translation(dimensions=12, ridge=0.5).fit(people, documents)
    assert model.vectoriser_ is not None and model.latent_ is not None
    found = model.latent_.transform(model.vectoriser_.transform([d.text for d in documents]))
    vectors = model.index(people)._vectors.toarray()
    centred = vectors - vectors.mean(axis=0)
    target = np.array([centred[[p.id for p in people].index(str(d.person))] for d in documents])
    # Ridge as ordinary least squares over rows added for the penalty.
    rows = np.vstack([found, np.sqrt(0.5) * np.eye(12)])
    slow = np.linalg.lstsq(rows, np.vstack([target, np.zeros((12, target.shape[1]))]), rcond=None)[0]
    assert np.allclose(model.map_, slow, atol=1e-8)
    text = documents[0].text
    expected = found[0] @ slow
    assert np.allclose(model.index(people).scores(text) / SCALE, centred @ expected, atol=1e-5)


@pytest.mark.parametrize("make", [Latent, Translation])
def test_the_same_seed_gives_the_same_scores(make: type[Latent] | type[Translation]) -> None:
    people, documents = planted()
    texts = [d.text for d in documents] + ["a smith of york"]
    one, other = (make(dimensions=10, seed=3).fit(people, documents).index(people).scores_of(texts) for _ in range(2))
    assert np.array_equal(one, other) and one.dtype == np.int64


@pytest.mark.parametrize("make", [Latent, Translation])
def test_a_part_that_is_not_fitted_says_so(make: type[Latent] | type[Translation]) -> None:
    with pytest.raises(ModelError, match="must be fitted"):
        make().index([Profile("a", {"x": "one"})])
    with pytest.raises(ModelError, match="must be fitted"):
        (make().embed if isinstance(made := make(), Latent) else made.translate)(["one"])


@pytest.mark.parametrize("people", [[], [Profile("a", {})], [Profile("a", {"x": "?!"}), Profile("b", {"x": "word"})]])
def test_latent_needs_words_to_learn_from(people: list[Profile]) -> None:
    with pytest.raises(ModelError, match="at least two different words"):
        Latent().fit(people)


# One text of one word has no variance, and scikit-learn divides by it.
ONE_WORD = pytest.mark.filterwarnings("ignore:invalid value encountered in divide:RuntimeWarning")
SHORT = [Profile("a", {"x": "ada"}), Profile("b", {"x": "karl"})]


@ONE_WORD
@pytest.mark.parametrize(
    "people, documents",
    [
        ([], []), (SHORT, []), (SHORT, [Document("1", "hello world", None)]), (SHORT, [Document("1", "hello world", "z")]),
        (SHORT, [Document("1", "", "a")]), ([Profile("a", {})], [Document("1", "hello world", "a")]),
        ([Profile("a", {"x": "ada"})] , [Document("1", "hello", "a")]),
    ],
)  # fmt: skip
def test_translation_needs_documents_of_known_people_with_words(
    people: list[Profile], documents: list[Document]
) -> None:
    with pytest.raises(ModelError, match="translation needs"):
        Translation().fit(people, documents)


def test_a_failed_fit_leaves_it_unfit() -> None:
    model = Translation()
    with pytest.raises(ModelError):
        model.fit(SHORT, [Document("1", "", "a")])
    with pytest.raises(ModelError, match="must be fitted"):
        model.index(SHORT)


def test_long_profiles_lend_their_passages_if_documents_are_few() -> None:
    long = [Profile(name, {"x": " ".join(f"{name}{i % 40}" for i in range(350))}) for name in ("a", "b", "c")]
    index = Translation().fit(long).index(long)
    assert [int(index.scores(f"{name}1 {name}2 {name}3").argmax()) for name in ("a", "b", "c")] == [0, 1, 2]


@pytest.mark.parametrize("make", [Additive, Infilling])
def test_fifty_documents_and_passages_together_are_enough_and_who_learns_says_so_beforehand(
    make: type[Additive] | type[Infilling],
) -> None:
    people, documents = planted()
    strangers = [replace(d, person="nobody") for d in documents]
    long = [Profile("long", {"x": "word " * 900}), *people]
    assert make().can_learn(people, documents[:50]) and not make().can_learn(people, [*documents[:49], *strangers])
    assert make().can_learn(long, documents[:41]) and not make().can_learn(long, documents[:40])
    with pytest.raises(ModelError, match="there are 49"):
        make().fit(people, documents[:49])


def test_one_example_is_enough_for_a_translation() -> None:
    people, documents = planted()
    assert Translation().can_learn(people, documents[:1]) and not Translation().can_learn(people, [])


def test_passages_are_stretches_of_a_hundred_words_that_make_up_the_profile() -> None:
    profile = Profile("a", {"x": "; ".join(f"w{i}" for i in range(250)), "y": "end."})
    found = passages([profile, Profile("b", {"x": "short"})], 100, seed=0)
    assert {person for _, person in found} == {0}
    assert "".join(text for text, _ in found) == "\n".join(profile.fields.values())
    assert [len(text.split()) for text, _ in found] == [100, 100, 51]


def test_passages_are_drawn_by_the_seed_and_kept_in_order() -> None:
    profile = Profile("a", {"x": " ".join(f"w{i:05d}" for i in range(5000))})
    drawn = passages([profile], 7, seed=1)
    assert drawn == passages([profile], 7, seed=1) == sorted(drawn) != passages([profile], 7, seed=2)
    assert len(drawn) == 7


def test_latent_finds_the_profile_about_the_same_things() -> None:
    topics = {
        "sea": "ship harbour sail anchor",
        "field": "plough harvest barn oxen",
        "court": "judge verdict clerk bar",
    }
    rows = [
        (f"{topic}{left}", " ".join(word for word in words.split() if word != words.split()[left]))
        for topic, words in topics.items()
        for left in range(4)
    ]
    people = [Profile(name, {"x": text}) for name, text in rows]
    index = Latent(dimensions=3).fit(people).index(people)
    # "ship" is in no profile of sea0, but what stands beside it elsewhere is.
    scores = dict(zip(index.people, index.scores("ship").tolist(), strict=True))
    assert scores["sea0"] > max(v for name, v in scores.items() if not name.startswith("sea"))


def test_a_cosine_is_at_most_one_and_a_text_without_known_words_scores_nothing() -> None:
    people, _ = planted()
    index = Latent(dimensions=5).fit(people).index(people)
    assert np.abs(index.scores_of([p.fields["trade"] for p in people])).max() <= SCALE + 1
    assert not index.scores("[MASK] zzz").any() and not index.scores("").any()


def test_no_words_show_in_a_repr() -> None:
    people, documents = planted()
    for made in (Latent(dimensions=5).fit(people), Translation(dimensions=5).fit(people, documents)):
        assert not any(word in repr(made) + repr(made.index(people)) for word in (*HINTS, *HINTS.values()))
