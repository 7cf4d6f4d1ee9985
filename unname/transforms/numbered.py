"""Placeholders with numbers: one person of a text has one number, however the text calls them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unname.knowledge.whoiswho import NameMention, doctors_title, is_address, is_plain, mentions_in, names_somebody
from unname.option import option, require
from unname.text import WORD, fold, placeholder, token_label
from unname.transforms.base import Context
from unname.transforms.redact import assemble, hidden_as
from unname.types import Document, Mask, MaskSpan, Placeholder, Release

PERSON, DOCTOR = "PERSON", "DOCTOR"

# A stretch, whom it names, and what is written for it.
_Run = tuple[int, int, NameMention | None, Placeholder]


@dataclass(frozen=True, slots=True)
class NumberedTokens:
    """Put one token with a number in place of every name of one person: `[PERSON 1]`, `Dr [DOCTOR 2]`.

    Numbers follow the order of the text and begin anew in each document, so that they link no two of them. What else has a
    label gets a number for each distinct value (`[LOCATION 1]`); an e-mail address has that of its person. Words without
    a label that name nobody get none. Besides what `redact` says, tokens say which hidden words belong together, that a
    word without a label is a name, and which person the people table has for the document.
    """

    subject: str = option(PERSON, "Label of whom the documents are about, such as PATIENT.")
    name: str = "numbered.v1"

    def __post_init__(self) -> None:
        require(
            bool(self.subject) and token_label(self.subject) == self.subject,
            "subject must be a label of capitals, such as PATIENT",
        )

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        """One token for each run of spans that name one person, and for every other span."""
        return assemble(document, mask, self._placed(document.text, mask.spans, context))

    def _placed(self, text: str, spans: Sequence[MaskSpan], context: Context) -> Iterator[tuple[int, int, Placeholder]]:
        mentions = mentions_in(text, spans, context.called, language=context.language)
        roles = self._roles(text, spans, mentions, context.language) if mentions else {}
        taken = {*roles.values(), *(token_label(span.label) for span in spans if is_address(span.label))}
        people, values = _numbers(spans, mentions), dict[str, dict[str, int]]()
        runs: list[_Run] = []
        for span, mention in in_turn(spans, mentions):
            if mention is None:
                said = token_label(span.label)
                numbers = values.setdefault(said, {})
                before = len(people) if said in taken else 0
                number = numbers.setdefault(_value(text, span), before + len(numbers) + 1) if said else 0
                runs.append((span.start, span.end, None, _token(said, number)))
                continue
            number = people[mention.who]
            token = _token(span.label if is_address(span.label) else roles[mention.who], number)
            if runs and runs[-1][2] is mention:
                runs[-1] = (runs[-1][0], span.end, mention, token)
            else:
                runs.append((span.start, span.end, mention, token))
        yield from ((start, end, token) for start, end, _, token in runs)

    def _roles(
        self, text: str, spans: Sequence[MaskSpan], mentions: Sequence[NameMention], language: str
    ) -> dict[int, str]:
        """The label of each person: the subject's own; what a tagger says of a name; a title that stays readable."""
        roles = {NameMention.SUBJECT: self.subject}
        for span, mention in in_turn(spans, mentions):
            if mention is not None and names_somebody(span.label) and not is_plain(span.label):
                roles.setdefault(mention.who, token_label(span.label))
        hidden = {span.end for span in spans}
        for mention in mentions:
            title = doctors_title(text, mention.start, language)
            if title is not None and hidden.isdisjoint(range(title + 1, mention.start + 1)):
                roles.setdefault(mention.who, DOCTOR)
        return {mention.who: roles.get(mention.who, PERSON) for mention in mentions}


def _numbers(spans: Sequence[MaskSpan], mentions: Sequence[NameMention]) -> dict[int, int]:
    """The number of each person by their first name in the text; those of whom it has an address alone come last."""
    names, addresses = dict[int, None](), dict[int, None]()
    for span, mention in in_turn(spans, mentions):
        if mention is not None:
            (addresses if is_address(span.label) else names)[mention.who] = None
    return {who: number for number, who in enumerate({**names, **addresses}, start=1)}


def in_turn(
    spans: Sequence[MaskSpan], mentions: Sequence[NameMention]
) -> Iterator[tuple[MaskSpan, NameMention | None]]:
    """Every span with the mention that it is a part of, if any."""
    at = 0
    for span in spans:
        while at < len(mentions) and mentions[at].end <= span.start:
            at += 1
        inside = at < len(mentions) and mentions[at].start <= span.start < mentions[at].end
        yield span, mentions[at] if inside else None


def _value(text: str, span: MaskSpan) -> str:
    return " ".join(map(fold, WORD.findall(text, span.start, span.end)))


def _token(label: str, number: int) -> Placeholder:
    if not label:
        return hidden_as("")
    return Placeholder(label.lower(), placeholder(label, number))
