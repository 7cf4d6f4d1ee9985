"""One-to-one assignment: who knows that everybody was released once matches all guesses against each other.

A person whom one text fits best is no longer a candidate for the others. Source: Gionis 2008; see also Wong 2007.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from unname.reidentifiers.base import IntArray

Shortlist = tuple[IntArray, npt.NDArray[np.float32]]
# Matching pays where at least this share of the people is released.
LEAST_RELEASED = 0.2
# The logarithm of the chance that is given to people outside a shortlist, below that of its last one.
_OUTSIDE = 3.0
# People × persons whose matching is worked out.
_MOST_CELLS = 60_000_000


def one_to_one(shortlists: Sequence[Shortlist | None], people: int) -> list[int] | None:
    """For each person released the column of whom they are matched with, from (columns, log chances) of shortlists.

    −1 where all is withheld (None). None where too few of the people are released, or there are too many to match.
    """
    shown = [place for place, one in enumerate(shortlists) if one is not None]
    if not shown or len(shown) < LEAST_RELEASED * people or len(shown) * people > _MOST_CELLS:
        return None
    chances = np.empty((len(shown), people), np.float32)
    for row, place in enumerate(shown):
        columns, logs = shortlists[place] or (np.zeros(0, np.int64), np.zeros(0, np.float32))
        chances[row] = logs.min(initial=0.0) - _OUTSIDE
        chances[row, columns] = logs
    # Where chances are alike, assignments follow the order of rows and columns, and people often stand in the same order
    # in documents and profiles: by lot nobody is found for that.
    random = np.random.default_rng(0)
    by_row, by_column = random.permutation(len(shown)), random.permutation(people)
    rows, columns = linear_sum_assignment(chances[by_row][:, by_column], maximize=True)
    assigned = [-1] * len(shortlists)
    for row, column in zip(by_row[rows].tolist(), by_column[columns].tolist(), strict=True):
        assigned[shown[row]] = column
    return assigned
