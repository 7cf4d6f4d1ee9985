"""Small made-up cases for the tests of the search, and slow, obvious ways to say what the state should say."""

import random
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from hypothesis import strategies as st

from unname.masking.base import Case
from unname.masking.search_state import SearchState
from unname.reidentifiers.base import AdditiveIndex
from unname.reidentifiers.terms.bm25 import Bm25
from unname.reidentifiers.terms.ngrams import Ngrams
from unname.text import WORD, fold
from unname.types import Document, Mask, MaskSpan, Profile

VOCABULARY = ("Ada", "Byron", "mill", "miller", "York", "1897", "the", "smith", "of", "Leeds")
THE_MILL = ("the old mill near York", "mill", *(["the " + " ".join(f"w{i}" for i in range(20))] * 6))
SPELLINGS = ("{}", "{},", "{}.", "({})")


def ensemble_of(
    profiles: Sequence[Profile], *, members: Sequence[str] = ("bm25", "ngrams")
) -> dict[str, AdditiveIndex]:
    """Fitted and indexed members by versioned name."""
    made = {"bm25": Bm25, "ngrams": Ngrams}
    return {f"{name}.v1": made[name]().fit(profiles).index(profiles) for name in members}


def case_of(
    people: Sequence[str],
    texts: Sequence[str],
    *,
    k: int = 1,
    members: Sequence[str] = ("bm25", "ngrams"),
    mandatory: Sequence[Sequence[tuple[int, int]]] = (),
    never: Sequence[str] = (),
    budget: float = 1.0,
) -> Case:
    """The case of the first of some people, each a text, with documents by text."""
    profiles = [Profile(str(i), {"note": note}) for i, note in enumerate(people)]
    documents = tuple(Document(f"d{i}", text, "0") for i, text in enumerate(texts))
    spans = tuple(tuple(MaskSpan(a, b, "rule") for a, b in row) for row in mandatory)
    ensemble = ensemble_of(profiles, members=members)
    targets = (k,) * len(texts)
    return Case(documents, profiles[0], 0, ensemble, targets, k, spans, frozenset(never), budget)


def random_case(seed: int, *, people: int = 6, most_words: int = 10, texts: int = 1, k: int = 2) -> Case:
    """A case drawn from a seed, for tests that count over many."""
    draw = random.Random(seed)
    notes = [" ".join(draw.choices(VOCABULARY, k=draw.randint(1, 6))) for _ in range(people)]
    written = [" ".join(draw.choices(VOCABULARY, k=draw.randint(1, most_words))) for _ in range(texts)]
    return case_of(notes, written, k=k)


_words = st.sampled_from(VOCABULARY)
_notes = st.lists(_words, max_size=6).map(" ".join)
_texts = st.lists(st.builds(lambda w, s: s.format(w), _words, st.sampled_from(SPELLINGS)), max_size=10).map(" ".join)


def _cases(never: st.SearchStrategy[list[str]], budget: st.SearchStrategy[float]) -> st.SearchStrategy[Case]:
    return st.builds(
        lambda notes, texts, k, n, b: case_of(notes, texts, k=min(k, len(notes) - 1), never=n, budget=b),
        st.lists(_notes, min_size=2, max_size=7),
        st.lists(_texts, min_size=1, max_size=3),
        st.integers(1, 6),
        never,
        budget,
    )


cases = _cases(st.just([]), st.just(1.0))
hard_cases = _cases(st.lists(_words.map(fold), max_size=2), st.sampled_from([0.1, 0.25, 0.5, 1.0]))


def rendered(case: Case, masks: Sequence[Mask]) -> list[str]:
    """The released texts, spans replaced one by one from the end."""
    texts = []
    for document, mask in zip(case.documents, masks, strict=True):
        text = document.text
        for span in sorted(mask.spans, key=lambda s: -s.start):
            text = text[: span.start] + "[MASK]" + text[span.end :]
        texts.append(text)
    return texts


def board_masks(state: SearchState) -> list[Mask]:
    """Masks of what is hidden on a state now, mandatory mask included."""
    rows = [list(mandatory) for mandatory in state.case.mandatory]
    for unit, hidden in zip(state.units, state.hidden, strict=True):
        if hidden:
            rows[unit.document] += [MaskSpan(w.start, w.end, "state") for w in unit.occurrences]
    return [
        Mask(d.id, tuple(sorted(r, key=lambda s: s.start))) for d, r in zip(state.case.documents, rows, strict=True)
    ]


def recounted(case: Case, texts: Sequence[str]) -> dict[tuple[str, int | None], int]:
    """Crowds of released texts scored from scratch: by member and document, and by member for the sum (None)."""
    found: dict[tuple[str, int | None], int] = {}
    for name, index in case.ensemble.items():
        scores = [index.scores(text) for text in texts]
        rows: Mapping[int | None, object] = dict(enumerate(scores)) | ({None: sum(scores)} if len(scores) > 1 else {})
        for document, row in rows.items():
            values = np.asarray(row).tolist()
            others = [value for column, value in enumerate(values) if column != case.column]
            found[name, document] = sum(value >= values[case.column] for value in others)
    return found


def reached(case: Case, masks: Sequence[Mask]) -> bool:
    """Whether every crowd of the released texts is as large as the case asks."""
    crowds = recounted(case, rendered(case, masks))
    return all(n >= (case.person_target if d is None else case.targets[d]) for (_, d), n in crowds.items())


def hidden_words(case: Case, masks: Sequence[Mask]) -> int:
    """How many word occurrences the masks hide."""
    return sum(
        any(s.start < m.end() and m.start() < s.end for s in mask.spans)
        for document, mask in zip(case.documents, masks, strict=True)
        for m in WORD.finditer(document.text)
    )


def fewest_words(case: Case) -> int | None:
    """The least number of word occurrences that must go, by trying every set of units; None if no set will do."""
    state = SearchState(case)
    best: int | None = None
    for size in range(len(state.units) + 1):
        for chosen in combinations(range(len(state.units)), size):
            cost = sum(len(state.units[unit].occurrences) for unit in chosen)
            if best is None or cost < best:
                for unit in chosen:
                    state.hide(unit)
                if state.satisfied():
                    best = cost
                for unit in chosen:
                    state.give_back(unit)
    return best
