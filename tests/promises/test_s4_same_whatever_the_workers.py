"""S4: what comes of a document does not depend on how many processes work, on order, or on who else is in the run."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from promise_support import FAST, Files, json_rows, write_documents

from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.protecting import until_safe as hiding
from unname.protecting.result import Deidentified
from unname.types import Document
from unname.verbs.deidentify import in_memory as deidentify_module
from unname.verbs.deidentify.files import deidentify_files
from unname.writing import release as writing

# A sample smaller than the town, so that whom the audit draws must not depend on the run either.
SAMPLE = 30


@dataclass(frozen=True)
class Said:
    """Everything a run says: released rows, private rows by kind and document, and the figures of the report."""

    released: dict[str, Any]
    private: dict[str, dict[str, Any]]
    report: dict[str, Any]

    def about(self, documents: list[Document]) -> tuple[Any, ...]:
        """What it says of these documents; of them only what does not come from the audit of a whole corpus."""
        names = {d.id for d in documents}
        private = {kind: {i: row for i, row in rows.items() if i in names} for kind, rows in self.private.items()}
        public = {row["release_id"] for row in private["masks.jsonl"].values()}
        return {i: text for i, text in self.released.items() if i in public}, private


Run = Callable[..., Said]


@pytest.fixture(scope="module")
def run(town: Town, town_files: Files, key_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Deidentify documents of the town with one key, by so many workers, who get people in small parcels."""

    def go(documents: list[Document], *, workers: int = 1, facts: str = "mask-rare") -> Said:
        folder = tmp_path_factory.mktemp("run")
        source = write_documents(folder / "documents.jsonl", documents)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hiding, "BATCH", 3)
            patch.setattr(writing, "render", lambda *_, **__: "<html></html>")  # its figures are those of report.json
            deidentify_files(
                make_job(
                    source,
                    town_files.people,
                    folder / "out",
                    accept_risk="a test",
                    masking=Deidentification(k=3, ids="keyed", facts=facts),
                    attackers=FAST,
                    audit_sample=SAMPLE,
                    key=key_file,
                    workers=workers,
                )
            )
        kinds = ("masks.jsonl", "documents.jsonl", "offsets.jsonl", "failures.jsonl")
        private = {k: {row["id"]: row for row in json_rows(folder / "out.private" / k)} for k in kinds}
        for row in private["documents.jsonl"].values():
            row.pop("found_by")  # what the audit's attackers found hangs on the sample, so on the corpus
        released = {row["id"]: row for row in json_rows(folder / "out" / "documents.jsonl")}
        return Said(released, private, json.loads((folder / "out" / "report.json").read_text("utf-8")))

    return go


@pytest.fixture(scope="module")
def alone(run: Run, town: Town) -> Said:
    """What one process says of the town in its order."""
    return run(list(town.documents))


def mixed(documents: tuple[Document, ...]) -> list[Document]:
    """The same documents in another order, those of a person apart."""
    found = list(documents)
    random.Random(5).shuffle(found)
    assert [d.id for d in found] != [d.id for d in documents]
    return found


def require_same_figures(report: Any, other: Any, place: str = "report") -> None:
    """Two reports hold the same, to the rounding of sums.

    Information lost is the size of all texts compressed one after the other, so that alone may shift with their order.
    """
    assert type(report) is type(other), place
    if isinstance(report, dict):
        assert report.keys() == other.keys(), place
        for key, value in report.items():
            require_same_figures(value, other[key], f"{place}.{key}")
    elif isinstance(report, list):
        assert len(report) == len(other), place
        for number, both in enumerate(zip(report, other, strict=True)):
            require_same_figures(*both, f"{place}[{number}]")
    elif isinstance(report, float):
        near = {"abs": 0.005} if place == "report.information_loss" else {"rel": 1e-12}
        assert report == pytest.approx(other, **near), place
    else:
        assert report == other, place


def require_same(said: Said, other: Said, documents: list[Document]) -> None:
    """Both runs say the same of these documents, to the last figure."""
    (texts, private), (other_texts, other_private) = said.about(documents), other.about(documents)
    assert texts and texts == other_texts, "released texts differ"
    for kind, rows in private.items():
        assert rows == other_private[kind], f"{kind} differs"


@pytest.mark.slow
@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_workers_changes_no_text_no_private_row_and_no_figure(
    run: Run, alone: Said, town: Town, workers: int
) -> None:
    shared = run(list(town.documents), workers=workers)
    require_same(shared, alone, list(town.documents))
    assert shared.report == alone.report


def test_the_order_of_documents_changes_no_text_no_private_row_and_no_figure(run: Run, alone: Said, town: Town) -> None:
    other = run(mixed(town.documents))
    require_same(other, alone, list(town.documents))
    require_same_figures(other.report, alone.report)


def test_the_other_documents_of_a_run_change_nothing_for_a_person(run: Run, town: Town) -> None:
    """Unless what is rare is to be hidden, which is counted over all documents of a run."""
    wanted = {p.id for p in town.profiles[::3]}
    few = [d for d in town.documents if d.person in wanted]
    assert 0 < len(few) < len(town.documents) / 2
    require_same(run(few, facts="report"), run(list(town.documents), facts="report"), few)


# --- planted faults


def test_the_check_notices_figures_of_whichever_document_comes_first(
    run: Run, alone: Said, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.verbs.deidentify import own_audit as assessment

    monkeypatch.setattr(assessment, "drawn_places", lambda result, most: list(range(most)))
    with pytest.raises(AssertionError, match="report"):
        require_same_figures(run(mixed(town.documents)).report, alone.report)


def test_the_check_notices_targets_drawn_in_the_order_of_work(
    run: Run, alone: Said, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.protecting import masker

    drawn = random.Random(1)
    monkeypatch.setattr(masker, "target_crowd", lambda key, unit, *, k, span, most: min(most, drawn.randrange(k, 9)))
    first = run(list(town.documents))
    with pytest.raises(AssertionError, match="differ"):
        require_same(run(mixed(town.documents)), first, list(town.documents))


def test_the_check_notices_outcomes_that_come_back_to_other_people(
    run: Run, alone: Said, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = hiding.mask_people

    def crossed(masker: Any, people: Any, pool: Any) -> Iterator[Any]:
        found = list(real(masker, people, pool))
        lengths = [len(row) for row in found]
        twin = next(i for i in range(1, len(found)) if lengths[i] == lengths[0])
        found[0], found[twin] = found[twin], found[0]
        yield from found

    monkeypatch.setattr(deidentify_module, "mask_people", crossed)
    monkeypatch.setattr("unname.verbs.deidentify.files.verify_crowds", lambda *_: 0)
    monkeypatch.setattr("unname.verbs.deidentify.files.verify_written", lambda *_: [])
    with pytest.raises(AssertionError, match="differ"):
        require_same(run(list(town.documents)), alone, list(town.documents))


def test_the_check_notices_a_mask_that_hangs_on_the_rest_of_the_corpus(
    run: Run, alone: Said, town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unname.verbs.deidentify import files as release

    real = release.mask_all

    def counting(documents: Any, people: Any, parts: Any, *rest: Any, **named: Any) -> Deidentified:
        settings = replace(parts.settings, k=2 + (len(documents) > 30))
        return real(documents, people, replace(parts, settings=settings), *rest, **named)

    monkeypatch.setattr(release, "mask_all", counting)
    few = [d for d in town.documents if d.person in {p.id for p in town.profiles[::3]}]
    with pytest.raises(AssertionError, match="differ"):
        require_same(run(few, facts="report"), run(list(town.documents), facts="report"), few)


# --- load


STOPPED = """
import os, signal, sys
from unname.protecting.wordlists import Patterns
from unname.taggers.rules import tagger as rules

plain = rules.normalised

def stopped(text):
    os.kill(os.getpid(), signal.SIGSTOP)
    return plain(text)

rules.normalised = stopped
print(rules.Rules(timeout_s=0.5).tag(["Call 555-123-4567 in the morning."])[0][0].label)
"""
PATTERN = """
import os, signal, sys, time
from unname.errors import TaggingTimeoutError
from unname.protecting import wordlists
from unname.text import words

wordlists.TIMEOUT_S = 0.4
if not os.fork():
    time.sleep(0.1)
    os.kill(os.getppid(), signal.SIGSTOP)
    os._exit(0)
began, used = time.monotonic(), time.process_time()
text = "a" * 60 + "!"
try:
    wordlists.Patterns.compile(["/(a|aa)+$/"]).touched(text, words(text))
except TaggingTimeoutError:
    print(time.monotonic() - began > 1 and time.process_time() - used > 0.3)
"""


@pytest.mark.parametrize(("code", "said"), [(STOPPED, "PHONE"), (PATTERN, "True")], ids=["rules", "a user's pattern"])
def test_time_in_which_a_process_gets_no_processor_is_not_counted(code: str, said: str) -> None:
    """A machine that is busy with something else withholds no document: here the process is stopped for a while."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        time.sleep(1.2)
        os.kill(process.pid, signal.SIGCONT)
        assert process.communicate(timeout=60)[0].strip() == said
