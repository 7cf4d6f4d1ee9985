"""Texts of people of whom no table is at hand, through the command as users run it: what stays readable, what it costs.

    python -m benchmarks.no_table [PART ...] [--weights FILE] [--weights-fold0 FILE --weights-fold1 FILE] [--package CHECKOUT]

`judgments`: a hundred of TAB's court cases, each read with weights that learned nothing of its half (`python -m
benchmarks.entities --without tab:0` makes those of fold 0): entities of which any letter or digit stands, direct and quasi.
`interviews`: made-up transcripts in German and Spanish (benchmarks.made_up): people by their part in the conversation,
and other annotated stretches. `letters`: made-up hospital letters, with their table and without: the facts that no table
holds (masked, listed to be read first, neither) and the days of exact dates. `outsiders`: who searches reference texts with
an original, with what is left of it, and with what annotators leave (TAB: other parts of the judgments; wikipedia553:
articles without their leads). Each part takes minutes; other rows of an earlier run stay.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.corpora import human_masks, human_release, load
from benchmarks.entities.__main__ import half_of
from benchmarks.made_up.interviews import LANGUAGES, Interview, interviews
from benchmarks.made_up.letters import BIRTH, Letters, letters
from benchmarks.no_table_command import Made, Tool, audit, can_search, deidentify, write_people
from benchmarks.no_table_scores import (
    LISTED,
    MASKED,
    NEITHER,
    PARTLY,
    as_released,
    day_in,
    day_stands,
    entities_readable,
    is_initials,
    is_readable,
    outcome_of,
    places,
    rate_of,
    says_something,
    words_hidden,
)  # fmt: skip
from benchmarks.results import load_rows, save, say
from benchmarks.world import write_lines
from unname import registry
from unname.statistics import credit, rate
from unname.text import MASK_TOKEN
from unname.types import Document, Profile

NAME = "no_table"
PARTS = ("judgments", "interviews", "letters", "outsiders")
JUDGMENTS = 100
# The tool audits a release only among people of a table: here the people of whom there are reference texts.
KNOWN = ("--people", "reference.jsonl", "--attackers", "bm25")
LIKELY = "listed as likely"
REFERENCES = ("tab", "wikipedia553")
# Shared rare words, and shared stretches of words.
SEARCHERS = ("bm25", "ngrams")


def judgments(tool: Tool) -> dict[str, Any]:
    """Court cases without a table: entities of which anything stands."""
    documents = load("tab").documents[:JUDGMENTS]
    made = run(folded(tool, documents), documents)
    kept = [documents[place] for place in made.kept()]
    human = [places((s.start, s.end) for s in human_masks(d).spans) for d in documents]
    return {
        **made.about(documents), "entities": entities_readable(kept, made.gone()),
        "human words": words_hidden([d.text for d in documents], human),
    }  # fmt: skip


def folded(tool: Tool, documents: Sequence[Document]) -> Tool:
    """A tool that reads each document with the weights that learned nothing of it, where there are two."""
    return tool.by_half(documents, [half_of(d.id) for d in documents]) if len(tool.weights) > 1 else tool


def run(tool: Tool, documents: Sequence[Document], *options: str, persons: bool = False) -> Made:
    """One run in a folder that is gone afterwards."""
    with TemporaryDirectory() as name:
        return deidentify(tool, documents, Path(name), *options, persons=persons)


def spoken(tool: Tool, language: str) -> dict[str, Any]:
    """Interviews of a language: who can still be read, by their part in it, and what else."""
    several = interviews(language)
    documents = [one.document for one in several]
    made = run(tool, documents)
    there = [(several[place], hidden) for place, hidden in enumerate(made.hidden) if hidden is not None]
    values: dict[str, tuple[list[bool], list[str]]] = defaultdict(lambda: ([], []))
    for one, hidden in there:
        for role, readable in people_readable(one, hidden):
            _add(values, f"names {role}", readable, one.document.id)
        for span in one.document.spans:
            text, place = one.document.text, (span.start, span.end)
            if span.label == "DATE" and day_in(text[slice(*place)]):
                _add(values, "days of dates", day_stands(text, place, hidden), one.document.id)
            elif span.label not in ("NAME", "DATE"):
                _add(values, span.label, says_something(text, place, hidden), one.document.id)
    return {**made.about(documents), "readable": {row: rate_of(*both) for row, both in sorted(values.items())}}


def _add(values: dict[str, tuple[list[bool], list[str]]], row: str, value: bool, document: str) -> None:
    values[row][0].append(value)
    values[row][1].append(document)


def people_readable(one: Interview, hidden: set[int]) -> list[tuple[str, bool]]:
    """Each person of a transcript by role, and whether a name of theirs can be read anywhere in it; initials name nobody."""
    text = one.document.text
    people: dict[tuple[str, str], bool] = {}
    for name in one.names:
        if not is_initials(text[name.start : name.end]):
            who = (name.role, name.person)
            people[who] = people.get(who, False) or is_readable(text, (name.start, name.end), hidden)
    return [(role, readable) for (role, _), readable in people.items()]


def written(tool: Tool, *, with_table: bool) -> dict[str, Any]:
    """The letters with their table or without it: facts, and days of dates."""
    all_of = letters()
    with TemporaryDirectory() as name:
        folder = Path(name)
        options: tuple[str, ...] = ()
        if with_table:
            write_people(folder / "people.jsonl", all_of.profiles)
            options = ("--people", "people.jsonl", "--k", "10", "--audit", "quick")
        made = deidentify(tool, all_of.documents, folder, *options, persons=with_table)
    return {**made.about(all_of.documents), **letter_figures(all_of, made)}


def letter_figures(all_of: Letters, made: Made) -> dict[str, Any]:
    """Outcomes of the facts by kind, and of the days of exact dates; withheld letters give nothing away."""
    hidden = dict(zip((d.id for d in all_of.documents), made.hidden, strict=True))
    texts = {d.id: d.text for d in all_of.documents}
    rows: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in made.listed or ():
        rows[row["document"]].append(row)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for fact in all_of.facts:
        gone, own = hidden[fact.document], rows[fact.document]
        place = (fact.start, fact.end)
        became = MASKED if gone is None else outcome_of(texts[fact.document], place, gone, own)
        if became in (PARTLY, NEITHER) and gone is not None:
            say(f"    {became}: {fact.kind}: {as_released(texts[fact.document], place, gone)}")
        likely = [row for row in own if row.get("look_up") != "hardly"]
        for kind in ("all", fact.kind):
            kinds[kind][became] += 1
            if became == LISTED and gone is not None:
                kinds[kind][LIKELY] += outcome_of(texts[fact.document], place, gone, likely) == LISTED
    days: dict[str, tuple[list[bool], list[str]]] = defaultdict(lambda: ([], []))
    for date in all_of.dates:
        gone = hidden[date.document]
        stands = gone is not None and day_stands(texts[date.document], (date.start, date.end), gone)
        for kind in ("all", "of birth" if date.kind == BIRTH else "others"):
            _add(days, kind, stands, date.document)
    names = (MASKED, LISTED, LIKELY, PARTLY, NEITHER)
    return {
        "facts": {kind: {name: counts[name] for name in names} for kind, counts in kinds.items()},
        "days readable": {kind: rate_of(*both) for kind, both in days.items()},
    }


def looked_up(tool: Tool, corpus: str) -> dict[str, Any]:
    """People found in reference texts by originals, by what a release leaves, and by what annotators leave."""
    loaded = load(corpus)
    documents, reference = list(loaded.documents), reference_of(loaded.population.profiles)
    search = can_search(tool)
    with TemporaryDirectory() as name:
        folder = Path(name)
        write_lines(
            folder / "reference.jsonl", [{"id": p.id, "person": p.id, "text": p.fields["text"]} for p in reference]
        )
        options = ("--outsiders", "reference.jsonl") if search else ()
        using = folded(tool, documents) if corpus == "tab" else replace(tool, weights=tool.weights[:0])
        made = deidentify(using, documents, folder, *options, persons=True)
        human = [human_release(d) for d in documents] if any(d.spans for d in documents) else None
        judged = audit(using, documents, human, folder, *KNOWN, *options) if human and search else {}
    kept = made.kept()
    asked: dict[str, Sequence[str | None] | None] = {
        "originals": [d.text for d in documents], "released": made.texts, "human": human,
    }  # fmt: skip
    row = {
        **made.about(documents), "people searched": len(reference),
        **{searcher: search_by(searcher, reference, documents, asked) for searcher in SEARCHERS},
        "by the tool": {"released": searched(made.report), "human": searched(judged)},
    }  # fmt: skip
    if human:
        masks = [places((s.start, s.end) for s in human_masks(d).spans) for d in documents]
        row["human words"] = words_hidden([d.text for d in documents], masks)
    return row | {"released": len(kept)}


def reference_of(profiles: Sequence[Profile]) -> list[Profile]:
    """The text that readers can look up of each person: all that their profile says."""
    return [Profile(p.id, {"text": "\n\n".join(map(str, p.fields.values()))}) for p in profiles]


def searched(report: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    """The tool's own searchers and what they found; None where it did not search."""
    outsider = report.get("outsider") or {}
    found_by = (outsider.get("searched") or {}).get("searchers")
    return None if found_by is None else list(found_by)


def search_by(
    searcher: str,
    reference: Sequence[Profile],
    documents: Sequence[Document],
    asked: Mapping[str, Sequence[str | None] | None],
) -> dict[str, Any]:
    """The share of people found by a searcher that knows the reference alone, in each of several texts of every document.

    Ties share their credit. A text that is withheld, or of nobody of whom there is a reference, is not sought.
    """
    columns = {profile.id: column for column, profile in enumerate(reference)}
    index = registry.create(registry.REIDENTIFIERS, searcher).fit(reference).index(reference)
    rows = {}
    for which, texts in asked.items():
        known = [
            (columns[d.person], d.person, text.replace(MASK_TOKEN, " "))
            for d, text in zip(documents, texts or (), strict=bool(texts))
            if text is not None and d.person in columns
        ]
        if known:
            scores = index.scores_of([text for _, _, text in known])
            credits = [credit(own, column) for own, (column, _, _) in zip(scores, known, strict=True)]
            rows[which] = rate(credits, [person for _, person, _ in known]).as_dict()
    return rows


def keep(rows: dict[str, Any], name: str, row: dict[str, Any]) -> None:
    """Write a row, and say what matters of it."""
    rows[name] = row
    say(f"{name}: {row['documents']} documents, {row['hidden share']:.1%} of the words, {row['seconds']} s")
    for part in ("entities", "readable", "days readable"):
        for label, cell in row.get(part, {}).items():
            say(f"    {part} {label}: {cell['count']} of {cell['of']}")
    for part in ("facts", *SEARCHERS, "by the tool"):
        for label, cell in row.get(part, {}).items():
            say(f"    {part} {label}: {cell}")
    save(NAME, rows)


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--weights", type=Path, help="in place of those that ship")
    parser.add_argument("--weights-fold0", type=Path, help="learned without tab:0")
    parser.add_argument("--weights-fold1", type=Path, help="learned without tab:1")
    parser.add_argument("--package", type=Path, help="another checkout of the package")
    parser.add_argument("--fresh", action="store_true")
    given = parser.parse_args()
    package = (given.package or Tool().package).resolve()
    tool = Tool(package, (given.weights,) if given.weights else ())
    halves = tuple(file for file in (given.weights_fold0, given.weights_fold1) if file)
    apart = Tool(package, halves) if len(halves) > 1 else tool
    rows = load_rows(NAME, fresh=given.fresh)
    for part in given.parts or PARTS:
        if part == "judgments":
            keep(rows, "judgments", judgments(apart) | {"out of fold": len(halves) > 1})
        elif part == "interviews":
            for language in LANGUAGES:
                keep(rows, f"interviews {language}", spoken(tool, language))
        elif part == "letters":
            for with_table in (True, False):
                keep(
                    rows, f"letters {'with' if with_table else 'without'} a table", written(tool, with_table=with_table)
                )
        else:
            for corpus in REFERENCES:
                using = apart if corpus == "tab" else tool
                keep(rows, f"outsiders {corpus}", looked_up(using, corpus) | {"out of fold": len(halves) > 1})


if __name__ == "__main__":
    main()
