"""Made-up texts with gold and predicted spans, for the tests of what a tagger found."""

from hypothesis import strategies as st

from unname.types import Document, Span

LABELS = ("PATIENT", "DATE", "IDNUM", "DOCTOR")
ALPHABET = "ab Zé1-_,'\n.ñ"


@st.composite
def cases(draw: st.DrawFn, most: int = 3) -> tuple[list[Document], list[list[Span]]]:
    """Documents with any spans, overlapping or not, and predictions that are often near to them."""
    documents, predicted = [], []
    for place in range(draw(st.integers(1, most))):
        text = draw(st.text(alphabet=ALPHABET, min_size=1, max_size=24))
        gold = draw(st.lists(spans(len(text)), max_size=5))
        near = [Span(s.start, min(len(text), s.end + draw(st.integers(0, 3))), s.label) for s in gold]
        guess = draw(
            st.lists(st.one_of(spans(len(text)), *([st.sampled_from(gold + near)] if gold else [])), max_size=5)
        )
        documents.append(Document(f"d{place}", text, spans=tuple(sorted(gold))))
        predicted.append(sorted(guess))
    return documents, predicted


@st.composite
def spans(draw: st.DrawFn, length: int) -> Span:
    """Any span that is not empty."""
    start = draw(st.integers(0, length - 1))
    return Span(start, draw(st.integers(start + 1, length)), draw(st.sampled_from(LABELS)))


def disjoint(spans: list[Span]) -> list[Span]:
    """Those that start after the one before has ended."""
    kept: list[Span] = []
    for span in sorted(spans):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def place(text: str, part: str, label: str, kind: str = "", entity: str = "") -> Span:
    """The span of the first occurrence of a part."""
    start = text.index(part)
    return Span(start, start + len(part), label, kind, entity)
