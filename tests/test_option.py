"""Options as fields: values of the kinds that fields promise, one home for each option."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unname.errors import SettingsError
from unname.option import build, group, option, options_of, require_kinds
from unname.sharing.settings import Limits, RepresentationSettings
from unname.verbs.share.options import Pooling, Pseudonyms, RepresenterTraining, Representing


@dataclass(frozen=True)
class Part:
    many: int = option(3, "How many.", least=1)
    inner: int = 5


@dataclass(frozen=True)
class Whole:
    place: Path | None = option(None, "Where.", kind="file")
    words: tuple[str, ...] | Path = option((), "Which.", kind="file")
    rate: float = option(0.5, "How much.")
    part: Part = group(Part)

    def __post_init__(self) -> None:
        require_kinds(self, self.part)


def test_values_are_as_their_fields_promise() -> None:
    made = Whole(place="x", words=["a"], rate=np.float64(2), part=Part(np.int64(4)))  # type: ignore[arg-type]
    assert (made.place, made.words, made.rate, made.part.many) == (Path("x"), ("a",), 2.0, 4)
    assert type(made.rate) is float and type(made.part.many) is int
    assert Whole(words=Path("x")).words == Path("x") and Whole().place is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"place": 3}, "place must be a path or none, not int"), ({"words": "zqx"}, "words must be several names"),
        ({"words": [1]}, "words must be several names"),
        ({"words": {"a", "b"}}, "words must be several names"), ({"rate": "zqx"}, "rate must be a number, not str"),
        ({"rate": True}, "rate must be a number, not bool"), ({"rate": float("nan")}, "rate must be a finite number"),
        ({"part": Part(0)}, "many must be at least 1"),
        ({"part": Part(1.0)}, "many must be a whole number, not float"),  # type: ignore[arg-type]
    ],
)  # fmt: skip
def test_another_kind_is_refused_by_the_options_name_and_never_quoted(given: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said) as caught:
        Whole(**given)
    assert "zqx" not in str(caught.value)


def test_an_option_of_a_part_is_built_with_the_whole_and_what_is_none_is_not_taken() -> None:
    given = {"many": 7, "rate": 0.1, "inner": 9}
    made = build(Whole, given)
    assert made == Whole(rate=0.1, part=Part(7)) and given == {"inner": 9}


@pytest.mark.parametrize("kind", [Pseudonyms, RepresenterTraining, Representing, Pooling])
def test_an_option_has_one_home(kind: type[Any]) -> None:
    names = [name for name, _, _ in options_of(kind)]
    assert len(names) == len(set(names))


def test_the_command_trains_with_the_defaults_of_the_training() -> None:
    made = build(RepresenterTraining, {})
    assert made.settings == RepresentationSettings() and made.limits == build(Representing, {}).limits == Limits()
