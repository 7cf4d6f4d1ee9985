"""Sentences with figures on sharing what taggers learn from (`benchmarks.sharing`)."""

from collections.abc import Sequence
from statistics import mean
from typing import Any

from benchmarks.claims import between, spelt
from benchmarks.results import load_rows
from unname.sharing.card import MEMBERSHIP

RUN = "the paper's three parts with balanced pairs and our loss"


def blocks() -> dict[str, list[str]]:
    """Every sentence by name."""
    made = {
        "sharing-short": short, "sharing-learned": learned, "sharing-pseudonyms": pseudonyms, "sharing-decoders": decoders,
        "sharing-hospitals": hospitals, "sharing-refused": refused, "sharing-pairs": pairs, "sharing-time": time,
    }  # fmt: skip
    rows = load_rows("sharing")
    return {name: [sentence(rows)] for name, sentence in made.items()}


def points(row: dict[str, Any], which: str = "tokens") -> float:
    """Token F1 in per cent."""
    return float(100 * row[which]["f1"]["value"])


def of_raw_text(rows: dict[str, Any]) -> list[float]:
    """Token F1 of taggers of raw text, by seed."""
    return [points(row) for name, row in rows.items() if name.startswith("raw ")]


def right(row: dict[str, Any], which: str = "fresh") -> str:
    """The share of pairs in which an adversary is right."""
    return f"{100 * row[which]['right']:.1f} %"


def attacked(rows: dict[str, Any], name: str, way: str = "as shared, seen by an insider") -> dict[str, dict[str, Any]]:
    """The results of each attack on a kept representer, by its name."""
    return {one["name"]: one for one in rows[f"attacks {name}"]["ways"][way]}


def more(attack: dict[str, Any]) -> str:
    """The points by which an attack finds more than a guess."""
    return f"{100 * (attack['found'] - attack['blind']):.1f}"


def each(values: Sequence[float]) -> str:
    """Figures that belong together, in per cent."""
    return " and ".join(f"{100 * value:.1f}" for value in values)


def short(rows: dict[str, Any]) -> str:
    """The README's summary."""
    once, sites = rows["longer narrow 50 5 0"]["tokens of sentences shared once"], rows["sites"]
    found = attacked(rows, "narrow 50 5 0")
    return (
        "On 250 held-out Spanish cases a tagger taught by such vectors finds nearly as many identifiers as one taught "
        f"by the texts (token F1 {100 * once['f1']['value']:.1f} against {mean(of_raw_text(rows)):.1f} %, or "
        f"{points(rows['doubled 0']):.1f} % where that one learns longer). There the representer had learned from the "
        f"same 500 cases. With a public corpus of {sites['documents']['public']} cases, the vectors of three hospitals "
        f"taught less ({points(sites['representations pooled, N = 5, the price rises']):.1f} %) than that corpus alone "
        f"({points(sites['public alone']):.1f} %): compare before you rely on them. Who knows 1,000 of the words names "
        f"{more(found['alignment, 1000 known'])} points more of the others than he would guess without vectors; who "
        f"holds the representer {more(found['trained decoder'])} points more, and he tells a sentence that was shared "
        f"from the same one with another name in {100 * found[MEMBERSHIP]['found']:.0f} % of pairs "
        "([results](docs/results/sharing.md))."
    )


def learned(rows: dict[str, Any]) -> str:
    """The F1 of taggers taught by representations, and the share of pairs in which adversaries are right."""
    raw, plain, five = of_raw_text(rows), rows["representation 50 100 0"], rows["narrow 50 5 0"]
    narrow = [row for name, row in rows.items() if name.startswith("narrow 50 100 ")]
    below = [mean(raw) - points(row) for row in narrow]
    wide, rising = ([rows[name] for name in names] for names in (
        ("narrow 100 100 0", "narrow 300 100 0"), ("rising 50 5 0", "rising 50 100 0")))  # fmt: skip
    once = [rows[f"longer narrow 50 {near} 0"] for near in (5, 100)]
    dann, ended = rows["dann 50 100 0"], 100 * rows["dann 50 100 0"]["history"][-1][4]
    return (
        f"Representers learned from the same cases as taggers here. Raw text teaches {mean(raw):.1f} % (the mean of "
        f"{spelt(len(raw))} seeds, {between(raw, '.1f')}). {RUN[0].upper()}{RUN[1:]} teach {points(plain):.1f} % and "
        f"hide next to nothing: a fresh adversary is right in {right(plain)} of pairs. Noise shrinks while the tagger "
        "learns, and does not come back. (The paper's own pairs and loss were not tried on a tagger.) With a reversed "
        f"gradient (DANN) the adversary of training ends at {ended:.0f} %, and a fresh one finds {right(dann)}. A "
        f"price on what vectors tell brings fresh adversaries down to "
        f"{between([100 * row['fresh']['right'] for row in narrow], '.1f')} % at N = 100 ({spelt(len(narrow))} seeds, "
        f"{between(below, '.1f')} points of F1 below raw text), and at N = 5, which is nearer to the paper's share of "
        f"the vocabulary (100 of 400,000 words), to {right(five)}, {mean(raw) - points(five):.1f} points of F1 below "
        f"raw text; the same adversary without noise is right in {right(five, 'without_noise')}. The more neighbours, "
        f"the more adversaries find: {right(rows['narrow 50 500 0'])} at N = 500. Wider vectors teach more and hide a "
        f"little less: F1 {' and '.join(f'{points(row):.1f}' for row in wide)} % with d = 100 and 300, and adversaries "
        f"right in {' and '.join(map(right, wide))}. Where the price rises from nothing, vectors teach "
        f"{' and '.join(f'{points(row):.1f}' for row in rising)} % at N = 5 and 100, and fresh adversaries are right "
        f"in {' and '.join(map(right, rising))}. Where each sentence is shared once, as commands do it, they find "
        f"less, though they learn while they get better: {' and '.join(right(row, 'patient') for row in once)} at N = "
        "5 and 100."
    )


def pseudonyms(rows: dict[str, Any]) -> str:
    """The cost of pseudonyms to a tagger, and the benefit of reading twice."""
    raw = mean(of_raw_text(rows))
    few = [
        raw - points(row)
        for name, row in rows.items()
        if name.startswith(("pseudonymised 5 ", "pseudonymised 20 ", "pseudonymised 100 "))
    ]
    twice = points(rows["doubled narrow 50 5 0"], "tokens of lessons twice")
    return (
        f"**Pseudonyms** cost {between(few, '.1f')} points of F1 up to N = 100, and "
        f"{raw - points(rows['pseudonymised 500 0']):.1f} at N = 500 (the paper's variant "
        f"{raw - points(rows['published 100 0']):.1f} at N = 100). *Beside* the originals they teach "
        f"{points(rows['augmented 100 0']):.1f} %, but the originals read twice as often teach "
        f"{points(rows['doubled 0']):.1f} %, too, so nothing is gained by them. Vectors read twice as often (N = 5) "
        f"teach {twice:.1f} %, and once {points(rows['narrow 50 5 0']):.1f} %, so from a tagger of text that learns "
        f"longer they are {points(rows['doubled 0']) - twice:.1f} points away (one seed each)."
    )


def decoders(rows: dict[str, Any]) -> str:
    """The words of identifiers that attacks name."""
    plain = attacked(rows, "representation 50 100 0")
    priced = [attacked(rows, f"narrow 50 {near} 0") for near in (100, 5)]
    loud = [attacked(rows, f"narrow 50 {near} 0", "without noise, seen by an insider") for near in (100, 5)]
    knows, taught = "alignment, 1000 known", "trained decoder"
    words, members, equal = (plain[name]["cases"] for name in (knows, MEMBERSHIP, "equality"))
    return (
        "**What decoders get out of it**: words of identifiers (with letters) that each attack names, of sentences of "
        f"dev that the representer never saw (n = {words:,} words; of membership {members:,} sentences, of equality "
        f"{equal:,} pairs). "
        '"Without vectors" guesses from casing and label, which are in clear; "language alone" has bigrams as well. '
        "From what "
        f"{RUN} share (N = 100), who knows 1,000 tokens names {each([plain[knows]['found']])} % of the words, and an "
        f"insider who teaches a decoder {each([plain[taught]['found']])} %. Where each nat costs .005, who knows 1,000 "
        f"tokens names {each([one[knows]['found'] for one in priced])} % at N = 100 and 5, and guessing names "
        f"{each([plain[knows]['blind']])} %: {' and '.join(more(one[knows]) for one in priced)} points more, at most "
        f"{each([one[knows]['most'] for one in priced])} (upper limits at 95 %, over cases). With a language model it "
        f"is {each([one[f'{knows}, language']['found'] for one in priced])} %, and that model alone names "
        f"{each([plain['language alone']['found']])} %. An insider gets more: his decoder names "
        f"{each([one[taught]['found'] for one in priced])} %, and he tells a sentence that was shared from the same "
        f"one with another name in {each([one[MEMBERSHIP]['found'] for one in priced])} % of pairs. It is noise that "
        f"does this, for without it decoders name {each([one[taught]['found'] for one in loud])} %. The rotation hides "
        "nothing from him."
    )


def hospitals(rows: dict[str, Any]) -> str:
    """Three hospitals and a public corpus."""
    sites = rows["sites"]
    return (
        f"**Three hospitals** of {sites['documents']['sites'][0]} cases each, from different journals, and a public "
        f"corpus of {sites['documents']['public']} that the representer is learned from; asked on dev. Where the price "
        "is asked from the start of so small a public corpus, vectors of all three teach no more than the cases of "
        "one. A second way changes four things at once (the price rises from nothing, N = 5, less noise, more epochs): "
        f"{points(sites['representations pooled, N = 5, the price rises']):.1f} %, more than federated averaging "
        f"(McMahan 2017) with {points(sites['federated averaging']):.1f} % and than any hospital alone, though the "
        f"interval of the best one overlaps, and less than raw texts put together ({points(sites['raw pool']):.1f} %). "
        f"*But the public corpus alone teaches more* ({points(sites['public alone']):.1f} %) than these vectors with "
        "it or without it, and federated averaging that has it as a fourth site does as well as they do. Vectors may "
        "pay where public texts are unlike those of hospitals; that has not been measured."
    )


def refused(rows: dict[str, Any]) -> str:
    """The reasons for which a representer may be refused."""
    once = [rows[f"longer narrow 50 {near} 0"] for near in (5, 100)]
    return (
        f"**You may be refused.** On MEDDOCAN {RUN} hide hardly anything: a fresh adversary is right in "
        f"{right(rows['representation 50 100 0'])} of pairs (N = 100). With the default price one that learns while it gets "
        f"better is right in {' and '.join(right(row, 'patient') for row in once)} of pairs at N = 5 and 100, of sentences "
        "that are shared once ([results](docs/results/sharing.md))."
    )


def pairs(rows: dict[str, Any]) -> str:
    """The flaw that gives away the paper's pairs."""
    return (
        "By the changed sentence alone, whatever a representation hides, an adversary is right in "
        f"{right(rows['blind'], 'as in the paper')} of the paper's pairs, so no training can push it to chance, and in "
        f"{right(rows['blind'], 'balanced')} of balanced ones."
    )


def time(rows: dict[str, Any]) -> str:
    """The time that learning and attacking take."""
    narrow = [row for name, row in rows.items() if name.startswith("narrow 50 ")]
    learning, attacking, teaching = (
        between([row[part] / 60 for row in narrow], ".0f")
        for part in ("training_cpu_s", "attack_cpu_s", "teaching_cpu_s")
    )
    return (
        f"**How long it takes.** From 450 clinical cases a representer learned for {learning} minutes on one core, and "
        f"pair adversaries of 50 and 20 epochs for {attacking} minutes; adversaries that learn while they get better, "
        f"as `train-representer` has them, take longer. A tagger learned from the vectors of all cases in {teaching} "
        "minutes."
    )
