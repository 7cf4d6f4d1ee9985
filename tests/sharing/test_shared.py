"""Lessons that leave the house: what is in them, what is refused, and the tagger that learns from them."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from multiprocessing.reduction import ForkingPickler
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

from unname.errors import InputError, ModelError, SettingsError, UnsafeReleaseError
from unname.sharing.card import Attack, Card
from unname.sharing.lessons import Lesson, lessons, represented, teach, token_f1
from unname.sharing.pairs import numbered
from unname.sharing.representer import PrivateRepresenter
from unname.sharing.settings import Limits, RepresentationSettings, TeachingSettings
from unname.sharing.shared import Shared, pooled, read_shared, require_no_text
from unname.sharing.space import Space, make_space
from unname.sharing.tagger import Origin, Represented
from unname.sharing.training import train_representation
from unname.storage.wordvectors import WordVectors
from unname.taggers.lstm.reading import key
from unname.taggers.models import load_tagger
from unname.taggers.reading import bio_labels, read
from unname.testing import HARD_TEXTS, check_tagger, sample_notes
from unname.types import Document, Span

pytestmark = pytest.mark.usefixtures("one_thread")
NOTES = sample_notes()
LABELS = bio_labels(NOTES)
SETTINGS = RepresentationSettings(
    width=16, neighbours=5, units=16, adversary_units=8, batch=16, tagger_epochs=20, adversary_epochs=0, turns=0, rate=0.01,
    noise=0.1, bottleneck=0.0,
)  # fmt: skip


def made_space() -> Space:
    """Vectors for all words of the notes: names near names, and so on."""
    random, kinds = np.random.default_rng(0), dict[str, int]()
    for note in NOTES:
        reading = read(note.text)
        for token, label in zip(reading.tokens, reading.gold(note.spans), strict=True):
            kinds.setdefault(key(reading.normalised.text[token.start : token.end]), sum(map(ord, label[2:])) % 97)
    middles = {kind: random.normal(size=8) for kind in kinds.values()}
    rows = [middles[kind] + 0.2 * random.normal(size=8) for kind in kinds.values()]
    return make_space(WordVectors(tuple(kinds), np.array(rows, np.float32)))


SPACE = made_space()
SENTENCES = numbered(NOTES, SPACE, LABELS)
CARD = Card(
    (Attack("membership", 0.5, 0.5, 90, 0.1),), Limits(), 1.0, neighbours=5, epochs=50, told=1.0, weights="0" * 64
)


@pytest.fixture(scope="module")
def representer() -> PrivateRepresenter:
    trained = train_representation(SENTENCES, SENTENCES[:40], SPACE, LABELS, SETTINGS)
    found = PrivateRepresenter(SPACE.words, trained.representer, LABELS, SETTINGS, bytes(range(32)))
    return replace(found, card=replace(CARD, weights=found.weights).as_dict())


def made_lessons(representer: PrivateRepresenter, recipient: str = "pool") -> Shared:
    states = representer.represent(SENTENCES, secret=1, recipient=recipient)
    origin = Origin(representer.mark, recipient, representer.settings.width)
    return Shared(tuple(lessons(SENTENCES, states)), LABELS, origin, CARD)


@pytest.fixture(scope="module")
def shared(representer: PrivateRepresenter) -> Shared:
    return made_lessons(representer)


@pytest.fixture(scope="module")
def tagger(shared: Shared, representer: PrivateRepresenter) -> Represented:
    settings = TeachingSettings(units=16, epochs=30, batch=16, rate=0.01)
    body = teach(shared.lessons, (), LABELS, settings)
    return Represented(body, LABELS, shared.origin, 16).completed(representer)


def test_a_tagger_learns_from_lessons_without_words_what_it_then_finds_in_text(tagger: Represented) -> None:
    right = found = meant = 0
    for note, spans in zip(NOTES, tagger.tag([n.text for n in NOTES]), strict=True):
        mine, gold = ({(s.start, s.end, s.label) for s in some} for some in (spans, note.spans))
        right, found, meant = right + len(mine & gold), found + len(mine), meant + len(gold)
    assert 2 * right / (found + meant) > 0.9


def test_it_satisfies_the_suite_for_taggers(tagger: Represented) -> None:
    check_tagger(lambda: tagger)
    assert tagger.tag([]) == []
    assert len(tagger.tag(HARD_TEXTS)) == len(HARD_TEXTS)


def test_a_copy_in_another_process_finds_the_same(tagger: Represented) -> None:
    copy = ForkingPickler.loads(ForkingPickler.dumps(tagger))
    texts = [note.text for note in NOTES[:5]]
    assert copy.tag(texts) == tagger.tag(texts)


def test_noise_follows_from_the_secret_alone_and_company_changes_nothing(representer: PrivateRepresenter) -> None:
    one, again, other = (representer.represent(SENTENCES[:9], secret=s) for s in (1, 1, 2))
    assert all(np.array_equal(a, b) for a, b in zip(one, again, strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    plain = represented(representer.network, SENTENCES[:9], secret=1, noisy=False)
    alone = [represented(representer.network, [s], secret=5, noisy=False)[0] for s in SENTENCES[:9]]
    assert all(np.allclose(a, b, atol=1e-5) for a, b in zip(plain, alone, strict=True))
    assert [len(row) for row in plain] == [len(s.words) for s in SENTENCES[:9]]


def test_each_recipient_has_a_rotation_of_its_own(representer: PrivateRepresenter) -> None:
    one, other = representer.rotation("north"), representer.rotation("south")
    assert np.allclose(one @ one.T, np.eye(16), atol=1e-5)
    assert np.array_equal(one, representer.rotation("north"))
    assert np.abs(one - other).max() > 0.3
    stranger = replace(representer, secret=bytes(32))
    assert np.abs(stranger.rotation("north") - one).max() > 0.3
    assert stranger.mark != representer.mark
    states = representer.represent(SENTENCES[:2], secret=3)
    turned = representer.represent(SENTENCES[:2], secret=3, recipient="north")
    assert np.allclose(turned[0] @ one.T, states[0], atol=1e-4)


def test_lessons_come_back_as_they_were_and_hold_no_text(shared: Shared, tmp_path: Path) -> None:
    words = [note.text[s.start : s.end] for note in NOTES for s in note.spans]
    shared.save(tmp_path / "x", words=words)
    back = read_shared(tmp_path / "x")
    assert back.labels == shared.labels and back.origin == shared.origin and back.card == shared.card
    for one, other in zip(back.lessons, shared.lessons, strict=True):
        assert np.allclose(one.states, other.states, atol=1e-2)
        assert np.array_equal(one.gold, other.gold) and np.array_equal(one.casings, other.casings)
    written = b"".join(path.read_bytes() for path in sorted((tmp_path / "x").iterdir()))
    assert not any(
        word.encode() in written for text in (n.text for n in NOTES) for word in text.split() if len(word) > 5
    )


def _labelled(shared: Shared, name: str) -> Shared:
    return replace(shared, labels=tuple(label.replace("PLACE", name) for label in shared.labels))


@pytest.mark.parametrize("name", ["Westhaven", "Westhaven-Ward", "MARTINEZ", "Byron", "N612345678"])
def test_a_label_that_is_a_word_of_an_identifier_is_not_shared(shared: Shared, tmp_path: Path, name: str) -> None:
    words = ["westhaven", "Martínez", "BYRON", "N612345678"]
    with pytest.raises(UnsafeReleaseError) as caught:
        _labelled(shared, name).save(tmp_path / "x", words=words)
    assert name not in str(caught.value)
    assert not (tmp_path / "x").exists()
    # Unless it is public already: the representer has it ("HOSPITAL").
    public = _labelled(shared, name)
    public.save(tmp_path / "x", words=words, public=public.labels)
    assert read_shared(tmp_path / "x").labels == public.labels


def test_words_are_compared_whole_and_folded() -> None:
    require_no_text(["NAME", "OTHER_NAME"], ["Na", "Names", "12"])
    for shown, word in (("Zoë", "ZOE"), ("x-martinez", "Martínez"), ("A_1984", "1984")):
        with pytest.raises(UnsafeReleaseError):
            require_no_text([shown], [word])


def test_labels_that_look_like_text_are_not_shared(shared: Shared, tmp_path: Path) -> None:
    for wrong in ("Ada's mother, from Elmira", "Maria Garcia", "7", "x" * 80):
        labels = ("O", f"B-{wrong}", f"I-{wrong}")
        one = Lesson(np.zeros((1, 16), np.float32), np.zeros(1, np.int64), np.zeros(1, np.int64))
        with pytest.raises(InputError) as caught:
            replace(shared, lessons=(one,), labels=labels).save(tmp_path / "x")
        assert "Ada" not in str(caught.value)
        assert "number 1 of them" in str(caught.value)


def test_nothing_is_no_lesson(shared: Shared, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        replace(shared, lessons=()).save(tmp_path / "x")


def test_a_pool_keeps_every_houses_labels_and_refuses_what_does_not_belong_together(
    shared: Shared, representer: PrivateRepresenter
) -> None:
    few = ("O", "B-WARD", "I-WARD")
    other = replace(
        shared, labels=few, lessons=tuple(s._replace(gold=np.minimum(s.gold, 1)) for s in shared.lessons[:7])
    )
    found = pooled([shared, other])
    assert [label[2:] for label in found.labels[1 : 1 + len(found.labels) // 2]] == [
        "AGE",
        "DATE",
        "NAME",
        "PLACE",
        "WARD",
    ]
    assert len(found.lessons) == len(shared.lessons) + 7
    for before, after in zip(shared.lessons, found.lessons, strict=False):
        assert [shared.labels[g] for g in before.gold] == [found.labels[g] for g in after.gold]
    assert {found.labels[g] for s in found.lessons[-7:] for g in s.gold} <= {"O", "B-WARD"}
    with pytest.raises(SettingsError):
        pooled([shared, made_lessons(representer, "somebody else")])
    with pytest.raises(SettingsError):
        pooled([shared, made_lessons(replace(representer, secret=bytes(32)))])
    with pytest.raises(SettingsError):
        pooled([shared, replace(shared, card=replace(CARD, coverage=0.5))])


def test_without_the_representer_a_tagger_cannot_read_and_a_strangers_does_not_fit(
    shared: Shared, tagger: Represented, representer: PrivateRepresenter, tmp_path: Path
) -> None:
    bare = Represented(tagger.body, LABELS, shared.origin, 16)
    with pytest.raises(ModelError, match="unname share complete"):
        bare.tag(["Ada"])
    bare.save(tmp_path / "bare")
    assert json.loads((tmp_path / "bare/words.json").read_text())["words"] == []
    back = load_tagger(tmp_path / "bare")
    assert isinstance(back, Represented)
    texts = [note.text for note in NOTES[:5]]
    assert back.completed(representer).tag(texts) == tagger.tag(texts)
    with pytest.raises(SettingsError):
        back.completed(replace(representer, secret=bytes(32)))


def test_a_saved_tagger_and_representer_come_back_to_the_bit(
    tagger: Represented, representer: PrivateRepresenter, tmp_path: Path
) -> None:
    tagger.save(tmp_path / "t")
    representer.save(tmp_path / "r")
    texts = [note.text for note in NOTES[:5]]
    assert load_tagger(tmp_path / "t").tag(texts) == tagger.tag(texts)
    back = PrivateRepresenter.load(tmp_path / "r")
    assert (back.mark, back.words, back.labels, back.settings) == (
        representer.mark, representer.words, representer.labels, representer.settings
    )  # fmt: skip
    mine, theirs = (one.represent(SENTENCES[:3], secret=4, recipient="a") for one in (representer, back))
    assert all(np.array_equal(a, b) for a, b in zip(mine, theirs, strict=True))
    files = [path for folder in ("t", "r") for path in (tmp_path / folder).iterdir()]
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)


def _described(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        about = json.loads((folder / "model.json").read_text())
        change(about)
        (folder / "model.json").write_text(json.dumps(about))

    return spoil


def _rewritten(name: str, content: bytes) -> Callable[[Path], None]:
    """A file changed, and its hash with it."""

    def spoil(folder: Path) -> None:
        (folder / name).write_bytes(content)
        _described(lambda about: about["files"].update({name: sha256(content).hexdigest()}))(folder)

    return spoil


def _words(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """As many words as vectors, but one of them is off."""

    def spoil(folder: Path) -> None:
        found = json.loads((folder / "words.json").read_text())
        change(found)
        _rewritten("words.json", json.dumps(found).encode())(folder)

    return spoil


HOSTILE = [
    lambda folder: (folder / "weights.safetensors").unlink(),
    lambda folder: (folder / "more.pkl").write_bytes(b"x"),
    lambda folder: (folder / "words.json").write_bytes(b"{}"),
    _described(lambda about: about.update(format="other.v1")),
    _described(lambda about: about.update(more=1)),
    _described(lambda about: about["settings"].update(width=10**9)),
    _described(lambda about: about["settings"].update(width=7)),
    _described(lambda about: about["settings"].update(width=18)),
    _described(lambda about: about["settings"].update(noise=-1.0)),
    _described(lambda about: about["settings"].update(follows=1)),
    _described(lambda about: about["settings"].update(other=1)),
    _described(lambda about: about["settings"].update(noise=10**400)),
    _described(lambda about: about["settings"].update(noise=float("nan"))),
    _described(lambda about: about["settings"].update(bottleneck=-1.0)),
    _described(lambda about: about.update(vectors=[10**9, 8])),
    _described(lambda about: about.update(vectors="x")),
    _described(lambda about: about["vectors"].reverse()),
    _words(lambda found: found["words"].__setitem__(1, found["words"][0])),
    _words(lambda found: found["words"].__setitem__(1, 1)),
    _words(lambda found: found["labels"].__setitem__(0, "X")),
    _words(lambda found: found.update(more=[])),
    _rewritten("weights.safetensors", b"\xff" * 64),
]


@pytest.mark.parametrize("spoil", HOSTILE)
def test_a_folder_with_anything_off_is_refused(
    tagger: Represented, representer: PrivateRepresenter, tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    for name, thing in (("t", tagger), ("r", representer)):
        thing.save(tmp_path / name)
        spoil(tmp_path / name)
        with pytest.raises(ModelError):
            type(thing).load(tmp_path / name)


@pytest.mark.parametrize("wrong", [b'{"secret": "xyz"}', b'{"secret": "00"}', b'{"secret": 5}', b"{}"])
def test_a_representers_secret_is_checked(representer: PrivateRepresenter, tmp_path: Path, wrong: bytes) -> None:
    representer.save(tmp_path / "r")
    _rewritten("secret.json", wrong)(tmp_path / "r")
    with pytest.raises(ModelError):
        PrivateRepresenter.load(tmp_path / "r")


@pytest.mark.parametrize(
    "origin",
    [
        {},
        [1],
        {"mark": 1, "recipient": "a", "width": 16},
        {"mark": "00" * 8, "recipient": "a", "width": 3},
        {"mark": "00" * 8, "recipient": "a", "width": 10**9},
        {"mark": "xy" * 8, "recipient": "a", "width": 16},
        {"mark": "00" * 8, "recipient": "\ud800", "width": 16},
        {"mark": "00" * 8, "recipient": "a" * 300, "width": 16},
        {"mark": "00" * 8, "recipient": "a", "width": 8192},
    ],
)
def test_an_origin_is_checked(tagger: Represented, tmp_path: Path, origin: object) -> None:
    tagger.save(tmp_path / "t")
    _described(lambda about: about.update(origin=origin))(tmp_path / "t")
    with pytest.raises(ModelError):
        load_tagger(tmp_path / "t")


def _arrays(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        found = load((folder / "lessons.safetensors").read_bytes())
        change(found)
        (folder / "lessons.safetensors").write_bytes(save(found))

    return spoil


def _card(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def spoil(folder: Path) -> None:
        about = json.loads((folder / "card.json").read_text())
        change(about)
        (folder / "card.json").write_text(json.dumps(about))

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "card.json").unlink(),
        lambda folder: (folder / "notes.txt").write_bytes(b"x"),
        lambda folder: (folder / "lessons.safetensors").write_bytes(b"\xff" * 99),
        _card(lambda about: about.update(format="other")),
        _card(lambda about: about.update(more=1)),
        _card(lambda about: about.update(labels=["O", "B-A"])),
        _card(lambda about: about.update(labels=["O", 1, 2])),
        _card(lambda about: about.update(labels=["O"])),
        _card(lambda about: about.update(card=[])),
        _card(lambda about: about["card"].update(seen="in Westhaven")),
        _card(lambda about: about["origin"].update(width=18)),
        _arrays(lambda found: found.pop("labels")),
        _arrays(lambda found: found.update(more=np.zeros(1, np.uint8))),
        _arrays(lambda found: found.update(states=found["states"].astype(np.float32))),
        _arrays(lambda found: found.update(states=found["states"][:-1])),
        _arrays(lambda found: found.update(casings=found["casings"] + np.uint8(9))),
        _arrays(lambda found: found.update(lengths=found["lengths"] * 0)),
        _arrays(lambda found: found["states"].fill(np.nan)),
    ],
)
def test_lessons_with_anything_off_are_refused(shared: Shared, tmp_path: Path, spoil: Callable[[Path], object]) -> None:
    shared.save(tmp_path / "x")
    spoil(tmp_path / "x")
    with pytest.raises(ModelError):
        read_shared(tmp_path / "x")


def test_the_best_epoch_on_what_is_held_out_counts() -> None:
    random = np.random.default_rng(0)
    some = [
        Lesson(np.eye(4, dtype=np.float32)[gold] + 0.1 * random.normal(size=(6, 4)).astype(np.float32), gold * 0, gold)
        for gold in random.integers(0, 2, size=(60, 6))
    ]
    body = teach(some[:50], some[50:], ("O", "B-A", "I-A"), TeachingSettings(units=8, epochs=12, rate=0.05))
    assert token_f1(body, some[50:]) > 0.95


def test_a_tagger_that_finds_nothing_yet_goes_on_and_one_that_no_longer_gets_better_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    some = [Lesson(random.normal(size=(4, 4)).astype(np.float32), np.zeros(4, np.int64), np.array([0, 1, 2, 0]))] * 8
    scores = iter([0.0] * 5 + [0.4, 0.3, 0.3, 0.9])
    asked = list[float]()
    monkeypatch.setattr("unname.sharing.lessons.token_f1", lambda *_: asked.append(next(scores)) or asked[-1])
    teach(some, some, ("O", "B-A", "I-A"), TeachingSettings(units=2, epochs=30, patience=2))
    assert asked == [0.0] * 5 + [0.4, 0.3, 0.3]


def test_lessons_without_identifiers_teach_nothing() -> None:
    some = [Lesson(np.zeros((2, 4), np.float32), np.zeros(2, np.int64), np.zeros(2, np.int64))]
    with pytest.raises(ModelError):
        teach(some, (), ("O", "B-A", "I-A"), TeachingSettings())
    with pytest.raises(SettingsError):
        TeachingSettings(epochs=0)


def test_nothing_of_text_shows(shared: Shared, tagger: Represented, representer: PrivateRepresenter) -> None:
    for thing in (shared, tagger, representer, shared.lessons[0], Document("1", "Ada", spans=(Span(0, 3, "NAME"),))):
        assert "Ada" not in repr(thing) and "dunmore" not in repr(thing).lower()
