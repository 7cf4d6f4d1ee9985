"""The game whole: rounds on texts made up so that one learner's rest is another's find, the chain, the command."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import pytest

from unname.apps import cli
from unname.errors import InputError, InvariantError, SettingsError
from unname.job import make_job
from unname.runtime import Runtime
from unname.storage.formats import write_corpus
from unname.taggers.base import Tagger
from unname.taggers.chain import Chain
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.taggers.linear.ensemble import EnsembleTagger
from unname.taggers.linear.svm import Svm
from unname.taggers.models import load_tagger
from unname.taggers.remaining import Remaining
from unname.testing import sample_notes
from unname.text import WORD
from unname.types import Document, Span
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.sanitize import run as module
from unname.verbs.sanitize.game import Claim, Game, Turn
from unname.verbs.sanitize.learning import NOBODY, CrossLearning, Learner, all_learners, inner_folds
from unname.verbs.sanitize.options import Sanitizing
from unname.verbs.sanitize.run import require_recount, sanitize, sanitize_files

NOTES = sample_notes()
QUICK = Sanitizing(("svm",), lean=1.0, attackers=())


@dataclass
class Commonest:
    """A learner that claims the word which most often was marked in what it learned from, wherever it stands."""

    most: int = 1
    name: str = "commonest.v1"
    words: tuple[str, ...] = ()
    learned_from: list[str] = field(default_factory=list)

    def fit(self, documents: Sequence[Document], held_out: Sequence[Document] = ()) -> Self:
        counts: dict[str, int] = {}
        for document in documents:
            for span in document.spans:
                word = document.text[span.start : span.end]
                counts[word] = counts.get(word, 0) + 1
        self.words = tuple(sorted(counts, key=lambda word: (-counts[word], word))[: self.most])
        self.learned_from = [document.text for document in documents]
        return self

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        return [[Span(m.start(), m.end(), "NAME") for m in WORD.finditer(text) if m[0] in self.words] for text in texts]

    def save(self, folder: Path, *, replace: bool = False) -> None:
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Self:
        raise NotImplementedError


def texts(*rows: tuple[str, str], times: int = 6) -> list[Document]:
    """(text, its marked word) each so many times, under ids of their own."""
    return [
        Document(f"{n}-{i}", text, spans=(Span(text.index(word), text.index(word) + len(word), "NAME"),))
        for n, (text, word) in enumerate(rows)
        for i in range(times)
    ]


def play(documents: Sequence[Document], **how: Any) -> module.Sanitized:
    """A game of the learner above."""
    settings = Sanitizing(("commonest",), lean=1.0, attackers=(), **how)
    return sanitize(documents, settings, learners={"commonest": Commonest})


# Ana is always a name; May mostly none, and Hope mostly one.
TOWN = [
    *texts(("Ana came", "Ana"), times=12),
    *texts(("Hope came", "Hope"), times=9),
    *texts(("May came", "May"), times=6),
    *(Document(f"hope{i}", "we hope Hope is near") for i in range(3)),
    *(Document(f"may{i}", "in May it rained, in May it snowed") for i in range(20)),
]


def claims(game: Game) -> list[tuple[int, int, bool]]:
    return [(turn.claim.sensitive, turn.claim.others, turn.kept) for turn in game.turns]


def test_rounds_go_on_until_a_leak_is_cheaper_than_the_words_it_takes() -> None:
    made = play(TOWN, loss=2.0)
    # Forty Mays are the month, six a name: for 6 · 2 leaks nobody hides forty words.
    assert claims(made.game) == [(12, 0, True), (9, 3, True), (6, 40, False)]
    assert [link.words for link in made.chain.links] == [("Ana",), ("Hope",)]  # type: ignore[attr-defined]
    assert made.game.last.left_sensitive == 6
    dear = play(TOWN, loss=7.0)
    assert claims(dear.game) == [(12, 0, True), (9, 3, True), (6, 40, True), (0, 0, False)]
    assert dear.game.last.left_sensitive == 0
    assert [len(dear.game.cut(ratio).kept) for ratio in (0.2, 2, 7)] == [1, 2, 3]


def test_the_chain_hides_of_other_texts_what_the_game_taught() -> None:
    chain = play(TOWN, loss=2.0).chain
    (spans,) = chain.tag(["Hope and Ana met May"])
    assert [(s.start, s.end) for s in spans] == [(0, 4), (9, 12)]


def test_each_round_learns_from_what_is_left_with_placeholders() -> None:
    made = play(TOWN, loss=2.0)
    first, second = made.chain.links
    assert "Ana came" in first.learned_from  # type: ignore[attr-defined]
    assert "Ana came" not in second.learned_from  # type: ignore[attr-defined]
    assert "[NAME] came" in second.learned_from  # type: ignore[attr-defined]


def test_claims_are_of_learners_that_had_not_seen_the_document() -> None:
    once = [Document(str(i), f"Q{i} came", spans=(Span(0, len(f"Q{i}"), "NAME"),)) for i in range(9)]
    assert claims(play(once).game) == [(0, 0, False)]
    seen = sanitize(
        once,
        Sanitizing(("all",), lean=1.0, attackers=(), stopping="in-sample"),
        learners={"all": lambda: Commonest(most=99)},
    )
    # Whoever has seen all finds all, and the game ends as if nothing were left to find.
    assert claims(seen.game) == [(9, 0, True), (0, 0, False)]
    assert not seen.game.held_out


def test_of_several_learners_that_whose_claim_is_worth_most_serves_or_the_most_accurate() -> None:
    # All three words are right 27 times and wrong 43 times; Ana alone is right 12 times and never wrong.
    learners = {"one": Commonest, "three": lambda: Commonest(most=3)}
    how = Sanitizing(("one", "three"), loss=10.0, lean=1.0, attackers=())
    first = sanitize(TOWN, how, learners=learners).game.turns[0]
    assert (first.claim, first.rivals) == (Claim("three", 27, 43), (Claim("one", 12, 0),))
    accurate = sanitize(TOWN, replace(how, choose="accuracy"), learners=learners).game.turns[0]
    assert (accurate.claim, accurate.rivals) == (Claim("one", 12, 0), (Claim("three", 27, 43),))


def test_attackers_of_other_kinds_try_what_is_published() -> None:
    settings = Sanitizing(("commonest",), loss=2.0, lean=1.0, attackers=("greedy",))
    made = sanitize(TOWN, settings, learners={"commonest": Commonest, "greedy": lambda: Commonest(most=9)})
    assert [(c.learner, c.sensitive, c.others) for c in made.game.attackers] == [("greedy", 6, 40)]
    assert made.game.found(46) == 6


def test_limited_rounds_end_early_and_the_game_says_so() -> None:
    game = play(TOWN, loss=2.0, rounds=1).game
    assert claims(game) == [(12, 0, True), (9, 3, False)]
    assert not game.equilibrium
    assert "Rounds were limited to 1" in game.advice(5)[0]
    assert "More rounds" in game.advice(5)[-1]
    enough = play(TOWN, loss=7.0, rounds=3).game
    assert claims(enough)[-1] == (0, 0, False)
    assert enough.equilibrium


def test_where_no_learner_pays_nothing_is_hidden() -> None:
    made = play(TOWN, loss=0.01, cost=100.0)
    assert made.game.kept[0].claim.others == 0  # Ana costs nothing else.
    month = texts(("May came", "May")) + [Document(f"x{i}", "in May or May") for i in range(20)]
    none = play(month, loss=1.0)
    assert claims(none.game) == [(6, 40, False)]
    assert none.chain.links == ()
    assert "no learner is worth using" in none.game.advice(5)[0]


def test_a_round_that_is_kept_although_it_does_not_pay_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_paid", lambda before, after: after.turn.claim.sensitive > 0)
    with pytest.raises(InvariantError, match="did not pay"):
        play(TOWN, loss=2.0)


def test_a_game_that_ends_while_there_is_something_to_gain_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_paid", lambda before, after: False)
    with pytest.raises(InvariantError, match="still gains"):
        play(TOWN, loss=2.0)


def test_what_can_be_read_is_counted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = play(TOWN, loss=2.0)
    require_recount(made.game, TOWN, made.left)
    calls: list[int] = []
    monkeypatch.setattr(module, "require_recount", lambda *_: calls.append(1))
    play(TOWN, loss=2.0)
    assert calls == [1]
    shown = (Remaining(TOWN[0].text), *made.left[1:])
    with pytest.raises(InvariantError, match="not what was counted"):
        require_recount(made.game, TOWN, shown)


def test_the_order_of_documents_changes_nothing() -> None:
    # Half of what should be marked is not, so that what is learned hangs by a thread.
    random = np.random.default_rng(0)
    notes = [
        replace(n, spans=tuple(s for s in n.spans if s.label in ("NAME", "PLACE") and random.random() > 0.4))
        for n in NOTES
    ]
    there, back = (sanitize(row, QUICK) for row in (notes, notes[::-1]))
    assert len(there.game.turns) > 1
    assert there.game == back.game
    assert [one.shown for one in there.left] == [one.shown for one in back.left[::-1]]
    asked = [note.text for note in NOTES]
    assert there.chain.tag(asked) == back.chain.tag(asked)


def test_documents_of_a_person_are_judged_together(monkeypatch: pytest.MonkeyPatch) -> None:
    people = [replace(d, person=str(n % 5)) for n, d in enumerate(TOWN)]
    part = inner_folds(people, QUICK)
    assert {(d.person, p) for d, p in zip(people, part.tolist(), strict=True)} == {
        (d.person, part[n % 5]) for n, d in enumerate(people)
    }


@pytest.mark.parametrize("judge_only", [False, True])
def test_an_ensemble_shares_what_its_rivals_learned_and_is_the_same(judge_only: bool) -> None:
    """In the game its parts are the inner folds; taught alone with these parts it finds the same."""
    how = replace(QUICK, kind=("selection",), judge_only=judge_only)
    learners = all_learners(how, {})
    part = inner_folds(NOTES, how)
    learning = CrossLearning(NOTES, part, how, learners)
    learning.claimed(Learner("crf"))
    shared = learning.learned(Learner("ensemble"))
    alone = learners["ensemble"]()
    assert isinstance(alone, EnsembleTagger)

    def taught(without: int | None, passes: int) -> Any:
        return alone.pair([d for d, p in zip(NOTES, part.tolist(), strict=True) if p != without], passes)

    alone.fit_parts(NOTES, part, taught)
    asked = [note.text for note in NOTES]
    assert isinstance(shared, EnsembleTagger)
    assert shared.tag(asked) == alone.tag(asked)
    assert shared.threshold_ == alone.threshold_


def test_what_is_learned_is_learned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fits: list[int] = []
    fit = Commonest.fit
    monkeypatch.setattr(Commonest, "fit", lambda self, documents: fits.append(1) or fit(self, documents))
    sanitize(TOWN, Sanitizing(("c",), loss=2.0, lean=1.0, attackers=("c",)), learners={"c": Commonest})
    # Three folds in each of three turns, and two links of all.
    assert len(fits) == 3 * 3 + 2


def test_the_number_of_workers_changes_nothing() -> None:
    how = replace(QUICK, kind=("selection",), attackers=("crf",))
    asked = [note.text for note in NOTES]
    alone = sanitize(NOTES, how)
    with Runtime(2).started(len(NOTES)) as runtime:
        together = sanitize(NOTES, how, runtime=runtime)
    assert together.game == alone.game
    assert together.chain.tag(asked) == alone.chain.tag(asked)


def test_a_watcher_sees_every_state() -> None:
    seen: list[tuple[int, int, int]] = []

    def watch(links: Sequence[Tagger], left: Sequence[Remaining], learning: CrossLearning, turn: Turn) -> None:
        seen.append((len(links), sum("[NAME]" in one.shown for one in left), turn.claim.sensitive))

    sanitize(TOWN, Sanitizing(("c",), loss=2.0, lean=1.0, attackers=()), learners={"c": Commonest}, watch=watch)
    assert seen == [(0, 0, 12), (1, 12, 9), (2, 12 + 9 + 3, 6)]


@pytest.mark.parametrize(
    "documents, how, error",
    [
        ([Document("a", "x")], {}, InputError),
        (TOWN[:2], {}, InputError),
        ([replace(d, person="one") for d in TOWN], {}, InputError),
        (TOWN, {"kind": ("nosuch",)}, SettingsError),
        (TOWN, {"attackers": ("nosuch",)}, SettingsError),
        (TOWN, {"kind": ("svm(lean=0)",)}, SettingsError),
        (TOWN, {"kind": ("svm(nosuch=1)",)}, SettingsError),
        (TOWN, {"kind": ("rules",)}, SettingsError),
        (TOWN, {"kind": ("selection",), "folds": 2}, SettingsError),
        ([replace(TOWN[0], spans=(Span(0, 99, "NAME"),)), *TOWN[1:]], {}, InputError),
    ],
)
def test_what_cannot_be_played_is_told(documents: list[Document], how: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        sanitize(documents, replace(QUICK, **how))


@pytest.mark.parametrize(
    "how",
    [
        {"loss": 0.0}, {"cost": -1.0}, {"lean": 0.0}, {"lean": 1e9}, {"kind": ()}, {"kind": "crf"}, {"loss": float("inf")},
        {"folds": 1}, {"stopping": "heldout"}, {"choose": "nonsense"}, {"rounds": -3}, {"budget": 0}, {"loss": "10"},
    ],
)  # fmt: skip
def test_settings_that_make_no_sense_are_refused(how: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        Sanitizing(**how)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made-up notes as brat files."""
    folder = tmp_path_factory.mktemp("notes") / "corpus"
    write_corpus(folder, NOTES, format="brat")
    return folder


def test_the_command_writes_a_chain_that_every_command_takes(corpus: Path, tmp_path: Path, capsys: Any) -> None:
    model, page = tmp_path / "m", tmp_path / "m" / "report.html"
    common = ["--labels", "NAME", "--kind", "svm", "--loss", "5", "--attackers", "svm"]
    assert cli.run(["sanitize", str(corpus), "--out", str(model), *common]) == 0
    said = capsys.readouterr().out
    assert "Publish after" in said
    assert "Byron" not in said + page.read_text() + (model / "model.json").read_text()
    assert "<svg" in page.read_text()
    tags = tmp_path / "tags.jsonl"
    assert cli.run(["tag", str(corpus), "--tagger", str(model), "--out", str(tags)]) == 0
    assert cli.run(["evaluate", str(tags), "--gold", str(corpus), "--labels", "NAME", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.partition("\n")[2])["scores"][0]["total"]["recall"]["value"] > 0.9
    assert load_tagger(model).tag(["Name: Ada Byron.\nAge: 30"])[0]
    assert cli.run(["sanitize", str(corpus), "--out", str(model), *common]) == 5
    assert cli.run(["sanitize", str(corpus), "--out", str(model), "--replace", *common]) == 0


def test_it_plays_on_a_split(tmp_path: Path) -> None:
    rows = [
        {"id": d.id, "text": d.text, "split": "train" if i % 2 else "dev",
         "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
        for i, d in enumerate(NOTES)
    ]  # fmt: skip
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert sanitize_files(path, tmp_path / "m", replace(QUICK, split="train")).documents == len(NOTES) // 2
    with pytest.raises(InputError, match="split"):
        sanitize_files(path, tmp_path / "n", replace(QUICK, split="nosuch"))
    with pytest.raises(InputError, match="label 1"):
        sanitize_files(path, tmp_path / "n", replace(QUICK, labels=("NOSUCH",)))
    assert not (tmp_path / "n").exists()


def test_the_same_call_gives_the_same_chain() -> None:
    asked = [note.text for note in NOTES]
    one, other = (sanitize(NOTES, QUICK).chain.tag(asked) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("method", ["tagged", "composed"])
def test_a_chain_is_hidden_by_as_any_tagger_is(method: str, tmp_path: Path) -> None:
    names = [replace(n, spans=tuple(s for s in n.spans if s.label == "NAME")) for n in NOTES]
    sanitize(names, QUICK).chain.save(tmp_path / "m")
    rows = [{"id": d.id, "text": d.text, "person": f"p{d.id}"} for d in NOTES]
    documents, people = tmp_path / "notes.jsonl", tmp_path / "people.csv"
    documents.write_text("".join(json.dumps(row) + "\n" for row in rows))
    people.write_text("id,ward\n" + "".join(f"p{d.id},ward {n % 3}\n" for n, d in enumerate(NOTES)))
    out = tmp_path / "out"
    job = make_job(
        documents, people, out, method=method, tagger=("rules", str(tmp_path / "m")), facts="report", k=2, audit="none",
        direct=("none",), reidentifiers=("bm25",), accept_risk="a test",
    )  # fmt: skip
    released = deidentify_files(job)
    texts = [json.loads(line)["text"] for line in (released.folder / "documents.jsonl").read_text().splitlines()]
    assert texts
    assert not any("Byron" in text or "Ohm" in text for text in texts)
    assert all("[NAME]" in text for text in texts)


class Spy(CrossLearning):
    """Lessons that note without whom a CRF was asked for."""

    asked: list[frozenset[int]]

    def learned(self, learner: Learner, without: frozenset[int] = NOBODY) -> Tagger | None:
        if learner.kind == "crf":
            self.asked.append(without)
        return super().learned(learner, without)


def test_nothing_that_judges_a_document_learned_from_it() -> None:
    """Nor did the parts of an ensemble, from which its judge learns."""
    how = replace(QUICK, kind=("ensemble",))
    learning = Spy(NOTES, inner_folds(NOTES, how), how, all_learners(how, {}))
    for number in range(how.folds):
        learning.asked = []
        assert learning.learned(Learner("ensemble"), frozenset((number,)))
        assert len(learning.asked) == 3
        assert all(number in without for without in learning.asked)


def test_attackers_have_not_seen_what_they_attack_either() -> None:
    once = [Document(str(i), f"Q{i} came", spans=(Span(0, len(f"Q{i}"), "NAME"),)) for i in range(9)]
    how = Sanitizing(("commonest",), lean=1.0, attackers=("all",))
    game = sanitize(once, how, learners={"commonest": Commonest, "all": lambda: Commonest(most=99)}).game
    assert game.attackers == (Claim("all", 0, 0),)


def test_learners_and_attackers_lean() -> None:
    how = Sanitizing(("svm",), loss=100.0, attackers=("selection",))
    assert how.leans() == (1.0, 10.0, 100.0)
    assert Sanitizing(loss=4.0, lean=9.0).leans() == (1.0, 3.0, 9.0)
    assert Sanitizing(loss=1e9).leans()[-1] == 1e6
    few = [replace(n, spans=tuple(s for s in n.spans if s.label == "PLACE")) for n in NOTES]
    game = sanitize(few, how).game
    tried = {claim.learner for turn in game.turns for claim in (turn.claim, *turn.rivals)}
    assert tried == {"svm", "svm leaning 10", "svm leaning 100"}
    assert {"crf", "crf leaning 1000", "svm leaning 1000", "ensemble"} <= {claim.learner for claim in game.attackers}
    learning = CrossLearning(few, inner_folds(few, how), how, all_learners(how, {}))
    taggers = [learning.learned(Learner("svm", lean)) for lean in (1.0, 1e6)]
    found = [sum(map(len, tagger.tag([n.text for n in NOTES]))) for tagger in taggers if tagger]
    assert found[1] > found[0]


def test_a_learner_has_parameters_in_parentheses(corpus: Path, tmp_path: Path, capsys: Any) -> None:
    words = ["sanitize", str(corpus), "--kind", "svm(lean=4),crf", "--lean", "1", "--loss", "5", "--attackers", "svm"]
    assert cli.run([*words, "--out", str(tmp_path / "model")]) == 0
    assert "svm(lean=4)" in capsys.readouterr().out
    chain = load_tagger(tmp_path / "model")
    assert isinstance(chain, Chain)
    assert {link.lean for link in chain.links if isinstance(link, Svm)} == {4.0}
    assert cli.run([*words[:2], "--kind", "svm(nosuch=1)", "--out", str(tmp_path / "other")]) == 2
    assert "svm has no parameter nosuch" in capsys.readouterr().err


def test_overlapping_annotations_count_whole() -> None:
    rows = [
        Document(str(i), "Ana Maria Ruiz Lopez came", spans=(Span(0, 14, "NAME"), Span(10, 20, "NAME")))
        for i in range(6)
    ]
    made = sanitize(rows, Sanitizing(("all",), attackers=()), learners={"all": lambda: Commonest(most=9)})
    assert (made.game.sensitive, made.game.others) == (24, 6)


def test_shares_have_intervals_of_their_own() -> None:
    game = play(TOWN, loss=2.0).game
    for share, interval in ((game.leaked, game.leaked_ci), (game.published, game.published_ci)):
        assert interval
        assert interval[0] <= share <= interval[1]


def test_labels_choose_what_is_sensitive(corpus: Path, tmp_path: Path) -> None:
    every = sanitize_files(corpus, tmp_path / "a", replace(QUICK, rounds=1))
    names = sanitize_files(corpus, tmp_path / "b", replace(QUICK, rounds=1, labels=("NAME",)))
    assert names.sensitive < every.sensitive
    assert names.sensitive + names.others == every.sensitive + every.others


def test_an_ensemble_with_settings_of_its_own_keeps_them() -> None:
    own = EnsembleTagger(Crf(CrfSettings(passes=4), fewest=7))
    made = sanitize(NOTES, replace(QUICK, kind=("mine",)), learners={"mine": lambda: replace(own)})
    (link, *_) = made.chain.links
    assert isinstance(link, EnsembleTagger)
    assert (link.crf_.training.passes, link.crf_.fewest) == (4, 7)


def test_where_every_word_is_sensitive_there_is_a_game_all_the_same() -> None:
    rows = [
        Document(str(i), f"Ana Ruiz {'Bo' * (i % 3)}", spans=(Span(0, 10 + 2 * (i % 3) - 1, "NAME"),)) for i in range(9)
    ]
    rows = [replace(row, spans=(Span(0, len(row.text), "NAME"),)) for row in rows]
    game = sanitize(rows, replace(QUICK, kind=("selection",))).game
    assert game.leaked == 0.0
    assert game.table()[0][5] == "100.0 %"


def test_a_chain_that_finds_nothing_of_what_is_to_be_hidden_is_no_mask(tmp_path: Path) -> None:
    """As for any trained tagger: a first-time user's slip stops the release."""
    dates = [replace(n, spans=tuple(s for s in n.spans if s.label == "DATE")) for n in NOTES]
    rows = "".join(json.dumps({"id": d.id, "text": d.text, "person": f"p{d.id}"}) + "\n" for d in NOTES)
    (tmp_path / "notes.jsonl").write_text(rows)
    (tmp_path / "people.csv").write_text("id,ward\n" + "".join(f"p{d.id},ward {n % 3}\n" for n, d in enumerate(NOTES)))
    sanitize(dates, QUICK).chain.save(tmp_path / "dates")
    Chain().save(tmp_path / "nobody")
    for folder in ("dates", "nobody"):
        job = make_job(
            tmp_path / "notes.jsonl", tmp_path / "people.csv", tmp_path / "out", tagger=(str(tmp_path / folder),), k=2,
            audit="none", direct=("none",), reidentifiers=("bm25",), accept_risk="a test",
        )  # fmt: skip
        with pytest.raises(SettingsError, match="finds nothing of what is to be hidden"):
            deidentify_files(job)
