"""No measured figure in README, docs or the changelog was typed by hand: scripts write them between marks."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.claims import at_equal_rates, falling

ROOT = Path(__file__).parent.parent
WRITTEN = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROSE = [page for page in WRITTEN if page.name != "cli.md"]  # That page is made from the options themselves.

_NUMBER = (
    r"(?:\d[\d,.]*|\.\d+|half an?|one and a half|two and a half|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen"
    r"|twenty|thirty|forty|fifty|hundreds?|several hundred)"
)
_UNIT = r"(?:seconds?|minutes?|hours?|s|ms|min|[MG]i?B)\b"
_THING = r"(?:documents?|texts?|words?|cases?|notes?)"
FIGURES = {
    "a share": r"\d ?%|\bper cent\b",
    "a time or size": rf"\b{_NUMBER}[ -](?:(?:to|or|and) {_NUMBER}[ -])?{_UNIT}|\btakes? (?:seconds|minutes|hours)\b",
    "a rate": rf"\b(?:{_THING}|[kMG]B) (?:a|per) (?:CPU )?(?:second|minute|hour)\b",
    "a ratio": (
        rf"\b{_NUMBER} times (?:as|more|fewer|less|faster|longer)\b|\b(?:twice|half) as\b"
        r"|\ban? (?:third|quarter|[a-z]+th) (?:as|of the people|slower|faster|more|fewer)\b|\b\w+ (?:pairs|cases) (?:in|of) "
        r"(?:three|four|ten)\b"
    ),
    "a difference": rf"\b{_NUMBER}(?: to {_NUMBER})? points\b",
    "a score": r"\b\d\d\.\d\b|(?<![\w.])0?\.\d{3,}\b|\bF1 (?:of )?\.?\d",
}
# What looks measured and is not: definitions, limits, and what others published. Why stands beside each.
ALLOWED = {
    "95 % interval": "the width of every interval",
    "95 % intervals": "the width of every interval",
    "more than 15 % of the distinct words": "a limit of a round",
    "more than 30 % of all people": "what the example beside it asks for",
    "its surest 1, 5 and 10 % of guesses": "what is measured, not what was found",
    "its precision falls below 90 and 99 %": "what is measured, not what was found",
    "at least 10 % and at most 20 %": "the limit of the verdict",
    "5, 10, 20 or 50 % of the other people leave": "what is simulated",
    "`--max-risk` above 20 %": "the usual limit of the verdict",
    "`--max-risk` is above 20 %": "the usual limit of the verdict",
    "more than 5 % of the documents": "a limit of the verdict",
    "more than 5 % of the people": "a limit of the verdict",
    "for more than 5 %": "a limit of the verdict",
    "more than 5 % of the texts": "a limit of the verdict",
    "top 1 / top 10 in per cent": "the unit of a table",
    "`--most-pairs` (55 %)": "the default of an option",
    "`--most-alignment` (5 points)": "the default of an option",
    "`--bottleneck PRICE` (.005)": "the default of an option",
    "fall from .002": "a default",
    "a fifth of the people": "from there on guesses are matched",
    "`timeout_s` (10 s, and 10 s for each further million characters)": "a default",
    "may have 64 MiB": "a limit of what is read",
    "longer than 64 MiB": "a limit of what is read",
    "more than 2 GiB of content": "a limit of what is read",
    "a span F1 of .9696": "published by others",
    "The paper has .883, .910, .897 for greedy labels, .801, .921, .860 for random ones": "published by others",
    "precision .770, recall .845, direct .810, F1 .805; greedy .669, .836, .898, .743; random .650, .832, .895, .730": (
        "published by others"
    ),
    "direct .095, quasi .079": "published by others",
}


def paragraphs(page: str) -> Iterator[str]:
    """What a person wrote as prose: no block that a script fills, no code, no table."""
    filled = re.sub(r"^ *<!-- begin (\S+) -->\n.*?<!-- end \1 -->", "\n", page, flags=re.MULTILINE | re.DOTALL)
    plain = re.sub(r"^```.*?^```", "\n", filled, flags=re.MULTILINE | re.DOTALL)
    lines = ["" if line.startswith(("    ", "|")) else line for line in plain.split("\n")]
    for part in re.split(r"\n\s*\n|\n(?=\s*[-*•] )", "\n".join(lines)):
        yield " ".join(part.split())


def typed(text: str) -> list[str]:
    """The figures of a paragraph that look measured, with a few words around each."""
    for phrase in sorted(ALLOWED, key=len, reverse=True):
        text = text.replace(phrase, "…")
    text = re.sub(r"\]\([^)]*\)", "]", text)
    found = (match for shape in FIGURES.values() for match in re.finditer(shape, text))
    return [text[max(0, match.start() - 40) : match.end() + 20] for match in found]


@pytest.mark.parametrize("page", PROSE, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_prose_has_no_figure_that_a_person_typed(page: Path) -> None:
    assert [found for part in paragraphs(page.read_text(encoding="utf-8")) for found in typed(part)] == []


@pytest.mark.parametrize(
    "said",
    [
        "Unname processes several hundred documents a second.", "This takes up to two and a half times as long.",
        "BM25 then finds 98 % of the people.", "in four minutes each, made it find about twice as many people",
        "reading takes 13 to 34 MB a second", "still found a third of the people", "names two points more of the others",
        "told apart in two pairs of three", "a span F1 of .9721", "three times as fast", "learns for half an hour",
    ],
)  # fmt: skip
def test_the_check_notices_figures(said: str) -> None:
    assert typed(said)


def test_what_is_allowed_is_still_said() -> None:
    said = [" ".join(page.read_text(encoding="utf-8").split()) for page in PROSE]
    assert [phrase for phrase in ALLOWED if not any(phrase in page for page in said)] == []


def test_tables_and_sentences_are_what_the_committed_results_say() -> None:
    pytest.importorskip("torch")  # The privacy card names its attacks in a module that needs it.
    from benchmarks.tables import blocks, filled, pages, seen_from

    made, stale = blocks(), []
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if filled(text, seen_from(page, made)) != text:
            stale.append(page.relative_to(ROOT).as_posix())
    assert stale == [], "run python -m benchmarks.tables"


def test_every_marked_block_is_one_that_the_script_fills() -> None:
    pytest.importorskip("torch")
    from benchmarks.tables import blocks, pages

    marked = {
        name for page in pages() for name in re.findall(r"<!-- begin (\S+) -->", page.read_text(encoding="utf-8"))
    }
    assert marked <= blocks().keys()


def test_a_block_is_indented_as_its_marks_are_and_unknown_ones_stay() -> None:
    pytest.importorskip("torch")
    from benchmarks.tables import filled

    page = "- one:\n\n  <!-- begin a -->\n  old\n  <!-- end a -->\n\n<!-- begin b -->\nkept\n<!-- end b -->\n"
    made = page.replace("  old\n", "  new\n\n  line\n")
    assert filled(page, {"a": ["new", "", "line"]}) == made
    assert filled(made, {"a": ["new", "", "line"]}) == made


def test_a_link_of_a_sentence_leads_from_the_folder_of_its_page() -> None:
    pytest.importorskip("torch")
    from benchmarks.tables import seen_from

    made = {"a": ["see [b](docs/results/b.md#c) and [d](https://d.e/docs/f.md)"]}
    docs, rest = ROOT / "docs", " and [d](https://d.e/docs/f.md)"
    assert seen_from(ROOT / "README.md", made) == made
    assert seen_from(docs / "a.md", made) == {"a": [f"see [b](results/b.md#c){rest}"]}
    assert seen_from(docs / "results" / "a.md", made) == {"a": [f"see [b](b.md#c){rest}"]}
    assert seen_from(docs / "results" / "b.md", made) == {"a": [f"see [b](#c){rest}"]}


def test_words_at_equal_rates_lie_on_straight_lines_between_the_crowds() -> None:
    def at(masked: float, found: float) -> dict[str, Any]:
        return {"masked": masked, "found": {"rate": found}}

    row = {"paper": [at(0.1, 0.6), at(0.2, 0.4), at(0.4, 0.2)], "ours": [at(0.05, 0.7), at(0.15, 0.5), at(0.15, 0.3)]}
    assert at_equal_rates(row) == pytest.approx([1.0, 0.5])
    assert falling(row["paper"]) and not falling([at(0.1, 0.4), at(0.2, 0.4)])


def test_what_concepts_say_of_the_bi_encoder_are_its_defaults() -> None:
    pytest.importorskip("torch")
    from unname.reidentifiers.encoders.settings import BiencoderSettings

    settings, said = BiencoderSettings(), " ".join((ROOT / "docs" / "concepts.md").read_text(encoding="utf-8").split())
    assert f"label smoothing is {settings.smoothing:g}".replace("0.", ".") in said
    assert f"{settings.width} dimensions" in said
    assert f"windows of {settings.window} tokens" in said
    assert f"{settings.warm_start} epochs beforehand" in said
    assert settings.lexical == 0.5 and "half of the texts first lose every word that the profile shares" in said
