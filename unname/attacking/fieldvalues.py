"""Values of people's fields as numbers: the share an adversary's guess gets right, and the gain from knowing one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from unname.reidentifiers.base import IntArray, folded_value
from unname.statistics import numbered
from unname.types import Profile

# A longer value is a text, which nobody guesses whole.
_LONGEST_VALUE = 120
MOST_FIELDS = 20


@dataclass(frozen=True, slots=True, repr=False)
class FieldValues:
    """The number of everybody's value for each of the `fields`, −1 where there is none: `codes` (fields, people)."""

    fields: tuple[str, ...]
    codes: npt.NDArray[np.int32]

    def __repr__(self) -> str:
        return f"FieldValues({len(self.fields)} fields)"

    def likeliest(self, columns: IntArray, chances: npt.NDArray[np.float64]) -> tuple[int, ...]:
        """The number of the value of each field that most of the chance lies on; −1 where none is stated."""
        values = []
        for row in self.codes[:, columns]:
            stated = row >= 0
            values.append(int(np.argmax(np.bincount(row[stated], chances[stated]))) if stated.any() else -1)
        return tuple(values)

    def knowing(self, order: npt.NDArray[np.float64], column: int) -> tuple[float, ...]:
        """The credit at the first guess of an adversary who knows the person's value, for each field; −1 where there is none.

        `order` are scores for everybody, of whom only those with that value are left.
        """
        above = order > order[column]
        tied = order == order[column]
        by_field = []
        for row in self.codes:
            same = row == row[column]
            if row[column] < 0:
                by_field.append(-1.0)
            else:
                by_field.append(0.0 if (above & same).any() else 1.0 / int(np.count_nonzero(tied & same)))
        return tuple(by_field)


def field_values(profiles: Sequence[Profile], names: Sequence[str]) -> FieldValues:
    """Values of every field, in order of frequency, that at least half of the people state briefly; spellings folded."""
    fields, codes = [], []
    for name in names:
        said = [folded_value(profile, name) for profile in profiles]
        stated = [value for value in said if value]
        if len(stated) * 2 < len(said) or len(set(stated)) < 2 or max(map(len, stated)) > 10 * _LONGEST_VALUE:
            continue
        if float(np.mean([len(value) for value in stated])) > _LONGEST_VALUE:
            continue
        fields.append(name)
        codes.append(numbered(["", *said])[1:] - 1)
    return FieldValues(
        tuple(fields[:MOST_FIELDS]),
        np.array(codes[:MOST_FIELDS], np.int32).reshape(len(fields[:MOST_FIELDS]), len(profiles)),
    )
