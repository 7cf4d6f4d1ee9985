"""Sharing annotated texts to learn from: as sentences with pseudonyms, and who could piece them together again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname.errors import SettingsError, UnsafeReleaseError
from unname.inputs.annotated import columns_for, read_annotated
from unname.log import Progress, silent
from unname.protecting.keys import new_key, read_key
from unname.sharing.linkage import Linkage, linkage
from unname.sharing.overlap import is_told_by
from unname.sharing.pseudonymise import Pseudonymised, leaking, pseudonymise
from unname.sharing.space import Space, make_space, taught_space
from unname.storage.documents import Columns, read_documents
from unname.storage.files import parents_made, require_apart, require_new
from unname.storage.tables import write_jsonl
from unname.storage.wordvectors import read_word_vectors
from unname.taggers.lstm.reading import key
from unname.taggers.reading import read
from unname.types import Document
from unname.verbs.share.options import Pseudonyms, RepresenterTraining

# Words of a file of vectors that may stand for others: the most frequent ones.
MOST_WORDS = 100_000
_WIDTH, _EPOCHS = 100, 5


@dataclass(frozen=True, slots=True)
class SharedTexts:
    """Counts of texts written, tokens replaced and tokens that the space does not know; and the attack on sentences."""

    texts: int
    replaced: int
    unknown: int
    linkage: Linkage | None


def pseudonymise_files(
    corpus: Path, out: Path, how: Pseudonyms, *, columns: Columns | None = None, progress: Progress = silent
) -> SharedTexts:
    """`unname share pseudonymise`: annotated texts whose identifiers are other words, to train taggers on elsewhere."""
    if (how.word_vectors is None) == (how.vectors_from is None):
        raise SettingsError("name a file of word vectors, or texts to learn them from (--word-vectors, --vectors-from)")
    given = (corpus, how.word_vectors, how.vectors_from, how.key)
    require_apart(out, inputs=[path for path in given if path is not None])
    require_new(out)
    secret = new_key() if how.key is None else read_key(how.key)
    documents = read_annotated(corpus, columns, labels=how.labels, split=how.split)
    progress("word vectors", 1)
    _require_others(how, documents, columns)
    space = public_space(how, documents, columns)
    settings = how.pseudonymising
    progress("pseudonyms", 1)
    made = pseudonymise(documents, space, settings, secret=secret)
    if not settings.as_published and (many := len(leaking(documents, made))):
        raise UnsafeReleaseError(f"{many} texts hold an identifier of their own document; nothing was written")
    attacked = None if settings.coherent else linkage(made, space, settings, seed=how.seed)
    with parents_made(out):
        write_jsonl(out, _rows(made), fresh=True)
    return SharedTexts(len(made.documents), sum(map(len, made.replaced)), made.unknown, attacked)


def public_space(how: Pseudonyms | RepresenterTraining, public: Sequence[Document], columns: Columns | None) -> Space:
    """A space of words: from a file, from texts beside, or from public ones themselves where neither is named."""
    if how.word_vectors is not None:
        wanted = {key(r.normalised.text[t.start : t.end]) for d in public for r in [read(d.text)] for t in r.tokens}
        return make_space(read_word_vectors(how.word_vectors, wanted, first=MOST_WORDS, key=key))
    if how.vectors_from is not None:
        public = read_documents(how.vectors_from, columns_for(how.vectors_from, columns))
    return taught_space(public, width=_WIDTH, epochs=_EPOCHS, seed=how.seed)


def _require_others(how: Pseudonyms, documents: Sequence[Document], columns: Columns | None) -> None:
    """SettingsError where texts that teach words say much of what those to be shared say, however they are written."""
    if how.vectors_from is not None:
        others = read_documents(how.vectors_from, columns_for(how.vectors_from, columns))
        if is_told_by(documents, (other.text for other in others)):
            raise SettingsError(
                "a text to be shared, or much of one, is among those that teach words: its names would stand for others"
            )


def _rows(made: Pseudonymised) -> Iterator[Mapping[str, Any]]:
    for document in made.documents:
        spans = [{"start": s.start, "end": s.end, "label": s.label} for s in document.spans]
        split = {} if document.split is None else {"split": document.split}
        yield {"id": document.id, **split, "text": document.text, "spans": spans}
