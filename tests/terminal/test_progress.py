"""Bars on a terminal, lines in a pipe: how far a run is, how fast, and how long it will take."""

import io
import re
import time

import pytest
from rich.console import Console

from unname.terminal import progress


def console(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> io.StringIO:
    """What is written to standard error, on a terminal or in a pipe; a line comes twenty times a second."""
    written = io.StringIO()
    monkeypatch.setattr(progress, "ERR", Console(file=written, force_terminal=terminal, width=120))
    monkeypatch.setattr(progress, "_EVERY", 0.05)
    return written


def lines_of(written: io.StringIO, most: float = 20.0) -> list[str]:
    """The lines as soon as there are some."""
    until = time.monotonic() + most
    while not written.getvalue().count("\n") and time.monotonic() < until:
        time.sleep(0.01)
    return written.getvalue().splitlines()


def test_a_pipe_is_told_the_stage_how_many_of_how_many_the_rate_and_the_time_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = console(monkeypatch, terminal=False)
    with progress.bars() as stage:
        advance = stage("mask", 50_000)
        advance(1_200)
        line = lines_of(written)[0]
    assert line.startswith("mask: 1,200 of 50,000, ")
    assert re.search(r", [\d,.]+ a (second|minute), about \d+ (s|min|h)( \d+ (s|min))? left \(\d+ s so far\)$", line)


def test_a_stage_without_steps_or_not_begun_names_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    written = console(monkeypatch, terminal=False)
    with progress.bars() as stage:
        stage("read", 1)
        assert re.fullmatch(r"read \(\d+ s so far\)", lines_of(written)[0])
        written.truncate(0)
        stage("mask", 20)
        time.sleep(0.2)
        assert re.fullmatch(r"mask: 0 of 20 \(\d+ s so far\)", lines_of(written)[-1])


def test_a_short_run_says_nothing_in_a_pipe_and_nobody_speaks_after_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    written = console(monkeypatch, terminal=False)
    monkeypatch.setattr(progress, "_EVERY", 10)
    with progress.bars() as stage:
        stage("mask", 20)(20)
    assert written.getvalue() == ""
    monkeypatch.setattr(progress, "_EVERY", 0.01)
    with pytest.raises(ValueError, match="broken"), progress.bars() as stage:
        stage("mask", 20)
        raise ValueError("broken")
    said = written.getvalue()
    time.sleep(0.1)
    assert written.getvalue() == said


def test_a_terminal_has_bars_with_the_rate_of_each_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    written = console(monkeypatch, terminal=True)
    with progress.bars() as stage:
        advance = stage("read", 40)
        for _ in range(4):
            time.sleep(0.05)
            advance(10)
        stage("mask", 20)
    said = written.getvalue()
    assert "read" in said and "40/40" in said and "20/20" in said, "a stage is over when the next one begins"
    assert re.search(r"\d a second", said)


@pytest.mark.parametrize(
    ("rate", "words"), [(0, ""), (0.25, "15 a minute"), (2.5, "2.5 a second"), (1234.5, "1,234 a second")]
)
def test_rates_are_said_in_whole_numbers(rate: float, words: str) -> None:
    assert progress._rate(rate) == words
