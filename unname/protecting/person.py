"""All documents of one person, what the population knows of them, and what can be read beside each text."""

from collections.abc import Sequence
from dataclasses import dataclass

from unname.facts.stated import Fact
from unname.protecting.earlier import Shown
from unname.types import Document, MaskSpan, Profile


@dataclass(frozen=True, slots=True, repr=False)
class Person:
    """All documents of one person and what the population knows of them; `profile` is None for somebody unknown.

    `named` has the direct fields of the full profile, where the adversary is taken to know fewer than that. `before` are
    spans, by document, that an earlier round has hidden and that stay hidden. `earlier` says, by document, what earlier
    releases show of it, or None; `gone` the same of documents about the person that are not there any more. Documents
    stand in the order of their ids, so that their order in the input decides no tie of a search. `read` are, by document,
    what rules and taggers hid of it in an earlier round, rule by rule, and the facts that its text states: nobody reads it
    for these again, but where there is None.
    """

    documents: tuple[Document, ...]
    profile: Profile | None = None
    column: int = -1
    named: Profile | None = None
    before: tuple[tuple[MaskSpan, ...], ...] = ()
    earlier: tuple[Shown | None, ...] = ()
    gone: tuple[Shown, ...] = ()
    read: tuple[tuple[tuple[MaskSpan, ...], tuple[Fact, ...]] | None, ...] = ()

    def __repr__(self) -> str:
        return f"Person({len(self.documents)} documents)"


def kept_text(document: Document, keep: Sequence[str]) -> str:
    """The metadata values that are released beside a document's text, one a line."""
    return "\n".join(document.metadata[name] for name in keep if name in document.metadata)


def readable(text: str, kept: str) -> str:
    """All that an attacker can read of one released document: its text and what is released beside it."""
    return f"{text}\n\n{kept}" if kept else text
