"""Named parts: plain and versioned names, unknown ones, and what `unname methods` says of each."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from unname import registry
from unname.errors import ModelError, SettingsError
from unname.masking.presets import Preset

GROUPS = (registry.METHODS, registry.REIDENTIFIERS, registry.ATTACKERS, registry.TRANSFORMS)
EVERY = [(group, name) for group in GROUPS for name in registry.names(group)]


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A world in which three versions of one method are installed."""
    points = [EntryPoint(name, "builtins:dict", "x") for name in ("hide.v2", "hide.v10", "hide.v9", "hide-all.v11")]
    monkeypatch.setattr(registry, "_parts", lambda group: {point.name: point for point in points})


@pytest.mark.parametrize("group, name", EVERY)
def test_every_part_is_registered_under_the_name_it_bears(group: str, name: str) -> None:
    made = registry.create(group, name)
    # A preset bears the name of the order of words that it stands for.
    if isinstance(registry.part(group, name), Preset):
        assert made.name in registry.names(group)
    else:
        assert made.name == name


@pytest.mark.parametrize("group, name", EVERY)
def test_every_part_says_what_it_is_in_one_line(group: str, name: str) -> None:
    line = dict(registry.describe(group))[name]
    assert len(line) > 20 and line.endswith((".", "?")) and "partial(" not in line


@pytest.mark.parametrize("group, name", EVERY)
def test_a_plain_name_means_a_versioned_one(group: str, name: str) -> None:
    plain = name.rpartition(".v")[0]
    assert registry.resolve(group, plain).rpartition(".v")[0] == plain
    assert registry.resolve(group, name) == name


def test_a_plain_name_means_the_newest_version_counted_as_a_number(versions: None) -> None:
    assert registry.resolve(registry.METHODS, "hide") == "hide.v10"
    assert registry.resolve(registry.METHODS, "hide.v2") == "hide.v2"


def test_parameters_reach_the_part(versions: None) -> None:
    assert registry.create(registry.METHODS, "hide", seed=3) == {"seed": 3}


@pytest.mark.parametrize("name", ["", "hide.v3", "hid", "v10", "hide.v"])
def test_an_unknown_name_is_an_error_that_lists_the_known_ones(versions: None, name: str) -> None:
    with pytest.raises(SettingsError, match="known: hide, hide-all"):
        registry.resolve(registry.METHODS, name)


def test_a_part_that_cannot_be_loaded_says_what_has_to_be_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def needs(module: str) -> None:
        raise ImportError("no such module", name=module)

    def says() -> None:
        raise ModelError("pip install 'unname[more]'")

    class Point(EntryPoint):
        def load(self) -> object:
            return says() if self.name == "ours.v1" else needs("elsewhere")

    points = {name: Point(name, "x:y", "z") for name in ("ours.v1", "theirs.v1")}
    monkeypatch.setattr(registry, "_parts", lambda group: points)
    assert registry.describe(registry.METHODS) == [
        ("ours.v1", "Not available: pip install 'unname[more]'"),
        ("theirs.v1", "Not available: theirs cannot be used: the module elsewhere is missing: pip install elsewhere"),
    ]  # fmt: skip


def test_names_are_sorted_and_of_one_group() -> None:
    for group in GROUPS:
        assert registry.names(group) == sorted(registry.names(group)) != []
    assert "facts.v1" in registry.names(registry.ATTACKERS) and "facts.v1" not in registry.names(registry.REIDENTIFIERS)


def test_names_are_split_at_commas_without_blanks_or_repeats() -> None:
    assert registry.split_names(" bm25, ngrams,,bm25 ") == ("bm25", "ngrams")
    assert registry.split_names(["bm25", " ngrams", "bm25"]) == ("bm25", "ngrams")
    assert registry.split_names("") == ()


def test_a_name_that_two_packages_bring_is_used_for_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package, value in (("north", "builtins:dict"), ("south", "builtins:list")):
        about = tmp_path / f"{package}-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1\n")
        (about / "entry_points.txt").write_text(
            f"[{registry.TRANSFORMS}]\nveil.v1 = {value}\nown-{package}.v1 = {value}\n"
        )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "_found", registry._found.__wrapped__)
    with pytest.raises(ModelError, match=r"veil\.v1 cannot be used: the packages north and south each bring"):
        registry.part(registry.TRANSFORMS, "veil")
    assert registry.part(registry.TRANSFORMS, "own-south") is list
    assert "uninstall one" in dict(registry.describe(registry.TRANSFORMS))["veil.v1"]
    assert registry.missing(registry.TRANSFORMS, "redact") is None
