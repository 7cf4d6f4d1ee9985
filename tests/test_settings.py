"""Settings: what makes no sense is refused, and a TOML file says the same as the command line."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from unname.apps.options import read_settings
from unname.errors import InputError, SettingsError
from unname.job import Deidentification


@pytest.mark.parametrize(
    "wrong",
    [
        {"k": 0}, {"k": -3}, {"budget": 0.0}, {"budget": 1.01}, {"budget": -0.5}, {"budget": float("nan")},
        {"target_span": 0.99}, {"target_span": float("nan")}, {"ids": "hashed"}, {"unit": "sentence"},
        {"stop_words": "keep"}, {"reidentifiers": ()},
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong)).replace("_", "-") + "|reidentifier"):
        Deidentification(**wrong)


def test_settings_are_frozen_and_change_only_by_replacement_which_checks_again() -> None:
    settings = Deidentification(k=5)
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.k = 3  # type: ignore[misc]
    with pytest.raises(SettingsError):
        dataclasses.replace(settings, k=0)


def test_settings_are_plain_values_for_a_manifest() -> None:
    values = Deidentification(k=7, reidentifiers=("bm25",)).as_dict()
    again = json.loads(json.dumps(values))
    made = Deidentification(**{k: tuple(v) if isinstance(v, list) else v for k, v in again.items()})
    assert made == Deidentification(k=7, reidentifiers=("bm25",))


def test_a_file_takes_long_option_names_with_dashes_or_underscores(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('target-span = 2.5\nstop_words = "skip"\nk = 20\nreidentifiers = ["bm25", "ngrams"]\n')
    assert read_settings(file) == {"target_span": 2.5, "stop_words": "skip", "k": 20, "reidentifiers": "bm25,ngrams"}


def test_a_file_with_tables_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[deidentify]\nk = 3\n")
    with pytest.raises(SettingsError, match="'deidentify' is a table"):
        read_settings(file)


@pytest.mark.parametrize("content", [b"k = ", b"k = 1\nk = 2", b"\xff\xfe", b"canary"])
def test_a_file_that_is_not_toml_is_refused_without_quoting_it(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    with pytest.raises(InputError, match="not valid TOML") as caught:
        read_settings(file)
    assert "canary" not in str(caught.value) and caught.value.__suppress_context__


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_settings(tmp_path / "none.toml")
