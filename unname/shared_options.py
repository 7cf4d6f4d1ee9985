"""Options that several verbs and parts have, each with its one help text; defaults are the part's that has them."""

from pathlib import Path
from typing import Any

from unname.option import Value, option, require

# The taggers that join where none is named.
USUAL_TAGGERS = ("rules", "entities")


def gazetteers_option() -> tuple[tuple[str, Path], ...]:
    """Lists of phrases, by label."""
    return option(
        (), "File of phrases that are identifiers with this label, one a line; repeatable.", name="gazetteer",
        kind="labelled", metavar="LABEL=FILE", each=True, private=True,
    )  # fmt: skip


def label_map_option() -> Path | None:
    """An option for other tools' names of our labels, beside those that are known."""
    return option(
        None, "Names that taggers from elsewhere, or --spans, have for our labels, beside those that are "
        "known: lines THEIRS=OURS.",
        kind="file", private=True, advanced=True,
    )  # fmt: skip


def spans_option() -> Path | None:
    """An option for the spans that somebody else's tool found in the documents."""
    return option(
        None, "Spans that another tool found in these documents, by document id; they are hidden as a tagger's "
        "findings are.", kind="path",
        private=True,
    )  # fmt: skip


def tagger_option(default: tuple[str, ...], help: str, more: str = "") -> tuple[str, ...]:
    """An option for taggers; `help` and `more` say what they are for, and what names do."""
    return option(
        default, f"{help} the folder of a trained one, spacy:NAME, hf:DIR, presidio or gliner:DIR{more}. Repeatable.",
        name="tagger", each=True,
    )  # fmt: skip


def split_option() -> str | None:
    """An option for the part of a corpus that is read."""
    return option(None, "Only the rows of this split.", shown="all")


def labels_option() -> tuple[str, ...]:
    """An option for the labels that matter."""
    return option((), "Only these labels are identifiers; direct stands for those that name a person.")


def unit_option(default: Value, **how: Any) -> Value:
    """An option for what a search hides in one step."""
    return option(
        default, "Hide all occurrences of a word together, or one by one.", choices=("word", "occurrence"), **how
    )


def stop_words_option(default: Value, **how: Any) -> Value:
    """An option for function words."""
    return option(
        default, "Function words, of the language of each text: hide them last, like any word, or never.",
        choices=("spare", "mask", "skip"), **how,
    )  # fmt: skip


def give_back_option(default: Value, **how: Any) -> Value:
    """An option for words that a search hid in vain."""
    return option(default, "Unmask words that turn out not to be needed.", **how)


def idf_threshold_option(**how: Any) -> float | None:
    """An option for the rarity from which on every word is hidden."""
    return option(None, "Hide every word at least so rare (IDF), whatever the crowd.", least=0, shown="none", **how)


def rounds_option(**how: Any) -> int | None:
    """An option for rounds of masking."""
    return option(
        None,
        "How often at most to mask what attackers still find.",
        least=0,
        shown="3; 0 where 500 documents about other people teach the masking",
        **how,
    )


def graph_texts_option(default: Value, **how: Any) -> Value:
    """An option for what long profile texts say."""
    return option(
        default, "Names, numbers and dates in long profile texts count as known of the person (heuristic).", **how
    )


def strategy_option(default: Value, **how: Any) -> Value:
    """An option for the term of a combination that goes."""
    return option(
        default,
        "Of terms that too few people share, hide the rarest, or a drawn one.",
        choices=("greedy", "random"),
        **how,
    )


def whose_option(default: Value, **how: Any) -> Value:
    """An option for the people whom k-anonymity protects."""
    return option(
        default, "Who may be found out by what is left: anybody, or the person whom a document is about.",
        choices=("any", "person"), **how,
    )  # fmt: skip


def lean_option(default: Value, *, of: str = "", **how: Any) -> Value:
    """An option for a tagger's leaning to recall; `of` names the kinds that have it."""
    return option(
        default, _of(of, "take identifiers to be so many times as likely as was learned: more is found."), **how
    )


def identifier_weight_option(default: Value, *, of: str = "", **how: Any) -> Value:
    """An option for the price of a missed identifier in learning."""
    return option(
        default, _of(of, "how much more a missed identifier costs than a needless one; 10 suits distant labels."), **how
    )


def epochs_option(default: Value, *, of: str = "", **how: Any) -> Value:
    """An option for the length of a training."""
    return option(default, _of(of, "how often to read all documents."), **how)


def judge_only_option(default: Value, *, of: str = "", **how: Any) -> Value:
    """An option for the part that an ensemble's SVM has."""
    return option(default, _of(of, "its SVM only judges what its CRF found, as in Li 2014."), **how)


def _of(kinds: str, help: str) -> str:
    """A help text, with the kinds that it is about before it."""
    return f"{kinds}: {help}" if kinds else help[0].upper() + help[1:]


def generic_option(default: Value, **how: Any) -> Value:
    """An option for terms that say nothing of anybody; what takes it checks it by `require_generic`."""
    return option(default, "Terms that a larger share of all people have stay readable.", **how)


def require_generic(generic: float) -> None:
    """SettingsError: not a share above 0."""
    require(0 < generic <= 1, "generic must be above 0 and at most 1")
