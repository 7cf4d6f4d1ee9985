"""I2: release = transform(document, mask): what no span covers is the same to the byte, for all of Unicode."""

import dataclasses
import re
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from unname.job import Deidentification
from unname.knowledge.fictional import Town
from unname.knowledge.population import make_population
from unname.protecting.result import Deidentified
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, Profile, Release
from unname.verbs.deidentify.in_memory import deidentify

KEY = b"k" * 32
PROFILES = [
    Profile("a", {"name": "Ada Lovelace", "trade": "writer of programs", "town": "Zoë İstanbul ﬁne"}),
    Profile("b", {"name": "Ada Byron", "trade": "poet"}),
    Profile("c", {"name": "Karl Word", "trade": "smith", "note": "fine day \U00010330"}),
    Profile("d", {"name": "Ka Rl", "phone": "0555 123 456"}),
]
POPULATION = make_population(PROFILES)
KNOWN = ["Ada", "LOVELACE", "Ada Byron", "writer", "İstanbul", "ﬁne", "0555-123 456", "[MASK]", "[NAME_1]", "[A", "B]",
         "[[X]]", "\x00", "\u200b", "\u202e", "e\u0301", "\U0001f600", "\r\n", "a", "smith's", "_", "x" * 50]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(KNOWN), st.text(max_size=12)), max_size=12).flatmap(
    lambda parts: st.sampled_from(["", " ", "-", "\n"]).map(lambda between: between.join(parts))
)


def masked_again(text: str, spans: Sequence[MaskSpan], transform: str) -> str:
    """What the transform should make of a text: a second, character by character account."""
    hidden = [False] * len(text)
    token = {span.start: f"[{span.label or 'MASK'}]" for span in spans}
    for span in spans:
        hidden[span.start : span.end] = [True] * (span.end - span.start)
    if transform == "delete":
        return "".join(c for c, h in zip(text, hidden, strict=True) if not h)
    if transform == "redact":
        return "".join(token[i] if i in token else "" if hidden[i] else c for i, c in enumerate(text))
    ends = {span.start: span.end for span in spans}
    # Runs of spans as sets of their tokens, and what stands after each run.
    runs: list[tuple[set[str], str]] = [(set(), "")]
    i = 0
    while i < len(text):
        said, after = runs[-1]
        if i not in ends:
            runs[-1] = (said, after + text[i])
            i += 1
            continue
        if said and not re.search(r"\w", after):
            runs[-1] = (said | {token[i]}, "")
        else:
            runs.append(({token[i]}, ""))
        i = ends[i]
    return "".join((said.pop() if len(said) == 1 else "[MASK]" if said else "") + after for said, after in runs)


def require_masked_text(document: Document, mask: Mask, release: Release, transform: str) -> None:
    """Spans are sorted, disjoint and in range; the release is exactly what mask and transform say; the map is whole."""
    end = 0
    for span in mask.spans:
        assert end <= span.start < span.end <= len(document.text), "a span is out of order, empty or out of range"
        end = span.end
    assert release.text == masked_again(document.text, mask.spans, transform), "a character was changed"
    at = read = 0
    starts = {span.start for span in mask.spans}
    for out_start, out_end, in_start, in_end in release.pieces:
        assert (out_start, in_start) == (at, read), "the map back has a gap"
        if in_start not in starts:
            kept = document.text[in_start:in_end]
            assert release.text[out_start:out_end].encode() == kept.encode(), "the map back is wrong"
        at, read = out_end, in_end
    assert (at, read) == (len(release.text), len(document.text)), "the map back ends early"


def require_all_masked_text(result: Deidentified, transform: str) -> int:
    """The same of everything that a run released; returns how many documents that was."""
    count = 0
    for document, mask, release in zip(result.documents, result.masks, result.releases, strict=True):
        if release is not None:
            require_masked_text(document, mask, release, transform)
            count += 1
    return count


def run(texts: Sequence[str], transform: str, unit: str = "word") -> Deidentified:
    """All texts are about the first person."""
    documents = [Document(str(i), text, "a") for i, text in enumerate(texts)]
    wanted = Deidentification(k=1, transform=transform, unit=unit)
    return deidentify(documents, POPULATION, settings=dataclasses.replace(wanted, always=["/b+/", "poet"]), key=KEY)


@pytest.mark.parametrize("transform", ["redact", "collapse", "delete"])
def test_only_masked_characters_change_in_any_text(transform: str) -> None:
    released = []

    @settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    @given(texts=st.lists(TEXTS, min_size=1, max_size=3), unit=st.sampled_from(["word", "occurrence"]))
    def check(texts: list[str], unit: str) -> None:
        released.append(require_all_masked_text(run(texts, transform, unit), transform))

    check()
    assert sum(released) > 80, "most texts must be released, or nothing was tested"


def test_what_looks_like_a_placeholder_in_the_input_is_masked() -> None:
    text = "It says [NAME_1] and [MASK] and [A[B]C] here"
    for transform in ("redact", "collapse", "delete"):
        released = run([text], transform).releases[0]
        assert released is not None
        left = released.text if transform == "delete" else released.text.replace("[MASK]", " ")
        assert not re.search(r"\[[A-Z]+(?:_[A-Z0-9]+)*\]", left), "a forged placeholder is left"


def test_a_realistic_release_changes_masked_characters_only(town: Town) -> None:
    for transform in ("redact", "collapse", "delete"):
        result = deidentify(
            town.documents[:20], make_population(town.profiles), key=KEY,
            settings=Deidentification(k=3, reidentifiers=("bm25",), transform=transform),
        )  # fmt: skip
        assert require_all_masked_text(result, transform) > 15


FAULTS: dict[str, Callable[[Document, Mask, Release], Release]] = {
    "changes a byte": lambda d, m, r: Release(r.document, r.text.replace("day", "dax"), r.pieces),
    "normalises": lambda d, m, r: Release(r.document, r.text.replace("e\u0301", "é"), r.pieces),
    "strips a space": lambda d, m, r: Release(r.document, r.text.rstrip(), r.pieces),
    "forgets the last span": lambda d, m, r: REDACT(Redact(), d, Mask(d.id, m.spans[:-1])),
    "hides too much": lambda d, m, r: REDACT(Redact(), d, Mask(d.id, (MaskSpan(0, 5, "x"),))),
    "loses a piece": lambda d, m, r: Release(r.document, r.text, r.pieces[:-1]),
}
REDACT = Redact.release


@pytest.mark.parametrize("fault", FAULTS)
def test_the_check_notices_a_transform_that(fault: str) -> None:
    document = Document("0", "once a day e\u0301 Ada Lovelace wrote ", "a")
    mask = run([document.text], "redact").masks[0]
    assert mask.spans
    with pytest.raises(AssertionError):
        require_masked_text(document, mask, FAULTS[fault](document, mask, REDACT(Redact(), document, mask)), "redact")


def test_the_check_notices_spans_out_of_order() -> None:
    document = Document("0", "abcdef", "a")
    for spans in ((MaskSpan(3, 4, "x"), MaskSpan(0, 1, "x")), (MaskSpan(0, 9, "x"),), (MaskSpan(2, 2, "x"),)):
        with pytest.raises(AssertionError, match="out of"):
            require_masked_text(document, Mask("0", spans), Release("0", "abcdef", ()), "redact")
