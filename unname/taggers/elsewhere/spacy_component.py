"""A component of spaCy: `nlp.add_pipe("unname")` adds our taggers' spans as entities of a document.

spaCy loads this file wherever both are installed, so it loads no tagger of ours before a pipeline wants it.
"""

from collections.abc import Sequence
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc

from unname.shared_options import USUAL_TAGGERS

USUAL = {"taggers": list(USUAL_TAGGERS), "key": "unname", "ents": True}


class UnnameComponent:
    """Writes our taggers' spans to `doc.spans[key]`, and to `doc.ents`, where it comes before entities that overlap it.

    Spans are widened to spaCy's tokens. A text that a tagger cannot read to its end raises: nobody takes a part for the
    whole.
    """

    def __init__(self, taggers: Sequence[str], key: str = "unname", ents: bool = True) -> None:
        from unname.taggers.elsewhere.ours import our_taggers

        self.taggers, self.key, self.ents = our_taggers(taggers), key, ents

    def __repr__(self) -> str:
        return f"UnnameComponent({len(self.taggers)} taggers)"

    def __call__(self, doc: Doc) -> Doc:
        """The document with the spans of our taggers."""
        from unname.taggers.elsewhere.ours import spans_of_all

        marked: list[Any] = []
        for span in spans_of_all(self.taggers, doc.text):
            made = doc.char_span(span.start, span.end, label=span.label, alignment_mode="expand")
            if made is not None and len(made):
                marked.append(made)
        doc.spans[self.key] = marked
        if self.ents:
            taken: set[int] = set()
            kept = [one for one in (*marked, *doc.ents) if _is_free(one, taken)]
            doc.ents = sorted(kept, key=lambda one: int(one.start))
        return doc


def _is_free(span: Any, taken: set[int]) -> bool:
    """Check whether no token of a span is taken; they are from now on."""
    own = set(range(span.start, span.end))
    free = taken.isdisjoint(own)
    if free:
        taken |= own
    return free


@Language.factory("unname", default_config=USUAL, assigns=["doc.ents", "doc.spans"])  # type: ignore[untyped-decorator]
def make_component(nlp: Language, name: str, taggers: list[str], key: str, ents: bool) -> UnnameComponent:
    """The component that `nlp.add_pipe("unname", config={"taggers": ["rules", "model-folder"]})` adds."""
    return UnnameComponent(taggers, key, ents)
