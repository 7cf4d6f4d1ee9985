"""What is read beside a released text: metadata of the same release, and other releases of the same documents."""

from collections.abc import Sequence

from unname.auditing.attack import FUSED, AttackResults
from unname.auditing.privacy import any_of, attacker_names, smallest_crowds, tally_figures
from unname.auditing.report import Found, Kept, Previous, Versions, VersionsOfAttacker
from unname.text import folded_words, visible


def with_metadata(texts: Sequence[str | None], kept: Sequence[str]) -> list[str | None]:
    """What is read of each document: its text and the metadata beside it; nothing of a withheld one."""
    return [f"{t}\n\n{beside}" if t is not None and beside else t for t, beside in zip(texts, kept, strict=True)]


def metadata_figures(
    after: AttackResults, without: AttackResults, clusters: Sequence[str], columns: Sequence[str], *, k: int
) -> Kept:
    """What metadata beside the texts cost: the same attackers with it (`after`) and without."""
    sides = {"with": after, "without": without}
    names = attacker_names(after, used=False)
    any_unused = {side: tally_figures(any_of(found.documents, names), clusters) for side, found in sides.items()}
    below = {side: sum(crowd < k for crowd in smallest_crowds(found)) for side, found in sides.items()}
    return Kept(tuple(columns), any_unused if names else None, below if after.crowds else None)


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


def version_figures(
    alone: AttackResults,
    union: AttackResults,
    clusters: Sequence[str],
    previous: Sequence[Sequence[str | None]],
    *,
    k: int,
    only_before: int,
) -> Previous:
    """What the same attackers find in this release alone (`after`) and with the earlier ones beside it (`union`)."""

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
    below = {side: sum(crowd < k for crowd in smallest_crowds(found)) for side, found in sides.items()}
    return Previous(
        releases=len(previous),
        documents=matched,
        any_unused=any_figures(False),
        any_used=any_figures(True),
        fused=Versions(*both((FUSED,))),
        below_k=below if alone.crowds else None,
        words_only_in_previous=only_before,
        attackers=tuple(VersionsOfAttacker(name, used, *both((name,))) for name, used in alone.used.items()),
    )
