"""Options of `unname audit`: the release, what is known of how it was made, and the audit as a whole."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from unname.job import AuditPlan, Output, Source, require_all_known
from unname.option import build, option
from unname.runtime import Runtime


@dataclass(frozen=True, slots=True, repr=False)
class AuditedRelease:
    """A release of any tool, and what is known of how it was made."""

    GROUP: ClassVar[str] = "The release"

    released: Path
    private: Path | None = option(None, "The release's private folder, for keyed ids and masks.", kind="folder")
    used: tuple[str, ...] | None = option(
        None, "Reidentifiers that were used in masking.", shown="the manifest's, else none", advanced=True
    )
    previous: tuple[Path, ...] = option(
        (), "An earlier release of the same documents, read beside this one; repeatable.", kind="path", each=True
    )
    previous_private: tuple[Path, ...] = option(
        (), "Private folder of each earlier release, in the same order.", kind="folder", each=True, advanced=True
    )
    guesses: Path | None = option(
        None, "Who somebody outside takes each document to be about: JSONL with id and person, or [[person, score], …].",
        kind="file",
    )  # fmt: skip
    mask_pattern: str | None = option(
        None, "What a placeholder looks like in this release (regular expression).", advanced=True
    )
    k: int | None = option(None, "Crowd that was asked for.", least=1, shown="the manifest's, else 10")
    seed: int = option(0, "Public seed.", advanced=True)


@dataclass(frozen=True, slots=True, repr=False)
class AuditJob:
    """An audit whole: the release, the originals and people, who attacks, and where the report goes."""

    release: AuditedRelease
    source: Source
    plan: AuditPlan
    output: Output
    runtime: Runtime

    def __repr__(self) -> str:
        return f"AuditJob({self.plan!r})"


def make_audit_job(released: Path, original: Path, people: Path | str, out: Path, **options: Any) -> AuditJob:
    """An audit from options as the command has them, with underscores. SettingsError: one that there is not."""
    given = {"released": released, "documents": original, "people": people, "out": out, **options}
    runtime = given.pop("runtime") if "runtime" in given else build(Runtime, given)
    job = AuditJob(
        build(AuditedRelease, given), build(Source, given), build(AuditPlan, given), build(Output, given), runtime
    )
    require_all_known(given)
    return job
