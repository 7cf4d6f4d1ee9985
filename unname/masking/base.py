"""The protocol of masking methods: the case of one person in, one mask per document out. No method edits text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from unname.knowledge.population import Population
from unname.reidentifiers.base import AdditiveIndex, LocalIndex
from unname.text import MASK_TOKEN, Word, uncovered, words
from unname.types import Document, Mask, MaskSpan, Profile


@dataclass(frozen=True, slots=True)
class Mention:
    """A passage `[start, end)` of a document that names somebody else: their column, and the crowd wanted on it."""

    document: int
    column: int
    start: int
    end: int
    target: int


@dataclass(frozen=True, slots=True, repr=False)
class Case:
    """All documents of one person, and what it takes to hide them.

    `column` is the person's place in every member of the ensemble. `mandatory` holds, per document, spans that rules
    have hidden already and that no method gives back; `never` folded words that must stay. A crowd of `targets[i]` is
    wanted for document i, of `person_target` for the sum over all documents, each under every member that has no
    `own_targets`: for each document and, last, for their sum. `budget` is the largest share of a document's words that may
    be hidden. `kept` are, per document, folded words that are released beside the text and cannot be hidden, `beside` the
    same as it is written; `mentions` passages that name other people, whose crowds count as well.
    `local` are further members, which are no sums over words; under those that are `soft` a share of the crowd is sought,
    as far as it can be had.
    """

    documents: tuple[Document, ...]
    profile: Profile
    column: int
    ensemble: dict[str, AdditiveIndex]
    targets: tuple[int, ...]
    person_target: int
    mandatory: tuple[tuple[MaskSpan, ...], ...] = ()
    never: frozenset[str] = frozenset()
    budget: float = 1.0
    words: tuple[tuple[Word, ...], ...] = field(default=())
    kept: tuple[frozenset[str], ...] = ()
    beside: tuple[str, ...] = ()
    mentions: tuple[Mention, ...] = ()
    local: Mapping[str, LocalIndex] = field(default_factory=dict)
    soft: Mapping[str, float] = field(default_factory=dict)
    own_targets: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.mandatory:
            object.__setattr__(self, "mandatory", ((),) * len(self.documents))
        if not self.kept:
            object.__setattr__(self, "kept", (frozenset[str](),) * len(self.documents))
        if not self.beside:
            object.__setattr__(self, "beside", tuple(" ".join(sorted(row)) for row in self.kept))
        if not self.words:
            object.__setattr__(self, "words", tuple(tuple(words(d.text)) for d in self.documents))

    def __repr__(self) -> str:
        return f"Case({len(self.documents)} documents)"

    def wanted(self, member: str, document: int | None) -> int:
        """The crowd wanted under a member for a document, or for the sum of all (None)."""
        own = self.own_targets.get(member)
        if own is not None:
            return own[-1] if document is None else own[document]
        return self.person_target if document is None else self.targets[document]

    def free_words(self, document: int) -> list[Word]:
        """The occurrences in one document that the mandatory mask leaves readable, in order."""
        return uncovered(self.words[document], self.mandatory[document])


def readable_text(text: str, gone: Iterable[tuple[int, int]], beside: str = "") -> str:
    """The readable text with some stretches hidden, each as a placeholder, and the text that stands `beside` it."""
    parts, at = [], 0
    for start, end in sorted(gone):
        if start >= at:
            parts += [text[at:start], MASK_TOKEN]
        at = max(at, end)
    return "".join([*parts, text[at:], f"\n\n{beside}" if beside else ""])


@runtime_checkable
class Method(Protocol):
    """The choice of what to hide. A frozen dataclass of parameters; deterministic; no I/O."""

    @property
    def name(self) -> str:
        """Versioned name, such as `greedy.v1`."""
        ...

    @property
    def seeks_crowd(self) -> bool:
        """True if it hides until the crowd is reached; then a document below its crowd is withheld."""
        ...

    @property
    def keyed_targets(self) -> bool:
        """True if targets may be drawn from the key; else every document is to reach k itself."""
        ...

    def mask(self, case: Case) -> Sequence[Mask]:
        """One mask per document of the case, its mandatory mask included. The caller sees which crowds it could not reach."""
        ...


@runtime_checkable
class Informed(Protocol):
    """A method that has to know all documents and people before it masks any."""

    def informed(self, documents: Iterable[Document], population: Population) -> Method:
        """The same method with what it has to know; a SettingsError where that cannot be had."""
        ...
