"""S5: memory is bounded by index and workers, not by the size of the corpus."""

import gc
import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from promise_support import write_documents, write_people

from unname.errors import InputError
from unname.inputs import files as inputs_module
from unname.inputs.files import read_inputs
from unname.job import Deidentification, Source, make_job
from unname.knowledge.fictional import fictional_town
from unname.storage import faults, spool
from unname.types import Document, Profile
from unname.verbs.deidentify import in_memory as deidentify_module
from unname.verbs.deidentify.files import deidentify_files
from unname.writing import release as writing

EACH = 4  # documents of a person
METHOD, MEMBER = "lexical", "bm25"  # the cheapest, for what a search holds is gone with its person
LINE = "x" * 999 + "\n"


def notes(people: int, *, town: int, lines: int) -> Iterator[Document]:
    """Short notes about the first people of a town, four about each, with so many lines of filling at the end."""
    texts: dict[str, list[str]] = {}
    for document in fictional_town(people=town, seed=4, noted=people).documents:
        texts.setdefault(str(document.person), []).append(document.text[:150])
    for person, row in texts.items():
        for number in range(EACH):
            text = f"Visit {number}. {row[number % len(row)]}\n{LINE * lines}"
            yield Document(f"{person}-{number}", text, person)


@dataclass(frozen=True)
class Corpora:
    """A small and a large corpus about people of one town, and how many documents lie between them."""

    people: Path
    small: Path
    large: Path
    more: int


def write_corpora(folder: Path, *, few: int, many: int, town: int, lines: int) -> Corpora:
    """Corpora about so few and so many people of a town as files; without days of birth, which take long to look for."""
    folder.mkdir(exist_ok=True)
    undated = [
        Profile(p.id, {name: value for name, value in p.fields.items() if name != "birth date"})
        for p in fictional_town(people=town, seed=4, noted=0).profiles
    ]
    people = write_people(folder / "people.jsonl", undated)
    small = write_documents(folder / "small.jsonl", notes(few, town=town, lines=lines))
    large = write_documents(folder / "large.jsonl", notes(many, town=town, lines=lines))
    return Corpora(people, small, large, (many - few) * EACH)


# --- what Python holds in one process, stage by stage

HELD = 6000  # bytes of a text, so the least that a document takes where it is held
MOST_HELD = 2048  # bytes that one more document may take at the fullest moment of any stage


class _EnoughError(Exception):
    """A stage was reached that need not be gone into."""


def peaks_by_stage(
    corpus: Path, people: Path, out: Path, *, last: str = "write", limit: int | None = None
) -> dict[str, int]:
    """The most bytes that Python holds at once in each stage of a run with one worker, up to the last that is named."""
    peaks: dict[str, int] = {}
    stage = ["read"]

    def enter(name: str, total: int = 0) -> Callable[[int], None]:
        peaks[stage[0]] = max(peaks.get(stage[0], 0), tracemalloc.get_traced_memory()[1])
        if stage[0] == last:
            raise _EnoughError
        gc.collect()
        tracemalloc.reset_peak()
        stage[0] = name
        return lambda done: None

    settings = Deidentification(k=3, method=METHOD, reidentifiers=(MEMBER,))
    gc.collect()
    tracemalloc.start()
    try:
        deidentify_files(
            make_job(
                corpus,
                people,
                out,
                accept_risk="a test",
                masking=settings,
                attackers=("facts",),
                audit_sample=40,
                limit=limit,
                progress=enter,
            )
        )
        enter("end")
    except _EnoughError:
        pass
    finally:
        tracemalloc.stop()
    return peaks


@dataclass(frozen=True)
class Watched:
    """Corpora and what a run on the small one takes in each stage."""

    corpora: Corpora
    peaks: dict[str, int]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Buffers of a fixed size are made small, so that a small corpus fills them; pictures are left out."""
    folder = tmp_path_factory.mktemp("held")
    corpora = write_corpora(folder, few=40, many=140, town=360, lines=HELD // len(LINE))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spool, "_BLOCK", 1 << 14)
        patch.setattr("unname.reidentifiers.terms.termindex.ROW_BYTES", 1 << 18)
        patch.setattr(writing, "render", lambda *_, **__: "<html></html>")
        peaks_by_stage(corpora.small, corpora.people, folder / "first", limit=60)  # modules are loaded by it
        yield Watched(corpora, peaks_by_stage(corpora.small, corpora.people, folder / "small"))


def require_flat(small: dict[str, int], large: dict[str, int], more: int) -> None:
    """No stage that was gone through holds much more for each further document."""
    for stage, peak in large.items():
        grown = (peak - small[stage]) / more
        assert grown < MOST_HELD, f"{grown:.0f} bytes a document are held in the stage {stage!r}"


@pytest.mark.slow
def test_no_stage_of_a_run_holds_more_than_a_third_of_a_document_for_each_one_more(
    watched: Watched, tmp_path: Path
) -> None:
    corpora = watched.corpora
    large = peaks_by_stage(corpora.large, corpora.people, tmp_path / "out")
    assert large.keys() == watched.peaks.keys() >= {"read", "index", "mask", "attack the release", "write"}
    require_flat(watched.peaks, large, corpora.more)


@pytest.mark.parametrize(
    ("module", "name"),
    [(inputs_module, "document_spool"), (deidentify_module, "outcome_spool")],
    ids=lambda v: str(v)[-20:],
)
def test_the_check_notices_documents_or_outcomes_that_are_kept_in_memory(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: object, name: str
) -> None:
    monkeypatch.setattr(module, name, lambda folder: [])
    corpora = watched.corpora
    large = peaks_by_stage(corpora.large, corpora.people, tmp_path / "out", last="mask")
    with pytest.raises(AssertionError, match="are held in the stage"):
        require_flat(watched.peaks, large, corpora.more)


def test_documents_of_unknown_people_are_counted_and_not_listed(
    watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of them would grow with the corpus, and there would have to be a limit to it."""
    monkeypatch.setattr(faults, "MOST_BAD_RECORDS", 10)
    strangers = [Document(f"d{i}", "a note", f"nobody-{i}") for i in range(40)]
    known = json.loads(watched.corpora.people.read_text(encoding="utf-8").partition("\n")[0])["id"]
    strangers.append(Document("known", "a note", known))
    path = write_documents(tmp_path / "documents.jsonl", strangers)
    found = read_inputs(Source(path, watched.corpora.people), unknown_person="any")
    assert len(found.documents) == 41 and not found.bad_records
    with pytest.raises(InputError, match=r"\(also 2, 3 and 37 more\)"):
        read_inputs(Source(path, watched.corpora.people))


# --- what the command and its workers take of the machine

LINES = 40
MOST_TAKEN = 16_384  # bytes of memory for one more document, whose text has 40,000

PLANTED = """
if __name__ == "__main__":  # a worker imports this too, and must stay as small as any
    import sys
    import unname.verbs.deidentify.in_memory as module
    from unname.apps.cli import run
    kept, real = [], module.mask_people
    def mask_people(*args, **named):
        for found in real(*args, **named):
            kept.extend(outcome.release for outcome in found)
            yield found
    module.mask_people = mask_people
    sys.exit(run(sys.argv[1:]))
"""


def tree(pid: int) -> list[int]:
    """A process and all its descendants."""
    found = [pid]
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += tree(int(child))
    except OSError:
        pass
    return found


def share_bytes(pid: int) -> int:
    """Memory that a process wrote, with what it shares split among those who share it.

    Pages of files are left out: how many of those of a library count for this process depends on what else runs on the
    machine, and they are not lost when memory is short.
    """
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith(("Pss_Anon:", "Pss_Shmem:")))


def peak_of_command(corpus: Path, people: Path, out: Path, *, program: list[str] | None = None) -> int:
    """The most bytes that a run with two workers and all its processes take together."""
    command = program or [str(Path(sys.executable).with_name("unname"))]
    arguments = ["deidentify", "--accept-risk", "x", corpus, "--people", people, "--out", out, "--k", "3", "--method", METHOD,
                 "--reidentifiers", MEMBER, "--attackers", MEMBER, "--audit-sample", "40", "--workers", "2"]  # fmt: skip
    peak = 0
    with subprocess.Popen(
        [*command, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        while process.poll() is None:
            peak = max(peak, sum(map(share_bytes, tree(process.pid))))
            time.sleep(0.05)  # what is taken for a moment is seen as well
        said = process.stderr.read() if process.stderr else ""
    assert process.returncode in (0, 3), said[-2000:]
    return peak


@dataclass(frozen=True)
class Measured:
    """Corpora and what a run on the small one takes."""

    corpora: Corpora
    peak: int

    def grown(self, peak: int) -> float:
        """Bytes that one more document takes, given the peak of a run on the large corpus."""
        return (peak - self.peak) / self.corpora.more


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    """Enough people in the small corpus that as many documents are on their way to workers as ever will be.

    And so many more in the large one that what a run takes by chance, some megabytes, is little for each document.
    """
    if not share_bytes(os.getpid()):
        pytest.skip("this system does not say what share of memory a process has (Pss_Anon of /proc/PID/smaps_rollup)")
    folder = tmp_path_factory.mktemp("taken")
    corpora = write_corpora(folder, few=120, many=480, town=480, lines=LINES)
    return Measured(corpora, peak_of_command(corpora.small, corpora.people, folder / "out"))


@pytest.mark.slow
def test_the_command_with_its_workers_takes_no_memory_for_the_size_of_the_corpus(
    measured: Measured, tmp_path: Path
) -> None:
    peak = peak_of_command(measured.corpora.large, measured.corpora.people, tmp_path / "out")
    assert measured.grown(peak) < MOST_TAKEN


@pytest.mark.slow
def test_the_check_notices_a_run_that_keeps_every_release(measured: Measured, tmp_path: Path) -> None:
    program = tmp_path / "planted.py"
    program.write_text(PLANTED, encoding="utf-8")
    peak = peak_of_command(
        measured.corpora.large, measured.corpora.people, tmp_path / "out", program=[sys.executable, str(program)]
    )
    assert measured.grown(peak) > MOST_TAKEN, "the large corpus must be large enough to tell"
