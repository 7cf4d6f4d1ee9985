"""Published versions of each document, in the private folder: what the next release of the same documents must know."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from unname.errors import InputError, StateError
from unname.knowledge.population import Population
from unname.protecting.earlier import Earlier, Shown, earlier_of, hidden_words
from unname.protecting.keys import read_key, text_digest, word_digest
from unname.protecting.outcomes import Outcome
from unname.protecting.person import kept_text, readable
from unname.protecting.result import Deidentified
from unname.storage.rows import records
from unname.text import words
from unname.transforms.base import seen_through
from unname.types import Document, MaskSpan, Plain
from unname.writing.held import ABOUT
from unname.writing.private_models import served_models

# Published versions; and what undoes them, as the transform recorded it.
VERSIONS, SECRETS = "versions.jsonl", "secrets.jsonl"
_DAMAGED = "damaged, or not of the same run as the rest of the private folder"


def version_row(document: Document, outcome: Outcome, made: Deidentified, key: bytes) -> dict[str, Any] | None:
    """The record of a document's published text, now and before; None where it never was published."""
    now = _version(document, outcome, made, key)
    if now is None:
        return None
    before = made.earlier.of(document.id)
    return {
        "id": now.id, "person": now.person, "original": now.original, "hidden": sorted(now.hidden),
        "text": now.released, "beside": kept_text(document, made.settings.keep), "earlier": before.texts if before else (),
        **({"secrets": True} if secrets_row(outcome, made) else {}), **_seen_row(outcome),
    }  # fmt: skip


def _seen_row(outcome: Outcome) -> dict[str, str]:
    """The text of a release without words that its transform invented, where it has any."""
    seen = outcome.release and seen_through(outcome.release)
    return {"seen": seen} if seen and outcome.release and seen != outcome.release.text else {}


def _version(document: Document, outcome: Outcome, made: Deidentified, key: bytes) -> Shown | None:
    before, release = made.earlier.of(document.id), outcome.release
    if release is None and before is None:
        return None
    texts = before.texts if before else ()
    if release is not None:
        texts = tuple(dict.fromkeys([*texts, readable(seen_through(release), kept_text(document, made.settings.keep))]))
    left = seen_through(release) if release is not None else ""
    gone = hidden_words(words(document.text), outcome.mask.spans, left)
    digests = {word_digest(key, document.id, word) for word in gone} | (before.hidden if before else frozenset())
    return Shown(
        document.id, document.person, texts, release.text if release is not None else None,
        text_digest(key, document.id, document.text), frozenset(digests), outcome.mask.spans,
        _distinct([*(before.secrets if before else ()), *(outcome.secrets if release is not None else ())]),
    )  # fmt: skip


def secrets_row(outcome: Outcome, made: Deidentified) -> dict[str, Any] | None:
    """The record of what undoes a document's release, and of what undoes earlier ones; None where nothing does."""
    before, own = made.earlier.of(outcome.mask.document), outcome.secrets if outcome.release is not None else ()
    earlier = before.secrets if before else ()
    return _secrets(own, earlier) if own or earlier else None


def secrets_of_the_gone(made: Deidentified) -> Iterator[tuple[str, dict[str, Any]]]:
    """Ids of documents that are not there any more, each with the record of what undoes their earlier releases."""
    here = {document.id for document in made.documents}
    return ((row.id, _secrets((), row.secrets)) for row in made.earlier.rows if row.id not in here and row.secrets)


def _secrets(own: Sequence[Mapping[str, Plain]], earlier: Sequence[Mapping[str, Plain]]) -> dict[str, Any]:
    return {"secrets": own, "earlier": earlier} if earlier else {"secrets": own}


def _distinct(entries: Iterable[Mapping[str, Plain]]) -> tuple[Mapping[str, Plain], ...]:
    return tuple({json.dumps(entry, sort_keys=True): entry for entry in entries}.values())


def published(made: Deidentified, key: bytes) -> Earlier:
    """The versions that a release in memory publishes, for the next one to continue."""
    here = zip(made.documents, made.outcomes(), strict=True)
    rows = [version for d, o in here if (version := _version(d, o, made, key)) is not None]
    gone = {row["id"] for row in rows_of_the_gone(made)}
    return earlier_of([*rows, *(row for row in made.earlier.rows if row.id in gone)], models=made.ensemble)


def rows_of_the_gone(made: Deidentified) -> Iterator[dict[str, Any]]:
    """Published versions of documents that are not there any more."""
    here = {document.id for document in made.documents}
    for row in made.earlier.rows:
        if row.id not in here:
            recorded = {"secrets": True} if row.secrets else {}
            yield {"id": row.id, "person": row.person, "original": row.original, "hidden": sorted(row.hidden),
                   "text": None, "beside": "", "earlier": row.texts, **recorded}  # fmt: skip


def key_of(private: Path) -> bytes:
    """The key of an earlier run, from its private folder; InputError where it cannot be read."""
    try:
        return read_key(private / "key")
    except InputError as error:
        raise InputError(f"the key in that private folder: {error}") from None


def read_earlier(private: Path, population: Population, *, dir: Path | None = None) -> Earlier:
    """The versions that an earlier run published, with the models that it used, to be continued.

    Of a release that is held nothing was published; what it continued itself was. StateError: the folder does not hold all
    that is needed.
    """
    if not (private / VERSIONS).is_file():
        raise StateError(
            f"{VERSIONS} is missing in the private folder of the earlier release: it is none, or an older version of Unname "
            "wrote it; use its key (--key) and look at both releases together (audit --previous)"
        )
    return earlier_of(
        _shown(private, held=(private / ABOUT).exists()), dir=dir, models=served_models(private, population)
    )


def _shown(private: Path, *, held: bool) -> Iterator[Shown]:
    masks = iter(records(private / "masks.jsonl"))
    secrets = _SecretsInOrder(private / SECRETS)
    for number, row in records(private / VERSIONS):
        try:
            name, text, earlier = row["id"], row["text"], tuple(row["earlier"])
            published = text is not None and not held
            spans = next((_spans(mask["spans"]) for _, mask in masks if mask["id"] == name), None)
            if spans is None and text is not None:
                raise StateError(f"{VERSIONS}: record {number}: {_DAMAGED}: masks.jsonl lacks this document")
            own = (readable(row.get("seen", text), row["beside"]),) if published else ()
            shown = Shown(
                name, row["person"], tuple(dict.fromkeys([*earlier, *own])), text if published else None, row["original"],
                frozenset(row["hidden"]), spans or (),
                secrets.of(name, published=published, recorded=row.get("secrets", False)),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError):
            raise StateError(f"{VERSIONS}: record {number}: {_DAMAGED}") from None
        if not _sound(shown):
            raise StateError(f"{VERSIONS}: record {number}: {_DAMAGED}")
        if shown.texts:
            yield shown
    secrets.require_all_read()


class _SecretsInOrder:
    """The records of `secrets.jsonl`, of some of the documents that were published, in the same order."""

    def __init__(self, path: Path) -> None:
        self._rows = iter(records(path)) if path.is_file() else iter(())
        self._next = next(self._rows, None)

    def of(self, name: str, *, published: bool, recorded: bool) -> tuple[Mapping[str, Plain], ...]:
        """All entries of a document; of a release that was not published itself, those of earlier ones.

        StateError: there are none, where some were `recorded`.
        """
        if self._next is None or self._next[1].get("id") != name:
            if recorded:
                raise StateError(f"{SECRETS}: {_DAMAGED}: a document's record is missing")
            return ()
        number, row = self._next
        self._next = next(self._rows, None)
        entries = [*row.get("earlier", ()), *(row.get("secrets", ()) if published else ())]
        if not all(isinstance(entry, dict) for entry in entries):
            raise StateError(f"{SECRETS}: record {number}: {_DAMAGED}")
        return _distinct(entries)

    def require_all_read(self) -> None:
        """StateError: a record is of no document that was published."""
        if self._next is not None:
            raise StateError(f"{SECRETS}: record {self._next[0]}: {_DAMAGED}")


def _sound(row: Shown) -> bool:
    said = [row.id, row.person or "", row.released or "", row.original, *row.texts, *row.hidden]
    return all(isinstance(one, str) for one in said)


def _spans(rows: list[dict[str, Any]]) -> tuple[MaskSpan, ...]:
    return tuple(
        MaskSpan(
            int(row["start"]), int(row["end"]), str(row["method"]), int(row["step"]), str(row["label"]),
            float(row["score"]), dict(row["crowd_before"]), dict(row["crowd_after"]),
            tuple((int(start), int(end)) for start, end in row.get("combination", ())), int(row.get("level", 0)),
        )
        for row in rows
    )  # fmt: skip
