"""The tagger that ships: its network beside a plain one, places in odd texts, leaning, weights of another version, time."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.numpy import load, save

from tests.times import in_proportion
from unname.errors import ModelError, SettingsError
from unname.taggers.entities.network import REACH, STEPS, ConvolutionNetwork, FloatArray
from unname.taggers.entities.tagger import LABELS, WEIGHTS, Entities, loaded, usual
from unname.taggers.entities.words import KINDS, LISTS, ROWS, SIGNS, VERSION, bits_of, seen, short_hash
from unname.taggers.labels import is_direct
from unname.taggers.reading import read
from unname.testing import HARD_TEXTS, check_tagger
from unname.text import fold
from unname.types import Span

TAGGER = Entities()
NOTE = "Mrs Margaret Holloway, aged 46, told Dr. James Whitfield in Manchester on 3 May 2021 that she is a nurse."


def words_of(text: str, label: str, tagger: Entities = TAGGER) -> list[str]:
    return [text[s.start : s.end] for s in tagger.tag([text])[0] if s.label == label]


def places_of(spans: list[Span]) -> list[tuple[int, int, str]]:
    return [(s.start, s.end, s.label) for s in spans]


def test_it_is_a_tagger() -> None:
    check_tagger(TAGGER)
    check_tagger(Entities(lean=20))


def test_people_are_found_in_plain_sentences() -> None:
    names = words_of(NOTE, "NAME")
    assert any("Holloway" in name for name in names) and any("Whitfield" in name for name in names)
    assert any("Manchester" in said for said in words_of(NOTE, "PLACE"))
    assert any("2021" in said for said in words_of(NOTE, "DATE"))


def test_labels_are_those_that_it_says_and_repr_shows_no_path() -> None:
    assert TAGGER.labels == set(LABELS) and TAGGER.name == "entities.v1"
    assert {s.label for s in TAGGER.tag([NOTE * 3])[0]} <= TAGGER.labels
    assert {label for label in LABELS if is_direct(label)} == {"NAME", "ID", "CONTACT"}
    assert repr(TAGGER) == "Entities(lean=1)"


# --- the network, and a plain one


def plainly(network: ConvolutionNetwork, rows: FloatArray, signs: FloatArray) -> FloatArray:
    """The same scores in double precision, token by token, with no windows and nothing padded."""
    state = [sum(network.table[row].astype(float) for row in each) + own @ network.signs.astype(float)
             for each, own in zip(rows, signs.astype(float), strict=True)]  # fmt: skip
    for layer, step in zip(network.layers, STEPS, strict=True):
        normed = [
            (one - one.mean()) / np.sqrt(((one - one.mean()) ** 2).mean() + 1e-5) * layer["scale"] + layer["shift"]
            for one in state
        ]
        nothing = np.zeros_like(normed[0])
        after = []
        for at, one in enumerate(state):
            left = normed[at - step] if at >= step else nothing
            right = normed[at + step] if at + step < len(state) else nothing
            first, second = np.split(np.concatenate([left, normed[at], right]) @ layer["weights"] + layer["bias"], 2)
            after.append(one + np.maximum(first, second))
        state = after
    return np.array([one @ network.out + network.bias for one in state])


@pytest.mark.parametrize("many", [1, 2, 31, 33, 129, 512, 513, 1100])
def test_scores_are_those_of_a_plain_network(many: int) -> None:
    """Of texts that end at the borders of windows and of what is padded, too."""
    model = loaded(WEIGHTS)
    text = " ".join((NOTE + " Ein Satz, und noch einer: 12/03/1999!\n").split() * (1 + many // 20))
    reading = read(text)
    rows, signs = seen(reading.normalised.text, reading.tokens[:many], model.lexicon)
    assert len(rows) == many
    found, plain = model.network.scores(rows, signs), plainly(model.network, rows, signs)
    assert found.shape == (many, 1 + 2 * len(LABELS)) and found.dtype == np.float32
    assert np.abs(found - plain).max() < 1e-3
    assert sum(STEPS) == REACH


def test_a_text_of_no_tokens_has_no_scores() -> None:
    model = loaded(WEIGHTS)
    assert model.network.scores(*seen("", [], model.lexicon)).shape == (0, 1 + 2 * len(LABELS))
    assert TAGGER.tag(["", "  \n\t"]) == [[], []]


def test_words_far_away_change_no_probability() -> None:
    """A token is read by those within reach alone, so a text's beginning reads the same in a text of any length."""
    end = " and then nothing was said of anything" * 300
    _, short = TAGGER.read(NOTE + end[:400])
    _, long = TAGGER.read(NOTE + end)
    same = len(short) - REACH - 4
    assert same > 40 and len(long) > 2000
    assert np.abs(short[:same] - long[:same]).max() < 1e-4


def test_probabilities_are_some_and_rows_and_signs_are_in_range() -> None:
    model = loaded(WEIGHTS)
    for text in (*HARD_TEXTS, NOTE):
        reading, probable = TAGGER.read(text)
        assert probable.shape == (len(reading.tokens), 1 + 2 * len(LABELS))
        assert np.allclose(probable.sum(axis=1), 1, atol=1e-4) and (probable >= 0).all()
        rows, signs = seen(reading.normalised.text, reading.tokens, model.lexicon)
        assert rows.shape == (len(reading.tokens), len(KINDS)) and signs.shape == (len(reading.tokens), SIGNS)
        assert not len(rows) or (rows.min() >= 0 and rows.max() < ROWS == len(model.network.table))
        assert set(np.unique(signs)) <= {0.0, 1.0}


def test_company_and_order_change_nothing() -> None:
    texts = [NOTE, "Ich heiße Anna und wohne in Bremen.", "", NOTE * 20, "x"]
    alone = [TAGGER.tag([text])[0] for text in texts]
    assert TAGGER.tag(texts) == alone and TAGGER.tag(texts[::-1]) == alone[::-1]


# --- odd texts


ODD = (
    "\U0001f600\U0001f600 ", "\r\n", "e\u0301", "\u200b", "\u202e", "\ufeff", "ﬁ", "İ", "\x00", "½", "\ud800", "\u0301", "—",
    "ЖДАН ", "王小明", "Zoë\u0308", "1.", "12/03/1999", "Anna", " ", "\t", "Müller", "\u2028", "'", "ß", "Ǆ", "٣٤",
)  # fmt: skip


@settings(max_examples=40)
@given(st.lists(st.sampled_from((*ODD, "Mrs Margaret Holloway ", "lives in ", "Ich heiße ")), max_size=30).map("".join))
def test_spans_of_odd_texts_are_sorted_disjoint_and_in_range(text: str) -> None:
    (spans,) = Entities(lean=5).tag([text])
    assert all(0 <= s.start < s.end <= len(text) and 0 <= s.score <= 1 and s.label in LABELS for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize(
    "before", ["\U0001f600\U0001f468\u200d\U0001f469 ", "e\u0301e\u0301 ", "\r\n\r\n", "\ufeff", "ﬁne. "]
)
def test_places_are_code_points_of_the_text_as_it_stands(before: str) -> None:
    assert any("Margaret Holloway" in name for name in words_of(before + NOTE, "NAME"))


def test_line_ends_of_either_kind_are_read_alike() -> None:
    lines = ["Patient: Margaret Holloway", "Seen by Dr. James Whitfield in Manchester.", "", "She is a nurse."]
    one, other = ("\n".join(lines), "\r\n".join(lines))
    found = [[(s.label, text[s.start : s.end]) for s in TAGGER.tag([text])[0]] for text in (one, other)]
    assert found[0] == found[1] and found[0]


def test_names_with_combining_marks_are_found_whole() -> None:
    for name in ("Zoë Müller", "Zoe\u0308 Mu\u0308ller"):
        text = f"Her name is {name} and she was born in Hamburg."
        said = words_of(text, "NAME")
        assert said and all(text[text.index(one) + len(one)] == " " for one in said)


def test_spans_begin_and_end_with_no_sign() -> None:
    text = f"({NOTE}) \"Margaret Holloway\", 'James Whitfield'; — Manchester!"
    for span in Entities(lean=20).tag([text])[0]:
        said = text[span.start : span.end]
        assert said[0] not in " (\"',;—!" and said[-1] not in " )\"',;—!"


# --- leaning


def test_a_larger_lean_finds_no_fewer_identifiers() -> None:
    text = f"{NOTE} Ein Satz über nichts. Someone said that the Board met in spring, and Rose liked it."
    tokens = [
        sum(span.end - span.start for span in Entities(lean=lean).tag([text])[0]) for lean in (0.01, 0.5, 1, 5, 1000)
    ]
    assert tokens == sorted(tokens) and tokens[0] < tokens[-1]


@pytest.mark.parametrize("lean", [0, -1, 0.001, 2000, float("nan"), float("inf")])
def test_a_lean_that_means_nothing_is_refused(lean: float) -> None:
    with pytest.raises(SettingsError, match="lean"):
        Entities(lean=lean)


# --- what it has learned


def altered(folder: Path, **arrays: np.ndarray) -> Path:
    path = folder / "weights.safetensors"
    path.write_bytes(save({**load(WEIGHTS.read_bytes()), **arrays}))
    return path


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    other = altered(tmp_path, version=np.array([VERSION + 1], np.int32))
    with pytest.raises(ModelError, match="another version"):
        Entities(weights=other).tag(["Anna"])


def test_weights_with_no_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "weights.safetensors"
    path.write_bytes(save({"table": np.zeros((2, 2), np.int8)}))
    with pytest.raises(ModelError, match="another version"):
        Entities(weights=path).tag(["Anna"])


def test_everyday_words_are_usual_and_invented_ones_are_not() -> None:
    assert usual("the") > usual("nurse") >= 1 and usual("Haus") >= 3 and usual("casa") >= 3
    assert usual("Quillbeckston") == usual("") == 0
    assert usual("The") >= usual("the")


def test_a_list_as_bits_holds_its_words() -> None:
    held = bits_of(["Anna", "Zoë", "Anna"], 64)
    assert held.dtype == np.uint8 and held.shape == (64,)
    assert 1 <= sum(int(byte).bit_count() for byte in held) <= 2
    assert (held == bits_of(["zoë", "anna"], 64)).all() and fold("Anna") == "anna"
    assert 0 <= short_hash("Anna") < 1 << 32 and set(LISTS) == set(loaded(WEIGHTS).lexicon.lists)


def test_a_file_small_enough_to_ship_holds_the_weights() -> None:
    assert WEIGHTS.stat().st_size <= 15 * 1024 * 1024


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [NOTE + " ", "A", "Anna ", "a.", "(", "12/", "\n", "İ ", "王", "B-1 ", "Margaret\r\n"],
    ids=["prose", "letters", "names", "stops", "brackets", "dates", "lines", "folding", "signs", "codes", "broken"],
)
def test_a_text_of_a_hundred_thousand_characters_takes_time_in_proportion(part: str) -> None:
    TAGGER.tag([part])
    few, text = ((part * (1 + size // len(part)))[:size] for size in (25_000, 100_000))
    (spans,) = TAGGER.tag([text])
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert in_proportion(lambda: TAGGER.tag([few]), lambda: TAGGER.tag([text]))
