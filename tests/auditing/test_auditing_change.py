"""Crowds in a changing population: each simulation done again the slow way."""

import numpy as np
import pytest

from tests.auditing.test_auditing_diversity import Fixed, served
from unname.attacking.attackers import Attacker
from unname.auditing import change
from unname.auditing.change import DRAWS, LEAVING, population_change
from unname.draws import draw
from unname.knowledge.population import Population
from unname.reidentifiers.base import profile_text
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.stopwords import stop_words_of
from unname.text import folded_words, visible
from unname.types import Document, Profile


def made(small_town, townspeople) -> tuple[list[Document], list[str | None]]:
    """Documents of which a few words are left: crowds of all sizes."""
    documents = list(small_town.documents[:60])
    return documents, [None if i % 11 == 5 else " ".join(d.text.split()[: 3 + i % 8]) for i, d in enumerate(documents)]


def crowd(index, text: str, column: int, stay=None) -> int:
    scores = index.scores(text).tolist()
    return sum(s >= scores[column] for i, s in enumerate(scores) if i != column and (stay is None or stay[i]))


def test_a_planted_crowd_is_lost_when_just_enough_people_leave() -> None:
    """Ten people, all alike: with k = 9 one leaver is one too many, with k = 4 even half of them may go."""
    people = tuple(f"p{i}" for i in range(10))
    population = Population(tuple(Profile(p, {"a": "x"}) for p in people))
    member = Attacker("m", True, (Fixed(people, {"t": [3] * 10}),))
    strict = population_change([member], population, [Document("d", "t", "p0")], ["t"], k=9)
    assert strict is not None and strict["had_crowd"] == 1
    by_share = {row["share"]: row for row in strict["leaving"]}
    assert by_share[0.5]["mean"] == 1 and by_share[0.05]["mean"] == 0  # round(0.5) people leave: none
    random = np.random.default_rng(int.from_bytes(draw("leaving", 0)[:8]))
    others = np.mean([random.permutation(10)[0] != 0 for _ in range(DRAWS)])
    assert by_share[0.1]["mean"] == others < 1, "the person is no other: drawing them costs nothing"
    easy = population_change([member], population, [Document("d", "t", "p0")], ["t"], k=4)
    assert easy is not None and {row["high"] for row in easy["leaving"]} == {0.0}


def test_leaving_is_recounted_without_those_who_left(small_town, townspeople) -> None:
    documents, texts = made(small_town, townspeople)
    members, k = served(townspeople), 4
    found = population_change(members, townspeople, documents, texts, k=k, seed=2)
    assert found is not None and found["documents"] == sum(t is not None for t in texts)
    random = np.random.default_rng(int.from_bytes(draw("leaving", 2)[:8]))
    orders = [random.permutation(len(townspeople)) for _ in range(DRAWS)]
    shown = [(d, t) for d, t in zip(documents, texts, strict=True) if t is not None]
    columns = [townspeople.rows[str(d.person)] for d, _ in shown]
    had = [all(crowd(m.indexes[0], t, c) >= k for m in members) for (_, t), c in zip(shown, columns, strict=True)]
    assert 0 < sum(had) < len(had) and found["had_crowd"] == sum(had)
    for row, share in zip(found["leaving"], LEAVING, strict=True):
        rates = []
        for order in orders:
            stay = np.ones(len(townspeople), bool)
            stay[order[: round(share * len(townspeople))]] = False
            lost = [
                any(crowd(m.indexes[0], t, c, stay) < k for m in members)
                for (_, t), c, h in zip(shown, columns, had, strict=True)
                if h
            ]
            rates.append(np.mean(lost))
        assert row["mean"] == pytest.approx(np.mean(rates))
        assert (row["low"], row["high"]) == (pytest.approx(min(rates)), pytest.approx(max(rates)))
    assert found["leaving"][-1]["mean"] > found["leaving"][0]["mean"]


def test_a_learned_word_is_recounted_over_a_population_with_that_one_profile_changed(
    small_town, townspeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change, "SAMPLE_DOCUMENTS", 12)
    documents, texts = made(small_town, townspeople)
    members, k = served(townspeople), 3
    found = population_change(members, townspeople, documents, texts, k=k)
    assert found is not None and found["documents"] == 12
    shown = [(d, t) for d, t in zip(documents, texts, strict=True) if t is not None]
    shown.sort(key=lambda pair: draw("change", 0, pair[0].id))
    shares, words = [], 0
    for document, text in shown[:12]:
        column = townspeople.rows[str(document.person)]
        profile = townspeople.profiles[column]
        if any(crowd(m.indexes[0], text, column) < k for m in members):
            continue
        read = folded_words(visible(text))
        new = set(read) - set(folded_words(profile_text(profile))) - stop_words_of(read)
        drawn = sorted(new, key=lambda w: draw("word", 0, f"{document.id}\0{w}"))[:5]
        lost = []
        for word in drawn:
            changed = list(townspeople.profiles)
            changed[column] = Profile(profile.id, {**profile.fields, "more": word})
            lost.append(any(crowd(m.fitted[0].index(changed), text, column) < k for m in members))
        words += len(drawn)
        if lost:
            shares.append(np.mean(lost))
    assert found["word"]["words"] == words > 0 and found["word"]["documents"] == len(shares)
    assert found["word"]["mean"] == pytest.approx(np.mean(shares))
    assert found["word"]["any"] == pytest.approx(np.mean([s > 0 for s in shares]))
    assert found["word"]["mean"] > 0


def test_a_field_that_comes_to_light_is_recounted_with_all_profiles_holding_it(small_town, townspeople) -> None:
    hidden = ("village", "sex")
    poorer = Population(
        tuple(Profile(p.id, {k: v for k, v in p.fields.items() if k not in hidden}) for p in townspeople.profiles),
        townspeople.profiles,
    )
    documents, texts = made(small_town, townspeople)
    members, k = served(poorer), 4
    found = population_change(members, poorer, documents, texts, k=k)
    assert found is not None and [row["field"] for row in found["fields"]] == ["sex", "village"]
    for row in found["fields"]:
        wider = [
            Profile(p.id, {**p.fields, row["field"]: townspeople.profiles[i].fields[row["field"]]})
            if row["field"] in townspeople.profiles[i].fields
            else p
            for i, p in enumerate(poorer.profiles)
        ]
        indexes = [r.fit(wider).index(wider) for r in (Bm25(), Ngrams())]
        lost = []
        for document, text in zip(documents, texts, strict=True):
            column = poorer.rows[str(document.person)]
            if text is not None and all(crowd(m.indexes[0], text, column) >= k for m in members):
                lost.append(any(crowd(index, text, column) < k for index in indexes))
        assert row["lost"] == pytest.approx(np.mean(lost))
    change = population_change(members, Population(poorer.profiles), documents, texts, k=k)
    assert change is not None and change["fields"] == []


def test_nothing_released_or_nobody_who_served_leaves_nothing_to_simulate(small_town, townspeople) -> None:
    documents = small_town.documents[:4]
    assert population_change([], townspeople, documents, ["x"] * 4, k=2) is None
    assert population_change(served(townspeople), townspeople, documents, [None] * 4, k=2) is None
    all_found = population_change(served(townspeople), townspeople, documents, [d.text for d in documents], k=110)
    assert all_found is not None and all_found["had_crowd"] == 0
    assert all_found["leaving"][0]["mean"] is None and all_found["word"]["words"] == 0


def test_the_order_of_documents_does_not_change_the_sample_or_the_figures(
    small_town, townspeople, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change, "SAMPLE_DOCUMENTS", 20)
    documents, texts = made(small_town, townspeople)
    members = served(townspeople)
    one = population_change(members, townspeople, documents, texts, k=4)
    assert one == population_change(members, townspeople, documents[::-1], texts[::-1], k=4)
    monkeypatch.setattr(change, "MOST_CELLS", 7 * 2 * len(townspeople))
    fewer = population_change(members, townspeople, documents, texts, k=4)
    assert fewer is not None and fewer["documents"] == 7


def test_a_member_is_fitted_anew_on_the_wider_profiles_and_a_trained_one_is_not(small_town, townspeople) -> None:
    (member, *_) = served(townspeople)
    wider = [Profile(p.id, {**p.fields, "new": "zebra"}) for p in townspeople.profiles]
    fresh = change._refit(member, member.fitted[0], wider)
    assert fresh is not member.fitted[0]
    assert fresh.frequency_["zebra"] == len(wider) and "zebra" not in member.fitted[0].frequency_
    trained = Attacker(member.name, True, member.indexes, "originals", member.fitted)
    assert change._refit(trained, member.fitted[0], wider) is member.fitted[0]
