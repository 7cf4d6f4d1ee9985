"""Every registered part passes its conformance suite, and each suite fails on parts with a planted fault."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pytest

from unname import registry
from unname.masking.base import Case
from unname.masking.baselines import Nothing
from unname.masking.search import Greedy
from unname.reidentifiers.base import IntArray
from unname.reidentifiers.terms.bm25 import Bm25
from unname.testing import check_method, check_pieces, check_reidentifier, check_transform
from unname.transforms.base import Context
from unname.transforms.redact import Redact
from unname.types import Document, Mask, MaskSpan, Profile, Release

pytestmark = pytest.mark.usefixtures("few_steps")
GROUPS = (registry.METHODS, registry.REIDENTIFIERS, registry.ATTACKERS, registry.TRANSFORMS)
SUITES = dict(zip(GROUPS, (check_method, check_reidentifier, check_reidentifier, check_transform), strict=True))
# What a part must be told to learn from as little as a suite gives it.
ASKING_LITTLE = {name: {"fewest": 1} for name in ("additive.v1", "infilling.v1", "static.v1", "static-two.v1")}
# Who understands needs an encoder; its own tests put it through the suite.
UNDERSTANDING = ("meaning.v1", "attributes.v1")
EVERY = [(group, name) for group in GROUPS for name in registry.names(group)]


@pytest.mark.parametrize("group, name", [part for part in EVERY if part[1] not in UNDERSTANDING])
def test_every_registered_part_passes_its_suite(group: str, name: str) -> None:
    SUITES[group](partial(registry.create, group, name, **ASKING_LITTLE.get(name, {})))


@pytest.mark.parametrize("group, name", EVERY)
def test_every_registered_part_survives_a_process_border(group: str, name: str) -> None:
    part = registry.create(group, name)
    assert pickle.loads(pickle.dumps(part)) == part  # noqa: S301 (our own bytes)


# --- reidentifiers with a fault


@dataclass
class FaultyIndex:
    """An index that spoils one thing of a good one."""

    good: Any
    fault: str

    def __reduce__(self) -> tuple[Any, ...]:
        if self.fault == "at home":
            raise TypeError
        return type(self), (self.good, "untied" if self.fault == "abroad" else self.fault)

    @property
    def people(self) -> tuple[str, ...]:
        return self.good.people[::-1] if self.fault == "columns" else self.good.people

    def scores(self, text: str) -> IntArray:
        return self.scores_of([text])[0]

    def scores_of(self, texts: Sequence[str]) -> IntArray:
        found = self.good.scores_of(texts)
        if self.fault == "floats":
            return found.astype(np.float64)
        if self.fault == "company":
            return found + 1000 * len(texts)
        if self.fault == "untied":
            return found + np.arange(found.shape[1])
        if self.fault == "chance":
            return found + next(CALLS)
        return found[:, :-1] if self.fault == "too few" else found


class FaultyAdditive(FaultyIndex):
    """The same, and its contributions do not add up."""

    signed = False

    def sum_of(self, words: Sequence[str]) -> Any:
        return self.good.sum_of(words) * (2 if self.fault == "sum" else 1)

    def contributions(self, words: Sequence[str], columns: Any = None) -> Any:
        found = self.good.contributions(words, columns)
        return found * 2 if self.fault == "parts" or (self.fault == "some" and columns is not None) else found


CALLS = count()


@dataclass
class FaultyReidentifier:
    """BM25 with a fault."""

    fault: str
    name: str = "faulty.v1"

    def fit(self, profiles: Sequence[Profile], documents: Sequence[Document] = ()) -> "FaultyReidentifier":
        self.profiles = len(profiles)
        self.good = Bm25().fit(profiles)
        return self

    def index(self, profiles: Sequence[Profile]) -> FaultyIndex:
        if self.fault == "newcomers":
            profiles = profiles[: self.profiles]
        return (FaultyAdditive if self.fault in ("sum", "parts", "some") else FaultyIndex)(
            self.good.index(profiles), self.fault
        )


@pytest.mark.parametrize(
    "fault, told",
    [
        ("columns", "columns must follow"), ("floats", ""), ("company", "company must not change"),
        ("untied", "must tie"), ("chance", "must not change|same input"), ("too few", ""), ("sum", "must be the sum"),
        ("parts", "must be the sum"), ("some", "some people"),
        ("newcomers", "new profiles need no refit"), ("abroad", "a copy in another process must give the same scores"),
        ("at home", "must survive the way"),
    ],
)  # fmt: skip
def test_the_suite_sees_a_reidentifier_with_a_fault(fault: str, told: str) -> None:
    with pytest.raises(AssertionError, match=told or None):
        check_reidentifier(partial(FaultyReidentifier, fault))


@pytest.mark.parametrize("name", ["faulty", "faulty.v", "faulty.1", "faulty.v1x"])
def test_the_suite_sees_a_name_without_a_version(name: str) -> None:
    with pytest.raises(AssertionError, match="must carry a version"):
        check_reidentifier(partial(FaultyReidentifier, "", name))


def test_the_suite_passes_the_same_part_without_a_fault() -> None:
    check_reidentifier(partial(FaultyReidentifier, ""))


# --- methods with a fault


@dataclass
class FaultyMethod:
    """Greedy with a fault."""

    fault: str
    name: str = "faulty.v1"
    seeks_crowd: bool = True
    keyed_targets: bool = True

    def mask(self, case: Case) -> Sequence[Mask]:
        masks = Greedy().mask(case)
        if self.fault == "fewer":
            return masks[:-1]
        if self.fault == "other":
            return [replace(mask, document="other") for mask in masks]
        if self.fault == "chance":
            return [replace(m, spans=(MaskSpan(0, 1, f"m{next(CALLS)}"),) if d.text else ()) for m, d in zip(
                masks, case.documents, strict=True)]  # fmt: skip
        if self.fault == "input":
            object.__setattr__(case, "documents", tuple(replace(d, text="") for d in case.documents))
            return [Mask(d.id) for d in case.documents]
        if self.fault == "mandatory":
            return Nothing().mask(replace(case, mandatory=((),) * len(case.documents)))
        return [replace(mask, spans=self.spoilt(mask.spans)) for mask in masks]

    def spoilt(self, spans: tuple[MaskSpan, ...]) -> tuple[MaskSpan, ...]:
        return {
            "order": spans[::-1], "twice": spans + spans, "nameless": tuple(replace(s, method="") for s in spans),
            "outside": (*spans, MaskSpan(10**6, 10**6 + 1, "m")), "empty": (MaskSpan(0, 0, "m"), *spans), "": spans,
        }[self.fault]  # fmt: skip


@pytest.mark.parametrize(
    "fault, told",
    [
        ("fewer", "one mask per document"), ("other", "one mask per document"), ("chance", "same input"),
        ("input", "must not change its input"), ("mandatory", "the mandatory mask must stay"), ("twice", "sorted, disjoint"),
        ("outside", "in range"), ("empty", "sorted, disjoint"), ("nameless", "which method"), ("order", "sorted"),
    ],
)  # fmt: skip
def test_the_suite_sees_a_method_with_a_fault(fault: str, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_method(partial(FaultyMethod, fault))


class Unsendable(FaultyMethod):
    """A method that holds what no process can send to another."""

    def __init__(self) -> None:
        super().__init__("")
        self.ask = lambda case: Greedy().mask(case)


class Forgetful(FaultyMethod):
    """A method that arrives in another process without its parameters."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Forgetful, ("twice",)


class Renamed(FaultyMethod):
    """A method that arrives in another process as another one."""

    def __reduce__(self) -> tuple[Any, ...]:
        return FaultyMethod, ("", "other.v1")


@pytest.mark.parametrize(
    "make, told",
    [
        (Unsendable, "must survive the way to another process"),
        (partial(Forgetful, ""), "a copy in another process must give the same mask"),
        (partial(Renamed, ""), "under its own name"),
    ],
)
def test_the_suite_sees_a_method_that_does_not_survive_a_process_border(make: Any, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_method(make)


def test_the_suite_passes_the_same_method_without_a_fault() -> None:
    check_method(partial(FaultyMethod, ""))


# --- transforms with a fault


@dataclass
class FaultyTransform:
    """Redact with a fault."""

    fault: str
    name: str = "faulty.v1"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ("idle" if self.fault == "abroad" else self.fault, self.name)

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        if self.fault == "lenient" and document.text == "one two three":
            return Release("x", document.text, ((0, 13, 0, 13),))
        good = Redact().release(document, mask)
        if self.fault == "upper":
            text = document.text.upper()
            return Release(document.id, text, ((0, len(text), 0, len(document.text)),)) if document.text else good
        if self.fault == "gap":
            return replace(good, pieces=good.pieces[1:])
        if self.fault == "end":
            return replace(good, text=good.text + "!")
        if self.fault == "always":
            return Redact().release(document, Mask("x", (MaskSpan(0, 1, "m"),) if document.text else ()))
        if self.fault == "idle":
            return Redact().release(document, Mask("x"))
        if self.fault == "shifted":
            return replace(good, pieces=tuple((a, b, c + 1, d + 1) for a, b, c, d in good.pieces))
        return good


@pytest.mark.parametrize(
    "fault, told",
    [
        ("upper", "must stay as it is|must change nothing"), ("gap", "must follow each other|must cover"),
        ("end", "must cover both"), ("always", "must change nothing"), ("shifted", "must follow"),
        ("idle", "must be hidden|must be refused"), ("lenient", "must be refused"),
    ],
)  # fmt: skip
def test_the_suite_sees_a_transform_with_a_fault(fault: str, told: str) -> None:
    with pytest.raises(AssertionError, match=told):
        check_transform(partial(FaultyTransform, fault))


def test_the_suite_passes_the_same_transform_without_a_fault() -> None:
    check_transform(partial(FaultyTransform, ""))


def test_a_transform_whose_copy_does_otherwise_or_whose_name_has_no_version_is_seen() -> None:
    with pytest.raises(AssertionError, match="a copy in another process must make the same release"):
        check_transform(partial(FaultyTransform, "abroad"))
    with pytest.raises(AssertionError, match="the name must carry a version"):
        check_transform(FaultyTransform("", "faulty"))


def test_pieces_that_change_text_outside_of_spans_are_seen() -> None:
    document, span = Document("x", "Ada met Karl"), MaskSpan(8, 12, "m")
    wrong = Release("x", "EVE met [MASK]", ((0, 3, 0, 3), (3, 8, 3, 8), (8, 14, 8, 12)))
    with pytest.raises(AssertionError, match="outside of spans"):
        check_pieces(document, (span,), wrong)


def test_a_part_that_is_made_already_is_checked_as_well_as_what_makes_one() -> None:
    check_reidentifier(FaultyReidentifier(""))
    check_method(FaultyMethod(""))
    check_transform(FaultyTransform(""))
    with pytest.raises(AssertionError, match="must cover both"):
        check_transform(FaultyTransform("end"))
