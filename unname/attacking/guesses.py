"""Guesses that somebody outside made from a release: a language model, a web agent, a human. Judged as any attacker is."""

from collections.abc import Mapping, Sequence

from unname.attacking.attack import AttackResults
from unname.attacking.attackers import Tally
from unname.knowledge.population import Population
from unname.reidentifiers.base import About
from unname.types import Document

GUESSES = "guesses"
ABOUT = About(
    "Guesses from a file", "Whoever made the guesses that were handed in: a model, a program, a human.", "outside"
)
# How likely each person is held to be; who is not named is held to be nobody.
Guess = Mapping[str, float]


def with_guesses(
    results: AttackResults, guesses: Sequence[Guess | None], originals: Sequence[Document], population: Population
) -> AttackResults:
    """Results with the guesses as one more attacker that was held out; one guess, or None, for each document.

    A document without a guess, or whose person the guess does not name, counts as not found. Of several documents of a
    person scores are added up.
    """
    tally, together = Tally(), dict[str, dict[str, float]]()
    for guess, document in zip(guesses, originals, strict=True):
        _judge(tally, guess or {}, str(document.person), population)
        whole = together.setdefault(str(document.person), {})
        for person, score in (guess or {}).items():
            whole[person] = whole.get(person, 0.0) + score
    by_person = Tally()
    for person in results.persons:
        _judge(by_person, together.get(person, {}), person, population)
    results.documents[GUESSES], results.by_person[GUESSES] = tally, by_person
    results.used[GUESSES], results.about[GUESSES] = False, ABOUT
    return results


def _judge(tally: Tally, guess: Guess, person: str, population: Population) -> None:
    """One judgement: credit as for scores, where everybody unnamed stands below those named."""
    first = max(guess, key=lambda name: guess[name], default="")
    place = population.rows.get(first, -1)
    if person not in guess or person not in population.rows:
        tally.miss(place)
        return
    own = guess[person]
    tally.place(sum(s > own for s in guess.values()), sum(s == own for s in guess.values()), place)
