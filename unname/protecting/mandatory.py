"""The mandatory mask: hidden in a document before any search, and never given back."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from unname.dates import days_in
from unname.facts.left import telling
from unname.facts.stated import ALWAYS, Fact, FactSettings, facts_in, label_of, to_mask
from unname.knowledge.coreference import KnownAs, stated_sex, whole_names
from unname.knowledge.fieldnames import field_kind, of_kin
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.leaks import DirectIdentifiers
from unname.knowledge.novalues import says_nothing
from unname.masking.anonymity import Anonymity
from unname.masking.base import Case, Method
from unname.normalised import normalised
from unname.protecting.direct_fields import DirectFields
from unname.protecting.tagged import rules, tagged_spans, whole_words
from unname.protecting.wordlists import Patterns, touched
from unname.taggers.base import Remembering, Tagger, all_found
from unname.taggers.labels import ALL, DIRECT
from unname.taggers.safe_harbor import is_named
from unname.text import Word, placeholders
from unname.types import Document, Mask, MaskSpan, Profile, Span, merge_spans

# Why a word of a direct identifier is hidden, in masks and in the list of what was withheld.
BY_IDENTIFIER = "direct-identifier"
# The same of what readers could look up.
BY_FACT = "fact"
REPORT = "report"
DATE = "DATE"


@dataclass(frozen=True, slots=True, repr=False)
class MandatoryMask:
    """The mask of every document: direct identifiers, a user's list, what looks like a placeholder, what taggers find.

    `direct` are the fields of a profile that identify alone; `always` and `never` a user's lists of words that are to be
    hidden and to stay. Of what `taggers` find the labels to `hide` go; no label is named where the method asks no tagger.
    `facts` say what goes of the rest, which names nobody. A `floor` hides besides what k-anonymity over a graph asks for.
    All dates go that some taggers for `dates` find, and all days, where a transform moves them together.
    """

    taggers: tuple[Tagger, ...] = ()
    hide: tuple[str, ...] = ()
    direct: DirectFields = field(default_factory=dict)
    always: Patterns = field(default_factory=Patterns)
    never: Patterns = field(default_factory=Patterns)
    facts: FactSettings | None = None
    floor: Anonymity | None = None
    dates: tuple[Tagger, ...] = ()

    def __repr__(self) -> str:
        return f"MandatoryMask({', '.join(tagger.name for tagger in self.taggers)})"

    def for_unknown(self) -> "MandatoryMask":
        """For documents whose person nobody knows: no search follows, so taggers and facts must hide what is to be hidden.

        Whoever named Safe Harbor has said what that is; else it is what names somebody, where somebody lives, and facts
        as they are to be treated; where no tagger is asked, all that rules find.
        """
        taggers, hide = (self.taggers, self.hide) if self.hide else (rules(), (DIRECT,))
        if not is_named(hide):
            hide = (*hide, *ALWAYS) if self.facts else (ALL,)
        return replace(self, taggers=taggers, hide=hide, direct={})

    def reading_once(self) -> "MandatoryMask":
        """The same for texts one after another, each of which its taggers read once, for mask and facts together."""
        return replace(self, taggers=tuple(map(Remembering, self.taggers)), dates=tuple(map(Remembering, self.dates)))

    def identifiers(self, profile: Profile) -> DirectIdentifiers:
        """The direct identifiers of a person."""
        return direct_identifiers(profile, self.direct)

    def called(self, profile: Profile, named: Profile) -> KnownAs:
        """All that a person is called in the direct fields of `named`, and the sex stated.

        Where fields are called names, those alone: of others, values that look like names may be those of a doctor.
        """
        fields = [name for name, kind in self.direct.items() if kind == "name" and not of_kin(name)]
        own = [name for name in fields if field_kind(name) == "name"]
        fields = own or (fields if len(fields) == 1 else [])
        stated = {name: value for name in fields if not says_nothing(value := named.fields.get(name, ""))}
        return KnownAs(whole_names(stated), stated_sex({**named.fields, **profile.fields}))

    def of(
        self, document: Document, row: Sequence[Word], identifiers: DirectIdentifiers | None
    ) -> tuple[MaskSpan, ...]:
        """The mandatory mask of a document, whose words are `row`, about somebody with these identifiers."""
        return merge_spans(self.spans_of(document, row, identifiers))

    def spans_of(
        self, document: Document, row: Sequence[Word], identifiers: DirectIdentifiers | None
    ) -> list[MaskSpan]:
        """The spans of the mandatory mask rule by rule; they may overlap."""
        seen = normalised(document.text)
        forged = [*placeholders(document.text), *(seen.original(a, b) for a, b in placeholders(seen.text))]
        spans = [MaskSpan(a, b, "forged-placeholder") for a, b in sorted(set(forged))]
        spans += [MaskSpan(w.start, w.end, "always") for w in self.always.touched(document.text, row)]
        for a, b in identifiers.find(document.text, row) if identifiers else ():
            near = touched(row, [(a, b)])
            start, end = (min(a, near[0].start), max(b, near[-1].end)) if near else (a, b)
            spans.append(MaskSpan(start, end, BY_IDENTIFIER))
        staying = self.staying(document, row)
        spans += tagged_spans(self.taggers, self.hide, document, row, never=staying)
        if self.dates:
            spans += tagged_spans(self.dates, (DATE,), document, row, never=staying)
            for start, end, _ in days_in(document.text):
                spans += whole_words(Span(start, end, DATE), row, DATE.lower(), staying)
        return [*spans, *self._facts(document, row, staying)]

    def masks(self, method: Method, case: Case) -> Sequence[Mask]:
        """Masks of a case: what is mandatory, and above it what the method adds.

        What a search hides of one term may uncover another, so the floor reads again what is left.
        """
        if self.floor is None:
            return method.mask(case)
        masks = method.mask(self.floor.applied(case))
        return self.floor.mask(replace(case, mandatory=tuple(mask.spans for mask in masks)))

    def stated(self, text: str) -> tuple[Fact, ...]:
        """The facts of a text that say anything, hidden or not; none where no tagger is asked."""
        return tuple(telling(text, self._facts_in(text))) if self.facts else ()

    def _facts_in(self, text: str) -> list[Fact]:
        return [] if self.facts is None else facts_in(text, all_found(self.taggers, text), self.facts)

    def _facts(self, document: Document, row: Sequence[Word], staying: frozenset[str]) -> list[MaskSpan]:
        """Spans of a document's facts that go, words whole."""
        if self.facts is None or self.facts.policy == REPORT:
            return []
        spans: list[MaskSpan] = []
        for start, end, fact in to_mask(self._facts_in(document.text), document.text, self.facts):
            spans += whole_words(Span(start, end, label_of(fact.kind), score=fact.sure), row, BY_FACT, staying)
        return spans

    def staying(self, document: Document, row: Sequence[Word]) -> frozenset[str]:
        """The folded words of a document that are never hidden by a tagger or a search."""
        return frozenset(word.folded for word in self.never.touched(document.text, row))
