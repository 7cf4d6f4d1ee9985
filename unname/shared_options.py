"""Options that several verbs have, each with its one help text."""

from typing import Any

from unname.option import option, require


def gazetteers_option() -> Any:
    """Lists of phrases, by label."""
    return option(
        (), "File of phrases that are identifiers with this label, one a line; repeatable.", name="gazetteer",
        kind="labelled", metavar="LABEL=FILE", each=True, private=True,
    )  # fmt: skip


def label_map_option() -> Any:
    """An option for other tools' names of our labels, beside those that are known."""
    return option(
        None, "Names that taggers from elsewhere, or --spans, have for our labels, beside those that are "
        "known: lines THEIRS=OURS.",
        kind="file", private=True, advanced=True,
    )  # fmt: skip


def spans_option() -> Any:
    """An option for the spans that somebody else's tool found in the documents."""
    return option(
        None, "Spans that another tool found in these documents, by document id; they are hidden as a tagger's "
        "findings are.", kind="path",
        private=True,
    )  # fmt: skip


def strategy_option(of: str = "", **how: Any) -> Any:
    """An option for the term of a combination that goes."""
    return option(
        "greedy",
        f"{of}Of terms that too few people share, hide the rarest, or a drawn one.",
        choices=("greedy", "random"),
        **how,
    )


def whose_option(of: str = "", **how: Any) -> Any:
    """An option for the people whom k-anonymity protects."""
    return option(
        "any", f"{of}Who may be found out by what is left: anybody, or the person whom a document is about.",
        choices=("any", "person"), **how,
    )  # fmt: skip


def generic_option(of: str = "", **how: Any) -> Any:
    """An option for terms that say nothing of anybody; what takes it checks it by `require_generic`."""
    return option(1.0, f"{of}Terms that a larger share of all people have stay readable.", **how)


def require_generic(generic: float) -> None:
    """SettingsError: not a share above 0."""
    require(0 < generic <= 1, "generic must be above 0 and at most 1")
