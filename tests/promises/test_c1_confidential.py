"""C1: no document text, profile value, id or key in any log, exception, repr, progress bar, temp name or manifest."""

import contextlib
import dataclasses
import functools
import gc
import logging
import os
import shutil
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from promise_support import STEM, Canaries, canary, canary_town, files_under, json_rows, write_canaries, written_paths
from rich.console import Console

from unname.apps import cli
from unname.auditing import charts
from unname.errors import InputError, UnnameError
from unname.job import AuditPlan, Deidentification
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.population import make_population
from unname.log import logger
from unname.protecting.wordlists import Patterns
from unname.terminal import progress
from unname.verbs.audit.in_memory import Knowledge, audit, prepare
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.share import represent

IDS = tuple(STEM + place for place in ("doc", "person", "split", "meta", "friend"))


@dataclass
class Traces:
    """What a command left behind besides the files it is there to write."""

    code: int
    said: str
    logged: str
    named: list[str] = field(default_factory=list)


Run = Callable[[list[str]], Traces]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line as on a terminal and gather everything it says, logs (DEBUG, any library) and names."""
    # The stem of canaries must not come up by chance in the random names of temporary files.
    monkeypatch.setattr(tempfile._RandomNameSequence, "characters", "abcdefghijklmnoprstuvwy0123456789")
    for module in (cli, progress):
        monkeypatch.setattr(module, "ERR", Console(stderr=True, force_terminal=True, highlight=False, width=160))

    def go(arguments: list[str]) -> Traces:
        caplog.clear()
        capfd.readouterr()
        with caplog.at_level(logging.DEBUG), written_paths() as named:
            code = cli.run(arguments)
        logging.getLogger("unname").setLevel(logging.NOTSET)
        said = "".join(capfd.readouterr())
        logged = "\n".join(f"{r.name} {r.getMessage()} {r.__dict__!r}" for r in caplog.records)
        return Traces(code, said, logged, named)

    return go


def require_silence(where: str, content: str, secrets: Iterable[str]) -> None:
    """No secret stands in something that anybody may see."""
    folded = content.casefold()
    for secret in secrets:
        assert secret.casefold() not in folded, f"{where} gives away what begins with {secret[:7]}"


def require_confidential(traces: Traces, key: str) -> None:
    """Neither screen, log nor the name of any file, temporary ones included, says anything of the input."""
    secrets = (STEM, key)
    require_silence("the screen", traces.said, secrets)
    require_silence("a log record", traces.logged, secrets)
    require_silence("a file's name", "\n".join(traces.named), secrets)


def require_public_files_clean(folder: Path, key: str) -> None:
    """Reports and manifest hold nothing of the input; released documents hold text, but no id and no metadata."""
    for path in files_under(folder):
        secrets = (*IDS, key) if path.name == "documents.jsonl" else (STEM, key)
        require_silence(path.name, path.read_text(encoding="utf-8", errors="replace"), secrets)


@pytest.mark.usefixtures("short_training", "short_attacks")
def test_commands_that_succeed_give_nothing_away(run: Run, canaries: Canaries, tmp_path: Path) -> None:
    out = tmp_path / "out"
    key = canaries.key_digits
    masked = run(canaries.deidentify(out, *canaries.vault(tmp_path)))
    assert masked.code in (0, 3)
    assert "stage" in masked.logged and "attack the release" in masked.said, (
        "the run must have logged stages and shown bars"
    )
    assert masked.named, "the watch over file names must see something"
    private = ["--private", f"{out}.private"]
    commands = [
        canaries.audit(out, tmp_path / "audit", *private),
        canaries.reveal(out, tmp_path, tmp_path / "originals.jsonl"),
        canaries.reidentify(tmp_path / "who.jsonl"),
        canaries.label(tmp_path / "labels.jsonl"),
        canaries.index(tmp_path / "index"),
        canaries.train(tmp_path / "model"),
        canaries.evaluate("--errors", str(tmp_path / "errors.html")),
        canaries.train_tagger(tmp_path / "tagger"),
        canaries.sanitize(tmp_path / "chain"),
        canaries.pseudonymise(tmp_path / "shared.jsonl"),
        canaries.train_representer(tmp_path / "representer"),
        canaries.represent(tmp_path / "representer", tmp_path / "lessons"),
        canaries.pool(tmp_path / "lessons", tmp_path / "representer", tmp_path / "pooled"),
        [
            "--debug",
            "tag",
            str(canaries.files.documents),
            "--tagger",
            "rules",
            "--tagger",
            str(tmp_path / "tagger"),
            "--out",
            str(tmp_path / "tags.jsonl"),
        ],
        ["--debug", "methods"],
    ]
    refused = [
        canaries.deidentify(tmp_path / "no", "--model", str(tmp_path / "model")),
        canaries.reidentify(tmp_path / "no.jsonl", "--model", str(tmp_path / "model")),
        canaries.reveal(out, tmp_path, tmp_path / "no.jsonl", "--person", canary("nobody")),
        canaries.evaluate("--labels", canary("value")),
        canaries.train_tagger(tmp_path / "no", "--split", canary("value")),
        canaries.sanitize(tmp_path / "no", "--labels", canary("value")),
        canaries.pseudonymise(tmp_path / "no", "--split", canary("value")),
        canaries.train_representer(tmp_path / "no", "--labels", canary("value")),
        canaries.represent(tmp_path / "model", tmp_path / "no"),
        canaries.train(tmp_path / "no", "--kind", "biencoder", "--document-encoder", str(tmp_path / canary("value"))),
        ["embed", "--model", str(tmp_path / "model"), "--people", str(canaries.files.people), "--out", "no.npy"],
    ]
    for traces in (masked, *map(run, commands)):
        assert traces.code in (0, 3)
        require_confidential(traces, key)
    for traces in map(run, refused):
        assert traces.code == 1
        require_confidential(traces, key)
    for name in ("vault", "vault.log"):
        require_silence(f"the {name}", (tmp_path / name).read_bytes().decode("latin-1"), (STEM, key))
    require_public_files_clean(out, key)
    require_public_files_clean(tmp_path / "audit", key)
    require_public_files_clean(tmp_path / "lessons", key)
    for name in ("report.html", "model.json"):
        require_silence(f"a chain's {name}", (tmp_path / "chain" / name).read_text(encoding="utf-8"), (STEM, key))
    texts = (out / "documents.jsonl").read_text(encoding="utf-8")
    assert STEM + "text" in texts, "canaries must reach the text, or their absence elsewhere shows nothing"
    assert json_rows(tmp_path / "who.jsonl")[0]["id"].startswith(STEM), "the private answer does name people"


# Modules of values, whose helpers run before any record is read.
VALUES = ("unname.job", "unname.option", "unname.draws")


def _stages(*modules: str) -> list[tuple[str, str]]:
    """Every function of ours that a module can call by name."""
    found = []
    for name in modules:
        module = import_module(f"unname.{name}")
        for attribute, value in sorted(vars(module).items()):
            if (
                isinstance(value, FunctionType)
                and value.__module__.startswith("unname.")
                and value.__module__ not in VALUES
            ):
                found.append((module.__name__, attribute))
    return found


def _arguments(command: str, canaries: Canaries, folder: Path, made: Path) -> list[str]:
    released = canaries.files.folder / "released.jsonl"
    released.write_bytes(canaries.files.documents.read_bytes())
    return {
        "deidentify": lambda: canaries.deidentify(folder / "out"),
        "audit": lambda: canaries.audit(released, folder / "out"),
        "reidentify": lambda: canaries.reidentify(folder / "out"),
        "train": lambda: canaries.train(folder / "out"),
        "train tagger": lambda: canaries.train_tagger(folder / "out"),
        "sanitize": lambda: canaries.sanitize(folder / "out", "--rounds", "1", "--kind", "svm"),
        "pseudonymise": lambda: canaries.pseudonymise(folder / "out"),
        "train-representer": lambda: canaries.train_representer(folder / "out"),
        "represent": lambda: canaries.represent(made / "representer", folder / "out"),
        "pool": lambda: canaries.pool(made / "lessons", made / "representer", folder / "out"),
        "label": lambda: canaries.label(folder / "out"),
        "index": lambda: canaries.index(folder / "out"),
        "reveal": lambda: canaries.reveal(made / "release", made, folder / "out.jsonl"),
        "tag": lambda: ["tag", str(canaries.files.documents), "--tagger", "rules", "--out", str(folder / "out")],
    }[command]()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, short_attacks: None) -> Path:
    """A folder with a representer of the notes, with what it makes of them, and a release with its vault."""
    folder = tmp_path_factory.mktemp("made")
    canaries = write_canaries(folder / "input")
    with contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
        for arguments in (
            canaries.train_representer(folder / "representer"),
            canaries.represent(folder / "representer", folder / "lessons"),
            canaries.deidentify(folder / "release", *canaries.vault(folder), "--rounds", "0"),
        ):
            cli.cli(arguments[1:], standalone_mode=False)
    return folder


def _once(function: Callable[..., Any]) -> Callable[..., Any]:
    """What it gave the first time, every time."""
    kept: list[Any] = []

    @functools.wraps(function)
    def remembered(*args: Any, **named: Any) -> Any:
        kept.extend([] if kept else [function(*args, **named)])
        return kept[0]

    return remembered


class _BugError(KeyError):
    """A mistake of ours, not an error that is raised on purpose."""


def _errors() -> list[BaseException]:
    odd = UnicodeEncodeError("utf-8", canary("text"), 0, 3, canary("value"))
    return [InputError("planted: record 3: field 'text'"), _BugError(canary("person"), canary("text")), odd]


@pytest.mark.slow
@pytest.mark.usefixtures("short_training", "short_attacks")
@pytest.mark.parametrize(
    ("command", "modules", "least"),
    [
        (
            "deidentify",
            (
                "verbs.deidentify.files",
                "verbs.deidentify.in_memory",
                "verbs.deidentify.own_audit",
                "verbs.audit.in_memory",
                "inputs.files",
                "verbs.deidentify.curve",
                "protecting.keys",
                "protecting.parts",
                "writing.release",
                "verifying.crowds",
                "verifying.written",
            ),
            60,
        ),
        ("audit", ("verbs.audit.files", "verbs.audit.in_memory", "inputs.files"), 12),
        ("reidentify", ("verbs.reidentify.run", "inputs.files"), 4),
        ("train", ("verbs.train.reidentifier", "inputs.files"), 4),
        ("train tagger", ("verbs.train.tagger", "inputs.annotated"), 6),
        ("sanitize", ("verbs.sanitize.run", "inputs.annotated"), 10),
        ("pseudonymise", ("verbs.share.pseudonymise", "inputs.annotated"), 8),
        ("train-representer", ("verbs.share.represent", "inputs.annotated"), 18),
        ("represent", ("verbs.share.represent", "inputs.annotated"), 10),
        ("pool", ("verbs.share.represent",), 5),
        ("tag", ("verbs.tag.run", "inputs.annotated"), 3),
        ("label", ("verbs.label.run",), 6),
        ("index", ("verbs.index.run",), 3),
        ("reveal", ("verbs.reveal.run", "storage.vault"), 8),
    ],
)
def test_commands_that_fail_at_any_stage_give_nothing_away(
    command: str,
    modules: tuple[str, ...],
    least: int,
    run: Run,
    canaries: Canaries,
    made: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for picture in [name for name in vars(charts) if name.endswith("_figure")]:
        monkeypatch.setattr(charts, picture, lambda *_: "<svg/>")
    monkeypatch.setattr(
        "unname.attacking.adversary.fit_weights", lambda rows, *_, **__: np.ones(len(rows[0]) if rows else 0)
    )
    monkeypatch.setattr(os, "fsync", lambda _: None)  # what takes time here, and none of it speaks
    if command == "train-representer":
        for slow in ("public_space", "train_representation", "attacked", "decoding_attacks", "most_nats"):
            monkeypatch.setattr(f"unname.verbs.share.represent.{slow}", _once(getattr(represent, slow)))
    if command == "represent":
        monkeypatch.setattr(represent, "measured", _once(represent.measured))
    arguments = _arguments(command, canaries, tmp_path, made)
    errors = _errors()
    failed = 0
    for number, (module, attribute) in enumerate(_stages(*modules)):
        # An error of ours at every stage, and at every stage a bug that quotes what it worked on, of either kind.
        for error in (errors[0], errors[1 + number % 2]):
            called: list[bool] = []

            def fail(*_: Any, error: BaseException = error, called: list[bool] = called, **__: Any) -> Any:
                called.append(True)
                raise error

            with monkeypatch.context() as patch:
                patch.setattr(sys.modules[module], attribute, fail)
                traces = run(arguments)
            if not called:
                _remove(tmp_path)
                break
            failed += 1
            place = f"{module}.{attribute}"
            assert traces.code == 1, f"a failure in {place} must be told by exit code 1, not {traces.code}"
            assert "error:" in traces.said, f"a failure in {place} must be told"
            require_confidential(traces, canaries.key_digits)
            left = [path.name for path in tmp_path.iterdir() if path.name != "input"]
            assert not left, f"a failure in {place} must leave nothing"
    assert failed >= 2 * least, f"only {failed} failures were reached; the stages are not being found"


@pytest.mark.usefixtures("short_training", "short_audit")
def test_trouble_with_a_person_gives_nothing_away_either(
    run: Run, canaries: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails while somebody is hidden withholds their documents, and the run goes on."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    reached = 0
    for number, (module, attribute) in enumerate(
        _stages("protecting.until_safe", "protecting.look", "protecting.cases")
    ):
        error, called = _errors()[number % 3], []

        def fail(*_: Any, error: BaseException = error, called: list[bool] = called, **__: Any) -> Any:
            called.append(True)
            raise error

        out = tmp_path / f"out{number}"
        with monkeypatch.context() as patch:
            patch.setattr(sys.modules[module], attribute, fail)
            traces = run(canaries.deidentify(out))
        require_confidential(traces, canaries.key_digits)
        if called and traces.code == 3:
            reached += 1
            require_public_files_clean(out, canaries.key_digits)
            reasons = {row["reason"] for row in json_rows(out.with_name(f"{out.name}.private") / "failures.jsonl")}
            assert reasons == {"failed"}
    assert reached >= 6


def _remove(folder: Path) -> None:
    for path in [path for path in folder.iterdir() if path.name != "input"]:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


BAD_INPUTS: dict[str, tuple[str, bytes]] = {
    "a document without a text": ("documents", b'{"id": "zqxdoc", "person": "zqxpersona"}\n'),
    "a text that is a number": ("documents", b'{"id": "zqxdoc", "text": 5, "person": "zqxpersona"}\n'),
    "half a surrogate pair in a text": ("documents", b'{"id": "zqxdoc", "text": "zqxtext \\ud800"}\n'),
    "half a surrogate pair in an id": ("documents", b'{"id": "zqxdoc\\ud800", "text": "a", "person": "zqxpersona"}\n'),
    "half a pair in metadata": ("documents", b'{"id": "a", "text": "a", "person": "zqxpersona", "w": "zqx\\udfff"}\n'),
    "an id that is a list": ("documents", b'{"id": ["zqxdoc"], "text": "zqxtext", "person": "zqxpersona"}\n'),
    "the same id twice": ("documents", b'{"id": "zqxdoc", "text": "a", "person": "zqxpersona"}\n' * 2),
    "an unknown person": ("documents", b'{"id": "zqxdoc", "text": "zqxtext", "person": "zqxnobody"}\n'),
    "no person": (
        "documents",
        b'{"id": "zqxdoc", "text": "zqxtext", "person": "zqxpersona"}\n{"id": "zqxother", "text": "zqxtext"}\n',
    ),
    "a person that is a list": ("documents", b'{"id": "zqxdoc", "text": "zqxtext", "person": ["zqxperson"]}\n'),
    "broken JSON": ("documents", b'{"id": "zqxdoc", "text": "zqxtext\n'),
    "JSON that is no object": ("documents", b'["zqxdoc", "zqxtext"]\n'),
    "bytes that are not UTF-8": ("documents", b'{"id": "zqxdoc", "text": "zqxtext \xff"}\n'),
    "deep JSON": ("documents", b'{"id": "zqxdoc", "text": ' + b"[" * 100_000 + b"\n"),
    "spans out of range": (
        "documents",
        b'{"id":"zqxdoc","text":"zqxtext","person":"zqxpersona","spans":[{"start":9}]}\n',
    ),
    "no documents": ("documents", b"\n"),
    "a profile without an id": ("people", b'{"fields": {"name": "zqxvalue"}}\n'),
    "the same profile twice": ("people", b'{"id": "zqxperson", "fields": {"name": "zqxvalue"}}\n' * 2),
    "fields that are a list": ("people", b'{"id": "zqxperson", "fields": ["zqxvalue"]}\n'),
    "a key that one person has": (
        "people",
        b'{"id": "zqxperson", "fields": {"name": {"zqxvalue": 1}}}\n{"id": "zqxpersonb", "fields": {"name": "a"}}\n',
    ),
    "half a surrogate pair in a profile's id": ("people", b'{"id": "zqxperson\\ud800", "fields": {"name": "a"}}\n'),
    "too few people": ("people", b'{"id": "zqxpersona", "fields": {"name": "zqxvalue"}}\n'),
    "a word list that is no expression": ("always", b"/zqxtext(/\n"),
    "a word list that is not UTF-8": ("never", b"zqxtext\xff\n"),
    "triples with two cells": ("graph", b"zqxperson\tzqxvalue\n"),
    "a key with a wrong digit": ("key", b"zq" * 32),
    "a key that is too short": ("key", b"7a" * 31),
    "a key that is not ASCII": ("key", b"\xff" * 64),
}


@pytest.mark.parametrize("fault", BAD_INPUTS)
def test_bad_input_is_refused_without_being_quoted(fault: str, run: Run, canaries: Canaries, tmp_path: Path) -> None:
    name, content = BAD_INPUTS[fault]
    path = {"documents": canaries.files.documents, "people": canaries.files.people}.get(name)
    (path or getattr(canaries, name)).write_bytes(content)
    traces = run(canaries.deidentify(tmp_path / "out"))
    assert traces.code == 1 and "unexpected" not in traces.said, f"{fault} must be a clear error of ours"
    require_confidential(traces, canaries.key_digits)
    assert not (tmp_path / "out").exists() and not (tmp_path / "out.private").exists()


def test_no_value_of_ours_shows_content_in_its_repr() -> None:
    documents, profiles = canary_town()
    population = make_population(profiles)
    result = deidentify(
        documents,
        population,
        settings=dataclasses.replace(Deidentification(k=2), always=[canary("text", 1)]),
        key=b"7" * 32,
    )
    prepared = prepare(
        documents, population, plan=AuditPlan(attackers=("all",)), knowledge=Knowledge(used=("bm25", "ngrams"), k=2)
    )
    found = audit(prepared, result.texts(), masks=result.masks)
    kept = [result, prepared, found, direct_identifiers(profiles[0], result.direct), Patterns.compile([STEM])]
    seen = require_quiet_reprs(kept)
    assert {"Document", "Profile", "Mask", "Release", "Population", "Deidentified", "TermIndex", "Audit"} <= seen


def require_quiet_reprs(values: list[Any]) -> set[str]:
    """Neither these values nor any object of ours that they hold shows a canary; returns the classes seen."""
    seen: set[str] = set()
    todo, met = list(values), set[int]()
    while todo:
        value = todo.pop()
        if id(value) in met or isinstance(value, type | FunctionType):
            continue
        met.add(id(value))
        if type(value).__module__.startswith(("unname", __name__)):
            seen.add(type(value).__name__)
            require_silence(f"repr of {type(value).__name__}", f"{value!r} {value!s}", (STEM,))
        elif not isinstance(value, dict | list | tuple | set | frozenset):
            continue
        todo += [held for held in gc.get_referents(value) if gc.is_tracked(held)]
    return seen


def test_errors_of_ours_do_not_show_content_even_with_their_causes(canaries: Canaries) -> None:
    from unname.storage.documents import read_documents

    canaries.files.documents.write_bytes(BAD_INPUTS["bytes that are not UTF-8"][1])
    with pytest.raises(UnnameError) as caught:
        read_documents(canaries.files.documents)
    require_silence("the traceback", "".join(traceback.format_exception(caught.value)), (STEM,))


def test_the_check_notices_a_logger_call_with_text(
    run: Run, canaries: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.verbs.deidentify import files as release

    real = release.read_inputs

    def planted(*args: Any, **named: Any) -> Any:
        logger.debug("working on %s", canary("text"))
        return real(*args, **named)

    monkeypatch.setattr(release, "read_inputs", planted)
    traces = run(canaries.deidentify(tmp_path / "out"))
    with pytest.raises(AssertionError, match="a log record"):
        require_silence("a log record", traces.logged, (STEM,))
    with pytest.raises(AssertionError, match="gives away"):
        require_confidential(traces, canaries.key_digits)


def test_the_check_notices_a_progress_bar_with_an_id_and_a_telling_file_name(
    run: Run, canaries: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.verbs.deidentify import files as release

    real = release.mask_all

    def planted(documents: Any, *args: Any, runtime: Any, **named: Any) -> Any:
        runtime.progress(f"mask {documents[0].id}", 1)
        (tmp_path / f".{documents[0].person}.partial").write_text("x", encoding="utf-8")
        return real(documents, *args, runtime=runtime, **named)

    monkeypatch.setattr(release, "mask_all", planted)
    traces = run(canaries.deidentify(tmp_path / "out"))
    for where, content in (("the screen", traces.said), ("a file's name", "\n".join(traces.named))):
        with pytest.raises(AssertionError, match=where):
            require_silence(where, content, (STEM,))


def test_the_check_notices_a_report_that_lists_ids(
    run: Run, canaries: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.verbs.deidentify import files as release

    real = release.manifest
    monkeypatch.setattr(release, "manifest", lambda **named: {**real(**named), "first": canary("doc")})
    assert run(canaries.deidentify(tmp_path / "out")).code in (0, 3)
    with pytest.raises(AssertionError, match=r"manifest\.json"):
        require_public_files_clean(tmp_path / "out", canaries.key_digits)


def test_the_check_notices_a_repr_with_text() -> None:
    class Talkative:
        def __repr__(self) -> str:
            return canary("text")

    with pytest.raises(AssertionError, match="repr of Talkative"):
        require_quiet_reprs([{"held": (Talkative(),)}])


def test_the_check_notices_a_command_line_that_prints_what_a_bug_says(
    run: Run, canaries: Canaries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "where", lambda error: repr(error))
    monkeypatch.setattr("unname.verbs.deidentify.files.read_inputs", lambda *_, **__: {}[canary("person")])
    with pytest.raises(AssertionError, match="the screen"):
        require_confidential(run(canaries.deidentify(tmp_path / "out")), canaries.key_digits)
