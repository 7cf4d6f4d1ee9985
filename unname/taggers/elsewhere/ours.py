"""Our taggers that another tool asks for, by name or folder, and all their spans."""

from collections.abc import Sequence

from unname.errors import SettingsError
from unname.shared_options import USUAL_TAGGERS
from unname.taggers.base import Tagger, tag_all
from unname.taggers.labels import labels_of
from unname.taggers.models import make_taggers, split_taggers
from unname.types import Span


def our_taggers(names: Sequence[str] = USUAL_TAGGERS) -> tuple[Tagger, ...]:
    """Taggers by name or from folders that `unname train tagger` wrote."""
    made = make_taggers(*split_taggers(names))
    if not made:
        raise SettingsError("name at least one tagger")
    return tuple(made)


def labels_of_all(taggers: Sequence[Tagger]) -> list[str]:
    """Every label that they declare, sorted."""
    return sorted(frozenset[str]().union(*(labels_of(tagger) or frozenset() for tagger in taggers)))


def spans_of_all(taggers: Sequence[Tagger], text: str) -> list[Span]:
    """The spans of all taggers in a text, disjoint and in order."""
    return tag_all(taggers, [text])[0]
