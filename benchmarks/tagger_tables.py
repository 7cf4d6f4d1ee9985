"""The tables of taggers: how well, on what else, in disguise, how fast, and as the mandatory mask under the search."""

from typing import Any

from benchmarks.results import load_rows, shown, worst
from unname.statistics import percent

KINDS = ("rules", "crf", "svm", "ensemble", "lstm-crf", "transformer", "vote")
PLAIN = {"crf": "CRF", "svm": "SVM", "ensemble": "Ensemble", "lstm-crf": "LSTM-CRF", "transformer": "Transformer"}
FEWEST = 20


def blocks() -> dict[str, list[str]]:
    """Every table by name, for those that have been measured."""
    made = {
        "taggers": taggers(), "tagger-types": types(), "tagger-corpora": elsewhere(), "evasion": evasion(),
        "tagger-speed": speed(), "composed": composed(),
    }  # fmt: skip
    return {name: rows for name, rows in made.items() if len(rows) > 2} | {"floor": floor()}


def share(found: dict[str, Any] | None, *, interval: bool = True) -> str:
    """A share with its interval, of one."""
    if not found:
        return "–"
    low, high = found["ci"]
    return f"{found['value']:.4f} ({low:.3f}–{high:.3f})" if interval else f"{found['value']:.3f}"


def said(kind: str) -> str:
    """The name of a kind of tagger, or of a vote of several."""
    if kind.startswith("vote "):
        return "any of " + ", ".join(PLAIN.get(one, one) for one in kind.split()[1:])
    name, _, seed = kind.partition(" seed ")
    return PLAIN.get(name, name) + (f", seed {seed}" if seed else "")


def kinds_of(corpus: str) -> dict[str, Any]:
    """Rows of one corpus by kind."""
    found = {k.removeprefix(f"{corpus} "): row for k, row in load_rows("tagging").items() if k.startswith(f"{corpus} ")}
    return dict(sorted(found.items(), key=lambda item: (KINDS.index(item[0].split()[0]), item[0])))


def taggers() -> list[str]:
    """MEDDOCAN: binary tokens and spans."""
    lines = [
        "| | token F1 | token recall | span F1 | precision | recall | learning, CPU s | words/CPU s |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for kind, row in kinds_of("meddocan").items():
        spans = row.get("spans") or {}
        lines.append(
            f"| {said(kind)} | {share(row['tokens']['f1'])} | {share(row['tokens']['recall'], interval=False)} | "
            f"{share(spans.get('f1'))} | {share(spans.get('precision'), interval=False)} | "
            f"{share(spans.get('recall'), interval=False)} | {row['training_cpu_s'] or '–'} | {row['words_per_cpu_s']:,} |"
        )
    return lines


def types() -> list[str]:
    """MEDDOCAN: span F1 by type, of types with at least 20 spans."""
    rows = {kind: row for kind, row in kinds_of("meddocan").items() if "by type" in row}
    lines = ["| type | spans | " + " | ".join(map(said, rows)) + " |", "|---|---:|" + "---:|" * len(rows)]
    counts = {label: t["gold"] for row in rows.values() for label, t in row["by type"].items()}
    for label in sorted(counts, key=lambda label: (-counts[label], label)):
        if counts[label] >= FEWEST:
            found = [share(row["by type"].get(label, {}).get("f1"), interval=False) for row in rows.values()]
            lines.append(f"| `{label}` | {counts[label]} | " + " | ".join(found) + " |")
    return lines


def elsewhere() -> list[str]:
    """Other corpora, by folds, and learned on one, asked on another."""
    lines = ["| learned and asked | tagger | token F1 | span F1 |", "|---|---|---:|---:|"]
    for name, row in load_rows("tagging").items():
        if not name.startswith("meddocan"):
            corpus, kind = next((name[: -len(k) - 1], k) for k in KINDS if name.endswith(f" {k}"))
            said_of = corpus.removeprefix("cross ") if corpus.startswith("cross") else f"{corpus}, five folds"
            spans = share(row["spans"]["f1"]) if "spans" in row else "–"
            lines.append(f"| {said_of} | {said(kind)} | {share(row['tokens']['f1'])} | {spans} |")
    return lines


def evasion() -> list[str]:
    """Recall on disguised identifiers of those that are covered in clean text."""
    rows = load_rows("evasion")
    lines = ["| trick | " + " | ".join(rows) + " |", "|---|" + "---:|" * len(rows)]
    tricks = dict.fromkeys(trick for row in rows.values() for trick in row if trick != "clean")
    clean = [f"{row['clean']['covered']} of {row['clean']['identifiers']}" for row in rows.values()]
    lines.append("| *covered in clean text* | " + " | ".join(clean) + " |")
    for trick in tricks:
        shares = [row.get(trick, {}).get("recall") for row in rows.values()]
        found = ["–" if share is None else f"{share:.3f}" for share in shares]
        lines.append(f"| {trick} | " + " | ".join(found) + " |")
    return lines


def speed() -> list[str]:
    """Megabytes and words a second."""
    lines = [
        "| tagger, corpus | MB/s | words/s | MB/s, two processes | words/s, two processes | MB/processor s |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, row in load_rows("tagging_speed").items():
        pairs = (row, row.get("two_processes") or {})
        found = [part.get(key) for part in pairs for key in ("mb_per_second", "words_per_second")]
        found.append(row.get("mb_per_processor_second"))
        lines.append(f"| {name} | " + " | ".join("–" if f is None else f"{f:,}" for f in found) + " |")
    return lines


def floor() -> list[str]:
    """The purpose of the mandatory mask, in a few sentences."""
    rows = load_rows("composed")
    if not {"greedy k=10", "composed direct k=10", "human"} <= set(rows):
        return []
    greedy, ours, human = rows["greedy k=10"], rows["composed direct k=10"], rows["human"]
    documents = greedy["documents"]
    return [
        f"On {documents} court cases, the search alone (k = 10, {percent(greedy['masked']['rate'])} of the words hidden) "
        f"leaves something readable in {percent(greedy['tab']['leak']['direct'])} of the entities that annotators call "
        f"direct identifiers, and the strongest adversary finds {shown(worst(greedy))} of the people. With a mandatory "
        f"mask from rules and a tagger trained on other cases, {percent(ours['tab']['leak']['direct'])} stay readable and "
        f"{shown(worst(ours))} are found, for {percent(ours['masked']['rate'])} of the words. Careful human "
        f"masks hide {percent(human['masked']['rate'])} of the words, and {shown(worst(human))} are found."
    ]


def composed() -> list[str]:
    """`tab`: the mandatory mask and the search."""
    lines = [
        "| | words hidden | direct entities readable | quasi readable | strongest adversary | crowd sizes alone |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, row in load_rows("composed").items():
        leak, sizes = row["tab"]["leak"], row.get("crowd_sizes")
        lines.append(
            f"| {name} | {percent(row['masked']['rate'])} | {percent(leak['direct'])} | {percent(leak['quasi'])} | "
            f"{shown(worst(row))} | {shown(sizes) if sizes else '–'} |"
        )
    return lines
