"""A recogniser of Presidio: our taggers' spans, under Presidio's names where it has any."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_analyzer import EntityRecognizer, RecognizerResult

from unname.shared_options import USUAL_TAGGERS
from unname.taggers.elsewhere.ours import labels_of_all, our_taggers, spans_of_all

THEIRS = {
    "NAME": "PERSON", "PLACE": "LOCATION", "ADDRESS": "LOCATION", "POSTCODE": "LOCATION", "ORGANISATION": "ORGANIZATION",
    "GROUP": "NRP", "DATE": "DATE_TIME", "EMAIL": "EMAIL_ADDRESS", "PHONE": "PHONE_NUMBER", "FAX": "PHONE_NUMBER",
    "IP": "IP_ADDRESS", "MAC": "MAC_ADDRESS", "IBAN": "IBAN_CODE", "CARD": "CREDIT_CARD",
}  # fmt: skip


class UnnameRecogniser(EntityRecognizer):  # type: ignore[misc]  # the library is not installed where types are checked
    """Our taggers' spans: `analyzer.registry.add_recognizer(UnnameRecogniser())`.

    `taggers` are names or folders of trained ones; `names` adds other names of our labels to `THEIRS`.
    """

    def __init__(
        self,
        taggers: Sequence[str] = USUAL_TAGGERS,
        *,
        supported_language: str = "en",
        names: Mapping[str, str] | None = None,
    ) -> None:
        self.taggers = our_taggers(taggers)
        self.names = {**THEIRS, **(names or {})}
        entities = sorted({self.names.get(label, label) for label in labels_of_all(self.taggers)})
        super().__init__(supported_entities=entities, name="UnnameRecogniser", supported_language=supported_language)

    def load(self) -> None:
        """Nothing: the taggers are loaded when they are named."""

    def analyze(self, text: str, entities: Sequence[str], nlp_artifacts: Any = None) -> list[Any]:
        """The spans of these entities. A text that a tagger cannot read to its end raises."""
        spans = ((self.names.get(span.label, span.label), span) for span in spans_of_all(self.taggers, text))
        return [
            RecognizerResult(entity_type=label, start=span.start, end=span.end, score=span.score)
            for label, span in spans if label in entities
        ]  # fmt: skip
