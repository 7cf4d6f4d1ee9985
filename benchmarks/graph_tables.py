"""The tables of the knowledge graph: how large and fast, and what labels without annotators are worth."""

from typing import Any

from benchmarks.results import load_rows


def blocks() -> dict[str, list[str]]:
    """Every table by name, for those that have been measured."""
    made = {
        "graph": graph(), "combinations": combinations(), "learnt": learnt(), "labels-wikipedia553": wikipedia(),
        "labels-tab": court(),
    }  # fmt: skip
    return {name: rows for name, rows in made.items() if len(rows) > 2}


def graph() -> list[str]:
    """Building, keeping and asking an index of a million invented people."""
    row: dict[str, Any] = load_rows("graph").get("invented", {})
    lines = ["| what | figure |", "|---|---:|"]
    if not row:
        return lines
    finding = ", ".join(f"{share} of the words: {found['MB/s']}" for share, found in row["gazetteer"].items())
    return [
        *lines,
        f"| people, terms, postings | {row['people']:,}, {row['terms']:,}, {row['postings']:,} |",
        f"| building, one process | {row['build s']:,.0f} s, {row['peak MiB']:,} MiB at most |",
        f"| on the disk | {row['MiB on disk']:,} MiB, opened in {row['open ms']} ms |",
        f"| counts of 2 to 6 terms of one person, a second | {row['intersections/s']:,} (Python sets: "
        f"{row['python sets/s']:,}) |",
        f"| counts of 3 of the 40 commonest terms, a second | {row['of common terms/s']:,} (Python sets: "
        f"{row['python sets, common/s']:,}) |",
        f"| gazetteer, MB/s, by how many words state a term | {finding} |",
    ]


def combinations() -> list[str]:
    """Milliseconds by the number of terms."""
    rows = load_rows("graph")
    lines = [
        "| terms in a document | congress graph, ms | a million people, ms | terms hidden |",
        "|---|---:|---:|---:|",
    ]
    if "invented" not in rows or "congress" not in rows:
        return lines
    said = {"any": "any terms", "shared": "terms that five or more have"}
    for one, other in zip(rows["congress"]["combinations"], rows["invented"]["combinations"], strict=True):
        lines.append(
            f"| {one['terms']}, {said[one['of']]} | {_times(one)} | {_times(other)} | {one['terms gone']:.0f} |"
        )
    return lines


def _times(row: dict[str, Any]) -> str:
    given_up = f", order given up in {row['order given up']} of 200" if row["order given up"] else ""
    return f"{row['median ms']:.1f} ({row['slowest of 20 ms']:.0f}; {row['slowest ms']:.0f}){given_up}"


def learnt() -> list[str]:
    """Precision, recall and F1 on held-out labels."""
    lines = ["| labels | tagger | documents taught, tried | precision | recall | F1 |", "|---|---|---:|---:|---:|---:|"]
    for name, row in load_rows("labels").items():
        if name.startswith("learnt "):
            _, corpus, strategy, kind = name.split()
            lines.append(
                f"| `{corpus}`, {strategy} | {kind} | {row['taught']:,}, {row['documents']:,} | {_share(row['precision'])} | "
                f"{_share(row['recall'])} | {_share(row['f1'])} |"
            )
    return lines


def _share(found: dict[str, Any] | None) -> str:
    return "–" if not found else f"{found['value']:.3f} ({found['ci'][0]:.3f}–{found['ci'][1]:.3f})"


def wikipedia() -> list[str]:
    """Against human masks, direct and quasi on those that say so."""
    lines = [
        "| | precision | recall | F1 | recall of direct (at least) | of quasi | κ characters |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name, row in load_rows("labels").items():
        if name.startswith("wikipedia553 "):
            typed = row["typed"]
            lines.append(
                f"| {name.removeprefix('wikipedia553 ')} | {_share(row['precision'])} | {_share(row['recall'])} | "
                f"{_share(row['f1'])} | {1 - typed['direct leak']:.3f} ({1 - typed['direct leak at most']:.3f}) | "
                f"{1 - typed['quasi leak']:.3f} | {row['kappa']['characters']:.2f} |"
            )
    return lines


def court() -> list[str]:
    """Leaks on court cases."""
    lines = [
        "| | direct leak (at most) | quasi leak (at most) | precision uniform | by rarity (heuristic) | lean, by fold |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for name, row in load_rows("labels").items():
        if name.startswith("tab "):
            lean = ", ".join(f"{one:g}" for one in row.get("lean", ())) or "–"
            lines.append(
                f"| {name.removeprefix('tab ')} | {row['direct leak']:.3f} ({row['direct leak at most']:.3f}) | "
                f"{row['quasi leak']:.3f} ({row['quasi leak at most']:.3f}) | {_share(row['precision uniform'])} | "
                f"{row['precision by rarity (heuristic)']['value']:.3f} | {lean} |"
            )
    return lines
