"""A recogniser of Presidio: what our taggers find, under Presidio's names where it has any."""

from collections.abc import Mapping, Sequence
from typing import Any

from presidio_analyzer import EntityRecognizer, RecognizerResult

from unname.taggers.elsewhere.ours import USUAL, found, labels_of_all, our_taggers

THEIRS = {
    "NAME": "PERSON", "PLACE": "LOCATION", "ADDRESS": "LOCATION", "POSTCODE": "LOCATION", "ORGANISATION": "ORGANIZATION",
    "GROUP": "NRP", "DATE": "DATE_TIME", "EMAIL": "EMAIL_ADDRESS", "PHONE": "PHONE_NUMBER", "FAX": "PHONE_NUMBER",
    "IP": "IP_ADDRESS", "MAC": "MAC_ADDRESS", "IBAN": "IBAN_CODE", "CARD": "CREDIT_CARD",
}  # fmt: skip


class UnnameRecogniser(EntityRecognizer):  # type: ignore[misc]  # the library is not installed where types are checked
    """What our taggers find: `analyzer.registry.add_recognizer(UnnameRecogniser())`.

    `taggers` are names or folders of trained ones; `names` says what our labels are called beside `THEIRS`.
    """

    def __init__(
        self, taggers: Sequence[str] = USUAL, *, supported_language: str = "en", names: Mapping[str, str] | None = None
    ) -> None:
        self.taggers = our_taggers(taggers)
        self.names = {**THEIRS, **(names or {})}
        entities = sorted({self.names.get(label, label) for label in labels_of_all(self.taggers)})
        super().__init__(supported_entities=entities, name="UnnameRecogniser", supported_language=supported_language)

    def load(self) -> None:
        """Nothing: the taggers are loaded when they are named."""

    def analyze(self, text: str, entities: Sequence[str], nlp_artifacts: Any = None) -> list[Any]:
        """What is found of these entities. A text that a tagger cannot read to its end raises."""
        spans = ((self.names.get(span.label, span.label), span) for span in found(self.taggers, text))
        return [
            RecognizerResult(entity_type=label, start=span.start, end=span.end, score=span.score)
            for label, span in spans if label in entities
        ]  # fmt: skip
