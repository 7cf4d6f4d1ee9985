"""The first minute: a fictional town, deidentified and audited, with one pair of before and after to look at."""

from pathlib import Path

from unname.job import Runtime, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.run.deidentify_files import Released, deidentify_files
from unname.storage.files import PRIVATE, RELEASE, TOWN, require_absent, staged_folders
from unname.storage.tables import write_jsonl
from unname.writing.layout import private_folder


def write_town(folder: Path, town: Town, *, replace: bool = False) -> tuple[Path, Path]:
    """Write a fictional town as `documents.jsonl` and `people.jsonl`; returns both paths."""
    with staged_folders((folder, False), replace=replace, kinds=(TOWN,)) as (aside,):
        write_jsonl(
            aside / "documents.jsonl", ({"id": d.id, "person": d.person, "text": d.text} for d in town.documents)
        )
        write_jsonl(aside / "people.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in town.profiles))
    return folder / "documents.jsonl", folder / "people.jsonl"


def run_demo(
    out: Path,
    *,
    people: int = 2000,
    k: int = 10,
    seed: int = 0,
    replace: bool = False,
    runtime: Runtime | None = None,
) -> tuple[Released, tuple[str, str]]:
    """Make a town in `out/town`, its release in `out/release`; also one document before and after.

    Everybody in it is invented, so this is the one place where Unname shows text.
    """
    release = out / "release"
    for folder, kind in ((out / "town", TOWN), (release, RELEASE), (private_folder(release), PRIVATE)):
        require_absent(folder, replace=replace, kind=kind)
    (runtime or Runtime()).progress("make a fictional town", 1)
    town = fictional_town(people=people, seed=seed)
    documents, profiles = write_town(out / "town", town, replace=replace)
    released = deidentify_files(
        make_job(documents, profiles, release, accept_risk="everybody in it is invented", replace=replace,
                 k=k, seed=seed, runtime=runtime or Runtime())
    )  # fmt: skip
    return released, _example(released)


def _example(released: Released) -> tuple[str, str]:
    """A short released document with the most words hidden by search rather than by rule."""
    result = released.result
    best, most = 0, -1.0
    for i, (document, mask, release) in enumerate(zip(result.documents, result.masks, result.releases, strict=True)):
        if release is not None and len(document.text) < 800:
            ruled = sum(s.method == "direct-identifier" for s in mask.spans)
            share = min(ruled, 3) + (len(mask.spans) - ruled) / 10
            if share > most:
                best, most = i, share
    release = result.releases[best]
    return result.documents[best].text, release.text if release is not None else ""
