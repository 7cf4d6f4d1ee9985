"""The choice of attackers: an audit may lack none that it needs without anybody being told."""

from importlib.metadata import EntryPoint
from typing import Any

import pytest

from unname import registry
from unname.attacking import choice
from unname.errors import ModelError


def test_nothing_is_unusable_in_a_sound_installation() -> None:
    assert choice.unusable() == {}


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> dict[str, EntryPoint]:
    """The registered attackers, which a test may change."""
    found = dict(registry._parts(registry.ATTACKERS))
    known = registry._parts
    monkeypatch.setattr(registry, "_parts", lambda group: found if group == registry.ATTACKERS else known(group))
    for cached in (choice._about, choice._can_be_used):
        cached.cache_clear()
    return found


@pytest.fixture(autouse=True)
def forgotten() -> Any:
    """What one test saw of the installation is forgotten before the next."""
    yield
    for cached in (choice._about, choice._can_be_used):
        cached.cache_clear()


def point(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.ATTACKERS)


def test_an_attacker_that_cannot_be_loaded_is_named(parts: dict[str, EntryPoint]) -> None:
    parts["infilling.v1"] = point("infilling.v1", "library_of_nobody:Infilling")
    assert "infilling.v1" not in choice.installed()
    assert "library_of_nobody" in choice.unusable()["infilling"]


def test_an_attacker_that_asks_for_something_is_unusable_unless_an_audit_can_do_without_it(
    parts: dict[str, EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, asked in (("bm25", True), ("latent", False)):
        made = registry.declared(registry.ATTACKERS, name)
        monkeypatch.setattr(made, "available", staticmethod(lambda: "pip install it"), raising=False)
        with pytest.raises(ModelError, match="pip install it"):
            registry.part(registry.ATTACKERS, name)
        assert ("pip install it" in choice.unusable().get(name, "")) == asked


def test_an_attacker_whose_answer_needs_a_library_that_is_missing_is_named(
    parts: dict[str, EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    def available() -> None:
        raise ModuleNotFoundError(name="library_of_nobody")

    monkeypatch.setattr(
        registry.declared(registry.ATTACKERS, "bm25"), "available", staticmethod(available), raising=False
    )
    assert "pip install library_of_nobody" in choice.unusable()["bm25"] and "bm25.v1" not in choice.installed()
