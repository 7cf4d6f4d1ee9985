"""Sentences with figures: what README and docs say in prose of what was measured."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.results import load_rows, shown, worst
from unname.statistics import percent

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TABLES = {
    "congress": "biographies", "congress graph": "the same as a graph", "persons graph": "notable people",
    "google_re graph": "people of short texts", "authors": "authors of forum posts",
}  # fmt: skip


def blocks() -> dict[str, list[str]]:
    """Every sentence by name."""
    made = {
        "command-speed": command_speed, "algorithm1": algorithm1, "paper-rows": paper_rows, "presence": presence,
        "additive-time": additive_time, "meaning-time": meaning_time, "outside-models": outside_models,
        "anonymity-leads": anonymity_leads, "language-model-time": language_model_time, "fieldnames": fieldnames,
        "leaning": leaning, "teachers": teachers,
    }  # fmt: skip
    return {name: sentence() for name, sentence in made.items()}


def spelt(number: int) -> str:
    """A small number as a word."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def between(values: Sequence[float], shape: str) -> str:
    """The least and the largest value, or the one that both are."""
    low, high = (f"{value:{shape}}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def fractions(values: Sequence[float]) -> str:
    """One over the largest value to one over the least, as the tables show them."""
    return f"1/{max(values):.0f} to 1/{min(values):.0f}"


def command_speed() -> list[str]:
    """The whole command without the trained reidentifier, by who attacks."""
    rows = load_rows("speed")["command"]
    full, short = (rows[f"test part, {who}"] for who in ("full audit", "audit by the two members"))
    return [
        f"On {full['documents']:,} biographies the whole command with `--method greedy --reidentifiers bm25,ngrams` "
        f"took {full['seconds']:.0f} s on two cores ({full['documents_per_second']:.1f} documents a second), most of "
        f"it for the audit: {short['seconds']:.0f} s ({short['documents_per_second']:.0f} documents a second) where "
        "only these two attacked."
    ]


def falling(curve: Sequence[Mapping[str, Any]]) -> bool:
    """True if fewer are found at every larger crowd, so that a rate has only one place on the curve."""
    rates = [row["found"]["rate"] for row in curve]
    return all(later < earlier for earlier, later in zip(rates, rates[1:], strict=False))


def at_equal_rates(row: Mapping[str, Any]) -> list[float]:
    """Our words over the paper's where either finds as many, the paper's between its crowds by straight lines."""
    rates, words = ([point(one) for one in reversed(row["paper"])] for point in (_rate, lambda one: one["masked"]))
    ours = [one for one in row["ours"] if rates[0] <= _rate(one) <= rates[-1]]
    return [one["masked"] / float(np.interp(_rate(one), rates, words)) for one in ours]


def _rate(row: Mapping[str, Any]) -> float:
    return float(row["found"]["rate"])


def teachers() -> list[str]:
    """The people found by an attacker who has read about others, after the default and other maskings."""
    rows = load_rows("teachers_congress-dev")
    usual, small, former, chance = (
        rows[name] for name in ("default k=100", "default k=10", "before k=100", "random k=100")
    )

    def said(row: Mapping[str, Any]) -> str:
        return f"{shown(row['strongest'])} at {percent(row['masked']['rate'])} of the words"

    other = [said(row) for name, row in rows.items() if name.startswith("default k=100 key ")]
    keys = f" (under other keys, with which its models learn from other draws, {' and '.join(other)})" if other else ""
    line = (
        "Documents about *other* people decide how much an attacker finds. On the dev part of `congress` (a closed world of "
        f"{usual['people']:,} people) the strongest adversary who has read {usual['read']:,} such documents finds, at "
        f"k = 100, {said(usual)} hidden by rules and the search{keys}. After the former search, without statics, it was "
        f"{said(former)}, and with words hidden at random, as many as now, {shown(chance['strongest'])}. At k = 10 it is "
        f"{said(small)}"
    )
    if (rounds := rows.get("rounds k=10")) is not None:
        line += f", and {said(rounds)} where rounds follow (`--rounds 3`), which take many times as long"
    line += "."
    if comes := [rows[name] for name in ("shipped k=100", "shipped k=10") if name in rows]:
        line += (
            " As Unname comes, with the tagger and rare facts hidden, it is "
            f"{' and '.join(map(said, comes))} (k = 100{' and k = 10' if len(comes) > 1 else ''}): of biographies, which "
            "consist almost entirely of facts, that takes many more words."
        )
    beside = load_rows("teachers_congress-dev_models").get("default k=100")
    if beside is not None:
        alone = next(found for name, found in beside["attackers"].items() if "@model" in name)
        line += (
            f" With a small transformer beside him (MiniLM, taught by 4,000 of these documents) he finds "
            f"{shown(beside['strongest'])} at k = 100, and that alone {shown(alone)}."
        )
    if (every := rows.get("default k=100 all")) is not None:
        line += (
            f" Who has read the documents as well that taught the masking, {every['read']:,} in all, but lacks the key finds "
            f"{shown(every['strongest'])}."
        )
    if (known := rows.get("default k=100 known")) is not None:
        line += (
            f" Whoever takes the masking's own models from the private folder finds {shown(known['strongest'])}: few others "
            "lie in all of the crowds at once. Guard that folder; the key and the masks lie there, too."
        )
    if (authors := load_rows("teachers_authors")).keys() >= {"default k=100", "random k=100"}:
        one, other = (authors[f"{kind} k=100"] for kind in ("default", "random"))
        line += (
            " None of this protects texts without names, of which everything must be understood: of "
            f"{one['documents']} authors an adversary with a sentence encoder finds {said(one)}, and "
            f"{shown(other['strongest'])} where as many are hidden at random. Hide from such an encoder there "
            "(`--masking-encoder`), and audit with another (`--encoder`)."
        )
    return [f"{line} (`benchmarks.teachers`)"]


def algorithm1() -> list[str]:
    """Words and readings of our search beside Algorithm 1: at equal crowds, and where as many people are found."""
    rows = list(load_rows("paper").values())
    pairs = [(there, here) for row in rows for there, here in zip(row["paper"], row["ours"], strict=True)]
    words = [here["masked"] / there["masked"] for there, here in pairs]
    readings = [there["evaluations"] / here["evaluations"] for there, here in pairs]
    levels = [at["words"] for row in rows for at in row["levels"].values()]
    saved = [at["evaluations"] for row in rows for at in row["levels"].values()]
    said = (
        f"At the same *k* the search hid {between(words, '.2f')} times as many words as Algorithm 1 of the paper, with "
        f"{fractions(readings)} of its readings. But at the same *k* they do not leave equally many people to other "
        "attackers. At the smallest *k* of either that leaves no more than a given share of them, the search hid "
        f"{between(levels, '.2f')} times as many words, with {fractions(saved)} of its readings"
    )
    smooth = [row for row in rows if falling(row["paper"]) and falling(row["ours"])]
    if smooth:
        row = max(smooth, key=lambda row: int(row["documents"]))
        said += (
            f"; with straight lines between the crowds that were tried, on {row['documents']} documents, "
            f"{between(at_equal_rates(row), '.2f')} times as many words where equally many are found"
        )
    most = max(row["documents"] for row in rows)
    return [f"{said}. With no more than {most} documents that is no clear difference in words."]


def paper_rows() -> list[str]:
    """The attackers that Algorithm 1 hid from in the rows of `paper`."""
    hid: dict[tuple[str, ...], list[str]] = {}
    for corpus in ("congress-dev", "wikipedia553", "tab", "authors"):
        rows = load_rows(f"adversary_{corpus}")
        row = next(row for name, row in rows.items() if name.startswith("paper"))
        used = tuple(one["name"].partition(".")[0] for one in row["attackers"] if one["used"])
        hid.setdefault(used, []).append(corpus)
    said = "; ".join(
        f"{', '.join(f'`{name}`' for name in names)} on {', '.join(f'`{corpus}`' for corpus in corpora)}"
        for names, corpora in hid.items()
    )
    neural = {"biencoder", "meaning"} & {name for names in hid for name in names}
    rest = f"{' and '.join(sorted(neural))} among them" if neural else "not from a neural model as in the paper"
    return [
        f"In the rows named `paper`, Algorithm 1 hid from what `composed` hid from in its rows ({said}), {rest}. "
        "Against a bi-encoder it stands [elsewhere](docs/results/papers.md#algorithm-1-and-our-search)."
    ]


def presence() -> list[str]:
    """BM25 with and without repeated words."""
    rows = load_rows("presence")
    once, counted = (rows[f"bm25.v1 {how}"] for how in ("presence", "raw counts"))
    return [
        f"A word counts once, however often a document repeats it. On {once['n']:,} biographies BM25 then finds "
        f"{shown(once)} of the people. With raw counts, the names of states and months drown out those of people, and "
        f"it finds {shown(counted)} (`python -m benchmarks.presence`)."
    ]


def additive_time() -> list[str]:
    """The training time of `additive`."""
    rows = load_rows("strength")
    thin, rich = (
        [row["fit_cpu_s"] / 60 for name, row in rows.items() if name.startswith(f"additive.v1 {kind}")]
        for kind in ("thin", "rich")
    )
    return [
        f"From 11,668 documents it learned for {between(thin, '.1f')} minutes on one core where profiles were thin, "
        f"for {between(rich, '.1f')} where they were rich; it needs no GPU and no further libraries."
    ]


def meaning_time() -> list[str]:
    """Masking with a reidentifier that understands."""
    row = load_rows("speed")["neural"]["with meaning"]
    return [
        f"Masking the comments of {row['documents']} forum authors took {row['seconds'] / row['documents']:.1f} s a "
        f"document with two processes, for {row['readings_per_document']:.1f} readings of each."
    ]


def outside_models() -> list[str]:
    """The gain of the strongest adversary from neural attackers that somebody has trained."""
    name = "adaptive k=100"
    plain, trained = (load_rows(f"adversary_congress-dev{kind}")[name] for kind in ("", "_models"))
    models = sum("@model" in one["name"] for one in trained["attackers"])
    return [
        f"Train one if you can: with {spelt(models)} small ones beside it that had learned from 2,000 biographies of "
        f"other people, the strongest adversary found {shown(worst(trained))} after rounds at k = 100, and "
        f"{shown(worst(plain))} without them (`benchmarks.biencoder`, then `benchmarks.adversary congress-dev "
        "--model`)."
    ]


def anonymity_leads() -> list[str]:
    """k-anonymity over a graph beside the default on Wikipedia leads."""
    rows = load_rows("adversary_wikipedia553")
    graph, usual = rows["anonymity k=100"], rows["adaptive k=100"]
    return [
        f"On Wikipedia leads (k = 100) it hid {percent(graph['masked']['rate'])} of the words and the strongest "
        f"adversary found {shown(worst(graph))} of the people; masking in rounds hid {percent(usual['masked']['rate'])} and "
        f"left {shown(worst(usual))} ([figures](docs/results/who-is-found.md#leads-against-articles-wikipedia553))."
    ]


def language_model_time() -> list[str]:
    """The time that a small language model takes for a document."""
    seconds = [row["seconds_a_document"] for row in load_rows("language_model_authors").values()]
    return [f"A model of 135 million weights took {between(seconds, '.0f')} s a document on a machine with two cores."]


def fieldnames() -> list[str]:
    """Direct fields found by name, and by value in real tables."""
    rows = load_rows("fieldnames")
    names = rows["names"]
    missed, wrong = len(names["missed"]), len(names["wrong"])
    lines = [
        f"`python -m benchmarks.fieldnames`: of {names['direct']} names of direct fields in seven languages "
        f"{names['direct'] - missed} are recognised, a recall of {shown(names['recall'])}; of {names['others']} other "
        f"names {wrong} are taken for one, a precision of {shown(names['precision'])}. The lists are in the script. "
        "They were written together with the recogniser, so expect slightly lower rates for names that nobody thought "
        "of. By values alone, on five real tables:",
        "",
        "| table | direct fields found by value | missed | wrong |",
        "|---|---|---|---|",
    ]
    for name, row in rows["by_values_alone"].items():
        cells = [", ".join(row[part]) or "–" for part in ("found", "missed", "wrong")]
        lines.append(f"| {_TABLES.get(name, name)} ({row['fields']} fields) | {' | '.join(cells)} |")
    return lines


def leaning() -> list[str]:
    """The leaks that leaning prevents on court cases."""
    rows = load_rows("labels")
    left = [
        rows[f"tab crf+svm in folds, {how}, with rules (supervised)"]["quasi leak"] for how in ("leaning", "lean 1")
    ]
    return [
        "Where a leak is worse than a lost word, use a CRF and an SVM, each leaning a little, beside the rules: on "
        f"court cases that leaves something readable in {percent(left[0])} of the quasi-identifiers, and in "
        f"{percent(left[1])} without leaning ([labels](docs/results/papers.md#labels-without-annotators)). Choose how far on "
        "annotated documents that the tagger did not learn from."
    ]
