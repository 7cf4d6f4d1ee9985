"""I3: a stated crowd is exact over the given population, counted from the released string."""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from promise_support import FAST, Files

from unname.errors import UnsafeReleaseError
from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.knowledge.population import make_population
from unname.masking.base import Case
from unname.masking.search import Greedy
from unname.protecting import look as looking
from unname.protecting.result import Deidentified
from unname.types import Mask, Profile
from unname.verbs.deidentify import in_memory as deidentify_module
from unname.verbs.deidentify.files import Released, deidentify_files
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.recount import Recount

Crowd = Callable[[str, Sequence[str], str], int]


def _split(text: str) -> list[str]:
    text = re.sub(r"\[[A-Z]+(_[A-Z0-9]+)*( [1-9][0-9]{0,2})?\]", "\n", text)
    form = unicodedata.normalize
    return [form("NFKC", form("NFKC", w).casefold()) for w in re.findall(r"\w+", text)]


def _parts(word: str) -> list[str]:
    word = "\x02" + word + "\x03"
    return [word] if len(word) <= 3 else [
        word[i : i + n] for n in (3, 4, 5) if n <= len(word) for i in range(len(word) - n + 1)
    ]  # fmt: skip


def third_count(profiles: Sequence[Profile]) -> Crowd:
    """Crowds from the textbook formulas of BM25 and TF-IDF, kept apart from both implementations of the package."""
    bags = [Counter(_split(" \n".join(p.fields.values()))) for p in profiles]
    ngrams = [Counter(g for w, n in bag.items() for g in _parts(w) for _ in range(n)) for bag in bags]
    place = {p.id: i for i, p in enumerate(profiles)}
    total, mean = len(profiles), sum(sum(b.values()) for b in bags) / len(profiles)
    holders = Counter(w for bag in bags for w in bag)
    having = Counter(g for bag in ngrams for g in bag)
    weights: dict[str, list[dict[str, int]]] = {"bm25.v1": [], "ngrams.v1": []}
    for bag, grams in zip(bags, ngrams, strict=True):
        long = sum(bag.values()) / mean
        weights["bm25.v1"].append({
            w: round(2**20 * math.log(1 + (total - holders[w] + 0.5) / (holders[w] + 0.5)) * n
                     / (n + 1.5 * (0.25 + 0.75 * long)))
            for w, n in bag.items()
        })  # fmt: skip
        idf = {g: 1 + math.log((1 + total) / (1 + having[g])) for g in grams}
        norm = math.sqrt(sum(((1 + math.log(n)) * idf[g]) ** 2 for g, n in grams.items()))
        weights["ngrams.v1"].append(
            {g: round(2**20 * (1 + math.log(n)) * idf[g] ** 2 / norm) for g, n in grams.items()}
        )

    def crowd(member: str, texts: Sequence[str], person: str) -> int:
        scores = [0] * total
        for text in texts:
            for word in set(_split(text)):
                for i, of in enumerate(weights[member]):
                    scores[i] += sum(of.get(t, 0) for t in ([word] if member == "bm25.v1" else _parts(word)))
        return sum(s >= scores[place[person]] for i, s in enumerate(scores) if i != place[person])

    return crowd


def second_count(profiles: Sequence[Profile]) -> Crowd:
    """Crowds by the package's own brute force, which shares no code with the reidentifiers."""
    recounts = {name: Recount(name, profiles) for name in ("bm25.v1", "ngrams.v1")}
    place = {p.id: i for i, p in enumerate(profiles)}
    return lambda member, texts, person: recounts[member].crowd(texts, place[person])


def require_exact(result: Deidentified, count: Crowd, k: int) -> int:
    """Every stated crowd, per document and per person, is what counting from the released strings gives."""
    texts: dict[str, list[str]] = defaultdict(list)
    compared = 0
    for document, release, crowds in zip(result.documents, result.releases, result.crowds, strict=True):
        if release is None:
            continue
        texts[str(document.person)].append(release.text)
        for member, stated in crowds.items():
            assert stated == count(member, [release.text], str(document.person)), f"a crowd under {member} is not exact"
            assert stated >= k, f"a released crowd under {member} is below k"
            compared += 1
    for person, released in texts.items():
        stated_together: Mapping[str, int] = result.person_crowds[person]
        for member, stated in stated_together.items():
            assert stated == count(member, released, person), f"a person's crowd under {member} is not exact"
            assert stated >= k, f"a person's crowd under {member} is below k"
            compared += 1
    return compared


def test_every_crowd_of_a_release_is_exact_by_two_other_counts(released: Released) -> None:
    profiles = released.result.population.profiles
    for count in (second_count(profiles), third_count(profiles)):
        assert require_exact(released.result, count, 3) > 150
    assert released.report.as_dict()["recounted"] > 0, "production must recount a sample"


@pytest.mark.parametrize("transform", ["collapse", "delete", "numbered"])
def test_crowds_are_exact_under_every_transform(town: Town, transform: str) -> None:
    result = deidentify(
        town.documents[:15], make_population(town.profiles), settings=Deidentification(k=3, transform=transform),
        key=b"k" * 32,
    )  # fmt: skip
    assert require_exact(result, third_count(town.profiles), 3) > 30


def test_an_off_by_one_is_refused_in_production_and_noticed_by_the_check(
    town: Town, town_files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = looking.crowd
    for shift in (1, -1):
        monkeypatch.setattr(looking, "crowd", lambda scores, person, s=shift: real(scores, person) + s)
        with pytest.raises(UnsafeReleaseError, match="recount"):
            deidentify_files(
                make_job(
                    town_files.documents,
                    town_files.people,
                    tmp_path / "out",
                    accept_risk="a test",
                    masking=Deidentification(k=3, reidentifiers=("bm25",)),
                    attackers=FAST,
                    limit=10,
                )
            )
        assert not list(tmp_path.iterdir()), "a refused release must leave nothing"
        with monkeypatch.context() as patch:
            patch.setattr(deidentify_module, "verify_crowds", lambda *_: 0)
            result = deidentify(
                town.documents[:10], make_population(town.profiles), settings=Deidentification(k=3), key=b"k" * 32
            )
        for count in (second_count(town.profiles), third_count(town.profiles)):
            with pytest.raises(AssertionError, match="not exact"):
                require_exact(result, count, 1)


def test_a_crowd_that_leaves_ties_out_is_refused(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "crowd", lambda scores, person: int((scores > scores[person]).sum()))
    with pytest.raises(UnsafeReleaseError, match="recount"):
        deidentify(
            town.documents, make_population(town.profiles), settings=Deidentification(k=1, keyed_target=False),
            key=b"k" * 32,
        )  # fmt: skip


def test_a_search_that_forgets_a_document_releases_nothing_below_k(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    population, wanted = make_population(town.profiles), Deidentification(k=10, rounds=0)
    whole = deidentify(town.documents, population, settings=wanted, key=b"k" * 32)
    searched = [sum(s.method == "greedy.v1" for s in mask.spans) for mask in whole.masks]
    forgotten = town.documents[searched.index(max(searched))].id
    real = Greedy.mask

    def planted(self: Greedy, case: Case) -> list[Mask]:
        masks = real(self, case)
        return [Mask(m.document, case.mandatory[i]) if m.document == forgotten else m for i, m in enumerate(masks)]

    monkeypatch.setattr(Greedy, "mask", planted)
    result = deidentify(town.documents, population, settings=wanted, key=b"k" * 32)
    assert result.withheld.get(forgotten) == "crowd-below-k"
    require_exact(result, third_count(town.profiles), 10)


def test_the_check_notices_a_crowd_below_k(released: Released) -> None:
    with pytest.raises(AssertionError, match="below k"):
        require_exact(released.result, second_count(released.result.population.profiles), 29)
