"""A library that raises, logs, warns, leaves text out or never ends: an error of ours, without a word of the text."""

import logging
import re
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pytest

from unname.errors import SettingsError, TaggingError, TaggingTimeoutError
from unname.taggers.foreign.base import Foreign
from unname.taggers.foreign.labels import LabelMap
from unname.taggers.foreign.named import make_foreign, split_foreign
from unname.types import Span

PERSON = "Ada Quillfeather"
TEXT = f"Seen by {PERSON}."


@dataclass(frozen=True, repr=False)
class Library(Foreign):
    """A library that does as it is asked."""

    does: Callable[[str], list[Span]] = lambda text: []
    name: str = field(default="library.v1", init=False)

    def about(self) -> Mapping[str, str]:
        return {}

    def their_labels(self) -> Iterable[str]:
        return ()

    def parts(self, text: str) -> Iterator[list[Span]]:
        yield self.does(text)


def raising(text: str) -> list[Span]:
    raise ValueError(f"cannot read {text}")


def warning(text: str) -> list[Span]:
    warnings.warn(f"Sentence {text} has been truncated to 3", stacklevel=2)
    return []


def logging_late(text: str) -> list[Span]:
    logging.getLogger("presidio-analyzer").warning("Regex pattern '%s' timed out after %s seconds, skipping.", text, 60)
    return []


def outside(text: str) -> list[Span]:
    return [Span(3, len(text) + 5, "PER")]


@pytest.mark.parametrize("does", [raising, warning, logging_late, outside])
def test_a_failure_says_nothing_of_the_text(
    does: Callable[[str], list[Span]], capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("presidio-analyzer")
    with pytest.raises(TaggingError) as raised:
        Library(does=does).tag([TEXT])
    error = raised.value
    said = "".join(traceback.format_exception(error)) + "".join(capsys.readouterr()) + caplog.text
    assert "Quillfeather" not in said and error.__context__ is None and error.__cause__ is None
    assert "library.v1" in str(error) or does is outside


def test_a_librarys_log_messages_are_not_shown(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    logger = logging.getLogger("spacy.pipeline")

    def talking(text: str) -> list[Span]:
        logger.warning("read %s", text)
        warnings.warn(text, stacklevel=1)
        return [Span(8, 24, "PER", score=0.5)]

    with warnings.catch_warnings(record=True) as shown:
        warnings.simplefilter("always")
        assert Library(does=talking).tag([TEXT]) == [[Span(8, 24, "NAME")]]
    assert not shown and PERSON not in caplog.text + "".join(capsys.readouterr())
    logger.warning("later")
    assert "later" in caplog.text


def endless(text: str) -> list[Span]:
    return [Span(0, 1, str(re.match(r"(a|a)*$", "a" * 60 + "b")))]


def test_a_library_that_never_ends_is_ended() -> None:
    started = time.process_time()
    with pytest.raises(TaggingTimeoutError):
        Library(does=endless, timeout_s=0.3).tag([TEXT])
    assert time.process_time() - started < 30


def test_a_thread_of_its_own_sees_the_time_between_windows() -> None:
    def busy(text: str) -> list[Span]:
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return []

    errors: list[BaseException] = []

    def work() -> None:
        try:
            Library(does=busy, timeout_s=0.05).tag([TEXT])
        except TaggingTimeoutError as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(errors) == 1


def test_labels_are_ours_stretches_trimmed_and_disguises_seen_through() -> None:
    def reading(text: str) -> list[Span]:
        at = text.index("Ada")
        return [Span(at - 1, at + 16, "PERSON"), Span(0, 4, "CARDINAL"), Span(5, 7, "HAUSTIER", score=7.0)]

    own = LabelMap((("CARDINAL", "O"),))
    disguised = TEXT.replace("Ada", "A\u200bd\u200ba")
    found = Library(labels_as=own, does=reading).proposals(disguised)
    assert [(disguised[s.start : s.end], s.label, s.score) for s in found] == [
        ("by", "HAUSTIER", 1.0), ("A\u200bd\u200ba Quillfeather", "NAME", 1.0)
    ]  # fmt: skip
    assert Library(does=raising).tag(["", " \n"]) == [[], []], "there is nothing to ask"


def test_names_of_taggers_from_elsewhere_are_known() -> None:
    given = ("rules", "spacy:x", "presidio", "presidio:de", "hf:a/b", "gliner.v1:m", "model", "none", "http:x")
    assert split_foreign(given) == (
        ("spacy:x", "presidio", "presidio:de", "hf:a/b", "gliner.v1:m"), ("rules", "model", "none", "http:x")
    )  # fmt: skip


def test_one_that_is_named_twice_or_without_its_model_is_refused() -> None:
    with pytest.raises(SettingsError, match="twice"):
        make_foreign(["presidio", "presidio"], LabelMap())
    for kind in ("spacy", "hf", "gliner"):
        with pytest.raises(SettingsError, match=f"{kind}:"):
            make_foreign([kind], LabelMap())
