"""Attackers who recognise: whether a sentence was shared, and whether two vectors are of the same word."""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from unname.sharing.decoding import Float64, Tokens, whitening
from unname.sharing.examples import SharedExample
from unname.sharing.pairs import Neighbours, Numbered, faked
from unname.sharing.space import Float32, IntArray
from unname.statistics import Rate, rate


def membership(
    members: Sequence[Numbered], shared: Sequence[SharedExample], near: Neighbours,
    represent: Callable[[Sequence[Numbered]], list[Float32]], spread: Float64, *, seed: int,
) -> Rate:  # fmt: skip
    """Of a sentence that was shared and the same with one identifier's token replaced by a neighbour: which one was it?

    The attacker represents both without noise and takes the one that lies nearest to anything shared with such casings and
    labels. `spread` is the covariance of what noise adds. Without vectors it is one of two. The interval is over people.
    """
    random = np.random.default_rng(seed)
    both = [(s, s._replace(words=faked(s, near, random, identifiers=1.0))) for s in members if len(s.held)]
    alike: dict[bytes, list[Float32]] = defaultdict(list)
    for example in shared:
        alike[_clear(example.casings, example.gold)].append(example.states)
    white = whitening(spread)
    true, false = (represent([pair[side] for pair in both]) for side in (0, 1))
    credits = list[float]()
    for (sentence, _), mine, other in zip(both, true, false, strict=True):
        rows = np.stack(alike[_clear(sentence.casings, sentence.gold)]) @ white
        far = [float(((rows - one @ white) ** 2).sum(axis=(1, 2)).min()) for one in (mine, other)]
        credits.append(0.5 if far[0] == far[1] else float(far[0] < far[1]))
    return rate(credits, [sentence.person for sentence, _ in both])


def _clear(casings: IntArray, gold: IntArray) -> bytes:
    return bytes(casings.tolist()) + bytes(gold.clip(0, 255).tolist())


def equality(some: Tokens, kept: IntArray, people: IntArray, *, most: int, seed: int) -> Rate:
    """Of two tokens of identifiers in two sentences, alike in what is in clear: are they of one word?

    Pairs are balanced within each class; they are separated by the cosine of whitened vectors (no rotation changes it),
    with the border that is best for one half, and judged on the other. The attacker sees `some`; `kept` are the places of
    tokens that are asked about, `people` whose each sentence is; the interval is over those of a pair's first token.
    """
    random = np.random.default_rng(seed)
    same, other = _pairs(some, kept, random, most)
    if len(same) < 2:
        return rate([], [])
    white = (some.states - some.states.mean(axis=0)) @ whitening(np.cov(some.states.T))
    white /= np.linalg.norm(white, axis=1, keepdims=True)
    scores = [np.einsum("pd,pd->p", white[pairs[:, 0]], white[pairs[:, 1]]) for pairs in (same, other)]
    borders = np.quantile(np.concatenate(scores), np.linspace(0, 1, 201))
    half = np.arange(len(same)) % 2 == 0
    rates = [float(((scores[0][half] > b).mean() + (scores[1][half] <= b).mean()) / 2) for b in borders]
    border = borders[int(np.argmax(rates))]
    credits = np.concatenate([scores[0][~half] > border, scores[1][~half] <= border])
    first = np.concatenate([pairs[~half, 0] for pairs in (same, other)])
    return rate(credits, people[some.sentences[first]].tolist())


def _pairs(some: Tokens, kept: IntArray, random: np.random.Generator, most: int) -> tuple[IntArray, IntArray]:
    """Pairs of tokens of one word, and as many of two words, of like classes: (pairs, 2) each."""
    by_class: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place in random.permutation(kept).tolist():
        by_class[int(some.classes[place])][int(some.words[place])].append(place)
    same, other = list[tuple[int, int]](), list[tuple[int, int]]()
    for words in by_class.values():
        rows = list(words.values())
        if len(rows) < 2:
            continue
        for number, row in enumerate(rows):
            apart = [
                (a, b) for a, b in zip(row[::2], row[1::2], strict=False) if some.sentences[a] != some.sentences[b]
            ]
            for a, b in apart[:5]:  # a word that stands everywhere is not asked about everywhere
                stranger = rows[(number + 1 + int(random.integers(len(rows) - 1))) % len(rows)]
                same.append((a, b))
                other.append((a, stranger[int(random.integers(len(stranger)))]))
    order = random.permutation(len(same))[:most]
    return np.array(same, np.int64).reshape(-1, 2)[order], np.array(other, np.int64).reshape(-1, 2)[order]
