"""Who attacks a release with general values knows whom they do not fit."""

import numpy as np

from unname.attacking.attack import Attack
from unname.attacking.attackers import Attacker
from unname.knowledge.population import make_population
from unname.reidentifiers.terms.bm25 import Bm25
from unname.types import Document, Profile

PEOPLE = make_population(
    [Profile(f"p{i}", {"note": note}) for i, note in enumerate(("York mill", "York", "York mill"))]
)


def test_people_whom_a_value_does_not_fit_are_behind_all_others() -> None:
    documents = [Document("a", "York", "p1"), Document("b", "York", "p1")]
    index = Bm25().fit(PEOPLE.profiles).index(PEOPLE.profiles)
    attacker = Attacker("bm25.v1", used=False, indexes=(index,))
    texts = ["the mill of York", "the mill of York"]
    some = Attack(PEOPLE, documents, 1, among=[np.array([1]), None]).run(texts, [attacker])
    assert some.documents["bm25.v1"].top1 == [1.0, 0.0]
