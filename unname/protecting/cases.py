"""The case of a person for a search: what it may hide in which text, and the crowds it seeks."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from unname.masking.base import Case, Mention
from unname.protecting.look import Subject, crowds_of
from unname.protecting.masker import PersonMasker
from unname.reidentifiers.base import LocalIndex
from unname.text import folded_words, visible
from unname.types import Document

# So much of a document's target is wanted under the adversary: who is pushed further down is found by the next one for that.
SHARE = 0.5


def case_of(masker: PersonMasker, subject: Subject, soft: Mapping[str, LocalIndex], left: Sequence[int]) -> Case:
    """Of published texts a search sees what is public, which it cannot hide: they stand beside documents without text."""
    person, settled, out = subject.person, subject.settled, subject.elsewhere(left)
    assert person.profile is not None  # noqa: S101 (for the type checker: nobody searches for somebody unknown)
    bare = [replace(person.documents[i], text="") if i in settled else person.documents[i] for i in left]
    bare += [Document("", "", person.documents[0].person) for _ in out]
    rows = [() if i in settled else subject.rows[i] for i in left] + [()] * len(out)
    beside = [*(subject.public(i) for i in left), *out]
    kept = tuple(frozenset(folded_words(visible(text))) for text in beside)
    targets = _targets(masker, subject, left, kept)
    never = [masker.mandatory.staying(d, row) for d, row in zip(bare, rows, strict=True)]
    return Case(
        documents=tuple(bare),
        profile=person.profile,
        column=subject.column,
        ensemble=dict(subject.members),
        targets=targets[:-1],
        person_target=targets[-1],
        own_targets={
            name: _targets(masker, subject, left, kept, member=name) for name in (*subject.members, *subject.local)
        },
        mandatory=(*(() if i in settled else subject.mandatory[i] for i in left), *(() for _ in out)),
        never=frozenset[str]().union(*never),
        budget=masker.settings.budget,
        words=tuple(rows),
        kept=kept,
        beside=tuple(beside),
        mentions=tuple(m for at, i in enumerate(left) if i not in settled for m in _mentions(masker, subject, at, i)),
        local={**subject.local, **soft},
        soft=dict.fromkeys(soft, SHARE),
    )


def _targets(
    masker: PersonMasker, subject: Subject, left: Sequence[int], kept: Sequence[frozenset[str]], *, member: str = ""
) -> tuple[int, ...]:
    """The crowds that a search seeks for each text of a case and for all together, drawn for each member apart.

    Somebody who lies just above the same crowd under all of them would be the only one.
    """
    wanted = masker.target(_unit("person", str(subject.person.documents[0].person), member))
    if len(kept) > len(left) or any(subject.earlier):
        wanted = _reachable(masker, subject, wanted, kept)
    own = [0 if i in subject.settled else _target(masker, subject, i, member) for i in left]
    return (*own, *(0 for _ in kept[len(left) :]), wanted)


def _unit(kind: str, name: str, member: str) -> str:
    """The purpose of a target's draw."""
    return f"{kind}\0{name}\0{member}" if member else f"{kind}\0{name}"


def _wanted(masker: PersonMasker, subject: Subject, place: int, member: str = "") -> int:
    return masker.target(_unit("document", subject.person.documents[place].id, member))


def least_wanted(masker: PersonMasker, subject: Subject, place: int) -> int:
    """The smallest crowd that is sought for a document."""
    members = (*subject.members, *subject.local)
    return min((_wanted(masker, subject, place, m) for m in members), default=_wanted(masker, subject, place))


def _target(masker: PersonMasker, subject: Subject, place: int, member: str) -> int:
    """The crowd that a search seeks for a document under a member."""
    wanted, public = _wanted(masker, subject, place, member), [folded_words(visible(subject.public(place)))]
    return _reachable(masker, subject, wanted, public) if subject.earlier[place] else wanted


def _reachable(masker: PersonMasker, subject: Subject, wanted: int, public: Sequence[Iterable[str]]) -> int:
    """A target, or k where what is public leaves no such crowd: a search would hide all else in vain."""
    read = [sorted(set(row)) for row in public]
    most = min(crowds_of(subject.members, read, subject.column).values(), default=wanted)
    return min(wanted, max(masker.settings.k, most))


def _mentions(masker: PersonMasker, subject: Subject, at: int, place: int) -> list[Mention]:
    """Everybody else whom the readable words of a document name; `at` is its place in the case."""
    document, people = subject.person.documents[place], masker.ensemble.people
    return [
        Mention(at, column, start, end, masker.target(f"mention\0{document.id}\0{people[column]}"))
        for column, start, end in subject.others(place)
    ]
