"""Names, dates, phones and ids as thirty-odd languages write them: how much of each kind is masked, and how much else.

    python -m benchmarks.world [--before CHECKOUT] [--languages de,pl] [--show]

The forms are in benchmarks/languages, written by hand, with check digits of benchmarks/checkdigits.py; none comes from a
library that recognises them. The people of all languages stand in one table and are masked as a user does it (`unname
deidentify --method none`: the mandatory mask alone), a document for each form; `unname tag --tagger rules` reads dates,
phones and ids of nobody known. A form counts as found if no distinguishing word of it can be read in the release, and as
withheld if the document is. Precision is the share of masked words that belong to a form; sentences with tempting words and
nothing to hide give false positives. `inflected` are also joined prepositions, shortened and pet names; `transliterated`
are also lost or added accents, other letters of the same script, and capitals. The row is `after`, or `before` for another
checkout of the package; `--show` prints what was missed.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regex

from benchmarks.results import load_rows, save, say
from benchmarks.worldforms import KINDS, Form, Language, languages, table
from unname.scoring.scores import share
from unname.statistics import rate
from unname.text import MASK_TOKEN

OPEN_KINDS = ("date", "phone", "id")
ROOT = Path(__file__).parents[1]
# A word; two characters count as one in scripts that leave no blanks between words.
_WORD = regex.compile(
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}]{1,2}"
    r"|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Thai}])[\p{L}\p{N}\p{M}\u200c\u200d'’])+"
)
Hidden = set[int]


@dataclass
class Count:
    """A count of outcomes: forms of one kind, and the words around them."""

    of: int = 0
    found: int = 0
    withheld: int = 0
    masked_words: int = 0
    false_words: int = 0
    words: int = 0

    def add(self, form: Form, hidden: Hidden | None) -> None:
        """Count one form."""
        self.of += 1
        if hidden is None:
            self.withheld += 1
            return
        words = word_counts(form, hidden)
        self.masked_words, self.false_words, self.words = (
            was + more for was, more in zip((self.masked_words, self.false_words, self.words), words, strict=True)
        )
        self.found += is_gone(form, hidden)

    def as_dict(self) -> dict[str, Any]:
        """The counts, with recall and precision."""
        right = self.masked_words - self.false_words
        return {
            "found": self.found, "of": self.of, "withheld": self.withheld, "masked words": self.masked_words,
            "false words": self.false_words, "words": self.words, "recall": _share(self.found, self.of),
            "precision": _share(right, self.masked_words),
        }  # fmt: skip


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def is_gone(form: Form, hidden: Hidden) -> bool:
    """True if no letter or digit of the form can be read; "de" inside a date may stay, and "d'" before a name."""
    for start, end in form.places:
        for word in regex.finditer(r"\p{N}+|[\p{L}\p{M}]+", shown := form.text[start:end]):
            small = word[0].isalpha() and len(word[0]) <= 2 and form.kind == "date"
            small |= len(word[0]) == 1 and shown[word.end() : word.end() + 1] in ("'", "’")
            if not small and not hidden.issuperset(range(start + word.start(), start + word.end())):
                return False
    return True


def word_counts(form: Form, hidden: Hidden) -> tuple[int, int, int]:
    """Words that are masked, those of them that belong to no form, and all words."""
    inside = {at for start, end in (*form.places, *form.optional) for at in range(start, end)}
    masked = false = every = 0
    for word in _WORD.finditer(form.text):
        every += 1
        at = range(*word.span())
        if not hidden.isdisjoint(at):
            masked += 1
            of_form = form.kind == "phone" and word[0].isdigit()  # a country code need not go, and may
            false += not of_form and inside.isdisjoint(at)
    return masked, false, every


def hidden_in(original: str, released: str) -> Hidden | None:
    """The characters of the original that a release hides; None if it is not the original with holes."""
    parts = released.split(MASK_TOKEN)
    found = regex.fullmatch("(.+?)".join(map(regex.escape, parts)), original, regex.DOTALL)
    if found is None:
        return None
    return {at for group in range(1, len(parts)) for at in range(*found.span(group))}


def run(package: Path, folder: Path, *arguments: str) -> tuple[int, str]:
    """One command of the package of a checkout."""
    done = subprocess.run(
        [sys.executable, "-m", "unname", *arguments], cwd=folder, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(package)},
    )  # fmt: skip
    return done.returncode, done.stderr[-400:]


def write_lines(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The rows of such a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def document_id(number: int) -> str:
    """An id in letters: one in digits could be somebody's year of birth."""
    return "doc-" + "".join("bcdfghjklm"[int(digit)] for digit in f"{number:04d}")


def masked(package: Path, every: Sequence[Language], forms: Sequence[Form]) -> list[Hidden | None]:
    """The characters that the mandatory mask hides of each form's text; None for a withheld one.

    Where one document of a person is withheld all of theirs are. So each run has one document a person, and there are as many
    runs as the person with the most forms needs.
    """
    turns: dict[str, int] = {}
    rounds: list[list[int]] = []
    for number, form in enumerate(forms):
        turn = turns[form.person] = turns.get(form.person, -1) + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append(number)
    released: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_lines(folder / "people.jsonl", table(every))
        for numbers in rounds:
            documents = [{"id": document_id(n), "text": forms[n].text, "person": forms[n].person} for n in numbers]
            write_lines(folder / "d.jsonl", documents)
            released |= _released(package, folder)
    return [_hidden(form, released.get(document_id(number))) for number, form in enumerate(forms)]


def _released(package: Path, folder: Path) -> dict[str, str]:
    """Texts by id that one run releases."""
    code, error = run(
        package, folder, "deidentify", "d.jsonl", "--people", "people.jsonl", "--out", "r", "--replace", "--method", "none",
        "--k", "5", "--ids", "keep", "--audit", "none", "--duplicates", "keep", "--accept-risk", "here", "--workers", "1",
    )  # fmt: skip
    if code not in (0, 3):
        raise SystemExit(f"deidentify ended with {code}: {error}")
    return {row["id"]: row["text"] for row in read_lines(folder / "r" / "documents.jsonl")}


def _hidden(form: Form, text: str | None) -> Hidden | None:
    """The characters that a release hides of a form's text."""
    hidden = None if text is None else hidden_in(form.text, text)
    if text is not None and hidden is None:
        raise SystemExit(f"a release is not its original with holes: {form.marked()} became {text}")
    return hidden


def tagged(package: Path, forms: Sequence[Form]) -> list[Hidden | None]:
    """The characters that the rules mark in each form's text, under whatever label."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_lines(folder / "d.jsonl", [{"id": document_id(n), "text": form.text} for n, form in enumerate(forms)])
        code, error = run(package, folder, "tag", "d.jsonl", "--tagger", "rules", "--out", "o.jsonl")
        if code:
            raise SystemExit(f"tag ended with {code}: {error}")
        spans = {row["id"]: row["spans"] for row in read_lines(folder / "o.jsonl")}
    places = [spans.get(document_id(n), []) for n in range(len(forms))]
    return [{at for span in each for at in range(span["start"], span["end"])} for each in places]


Results = dict[Form, Hidden | None]


def counted(kinds: Sequence[str], forms: Sequence[Form], results: Results) -> dict[str, Any]:
    """Counts by kind."""
    counts = {kind: Count() for kind in kinds}
    for form in forms:
        counts[form.kind].add(form, results[form])
    return {kind: count.as_dict() for kind, count in counts.items()}


def tempted(forms: Sequence[Form], results: Results) -> dict[str, Any]:
    """Words masked in sentences that have nothing to hide."""
    words = [word_counts(form, results[form] or set()) for form in forms]
    return {"sentences": len(forms), "withheld": sum(results[form] is None for form in forms),
            "words": sum(every for _, _, every in words), "false words": sum(masked for masked, _, _ in words)}  # fmt: skip


def open_forms(language: Language) -> list[Form]:
    """The forms that the rules are to find without a table of people."""
    return [*(form for form in language.forms if form.kind in OPEN_KINDS), *language.others]


def measured(package: Path, every: Sequence[Language]) -> tuple[dict[str, Any], dict[str, Results]]:
    """The row of each language, and what is hidden of each form, of people of the table and of nobody known."""
    known = [form for language in every for form in (*language.forms, *language.tempting)]
    unknown = [form for language in every for form in (*open_forms(language), *language.tempting)]
    table_results = dict(zip(known, masked(package, every, known), strict=True))
    open_results = dict(zip(unknown, tagged(package, unknown), strict=True))
    rows = {
        language.code: {
            "language": language.name,
            "table": counted(KINDS, language.forms, table_results),
            "nobody": counted(OPEN_KINDS, open_forms(language), open_results),
            "tempting": {"table": tempted(language.tempting, table_results),
                         "nobody": tempted(language.tempting, open_results)},
        }
        for language in every
    }  # fmt: skip
    return rows, {"table": table_results, "nobody": open_results}


def totals(rows: Mapping[str, Any], results: Mapping[str, Results]) -> dict[str, Any]:
    """Recall over all languages by kind, with intervals by person, and precision."""
    found: dict[str, Any] = {}
    for mode, kinds in (("table", KINDS), ("nobody", OPEN_KINDS)):
        found[mode] = {}
        for kind in kinds:
            some = [(form, hidden) for form, hidden in results[mode].items() if form.kind == kind]
            gone = [float(hidden is not None and is_gone(form, hidden)) for form, hidden in some]
            sums = {
                name: sum(row[mode][kind][name] for row in rows.values())
                for name in ("found", "of", "withheld", "masked words", "false words", "words")
            }
            precision = _share(sums["masked words"] - sums["false words"], sums["masked words"])
            recall = share(rate(gone, [form.person for form, _ in some]))
            found[mode][kind] = sums | {"recall": recall, "precision": precision}
        words, false = (sum(row["tempting"][mode][name] for row in rows.values()) for name in ("words", "false words"))
        found[mode]["tempting"] = {
            "words": words,
            "false words": false,
            "false per 1,000": round(1000 * false / words, 2),
        }
    return found


def show(results: Mapping[str, Results]) -> None:
    """Print what was missed, withheld, or masked for nothing."""
    for mode, each in results.items():
        for form, hidden in each.items():
            if form.kind == "tempting":
                wrong = "masked" if hidden else "withheld" if hidden is None else ""
            else:
                wrong = "withheld" if hidden is None else "" if is_gone(form, hidden) else "readable"
            if wrong:
                say(f"{form.person:5} {mode:6} {form.kind:14} {wrong:8}", form.marked().replace("\n", "⏎"))


def main() -> None:
    """Measure one checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="a checkout of the package as it was: writes the row `before`")
    parser.add_argument("--languages", help="only these, written nowhere")
    parser.add_argument("--show", action="store_true", help="print what was missed or masked for nothing")
    options = parser.parse_args()
    chosen = options.languages.split(",") if options.languages else None
    rows, results = measured((options.before or ROOT).resolve(), languages(chosen))
    if options.show:
        show(results)
    for code, row in rows.items():
        cells = [f"{kind} {count['found']}/{count['of']}" for kind, count in row["table"].items()]
        cells += [f"open {kind} {count['found']}/{count['of']}" for kind, count in row["nobody"].items()]
        say(f"{code} ", *cells, *(f"false {mode} {found['false words']}" for mode, found in row["tempting"].items()))
    total = totals(rows, results)
    for mode, kinds in total.items():
        for kind, found in kinds.items():
            say(mode, kind, found)
    if chosen is None:
        kept = load_rows("world")
        kept["before" if options.before else "after"] = {"total": total, "languages": rows}
        save("world", kept)


if __name__ == "__main__":
    main()
