"""C6: the public seed does not undo what comes from the secret key: ids, order and each document's own target."""

import hashlib
from collections.abc import Callable

import pytest

from unname.job import Deidentification
from unname.knowledge.fictional import Town
from unname.knowledge.population import make_population
from unname.protecting import masker
from unname.protecting.keys import release_id
from unname.protecting.result import Deidentified
from unname.verbs.deidentify.in_memory import deidentify

ONE, OTHER = b"1" * 32, b"2" * 32
K, DOCUMENTS = 2, 24
MakeId = Callable[[bytes, str], str]


def _run(town: Town, key: bytes, seed: int) -> Deidentified:
    settings = Deidentification(k=K, reidentifiers=("bm25",), seed=seed, target_span=8)
    return deidentify(town.documents[:DOCUMENTS], make_population(town.profiles), settings=settings, key=key)


def require_key_decides(town: Town, make_id: MakeId = release_id) -> None:
    """With the same seed another key changes ids and targets; with the same key another seed changes neither."""
    one, again, other = _run(town, ONE, 0), _run(town, ONE, 99), _run(town, OTHER, 0)
    ids = [{make_id(key, d.id) for d in one.documents} for key in (ONE, OTHER)]
    assert not ids[0] & ids[1], "ids do not depend on the key"
    assert one.targets == again.targets, "targets depend on the public seed"
    differ = sum(a != b for a, b in zip(one.targets, other.targets, strict=True))
    assert differ > DOCUMENTS / 2, "targets do not depend on the key"
    assert all(K <= t <= 8 * K for run in (one, other) for t in run.targets), "a target is out of its range"
    assert len(set(one.targets)) > 4, "targets must vary between documents"


def test_ids_and_targets_come_from_the_key_and_not_from_the_seed(town: Town) -> None:
    require_key_decides(town)


def test_the_seed_is_no_key(town: Town) -> None:
    truth = _run(town, ONE, 7).targets
    for guess in ((7).to_bytes(16), (7).to_bytes(32), b"7" * 32, hashlib.sha256(b"7").digest(), bytes(16), bytes(32)):
        same = sum(a == b for a, b in zip(_run(town, guess, 7).targets, truth, strict=True))
        assert same < DOCUMENTS / 2, "a key derived from the seed undoes the targets"


def test_exact_targets_are_k_for_all(town: Town) -> None:
    settings = Deidentification(k=K, reidentifiers=("bm25",), keyed_target=False)
    result = deidentify(town.documents[:6], make_population(town.profiles), settings=settings, key=ONE)
    assert set(result.targets) == {K}


def test_the_check_notices_targets_that_come_from_a_seed(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    def seeded(_key: bytes, unit: str, *, k: int, span: float, most: int) -> int:
        return min(k + hashlib.sha256(unit.encode()).digest()[0] % int(k * span - k), most)

    monkeypatch.setattr(masker, "target_crowd", seeded)
    with pytest.raises(AssertionError, match="targets do not depend on the key"):
        require_key_decides(town)


def test_the_check_notices_ids_that_need_no_key(town: Town) -> None:
    with pytest.raises(AssertionError, match="ids do not depend on the key"):
        require_key_decides(town, lambda _key, name: hashlib.sha256(name.encode()).hexdigest()[:32])


def test_stand_ins_and_dates_come_from_the_key_and_not_from_the_seed(town: Town) -> None:
    def texts(key: bytes, seed: int) -> list[str]:
        settings = Deidentification(
            k=K, reidentifiers=("bm25",), seed=seed, transform="surrogate", method="greedy", target_span=1
        )
        made = deidentify(town.documents[:6], make_population(town.profiles), settings=settings, key=key)
        return [release.text for release in made.releases if release is not None]

    one, again, other = texts(ONE, 0), texts(ONE, 99), texts(OTHER, 0)
    assert len(one) == len(other) == 6
    assert one == again, "stand-ins depend on the public seed"
    assert not set(one) & set(other), "stand-ins do not depend on the key"
