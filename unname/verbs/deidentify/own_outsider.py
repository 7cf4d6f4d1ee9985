"""Facts that a release of ours still states, and the people whom readers who look things up find by them."""

from collections.abc import Iterable, Iterator, Sequence

from unname.auditing.outsider import Outsider
from unname.facts.left import FactsOfText
from unname.protecting.facts_left import DocumentFacts, facts_of, facts_spool, hidden_of
from unname.protecting.result import Deidentified
from unname.runtime import Runtime
from unname.storage.spool import Spool
from unname.transforms.base import seen_through
from unname.verbs.audit.outsider import Reference, ShownDocument, outsider_of, shown_of_any
from unname.writing.read_first import READ_FIRST
from unname.writing.release import public_id


def read_facts(made: Deidentified, runtime: Runtime) -> Sequence[DocumentFacts]:
    """The facts of all released documents, read once; on the disk where documents are."""
    read: list[DocumentFacts] | Spool[DocumentFacts]
    read = [] if runtime.temporary is None else facts_spool(runtime.temporary)
    advance = runtime.progress("facts", len(made.documents))
    for facts in facts_of(made):
        read.append(facts)
        advance(1)
    return read


def own_outsider(
    made: Deidentified, facts: Sequence[DocumentFacts], reference: Reference | None, key: bytes
) -> Outsider | None:
    """Facts for readers who look things up; None where no tagger looked for facts and nobody searches."""
    if made.mandatory.facts is None:
        return None if reference is None else _with_taggers_of_its_own(made, reference, key)
    return outsider_of(
        _shown(made, facts), lambda place: public_id(made.documents[place].id, made, key), reference, listed=READ_FIRST
    )


def _with_taggers_of_its_own(made: Deidentified, reference: Reference, key: bytes) -> Outsider:
    """The same of a masking that asked no tagger."""
    texts = [seen_through(release) if release is not None else None for release in made.releases]
    shown = shown_of_any(list(made.documents), texts, made.masks, made.settings.k, Runtime())
    return outsider_of(shown, lambda place: public_id(made.documents[place].id, made, key), reference)


def _shown(made: Deidentified, facts: Iterable[DocumentFacts]) -> Iterator[ShownDocument]:
    for one in facts:
        outcome = made.outcome(one.place)
        hidden, text = hidden_of(outcome.mask.spans), made.read(one.place) or ""
        yield ShownDocument(one.place, made.documents[one.place], hidden, text, FactsOfText(one.hidden, one.left))
