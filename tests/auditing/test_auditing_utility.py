"""The cost of a release: every figure against a second, slow implementation."""

import re
import unicodedata
import zlib

from hypothesis import given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.auditing.report import Masked
from unname.auditing.utility import (
    cost,
    hidden_by_alignment,
    hidden_classes,
    hidden_words,
    information_loss,
    word_class,
)
from unname.stopwords import function_words
from unname.transforms.redact import Collapse, Delete, Redact
from unname.types import Document, Mask, MaskSpan, merge_spans

texts = st.text(alphabet="ab AB.é 1\n-_", max_size=40)
sentences = st.lists(st.sampled_from(["ada", "Bo", "was", "born", "in", "1948", "at", "ZOË"]), max_size=14)
span_pairs = st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45)), max_size=6)


def mask_of(text: str, pairs: list[tuple[int, int]]) -> Mask:
    """A valid mask from any pairs of numbers."""
    ends = [(min(a, b), min(max(a, b), len(text))) for a, b in pairs]
    return Mask("d", merge_spans(MaskSpan(a, b, "test") for a, b in ends if a < b))


def word_mask(document: Document, chosen: list[bool]) -> Mask:
    """A mask over whole words."""
    found = list(re.finditer(r"\w+", document.text))
    return Mask("d", tuple(MaskSpan(*m.span(), "test") for m, hide in zip(found, chosen, strict=False) if hide))


# --- hidden words


@given(texts, span_pairs)
def test_a_word_is_hidden_when_a_span_holds_any_of_its_characters(text: str, pairs: list[tuple[int, int]]) -> None:
    mask = mask_of(text, pairs)
    gone = {i for s in mask.spans for i in range(s.start, s.end)}
    found = list(re.finditer(r"\w+", text))
    expected = sum(any(i in gone for i in range(*m.span())) for m in found)
    assert hidden_words(Document("d", text), mask) == (expected, len(found))


def longest_common(before: list[str], after: list[str]) -> int:
    """Longest common subsequence by the table of every schoolbook."""
    table = [[0] * (len(after) + 1) for _ in range(len(before) + 1)]
    for i, a in enumerate(before):
        for j, b in enumerate(after):
            table[i + 1][j + 1] = table[i][j] + 1 if a == b else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


def folded(text: str) -> list[str]:
    """Words without regard to case, as `unname.text` defines them, restated."""
    return [unicodedata.normalize("NFKC", w).casefold() for w in re.findall(r"\w+", text)]


@given(sentences, sentences)
def test_alignment_of_a_rewritten_release_keeps_a_longest_common_subsequence(a: list[str], b: list[str]) -> None:
    before, after = " ".join(a), ", ".join(b)
    kept = longest_common(folded(before), folded(after))
    assert hidden_by_alignment(before, after) == (len(a) - kept, len(a))


@given(sentences, st.lists(st.booleans(), max_size=14))
def test_alignment_counts_what_was_redacted_collapsed_or_deleted(row: list[str], chosen: list[bool]) -> None:
    document = Document("d", " ".join(row))
    mask = word_mask(document, chosen)
    counted = hidden_words(document, mask)
    for transform in (Redact(), Collapse(), Delete()):
        assert hidden_by_alignment(document.text, transform.release(document, mask).text) == counted


def test_placeholders_are_no_words_of_a_foreign_release() -> None:
    assert hidden_by_alignment("Ada met Bo in May", "[NAME_1] met [PERSON] in [MASK]") == (3, 5)
    assert hidden_by_alignment("the mask fell", "the [MASK] fell") == (1, 3)
    assert hidden_by_alignment("a b c", "") == (3, 3)
    assert hidden_by_alignment("", "anything") == (0, 0)
    assert hidden_by_alignment("Ada MET bo", "ada met BO") == (0, 3)


def test_alignment_of_100_kilobytes_of_one_word_takes_no_time() -> None:
    def aligned(many: int) -> None:
        assert hidden_by_alignment("word " * 4 * many, "word " * many) == (3 * many, 4 * many)

    assert in_proportion(lambda: aligned(5_000), lambda: aligned(20_000))


# --- information


def test_information_loss_is_one_minus_compressed_released_over_original() -> None:
    originals = ["Ada Lovelace was born in London", "Bo lives in a mill on the river and keeps bees"]
    released = ["[MASK] [MASK] was born in [MASK]", "[MASK] lives in a mill on the river and keeps bees"]
    before, after = (len(zlib.compress(" ".join(t).encode(), 9)) for t in (originals, released))
    assert information_loss(originals, released) == 1 - after / before
    assert information_loss(originals, originals) == 0
    assert information_loss([], []) == 0


@given(st.lists(st.sampled_from(["[NAME_1]", "[DATE]", "[A_LONG_LABEL_7]", "[MASK]"]), min_size=1, max_size=8))
def test_names_of_placeholders_carry_no_information(tokens: list[str]) -> None:
    originals = ["one two three four five six seven eight nine ten"]
    typed = [" and ".join(tokens)]
    plain = [" and ".join("[MASK]" for _ in tokens)]
    assert information_loss(originals, typed) == information_loss(originals, plain)


# --- kinds of words


def slow_class(text: str, start: int, end: int) -> str:
    """The definition again, by regular expressions over what stands before."""
    word = text[start:end]
    if any(c.isdigit() for c in word):
        return "numbers"
    if word.casefold() in function_words()["en"]:
        return "function words"
    opening = re.search(r"(?:\A|[\n.!?])[ \t\"'“‘(]*\Z", text[:start])
    return "names" if word[0].isupper() and not opening else "other words"


kinds_text = st.text(alphabet='aB. the"\n1!é(', max_size=30)


@given(kinds_text)
def test_kinds_of_words_are_those_of_the_slow_definition(text: str) -> None:
    for match in re.finditer(r"\w+", text):
        assert word_class(text, *match.span()) == slow_class(text, *match.span())


def test_kinds_of_words_by_example() -> None:
    text = 'Rain fell. "Then Ada left on 3rd May.'
    kinds = {m.group(): word_class(text, *m.span()) for m in re.finditer(r"\w+", text)}
    assert kinds == {
        "Rain": "other words",
        "fell": "other words",
        "Then": "function words",
        "Ada": "names",
        "left": "other words",
        "on": "function words",
        "3rd": "numbers",
        "May": "names",
    }


@given(kinds_text, span_pairs)
def test_hidden_kinds_add_up_to_the_hidden_words(text: str, pairs: list[tuple[int, int]]) -> None:
    document, mask = Document("d", text), mask_of(text, pairs)
    found = hidden_classes([document, document], [mask, Mask("d")])
    hidden, total = hidden_words(document, mask)
    assert sum(row.words for row in found.values()) == 2 * total
    assert round(sum(row.words * row.hidden for row in found.values()), 6) == hidden


def test_a_long_document_with_many_spans_is_counted_in_linear_time() -> None:
    def counted(many: int) -> None:
        text = "Word " * many
        mask = Mask("d", tuple(MaskSpan(i, i + 4, "test") for i in range(0, len(text), 10)))
        assert hidden_words(Document("d", text), mask) == (many // 2, many)
        assert hidden_classes([Document("d", text)], [mask])["names"].hidden > 0.4

    assert in_proportion(lambda: counted(10_000), lambda: counted(40_000))


def test_the_cost_is_counted_over_all_words_and_over_documents_withheld_ones_whole() -> None:
    documents = [Document("a", "one two three four", "p"), Document("b", "five six", "q"), Document("c", "", "r")]
    masks = [Mask("a", (MaskSpan(4, 7, "m", 1),)), Mask("b"), Mask("c")]
    paid = cost(documents, ["one [MASK] three four", None, ""], masks)
    assert paid["masked"] == Masked(3 / 6, (1 / 4 + 2 / 2) / 2, 6, "exact")
    assert paid["information_loss"] == information_loss([d.text for d in documents], ["one [MASK] three four", "", ""])
    kinds = paid["kinds"].values()
    assert (sum(kind.words for kind in kinds), sum(kind.words * kind.hidden for kind in kinds)) == (6, 1)
    foreign = cost(documents, ["one XXX three four", None, ""], None)
    assert foreign["masked"] == Masked(3 / 6, (1 / 4 + 2 / 2) / 2, 6, "heuristic") and foreign["kinds"] is None
