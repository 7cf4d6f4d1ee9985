"""Write the figures into the documentation, so that no number there was typed by hand.

    python -m benchmarks.tables

Fills the places marked `<!-- begin NAME -->` … `<!-- end NAME -->` in README.md and every page below docs from
benchmarks/results. A sentence links from the root of the repository (`docs/results/speed.md`); each page gets the link that
leads there from its own folder.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks import (
    adversary_tables,
    claims,
    estimates,
    graph_tables,
    letters_tables,
    no_table_tables,
    one_number,
    parrot,
    sanitize_tables,
    sharing_claims,
    sharing_tables,
    stand_ins,
    tagger_tables,
    world_tables,
)
from benchmarks.results import load_rows, paired, say, shown, worst
from unname import registry
from unname.auditing.page import title_of
from unname.auditing.report import AttackerFigures, Found
from unname.reidentifiers.base import Described
from unname.statistics import percent

ROOT = Path(__file__).parents[1]
CORPORA = {
    "congress": "400 biographies among all 12,975 members, looked at once (thin profiles)",
    "congress-dev": "1,300 biographies, their people a closed world (thin profiles)",
    "congress-test": "1,307 other biographies, looked at once (closed world, thin profiles)",
    "wikipedia553": "220 Wikipedia leads against 445 article bodies",
    "tab": "113 court cases against the first tenths of 1,268 judgments",
    "authors": "150 authors of forum comments without names, among 300 people",
}
ROWS = {
    "originals": "originals",
    "human": "human masks",
    "named entity": "named entities",
    "lexical": "all profile words",
    "idf": "rarest words first",
    "greedy": "search without rules",
    "paper": "Algorithm 1 as printed (`paper`), no neural model",
    "anonymity": "k-anonymity over what people's long texts state (heuristic graph)",
    "tagged": "what rules find",
    "floored": "the same k-anonymity, and above it the search",
    "composed": "**Unname**, the search alone (`composed`)",
    "adaptive": "**Unname**, then in rounds, no statics (`adaptive`)",
    "random-above": "the search alone, and words at random, as many as in rounds",
    "rarest-above": "the search alone, and the rarest words, as many as in rounds",
    "understood": "**Unname**, hiding from `meaning` as well",
    "understood-adaptive": "**Unname**, in rounds, hiding from `meaning` as well",
    "before": "an early version",
}
TEACHERS = {
    "originals": "originals",
    "human": "human masks",
    "search": "the search against term matching alone",
    "default": "**Unname**, rules and search",
    "rounds": "**Unname**, rules and search, then in rounds (`--rounds 3`)",
    "shipped": "**Unname** as it comes: the tagger and rare facts as well",
    "before": "the former search: rounds, no statics",
    "random": "the search against term matching, and words at random, as many as by rules and search",
}
OUTSIDE = {
    "congress": CORPORA["congress"], "congress-dev": CORPORA["congress-dev"], "congress-test": CORPORA["congress-test"],
    "google_re": "1,000 snippets of an encyclopedia (closed world, thin profiles)",
    "wikipedia553": CORPORA["wikipedia553"], "tab": CORPORA["tab"], "authors": CORPORA["authors"],
}  # fmt: skip
ABROAD = {
    "town-de": "German: 500 of 2,500 invented people", "town-es": "Spanish: 500 of 2,500 invented people",
    "meddocan": "Spanish: 250 clinical cases (MEDDOCAN), their people a closed world",
}  # fmt: skip
# Measured before rounds were the default.
COMMANDS = {"test part, nothing asked for": "test part, `composed` with the trained reidentifier, full audit"}
SAME_WORDS = ("random-above", "rarest-above")
_LINK = re.compile(r"\]\((?P<path>docs/[^)#]+)(?P<anchor>#[^)]*)?\)")
_MARKED = re.compile(
    r"^(?P<indent> *)<!-- begin (?P<name>\S+) -->\n.*?^(?P=indent)<!-- end (?P=name) -->", re.MULTILINE | re.DOTALL
)


def order(row: str) -> tuple[int, int]:
    """Rows in the order of the story: nothing, people, baselines, search; small k first."""
    kind, _, k = row.partition(" k=")
    return list(ROWS).index(kind), int(k or 0)


def named(row: str, titles: Mapping[str, str] = ROWS) -> str:
    """A row's title."""
    kind, _, k = row.partition(" k=")
    return f"{titles[kind]}, k = {k}" if k else titles[kind]


def titled(name: str) -> str:
    """An attacker's title in reports, from its versioned name."""
    full = name.partition("@")[0]
    made = registry.create(registry.ATTACKERS, full) if full in registry.names(registry.ATTACKERS) else None
    title = (
        made.about.title if isinstance(made, Described) else "Neural encoder" if full.startswith("biencoder") else ""
    )
    return title_of(AttackerFigures(name, False, None, Found(None, None, 0, 0, "bounded"), title))


def methods_table(corpus: str) -> list[str]:
    """Every method of one corpus: cost, who combines, and the union of all who do not."""
    rows = load_rows(f"adversary_{corpus}")
    lines = [
        "| | words hidden | information lost | strongest adversary | matched one to one | scores combined | "
        "crowd sizes alone | any single attacker (by chance) |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for name in sorted(rows, key=order):
        row = rows[name]
        union = row["any_unused"]["after"] if row["any_unused"] else None
        lines.append(
            f"| {named(name)} | {percent(row['masked']['rate'])} | {percent(row['information_loss'])} | "
            f"{shown(worst(row))} | {shown(row['matched'])} | {shown(row['fused']['after'])} | "
            f"{shown(row['crowd_sizes'])} | {shown(union)} ({percent(row['union_chance'])}) |"
        )
    return lines if rows else ["Not measured."]


def transfer_table(corpus: str) -> list[str]:
    """Every single attacker after every row."""
    rows = load_rows(f"adversary_{corpus}")
    chosen = sorted(rows, key=order)
    if not chosen:
        return ["Not measured."]
    attackers = list(dict.fromkeys(a["name"] for n in chosen for a in rows[n]["attackers"]))
    lines = ["| attacked by | " + " | ".join(map(named, chosen)) + " |", "|---|" + "---:|" * len(chosen)]
    for attacker in attackers:
        cells = []
        for name in chosen:
            found = next((a for a in rows[name]["attackers"] if a["name"] == attacker), None)
            served = bool(found and found["used"] and name not in ("originals", "human", "named entity"))
            cells.append("–" if found is None else shown(found["after"]).split(" (")[0] + (" *" if served else ""))
        lines.append(f"| {titled(attacker)} | " + " | ".join(cells) + " |")
    return lines


def headline_table() -> list[str]:
    """The rows of the README: what people, the default and others leave to attackers who have read of other people."""
    lines = ["| | words hidden | strongest adversary | matched one to one | documents of others read |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    for corpus, title in OUTSIDE.items():
        rows = load_rows(f"teachers_{corpus}")
        chosen = [name for name in rows if " read " not in name and _usual(name)]
        lines += [f"| **{title}** | | | | |"] if chosen else []
        for name in sorted(chosen, key=_outside_order):
            row = rows[name]
            lines.append(
                f"| {named(name, TEACHERS)} | {percent(row['masked']['rate'])} | {shown(worst(row))} | "
                f"{shown(row['matched'])} | {row['read']:,} |"
            )
    return lines


def _usual(row: str) -> bool:
    """True if a row is of the usual key and of attackers who hold nothing that taught the masking."""
    return " key " not in row and not row.endswith((" known", " all"))


def _outside_order(row: str) -> tuple[int, int]:
    kind, _, k = row.partition(" k=")
    return int(k or 0), list(TEACHERS).index(kind)


def reading_table() -> list[str]:
    """People found, over the number of documents about others that the attacker has read."""
    lines = ["| | words hidden | read | strongest adversary | `static` alone |", "|---|---:|---:|---:|---:|"]
    for corpus, title in OUTSIDE.items():
        every = load_rows(f"teachers_{corpus}")
        rows = {name: row for name, row in every.items() if _usual(name)}
        curves = {name.partition(" read ")[0] for name in rows if " read " in name}
        for release in sorted(curves, key=_outside_order):
            same = [row for name, row in rows.items() if name.partition(" read ")[0] == release]
            by_reading = sorted(same, key=lambda row: int(row["read"]))
            lines += [f"| {title}: {named(release, TEACHERS)} | {_by_readers(row)}" for row in by_reading]
    return lines if len(lines) > 2 else ["Not measured."]


def beside_table() -> list[str]:
    """The same releases under the same adversary, with a small bi-encoder beside him that others' documents taught."""
    lines = ["| | words hidden | strongest adversary | with the bi-encoder | bi-encoder alone | `static` alone |",
             "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for corpus, title in OUTSIDE.items():
        plain, rows = load_rows(f"teachers_{corpus}"), load_rows(f"teachers_{corpus}_models")
        for name in sorted((name for name in rows if name in plain), key=_outside_order):
            row, found = rows[name], rows[name]["attackers"]
            alone, static = (
                next((f for who, f in found.items() if part in who), None) for part in ("@model", "static")
            )
            lines.append(
                f"| {title}: {named(name, TEACHERS)} | {percent(row['masked']['rate'])} | {shown(worst(plain[name]))} | "
                f"{shown(worst(row))} | {shown(alone)} | {shown(static)} |"
            )
    return lines if len(lines) > 2 else ["Not measured."]


def abroad_table() -> list[str]:
    """Texts in other languages, with the English table of word vectors and with vectors of their own."""
    lines = ["| | words hidden | read | strongest adversary | `static` alone |", "|---|---:|---:|---:|---:|"]
    for corpus, title in ABROAD.items():
        for suffix, vectors in (("", "the English table"), ("_vectors", "vectors learned from the texts")):
            rows = load_rows(f"teachers_{corpus}{suffix}")
            lines += [f"| **{title}; {vectors}** | | | | |"] if rows else []
            ordered = sorted(rows, key=_outside_order)
            lines += [f"| {named(name, TEACHERS)} | {_by_readers(rows[name])}" for name in ordered]
    return lines if len(lines) > 2 else ["Not measured."]


def _by_readers(row: Mapping[str, Any]) -> str:
    """Cells: words hidden, documents read, whom the strongest adversary finds and whom a static alone."""
    alone = next((f for name, f in row["attackers"].items() if name.startswith("static.v1@originals")), None)
    return f"{percent(row['masked']['rate'])} | {row['read']:,} | {shown(worst(dict(row)))} | {shown(alone)} |"


def pairs_table() -> list[str]:
    """Changes that rounds make, document by document, beside the search, Algorithm 1, and as many words hidden otherwise."""
    lines = ["| | beside | words hidden | found there alone | found after rounds alone | chance |",
             "|---|---|---:|---:|---:|---:|"]  # fmt: skip
    for corpus, title in CORPORA.items():
        rows = load_rows(f"adversary_{corpus}")
        for after in (name for name in sorted(rows, key=order) if "adaptive" in name):
            kind, _, k = after.partition(" k=")
            plain = "composed" if kind == "adaptive" else "understood"
            for before in (f"{name} k={k}" for name in (plain, "paper", *SAME_WORDS)):
                found = paired(rows[before], rows[after]) if before in rows else None
                if found is None:
                    continue
                lost, won, chance = found
                words = " → ".join(percent(rows[name]["masked"]["rate"]) for name in (before, after))
                shown_chance = "< .001" if chance < 0.001 else f"{chance:.3f}".lstrip("0")
                lines.append(
                    f"| {title}: {named(after)} | {named(before)} | {words} | {lost} | {won} | {shown_chance} |"
                )
    return lines if len(lines) > 2 else ["Not measured."]


def usefulness_table() -> list[str]:
    """The usefulness of each release, beside who is found in it."""
    lines = ["| | strongest adversary | words hidden | facts kept | learned: from originals → from the release (guessing) |",
             "|---|---:|---:|---:|---|"]  # fmt: skip
    for corpus, title in CORPORA.items():
        rows = {name: row for name, row in load_rows(f"adversary_{corpus}").items() if "facts_kept" in row}
        lines += [f"| **{title}** | | | | |"] if rows else []
        for name in sorted(rows, key=order):
            row = rows[name]
            tasks = "; ".join(
                f"{task['field']} {percent(task['from_originals']['rate'])} → {percent(task['from_release']['rate'])} "
                f"({percent(task['guessing']['rate'])})" for task in row["tasks"]
            )  # fmt: skip
            lines.append(
                f"| {named(name)} | {shown(worst(row)).split(' (')[0]} | {percent(row['masked']['rate'])} | "
                f"{shown(row['facts_kept']).split(' (')[0]} | {tasks or '–'} |"
            )
    return lines


def paper_table() -> list[str]:
    """Algorithm 1 as printed and our search: at each k words, persons found, readings by the encoder."""
    lines = ["| hiding from | k | paper: words, found, readings | ours: words, found, readings | words | readings |",
             "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    for members, row in load_rows("paper").items():
        lines.append(
            f"| **{members}** ({row['documents']} documents; 1/{row['times_faster']:.0f} of the time) | | | | | |"
        )
        for there, here in zip(row["paper"], row["ours"], strict=True):
            cells = [
                f"{percent(side['masked'])}, {shown(side['found'])}, {side['evaluations']:.0f}"
                for side in (there, here)
            ]
            lines.append(
                f"| | {there['k']} | {cells[0]} | {cells[1]} | {here['masked'] / there['masked']:.2f} times | "
                f"1/{there['evaluations'] / here['evaluations']:.0f} |"
            )
        for level, at in row["levels"].items():
            ks = [at[side]["k"] for side in ("paper", "ours")]
            lines.append(
                f"| at most {percent(float(level))} found | {ks[0]}, {ks[1]} | | | {at['words']:.2f} times | "
                f"1/{at['evaluations']:.0f} |"
            )
    return lines


def cost_table() -> list[str]:
    """Masked % of the search with exact targets, beside the first trial."""
    rows = load_rows("cost")
    lines = ["| corpus | documents | k = 1 | k = 5 | k = 10 | k = 100 |", "|---|---:|---:|---:|---:|---:|"]
    for name, row in rows.items():
        cells = []
        for k, value in row["masked_percent"].items():
            first = row["first_trial_percent"].get(k)
            cells.append(f"{value:.2f} %" + (f" (was {first})" if first is not None else ""))
        lines.append(f"| {name} | {row['documents']} | " + " | ".join(cells) + " |")
    return lines


def targets_table() -> list[str]:
    """People found by guessing from crowd sizes, and the words hidden, by the span of keyed targets."""
    lines = ["| corpus, k, largest target in k | words hidden | crowd sizes alone | 1/(k+1) |", "|---|---:|---:|---:|"]
    for name, row in load_rows("targets").items():
        sizes = row["crowd_sizes"]
        lines.append(f"| {name} | {percent(row['masked'])} | {shown(sizes)} | {percent(sizes['bound'])} |")
    return lines


VERSIONS = (
    ("k = 10", "first alone"), ("k = 100", "second alone"), ("both, made apart under one key", "apart, one key"),
    ("k = 10 twice, made apart under two keys", "apart, another key"),
    ("k = 10 eight times, under eight keys", "apart, eight keys"),
    ("k = 10, continued with k = 100", "second continues first"),
    ("k = 100, continued with k = 10", "first continues second"),
)  # fmt: skip


def versions_table() -> list[str]:
    """People found in several releases of the same texts together, by a simple attacker and the strongest of an audit."""
    rows = load_rows("versions")
    lines = ["| releases | found by a simple attacker | crowds below 10 | strongest adversary, all versions | withheld |",
             "|---|---:|---:|---:|---:|"]  # fmt: skip
    for title, name in VERSIONS:
        row, audited = rows[name], rows.get(f"audit {name}")
        strongest = audited and audited.get("together", audited)["strongest"]
        lines.append(
            f"| {title} | {shown(row['found'])} | {shown(row['small'])} | {shown(strongest) if strongest else '–'} "
            f"| {row['withheld']} |"
        )
    return lines


def finding() -> list[str]:
    """The one finding everybody must read, in a few sentences with figures."""
    said = []
    corpora = {
        "congress-dev": "1,300 biographies whose people are all known",
        "authors": "150 authors of forum comments, who name nobody",
    }
    for corpus, about in corpora.items():
        rows = load_rows(f"adversary_{corpus}")
        row, rounds = (rows.get(name) for name in ("composed k=100", "adaptive k=100"))
        if row is None:
            continue
        singles = [a for a in row["attackers"] if not a["used"]]
        best = max(singles, key=lambda a: a["after"]["rate"])
        known = max((a["after"] for a in row["attackers"] if a["used"]), key=lambda figures: figures["rate"])
        name = titled(best["name"]).partition(" (")[0].lower()
        said.append(
            f"Of {about}, masked by the search alone until each stood in a crowd of 100 or more "
            f"({percent(row['masked']['rate'])} of the words hidden), the reidentifiers that the masking knew "
            f"find {shown(known)} at most; the best single attacker that it did not know ({name}) finds "
            f"{shown(best['after'])}; one adversary who combines everything that any of them sees finds "
            f"{shown(worst(row))}, and {shown(row['matched'])} where guesses must all differ."
        )
        if rounds is not None:
            said[-1] += (
                f" After rounds ({percent(rounds['masked']['rate'])} of the words) that adversary "
                f"finds {shown(worst(rounds))}, and {shown(rounds['matched'])}."
            )
        trained = load_rows(f"adversary_{corpus}_models").get("adaptive k=100")
        if trained is not None:
            said[-1] += (
                " With neural attackers beside him that somebody trained on originals of 2,000 other people, he finds "
                f"{shown(worst(trained))}, and {shown(trained['matched'])}: an audit without such attackers is too kind."
            )
    return said or ["Not measured."]


def strength_table() -> list[str]:
    """Reidentifiers alone: top 1 and top 10 by what is hidden; several seeds as lowest to highest."""
    rows = load_rows("strength")
    regimes = ("0 %", "20 %", "50 %", "80 %", "lexical")
    lines = ["| | " + " | ".join(f"{r} hidden" if r != "lexical" else "redacted" for r in regimes) + " | taught in |",
             "|---|" + "---:|" * (len(regimes) + 1)]  # fmt: skip
    for name in dict.fromkeys(name.rpartition(" seed ")[0] for name in rows):
        seeds = [row for full, row in rows.items() if full.startswith(f"{name} seed ")]
        cells = []
        for regime in regimes:
            found = [sorted(row[regime][top]["rate"] for row in seeds) for top in ("top1", "top10")]
            cells.append(" / ".join(_range(values) for values in found))
        taught = f"{max(r['fit_cpu_s'] for r in seeds):.0f} s" if all("fit_cpu_s" in r for r in seeds) else "–"
        lines.append(f"| {name.replace('.v1', '')} | " + " | ".join(cells) + f" | {taught} |")
    return lines


def _range(values: list[float]) -> str:
    low, high = f"{100 * values[0]:.1f}", f"{100 * values[-1]:.1f}"
    return low if low == high else f"{low}–{high}"


def speed_table() -> list[str]:
    """Masking stage, whole command, plain version, and bm25s."""
    rows = load_rows("speed")
    lines = ["| congress, both members, k = 10 | documents | seconds | documents a second |", "|---|---:|---:|---:|"]
    for name, row in rows.get("masking", {}).items():
        lines.append(f"| masking: {name} | {row['documents']} | {row['seconds']} | {row['documents_per_second']} |")
    for name, row in rows.get("command", {}).items():
        many = len(row["all_seconds"])
        runs = f"median of {many}" if many > 1 else "one run"
        memory = f", {runs}, at most {row['peak_bytes'] / 2**20:.0f} MiB in all processes"
        lines.append(
            f"| whole command: {COMMANDS.get(name, name)}{memory} | {row['documents']} | {row['seconds']} | "
            f"{row['documents_per_second']} |"
        )
    for name, row in rows.get("default", {}).items():
        lines.append(
            f"| whole command on a fictional town: {name.partition(',')[0]} | {row['documents']} | {row['seconds']} | "
            f"{row['documents'] / row['seconds']:.1f} |"
        )
    for name, row in rows.get("neural", {}).items():
        readings = f", {row['readings_per_document']} readings a document" if row["readings_per_document"] else ""
        lines.append(
            f"| masking of `authors`, {name}{readings} | {row['documents']} | {row['seconds']} | "
            f"{row['documents_per_second']} |"
        )
    if "plain" in rows:
        row = rows["plain"]
        lines += [
            "",
            f"The search is {row['times_faster']['plain']} times as fast as a plain version that scores every candidate's "
            f"whole text anew from postings, and {row['times_faster']['plain on our sums']} times as fast as that version "
            f"on our index's own sums; on {row['same_masks']['plain']} of {row['documents']} documents all masks are the "
            "same (one process, one run; `python -m benchmarks.speed`).",
        ]
    ratios = [f"{row['ratio']:.2f} on {name}" for name, row in load_rows("retrieval").items()]
    if ratios:
        lines += ["", "BM25 as an attack against bm25s's own retrieval, the same queries in one run, ours over theirs: "
                  + ", ".join(ratios) + " (`python -m benchmarks.retrieval`)."]  # fmt: skip
    return lines


def scale_table() -> list[str]:
    """Fictional populations of growing size."""
    rows = load_rows("scale")
    lines = [
        "| people | index built in | bytes a profile (BM25, n-grams) | time a document (mean, median) | words hidden | "
        "crowds recounted, different | peak memory |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for row in sorted((r for n, r in rows.items() if n != "exponents"), key=lambda row: row["people"]):
        sizes, times = row["bytes_per_profile"], row["ms_per_document"]
        lines.append(
            f"| {row['people']:,} | {row['build_s']} s | {sizes['bm25.v1']:.0f}, {sizes['ngrams.v1']:.0f} | "
            f"{times['mean']:.1f} ms, {times['median']:.1f} ms | {percent(row['masked'])} | "
            f"{row['crowds_recounted']}, {row['crowds_different']} | {row['peak_bytes'] / 2**30:.1f} GiB |"
        )
    grown = ", ".join(f"{name} {value}" for name, value in rows.get("exponents", {}).items())
    return [*lines, "", f"Exponents of growth, smallest to largest: {grown}."] if grown else lines


def options_table() -> list[str]:
    """One line for what each option did."""
    rows = load_rows("options")
    lines = ["| option | corpus | what it did |", "|---|---|---|"]
    for name, row in rows.items():
        option, _, corpus = name.partition(": ")
        lines.append(f"| {option} | {corpus} | {'; '.join(_said(option, row))} |")
    return lines


def _said(option: str, row: dict[str, Any]) -> list[str]:
    """The effects of one option, in a few words each."""
    if option == "inputs":
        return [
            f"{name}: {r['documents']} documents, release {r['release'][:8]}{_beside(r)}" for name, r in row.items()
        ]
    if option == "keep":
        lost, all_ = row["if the search had not counted it"]["below_k"], row["without"]["documents"]
        return [
            f"words hidden {percent(row['without']['masked'])} without, {percent(row['with']['masked'])} with the column",
            f"{sum(row['with']['withheld'].values())} documents withheld",
            f"had the search not counted it, {lost['with']} of {all_} documents would have a crowd below k",
        ]
    if option == "protect":
        return [f"{name}: {percent(r['masked'])} of words{_mentions(r)}" for name, r in row.items()]
    if option == "from-documents":
        return [f"{n}: {percent(r['masked'])} of words, {sum(r['withheld'].values())} withheld" for n, r in row.items()]
    if option == "attacker-people":
        sides = {name: row[name] for name in ("same people table", "with works and archives")}
        return [
            f"{name}: unused any {shown(r['any_unused'])}, used any {shown(r['any_used'])}" for name, r in sides.items()
        ]
    if option == "previous":
        return [_versions(name, r) for name, r in row.items()]
    if option == "sensitive and change":
        return [*map(_diverse, row["sensitive"] or ()), _changed(row["population_change"])]
    if option == "unknown-person":
        return [
            f"{n}: {sum(r['withheld'].values())} withheld, {r['not_measured']} not measured" for n, r in row.items()
        ]
    guess, (low, high) = row["estimate"], map(percent, row["estimate"]["masked_ci"])
    return [
        f"words to hide {percent(guess['masked'])} ({low} to {high}) from {guess['sampled']} documents",
        f"then {percent(row['run']['masked'])} in the run",
    ]


def _beside(row: dict[str, Any]) -> str:
    bad = f", {row['bad_records']} bad records" if row["bad_records"] else ""
    return bad + (f", {row['not_measured']} not measured" if row["not_measured"] else "")


def _mentions(row: dict[str, Any]) -> str:
    if not row["mentions"]:
        return ""
    documents, smallest = row["documents_with_mentions"], row["smallest_crowd"]
    return f", {row['mentions']} mentions in {documents} documents, smallest crowd {smallest}"


def _versions(name: str, row: dict[str, Any]) -> str:
    alone, union = (shown(row["any_unused"][side]) for side in ("after", "union"))
    below = row["below_k"]
    return f"{name}: unused any {alone} alone, {union} together; crowds below k {below['alone']} and {below['union']}"


def _diverse(row: dict[str, Any]) -> str:
    one, median = row["one_value"]["count"], row["distinct_median"]
    return f"{row['field']}: one value in {one} of {row['documents']} crowds, {median:.0f} distinct in the median"


def _changed(row: dict[str, Any]) -> str:
    leaving = ", ".join(f"{percent(r['mean'])} when {percent(r['share'])} leave" for r in row["leaving"])
    return f"lose their crowd: {leaving}; {percent(row['word']['mean'])} when one more readable word is learned"


def filled(text: str, blocks: dict[str, list[str]]) -> str:
    """A page with every block between its marks, indented as they are."""

    def block(found: re.Match[str]) -> str:
        indent, name = found["indent"], found["name"]
        if name not in blocks:
            return found[0]
        lines = "".join(f"{indent}{line}".rstrip() + "\n" for line in blocks[name])
        return f"{indent}<!-- begin {name} -->\n{lines}{indent}<!-- end {name} -->"

    return _MARKED.sub(block, text)


def seen_from(page: Path, blocks: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """The same blocks with links that lead from a page's own folder, not from the root of the repository."""

    def link(found: re.Match[str]) -> str:
        target = ROOT / found["path"]
        path = "" if target == page and found["anchor"] else os.path.relpath(target, page.parent)
        return f"]({path}{found['anchor'] or ''})"

    return {name: [_LINK.sub(link, line) for line in lines] for name, lines in blocks.items()}


def pages() -> list[Path]:
    """README and docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks() -> dict[str, list[str]]:
    """Every table and sentence by name."""
    made = {
        "finding": finding(), "strength": strength_table(), "headline": headline_table(), "pairs": pairs_table(),
        "usefulness": usefulness_table(), "paper": paper_table(), "cost": cost_table(), "targets": targets_table(),
        "versions": versions_table(), "reading": reading_table(), "beside": beside_table(),
        "abroad": abroad_table(),
        "speed": speed_table(), "scale": scale_table(), "options": options_table(),
    }  # fmt: skip
    for corpus in CORPORA:
        made[f"methods-{corpus}"] = methods_table(corpus)
        made[f"transfer-{corpus}"] = transfer_table(corpus)
    made |= tagger_tables.blocks() | graph_tables.blocks() | sanitize_tables.blocks() | sharing_tables.blocks()
    made |= letters_tables.blocks() | adversary_tables.blocks() | one_number.blocks()
    made |= stand_ins.blocks() | parrot.blocks() | estimates.blocks()
    return made | world_tables.blocks() | no_table_tables.blocks() | claims.blocks() | sharing_claims.blocks()


def main() -> None:
    """Fill every page, and draw the figures."""
    made = blocks()
    sanitize_tables.draw()
    sharing_tables.draw()
    for path in pages():
        text = path.read_text(encoding="utf-8")
        path.write_text(filled(text, seen_from(path, made)), encoding="utf-8")
    say("filled", ", ".join(made))


if __name__ == "__main__":
    main()
