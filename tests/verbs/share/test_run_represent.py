"""Sharing vectors as files: from public texts to a tagger, and what stops on the way."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from unname.apps import cli
from unname.errors import InputError, ModelError, SettingsError, StateError, UnsafeReleaseError
from unname.option import build
from unname.sharing.card import PAIRS
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import TeachingSettings
from unname.sharing.shared import read_shared
from unname.sharing.tagger import Represented
from unname.storage.files import LESSONS
from unname.taggers.models import load_tagger
from unname.testing import sample_notes
from unname.verbs.share.options import Pooling, RepresenterTraining, Representing
from unname.verbs.share.represent import (
    UnsafeRepresenterError,
    divided,
    neighbours_of,
    pool_files,
    represent_files,
    train_representer_files,
)

pytestmark = pytest.mark.usefixtures("one_thread", "short_attacks")
NOTES = sample_notes()
QUICK: dict[str, Any] = {
    "width": 16, "bottleneck": 0.0, "noise": 0.1, "tagger_epochs": 12,
    "adversary_epochs": 1, "turns": 1, "attack_epochs": 1,
    "most_pairs": 1.0, "most_alignment": 1.0, "least_cases": 1,
}  # fmt: skip
LOOSE: dict[str, Any] = {"most_pairs": 1.0, "most_alignment": 1.0, "least_cases": 1, "least_attack_epochs": 1,
                         "most_told": 1000.0, "attack_epochs": 1}  # fmt: skip
FLAGS = [flag for name, value in QUICK.items() for flag in (f"--{name.replace('_', '-')}", str(value))]
LOOSE_FLAGS = [flag for name, value in LOOSE.items() for flag in (f"--{name.replace('_', '-')}", str(value))]


def loosely(**changes: Any) -> Representing:
    """Represent whatever attackers find."""
    return build(Representing, {**LOOSE, **changes})


def write(path: Path, notes: list[Any]) -> Path:
    rows = [
        {"id": d.id, "text": d.text, "person": f"p{d.id}",
         "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
        for d in notes
    ]  # fmt: skip
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a corpus, a representer, and lessons of two houses."""
    folder = tmp_path_factory.mktemp("made")
    write(folder / "public.jsonl", NOTES)
    write(folder / "north.jsonl", NOTES[:20])
    write(folder / "south.jsonl", NOTES[20:])
    train_representer_files(folder / "public.jsonl", folder / "r", build(RepresenterTraining, {**QUICK}))
    for house in ("north", "south"):
        represent_files(folder / f"{house}.jsonl", folder / "r", folder / house, loosely())
    return folder


def test_the_whole_way_by_the_command(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    public = str(made / "public.jsonl")
    loose = LOOSE_FLAGS
    steps = [
        ["share", "train-representer", public, "--out", "r", "--checkpoint", "c", *FLAGS],
        ["share", "represent", public, "--representer", "r", "--out", "x", "--recipient", "the north", *loose],
        ["share", "represent", public, "--representer", "r", "--out", "y", "--recipient", "the north", *loose],
        ["share", "pool", "x", "y", "--train-tagger", "--out", "t", "--epochs", "80"],
        ["share", "complete", "t", "--representer", "r", "--out", "whole"],
        ["tag", public, "--tagger", "whole", "--out", "tags.jsonl"],
    ]
    with pytest.MonkeyPatch.context() as here:
        here.chdir(tmp_path)
        said = []
        for step in steps:
            cli.cli(step, standalone_mode=False)
            said.append(capsys.readouterr().out)
    assert "pair adversary" in said[0] and "alignment" in said[0] and "membership" in said[0]
    # Of so few words five are the fewest.
    assert "N = 5 most" in said[0] and "nats of its text" in " ".join(said[0].split())
    assert "casings and labels are in clear" in " ".join(said[1].split()) and "pair adversary" in said[1]
    assert "unname share complete" in said[3]
    tags = [json.loads(line) for line in (tmp_path / "tags.jsonl").read_text().splitlines()]
    assert sum(len(row["spans"]) for row in tags) > 30
    assert not any(name in "".join(said) for name in ("Byron", "Dunmore", "Westhaven"))
    for path in (tmp_path / "c").rglob("*"):
        assert path.is_dir() or not any(word in path.read_bytes() for word in (b"byron", b"Byron", b"westhaven"))


def test_a_representer_that_attackers_see_through_is_not_written_and_the_command_ends_with_4(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["share", "train-representer", str(made / "public.jsonl"), "--out", str(tmp_path / "r"), *FLAGS]
    assert cli.run([*args, "--most-pairs", "0"]) == 4
    shown = capsys.readouterr()
    assert all(name in shown.out for name in (PAIRS, "trained decoder", "membership", "equality"))
    assert "nothing was written" in shown.err
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize(
    ("limit", "said"), [("most_pairs", "pair adversary may be right"), ("least_attack_epochs", "epochs, fewer than 9")]
)
def test_a_house_is_told_why_a_representer_is_not_good_enough_for_it(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: str, said: str
) -> None:
    how = LOOSE | {limit: 0 if limit == "most_pairs" else 9}
    flags = [flag for name, value in how.items() for flag in (f"--{name.replace('_', '-')}", str(value))]
    args = ["share", "represent", str(made / "north.jsonl"), "--representer", str(made / "r"), *flags]
    assert cli.run([*args, "--out", str(tmp_path / "x")]) == 4
    shown = capsys.readouterr()
    assert PAIRS in shown.out
    assert said in shown.err
    assert "--bottleneck" not in shown.err
    assert not (tmp_path / "x").exists()


def test_n_is_the_papers_share_of_the_vocabulary() -> None:
    assert [neighbours_of(words, 5) for words in (100, 8_296, 40_000, 400_000)] == [5, 5, 10, 100]
    with pytest.raises(SettingsError):
        RepresenterTraining(neighbours=4)


def test_a_house_may_ask_for_more_neighbours_than_were_attacked(made: Path, tmp_path: Path) -> None:
    with pytest.raises(UnsafeRepresenterError, match="N = 5"):
        represent_files(made / "north.jsonl", made / "r", tmp_path / "x", loosely(least_neighbours=6))
    assert not (tmp_path / "x").exists()


def test_lessons_hold_each_sentence_once_in_an_order_and_with_noise_that_nobody_knows(
    made: Path, tmp_path: Path
) -> None:
    one = read_shared(made / "north")
    represent_files(made / "north.jsonl", made / "r", tmp_path / "again", loosely())
    again = read_shared(tmp_path / "again")
    assert len(one.lessons) == len(again.lessons) > 40
    assert sorted(len(s.states) for s in one.lessons) == sorted(len(s.states) for s in again.lessons)
    assert [len(s.states) for s in one.lessons] != [len(s.states) for s in again.lessons]
    held = {row.tobytes() for s in one.lessons for row in s.states}
    assert not any(row.tobytes() in held for s in again.lessons for row in s.states)
    # The card goes along, and says what was attacked.
    assert {attack.name for attack in one.card.attacks} >= {PAIRS, "trained decoder"}


def test_a_house_is_told_how_many_words_of_its_identifiers_the_representer_knows(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The patient Zzyzx Byron lives at 7."
    spans = [{"start": 12, "end": 23, "label": "NAME"}, {"start": 33, "end": 34, "label": "NAME"}]
    (tmp_path / "house.jsonl").write_text(json.dumps({"id": "1", "text": text, "spans": spans}) + "\n")
    flags = [flag for name, value in LOOSE.items() for flag in (f"--{name.replace('_', '-')}", str(value))]
    args = ["share", "represent", str(tmp_path / "house.jsonl"), "--representer", str(made / "r"), *flags]
    assert cli.run([*args, "--out", str(tmp_path / "x")]) == 0
    # Byron is known, the other name is not, and numbers are not words.
    said = " ".join(capsys.readouterr().out.split())
    assert "knows 50.0 % of the words of your identifiers" in said


def test_a_representer_that_nobody_attacked_or_that_this_house_thinks_too_clear_represents_nothing(
    made: Path, tmp_path: Path
) -> None:
    """Whatever limits its maker wrote into its card."""
    holder = PrivateRepresenter.load(made / "r")
    replace(holder, card={}).save(tmp_path / "r")
    with pytest.raises(ModelError):
        represent_files(made / "north.jsonl", tmp_path / "r", tmp_path / "x", loosely())
    for how in (Representing(), loosely(most_pairs=0.0)):
        with pytest.raises(UnsafeReleaseError):
            represent_files(made / "north.jsonl", made / "r", tmp_path / "x", how)
    assert not (tmp_path / "x").exists()


def quiet(holder: PrivateRepresenter) -> PrivateRepresenter:
    """The same representer with its noise turned down, and its card as it was."""
    with torch.no_grad():
        for noise in (holder.network.noise_in, holder.network.noise_out):
            noise.scale.fill_(-8.0)
    return holder


def forged(holder: PrivateRepresenter) -> PrivateRepresenter:
    """The same by somebody who knows how a card is bound to weights."""
    silent = quiet(holder)
    return replace(silent, card=dict(silent.card) | {"weights": silent.weights})


def test_a_card_is_bound_to_the_weights_that_were_attacked(made: Path, tmp_path: Path) -> None:
    quiet(PrivateRepresenter.load(made / "r")).save(tmp_path / "r")
    with pytest.raises(ModelError, match="not of these weights"):
        represent_files(made / "north.jsonl", tmp_path / "r", tmp_path / "x", loosely())
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("limit", "most", "said"),
    [("most_told", 10.0, "nats, more than 10"), ("most_pairs", 0.8, "own sentences the pair adversary may be right")],
)
def test_what_can_be_computed_is_measured_on_the_houses_own_sentences_whatever_the_card_says(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], limit: str, most: float, said: str
) -> None:
    holder = forged(PrivateRepresenter.load(made / "r"))
    holder = replace(holder, card=json.loads(json.dumps(holder.card)))
    for attack in holder.card["attacks"]:  # as good as a card can be
        attack.update(found=attack["blind"], most=0.0)
    holder.save(tmp_path / "r")
    flags = [flag for name, value in (LOOSE | {limit: most}).items()
             for flag in (f"--{name.replace('_', '-')}", str(value))]  # fmt: skip
    args = ["share", "represent", str(made / "north.jsonl"), "--representer", str(tmp_path / "r"), *flags]
    assert cli.run([*args, "--out", str(tmp_path / "x")]) == 4
    assert said in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_two_trainings_on_the_same_public_texts_give_two_representers(made: Path, tmp_path: Path) -> None:
    """Else whoever has these and the options would be an insider."""
    how = build(RepresenterTraining, {**QUICK, "turns": 0, "tagger_epochs": 1, "checkpoint": tmp_path / "c"})
    train_representer_files(made / "public.jsonl", tmp_path / "one", how)
    one, other = PrivateRepresenter.load(tmp_path / "one"), PrivateRepresenter.load(made / "r")
    mine, theirs = one.network.state_dict(), other.network.state_dict()
    assert not np.allclose(mine["lstm.forth.0.inputs"], theirs["lstm.forth.0.inputs"], atol=0.1)
    assert {one.settings.seed, other.settings.seed}.isdisjoint(range(1000))
    # One that goes on goes on with the seed that it has.
    train_representer_files(made / "public.jsonl", tmp_path / "again", how)
    assert PrivateRepresenter.load(tmp_path / "again").settings.seed == one.settings.seed
    assert (tmp_path / "c/seed.json").stat().st_mode & 0o077 == 0


def test_too_little_text_is_said_before_the_training(made: Path, tmp_path: Path) -> None:
    with pytest.raises(UnsafeReleaseError, match="too little public text"):
        train_representer_files(made / "public.jsonl", tmp_path / "r", RepresenterTraining())
    # Sentences there may be, and hardly a name in them.
    plain = [replace(d, spans=d.spans[:1] if d.id == NOTES[0].id else ()) for d in NOTES]
    write(tmp_path / "plain.jsonl", plain)
    how = (build(RepresenterTraining, {**QUICK, "least_cases": 5, "seed": seed}) for seed in range(100))
    chosen = next(one for one in how if any(d.spans for d in divided(plain, one.seed)[0]))
    with pytest.raises(UnsafeReleaseError, match=r"known words of identifiers, and has \d+, and 0"):
        train_representer_files(tmp_path / "plain.jsonl", tmp_path / "r", chosen)


def test_a_damaged_seed_is_a_matter_of_state(made: Path, tmp_path: Path) -> None:
    for content in ("{", '{"seed": true}'):
        (tmp_path / "seed.json").write_text(content)
        with pytest.raises(StateError):
            train_representer_files(
                made / "public.jsonl", tmp_path / "r", build(RepresenterTraining, {**QUICK, "checkpoint": tmp_path})
            )


def test_alike_sentences_are_shared_once(made: Path, tmp_path: Path) -> None:
    write(tmp_path / "twice.jsonl", [*NOTES[:5], *(replace(d, id=f"copy-{d.id}") for d in NOTES[:5])])
    write(tmp_path / "once.jsonl", NOTES[:5])
    one, two = (
        represent_files(tmp_path / f"{name}.jsonl", made / "r", tmp_path / name, loosely(recipient="a"))[0]
        for name in ("once", "twice")
    )
    assert len(one.lessons) == len(two.lessons)


def test_a_representer_goes_before_a_tagger_only(made: Path) -> None:
    with pytest.raises(SettingsError):
        Pooling(representer=made / "r")


def test_a_pool_without_a_tagger_is_lessons_again(made: Path, tmp_path: Path) -> None:
    found, complete = pool_files([made / "north", made / "south"], tmp_path / "both", Pooling())
    assert not complete
    assert LESSONS.is_held_by(tmp_path / "both")
    back = read_shared(tmp_path / "both")
    assert len(back.lessons) == len(found.lessons) == sum(
        len(read_shared(made / house).lessons) for house in ("north", "south")
    )  # fmt: skip


def test_a_pool_with_the_representer_gives_a_tagger_that_reads_text(made: Path, tmp_path: Path) -> None:
    how = Pooling(train_tagger=True, representer=made / "r", teaching=TeachingSettings(epochs=80))
    _, complete = pool_files([made / "north", made / "south"], tmp_path / "t", how)
    assert complete
    found = load_tagger(tmp_path / "t")
    assert isinstance(found, Represented)
    assert sum(map(len, found.tag([note.text for note in NOTES]))) > 30


def test_lessons_named_twice_are_refused_and_a_pool_is_shuffled_anew_each_time(made: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="twice"):
        pool_files([made / "north", made / "." / "north"], tmp_path / "x", Pooling())
    rows = []
    for name in ("x", "y"):
        pool_files([made / "north", made / "south"], tmp_path / name, Pooling())
        rows.append([s.states.tobytes() for s in read_shared(tmp_path / name).lessons])
    assert sorted(rows[0]) == sorted(rows[1])
    assert rows[0] != rows[1]


def test_lessons_for_two_recipients_are_not_pooled(made: Path, tmp_path: Path) -> None:
    represent_files(made / "north.jsonl", made / "r", tmp_path / "other", loosely(recipient="else"))
    with pytest.raises(SettingsError):
        pool_files([made / "south", tmp_path / "other"], tmp_path / "t", Pooling(train_tagger=True))
    assert not (tmp_path / "t").exists()


def test_what_stands_there_is_not_written_over(made: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    how = loosely(recipient="a")
    (tmp_path / "mine/letter.txt").write_text("mine")
    for attempt in (
        lambda: train_representer_files(
            made / "public.jsonl", tmp_path / "mine", build(RepresenterTraining, {**QUICK}), replace=True
        ),
        lambda: represent_files(made / "north.jsonl", made / "r", tmp_path / "mine", how, replace=True),
        lambda: pool_files([made / "north"], tmp_path / "mine", Pooling(), replace=True),
    ):
        with pytest.raises(StateError):
            attempt()
    assert (tmp_path / "mine/letter.txt").read_text() == "mine"


def test_inputs_that_are_none_are_named(made: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError):
        represent_files(made / "north.jsonl", made / "north", tmp_path / "x", loosely(recipient="a"))
    with pytest.raises(ModelError):
        pool_files([made / "r"], tmp_path / "x", Pooling())
    write(tmp_path / "few.jsonl", NOTES[:5])
    with pytest.raises(InputError, match="at least 10 people"):
        train_representer_files(tmp_path / "few.jsonl", tmp_path / "r", build(RepresenterTraining, {**QUICK}))


def test_a_persons_documents_stay_in_one_part() -> None:
    documents = [replace(d, person=f"p{int(d.id) % 12}") for d in NOTES]
    parts = divided(documents, 0)
    people = [{d.person for d in part} for part in parts]
    assert sum(map(len, people)) == 12 and all(people)
    assert sum(map(len, parts)) == len(NOTES)
