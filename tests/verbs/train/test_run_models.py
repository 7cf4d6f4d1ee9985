"""Models that learn, in the main job: who teaches them, whom they judge, and how they travel from run to run."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_settings import by_rules

from unname.auditing.page import in_short
from unname.errors import InputError, ModelError, SettingsError, UnsafeReleaseError
from unname.inputs.files import Inputs
from unname.inputs.training_documents import (
    masking_split,
    rounds_wanted,
    settled_reidentifiers,
    teaches_masking,
    training_groups,
)
from unname.job import AuditPlan, Source, make_job
from unname.knowledge.fictional import Town, fictional_town
from unname.knowledge.population import Population, make_population
from unname.masking.base import Case
from unname.masking.search import Greedy
from unname.parallel.workers import WorkerPool
from unname.protecting.keys import learning_seed
from unname.protecting.parts import Fitted, make_parts
from unname.protecting.result import Deidentified
from unname.reidentifiers.base import crowd
from unname.reidentifiers.ensemble import build_ensemble
from unname.reidentifiers.learned.additive import MOST_EXAMPLES, Additive
from unname.reidentifiers.learned.static import Static
from unname.reidentifiers.learned.training_examples import FOLDS, fold_of
from unname.reidentifiers.models import load_model, load_models
from unname.runtime import Runtime
from unname.storage.tables import write_jsonl
from unname.types import Mask, Profile
from unname.verbs.audit.files import audit_files
from unname.verbs.audit.in_memory import Knowledge
from unname.verbs.audit.options import make_audit_job
from unname.verbs.deidentify.files import deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.verbs.deidentify.own_audit import audit_own_release
from unname.verbs.embed.run import embed_files
from unname.verbs.reidentify.run import reidentify
from unname.verbs.train.options import ReidentifierTraining
from unname.verbs.train.reidentifier import train_reidentifier_files
from unname.verifying.crowds import verify_crowds
from unname.verifying.recount import Recount, Weights

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

KEY = b"k" * 32
K = 5
LEARNED = ("bm25", "ngrams", "additive")


@pytest.fixture(scope="module")
def town() -> Town:
    """People with notes enough to learn from, in either fold."""
    return fictional_town(people=150, seed=2)


@pytest.fixture(scope="module")
def population(town: Town) -> Population:
    return Population(town.profiles)


@pytest.fixture(scope="module")
def released(town: Town, population: Population) -> Deidentified:
    """The notes of the first forty, hidden from a model as well; all others only teach."""
    first = {p.id for p in town.profiles[:40]}
    notes = [d for d in town.documents if d.person in first]
    others = [d for d in town.documents if d.person not in first]
    return deidentify(notes, population, settings=by_rules(k=K, reidentifiers=LEARNED), key=KEY, training=others)


@pytest.fixture(scope="module")
def files(town: Town, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Documents (the first forty people's in the split `ask`), people, and a model taught by the others."""
    folder = tmp_path_factory.mktemp("models")
    first = {p.id for p in town.profiles[:40]}
    rows = ({"id": d.id, "person": d.person, "text": d.text, "split": "ask" if d.person in first else "teach"}
            for d in town.documents)  # fmt: skip
    write_jsonl(folder / "documents.jsonl", rows)
    write_jsonl(folder / "people.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in town.profiles))
    train_reidentifier_files(
        Source(folder / "documents.jsonl", folder / "people.jsonl", split="teach"), folder / "model"
    )
    return folder / "documents.jsonl", folder / "people.jsonl", folder / "model"


@pytest.fixture
def caught_statics(monkeypatch: pytest.MonkeyPatch) -> list[Static]:
    """Every static that is fitted in this process."""
    found: list[Static] = []
    fit = Static.fit
    monkeypatch.setattr(Static, "fit", lambda self, *given: (found.append(self), fit(self, *given))[1])
    return found


# --- who teaches


@pytest.mark.usefixtures("short_training")
def test_nobody_is_judged_by_a_model_that_their_documents_taught(town: Town, population: Population) -> None:
    split = masking_split(0)
    groups = training_groups(town.documents, population)
    assert len(groups) == FOLDS
    for fold, group in enumerate(groups):
        assert group and all(fold_of(str(d.person), split) != fold for d in group)
    ensemble = build_ensemble(("bm25", "additive"), town.profiles, taught=groups, split=split)
    assert [len(ensemble.members[name]) for name in ("bm25.v1", "additive.v1")] == [1, FOLDS]
    for person in [p.id for p in town.profiles[:20]]:
        assert ensemble.facing(person)["additive.v1"] is ensemble.members["additive.v1"][fold_of(person, split)]
    for fold, model in enumerate(ensemble.fitted["additive.v1"]):
        assert isinstance(model, Additive)
        assert len(model.trained_on_) == len({text for d in groups[fold] for text in (d.person, d.text)})


@pytest.mark.usefixtures("short_training")
def test_what_learns_for_a_masking_has_the_secret_keys_seed_and_teachers_of_its_own(
    town: Town, population: Population
) -> None:
    """So that nobody without the key can make it again, and two statics see people differently."""
    first = {p.id for p in town.profiles[:10]}
    notes, others = ([d for d in town.documents if (d.person in first) == own] for own in (True, False))
    taught, both = [], by_rules(k=K, reidentifiers=("static", "static-two"))
    for key in (KEY, b"l" * 32):
        made = deidentify(notes, population, key=key, training=others, settings=both)
        (one, *_), (two, *_) = made.ensemble.fitted.values()
        assert isinstance(one, Static) and isinstance(two, Static) and not one.trained_on_ & two.trained_on_
        assert made.ensemble.secret == {"static.v1", "static-two.v1"} and one.seed == two.seed == learning_seed(key)
        taught.append(one.token_vectors_)
    assert not np.array_equal(*taught)


@pytest.mark.usefixtures("short_training")
def test_statics_of_a_whole_job_learn_from_the_word_vectors_that_it_names(
    files: tuple[Path, Path, Path], tmp_path: Path, caught_statics: list[Static]
) -> None:
    vectors = tmp_path / "palabras.vec"
    vectors.write_text("hola 1 2 3\nadiós 3 1 0\nsí 0 1 1\n", encoding="utf-8")
    job = make_job(
        files[0],
        files[1],
        tmp_path / "out",
        split="ask",
        k=K,
        word_vectors=vectors,
        attackers=("static",),
        accept_risk="a test",
    )
    deidentify_files(job)
    members, attackers = ([s for s in caught_statics if (s.seed == 0) == attacks] for attacks in (False, True))
    assert len(members) >= 2 and attackers
    assert all({"hola", "adiós"} <= s.vocabulary_.keys() and "senator" not in s.vocabulary_ for s in caught_statics)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert "word vectors" in manifest["inputs"] and "palabras" not in json.dumps(manifest)


def test_a_model_that_the_user_named_is_no_secret(
    files: tuple[Path, Path, Path], town: Town, population: Population
) -> None:
    """Whoever has it beside the release finds what it finds: it counts in the headline."""
    notes = [d for d in town.documents if d.person in {p.id for p in town.profiles[:40]}]
    made = deidentify(notes, population, key=KEY, settings=by_rules(k=K, reidentifiers=("bm25",), models=(files[2],)))
    assert made.ensemble.secret == frozenset()
    plan = AuditPlan(attackers=("bm25",), simulate=False)
    report = audit_own_release(Inputs(notes, (), population), made, plan, Knowledge(), Runtime())
    assert report.strongest is not None and report.strongest_without_models is None


def test_documents_of_others_teach_one_model_where_they_suffice(town: Town, population: Population) -> None:
    first = {p.id for p in town.profiles[:40]}
    notes = [d for d in town.documents if d.person in first]
    many = [replace(d, id=f"{d.id}-{i}") for i in range(16) for d in town.documents]
    (group,) = training_groups(notes, population, many)
    taught, others = {d.person for d in group}, {d.person for d in many} - first
    assert len(group) >= 1000 and not first & taught
    assert taught == {person for person in others if teaches_masking(person, 0)}, "an audit learns from the others"
    assert 0.3 < len(taught) / len(others) < 0.5
    assert len(training_groups(notes, population, [d for d in town.documents if d.person not in first])) == FOLDS
    assert len(training_groups(notes, population, many * (2 + MOST_EXAMPLES // len(group)))[0]) == MOST_EXAMPLES


@pytest.mark.usefixtures("short_training")
def test_auto_takes_what_can_learn_only_where_there_is_enough_to_learn_from(town: Town, population: Population) -> None:
    settings = by_rules()
    taught = training_groups(town.documents, population)
    assert settled_reidentifiers(settings, population, taught, {}).reidentifiers == (
        "bm25.v1",
        "ngrams.v1",
        "static.v1",
        "static-two.v1",
    )
    few = training_groups(town.documents[:30], population)
    assert settled_reidentifiers(settings, population, few, {}).reidentifiers == ("bm25.v1", "ngrams.v1")
    with pytest.raises(ModelError, match="additive needs 50 documents"):
        deidentify(town.documents[:30], population, settings=by_rules(reidentifiers=("additive",)), key=KEY)


def test_auto_counts_documents_about_people_beside_the_table(town: Town, population: Population) -> None:
    """Teachers may be about people whom the table lacks (`--training-people`)."""
    first = {p.id for p in town.profiles[:40]}
    notes = [d for d in town.documents if d.person in first]
    others = [replace(d, id=f"{d.id}-{i}") for i in range(16) for d in town.documents if d.person not in first]
    profiles = [p for p in town.profiles if p.id in first]
    alone = make_population(profiles)
    beside = replace(alone, beside=tuple(p for p in town.profiles if p.id not in first))
    for known, learning in ((alone, False), (beside, True)):
        named = settled_reidentifiers(by_rules(), known, training_groups(notes, known, others), {})
        assert ("static.v1" in named.reidentifiers) == learning


def test_rounds_are_left_out_where_enough_documents_about_others_taught_the_masking(
    town: Town, population: Population
) -> None:
    first = {p.id for p in town.profiles[:40]}
    notes = [d for d in town.documents if d.person in first]
    others = [d for d in town.documents if d.person not in first]
    many = [replace(d, id=f"{d.id}-{i}", text=f"{d.text} {i}") for i in range(16) for d in others]
    copies = [replace(d, id=f"{d.id}-{i}") for i in range(16) for d in others]
    named = ("bm25.v1", "ngrams.v1", "static.v1", "static-two.v1")
    for wanted, settings, training in (
        (0, by_rules(reidentifiers=named), many),
        (3, by_rules(reidentifiers=named), others),
        (3, by_rules(reidentifiers=named), copies),
        (2, by_rules(reidentifiers=named, rounds=2), many),
        (3, by_rules(reidentifiers=named[:2]), many),
        (0, by_rules(reidentifiers=named, method="composed"), others),
    ):
        assert rounds_wanted(make_parts(settings), notes, population, training) == wanted, settings


def test_targets_are_drawn_for_each_reidentifier_apart(
    town: Town, population: Population, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases: list[Case] = []
    search = Greedy.mask

    def watched(self: Greedy, case: Case) -> list[Mask]:
        cases.append(case)
        return search(self, case)

    monkeypatch.setattr(Greedy, "mask", watched)
    settings = by_rules(k=K, reidentifiers=("bm25", "ngrams"))
    made = deidentify(town.documents[:40], population, settings=settings, key=KEY)
    drawn = [case.own_targets for case in cases]
    assert all(set(own) == {"bm25.v1", "ngrams.v1"} for own in drawn)
    differ = sum(own["bm25.v1"] != own["ngrams.v1"] for own in drawn)
    assert differ > len(drawn) / 2 and all(t >= K for own in drawn for row in own.values() for t in row)
    for outcome in made.outcomes():
        assert outcome.target >= K and (outcome.release is None or min(outcome.crowds.values()) >= outcome.target)


# --- what is stated


def test_crowds_under_a_model_are_those_of_a_plain_recount(released: Deidentified) -> None:
    assert released.recounted > 0 and released.settings.reidentifiers[-1] == "additive.v1"
    name, ensemble, population = "additive.v1", released.ensemble, released.population
    seen = set()
    for document, text, crowds in zip(released.documents, released.texts(), released.crowds, strict=True):
        fold = ensemble.fold(document.person, name)
        index, fitted = ensemble.members[name][fold], ensemble.fitted[name][fold]
        if text is None or (fold in seen and len(seen) == FOLDS):
            continue
        seen.add(fold)
        weights = Weights(*index.vectors, fitted.matches_, fitted.frequency_, fitted.profiles_)
        slow = Recount(name, population.profiles, weights)
        column = population.rows[str(document.person)]
        assert slow.crowd([text], column) == crowds[name] >= K
        assert slow.scores_of([[text]])[0] == index.scores(text).tolist()
        assert slow.scores_of([[text, text]])[0] == (2 * index.scores(text)).tolist()
    assert len(seen) == FOLDS


def test_a_recount_under_a_model_notices_a_crowd_that_is_wrong(released: Deidentified) -> None:
    outcomes = [released.outcome(i) for i in range(len(released.documents))]
    wrong = [replace(o, crowds={**o.crowds, "additive.v1": o.crowds["additive.v1"] + 1}) for o in outcomes]
    planted = replace(released, gathered=wrong, places=np.arange(len(wrong)))
    with pytest.raises(UnsafeReleaseError, match=r"additive\.v1 differs"):
        verify_crowds(planted)


def test_an_ensemble_without_what_was_fitted_is_recounted_as_far_as_can_be(released: Deidentified) -> None:
    bare = replace(released, ensemble=replace(released.ensemble, fitted={}))
    assert verify_crowds(bare) == released.recounted > 0


def test_the_same_masks_come_of_any_number_of_workers(released: Deidentified, town: Town) -> None:
    others = [d for d in town.documents if d.person not in {n.person for n in released.documents}]
    with WorkerPool(2) as pool:
        again = deidentify(
            released.documents,
            released.population,
            settings=by_rules(k=K, reidentifiers=LEARNED),
            key=KEY,
            training=others,
            runtime=Runtime(pool=pool),
        )
    assert again.masks == released.masks and again.crowds == released.crowds


def test_words_that_count_against_somebody_never_lead_the_search_astray(released: Deidentified) -> None:
    """The search follows everybody's score under such a member; crowds on the way are exact as well."""
    exact = 0
    for document, mask in list(zip(released.documents, released.masks, strict=True))[:15]:
        index = released.ensemble.facing(document.person)["additive.v1"]
        last = [s for s in mask.spans if s.crowd_after]
        if not last:
            continue
        step = max(last, key=lambda s: s.step)
        text = document.text
        for span in sorted(mask.spans, key=lambda s: -s.start):
            text = text[: span.start] + "[MASK]" + text[span.end :]
        column = released.population.rows[str(document.person)]
        reached = crowd(index.scores(text), column)
        assert reached >= K
        if {s.step for s in last} == set(range(1, step.step + 1)):  # nothing was given back after it
            assert step.crowd_after["additive.v1"] == reached
            exact += 1
    assert exact > 3


# --- models as folders


@pytest.mark.usefixtures("short_training")
def test_a_model_serves_another_run_and_one_taught_by_those_people_is_refused(
    files: tuple[Path, Path, Path], town: Town, population: Population, tmp_path: Path
) -> None:
    documents, people, model = files
    other = tmp_path / "other"
    load_model(model).save(other)  # type: ignore[attr-defined]
    made = deidentify_files(
        make_job(
            documents,
            people,
            tmp_path / "out",
            accept_risk="a test",
            masking=by_rules(k=K, reidentifiers=("bm25", "ngrams")),
            split="ask",
            model=[model],
            attackers=("bm25",),
            attacker_model=[other],
        )
    )
    assert made.result.settings.reidentifiers == ("bm25.v1", "ngrams.v1", "additive.v1")
    assert [len(made.result.ensemble.members[n]) for n in made.result.settings.reidentifiers] == [1, 1, 1]
    named = {a["name"]: a["used"] for a in made.report.as_dict()["attackers"]}
    assert named == {"bm25.v1": True, "ngrams.v1": True, "additive.v1": True, "additive.v1@model": False}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert {"model 1", "attacker model 1"} <= manifest["inputs"].keys()
    with pytest.raises(InputError, match="taught by documents or people"):
        deidentify_files(make_job(documents, people, tmp_path / "no", split="teach", model=[model]))
    assert not (tmp_path / "no").exists()
    taught = [d for d in town.documents if d.person == town.profiles[-1].id]
    less = Population(tuple(Profile(p.id, dict(list(p.fields.items())[:2])) for p in town.profiles))
    renamed = [replace(d, person=town.profiles[0].id, id=f"x-{d.id}") for d in taught]
    for documents_, people_ in ((taught, population), (taught, less), (renamed, population)):
        with pytest.raises(InputError, match="taught by documents or people"):
            deidentify(documents_, people_, settings=by_rules(k=K), key=KEY, fitted=Fitted(models=load_models([model])))
    with pytest.raises(SettingsError, match="cannot be held out"):
        deidentify_files(
            make_job(documents, people, tmp_path / "no", split="ask", model=[model], attacker_model=[model])
        )
    with pytest.raises(SettingsError, match="input lies in an output folder"):
        deidentify_files(make_job(documents, people, model, split="ask", model=[model], replace=True))
    with pytest.raises(SettingsError, match="named twice"):
        load_models([model, model])


@pytest.mark.slow
@pytest.mark.usefixtures("short_training")
def test_what_served_lies_in_the_private_folder_and_attacks_again(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    documents, people, _ = files
    made = deidentify_files(
        make_job(
            documents,
            people,
            tmp_path / "out",
            accept_risk="a test",
            masking=by_rules(k=K, reidentifiers=LEARNED),
            split="ask",
            attackers=("bm25", "additive"),
        )
    )
    served = next(a for a in made.report.as_dict()["attackers"] if a["name"] == "additive.v1")
    folders = sorted(p.name for p in (tmp_path / "out.private" / "models").iterdir())
    assert folders == ["additive.v1-0", "additive.v1-1", "models.json"]
    found = audit_files(
        make_audit_job(
            tmp_path / "out",
            documents,
            people,
            tmp_path / "audit",
            private=tmp_path / "out.private",
            split="ask",
            attackers=("bm25",),
        )
    ).as_dict()
    again = next(a for a in found["attackers"] if a["name"] == "additive.v1")
    assert again == served and again["used"] and "not_tried" not in found
    deidentify_files(
        make_job(
            documents,
            people,
            tmp_path / "kept",
            accept_risk="a test",
            masking=by_rules(k=K, ids="keep", reidentifiers=LEARNED),
            split="ask",
            attackers=("bm25",),
        )
    )
    bare = audit_files(
        make_audit_job(tmp_path / "kept", documents, people, tmp_path / "bare", split="ask", attackers=("bm25",))
    )
    with pytest.raises(SettingsError, match="additive learned before it was used"):
        audit_files(
            make_audit_job(tmp_path / "kept", documents, people, tmp_path / "no", split="ask", used=("additive",))
        )
    assert bare.not_tried == ("additive.v1",)
    assert any("Not tried although used in masking" in line for line in in_short(bare))


@pytest.mark.usefixtures("short_training")
def test_the_order_of_documents_and_people_teaches_nothing_else(town: Town) -> None:
    one = Additive().fit(town.profiles, town.documents).index(town.profiles)
    other = Additive().fit(town.profiles[::-1], town.documents[::-1]).index(town.profiles)
    texts = [d.text for d in town.documents[:20]]
    assert np.array_equal(one.scores_of(texts), other.scores_of(texts))


def test_a_saved_model_gives_the_same_scores(files: tuple[Path, Path, Path], town: Town, tmp_path: Path) -> None:
    loaded = load_model(files[2])
    assert isinstance(loaded, Additive)
    loaded.save(tmp_path / "again")
    texts = [d.text for d in town.documents[:10]]
    one, other = (m.index(town.profiles).scores_of(texts) for m in (loaded, load_model(tmp_path / "again")))
    assert np.array_equal(one, other)
    assert oct((tmp_path / "again").stat().st_mode)[-3:] == "700"
    with pytest.raises(ModelError, match="must be fitted"):
        Additive().save(tmp_path / "nothing")


HARMS = {
    "unknown kind": ("model.json", lambda b: b.replace(b"unname-additive.v1", b"unname-additive.v9")),
    "no json": ("model.json", lambda b: b[:40]),
    "other words": ("words.json", lambda b: b.replace(b'"', b"'", 2)),
    "weights cut": ("weights.safetensors", lambda b: b[:-4]),
    "a byte changed": ("weights.safetensors", lambda b: b[:-1] + bytes([b[-1] ^ 1])),
    "pickle beside": ("weights.pkl", lambda b: b"\x80\x04."),
    "code beside": ("model.py", lambda b: b"print(1)"),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_hostile_folder_is_refused(harm: str, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "model"
    load_model(files[2]).save(folder)  # type: ignore[attr-defined]
    name, spoil = HARMS[harm]
    content = (folder / name).read_bytes() if (folder / name).exists() else b""
    (folder / name).write_bytes(spoil(content))
    with pytest.raises(ModelError):
        load_model(folder)


def _hashed_again(folder: Path, name: str, content: bytes) -> None:
    """As somebody would who can compute a hash."""
    from hashlib import sha256

    (folder / name).write_bytes(content)
    about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    about["files"][name] = sha256(content).hexdigest()
    (folder / "model.json").write_text(json.dumps(about), encoding="utf-8")


ABSURD = {"seed": 1e999, "profiles": 10**30, "bits": [20, 0, 1], "matches": {"a": 10**400}, "taught": 3}


@pytest.mark.parametrize("part", ABSURD)
def test_an_absurd_description_is_refused(part: str, files: tuple[Path, Path, Path], tmp_path: Path) -> None:
    folder = tmp_path / "model"
    load_model(files[2]).save(folder)  # type: ignore[attr-defined]
    about = json.loads((folder / "model.json").read_text(encoding="utf-8"))
    for absurd in (ABSURD[part], None, "1", True, [[]]):
        (folder / "model.json").write_text(json.dumps(about | {part: absurd}), encoding="utf-8")
        with pytest.raises(ModelError):
            load_model(folder)


@pytest.mark.parametrize("harm", ["nan", "shape", "kind", "twice", "words", "frequency", "huge", "centre"])
def test_a_folder_whose_hashes_agree_is_still_checked(
    harm: str, files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    from safetensors.numpy import load, save

    folder = tmp_path / "model"
    load_model(files[2]).save(folder)  # type: ignore[attr-defined]
    rows = load((folder / "weights.safetensors").read_bytes())
    words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
    if harm in ("nan", "huge"):
        rows["words"] = rows["words"].copy()
        rows["words"][0, 0] = np.nan if harm == "nan" else 1e30
    elif harm == "shape":
        rows["words"] = rows["words"][:-1].copy()
    elif harm == "centre":
        rows["centre"] = np.array(1.0)
    elif harm == "kind":
        rows["words"] = rows["words"].astype(np.float64)
    if harm in ("twice", "words"):
        _hashed_again(
            folder, "words.json", json.dumps([words[0], *words[:-1]] if harm == "twice" else {"a": 1}).encode()
        )
    elif harm == "frequency":
        _hashed_again(folder, "frequency.json", b'{"a": "b"}')
    else:
        _hashed_again(folder, "weights.safetensors", save(rows))
    with pytest.raises(ModelError):
        load_model(folder)


def test_only_what_can_be_trained_is_trained_and_settings_that_do_not_apply_are_told(
    files: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    documents, people, model = files
    with pytest.raises(SettingsError, match="known: additive, biencoder"):
        train_reidentifier_files(Source(documents, people), tmp_path / "m", ReidentifierTraining(kind="nosuch"))
    with pytest.raises(SettingsError, match="has no use for epochs"):
        train_reidentifier_files(Source(documents, people), tmp_path / "m", ReidentifierTraining(epochs=3))
    with pytest.raises(SettingsError, match="schedule must be coordinate or joint"):
        kind = ReidentifierTraining(kind="biencoder(schedule=both)")
        train_reidentifier_files(Source(documents, people), tmp_path / "m", kind)
    with pytest.raises(SettingsError, match="needs --document-encoder"):
        train_reidentifier_files(Source(documents, people), tmp_path / "m", ReidentifierTraining(kind="biencoder"))
    with pytest.raises(SettingsError, match=r"written as \.npy"):
        embed_files(model, people, tmp_path / "e.bin")
    with pytest.raises(ModelError, match="no embeddings"):
        embed_files(model, people, tmp_path / "e.npy")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("short_training")
def test_reidentify_asks_models_and_what_learns(
    files: tuple[Path, Path, Path], town: Town, population: Population
) -> None:
    asked = [d for d in town.documents if d.person in {p.id for p in town.profiles[:40]}][:5]
    others = [d for d in town.documents if d.person not in {p.id for p in town.profiles[:40]}]
    rows = list(reidentify(asked, population, reidentifiers=("bm25",), models=load_models([files[2]]), top=3))
    assert [list(row["by"]) for row in rows] == [["bm25.v1", "additive.v1"]] * 5
    taught = list(reidentify(asked, population, reidentifiers=("additive",), training=others, top=3))
    split, groups = masking_split(0), training_groups(asked, population, others)
    learned = build_ensemble(("additive",), population.profiles, taught=groups, split=split)
    for row, document in zip(taught, asked, strict=True):
        scores = learned.facing(document.person)["additive.v1"].scores(document.text).tolist()
        own = scores[population.rows[str(document.person)]]
        assert row["by"]["additive.v1"]["rank"] == 1 + sum(score > own for score in scores)
    assert len({row["by"]["additive.v1"]["rank"] for row in taught}) > 1


def test_probabilities_are_a_softmax_over_all_profiles_at_the_temperature_that_is_named(
    town: Town, population: Population
) -> None:
    note = town.documents[0]
    (row,) = reidentify([note], population, reidentifiers=("bm25",), top=len(population))
    found = row["by"]["bm25.v1"]
    light = np.array([score for _, score in found["top"]])
    expected = np.exp(light) / np.exp(light).sum()
    assert found["temperature"] == 1.0 and np.allclose(found["probabilities"], expected, atol=1e-6)
    own = [person for person, _ in found["top"]].index(note.person)
    assert found["probability"] == found["probabilities"][own] and abs(sum(found["probabilities"]) - 1) < 1e-4


def test_asking_nobody_is_an_error(town: Town, population: Population) -> None:
    with pytest.raises(SettingsError, match="nobody is left to ask"):
        list(reidentify(town.documents[:1], population, reidentifiers=("none",)))
