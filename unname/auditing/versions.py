"""Material read beside a released text: metadata of the same release, and other releases of the same documents."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from unname.attacking.attack import CROWD_LEARNED, CROWD_SMALLEST, FUSED, MATCHED, AttackResults
from unname.attacking.attackers import Attacker
from unname.attacking.learning import STRONGEST, WITHOUT_MODELS, counted
from unname.auditing.privacy import any_of, attacker_names, smallest_crowds, tally_figures
from unname.auditing.report import (
    DIFFERENCE,
    SINGLE,
    Found,
    Joined,
    KeptMetadata,
    Previous,
    Versions,
    VersionsOfAttacker,
)
from unname.reidentifiers.base import About, AdditiveIndex, IntArray
from unname.text import folded_words, visible

# A word that one version shows and another hides counts so many times: somebody found it worth hiding.
WEIGHT = 6
ABOUT = About(
    "Words that one release shows and another hides",
    "Looks for the profile that shares the rarest words with the text; what releases differ in counts six times.",
    "words",
)


def with_metadata(texts: Sequence[str | None], kept: Sequence[str]) -> list[str | None]:
    """Each document's text with the metadata beside it; None for a withheld one."""
    return [f"{t}\n\n{beside}" if t is not None and beside else t for t, beside in zip(texts, kept, strict=True)]


def metadata_figures(
    after: AttackResults, without: AttackResults, clusters: Sequence[str], columns: Sequence[str], *, k: int
) -> KeptMetadata:
    """The cost of metadata beside the texts: the same attackers with it (`after`) and without."""
    sides = {"with": after, "without": without}
    names = attacker_names(after, used=False)
    any_unused = {side: tally_figures(any_of(results.documents, names), clusters) for side, results in sides.items()}
    below = {side: sum(crowd < k for crowd in smallest_crowds(results)) for side, results in sides.items()}
    return KeptMetadata(tuple(columns), any_unused if names else None, below if after.crowds else None)


def union_texts(texts: Sequence[str | None], previous: Sequence[Sequence[str | None]]) -> tuple[list[str | None], int]:
    """Everything that stands in any version of each document, versions that say the same once; None where in none.

    A word hidden now that an earlier version shows can be read, and a document withheld now that was released before is
    out. Also how many different words of documents stand in earlier versions only, summed over documents.
    """
    union: list[str | None] = []
    only_before = 0
    for i, text in enumerate(texts):
        earlier = [version for release in previous if (version := release[i]) is not None]
        shown = list(dict.fromkeys([*([] if text is None else [text]), *earlier]))
        union.append("\n\n".join(shown) if shown else None)
        old = {word for version in earlier for word in folded_words(visible(version))}
        only_before += len(old - set(folded_words(visible(text or ""))))
    return union, only_before


def differing_words(versions: Sequence[str]) -> set[str]:
    """Folded words that some version of a document shows and some other does not."""
    shown = [set(folded_words(visible(version))) for version in versions]
    return set[str]().union(*shown) - set[str].intersection(*shown) if len(shown) > 1 else set()


def difference_attacker(
    index: AdditiveIndex,
    union: Sequence[str | None],
    texts: Sequence[str | None],
    previous: Sequence[Sequence[str | None]],
) -> Attacker:
    """An attacker who reads joined texts and knows in which words the versions of each differ; `index` weighs words."""
    differing: dict[bytes, tuple[str, ...]] = {}
    for joined, *versions in zip(union, texts, *previous, strict=True):
        words = differing_words([version for version in versions if version is not None])
        if joined is not None and words:
            differing[_digest(joined)] = tuple(sorted(words))
    return Attacker(DIFFERENCE, False, (DifferenceIndex(index, differing),), about=ABOUT)


@dataclass(frozen=True, slots=True, repr=False)
class DifferenceIndex:
    """Scores of joined texts in which `differing` words (by digest of the text) count `WEIGHT` times."""

    index: AdditiveIndex
    differing: Mapping[bytes, tuple[str, ...]]

    def __repr__(self) -> str:
        return f"DifferenceIndex({len(self.differing)} texts)"

    @property
    def people(self) -> tuple[str, ...]:
        """Ids of the people that the columns are about."""
        return self.index.people

    def scores(self, text: str) -> IntArray:
        """Evidence for every profile: (people,) int64."""
        return self.index.scores(text) + (WEIGHT - 1) * self.index.sum_of(self.differing.get(_digest(text), ()))

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        """The same for many texts: (texts, people) int64."""
        return np.stack([self.scores(text) for text in texts])


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def joined_figures(union: AttackResults, clusters: Sequence[str]) -> tuple[Joined, ...]:
    """The figures of every single adversary in joined texts: of the plain attackers whoever finds most."""
    combined = (DIFFERENCE, FUSED, STRONGEST, WITHOUT_MODELS, MATCHED, CROWD_SMALLEST, CROWD_LEARNED)
    sides = [("document", union.documents, clusters)]
    if len(union.persons) < len(clusters):
        sides.append(("person", union.by_person, union.persons))
    elif MATCHED in union.by_person:
        sides.append(("person", {MATCHED: union.by_person[MATCHED]}, union.persons))
    rows = []
    for per, tallies, owners in sides:
        plain = [name for name in union.used if name in tallies and name != DIFFERENCE]
        best = max(plain, key=lambda name: sum(tallies[name].top1), default=None)
        chosen = {SINGLE: tallies[best]} if best else {}
        chosen |= {name: tallies[name] for name in combined if name in tallies}
        rows += [Joined(name, per, tally_figures(tally, owners)) for name, tally in chosen.items()]
    return tuple(rows)


def version_figures(
    alone: AttackResults,
    union: AttackResults,
    clusters: Sequence[str],
    previous: Sequence[Sequence[str | None]],
    *,
    k: int,
    only_before: int,
) -> Previous:
    """The figures of the same attackers in this release alone (`alone`) and with the earlier ones beside it (`union`)."""

    def both(names: Sequence[str]) -> tuple[Found, Found]:
        return (
            tally_figures(any_of(alone.documents, names), clusters),
            tally_figures(any_of(union.documents, names), clusters),
        )

    def any_figures(used: bool) -> Versions | None:
        names = attacker_names(alone, used=used)
        return Versions(*both(names)) if names else None

    matched = sum(any(release[i] is not None for release in previous) for i in range(len(clusters)))
    sides = {"alone": alone, "union": union}
    below = {side: sum(crowd < k for crowd in smallest_crowds(results)) for side, results in sides.items()}
    joined = joined_figures(union, clusters)
    strongest = counted(union.documents)
    return Previous(
        releases=len(previous),
        documents=matched,
        any_unused=any_figures(False),
        any_used=any_figures(True),
        fused=Versions(*both((FUSED,))),
        below_k=below if alone.crowds else None,
        words_only_in_previous=only_before,
        attackers=tuple(VersionsOfAttacker(name, used, *both((name,))) for name, used in alone.used.items()),
        strongest=Versions(*both((strongest,)))
        if strongest in alone.documents.keys() & union.documents.keys()
        else None,
        difference=next((row.after for row in joined if row.name == DIFFERENCE), None),
        joined=joined,
    )
