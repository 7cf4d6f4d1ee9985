"""The public surface: a fixed list of names, and an import that loads nothing heavy."""

import json
import os
import subprocess
import sys

import pytest

import unname

PUBLIC = [
    "Audit", "AuditJob", "AuditPlan", "Deidentification", "Deidentified", "Document", "Evaluation", "Fitted",
    "InputError", "Job", "Kept", "Knowledge", "Look", "Mask", "MaskSpan", "ModelError", "Output", "Population",
    "PreparedAudit", "Profile", "Release", "Report", "Review", "Runtime", "Scoring", "SettingsError", "Source",
    "Span", "StateError", "Town", "UnnameError", "UnsafeReleaseError", "__version__", "audit", "audit_files",
    "deidentify", "deidentify_files", "evaluate", "evaluate_files", "fictional_town", "look_again", "make_audit_job",
    "make_job", "make_population", "prepare", "read_report", "reidentify", "review_of",
]  # fmt: skip
HEAVY = {
    "torch", "transformers", "sklearn", "scipy", "numpy", "matplotlib", "jinja2", "rich", "click", "fastapi", "ray",
}  # fmt: skip


def loaded_after(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter holds after running some code."""
    script = f"import sys, json\n{code}\nprint(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    env = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    ran = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    return set(json.loads(ran.stdout))


def test_the_public_names_are_exactly_these() -> None:
    assert unname.__all__ == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    part = getattr(unname, name)
    assert name == "__version__" or (part.__doc__ or "").strip()


def test_lazy_names_are_the_rest_of_the_public_ones() -> None:
    assert set(unname._HOMES) == {name for name in PUBLIC if name not in vars(unname)}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = unname.nothing


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_after("import unname") & HEAVY


def test_vocabulary_storage_and_registry_load_nothing_heavy() -> None:
    values = ", ".join(f"unname.verbs.{verb}.options" for verb in ("audit", "share", "train"))
    parts = f"import unname.types, {values}, unname.errors, unname.registry, unname.job, unname.storage.tables"
    assert not loaded_after(parts) & HEAVY


@pytest.mark.parametrize("words", [["--help"], ["deidentify", "--help"]])
def test_help_does_not_read_what_the_tagger_has_learned(words: list[str]) -> None:
    shown = f"with contextlib.redirect_stdout(io.StringIO()): cli({words}, standalone_mode=False)"
    code = f"import contextlib, io\nfrom unname.apps.cli import cli\n{shown}"
    assert not loaded_after(code) & {"safetensors", "numpy"}


def test_every_error_is_an_unname_error_with_an_exit_code() -> None:
    errors = [getattr(unname, name) for name in PUBLIC if name.endswith("Error")]
    assert all(issubclass(error, unname.UnnameError) for error in errors)
    assert {error.__name__: error.exit_code for error in errors if error.exit_code != 1} == {
        "SettingsError": 2, "UnsafeReleaseError": 4, "StateError": 5,
    }  # fmt: skip
