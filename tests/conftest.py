"""Fixtures for all tests: the real data where it is at hand, and a small made-up town where it need not be real."""

import compileall
import os
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

# Tests run side by side, one on each core, so several threads would only wait for each other. Libraries that calculate read
# this as they are loaded, and the commands that tests start inherit it.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import pytest
from hypothesis import settings

from unname.attacking.adversary import SecondLook
from unname.auditing import charts
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population
from unname.reidentifiers.learned.additive_training import learn
from unname.storage.documents import read_documents
from unname.storage.people import read_profiles
from unname.types import Document, Profile

ROOT = Path(__file__).parent.parent

# Modules are compiled once and kept, also where PYTHONDONTWRITEBYTECODE is set: otherwise each process of the tests would
# compile all tests, and each command and worker that a test starts would compile the package anew.
sys.dont_write_bytecode = False
if "PYTEST_XDIST_WORKER" not in os.environ:
    compileall.compile_dir(str(ROOT / "unname"), quiet=2)

settings.register_profile("unname", deadline=None, max_examples=60)
settings.load_profile("unname")

# Whoever is started in the background ignores Ctrl-C, and so would every command that a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The same of a closed terminal, where the tests themselves are to outlive theirs (`nohup`).
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files come first, so that at the end no process waits for another: those with slow tests, then whole jobs."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, not item.path.name.startswith("test_run_")))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real data (UNNAME_DATA, else ../shared/data); the test is skipped where it is absent."""
    folder = Path(os.environ.get("UNNAME_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("the real data is not here; set UNNAME_DATA to the folder that holds it (see docs)")
    return folder


@pytest.fixture
def few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Additive models learn for as many epochs as their settings say, however few steps that is; statics hardly."""
    monkeypatch.setattr("unname.reidentifiers.learned.static_training.StaticTraining.steps_for", lambda self, texts: 2)
    monkeypatch.setattr("unname.reidentifiers.learned.additive_training._epochs", lambda batch, texts: 1)


@pytest.fixture
def short_training(few_steps: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Additive models learn for two epochs only: for tests of who teaches whom, not of how well."""

    def briefly(*given: Any, **more: Any) -> Any:
        return learn(*given[:-1], replace(given[-1], epochs=2), **more)

    monkeypatch.setattr("unname.reidentifiers.learned.additive.learn", briefly)


@pytest.fixture(scope="module")
def short_attacks() -> Iterator[None]:
    """Whoever attacks a representation learns for few steps only: for tests of what is said of it, not of how safe it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unname.sharing.decoders._FEWEST_STEPS", 5)
        patch.setattr("unname.sharing.card._DECODER_EPOCHS", 1)
        patch.setattr("unname.sharing.training._LONGEST", 1)
        patch.setattr("unname.verbs.share.represent._PAIRS_OF_A_SENTENCE", 1)
        yield


@pytest.fixture(scope="module")
def no_rounds() -> Iterator[None]:
    """Nobody masks in rounds, as where there are too few documents: for tests of what rounds do not change."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unname.verbs.deidentify.adaptive.FEWEST", sys.maxsize)
        yield


@pytest.fixture(scope="module")
def short_audit() -> Iterator[None]:
    """Adversaries take no second look, statics hardly learn, no chart is drawn: for tests of what is read and told.

    Worker processes know nothing of it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("unname.attacking.learning.learn_second", lambda views, seed, kind: [SecondLook() for _ in views])
        patch.setattr("unname.attacking.learning.gains_of_kinds", lambda folds, held, seed: {})
        patch.setattr("unname.reidentifiers.learned.static_training.StaticTraining.steps_for", lambda self, texts: 2)
        for picture in [name for name in vars(charts) if name.endswith("_figure")]:
            patch.setattr(charts, picture, lambda *_: "<svg></svg>")
        yield


@pytest.fixture(scope="session")
def congress(data: Path) -> tuple[list[Profile], list[Document]]:
    """1,200 profiles of members of Congress, thin (no works, no archives), and the biographies of these people."""
    thin = [
        Profile(p.id, {k: v for k, v in p.fields.items() if k not in ("works", "archives")})
        for p in read_profiles(data / "congress" / "profiles.jsonl.gz")[::10][:1200]
    ]
    known = {p.id for p in thin}
    documents = [d for d in read_documents(data / "congress" / "documents.jsonl.gz") if d.person in known]
    return thin, documents


@pytest.fixture(scope="session")
def small_town() -> Town:
    """A hundred and twenty people who do not exist, with their notes."""
    return fictional_town(people=120)


@pytest.fixture(scope="session")
def townspeople(small_town: Town) -> Population:
    """The small town's registry."""
    return Population(small_town.profiles)


@pytest.fixture(scope="module")
def one_thread() -> Iterator[None]:
    """PyTorch on one thread: small networks are slower with several, and these wait where cores are shared."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)
