"""Conformance suites: what every method, reidentifier, tagger and transform must satisfy, ours or a stranger's.

Call them from a test of your own part, with the part or with what makes one; they raise AssertionError with what is
wrong. They need nothing but Unname.
"""

from collections.abc import Callable, Sequence
from copy import deepcopy
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar, cast

import numpy as np

from unname.errors import InputError
from unname.masking.base import Case, Method
from unname.reidentifiers.base import AdditiveIndex, GradedIndex, LocalIndex, Reidentifier
from unname.reidentifiers.terms.bm25 import Bm25
from unname.taggers.base import Tagger, TrainableTagger
from unname.text import words
from unname.transforms.base import Context, Transform
from unname.types import Document, Mask, MaskSpan, Profile, Release, Span

Part = TypeVar("Part")
HARD_TEXTS = (
    "",
    "x",
    "Ada Lovelace met Ada Byron; Ada wrote.",
    "\U0001f600 Zoë \U00010330\U00010331 İstanbul ﬁne ½ e\u0301",
    "no\x00thing \u200b zero \u202e bidi \r\n tab\t",
    "[MASK] [NAME_1] and [MASK",
    "word " * 20_000,
)


def sample_profiles() -> list[Profile]:
    """A few made-up people, two of them alike to the letter."""
    return [
        Profile("a", {"name": "Ada Lovelace", "trade": "writer", "town": "Zoë İstanbul"}),
        Profile("b", {"name": "Ada Byron", "trade": "poet"}),
        Profile("c", {"name": "Karl Word", "trade": "smith", "note": "fine fine day"}),
        Profile("d", {"name": "Karl Word", "trade": "smith", "note": "fine fine day"}),
        Profile("e", {}),
        Profile("f", {"name": "Tab Nothing"}),
    ]


def check_reidentifier(part: Reidentifier | Callable[[], Reidentifier]) -> None:
    """Scores are integers, one a profile, the same every time and in any company; hard texts break nothing.

    And a copy that was sent to another process, as an audit with several workers sends it, gives the same scores.
    """
    make = _factory(part, "index")
    profiles = sample_profiles()
    documents = [Document(str(i), text, "a") for i, text in enumerate(HARD_TEXTS)]
    index = make().fit(profiles, documents).index(profiles)
    again = make().fit(profiles, documents).index(profiles)
    assert "." in make().name and make().name.rpartition(".v")[2].isdigit(), "the name must carry a version"
    assert index.people == tuple(p.id for p in profiles), "columns must follow the profiles"
    _, sent = _sent((make().fit(profiles, documents), index))
    together = index.scores_of(HARD_TEXTS)
    assert together.shape == (len(HARD_TEXTS), len(profiles)) and together.dtype == np.int64
    for row, text in zip(together, HARD_TEXTS, strict=True):
        alone = index.scores(text)
        assert alone.shape == (len(profiles),) and alone.dtype == np.int64
        assert np.abs(row - alone).max() <= 2, "company must not change a score (2⁻¹⁹ allowed for blocked arithmetic)"
        assert np.array_equal(alone, again.scores(text)), "the same input must give the same scores"
        assert np.array_equal(alone, sent.scores(text)), "a copy in another process must give the same scores"
        assert alone[2] == alone[3], "people whose profiles are alike must tie"
    if isinstance(index, AdditiveIndex):
        for text in HARD_TEXTS:
            distinct = list(dict.fromkeys(w.folded for w in words(text) if not text.startswith("[")))
            if not text.startswith("["):
                parts = index.contributions(distinct)
                assert np.array_equal(index.scores(text), parts.sum(axis=0)), (
                    "a score must be the sum over distinct words"
                )
                assert np.array_equal(index.scores(text), index.sum_of(distinct)), (
                    "a score must be the sum of its words"
                )
                some = np.array([1, 3])
                assert np.array_equal(parts[:, some], index.contributions(distinct, some)), "some people, same parts"
    if isinstance(index, LocalIndex):
        for text in HARD_TEXTS:
            row = [*dict.fromkeys(w.folded for w in words(text)), "nowhere"]
            worth = index.worth(text, row, np.array([1, 3]))
            assert worth.shape == (len(row), 2) and np.isfinite(worth).all(), "every word must be worth a number"
            assert not worth[-1].any(), "a word that is not there must be worth nothing"
            if isinstance(index, GradedIndex):
                falls = index.falls(text, row, np.array([1, 3]), 0, np.zeros(2, np.int64), 0.5)
                assert falls.shape == (len(row),) and np.isfinite(falls).all(), "every word must have a fall"
                assert falls[-1] == 0, "a word that is not there must change nothing"
    grown = [*profiles, Profile("g", {"name": "Ada Lovelace"})]
    assert make().fit(profiles, documents).index(grown).scores("Ada").shape == (7,), "new profiles need no refit"


def check_method(part: Method | Callable[[], Method]) -> None:
    """Spans are sorted, disjoint, in range and the same every time; input stays as it was; the mandatory mask stays hidden.

    And a copy that was sent to another process, as a run with several workers sends it, gives the same masks.
    """
    make = _factory(part, "mask")
    sent = _sent(make())
    assert isinstance(sent, Method), "a method has a name, seeks_crowd, keyed_targets and mask"
    assert sent.name == make().name, "a method must arrive in another process under its own name"
    profiles = sample_profiles()
    index = Bm25().fit(profiles).index(profiles)
    for texts in [*((text,) for text in HARD_TEXTS), HARD_TEXTS[2:4]]:
        documents = tuple(Document(str(i), text, "a") for i, text in enumerate(texts))
        mandatory = tuple((MaskSpan(0, 1, "rule"),) if text[:1] == "x" else () for text in texts)
        case = Case(documents, profiles[0], 0, {"bm25.v1": index}, (3,) * len(texts), 3, mandatory)
        kept = deepcopy(case.documents)
        masks = make().mask(case)
        assert [m.document for m in masks] == [d.id for d in documents], "one mask per document, in order"
        assert [m.spans for m in masks] == [m.spans for m in make().mask(case)], (
            "the same input must give the same mask"
        )
        assert [m.spans for m in masks] == [m.spans for m in sent.mask(case)], (
            "a copy in another process must give the same mask"
        )
        assert case.documents == kept, "a method must not change its input"
        for document, mask, hidden in zip(documents, masks, mandatory, strict=True):
            _check_places(document.text, mask.spans)
            assert all(span.method for span in mask.spans), "every span must say which method set it"
            assert all(mask.covers(s.start, s.end) for s in hidden), "the mandatory mask must stay hidden"


def _factory(part: Part | Callable[[], Part], does: str) -> Callable[[], Part]:
    """A maker of such a part: itself, or for a part that is made already, and `does` its work, fresh copies of it."""
    made = not isinstance(part, type) and hasattr(part, does)
    return cast(Callable[[], Part], (lambda: deepcopy(part)) if made else part)


def _sent(part: Part) -> Part:
    """A part as it arrives in another process."""
    try:
        copy: Part = ForkingPickler.loads(ForkingPickler.dumps(part))
    except Exception as error:  # whatever a part's own attributes raise
        raise AssertionError(f"a part must survive the way to another process: {type(error).__name__}") from error
    return copy


def sample_notes() -> list[Document]:
    """A few dozen made-up notes, with their names, ages, towns and dates as spans."""
    people = (
        "Ada Byron",
        "Karl Ohm",
        "Zoë Adams",
        "İlker Demir",
        "Mary Shaw",
        "Omar Vance",
        "Lin Mora",
        "Eva Ruiz Sol",
    )
    towns = ("Dunmore", "Port Ash", "Elmira", "Westhaven", "Oldbridge")
    notes = []
    for number in range(32):
        who, doctor, town = people[number % 8], people[(3 * number + 1) % 8], towns[number % 5]
        day, age = f"{number % 28 + 1:02}/{number % 12 + 1:02}/20{number % 20:02}", str(20 + 2 * number)
        parts = [
            ("Name: ", ""), (who, "NAME"), (".\nAge: ", ""), (age, "AGE"), (" years Town: ", ""), (town, "PLACE"),
            (".\nAdmitted: ", ""), (day, "DATE"), (".\nHistory: seen for chest pain, no fever, pulse 80 in Ward 3. ", ""),
            (who.split()[-1], "NAME"), (" walked home well. Referred by Dr. ", ""), (doctor, "NAME"), (", ", ""),
            (town, "PLACE"), (".", ""),
        ]  # fmt: skip
        text, spans = "", []
        for part, label in parts:
            spans += [Span(len(text), len(text) + len(part), label)] if label else []
            text += part
        notes.append(Document(str(number), text, spans=tuple(spans)))
    return notes


def check_tagger(part: Tagger | Callable[[], Tagger]) -> None:
    """Spans are sorted, disjoint, in range, scored, the same every time and in any company; hard texts break nothing.

    One that learns is taught made-up notes: it answers with their labels only, is the same when taught again, and when
    saved and loaded. A copy that was sent to another process finds the same.
    """
    make = _factory(part, "tag")
    notes = sample_notes()
    tagger, again = make(), make()
    assert "." in tagger.name and tagger.name.rpartition(".v")[2].isdigit(), "the name must carry a version"
    if isinstance(tagger, TrainableTagger) and isinstance(again, TrainableTagger):
        tagger.fit(notes[:24], notes[24:])
        again.fit(notes[:24], notes[24:])
    texts = [*HARD_TEXTS, *(note.text for note in notes)]
    tagged, sent = tagger.tag(texts), _sent(tagger)
    assert len(tagged) == len(texts), "each text must have its spans"
    for text, spans in zip(texts, tagged, strict=True):
        _check_places(text, spans)
        assert all(span.label and 0 <= span.score <= 1 for span in spans), (
            "a span must have a label, and a score from 0 to 1"
        )
        assert _plain_spans(tagger.tag([text])) == _plain_spans([spans]), "company must not change what is found"
    assert sent.name == tagger.name, "a tagger must arrive in another process under its own name"
    assert _plain_spans(sent.tag(texts)) == _plain_spans(tagged), "a copy in another process must find the same"
    assert _plain_spans(again.tag(texts)) == _plain_spans(tagged), (
        "the same documents and texts must give the same spans"
    )
    assert tagger.tag([]) == [], "no texts have no spans"
    if isinstance(tagger, TrainableTagger):
        labels = {span.label for note in notes for span in note.spans}
        assert {span.label for spans in tagged for span in spans} <= labels, "labels must be those that were taught"
        with TemporaryDirectory() as folder:
            tagger.save(Path(folder, "model"))
            kept = type(tagger).load(Path(folder, "model"))
            assert _plain_spans(kept.tag(texts)) == _plain_spans(tagged), (
                "a tagger that was saved and loaded must find the same"
            )


def _plain_spans(rows: Sequence[Sequence[Span]]) -> list[list[tuple[int, int, str, float]]]:
    """Spans with their scores, which are no part of what makes two the same; to five places, for blocked arithmetic."""
    return [[(span.start, span.end, span.label, round(span.score, 5)) for span in spans] for spans in rows]


def check_transform(part: Transform | Callable[[], Transform]) -> None:
    """Spans are hidden, what no span covers is kept to the byte, pieces map both texts, and bad spans are refused.

    And a copy that was sent to another process, as a run with several workers sends it, makes the same release.
    """
    make = _factory(part, "release")
    sent = _sent(make())
    assert "." in sent.name and sent.name.rpartition(".v")[2].isdigit(), "the name must carry a version"
    assert sent.name == make().name, "a transform must arrive in another process under its own name"

    def context(document: Document) -> Context:
        return Context(bytes(range(32)), "p", row=tuple(words(document.text)))

    for text in HARD_TEXTS:
        document = Document("x", text)
        spans = tuple(MaskSpan(w.start, w.end, "rule") for w in words(text)[::2])
        release = make().release(document, Mask("x", spans), context(document))
        check_pieces(document, spans, release)
        assert make().release(document, Mask("x", spans), context(document)) == release, (
            "the same document, mask and key must give the same release"
        )
        assert sent.release(document, Mask("x", spans), context(document)) == release, (
            "a copy in another process must make the same release"
        )
        assert make().release(document, Mask("x"), context(document)).text == text, "an empty mask must change nothing"
    document = Document("x", "one two three")
    for bad in [((4, 7), (0, 3)), ((0, 5), (4, 7)), ((2, 2),), ((8, 14),), ((-1, 2),)]:
        mask = Mask("x", tuple(MaskSpan(a, b, "rule") for a, b in bad))
        try:
            make().release(document, mask, context(document))
        except InputError:
            continue
        raise AssertionError("spans out of order, overlapping, empty or outside the text must be refused")


def check_pieces(document: Document, spans: Sequence[MaskSpan], release: Release) -> None:
    """The map back of a release: in order, without gaps; every span is replaced, and text between words of no span kept.

    Only what stands between two spans with no word between them may go with them (`collapse`).
    """
    at = read = 0
    replaced: set[int] = set()
    for place, (out_start, out_end, in_start, in_end) in enumerate(release.pieces):
        assert (out_start, in_start) == (at, read), "pieces must follow each other in both texts"
        at, read = out_end, in_end
        if place in release.written:
            written, was = release.written[place], document.text[in_start:in_end]
            assert release.text[out_start:out_end] == written.text, (
                "a piece that was written must say what stands in the text"
            )
            assert not written.invented or written.text != was, "what was invented must not be what it hides"
            replaced.update(range(in_start, in_end))
        else:
            assert release.text[out_start:out_end] == document.text[in_start:in_end], (
                "text outside of spans must stay as it is"
            )
    assert (at, read) == (len(release.text), len(document.text)), "pieces must cover both texts"
    hidden = {i for span in spans for i in range(span.start, span.end)}
    assert hidden <= replaced, "every span must be hidden"
    between = {
        i
        for one, two in zip(spans, spans[1:], strict=False)
        if not words(document.text[one.end : two.start])
        for i in range(one.end, two.start)
    }
    assert replaced <= hidden | between, "text outside of spans must stay as it is"


def _check_places(text: str, spans: Sequence[Span] | Sequence[MaskSpan]) -> None:
    end = 0
    for span in spans:
        assert end <= span.start < span.end <= len(text), "spans must be sorted, disjoint and in range"
        end = span.end
