"""Counts of a game, what attackers gain, and the statements of the paper, with planted violations."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.sanitize import Spread
from unname.errors import InvariantError, SettingsError
from unname.text import WORD
from unname.types import Document, Span
from unname.verbs.sanitize.game import RATIOS, Claim, Game, Turn, Words, best_found, require_equilibrium
from unname.verbs.sanitize.page import render_game

GAME = Game(
    10.0, 1.0, 7, 100, 900,
    (
        Turn(100, 900, Claim("crf", 80, 5), kept=True, rivals=(Claim("svm", 60, 50),)),
        Turn(20, 895, Claim("svm", 5, 30), kept=True),
        Turn(15, 865, Claim("crf", 1, 12), kept=False, rivals=(Claim("svm", 0, 4),)),
    ),
)  # fmt: skip
SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 8)), max_size=4)


@given(st.lists(st.tuples(st.text(alphabet="ab .é", max_size=30), SPANS, SPANS), min_size=1, max_size=4))
def test_words_are_touched_as_one_looks_at_each(
    rows: list[tuple[str, list[tuple[int, int]], list[tuple[int, int]]]],
) -> None:
    documents = [
        Document(str(n), text, spans=tuple(Span(a, min(a + b, len(text)), "X") for a, b in gold if a < len(text)))
        for n, (text, gold, _) in enumerate(rows)
    ]
    found = [[Span(a, min(a + b, len(text)), "X") for a, b in other if a < len(text)] for text, _, other in rows]
    words, sensitive, touched, at = Words(documents), [], [], []
    for number, (document, spans) in enumerate(zip(documents, found, strict=True)):
        for m in WORD.finditer(document.text):
            at.append(number)
            sensitive.append(any(s.start < m.end() and m.start() < s.end for s in document.spans))
            touched.append(any(s.start < m.end() and m.start() < s.end for s in spans))
    assert words.sensitive.tolist() == sensitive
    assert words.touched(found).tolist() == touched
    assert words.people.tolist() == at
    both = [a and b for a, b in zip(sensitive, touched, strict=True)]
    assert words.count(np.array(touched, np.bool_)) == (sum(both), sum(touched) - sum(both))


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.integers(0, 6), st.integers(0, 30))
def test_an_attacker_finds_what_reading_in_such_an_order_finds_on_average(
    right: int, wrong: int, missed: int, rest: int, budget: int
) -> None:
    turn = Turn(right + missed, wrong + rest, Claim("crf", right, wrong), kept=False)
    random = np.random.default_rng(0)
    claimed, others = np.repeat([1, 0], [right, wrong]), np.repeat([1, 0], [missed, rest])
    rows = [
        np.concatenate([random.permutation(claimed), random.permutation(others)])[:budget].sum() for _ in range(600)
    ]
    assert turn.found(budget) == pytest.approx(float(np.mean(rows)), abs=0.45)
    every = [random.permutation(np.concatenate([claimed, others]))[:budget].sum() for _ in range(600)]
    assert turn.by_chance(budget) == pytest.approx(float(np.mean(every)), abs=0.45)


def test_what_a_leaning_learner_is_surest_of_is_read_first() -> None:
    turn = Turn(20, 180, Claim("svm", 4, 0), kept=False)
    claims = [Claim("svm leaning 100", 10, 90), Claim("svm", 4, 0), Claim("svm leaning 10", 8, 8)]
    # Four of four; then four of twelve; then two of eighty-four; then ten of a hundred.
    expected = {4: 4, 10: 4 + 4 * 6 / 12, 16: 8, 58: 8 + 2 * 42 / 84, 100: 10, 150: 10 + 10 * 50 / 100, 200: 20}
    assert {budget: turn.found(budget, claims) for budget in expected} == pytest.approx(expected)
    assert best_found(turn, [*claims, Claim("crf", 5, 0)], 5) == 5
    assert best_found(turn, [*claims, Claim("crf", 5, 0)], 16) == 8


def test_a_game_says_what_is_left_and_what_it_cost() -> None:
    require_equilibrium(GAME)
    assert [GAME.publisher_loss(turn) for turn in GAME.turns] == [1000, 205, 185]
    assert (len(GAME.kept), GAME.leaked, GAME.published) == (2, 0.15, 865 / 900)
    assert GAME.table()[1] == ("2", "svm", "5", "30", "20", "99.4 %", "205", "yes")
    said = " ".join(GAME.advice(13))
    assert "Publish after 2 rounds" in said
    assert "96.1 %" in said
    assert "claims 13 words and is right in 1" in said
    assert "reads 13 words finds 1.0" in said


def test_a_game_cut_short_ends_where_it_would_have_ended_at_a_smaller_ratio() -> None:
    assert [len(GAME.cut(ratio).kept) for ratio in (0.01, 1, 5, 6, 6.5, 10)] == [0, 1, 1, 1, 2, 2]
    for ratio in (0.01, 1, 5, 6, 6.5, 10):
        require_equilibrium(GAME.cut(ratio))
    with pytest.raises(SettingsError, match="larger"):
        GAME.cut(11)


def test_what_the_best_of_several_attackers_finds_counts() -> None:
    game = replace(GAME, attackers=(Claim("svm leaning 10", 9, 91),))
    # What the SVM claims as it learned comes first, and is wrong.
    assert game.found(100) == pytest.approx(9)
    assert game.found(13) == pytest.approx(max(1, 9 * 9 / 96))
    assert game.budgets()[0] == 1
    assert game.budgets()[-1] == 880


def turns(*changed: Turn) -> Game:
    """The game with other turns at the end."""
    return replace(GAME, turns=(*GAME.turns[: 3 - len(changed)], *changed))


@pytest.mark.parametrize(
    "game, told",
    [
        (turns(replace(GAME.turns[2], claim=Claim("crf", 2, 12))), "still gains"),
        (turns(replace(GAME.turns[2], rivals=(Claim("svm", 1, 4),))), "still gains"),
        (turns(replace(GAME.turns[1], claim=Claim("svm", 5, 60)), Turn(15, 835, Claim("", 0, 0), kept=False)), "did not pay"),
        (turns(replace(GAME.turns[2], left_sensitive=14)), "less what was hidden"),
        (turns(replace(GAME.turns[2], left_others=866)), "less what was hidden"),
        (turns(replace(GAME.turns[2], kept=True)), "every turn but the last"),
        (turns(replace(GAME.turns[1], kept=False), GAME.turns[2]), "every turn but the last"),
        (replace(GAME, turns=()), "every turn but the last"),
        (replace(GAME, loss=10**6), "still gains"),
    ],
)  # fmt: skip
def test_a_game_that_breaks_what_is_proved_is_caught(game: Game, told: str) -> None:
    with pytest.raises(InvariantError, match=told):
        require_equilibrium(game)


def test_the_bound_on_what_can_be_found_is_checked_for_itself() -> None:
    """FP/TP ≥ L/C implies it, so it takes a claim of more words than there are to break it alone."""
    last = Turn(15, 10, Claim("crf", 14, 200), kept=False)
    broken = Game(10.0, 1.0, 1, 15, 10, (last,))
    with pytest.raises(InvariantError, match="bound"):
        require_equilibrium(broken)


def test_a_game_with_limited_rounds_may_leave_something_to_gain_and_says_so() -> None:
    game = replace(turns(replace(GAME.turns[2], claim=Claim("crf", 9, 1))), equilibrium=False)
    require_equilibrium(game)
    assert "another one would still have paid" in game.advice(5)[0]


def test_the_page_holds_the_advice_and_every_turn() -> None:
    page = render_game(GAME, 13)
    for line in GAME.advice(13):
        assert line in page
    assert page.count("<svg") == 3
    assert all(f'<td class="n">{ratio}</td>' in page for ratio in RATIOS if ratio < 10)
    assert "<script" not in page


@pytest.mark.parametrize("people", [10, 80])
def test_intervals_of_shares_hold_where_people_differ(people: int) -> None:
    """Of 400 corpora in which a person's share is drawn, about 95 % have the true share in their interval."""
    random, inside = np.random.default_rng(0), 0
    for _ in range(400):
        sizes, shares = random.integers(1, 60, people), random.beta(0.6, 2.4, people)
        rows = [Document(str(n), "word " * size, person=str(n)) for n, size in enumerate(sizes.tolist())]
        words = Words(rows)
        found = words.share(random.random(len(words.people)) < shares[words.people], ~words.sensitive)
        inside += found.low <= 0.2 <= found.high
    assert 0.91 <= inside / 400 <= 0.99


def test_intervals_of_shares_hold_where_documents_differ() -> None:
    """Of 400 corpora in which a document's share is drawn, nearly 95 % have the true share in their interval."""
    random, inside = np.random.default_rng(0), 0
    for _ in range(400):
        sizes = random.integers(1, 60, 80)
        shares = random.beta(0.6, 2.4, 80)
        x = random.binomial(sizes, shares)
        found = Spread(*map(int, (x.sum(), sizes.sum(), (x * x).sum(), (x * sizes).sum(), (sizes * sizes).sum(), 80)))
        low, high = found.interval()
        inside += low <= 0.2 <= high
    assert 0.91 <= inside / 400 <= 0.98


def test_spreads_add_up_and_nothing_seen_is_no_certainty() -> None:
    documents = [Document(str(n), "Ana left town", spans=(Span(0, 3, "X"),)) for n in range(4)]
    words = Words(documents)
    none = Spread.of(words, np.zeros(12, np.bool_), words.sensitive)
    assert none == Spread(0, 4, 0, 0, 4, 4)
    assert none.interval()[1] > 0.4
    assert none.plus(Spread(1, 2, 1, 2, 4, 1)) == Spread(1, 6, 1, 2, 8, 5)
    assert Spread(0, 0, 0, 0, 0, 0).interval() == (0.0, 1.0)


def test_whoever_gains_and_what_helps_is_told() -> None:
    stranger = replace(GAME, attackers=(Claim("svm leaning 10", 9, 40),))
    assert "pays him: 50. The publisher did not try" in stranger.advice(5)[-1]
    accurate = replace(turns(replace(GAME.turns[2], rivals=(Claim("svm", 5, 9),))), by_utility=False)
    require_equilibrium(accurate)
    assert "took a more accurate one" in accurate.advice(5)[-1]
    assert not any("pays him" in line for line in GAME.advice(5))


def test_a_cut_is_that_of_a_game_only_where_no_other_learner_could_have_been_chosen() -> None:
    assert not GAME.chosen_alike
    assert replace(GAME, by_utility=False).chosen_alike
    alone = replace(GAME, turns=tuple(replace(t, claim=replace(t.claim, learner="crf"), rivals=()) for t in GAME.turns))
    assert alone.chosen_alike
    assert "play the game there" in render_game(GAME, 5)
    assert "play the game there" not in render_game(alone, 5)
    # A rival that would have paid at a smaller ratio is no equilibrium there.
    first = replace(GAME.turns[0], claim=Claim("svm leaning 9", 80, 90), rivals=(Claim("svm", 70, 9),))
    rival = replace(GAME, turns=(first, Turn(20, 810, Claim("", 0, 0), kept=False)))
    require_equilibrium(rival)
    assert not rival.cut(1).equilibrium


def test_documents_of_a_person_count_as_one_where_they_differ() -> None:
    rows = [Document(str(n), "Ana left", person=str(n // 5), spans=(Span(0, 3, "X"),)) for n in range(20)]
    words = Words(rows)
    seen = np.repeat([True, False], [10 * 2, 10 * 2])
    spread = Spread.of(words, seen, words.sensitive)
    assert (spread.people, spread.x, spread.y, spread.xx) == (4, 10, 20, 50)
    low, high = spread.interval()
    assert high - low > 0.6
    share = words.share(seen, words.sensitive)
    assert (share.value, share.clusters) == (0.5, 4)
    assert share.high - share.low > 0.6
    assert words.share(seen, np.zeros(40, np.bool_)).n == 0
