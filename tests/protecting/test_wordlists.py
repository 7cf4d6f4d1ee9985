"""A user's words and patterns: one that does not end withholds the document and ends no run."""

import dataclasses

import pytest
from made_settings import by_rules

from unname.knowledge.fictional import Town
from unname.knowledge.population import Population
from unname.types import Document
from unname.verbs.deidentify.in_memory import deidentify

K, KEY = 5, b"p" * 32


def test_a_document_on_which_a_users_pattern_does_not_end_is_withheld(
    small_town: Town, townspeople: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unname.protecting.wordlists.TIMEOUT_S", 0.2)
    person = str(small_town.documents[0].person)
    documents = [
        Document("bad", "a" * 60 + "!", person),
        Document("good", "a quiet day", small_town.documents[9].person),
    ]
    settings = by_rules(k=K, method="none")
    made = deidentify(documents, townspeople, settings=dataclasses.replace(settings, always=["/(a|aa)+$/"]), key=KEY)
    assert made.withheld == {"bad": "failed"} and made.texts()[1] is not None
