"""Mask, let attackers learn from what is left, mask what they still find, as often as it pays. Source: Li 2014.

The search hides each person from reidentifiers one by one. Who combines them sees more: somebody pushed just below a
crowd under one of them lies conspicuously low there, and as high as ever under its twin. So every round has an adversary
of its own, folds of people, seeds and all, who learned from the release as it stands; his first look, which the search
can follow, is one more reidentifier to hide from. What he finds with all that he has is what the round before is worth.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unname import registry
from unname.attacking.attack import MATCHED, Attack
from unname.attacking.attackers import Attacker, AttackerRequest, TrainingTexts, fit_attackers, released_documents
from unname.attacking.choice import serving
from unname.attacking.combined import Adversary, Halves, can_face, half_of
from unname.attacking.learning import STRONGEST, Material, material_of
from unname.auditing.report import Round, rate_of
from unname.draws import draw
from unname.inputs.training_documents import drawn_places, spare_documents, teaches_masking
from unname.job import AUDIT_SAMPLE
from unname.log import logger
from unname.protecting.masker import Opponent
from unname.protecting.result import Deidentified
from unname.reidentifiers.encoders.understanding import understanding
from unname.reidentifiers.names import resolve_name
from unname.rounds import in_rounds
from unname.runtime import Runtime
from unname.types import Document

# Fewer documents teach nobody to combine attackers.
FEWEST = 30
# A round pays that spares at least so many of a hundred people for each of a hundred words.
_PRICE = 0.5

Again = Callable[[Deidentified, Opponent], Deidentified]


def adapted(
    made: Deidentified, again: Again, *, rounds: int, training: Sequence[Document] = (), runtime: Runtime
) -> Deidentified:
    """Mask `made` `again` facing an adversary who learned from it, `rounds` times at most; it says what each was worth.

    It ends where a fresh adversary finds no more than one in k + 1, or a round gained less than it cost, which is not
    kept then. With too few documents to learn from nothing is done.
    """
    team = _Team(made, training, runtime)
    if len(team.places) < FEWEST:
        logger.info("no rounds of masking: fewer than %d documents to learn from", FEWEST)
        return made

    def retrained(before: _Retrained, number: int) -> _Retrained:
        return team.retrained(again(before.made, before.adversary()), number)

    played = in_rounds(
        team.retrained(made, 0),
        retrained,
        _Retrained.found,
        paid=_paid,
        enough=lambda judged: _enough(judged, made.settings.k),
        most=rounds,
    )
    done = played.judged
    if played.unpaid:
        done = (*done[:-1], replace(done[-1], kept=False))
    return replace(played.state.made, rounds=done)


def _enough(last: Round, k: int) -> bool:
    """True if as few are found as was wanted."""
    return (last.strongest.rate or 0.0) <= 1 / (k + 1)


def _paid(before: Round, after: Round) -> bool:
    """True if a round gained as much as it cost."""
    gain = (before.strongest.rate or 0.0) - (after.strongest.rate or 0.0)
    return gain >= _PRICE * (after.masked - before.masked)


def served(made: Deidentified) -> tuple[str, ...]:
    """Those that served: nobody where no round was kept."""
    return serving(made.settings.reidentifiers) if made.rounds_kept else ()


class _Team:
    """Attackers of one corpus, retrained for every round: on at most as many documents as an audit tries.

    Documents of further people teach them too, as they do in an audit, but nobody faces who was taught by their own: hence
    two teams then, each taught by half of these people.
    """

    def __init__(self, made: Deidentified, training: Sequence[Document], runtime: Runtime) -> None:
        # In an order of their own, so that the order of the input decides nothing that is learned.
        self.places = sorted(drawn_places(made, AUDIT_SAMPLE), key=lambda place: made.documents[place].id)
        self._originals = [made.documents[place] for place in self.places]
        asked, self._runtime = {document.person for document in made.documents}, runtime
        others = [document for document in training
                  if document.person not in asked and teaches_masking(document.person, made.settings.seed)]  # fmt: skip
        spare, seed = spare_documents(made, self.places), made.settings.seed
        halves = [[d for d in spare if half_of(str(d.person), seed) == half] for half in (0, 1)] if spare else [[]]
        self._training = [[*others, *half] for half in halves]
        encoder = made.settings.masking_encoder
        # Versioned, as members are called: under a bare name a second one would be fitted beside the member, in vain
        # (`python -m benchmarks.rounds_fits`).
        named = serving(made.settings.reidentifiers)
        self._names = tuple(resolve_name(name, registry.ATTACKERS) for name in named)
        self._given = understanding(encoder) if encoder is not None else {}
        self._given["word_vectors"] = made.settings.vectors
        self._material: Material | None = None
        self._plain: list[Attacker] = []

    def retrained(self, made: Deidentified, number: int) -> "_Retrained":
        """Fresh attackers who learned from what is released now."""
        settings, population, runtime = made.settings, made.population, self._runtime
        seed = int.from_bytes(draw("adaptive", settings.seed, number)[:4])
        texts = [made.read(place) for place in self.places]
        asked = AttackerRequest(self._names, settings.reidentifiers, seed, self._given)
        stage = f"round {number + 1}: "
        pool = runtime.working(f"{stage}attackers")
        self._plain = self._plain or fit_attackers(
            asked, population, kinds=("profiles",), ready=made.ensemble, pool=pool
        )
        released, teams = released_documents(self._originals, texts), list[tuple[Attacker, ...]]()
        for more in self._training:
            teaching = TrainingTexts(self._originals, released, more)
            learned = fit_attackers(
                asked, population, teaching, kinds=("originals", "release"), again=self._plain, pool=pool
            )
            teams.append(tuple(one for one in [*self._plain, *learned] if all(map(can_face, one.indexes))))
        self._material = self._material or material_of(population)
        advance = runtime.progress(f"{stage}attack", len(self._originals))
        attack = Attack(population, self._originals, settings.k, seed, advance, runtime.working())
        return _Retrained(made, tuple(teams), texts, attack, self._material)


@dataclass(frozen=True, slots=True, repr=False)
class _Retrained:
    """Teams of attackers who learned from a release, one or two, and the `attack` on its `texts`."""

    made: Deidentified
    teams: tuple[tuple[Attacker, ...], ...]
    texts: Sequence[str | None]
    attack: Attack
    material: Material

    def found(self) -> Round:
        """The attackers' figures with all that they have, document by document or person by person, and the cost."""
        result = self.attack.run(self.texts, self.teams[0], material=self.material)
        most = [rate_of(result.documents[STRONGEST].top1, [str(d.person) for d in self.attack.originals])]
        most += [
            rate_of(result.by_person[n].top1, result.persons) for n in (STRONGEST, MATCHED) if n in result.by_person
        ]
        hidden, words = 0, 0
        for outcome in self.made.outcomes():
            hidden, words = hidden + outcome.hidden_words, words + outcome.words
        return Round(hidden / max(words, 1), max(most, key=lambda figures: figures.rate or 0.0))

    def adversary(self) -> Adversary | Halves:
        """The combination of their scores, as an adversary whom a search can face."""
        people, seed = self.made.ensemble.people, self.attack.seed
        both = [Adversary(people, t, tuple(self.attack.first_looks(self.texts, t)), seed) for t in self.teams]
        return both[0] if len(both) == 1 else Halves(tuple(both), self.made.settings.seed)
