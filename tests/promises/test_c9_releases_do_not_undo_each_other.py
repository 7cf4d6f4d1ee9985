"""C9: releases of the same texts do not undo each other.

A later release continues the one before (`--after`): what was hidden stays hidden, what was shown counts in every crowd, a
document that cannot reach k is withheld. The difference of versions is an attacker whose figures are in the headline. No key
is replaced unsaid.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from made_settings import RULES_ALONE, by_rules
from promise_support import Files, json_rows, write_documents, write_people

from unname.apps import cli
from unname.job import Deidentification
from unname.knowledge.fictional import fictional_town
from unname.knowledge.population import Population
from unname.protecting.earlier import Shown
from unname.protecting.parts import Fitted
from unname.protecting.result import Deidentified
from unname.reidentifiers.terms.bm25 import Bm25
from unname.text import folded_words, visible
from unname.types import Document
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.recount import Recount
from unname.writing.versions import published

KEY = b"9" * 32
K, LARGER = 2, 60
ONE = ("bm25",)
Run = Callable[..., int]


@pytest.fixture(scope="module")
def people() -> Population:
    return Population(fictional_town(people=300, seed=6).profiles)


@pytest.fixture(scope="module")
def notes(people: Population) -> list[Document]:
    """One note about each of ninety people."""
    first = {document.person: document for document in reversed(fictional_town(people=300, seed=6).documents)}
    return [first[profile.id] for profile in people.profiles[:90]]


def release(
    notes: Sequence[Document],
    people: Population,
    k: int,
    after: Deidentified | None = None,
    key: bytes = KEY,
    make: Callable[..., Deidentification] = by_rules,
) -> Deidentified:
    """A release without rounds, which may continue another."""
    settings = make(method="composed", reidentifiers=ONE, k=k)
    fitted = Fitted(earlier=published(after, key)) if after else None
    return deidentify(notes, people, settings=settings, key=key, fitted=fitted)


@pytest.fixture(scope="module")
def apart(notes: list[Document], people: Population) -> tuple[Deidentified, Deidentified]:
    """Two releases under one key, neither of which knows the other; what differs is what the search hides alone."""
    return release(notes, people, LARGER), release(notes, people, K)


def found_in(people: Population, versions: Sequence[Deidentified]) -> float:
    """Share found by who counts words six times that one version shows and another hides."""
    index, found = Bm25().fit(people.profiles).index(people.profiles), []
    for place, document in enumerate(versions[0].documents):
        texts = [made.outcome(place).release for made in versions]
        shown = [set(folded_words(visible(text.text))) for text in texts if text is not None]
        union = set[str]().union(*shown)
        differing = union - set[str].intersection(*shown) if shown else set[str]()
        scores = index.sum_of(union) + 5 * index.sum_of(differing)
        best = np.flatnonzero(scores == scores.max())
        column = people.rows[str(document.person)]
        found.append((column in best) / len(best) if shown else 0.0)
    return float(np.mean(found))


def require_masks_kept(earlier: Deidentified, later: Deidentified) -> int:
    """No word that the earlier release hid wherever it stood can be read in the later one; how many there were."""
    hidden = 0
    for before, after, document in zip(earlier.outcomes(), later.outcomes(), earlier.documents, strict=True):
        if before.release is None or after.release is None:
            continue
        gone = set(folded_words(document.text)) - set(folded_words(visible(before.release.text)))
        assert not gone & set(folded_words(visible(after.release.text))), "a later release shows what was hidden"
        hidden += len(gone)
    return hidden


def require_joined_crowds(versions: Sequence[Deidentified], k: int) -> int:
    """Whatever the last version releases hides in a crowd of k, read beside all that was published before."""
    recount, seen = Recount("bm25.v1", versions[0].population.profiles), 0
    for place, document in enumerate(versions[-1].documents):
        texts = [made.outcome(place).release for made in versions]
        if texts[-1] is None:
            continue
        joined = "\n\n".join(text.text for text in texts if text is not None)
        crowd = recount.crowd([joined], versions[0].population.rows[str(document.person)])
        assert crowd >= k, "a document is released whose crowd, counted on all that can be read, is smaller than k"
        seen += 1
    return seen


def test_two_releases_made_apart_undo_each_other_and_one_that_continues_does_not(
    notes: list[Document], people: Population, apart: tuple[Deidentified, Deidentified]
) -> None:
    first, second = apart
    continued = release(notes, people, K, after=first)
    single = max(found_in(people, [first]), found_in(people, [second]))
    assert found_in(people, [first, second]) > single + 0.08, "or this test shows nothing"
    assert found_in(people, [first, continued]) <= single + 0.03
    assert not continued.withheld and continued.texts() == first.texts(), "nothing new is said of unchanged texts"


@pytest.mark.parametrize("k", [K, LARGER])
def test_what_was_hidden_stays_hidden_and_crowds_are_counted_on_all_versions(
    notes: list[Document], people: Population, k: int
) -> None:
    """By the settings that nobody changes: what is rare for a larger k is hidden, too, and stays so."""
    released = partial(release, make=Deidentification)
    first = released(notes, people, K if k == LARGER else LARGER)
    second = released(notes, people, k, after=first)
    # Texts change: a sentence is new, and words move.
    changed = [replace(d, text=f"A word more was said. {d.text}" if n % 2 else d.text) for n, d in enumerate(notes)]
    third = released(changed, people, k, after=second)
    assert min(require_masks_kept(first, second), require_masks_kept(first, third)) > (k == K) * 100
    assert require_joined_crowds([first, second], k) + len(second.withheld) == len(notes)
    require_joined_crowds([first, second, third], k)
    assert set(second.withheld.values()) <= {"shown-before"}
    assert bool(second.withheld) == (k == LARGER), "a crowd of sixty is too much for texts that were published with two"


def test_the_checks_notice_a_release_that_forgets_what_was_hidden(
    notes: list[Document], people: Population, apart: tuple[Deidentified, Deidentified], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = apart
    with pytest.raises(AssertionError, match="shows what was hidden"):
        require_masks_kept(first, second)
    with pytest.raises(AssertionError, match="smaller than k"):
        require_joined_crowds([second, first], LARGER)
    monkeypatch.setattr(Shown, "still_hidden", lambda *_: ())
    changed = [replace(d, text=f"{d.text} And so on.") for d in notes]
    with pytest.raises(AssertionError, match="shows what was hidden"):
        require_masks_kept(first, release(changed, people, K, after=first))


# --- by the command


@pytest.fixture(scope="module")
def files(notes: list[Document], people: Population, tmp_path_factory: pytest.TempPathFactory) -> Files:
    folder = tmp_path_factory.mktemp("c9")
    documents = write_documents(folder / "documents.jsonl", notes)
    return Files(folder, documents, write_people(folder / "people.jsonl", people.profiles))


@pytest.fixture
def run(files: Files, capfd: pytest.CaptureFixture[str]) -> Run:
    def go(out: Path, *more: object, documents: Path | None = None) -> int:
        words = ["deidentify", documents or files.documents, "--people", files.people, "--out", out, "--method",
                 "composed", "--reidentifiers", "bm25", "--workers", 1, *RULES_ALONE,
                 "--accept-risk", "a test", *more]  # fmt: skip
        return cli.run([str(word) for word in words])

    return go


def test_the_difference_is_an_attacker_whose_figures_are_in_the_headline(
    files: Files, run: Run, tmp_path: Path
) -> None:
    assert run(tmp_path / "a", "--k", LARGER, "--audit", "none") == 0
    key = tmp_path / "a.private" / "key"
    assert run(tmp_path / "b", "--k", K, "--audit", "none", "--key", key) == 0
    assert run(tmp_path / "c", "--k", K, "--attackers", "bm25,facts", "--after", tmp_path / "a.private") == 0

    def audited(name: str, *more: object) -> dict[str, object]:
        words = ["audit", tmp_path / name, "--original", files.documents, "--people", files.people, "--out",
                 tmp_path / f"audit-{name}", "--private", tmp_path / f"{name}.private", "--attackers", "bm25,facts",
                 *more]  # fmt: skip
        assert cli.run([str(word) for word in words]) == 0
        return dict(json.loads((tmp_path / f"audit-{name}" / "report.json").read_bytes()))

    alone, pair = audited("a"), audited("b", "--previous", tmp_path / "a")
    continued = json.loads((tmp_path / "c" / "report.json").read_bytes())
    together = {row["name"]: row["after"]["rate"] for row in pair["previous"]["joined"]}
    assert min(together["strongest"], together["difference"]) > alone["headline"]["risk"] + 0.05
    assert pair["headline"]["attacker"].startswith("versions-") and pair["headline"]["risk"] == max(together.values())
    assert "previous" in continued and continued["headline"]["risk"] <= alone["headline"]["risk"] + 0.03


def test_a_key_is_never_replaced_unsaid(run: Run, tmp_path: Path) -> None:
    quick, out, key = ("--k", K, "--audit", "none"), tmp_path / "out", tmp_path / "out.private" / "key"
    assert run(out, *quick) == 0
    before, first = key.read_text(), json_rows(out / "documents.jsonl")
    assert run(out, *quick, "--replace") == 0
    assert key.read_text() == before and json_rows(out / "documents.jsonl") == first
    assert run(tmp_path / "later", *quick, "--after", key.parent) == 0
    assert (tmp_path / "later.private" / "key").read_text() == before

    def refused(*more: object) -> bool:
        files = {path: path.read_bytes() for path in _files(tmp_path)}
        return run(*more) != 0 and {path: path.read_bytes() for path in _files(tmp_path)} == files

    other = tmp_path / "other"
    other.write_text("ab" * 32, encoding="ascii")
    other.chmod(0o600)
    assert refused(tmp_path / "more", *quick, "--after", key.parent, "--key", other), "one key for both"
    key.write_text("not a key", encoding="ascii")
    assert refused(out, *quick, "--replace"), "a damaged key"
    key.unlink()
    assert refused(out, *quick, "--replace"), "a lost key"
    assert run(out, *quick, "--replace", "--key", other) == 0, "but one that is named is used"
    assert key.read_text().strip() == "ab" * 32


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())
