"""The tables of the tagger that ships and of the road without a table of people."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.results import load_rows, shown
from unname.statistics import percent

WHICH = {"rules": "rules", "entities": "`entities`", "both": "both, as by default"}
HALVES = {"dev": "first half", "test": "second half"}
LANGUAGES = {"de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "nl": "Dutch",
             "pt": "Portuguese", "all": "all seven"}  # fmt: skip
CORPORA = {"wikigold": "wikigold", "wnut17": "WNUT17, test part", "btc": "BTC, part h", "tab": "TAB",
           "meddocan": "MEDDOCAN, dev part", "records": "made-up records"}  # fmt: skip
KINDS = {"NAME": "names", "PLACE": "places", "ORGANISATION": "organisations", "DATE": "dates"}
ROLES = {"names speaker": "speaker", "names spouse": "spouse", "names child": "children", "names interviewer": "interviewer",
         "names other": "neighbours, colleagues, doctors"}  # fmt: skip
FEWEST = 20
Row = Mapping[str, Any]


def blocks() -> dict[str, list[str]]:
    """Every table by name."""
    made = {
        "entities-languages": languages(), "entities-labels": labels(), "entities-corpora": corpora(),
        "entities-short": short(),
        "entities-beside": beside(), "no-table-judgments": judgments(), "no-table-interviews": interviews(),
        "no-table-letters": letters(), "no-table-outsiders": outsiders(),
    }  # fmt: skip
    return {name: rows if len(rows) > 2 else ["Not measured."] for name, rows in made.items()}


def share(found: Mapping[str, Any] | None, *, interval: bool = True) -> str:
    """A share with its interval, of one."""
    if not found:
        return "–"
    low, high = found["ci"]
    return f"{found['value']:.3f} ({low:.3f}–{high:.3f})" if interval else f"{found['value']:.3f}"


def _false(row: Row) -> str:
    found = row["false"]
    return "–" if found["ci"] is None else f"{found['per 1,000']:.1f} ({found['ci'][0]:.1f}–{found['ci'][1]:.1f})"


def _annotated() -> Iterator[tuple[str, str, str, Row]]:
    """(half, language, which taggers, row)."""
    rows = load_rows("entity_tagging")
    for half in HALVES:
        for language in LANGUAGES:
            for which in WHICH:
                if row := rows.get(f"{half} {language} {which}"):
                    yield half, language, which, row


def languages() -> list[str]:
    """Seven languages: names, and all labels together."""
    lines = [
        "| texts | tagger | names found | precision of names | everything found | precision | false finds in 1,000 words |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for half, language, which, row in _annotated():
        if which == "both" and language != "all":
            continue
        names, every = (row["labels"].get(label, {}) for label in ("NAME", "all"))
        lines.append(
            f"| {LANGUAGES[language]}, {HALVES[half]} | {WHICH[which]} | {share(names.get('recall'))} | "
            f"{share(names.get('precision'))} | {share(every.get('recall'), interval=False)} | "
            f"{share(every.get('precision'), interval=False)} | {_false(row)} |"
        )
    return lines


def labels() -> list[str]:
    """All seven languages together by label: the rules, the shipped tagger, and both."""
    lines = [
        "| label | half | stretches | found | under this label | precision | found by rules | found by both |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    rows = load_rows("entity_tagging")
    for half, said in HALVES.items():
        rules, entities, both = (rows.get(f"{half} all {which}", {}).get("labels", {}) for which in WHICH)
        for label, cell in entities.items():
            if label != "all" and cell["asked"] >= FEWEST:
                others = [share(one.get(label, {}).get("recall"), interval=False) for one in (rules, both)]
                alike = share(cell["recall same label"], interval=False)
                lines.append(
                    f"| `{label}` | {said} | {cell['asked']} | {share(cell['recall'])} | {alike} | "
                    f"{share(cell['precision'])} | {' | '.join(others)} |"
                )
    return lines


def corpora() -> list[str]:
    """Corpora that the weights learned nothing of."""
    lines = [
        "| corpus | tagger | names found | precision of names | places | organisations | dates | "
        "false finds in 1,000 words |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    rows = load_rows("entity_tagging")
    for name, title in CORPORA.items():
        for which, said in WHICH.items():
            if row := rows.get(f"{name} {which}"):
                found = row["labels"]
                others = [
                    share(found[label]["recall"], interval=False) if label in found else "–"
                    for label in list(KINDS)[1:]
                ]
                names = found.get("NAME", {})
                lines.append(
                    f"| {title} | {said} | {share(names.get('recall'))} | {share(names.get('precision'))} | "
                    f"{' | '.join(others)} | {_false(row)} |"
                )
    return lines


def beside() -> list[str]:
    """The same texts read by others."""
    lines = [
        "| texts | tagger | names | places | organisations | dates | precision of these | words/CPU s | model MB | "
        "loaded MB | installed MB | peak MB |",
        "|---|---|" + "---:|" * 10,
    ]
    for name, row in load_rows("entity_tagging").items():
        if name.startswith("beside "):
            texts, which = name.removeprefix("beside ").split(": ")
            half, _, language = texts.partition(" ")
            title = f"{LANGUAGES[language]}, {HALVES[half]}" if half in HALVES else CORPORA[texts]
            found, cost = row["labels"], row["cost"]
            recalls = [_known(found.get(label)) for label in KINDS]
            lines.append(
                f"| {title} | {WHICH.get(which, which)} | {' | '.join(recalls)} | "
                f"{share(found.get('all', {}).get('precision'), interval=False)} | {cost['words per cpu s']:,} | "
                f"{cost['model MB']} | {cost['loaded MB']} | {cost['installed MB']} | {cost['peak MB']} |"
            )
    return lines


def _known(cell: Mapping[str, Any] | None) -> str:
    """The recall of a label; a dash for one that the tagger never gives."""
    return share(cell["recall"], interval=False) if cell and (cell["finds"] or cell["recall"]["value"]) else "–"


def short() -> list[str]:
    """The recall of the two default taggers by language: on the half that nobody looked at, if that is measured."""
    lines = [
        "| texts by hand | names found | places | organisations | dates | precision of names | false finds in 1,000 words |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    rows = list(_annotated())
    last = "test" if any(half == "test" for half, *_ in rows) else "dev"
    for half, language, which, row in rows:
        if half == last and which == "both":
            found = row["labels"]
            recalls = [
                share(found[label]["recall"], interval=label == "NAME") if label in found else "–" for label in KINDS
            ]
            precision = share(found["NAME"]["precision"], interval=False)
            lines.append(
                f"| {LANGUAGES[language]}, {HALVES[half]} | {' | '.join(recalls)} | {precision} | {_false(row)} |"
            )
    return lines


def counted(cell: Mapping[str, Any] | None) -> str:
    """A count of so many."""
    return "–" if cell is None else f"{cell['count']} of {cell['of']}"


def _cost(row: Row) -> str:
    return f"{percent(row['hidden share'])} | {row['seconds']:.0f} | {row['cpu seconds']:.0f}"


def judgments() -> list[str]:
    """Court cases without a table."""
    lines = [
        "| | cases | direct entities readable | people among them | quasi readable | quasi but dates | words hidden | "
        "seconds | CPU seconds |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    row = load_rows("no_table").get("judgments")
    # Weights that learned from these judgments would say nothing.
    if row and row["out of fold"]:
        names = ("direct", "direct PERSON", "quasi", "quasi but dates")
        human = row["human words"]
        lines += [
            f"| no table, nothing else said | {row['documents']} | "
            + " | ".join(counted(row["entities"].get(name)) for name in names) + f" | {_cost(row)} |",
            f"| annotators | {row['documents']} | – | – | – | – | {percent(human['hidden'] / human['words'])} | – | – |",
        ]  # fmt: skip
    return lines


def interviews() -> list[str]:
    """Made-up transcripts: who can be read, and what else."""
    rows = {lang: row for lang in LANGUAGES if (row := load_rows("no_table").get(f"interviews {lang}"))}
    lines = [
        "| readable anywhere in the transcript | " + " | ".join(LANGUAGES[lang] for lang in rows) + " |",
        "|---|" + "---:|" * len(rows),
    ]
    if not rows:
        return lines
    names = [*ROLES, *sorted({n for row in rows.values() for n in row["readable"]} - set(ROLES))]
    for name in names:
        cells = [counted(row["readable"].get(name)) for row in rows.values()]
        lines.append(f"| {ROLES.get(name, name if name[0].islower() else f'`{name}`')} | {' | '.join(cells)} |")
    lines.append("| words hidden | " + " | ".join(percent(row["hidden share"]) for row in rows.values()) + " |")
    return [*lines, "| seconds | " + " | ".join(f"{row['seconds']:.0f}" for row in rows.values()) + " |"]


def letters() -> list[str]:
    """Made-up letters with their table and without: what became of facts and of dates."""
    names = ("masked", "listed", "listed as likely", "partly masked", "neither")
    lines = [
        "| | facts masked | listed to be read first | of these as likely to be looked up | only partly masked | neither | "
        "days of dates readable | words hidden | seconds | CPU seconds |",
        "|---|" + "---:|" * 9,
    ]
    for which in ("with", "without"):
        if row := load_rows("no_table").get(f"letters {which} a table"):
            facts = [str(row["facts"]["all"][name]) for name in names]
            days = counted(row["days readable"]["all"])
            lines.append(f"| {which} their table | {' | '.join(facts)} | {days} | {_cost(row)} |")
    return lines


def outsiders() -> list[str]:
    """People found in reference texts, before and after, beside human masks."""
    lines = [
        "| corpus | people searched | text | found by rare words | found by stretches of words | found by facts left | "
        "words hidden |",
        "|---|---:|---|---:|---:|---:|---:|",
    ]
    for corpus, title in (("tab", "TAB"), ("wikipedia553", "`wikipedia553`")):
        row = load_rows("no_table").get(f"outsiders {corpus}")
        if row and corpus == "tab" and not row["out of fold"]:
            continue
        for which, said in (("originals", "original"), ("released", "no table, default"), ("human", "annotators")):
            if row and which in row["bm25"]:
                hidden = {"originals": 0.0, "released": row["hidden share"]}.get(which)
                if hidden is None:
                    hidden = row["human words"]["hidden"] / row["human words"]["words"]
                found = [shown(row[searcher][which]) for searcher in ("bm25", "ngrams")]
                lines.append(
                    f"| {title} | {row['people searched']} | {said} | {' | '.join(found)} | {_by_facts(row, which)} | "
                    f"{percent(hidden)} |"
                )
    return lines


def _by_facts(row: Row, which: str) -> str:
    """The rate of the tool's own searcher by facts, before the run or after it."""
    searchers = row["by the tool"].get("human" if which == "human" else "released")
    for one in searchers or ():
        if one["name"] == "facts":
            return shown(one["before" if which == "originals" else "after"])
    return "–"
