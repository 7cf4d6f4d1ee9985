"""Options of `unname tag`: taggers, lists for the rules, other tools' labels, and spans of another tool."""

from dataclasses import dataclass
from pathlib import Path

from unname.option import option
from unname.shared_options import gazetteers_option, label_map_option, spans_option, split_option, tagger_option


@dataclass(frozen=True, slots=True, repr=False)
class Tagging:
    """Taggers that were named, lists of phrases for the rules, other tools' labels, and spans that one of them found."""

    taggers: tuple[str, ...] = tagger_option((), "Tagger to use: rules, entities,")
    gazetteers: tuple[tuple[str, Path], ...] = gazetteers_option()
    allow: Path | None = option(None, "Phrases that the rules never tag, one a line.", kind="file")
    label_map: Path | None = label_map_option()
    spans: Path | None = spans_option()
    split: str | None = split_option()
