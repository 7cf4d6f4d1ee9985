"""Parrots: what attackers do to stand-ins, who look for missed names, undo the shift of dates, or search for the names.

    python -m benchmarks.parrot [--fresh]

Everything goes through the installed command; rows that an earlier run wrote are kept, unless `--fresh`. Texts are the
biographies of `stand_ins`, and the judgments of `tab` without a table.

- Missed names: of 127 biographies, one stretch that holds the person's family name is as it was, drawn by a fixed seed.
  Attackers rank stretches by how unlike a stand-in they are: first those with a word that Faker does not have. Words that
  it has are stand-ins equally often, so the more people are called so, the more likely it is somebody's. One attacker is
  shown where names stand, one knows the people table too, and one has a tagger. Each walks down until as many stretches
  were no missed name as there are missed names, or a tenth as many: few names are left in the end to whom all are shown.
- Dates: who knows one date, and sees by how many weeks it may have moved; and who knows no more than on which days of the
  year other biographies have their dates, and tries every shift.
- Names: who searches for the names of a release in full, among the people of the table and among all members of Congress.
- Two releases: of the people of the fictional town with two notes, the first is in one release and the second in another.
  Which of the second belongs to each of the first? By cosine of weighted words: of the stand-ins alone, or of whole texts.
"""

import argparse
import datetime
import json
import math
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sklearn.feature_extraction.text import TfidfVectorizer

from benchmarks.corpora import closed_world, load
from benchmarks.one_number import SEED
from benchmarks.results import load_rows, save, say, shown
from benchmarks.stand_ins import KEY, Made, Piece, biographies, notes, released
from benchmarks.vault_round_trip import rows_of, unname
from unname.dates import days_in
from unname.knowledge.mentions import NameIndex
from unname.languages import read
from unname.months import is_month
from unname.protecting.direct_fields import direct_fields, names_of
from unname.statistics import rate
from unname.text import folded_words
from unname.transforms.standins.shifting import day_of
from unname.transforms.standins.words import folded
from unname.types import Document

MISSED = 127
TAGGER = "entities"
KEYS = (KEY, *(f"{number:02x}" * 32 for number in (0x11, 0x22, 0x33)))
# By how many weeks dates may move.
SHIFTS = tuple(sign * weeks for weeks in range(4, 105) for sign in (1, -1))
TABLELESS = (
    "--people",
    "none",
    "--method",
    "tagged",
    "--facts",
    "report",
    "--audit",
    "none",
    "--transform",
    "surrogate",
)
# Pairs of releases, each by a transform under a key.
TWICE = {
    "redacted": (("redact", KEYS[0]), ("redact", KEYS[1])),
    "one key": (("surrogate", KEYS[0]), ("surrogate", KEYS[0])),
    "two keys": (("surrogate", KEYS[0]), ("surrogate", KEYS[1])),
    "one key, two recipients": (
        ("surrogate(scope=recipient,recipient=a)", KEYS[0]),
        ("surrogate(scope=recipient,recipient=b)", KEYS[0]),
    ),
    "one key, by document": (("surrogate(scope=document)", KEYS[0]), ("surrogate(scope=document)", KEYS[0])),
}
_NAMES = ("NAME", "PERSON")
_WORD = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")

# Where a stretch of a released text is, and how sure it is that a name stands there.
Place = tuple[str, int, int, float]
Strange = Callable[[str], float]
Row = dict[str, Any]


def congress(key: str = KEY) -> tuple[Sequence[Document], Made]:
    """Biographies, and their release under a key."""
    corpus = biographies()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        words = ["none" if word == "quick" else word for word in corpus.command(home, "surrogate")]
        return corpus.documents, released(corpus.documents, home, *words, key=key)


def judgments() -> Made:
    """A release of judgments without a table."""
    with tempfile.TemporaryDirectory() as folder:
        return released(load("tab").documents, Path(folder), *TABLELESS)


def _share(marks: Mapping[str, float]) -> Row:
    """A rate of credits by document."""
    return rate([*marks.values()], [*marks]).as_dict()


# --- missed names


@cache
def listed(*attributes: str) -> Mapping[str, float]:
    """Folded names of Faker in English, each with the share of people who are called so."""
    shares = dict[str, float]()
    for locale in str(read("standins")["lists"]["latin"]["en"]).split():
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for names in (getattr(provider, attribute) for attribute in attributes):
            weights = names if isinstance(names, Mapping) else dict.fromkeys(names, 1.0)
            whole = sum(weights.values())
            for name, weight in weights.items():
                shares[folded(name)] = max(shares.get(folded(name), 0.0), weight / whole)
    return shares


def by_lists(word: str) -> float:
    """How unlike a stand-in a word is to who knows the lists."""
    return listed("last_names", "first_names_female", "first_names_male").get(folded(word), math.inf)


def by_table(index: NameIndex) -> Strange:
    """The same to who knows the people table too: no stand-in's family name is anybody's there."""
    given = listed("first_names_female", "first_names_male")

    def strange(word: str) -> float:
        return math.inf if folded(word) not in given and index.bearers(folded(word)) else by_lists(word)

    return strange


def is_name(piece: Piece) -> bool:
    """True of a stand-in for a name: of what biographies hide and give stand-ins, dates alone are none."""
    words = _WORD.findall(piece.original)
    return piece.kind == "stand-in" and not re.search(r"\d", piece.original) and not any(map(is_month, words[-1:]))


def with_missed(documents: Sequence[Document], made: Made) -> tuple[dict[str, list[Piece]], dict[str, int]]:
    """A release in which some names are as they were, and by document the number of the piece that is."""
    draw = random.Random(SEED)  # noqa: S311 - repeatable draws, no secrets
    pieces = {document: list(row) for document, row in made.pieces.items()}
    holding = dict[str, list[int]]()
    for document in documents:
        # A biography begins with the family name and a comma.
        family = document.text.split(",")[0]
        row = enumerate(pieces.get(document.id, ()))
        holding[document.id] = [number for number, piece in row if is_name(piece) and family in piece.original]
    able = [each for each, numbers in holding.items() if numbers]
    missed = {each: draw.choice(holding[each]) for each in draw.sample(able, min(MISSED, len(able)))}
    for each, number in missed.items():
        piece = pieces[each][number]
        pieces[each][number] = Piece(piece.original, piece.start, piece.end, piece.original)
    return pieces, missed


def _stretches(row: Sequence[Piece]) -> Iterator[tuple[int, int]]:
    at = 0
    for piece in row:
        yield at, at + len(piece.text)
        at += len(piece.text)


def tagged(texts: Mapping[str, str]) -> Iterator[Place]:
    """Where a tagger finds names in released texts."""
    with tempfile.TemporaryDirectory() as folder:
        corpus, spans = Path(folder) / "documents.jsonl", Path(folder) / "spans.jsonl"
        lines = (json.dumps({"id": document, "text": text}) + "\n" for document, text in texts.items())
        corpus.write_text("".join(lines), encoding="utf-8")
        unname("tag", corpus, "--tagger", TAGGER, "--out", spans)
        for row in rows_of(spans):
            for span in row["spans"]:
                if span["label"].split(":")[0] in _NAMES:
                    yield row["id"], span["start"], span["end"], span.get("score") or 0.0


def missed_rows(documents: Sequence[Document], made: Made, index: NameIndex) -> Iterator[tuple[str, Row]]:
    """A row for each attacker."""
    pieces, missed = with_missed(documents, made)
    texts = {document: "".join(piece.text for piece in row) for document, row in pieces.items()}
    places = {document: [*_stretches(row)] for document, row in pieces.items()}
    truth = {document: places[document][number] for document, number in missed.items()}
    shown_ = [
        (document, *place, 1.0)
        for document, row in made.pieces.items()
        for piece, place in zip(row, places[document], strict=True)
        if is_name(piece)
    ]
    own = [*tagged(texts)]
    for name, stretches, strange in (
        ("where names stand, lists", shown_, by_lists),
        ("where names stand, lists and table", shown_, by_table(index)),
        ("own tagger, lists", own, by_lists),
    ):
        ranking = ranked(stretches, texts, strange)
        right, sure = (walked(ranking, truth, wrong) for wrong in (len(truth), len(truth) // 10))
        reached = {place[0] for place in stretches if _meets(place, truth)}
        yield (
            f"missed names: {name}",
            {
                "documents": len(texts),
                "missed": len(truth),
                "stretches": len(stretches),
                "reached": len(reached),
                "not listed": sum(
                    any(by_lists(w) == math.inf for w in _WORD.findall(texts[d][a:b])) for d, (a, b) in truth.items()
                ),
                "right": _share({document: float(document in right) for document in truth}),
                "right, a tenth as many wrong": _share({document: float(document in sure) for document in truth}),
            },
        )


def ranked(stretches: Sequence[Place], texts: Mapping[str, str], strange: Strange) -> list[Place]:
    """Stretches, those first that are least like stand-ins; of those alike the surer ones, else by chance."""
    draw = random.Random(SEED)  # noqa: S311 - repeatable draws, no secrets

    def key(place: Place) -> tuple[float, float, float]:
        document, start, end, sure = place
        words = _WORD.findall(texts[document][start:end])
        return -max(map(strange, words), default=0.0), -sure, draw.random()

    return sorted(stretches, key=key)


def _meets(place: Place, truth: Mapping[str, tuple[int, int]]) -> bool:
    document, start, end, _ = place
    first, last = truth.get(document, (0, 0))
    return start < last and first < end


def walked(ranking: Sequence[Place], truth: Mapping[str, tuple[int, int]], most: int) -> set[str]:
    """The documents whose missed name comes before so many wrong stretches."""
    right, wrong = set[str](), 0
    for place in ranking:
        if _meets(place, truth):
            right.add(place[0])
        else:
            wrong += 1
            if wrong >= most:
                break
    return right


# --- dates


def moved_dates(row: Sequence[Piece]) -> list[tuple[datetime.date, datetime.date]]:
    """Dates with all their parts that moved: as they were and as they are."""
    days = ((day_of(piece.original), day_of(piece.text)) for piece in row if piece.kind == "stand-in")
    return list(dict.fromkeys((was, now) for was, now in days if was and now))


def _weeks(was: datetime.date, now: datetime.date) -> int | None:
    """The shift between two days; None where no shift is such."""
    weeks, rest = divmod((now - was).days, 7)
    return weeks if not rest and weeks in SHIFTS else None


def anchored(made: Made) -> Row:
    """Documents of two moved dates or more, in which one date that is known says by how much all moved."""
    draw = random.Random(SEED)  # noqa: S311 - repeatable draws, no secrets
    marks, fits = dict[str, float](), list[int]()
    for document, row in made.pieces.items():
        dates = moved_dates(row)
        if len(dates) > 1:
            known, moved = draw.choice(dates)
            shifts = {_weeks(known, now) for _, now in dates} - {None}
            marks[document] = float(shifts == {_weeks(known, moved)})
            fits.append(len(shifts))
    return {"documents": len(made.pieces), "undone": _share(marks), "shifts that fit": sum(fits) / len(fits)}


def unanchored(documents: Sequence[Document], made: Made) -> Row:
    """The same documents, in which the right shift comes first of all by the days of the year of other people's dates."""
    every = {document.id: days_of_year(document.text) for document in documents}
    counts = Counter(day for days in every.values() for day in days)
    undone = dict[str, float]()
    for document, row in made.pieces.items():
        dates = moved_dates(row)
        if len(dates) > 1:
            others = counts - Counter(every[document])
            right = Counter(_weeks(was, now) for was, now in dates).most_common(1)[0][0]
            scores = {weeks: _usual([now for _, now in dates], weeks, others) for weeks in SHIFTS}
            best = [weeks for weeks, score in scores.items() if math.isclose(score, max(scores.values()))]
            undone[document] = (right in best) / len(best)
    return {"documents": len(made.pieces), "usual days": counts.most_common(4), "undone": _share(undone)}


def days_of_year(text: str) -> set[tuple[int, int]]:
    """The months and days of the dates that a text has."""
    return {(day.month, day.day) for _, _, day in days_in(text) if day.year is not None}


def _usual(days: Collection[datetime.date], weeks: int, others: Mapping[tuple[int, int], int]) -> float:
    """How usual days are, moved back: the logarithm of how many others have each, one more for days that nobody has."""
    back = (day - datetime.timedelta(weeks=weeks) for day in days)
    return math.fsum(math.log1p(others.get((day.month, day.day), 0)) for day in back)


# --- nobody pointed at


def searched(releases: Sequence[Made], index: NameIndex) -> Row:
    """Stand-ins whose given and family name somebody bears, by document."""
    hits = [
        (document, index.anybody(*name))
        for made in releases
        for document, row in made.pieces.items()
        if any(map(is_name, row)) and (name := _full(made.text(document)))
    ]
    share = rate([float(hit) for _, hit in hits], [document for document, _ in hits])
    return {"releases": len(releases), "names": sum(hit for _, hit in hits), "documents": share.as_dict()}


def _full(text: str) -> tuple[str, str] | None:
    """The first given name and the last family name with which a biography begins, folded."""
    families, _, rest = text.partition(",")
    words, given = _WORD.findall(families), _WORD.search(rest)
    return (folded(given[0]), folded(words[-1])) if words and given else None


# --- two releases


def in_two() -> Iterator[tuple[str, Row]]:
    """A row for each way of making two releases, and each attacker who puts their people together."""
    corpus, notes_of = notes(), dict[str, list[Document]]()
    for document in corpus.documents:
        notes_of.setdefault(document.person or "", []).append(document)
    two = [row[:2] for row in notes_of.values() if len(row) > 1]
    first, second = ([row[place] for row in two] for place in (0, 1))
    made = dict[tuple[int, str, str], Made]()
    for name, ways in TWICE.items():
        for place, (documents, how) in enumerate(zip((first, second), ways, strict=True)):
            if (place, *how) not in made:
                with tempfile.TemporaryDirectory() as folder:
                    home, (transform, key) = Path(folder), how
                    words = ["none" if word == "quick" else word for word in corpus.command(home, transform)]
                    made[place, *how] = released(documents, home, *words, key=key)
        here, there = (made[place, *how] for place, how in enumerate(ways))
        for attacker, words_of in READERS.items():
            if attacker == "whole texts" or "surrogate" in ways[0][0]:
                yield f"two releases, {name}: {attacker}", linked(two, here, there, words_of)


def linked(two: Sequence[Sequence[Document]], here: Made, there: Made, words_of: Callable[[Made, str], str]) -> Row:
    """The people who are put together rightly: whose text of the other release is the most similar, or one of as many."""
    both = [
        (one.id, other.id, one.person)
        for one, other in two
        if {one.id} <= here.pieces.keys() and other.id in there.pieces
    ]
    weights = TfidfVectorizer(analyzer=folded_words, sublinear_tf=True)
    one = [words_of(here, first) for first, _, _ in both]
    other = [words_of(there, second) for _, second, _ in both]
    weights.fit([*one, *other])
    alike = (weights.transform(one) @ weights.transform(other).T).toarray()
    right = [
        float(row[at] > 0 and math.isclose(row[at], row.max())) / max(1, int((row >= row.max() - 1e-9).sum()))
        for at, row in enumerate(alike)
    ]
    return {"people": len(both), "put together": rate(right, [str(person) for _, _, person in both]).as_dict()}


def _stand_ins(made: Made, document: str) -> str:
    return " ".join(piece.text for piece in made.pieces[document] if piece.kind == "stand-in")


READERS: Mapping[str, Callable[[Made, str], str]] = {"stand-ins": _stand_ins, "whole texts": Made.text}


# --- the page


_ABOUT = """
Attacks on these stand-ins (`python -m benchmarks.parrot`); brackets are 95 % intervals. {missed} names of as many
biographies were left as they are: the figure is the share that is seen before as many others, or a tenth as many, are taken
for missed names. Whoever knows where names stand sees few others, and is counted at a tenth alone. One date known: of the
documents with two dates or more, those in which it gives the shift; none known: days on which everybody's dates fall do.
Two releases hold one note each of the same people: the share of people whose other note is the most similar one, by stand-ins
alone or by whole texts.
"""


def blocks() -> dict[str, list[str]]:
    """The figures as a block of the page."""
    rows = load_rows("parrot")
    cells = [
        (f"{name}{said}", row[f"right{said}"])
        for name, row in rows.items() if "right" in row for said in ("", ", a tenth as many wrong")
        # Where few others are shown, as many wrong are all that there are.
        if said or row["stretches"] > 3 * row["missed"]
    ]  # fmt: skip
    cells += [(name, row["undone"]) for name, row in rows.items() if "undone" in row]
    cells += [(name, row["documents"]) for name, row in rows.items() if "names" in row]
    cells += [(name, row["put together"]) for name, row in rows.items() if "put together" in row]
    missed = next(row["missed"] for row in rows.values() if "missed" in row)
    lines = ["| attack | succeeds in | of |", "|---|---|---|"]
    lines += [f"| {name} | {shown(figures)} | {figures['n']} |" for name, figures in cells]
    return {"parrot": [" ".join(_ABOUT.format(missed=missed).split()), "", *lines]}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--fresh", action="store_true", help="throw away the rows of earlier runs")
    rows = load_rows("parrot", fresh=asked.parse_args().fresh)
    for name, row in measured(rows):
        rows[name] = row
        say(name, *(f"{key} {value}" for key, value in row.items()))
        save("parrot", rows, seed=SEED)


def measured(known: Collection[str]) -> Iterator[tuple[str, Row]]:
    """The rows that are not known."""
    world = closed_world("dev")
    index = names_of(world.population, direct_fields(world.population))
    if "names searched for: all members, other keys" not in known:
        documents, made = congress()
        yield from missed_rows(documents, made, index)
        yield "dates, one known: biographies", anchored(made)
        yield "dates, none known: biographies", unanchored(world.documents, made)
        members = load("congress").population
        everybody = names_of(members, direct_fields(members))
        others = [congress(key)[1] for key in KEYS[1:]]
        for name, who in (("the table", index), ("all members", everybody)):
            yield f"names searched for: {name}", searched([made], who)
            yield f"names searched for: {name}, other keys", searched(others, who)
    if "dates, one known: judgments" not in known:
        yield "dates, one known: judgments", anchored(judgments())
    if "two releases, redacted: whole texts" not in known:
        yield from in_two()


if __name__ == "__main__":
    main()
