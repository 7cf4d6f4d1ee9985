"""The places of a release's parts: a folder with all of it, or a table of its own with the report's folder beside it."""

from dataclasses import dataclass
from pathlib import Path

from unname.errors import SettingsError

TABLES = (".jsonl", ".csv", ".parquet")
DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Layout:
    """`folder` holds report and manifest, and the documents as `table` unless they go to `file`; `private` the rest."""

    folder: Path
    private: Path
    table: str
    file: Path | None = None

    @property
    def released(self) -> Path:
        """The final place of the documents."""
        return self.file or self.folder / self.table


def layout_of(out: Path, private: Path | None = None, format: str | None = None, *, as_texts: bool = False) -> Layout:
    """The layout for an output: `x.csv`, `.jsonl` or `.parquet` is that table, with `x.report` and `x.private` beside it.

    Anything else is a folder, in which `format` says how the documents are written; where it says nothing, `as_texts` is
    a folder of texts. SettingsError: out and format name different kinds.
    """
    ending = out.suffix.lower()
    if ending not in TABLES:
        format = format or ("txt" if as_texts else None)
        name = DOCUMENTS if format == "txt" else f"{DOCUMENTS}.{format or 'jsonl'}"
        return Layout(out, private or private_folder(out), name)
    if format is not None and f".{format}" != ending:
        raise SettingsError(
            f"out names a table ({ending}) and out-format another kind ({format}): leave out-format away, or let out name "
            "a folder"
        )
    return Layout(
        out.with_name(f"{out.stem}.report"),
        private or out.with_name(f"{out.stem}.private"),
        f"{DOCUMENTS}{ending}",
        out,
    )


def private_folder(out: Path) -> Path:
    """`DIR.private`, beside the release."""
    return out.with_name(out.name + ".private")


def manifest_beside(released: Path) -> Path | None:
    """The manifest of a release that is named by its folder or its documents; None where there is none."""
    places = (
        [released / "manifest.json", released.parent / "manifest.json"] if released.is_dir()
        else [released.parent / "manifest.json", released.with_name(f"{released.stem}.report") / "manifest.json"]
    )  # fmt: skip
    return next((place for place in places if place.is_file()), None)


def released_documents(released: Path) -> Path:
    """The documents of a release folder; anything else is taken for the documents themselves."""
    names = [f"{DOCUMENTS}{ending}" for ending in TABLES]
    files = [released / name for name in names if (released / name).is_file()]
    if not files and (released / "manifest.json").is_file() and (released / DOCUMENTS).is_dir():
        return released / DOCUMENTS
    return files[0] if files else released
