"""The strongest adversary's confidence, and his rates among more or fewer people, after more reading, and by one known fact.

What is found among all people falls with every row that somebody adds to the table. What is found among those whom the
documents are about, and among a hundred, does not.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from unname.attacking.attack import AttackResults
from unname.attacking.fieldvalues import FieldValues
from unname.attacking.learning import counted
from unname.auditing.report import Among, AtRead, AtScale, Confidence, Found, KnowingField, Surest, rate_of

# People of the figure that can be compared between tables of any size.
HUNDRED = 100
_SHARES = (0.01, 0.05, 0.1)
_PRECISIONS = (0.9, 0.99)
_SIZES = (100, 1000, 10_000, 100_000)
# Documents about other people, how many times as many are guessed at, and how many there must be for that.
_LEVELS = (0, 250, 1000, 4000)
_FURTHER, _ENOUGH = 4, 1000
# Guesses fewer than these say nothing about precision.
_FEWEST_GUESSES = 10


def confidence(after: AttackResults, clusters: Sequence[str]) -> Confidence | None:
    """Precision at the surest 1, 5 and 10 % of documents, and recall at 90 and 99 % precision."""
    sure = np.array(after.sure)
    shown = np.flatnonzero(sure >= 0)
    if len(shown) < _FEWEST_GUESSES:
        return None
    order = shown[np.argsort(-sure[shown], kind="stable")]
    credits = np.array(after.documents[counted(after.documents)].top1)[order]
    people = [clusters[i] for i in order]
    surest = []
    for share in _SHARES:
        many = max(1, round(share * len(order)))
        surest.append(Surest(share, rate_of(credits[:many].tolist(), people[:many])))
    running = np.cumsum(credits) / np.arange(1, len(order) + 1)
    recall = {}
    # Who takes a guess takes all that are as sure.
    ends = np.append(sure[order][1:] < sure[order][:-1], True)
    for precision in _PRECISIONS:
        right = np.flatnonzero((running >= precision) & ends)
        recall[f"{precision:g}"] = float(credits[: right[-1] + 1].sum() / len(sure)) if len(right) else 0.0
    return Confidence(tuple(surest), recall)


def among(after: AttackResults, clusters: Sequence[str], people: int, known: int) -> Among | None:
    """The rate among the `known` people whom the documents are about, and among a hundred of all `people`.

    The second is exact from the ranks: the chance that nobody who stands above the person is among 99 others drawn at
    random, those on the same score put in order by lot. Each stands only where there are more people than that.
    """
    if not after.own:
        return None
    chances: dict[tuple[int, int], float] = {}
    for above, tied in zip(after.above, after.tied, strict=True) if people > HUNDRED else ():
        if (above, tied) not in chances:
            ahead = above + np.arange(tied, dtype=np.float64)
            drawn = _none_drawn(ahead, people - 1, HUNDRED - 1)
            chances[above, tied] = float(drawn.mean()) if 0 <= above < people else 0.0
    rates = [chances[pair] for pair in zip(after.above, after.tied, strict=True)] if chances else []
    own = rate_of(after.own, clusters) if 1 < known < people else None
    return Among(known, own, rate_of(rates, clusters) if rates else None) if own or rates else None


def at_scale(above: Sequence[int], people: int) -> tuple[AtScale, ...]:
    """Rates among populations of 10² to 10⁵ from how many others stand above each person.

    Among fewer people: the chance that none of those above is in a random part. Among more the odds are taken to go on
    falling with the number of people as they fall from a quarter of those here to all, which nobody has measured.
    """
    ahead = np.array([count for count in above if count >= 0], np.float64)
    if not len(ahead) or people < 2:
        return ()
    withheld = len(above) - len(ahead)
    rows = []

    def rate_among(size: int) -> float:
        return float(_none_drawn(ahead, people - 1, size - 1).sum() / (len(ahead) + withheld))

    quarter = max(2, people // 4)
    odds = [_log_odds(rate_among(size)) for size in (quarter, people)]
    slope = min(0.0, (odds[1] - odds[0]) / math.log(people / quarter)) if people > quarter else 0.0
    for size in (*(s for s in _SIZES if s < people), people, *(s for s in _SIZES if s > people)):
        further = 1 / (1 + math.exp(-(odds[1] + slope * math.log(size / people))))
        rows.append(AtScale(size, rate_among(size) if size <= people else further, size > people))
    return tuple(rows)


def over_read(read: int, own: Found, having_read: Callable[[int], Found]) -> tuple[AtRead, ...]:
    """The rate by number of documents about other people that attackers have read: 0, 250, 1,000, 4,000 … and all.

    `own` is what those find who `read` all. With four times as many odds are taken to go on growing with the number, as they
    grew from the last level but one, which nobody has measured; from fewer than 1,000 that cannot be told at all. None where
    less was read than twice 250.
    """
    levels = [level for level in _LEVELS if level <= read / 2]
    if len(levels) < 2:
        return ()
    rows = [*(AtRead(level, having_read(level)) for level in levels), AtRead(read, own)]
    if read < _ENOUGH:
        return tuple(rows)
    before, last = (_log_odds_of(row.found) for row in rows[-2:])
    slope = max(0.0, (last - before) / math.log(read / levels[-1]))
    further = 1 / (1 + math.exp(-(last + slope * math.log(_FURTHER))))
    return (*rows, AtRead(_FURTHER * read, None, further))


def _log_odds_of(figures: Found | None) -> float:
    """The log odds of a measured rate; half a document counts as found where none was, so that there are any."""
    least = 0.5 / max(figures.n if figures else 1, 1)
    return _log_odds(min(max((figures.rate if figures else 0) or 0.0, least), 1 - least))


def _log_odds(rate: float) -> float:
    inside = min(max(rate, 1e-6), 1 - 1e-6)
    return math.log(inside / (1 - inside))


def _none_drawn(ahead: npt.NDArray[np.float64], others: int, drawn: int) -> npt.NDArray[np.float64]:
    """Chance that of so many drawn from the others none is ahead (hypergeometric)."""
    behind = np.maximum(others - ahead, 0)
    possible = behind >= drawn
    left = np.where(possible, behind - drawn, 0)
    logs = gammaln(behind + 1) - gammaln(left + 1) - gammaln(others + 1) + gammaln(others - drawn + 1)
    return np.asarray(np.where(possible, np.exp(logs), 0.0))


def knowing_fields(after: AttackResults, values: FieldValues, clusters: Sequence[str]) -> tuple[KnowingField, ...]:
    """The strongest adversary's rate where one field's value is known, most telling fields first.

    Left out are fields of which most values are somebody's alone: who knows such a value knows the person.
    """
    rows = []
    for place, name in enumerate(values.fields):
        stated = values.codes[place][values.codes[place] >= 0]
        if np.count_nonzero(np.bincount(stated) == 1) * 2 > len(stated):
            continue
        known = [(row[place], person) for row, person in zip(after.knowing, clusters, strict=True) if row[place] >= 0]
        if known:
            rows.append(KnowingField(name, rate_of([c for c, _ in known], [person for _, person in known])))
    return tuple(sorted(rows, key=lambda row: -(row.after.rate or 0)))
