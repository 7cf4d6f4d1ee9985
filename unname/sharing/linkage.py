"""Piecing sentences of one document together again, by what their pseudonyms can have been.

Two pseudonyms of one token lie in the same neighbourhood. Whoever knows the method and its space weighs, for each pair of
pseudonyms, how likely they are if both stand for the same token against how likely they are anyway. Friedrich 2019, §4,
shuffles sentences and does not try this.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from unname.sharing.pseudonymise import Pseudonymised
from unname.sharing.settings import Pseudonymising
from unname.sharing.space import Space


@dataclass(frozen=True, slots=True)
class Linkage:
    """Of `sentences` whose document has another with identifiers, how many lead to one of these at the first guess.

    `found` by the pseudonyms, `before` by the tokens as they were, `chance` by a blind guess: shares.
    """

    sentences: int
    found: float
    before: float
    chance: float


def linkage(made: Pseudonymised, space: Space, how: Pseudonymising, *, most: int = 500, seed: int = 0) -> Linkage:
    """Attack shuffled sentences, at most so many of them, drawn; all others with identifiers are candidates."""
    origins = np.array(made.origins)
    held = np.array([bool(row) for row in made.replaced])
    counts = np.bincount(origins[held], minlength=origins.max(initial=0) + 1)
    asked = np.flatnonzero(held & (counts[origins] > 1))
    if not len(asked):
        return Linkage(0, 0.0, 0.0, 0.0)
    asked = np.sort(np.random.default_rng(seed).permutation(asked)[:most])
    others = np.flatnonzero(held)
    after = [[one.after for one in made.replaced[place]] for place in others.tolist()]
    before = [[one.before for one in made.replaced[place]] for place in others.tolist()]
    alike = _alike(sorted({word for row in after for word in row}), made, space, how)
    same = {word: number for number, word in enumerate(sorted({w for row in before for w in row}))}
    rare = np.bincount([same[w] for row in before for w in row], minlength=len(same))
    identity = sparse.diags_array(np.log(rare.sum() / rare) + 1.0).tocsr()
    rates = [
        _rate(origins, others, asked, words, place, weights)
        for words, place, weights in ((after, alike[0], alike[1]), (before, same, identity))
    ]
    chance = np.mean((counts[origins[asked]] - 1) / (len(others) - 1))
    return Linkage(len(asked), rates[0], rates[1], float(chance))


def _alike(
    words: Sequence[str], made: Pseudonymised, space: Space, how: Pseudonymising
) -> tuple[dict[str, int], sparse.csr_array]:
    """Places of pseudonyms, and for each pair the logarithm of how much likelier they are if they stand for one token."""
    place = {word: number for number, word in enumerate(words)}
    tokens = sorted({one.before for row in made.replaced for one in row})
    number = {token: n for n, token in enumerate(tokens)}
    share = np.bincount([number[one.before] for row in made.replaced for one in row]) / sum(map(len, made.replaced))
    rows, columns, drawn = list[int](), list[int](), list[float]()
    for token, row in number.items():
        at = space.places.get(token)
        if at is None:
            continue
        near = space.near(space.vectors[at], how.neighbours, None if how.as_published else token)
        held = [place[space.words[n]] for n in near.tolist() if space.words[n] in place]
        rows += [row] * len(held)
        columns += held
        drawn += [1 / len(near)] * len(held)
    given = sparse.csr_array((drawn, (rows, columns)), shape=(len(tokens), len(words)))
    weighed = sparse.diags_array(share) @ given
    both = sparse.coo_array(given.T @ weighed)
    alone = np.maximum(np.asarray(weighed.sum(axis=0)).ravel(), 1e-12)
    one, other = both.coords
    values = np.log(both.data / (alone[one] * alone[other]))
    return place, sparse.csr_array((values, (one, other)), shape=both.shape)


def _rate(
    origins: npt.NDArray[np.int64], others: npt.NDArray[np.int64], asked: npt.NDArray[np.int64],
    words: Sequence[Sequence[str]], place: dict[str, int], weights: sparse.csr_array,
) -> float:  # fmt: skip
    """How many of those asked lead to their own document; where several score alike each counts by its share of them."""
    held = sparse.csr_array(
        (
            np.ones(sum(len(set(row)) for row in words)),
            ([n for n, row in enumerate(words) for _ in set(row)], [place[w] for row in words for w in set(row)]),
        ),
        shape=(len(words), len(place)),
    )
    row_of = {int(sentence): row for row, sentence in enumerate(others.tolist())}
    total = 0.0
    for sentence in asked.tolist():
        row = row_of[sentence]
        evidence = (held[[row]] @ weights.maximum(0)).toarray().ravel()
        scores = held @ evidence
        scores[row] = -np.inf
        best = scores == scores.max()
        total += float((origins[others[best]] == origins[sentence]).mean())
    return total / len(asked)
