"""What is hidden of a document before any search, and never given back."""

from collections.abc import Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import Any

from unname.facts.left import telling
from unname.facts.stated import ALWAYS, Fact, FactSettings, facts_in, label_of, to_mask
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.leaks import DirectIdentifiers
from unname.masking.base import HasMandatoryMask, Method, UsesTaggers
from unname.masking.tagged import Tagged, rules, whole_words
from unname.normalised import normalised
from unname.protecting.direct_fields import DirectFields
from unname.protecting.wordlists import Patterns, touched
from unname.taggers.base import Remembering, all_found
from unname.taggers.labels import ALL, DIRECT
from unname.taggers.safe_harbor import is_named
from unname.text import Word, placeholders
from unname.types import Document, MaskSpan, Profile, Span, merge_spans

# Why a word of a direct identifier is hidden, in masks and in the list of what was withheld.
BY_IDENTIFIER = "direct-identifier"
# The same of what readers could look up.
BY_FACT = "fact"
REPORT = "report"


@dataclass(frozen=True, slots=True, repr=False)
class MandatoryMask:
    """What is hidden of every document: direct identifiers, a user's list, what looks like a placeholder, what taggers find.

    `direct` are the fields of a profile that identify alone; `always` and `never` a user's lists of words that are to be
    hidden and to stay; `method` adds what it hides before its search, if it is `HasMandatoryMask`; `facts` say what goes of
    what its taggers find that names nobody.
    """

    method: Method
    direct: DirectFields = field(default_factory=dict)
    always: Patterns = field(default_factory=Patterns)
    never: Patterns = field(default_factory=Patterns)
    facts: FactSettings | None = None

    def __repr__(self) -> str:
        return f"MandatoryMask({self.method.name})"

    def for_unknown(self) -> "MandatoryMask":
        """For documents whose person nobody knows: no search follows, so taggers and facts must hide what is to be hidden.

        Whoever named Safe Harbor has said what that is; else it is what names somebody, where somebody lives, and facts
        as they are to be treated; of a method that knows none, all that taggers find.
        """
        asked = self.method if isinstance(self.method, UsesTaggers) else None
        taggers = asked.taggers if asked else rules()
        hide = asked.hide if asked else (DIRECT,)
        if not is_named(hide):
            hide = (*hide, *ALWAYS) if self.facts else (ALL,)
        return replace(self, method=Tagged(taggers=taggers, hide=hide), direct={})

    def reading_once(self) -> "MandatoryMask":
        """The same for texts one after another, each of which its taggers read once, for mask and facts together."""
        if not (isinstance(self.method, UsesTaggers) and is_dataclass(self.method)):
            return self
        method: Any = replace(self.method, taggers=tuple(map(Remembering, self.method.taggers)))
        return replace(self, method=method)

    def identifiers(self, profile: Profile) -> DirectIdentifiers:
        """What identifies a person alone."""
        return direct_identifiers(profile, self.direct)

    def of(
        self, document: Document, row: Sequence[Word], identifiers: DirectIdentifiers | None
    ) -> tuple[MaskSpan, ...]:
        """The mandatory mask of a document, whose words are `row`, about somebody with these identifiers."""
        seen = normalised(document.text)
        forged = [*placeholders(document.text), *(seen.original(a, b) for a, b in placeholders(seen.text))]
        spans = [MaskSpan(a, b, "forged-placeholder") for a, b in sorted(set(forged))]
        spans += [MaskSpan(w.start, w.end, "always") for w in self.always.touched(document.text, row)]
        for a, b in identifiers.find(document.text, row) if identifiers else ():
            near = touched(row, [(a, b)])
            start, end = (min(a, near[0].start), max(b, near[-1].end)) if near else (a, b)
            spans.append(MaskSpan(start, end, BY_IDENTIFIER))
        staying = self.staying(document, row)
        if isinstance(self.method, HasMandatoryMask):
            spans += self.method.mandatory_mask(document, row, staying)
        return merge_spans([*spans, *self._facts(document, row, staying)])

    def stated(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text that say anything, hidden or not; none where no tagger is asked."""
        return tuple(telling(text, self._facts_in(text))) if self.facts else ()

    def _facts_in(self, text: str) -> list[Fact]:
        if self.facts is None or not isinstance(self.method, UsesTaggers):
            return []
        return facts_in(text, all_found(self.method.taggers, text), self.facts)

    def _facts(self, document: Document, row: Sequence[Word], staying: frozenset[str]) -> list[MaskSpan]:
        """What goes of a document's facts, words whole."""
        if self.facts is None or self.facts.policy == REPORT:
            return []
        found: list[MaskSpan] = []
        for start, end, fact in to_mask(self._facts_in(document.text), document.text, self.facts):
            found += whole_words(Span(start, end, label_of(fact.kind), score=fact.sure), row, BY_FACT, staying)
        return found

    def staying(self, document: Document, row: Sequence[Word]) -> frozenset[str]:
        """The folded words of a document that are never hidden by a tagger or a search."""
        return frozenset(word.folded for word in self.never.touched(document.text, row))
