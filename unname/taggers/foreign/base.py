"""The common part of all taggers of other libraries: labels in our words, time limits, and errors without any text.

A library is asked window by window. Whatever it raises becomes an error of ours without a word of its own, since that may
quote the text; whatever it would print or log while it reads is not shown, for the same reason.
"""

import logging
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from types import FrameType
from typing import Any, ClassVar

from unname.errors import TaggingError, TaggingTimeoutError, UnnameError, missing_extra
from unname.normalised import normalised
from unname.taggers.base import without_overlaps
from unname.taggers.foreign.labels import LabelMap
from unname.types import Span

# Seconds of computing for a text, and the characters for each of which as many are added.
TIMEOUT_S, PART = 60.0, 20_000
# Scores as what a library gives no score.
USUAL = 0.85


class _LateError(BaseException):
    """The time is over; no library catches it by accident."""


@dataclass(frozen=True, repr=False)
class Foreign:
    """A tagger of another library: `model` is the model it loads, `labels_as` translates its labels into ours.

    A text on which more than `timeout_s` seconds of computing are spent (for 20,000 characters or part of them) raises
    TaggingTimeoutError, one on which the library fails TaggingError. `written` is how users name one, with its model
    behind a colon, and `library` the module that must be installed.
    """

    written: ClassVar[str] = ""
    library: ClassVar[str] = ""
    model: str = ""
    labels_as: LabelMap = field(default_factory=LabelMap)
    timeout_s: float = TIMEOUT_S
    name: str = field(default="foreign.v1", init=False)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.labels_as!r})"

    @classmethod
    def available(cls) -> str | None:
        """Advice to install the library it needs; None where that is there."""
        if not cls.library or cls.library in sys.modules or find_spec(cls.library) is not None:
            return None
        return str(missing_extra(ImportError(name=cls.library)))

    @property
    def labels(self) -> frozenset[str]:
        """The labels of its spans, in our words."""
        return frozenset(ours for theirs in self.their_labels() if (ours := self.labels_as.of(theirs)))

    @property
    def folders(self) -> tuple[Path, ...]:
        """The files of the model, for the hash of a manifest."""
        return ()

    def load(self) -> None:
        """Load the model, so that anything that is missing is a ModelError now."""
        _ = self.about(), self.labels

    def their_labels(self) -> Iterable[str]:
        """Every label that the library may give."""
        raise NotImplementedError

    def about(self) -> Mapping[str, str]:
        """The entry of a manifest: its name, the library and the model with their versions, no folder of the user's."""
        raise NotImplementedError

    def parts(self, text: str) -> Iterator[Iterable[Span]]:
        """The library's spans, window by window, in its own labels, by the offsets of the text."""
        raise NotImplementedError

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text: sorted, disjoint, in range."""
        return [without_overlaps(self.proposals(text)) for text in texts]

    def proposals(self, text: str) -> list[Span]:
        """All spans of any window, also where they overlap: for users who hide some labels only."""
        _loaded(self)  # its time is not the text's
        seen = normalised(text)
        limit = self.timeout_s * (1 + len(text) // PART)
        spans = []
        for span in guarded(lambda: self.parts(seen.text), limit, self.name) if text.strip() else ():
            start, end, label = *_trimmed(seen.text, span.start, span.end), self.labels_as.of(span.label)
            if label and start < end:
                score = min(1.0, max(0.0, float(span.score)))
                spans.append(Span(*seen.original(start, end), label, score=score))
        return sorted(dict.fromkeys(spans))


@cache
def _loaded(tagger: Foreign) -> None:
    """A tagger's model is loaded, once a process."""
    tagger.load()


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without white space at its ends."""
    if not 0 <= start <= end <= len(text):
        raise TaggingError("a tagger from elsewhere gave a stretch outside the text; the text is withheld")
    stretch = text[start:end]
    return start + len(stretch) - len(stretch.lstrip()), end - len(stretch) + len(stretch.rstrip())


def guarded(read: Callable[[], Iterator[Iterable[Span]]], limit_s: float, name: str) -> list[Span]:
    """The library's spans, whole, or an error of ours without a word of the library's."""
    spans: list[Span] = []
    late, failed = False, ""
    notes: list[str] = []
    end = time.process_time() + limit_s
    try:
        with _alarm(limit_s), _silence(notes):
            for part in read():
                spans += part
                if late := time.process_time() > end:
                    break
    except _LateError:
        late = True
    except UnnameError:
        raise
    except Exception as error:  # whatever another library raises
        failed = type(error).__name__
    heard = any(map(_leaves_out, notes))
    # Out here, so that the library's error, and its text, is not even this one's context.
    if late:
        raise TaggingTimeoutError(f"{name} took more than {limit_s:g} s of computing for a text; withhold it")
    if failed or heard:
        what = f"failed on a text ({failed})" if failed else "left out a part of a text"
        raise TaggingError(f"{name} {what}; withhold it")
    return spans


def _leaves_out(note: str) -> bool:
    """Check whether a library's notice means that it did not read all, or that a pattern ran out of time."""
    notice = note.casefold()
    return "timed out" in notice or "timeout" in notice or "truncated" in notice


@contextmanager
def _alarm(limit_s: float) -> Iterator[None]:
    """Ends what never comes back, where the system can: by computing time, so that a busy machine withholds nothing."""
    able = hasattr(signal, "SIGPROF") and threading.current_thread() is threading.main_thread()
    if not able or signal.getitimer(signal.ITIMER_PROF)[0]:
        yield
        return

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise _LateError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class _Listening(logging.Filter):
    """A handler that records log messages and shows none."""

    def __init__(self, notes: list[str]) -> None:
        super().__init__()
        self._notes = notes

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno >= logging.WARNING:
            self._notes.append(str(record.msg))
        return False


_LIBRARIES = ("spacy", "presidio-analyzer", "transformers", "gliner", "tldextract", "thinc", "huggingface_hub")


@contextmanager
def _silence(notes: list[str]) -> Iterator[None]:
    """Warnings and logs of the libraries, which are noted and not shown."""
    listening = _Listening(notes)
    known = logging.root.manager.loggerDict
    loggers = [
        logging.getLogger(name) for name in list(known) if name.partition(".")[0] in _LIBRARIES or name in _LIBRARIES
    ]
    for logger in loggers:
        logger.addFilter(listening)
    try:
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            try:
                yield
            finally:
                notes += [str(each.message) for each in warned]
    finally:
        for logger in loggers:
            logger.removeFilter(listening)


def version_of(package: str) -> str:
    """The version of an installed package; `unknown` if it was put there by hand."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def quietly(load: Callable[[], Any]) -> Any:
    """The result of loading by a library, without a word of its own."""
    with _silence([]):
        return load()
