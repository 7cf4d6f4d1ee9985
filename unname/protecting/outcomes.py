"""The outcome of one document: its mask, its release or the reason why there is none, and the crowds it hides in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from pathlib import Path
from typing import Any

from unname.facts.stated import Fact
from unname.storage.spool import Spool
from unname.types import Mask, MaskSpan, Placeholder, Plain, Release


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """One document of a run. `release` is None where it was withheld, and `reason` says why.

    `crowds` are those of the document alone, `together` those of everything released of its person, each by
    reidentifier and exact; both are empty for a document whose person is unknown, whose crowd nobody can count.
    `third` holds, per mention of somebody else, the smallest of that person's crowds on the passage. A withheld
    document counts as hidden whole. `readings` counts texts that went through neural reidentifiers, of all documents of
    the person at one of them. `facts` are those that its text states, hidden or not, where taggers looked for them, and
    `ruled` what rules and taggers hide of it, rule by rule; None where nobody has read it.
    `secrets` are what the transform recorded that undoes the release.
    """

    mask: Mask
    release: Release | None
    reason: str = ""
    crowds: Mapping[str, int] = field(default_factory=dict)
    together: Mapping[str, int] = field(default_factory=dict)
    target: int = 0
    third: tuple[int, ...] = ()
    hidden_words: int = 0
    words: int = 0
    readings: int = 0
    facts: tuple[Fact, ...] = ()
    secrets: tuple[Mapping[str, Plain], ...] = ()
    ruled: tuple[MaskSpan, ...] | None = None

    def __repr__(self) -> str:
        return f"Outcome({'withheld: ' + self.reason if self.release is None else 'released'})"


def _encode(outcome: Outcome) -> bytes:
    release = outcome.release
    shown = None
    if release is not None:
        written = [(at, one.kind, one.invented, one.general) for at, one in release.written.items()]
        shown = (release.text, release.pieces, written)
    ruled = None if outcome.ruled is None else _plain(outcome.ruled)
    spans = _plain(outcome.mask.spans)
    parts = (outcome.mask.document, spans, shown, outcome.reason, dict(outcome.crowds), dict(outcome.together),
             outcome.target, outcome.third, outcome.hidden_words, outcome.words, outcome.readings,
             [astuple(fact) for fact in outcome.facts], [dict(entry) for entry in outcome.secrets], ruled)  # fmt: skip
    return json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _decode(content: bytes) -> Outcome:
    document, spans, shown, reason, crowds, together, target, third, hidden, words, readings, facts, secrets, ruled = (
        json.loads(content.decode("utf-8", "surrogatepass"))
    )
    release = None if shown is None else _release(document, *shown)
    mask, stated = Mask(document, tuple(_span(*span) for span in spans)), tuple(Fact(*one) for one in facts)
    return Outcome(
        mask, release, reason, crowds, together, target, tuple(third), hidden, words, readings, stated, tuple(secrets),
        None if ruled is None else tuple(_span(*span) for span in ruled),
    )  # fmt: skip


def _release(
    document: str, text: str, pieces: Sequence[Sequence[int]], written: Sequence[tuple[int, str, bool, str]]
) -> Release:
    kept = tuple((a, b, start, end) for a, b, start, end in pieces)
    stands = {
        at: Placeholder(kind, text[slice(*kept[at][:2])], invented, general) for at, kind, invented, general in written
    }
    return Release(document, text, kept, stands)


def _plain(spans: Sequence[MaskSpan]) -> list[Any]:
    return [
        (s.start, s.end, s.method, s.step, s.label, s.score, dict(s.crowd_before), dict(s.crowd_after), s.combination,
         s.level)
        for s in spans
    ]  # fmt: skip


def _span(*parts: Any) -> MaskSpan:
    *plain, combination, level = parts
    within = tuple((start, end) for start, end in combination)
    return replace(MaskSpan(*plain), combination=within, level=level)


def outcome_spool(dir: Path | None = None) -> Spool[Outcome]:
    """An empty spool of outcomes, each kept exactly."""
    return Spool(_encode, _decode, dir=dir)
