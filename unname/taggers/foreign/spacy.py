"""Any pipeline of spaCy that names entities: a package that is installed, or a folder.

A pipeline is its maker's code, as every package is, and spaCy runs it: take one only from people whom you trust.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from unname.errors import ModelError, SettingsError, missing_extra
from unname.storage.modelfolder import require_plain
from unname.taggers.foreign.base import USUAL, Foreign, quietly, version_of
from unname.taggers.foreign.windows import windows
from unname.types import Span

# The place of spaCy's own components for stretches that are no entities of a document's `ents`.
_GROUPS = ("sc", "ruler")


@dataclass(frozen=True, repr=False)
class SpacyTagger(Foreign):
    """Entities that a spaCy pipeline finds: `spacy:NAME`, a package or a folder."""

    written: ClassVar[str] = "spacy:NAME"
    library: ClassVar[str] = "spacy"
    name: str = field(default="spacy.v1", init=False)

    def __post_init__(self) -> None:
        if not self.model:
            raise SettingsError("spacy needs a pipeline: spacy:NAME, an installed package or a folder")

    @property
    def folders(self) -> tuple[Path, ...]:
        """The files of the pipeline."""
        return (Path(pipeline(self.model).path),)

    def their_labels(self) -> Iterable[str]:
        """Those that its components declare."""
        nlp = pipeline(self.model)
        return {
            label for name in nlp.pipe_names for label in nlp.pipe_labels.get(name, ()) if _names_entities(nlp, name)
        }

    def about(self) -> Mapping[str, str]:
        """The name of a package; that of a folder is the user's and is left out."""
        meta, packaged = pipeline(self.model).meta, not Path(self.model).is_dir()
        described = f"{self.model} {meta['version']}" if packaged else str(meta["version"])
        return {"name": self.name, "spacy": version_of("spacy"), "model": described}

    def parts(self, text: str) -> Iterator[list[Span]]:
        """Entities of the document and, where a component writes spans, these."""
        nlp = pipeline(self.model)
        for start, end in windows(text, min(20_000, nlp.max_length)):
            document = nlp(text[start:end])
            marked = [*document.ents, *(span for key in _GROUPS for span in document.spans.get(key, ()))]
            yield [
                Span(start + one.start_char, start + one.end_char, one.label_, score=USUAL) for one in marked
            ]  # fmt: skip


def _names_entities(nlp: Any, component: str) -> bool:
    assigns = nlp.get_pipe_meta(component).assigns
    return any(place.startswith(("doc.ents", "doc.spans")) for place in assigns)


@cache
def pipeline(model: str) -> Any:
    """A pipeline, loaded once a process; ModelError if spaCy cannot load it, or it names no entities."""
    try:
        import spacy
    except ImportError as error:
        raise missing_extra(error) or error from None
    folder = Path(model)
    if not (spacy.util.is_package(model) or folder.is_dir()):
        raise ModelError("spaCy has no pipeline of that name here: install its package, or name its folder")
    if not spacy.util.is_package(model):
        require_plain(folder, code=_CODE)
    failed = ""
    try:
        nlp = quietly(lambda: spacy.load(model))
    except Exception as error:  # whatever spaCy raises for a pipeline that is unsound, or of another version
        failed = type(error).__name__
    if failed:
        raise ModelError(f"spaCy cannot load the pipeline ({failed}): was it made for another version of spaCy?")
    if not any(_names_entities(nlp, name) for name in nlp.pipe_names):
        raise ModelError("the spaCy pipeline names no entities: choose one with a component such as ner")
    return nlp


# Its own files end in .bin and hold no code.
_CODE = frozenset((".py", ".pyc", ".pyd", ".so", ".dll", ".sh", ".pkl", ".pickle", ".joblib", ".dill", ".pt", ".pth"))
