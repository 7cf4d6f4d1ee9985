"""Names of reidentifiers: registered ones, kinds that come in folders, and several models of a kind."""

from pathlib import Path

import pytest

from unname import registry
from unname.errors import SettingsError
from unname.reidentifiers.names import arguments_of, is_trained, kind_of, names_of_models, resolve_name

GROUPS = (registry.REIDENTIFIERS, registry.ATTACKERS)


@pytest.mark.parametrize("group", GROUPS)
def test_a_kind_that_comes_in_folders_has_a_name_wherever_a_registered_one_has(group: str) -> None:
    assert resolve_name("biencoder", group) == resolve_name("biencoder.v1", group) == "biencoder.v1"
    assert resolve_name("biencoder:north", group) == "biencoder.v1:north"
    assert resolve_name("additive:a", group) == "additive.v1:a" and resolve_name("bm25", group) == "bm25.v1"


@pytest.mark.parametrize("group", GROUPS)
def test_a_model_from_a_folder_has_learned_and_takes_no_parameters(group: str) -> None:
    for name in ("biencoder", "biencoder.v1:x", "additive.v1:x"):
        assert is_trained(group, name) and not arguments_of(group, name)
    assert is_trained(group, "additive") and "seed" in arguments_of(group, "additive")
    assert not is_trained(group, "bm25")


@pytest.mark.parametrize(
    "name", ["nobody", "biencoder:", "biencoder:../x", "biencoder:a/b", "bm25:x", "nobody:x", ":x"]
)
def test_an_unknown_name_is_an_error(name: str) -> None:
    with pytest.raises(SettingsError, match="called that"):
        resolve_name(name)


def test_of_several_models_of_a_kind_each_has_the_name_of_its_folder() -> None:
    kinds = ["additive.v1", "biencoder.v1", "biencoder.v1", "biencoder.v1", "biencoder.v1"]
    folders = [Path(f) for f in ("a", "models/north", "models/south", "elsewhere/north", "the west & co")]
    names = names_of_models(kinds, folders)
    assert names == [
        "additive.v1", "biencoder.v1:north", "biencoder.v1:south", "biencoder.v1:north-4", "biencoder.v1:the-west-co"
    ]  # fmt: skip
    assert [resolve_name(name) for name in names] == names and {*map(kind_of, names)} == {*kinds}
