"""Write the figures into the documentation, so that no number there was typed by hand.

    python -m benchmarks.tables

Fills the places marked `<!-- begin NAME -->` … `<!-- end NAME -->` in README.md and docs/*.md from benchmarks/results.
"""

import json
import re
from pathlib import Path
from typing import Any

from benchmarks.results import FOLDER, say
from unname.auditing.report import percent, plain_name, shown

ROOT = Path(__file__).parents[1]
CORPORA = {
    "congress": "1,307 biographies against 12,975 people (thin profiles)",
    "wikipedia553": "220 Wikipedia leads against 445 article bodies",
    "tab": "113 court cases against the first tenths of 1,268 judgments",
}


def read(name: str) -> dict[str, Any]:
    """Rows of a result, none where it has not been measured."""
    path = FOLDER / f"{name}.json"
    rows: dict[str, Any] = json.loads(path.read_text())["rows"] if path.exists() else {}
    return rows


def order(row: str) -> tuple[int, int, str]:
    """Rows in the order of the story: nothing, people, baselines, search; small k first."""
    kinds = ("none", "human", "lexical", "idf k", "idf-table", "greedy bm25", "greedy ngrams", "greedy both")
    kind = next(i for i, start in enumerate(kinds) if row.startswith(start))
    found = re.search(r"k=(\d+)", row)
    return kind, int(found.group(1)) if found else 0, row


def best_trained(row: dict[str, Any]) -> dict[str, Any] | None:
    """The worse of the two trained attackers."""
    trained = [a["after"] for a in row["attackers"] if a["name"].startswith("translation")]
    return max(trained, key=lambda figures: figures["rate"], default=None)


def methods_table(corpus: str) -> list[str]:
    """Every method of one corpus: cost, audit-only any-attacker, used, aware, fused."""
    lines = [
        "| method | words hidden | information lost | any of the audit-only attackers | strongest trained | "
        "those it was made against (else BM25, n-grams) | knows the method | 1/(k+1) | all fused |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    rows = read(f"reidentification_{corpus}")
    for name in sorted(rows, key=order):
        row = rows[name]
        aware = row["aware"]
        used = row["any_used"]["after"] if row["any_used"] else None
        lines.append(
            f"| {name} | {percent(row['masked']['rate'])} | {percent(row['information_loss'])} | "
            f"{shown(row['any_audit_only'])} | {shown(best_trained(row))} | {shown(used)} | "
            f"{shown(aware) if aware else '–'} | {percent(aware['bound']) if aware else '–'} | "
            f"{shown(row['fused']['after'])} |"
        )
    return lines


def transfer_table(corpus: str) -> list[str]:
    """Masked against one, attacked by another: every attacker after every greedy and lexical row."""
    rows = read(f"reidentification_{corpus}")
    chosen = [n for n in sorted(rows, key=order) if n.startswith(("none", "human", "lexical", "greedy")) and
              not n.endswith(("exact", "default"))]  # fmt: skip
    if not chosen:
        return ["Not measured."]
    attackers = [a["name"] for a in rows[chosen[0]]["attackers"]]
    lines = ["| attacked by | " + " | ".join(chosen) + " |", "|---|" + "---:|" * len(chosen)]
    for attacker in attackers:
        cells = []
        for name in chosen:
            found = next((a for a in rows[name]["attackers"] if a["name"] == attacker), None)
            served = bool(found and found["used"] and name.startswith("greedy"))
            cells.append("–" if found is None else shown(found["after"]).split(" (")[0] + (" *" if served else ""))
        lines.append(f"| {plain_name(attacker)} | " + " | ".join(cells) + " |")
    return lines


def headline_table() -> list[str]:
    """The rows of the README: what the originals, people, baselines and the search leave, on each corpus."""
    wanted = ("none", "human", "lexical", "idf-table-aware k=10", "greedy both k=10", "greedy both k=100")
    lines = ["| | words hidden | found by any audit-only attacker | by BM25 or n-grams | knows the method |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    for corpus, title in CORPORA.items():
        rows = read(f"reidentification_{corpus}")
        lines.append(f"| **{title}** | | | | |")
        for name in wanted:
            if name not in rows:
                continue
            row = rows[name]
            aware = row["aware"]
            lines.append(
                f"| {name} | {percent(row['masked']['rate'])} | {shown(row['any_audit_only'])} | "
                f"{shown(row['any_used']['after'])} | {shown(aware) if aware else '–'} |"
            )
    return lines


def cost_table() -> list[str]:
    """Masked % of the search with exact targets, beside the first trial."""
    rows = read("cost")
    lines = ["| corpus | documents | k = 1 | k = 5 | k = 10 | k = 100 |", "|---|---:|---:|---:|---:|---:|"]
    for name, row in rows.items():
        cells = []
        for k, value in row["masked_percent"].items():
            first = row["first_trial_percent"].get(k)
            cells.append(f"{value:.2f} %" + (f" (was {first})" if first is not None else ""))
        lines.append(f"| {name} | {row['documents']} | " + " | ".join(cells) + " |")
    return lines


def targets_table() -> list[str]:
    """What the mask-aware attacker finds, and the words hidden, by the span of keyed targets."""
    lines = ["| corpus, k, largest target in k | words hidden | knows the method | 1/(k+1) |", "|---|---:|---:|---:|"]
    for name, row in read("targets").items():
        lines.append(
            f"| {name} | {percent(row['masked'])} | {shown(row['aware'])} | {percent(row['aware']['bound'])} |"
        )
    return lines


def finding() -> list[str]:
    """The one finding everybody must read, in two sentences with figures."""
    rows = read("reidentification_congress")
    row = rows.get("greedy both k=10")
    if row is None:
        return ["Not measured."]
    trained = best_trained(row)
    single = {a["name"]: a["after"] for a in row["attackers"]}
    return [
        f"on {row['documents']} biographies masked until BM25 and n-grams both see a crowd of at least 10 "
        f"({percent(row['masked']['rate'])} of the words hidden; those two find {shown(row['any_used']['after'])}), a "
        f"reader of dates and numbers still finds {shown(single['facts.v1'])}, and a linear model trained on other "
        f"people's documents {shown(trained)}. Together the attackers that were held back find "
        f"{shown(row['any_audit_only'])}."
        + (
            f" At k = 100 they still find {shown(rows['greedy both k=100']['any_audit_only'])} "
            f"({percent(rows['greedy both k=100']['masked']['rate'])} hidden); hiding every word of the profile, whatever "
            f"the crowd, leaves them {shown(rows['lexical']['any_audit_only'])} "
            f"({percent(rows['lexical']['masked']['rate'])} hidden)."
            if {"greedy both k=100", "lexical"} <= set(rows)
            else ""
        ),
    ]


def fill(path: Path, blocks: dict[str, list[str]]) -> None:
    """Replace what stands between the marks of each block."""
    text = path.read_text(encoding="utf-8")
    for name, lines in blocks.items():
        pattern = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.DOTALL)
        body = "\n".join(lines)
        text = pattern.sub(lambda m, body=body: f"{m.group(1)}{body}\n{m.group(2)}", text)
    path.write_text(text, encoding="utf-8")


def main() -> None:
    """Fill every page."""
    blocks = {"finding": finding(), "headline": headline_table(), "cost": cost_table(), "targets": targets_table()}
    for corpus in CORPORA:
        blocks[f"methods-{corpus}"] = methods_table(corpus)
        blocks[f"transfer-{corpus}"] = transfer_table(corpus)
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        fill(path, blocks)
    say("filled", ", ".join(blocks))


if __name__ == "__main__":
    main()
