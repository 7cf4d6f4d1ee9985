"""The strongest adversary's view of how a text agrees with each field of a profile."""

import numpy as np
import pytest

from unname.attacking.attackers import Attacker
from unname.attacking.texts import Version, View
from unname.knowledge.fictional import Town
from unname.reidentifiers.learned.static import Static
from unname.reidentifiers.learned.static_index import StaticIndex
from unname.reidentifiers.learned.static_training import StaticTraining


@pytest.fixture(scope="module")
def index(small_town: Town) -> StaticIndex:
    return (
        Static(training=StaticTraining(dimensions=8, steps=50), fewest=1)
        .fit(small_town.profiles, small_town.documents)
        .index(small_town.profiles)
    )


def version_of(town: Town, *attackers: Attacker) -> Version:
    rows = {p.id: column for column, p in enumerate(town.profiles)}
    some = town.documents[:3]
    persons = [str(d.person) for d in some]
    return Version(
        [d.id for d in some], persons, [d.text for d in some], [rows[p] for p in persons], [0] * 3, len(rows), 3, 0,
        attackers=attackers,
    )  # fmt: skip


def test_each_field_has_its_figures_and_how_far_they_lie_below_the_best(small_town: Town, index: StaticIndex) -> None:
    version = version_of(small_town, Attacker("static.v1@originals", False, (index,), "originals"))
    columns = np.array([4, 1, 7])
    found = version.agreement((0,), View("", (0,), ()))(columns)
    whole = index.agreement([small_town.documents[0].text], columns).reshape(3, -1)
    assert found == pytest.approx(np.hstack([whole, whole - whole.max(axis=0)]), abs=1e-2)
    assert found[:, whole.shape[1] :].max() == 0


def test_neither_models_of_the_masking_nor_those_of_releases_nor_other_views_are_asked(
    small_town: Town, index: StaticIndex
) -> None:
    version = version_of(
        small_town, Attacker("static.v1", True, (index,), "served"),
        Attacker("static.v1@release", False, (index,) * 3, "release"),
        Attacker("static.v1@originals", False, (index,), "originals"),
    )  # fmt: skip
    assert version.agreement((0,), View("", (0, 1), ()))(np.arange(5)).shape == (5, 0)
    assert version.agreement((0,), View("", (0, 1, 2), ()))(np.arange(5)).shape[1] > 0
