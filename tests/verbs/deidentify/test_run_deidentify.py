"""The main job in memory: whoever is released hides among k others, recounted by brute force from what was written."""

import dataclasses
import json
import re
from collections import defaultdict

import pytest
from made_settings import by_rules

from tests.times import in_proportion
from unname import registry
from unname.auditing.utility import hidden_words
from unname.errors import InputError, SettingsError, UnsafeReleaseError
from unname.knowledge.identifiers import direct_identifiers
from unname.knowledge.population import Population
from unname.protecting.keys import target_crowd
from unname.protecting.result import Deidentified
from unname.protecting.wordlists import Patterns
from unname.stopwords import function_words
from unname.text import words
from unname.transforms.base import Context
from unname.transforms.redact import token_for
from unname.types import Document, Mask, Profile, Release
from unname.verbs.deidentify.in_memory import deidentify
from unname.verifying.recount import Recount

pytestmark = pytest.mark.usefixtures("short_audit", "no_rounds")

KEY, OTHER_KEY = b"k" * 32, b"o" * 32
K = 5


@pytest.fixture(scope="module")
def notes(small_town) -> list[Document]:
    """The notes of the first forty townspeople."""
    first = {p.id for p in small_town.profiles[:40]}
    return [d for d in small_town.documents if d.person in first]


@pytest.fixture(scope="module")
def released(notes, townspeople) -> Deidentified:
    """Them, masked with the defaults at k = 5."""
    return deidentify(notes, townspeople, settings=by_rules(k=K), key=KEY)


def assert_hidden(result: Deidentified, k: int) -> None:
    """Every crowd again by brute force: alone and together, and as the result states it."""
    rows = result.population.rows
    together: dict[str, list[str]] = defaultdict(list)
    for name in ("bm25.v1", "ngrams.v1"):
        recount = Recount(name, result.population.profiles)
        together.clear()
        for document, text, crowds in zip(result.documents, result.texts(), result.crowds, strict=True):
            if text is not None:
                column = rows[str(document.person)]
                assert recount.crowd([text], column) == crowds[name] >= k
                together[str(document.person)].append(text)
        for person, texts in together.items():
            assert recount.crowd(texts, rows[person]) == result.person_crowds[person][name] >= k
    assert together


# --- crowds


def test_every_released_crowd_is_k_or_more_recounted_from_the_released_strings(released: Deidentified) -> None:
    assert_hidden(released, K)
    assert len(released.withheld) < len(released.documents) / 10
    assert released.recounted > 0


@pytest.mark.parametrize("change", [{"transform": "collapse"}, {"transform": "delete"}, {"unit": "occurrence"}])
def test_other_transforms_and_units_keep_the_crowds(notes, townspeople, change: dict[str, str]) -> None:
    result = deidentify(notes[:24], townspeople, settings=by_rules(k=K, **change), key=KEY)
    assert_hidden(result, K)
    texts = [t for t in result.texts() if t is not None]
    assert len(texts) >= 20
    if change.get("transform") == "delete":
        assert not any("[MASK]" in t for t in texts)
    if change.get("transform") == "collapse":
        assert not any(re.search(r"\[MASK\]\W*\[MASK\]", t) for t in texts)


def test_collapse_and_delete_hide_the_words_that_redact_hides(notes, townspeople) -> None:
    masks = [
        deidentify(notes[:12], townspeople, settings=by_rules(k=K, transform=t), key=KEY).masks
        for t in ("redact", "collapse", "delete")
    ]
    assert masks[0] == masks[1] == masks[2]


def test_only_spans_of_the_mask_differ_from_the_original(released: Deidentified) -> None:
    for document, mask, release in zip(released.documents, released.masks, released.releases, strict=True):
        if release is not None:
            at, expected = 0, []
            for span in mask.spans:
                expected += [document.text[at : span.start], token_for(span.label)]
                at = span.end
            assert release.text == "".join([*expected, document.text[at:]])


# --- keys


def test_the_same_key_and_seed_give_the_same_release(notes, townspeople, released: Deidentified) -> None:
    again = deidentify(notes, townspeople, settings=by_rules(k=K), key=KEY)
    assert again.texts() == released.texts() and again.masks == released.masks and again.targets == released.targets


def test_the_order_of_documents_changes_no_release(notes, townspeople, released: Deidentified) -> None:
    back = deidentify(notes[::-1], townspeople, settings=by_rules(k=K), key=KEY)
    expected = {d.id: t for d, t in zip(released.documents, released.texts(), strict=True)}
    assert {d.id: t for d, t in zip(back.documents, back.texts(), strict=True)} == expected


def test_targets_lie_between_k_and_four_k_and_depend_on_the_key(notes, townspeople, released: Deidentified) -> None:
    drawn = [t for t, d in zip(released.targets, released.documents, strict=True) if d.id not in released.withheld]
    assert all(K <= t <= 4 * K for t in drawn)
    assert len(set(drawn)) > 5
    other = deidentify(notes, townspeople, settings=by_rules(k=K), key=OTHER_KEY)
    assert other.targets != released.targets
    for document, target, crowds in zip(released.documents, released.targets, released.crowds, strict=True):
        if document.id not in released.withheld:
            units = [f"document\0{document.id}\0{member}" for member in crowds]
            assert target == min(target_crowd(KEY, unit, k=K, span=3.0, most=119) for unit in units)
            assert min(crowds.values()) >= target


def test_targets_that_are_not_keyed_are_k(notes, townspeople) -> None:
    result = deidentify(notes[:5], townspeople, settings=by_rules(k=K, keyed_target=False), key=KEY)
    assert set(result.targets) == {K}


# --- lists


def test_words_of_the_never_list_stay_and_withhold_where_the_crowd_stays_small(townspeople, small_town) -> None:
    mine = [d for d in small_town.documents if d.person == small_town.profiles[0].id]
    person = mine[0].person
    others = [d for d in small_town.documents if d.person == small_town.profiles[3].id]
    telling = Document("telling", "Quorndyke said so.", person)
    profiles = [Profile(p.id, {**p.fields, "note": "quorndyke"}) if p.id == person else p for p in small_town.profiles]
    result = deidentify(
        [telling, *mine, *others],
        Population(tuple(profiles)),
        settings=dataclasses.replace(by_rules(k=K), never=["quorndyke"]),
        key=KEY,
    )
    assert result.withheld == {"telling": "crowd-below-k"}
    assert_hidden(result, K)
    assert [d.id for d, t in zip(result.documents, result.texts(), strict=True) if t] == [
        d.id for d in (*mine, *others)
    ]


def test_documents_that_hide_their_person_alone_but_not_together_are_withheld_together() -> None:
    """Twelve people share one word, twelve another; one has both, and both must stay."""
    shared = {i: {"a": "mill"} if i < 12 else {"a": "forge"} for i in range(24)} | {0: {"a": "mill forge"}}
    population = Population(tuple(Profile(f"p-{i}", fields) for i, fields in shared.items()))
    documents = [Document("one", "a mill", "p-0"), Document("two", "a forge", "p-0"), Document("x", "a mill", "p-5")]
    settings = by_rules(k=K, reidentifiers=("bm25",), keyed_target=False, direct=("none",))
    alone = deidentify(
        documents[:1], population, settings=dataclasses.replace(settings, never=["mill", "forge"]), key=KEY
    )
    assert alone.withheld == {} and alone.crowds == ({"bm25.v1": 11},)
    result = deidentify(documents, population, settings=dataclasses.replace(settings, never=["mill", "forge"]), key=KEY)
    assert result.withheld == {"one": "person-crowd-below-k", "two": "person-crowd-below-k"}
    assert result.texts()[2] == "a mill"


def searched(result: Deidentified) -> list[tuple[str, str]]:
    """(document, folded word) of every word that the search hid, beyond what rules hide."""
    return [
        (document.id, word.folded)
        for document, mask in zip(result.documents, result.masks, strict=True)
        for word in words(document.text)
        if any(s.method == "greedy.v1" and s.start <= word.start and word.end <= s.end for s in mask.spans)
    ]


def test_never_words_stay_readable_wherever_the_crowd_allows(notes, townspeople) -> None:
    free = deidentify(notes[:20], townspeople, settings=by_rules(k=K), key=KEY)
    told = sorted({w for _, w in searched(free)})
    never = [*told[:3], rf"/\b{told[3]}\b/"]
    kept = deidentify(notes[:20], townspeople, settings=by_rules(k=K, never=never), key=KEY)
    assert len(kept.withheld) < 10 and not {w for _, w in searched(kept)} & set(told[:4])


def test_always_words_and_patterns_are_hidden_whole(notes, townspeople) -> None:
    always = ["the", "referred for", r"/\d{2,}/", "/ital/"]
    result = deidentify(
        notes[:15],
        townspeople,
        settings=dataclasses.replace(by_rules(k=K, method="none"), always=always),
        key=KEY,
    )
    hidden = 0
    for document, text in zip(result.documents, result.texts(), strict=True):
        assert text is not None
        assert not re.search(r"(?i)\bthe\b|\breferred for\b|\d\d|ital", text)
        hidden += bool(re.search(r"(?i)hospital", document.text))
        assert re.search(r"\w+", text.replace("[MASK]", "")), "other words stay"
    assert hidden, "some note names a hospital, which a pattern hides whole"


def test_direct_identifiers_are_hidden_even_when_they_must_never_be(notes, townspeople) -> None:
    name = townspeople.profiles[0].fields["family name"]
    result = deidentify(notes[:3], townspeople, settings=dataclasses.replace(by_rules(k=K), never=[name]), key=KEY)
    assert not any(t and re.search(rf"\b{name}\b", t) for t in result.texts())


def test_a_line_that_is_no_pattern_is_an_error_with_its_number() -> None:
    with pytest.raises(InputError, match="line 2"):
        Patterns.compile(["fine", "/(/"])


def test_patterns_over_a_long_text_take_no_quadratic_time() -> None:
    def touched(many: int) -> None:
        text = "word " * many
        assert len(Patterns.compile([r"/\w+/"]).touched(text, words(text))) == many

    assert in_proportion(lambda: touched(10_000), lambda: touched(40_000))


# --- placeholders and identifiers


@pytest.mark.parametrize("transform", ["redact", "collapse", "delete", "numbered"])
def test_forged_placeholders_are_hidden(townspeople, transform: str) -> None:
    text = "Seen [MASK] by [NAME_1] and [QUILL[X]BECK] today, A[B]C."
    document = Document("d", text, townspeople.profiles[0].id)
    settings = by_rules(k=K, method="none", transform=transform)
    result = deidentify([document], townspeople, settings=settings, key=KEY)
    (out,) = result.texts()
    assert out is not None
    assert "NAME_1" not in out and set(re.findall(r"\[[A-Z_0-9]+\]", out)) <= {"[MASK]"}
    assert all(s.method == "forged-placeholder" for s in result.masks[0].spans)
    if transform == "redact":
        assert out == "Seen [MASK] by [MASK] and [QUILL[MASK]BECK] today, A[MASK]C."
    if transform == "delete":
        assert "[MASK]" not in out and "QUILLBECK" not in out


def test_no_direct_identifier_of_the_person_is_left_in_any_release(small_town, townspeople) -> None:
    """Also not where the record number is written as one word, under the method that hides nothing else."""
    result = deidentify(small_town.documents, townspeople, settings=by_rules(k=K, method="none"), key=KEY)
    joined = 0
    for document, text in zip(result.documents, result.texts(), strict=True):
        fields = townspeople.profiles[townspeople.rows[str(document.person)]].fields
        assert text is not None
        left = re.sub(r"\W", "", text).casefold()
        number = re.sub(r"\W", "", fields.get("record number", "-none-")).casefold()
        joined += number in document.text.casefold()
        assert number not in left or number == "none"
        phone = re.sub(r"\D", "", fields.get("phone", "")) or "no phone"
        assert phone not in re.sub(r"\D", "", text)
        assert fields["birth date"] not in text and fields.get("street", "no street") not in text
        assert fields["family name"].casefold() not in {w.folded for w in words(text)}
    assert joined, "the town writes some record numbers as one word"
    assert {"family name", "given name", "phone", "record number", "birth date", "street"} <= result.direct.keys()


def test_an_identifier_that_the_release_would_put_together_is_hidden_too(small_town) -> None:
    """With `delete`, taking out what stands between two halves of a name must not make the name."""
    profiles = (Profile("p-0", {"family name": "Quorn"}), *small_town.profiles)
    document = Document("d", "seen by Quo[X]rn today", "p-0")
    settings = by_rules(k=K, method="none", transform="delete")
    result = deidentify([document], Population(profiles), settings=settings, key=KEY)
    (text,) = result.texts()
    assert text is not None and "uor" not in text and text.startswith("seen by ")


def test_a_person_called_mask_is_released_like_anybody_else(small_town) -> None:
    profiles = (Profile("p-0", {"family name": "Mask", "record number": "MG 77123"}), *small_town.profiles)
    document = Document("d", "Mr Mask, record MG 77123, was seen today.", "p-0")
    result = deidentify([document], Population(profiles), settings=by_rules(k=K), key=KEY)
    assert result.withheld == {}
    assert result.texts()[0] is not None and "Mask" not in str(result.texts()[0])
    assert direct_identifiers(profiles[0], result.direct).single == {"mask"}


class Careless:
    """A transform that forgets the mask."""

    name = "careless.v1"

    def release(self, document: Document, mask: Mask, context: Context) -> Release:
        whole = len(document.text)
        return Release(document.id, document.text, ((0, whole, 0, whole),))


def test_a_document_in_which_an_identifier_cannot_be_hidden_is_withheld(notes, townspeople, monkeypatch) -> None:
    real = registry.create
    monkeypatch.setattr(
        registry, "create", lambda group, name, **rest: Careless() if name == "redact" else real(group, name, **rest)
    )
    mine = [Document("named", f"{townspeople.profiles[0].fields['family name']} came.", notes[0].person),
            Document("unnamed", "Somebody came.", notes[0].person)]  # fmt: skip
    result = deidentify(mine, townspeople, settings=by_rules(k=K, method="none"), key=KEY)
    assert result.withheld == {"named": "direct-identifier"}
    assert result.texts() == [None, "Somebody came."]


def test_a_long_document_full_of_names_takes_no_quadratic_time(townspeople) -> None:
    profile = townspeople.profiles[0]
    name = f"{profile.fields['family name']} {profile.fields['given name']}, "

    def made(many: int) -> None:
        document = Document("d", name * many, profile.id)
        result = deidentify([document], townspeople, settings=by_rules(k=K, method="none"), key=KEY)
        assert result.texts() == ["[MASK] [MASK], " * many]

    assert in_proportion(lambda: made(1_500), lambda: made(6_000))


# --- methods and settings


@pytest.mark.parametrize("method", ["lexical", "none"])
def test_methods_that_seek_no_crowd_release_without_that_promise(notes, townspeople, method: str) -> None:
    result = deidentify(notes[:20], townspeople, settings=by_rules(k=K, method=method), key=KEY)
    assert result.withheld == {}
    smallest = [min(c.values()) for c in result.crowds]
    assert min(smallest) < K, "crowds are stated as they are"
    for document, mask in zip(result.documents, result.masks, strict=True):
        profile = townspeople.profiles[townspeople.rows[str(document.person)]]
        known = {w.folded for v in profile.fields.values() for w in words(v)}
        by_rule = [s for s in mask.spans if s.method == "direct-identifier"]
        assert {s.method for s in mask.spans} <= {"direct-identifier", "lexical.v1"}
        for word in words(document.text):
            ruled = any(s.start < word.end and word.start < s.end for s in by_rule)
            assert mask.covers(word.start, word.end) == (ruled or (method == "lexical" and word.folded in known))


@pytest.mark.parametrize("method", ["idf", "idf-table-aware", "random"])
def test_every_other_method_keeps_the_promise_or_withholds(notes, townspeople, method: str) -> None:
    assert_hidden(deidentify(notes[:8], townspeople, settings=by_rules(k=K, method=method), key=KEY), K)


def test_the_method_hides_no_more_than_the_budget_and_withholds_where_that_is_too_little(notes, townspeople) -> None:
    tight = deidentify(notes[:30], townspeople, settings=by_rules(k=K, budget=0.12), key=KEY)
    for document, mask, text in zip(tight.documents, tight.masks, tight.texts(), strict=True):
        hidden, total = hidden_words(document, mask)
        if text is None:
            assert tight.withheld[document.id] in {"crowd-below-k", "person-crowd-below-k"}
        else:
            ruled = all(s.method == "direct-identifier" for s in mask.spans)
            assert hidden <= 0.12 * total or ruled, (
                "the mandatory mask is no choice of the method and stays whatever it costs"
            )
    assert 0 < len(tight.withheld) < 30
    assert_hidden(tight, K)


def test_stop_words_can_be_left_alone(notes, townspeople) -> None:
    result = deidentify(notes[:20], townspeople, settings=by_rules(k=K, stop_words="skip"), key=KEY)
    assert_hidden(result, K)
    usual = deidentify(notes[:20], townspeople, settings=by_rules(k=K, stop_words="mask"), key=KEY)
    hidden = [{word for _, word in searched(r)} & function_words()["en"] for r in (usual, result)]
    assert hidden[0] and not hidden[1]


# --- errors


def test_a_person_without_profile_is_an_error_that_names_the_record(notes, townspeople) -> None:
    for person in ("nobody-of-this-town", None):
        strange = Document("x-secret-id", "text of a stranger", person)
        with pytest.raises(InputError) as caught:
            deidentify([notes[0], strange], townspeople, settings=by_rules(k=K), key=KEY)
        message = str(caught.value)
        assert "record 2" in message and "person" in message
        assert "stranger" not in message and "nobody" not in message and "secret" not in message


@pytest.mark.parametrize("k", [119, 120, 500])
def test_a_crowd_as_large_as_the_population_is_an_error(notes, townspeople, k: int) -> None:
    settings = by_rules(k=k)
    if k < len(townspeople):
        result = deidentify(notes[:1], townspeople, settings=settings, key=KEY)
        assert result.targets in {(119,), (0,)}
    else:
        with pytest.raises(InputError, match="needs more than"):
            deidentify(notes[:1], townspeople, settings=settings, key=KEY)


def test_a_crowd_that_differs_from_its_recount_stops_the_release(notes, townspeople, monkeypatch) -> None:
    class Wrong(Recount):
        def crowds(self, groups):  # type: ignore[no-untyped-def]
            return [crowd + 1 for crowd in super().crowds(groups)]

    monkeypatch.setattr("unname.verifying.crowds.Recount", Wrong)
    with pytest.raises(UnsafeReleaseError, match="recount"):
        deidentify(notes[:3], townspeople, settings=by_rules(k=K), key=KEY)


def test_a_repr_shows_counts_and_no_text(released: Deidentified) -> None:
    assert repr(released) == f"Deidentified({len(released.documents)} documents, {len(released.withheld)} withheld)"
    json.dumps(dict(released.withheld))


def test_the_order_of_one_persons_documents_breaks_no_tie() -> None:
    people = Population(tuple(Profile(str(i), {"note": f"mill smith york w{i % 3}"}) for i in range(30)))
    texts = ["mill smith w0", "smith mill w0", "york mill smith"]
    documents = [Document(f"d{i}", text, "0") for i, text in enumerate(texts)]
    masks = [
        {m.document: m for m in deidentify(row, people, settings=by_rules(k=12, direct=("none",)), key=KEY).masks}
        for row in (documents, documents[::-1])
    ]
    assert masks[0] == masks[1]


def test_the_idf_baseline_counts_documents_and_profiles_and_is_refused_a_threshold_elsewhere() -> None:
    people = Population(tuple(Profile(str(i), {"note": f"mill w{i}"}) for i in range(12)))
    documents = [Document(f"d{i}", f"common w{i} mill odd{i}", str(i)) for i in range(12)]
    settings = by_rules(method="idf", idf_threshold=2.0, direct=("none",), stop_words="mask")
    made = deidentify(documents, people, settings=dataclasses.replace(settings, k=3), key=KEY)
    # N = 24; `common` is in 12 texts, `mill` in all, w… in two: ln(25 / 3) = 2.1.
    assert made.texts() == ["common [MASK] mill [MASK]"] * 12 and made.withheld == {}
    with pytest.raises(SettingsError, match="no use for an IDF threshold"):
        deidentify(documents, people, settings=by_rules(k=3, idf_threshold=2.0), key=KEY)
    with pytest.raises(SettingsError, match="idf-threshold"):
        by_rules(idf_threshold=-1)


# A sentence, and lists of names, towns, jobs and illnesses in its language.
CHINESE = """患者{name}，{year}年生，{town}人，{job}，因{ill}来院就诊。{name}自述症状已有三天，出院后在{town}继续治疗。
王伟 李芳 张静 刘强 陈磊 杨洋 赵勇 黄艳 周杰 吴娟
北京 上海 广州 成都
教师 护士 工程师 农民
糖尿病 高血压 哮喘 胃炎"""
JAPANESE = """{name}さんは{year}年に{town}で生まれた{job}で、{ill}のため来院した。
山田太郎 佐藤花子 鈴木一郎 高橋美咲 田中健太 伊藤さくら
東京 大阪 京都 札幌
教師 看護師 農家 運転手
糖尿病 高血圧 喘息 胃炎"""
THAI = """ผู้ป่วยชื่อ{name}เกิดปี{year}ที่{town}อาชีพ{job}มาพบแพทย์ด้วยโรค{ill}
สมชาย สมหญิง วิชัย มาลี ประเสริฐ
กรุงเทพ เชียงใหม่ ขอนแก่น ภูเก็ต
ครู พยาบาล ชาวนา คนขับรถ
เบาหวาน ความดัน หอบหืด"""


@pytest.mark.parametrize("language", [CHINESE, JAPANESE, THAI], ids=["Chinese", "Japanese", "Thai"])
def test_texts_of_scripts_without_blanks_are_masked_word_by_word(language: str) -> None:
    template, *lists = language.split("\n")
    names, towns, jobs, ills = map(str.split, lists)
    profiles, documents = [], []
    for i in range(40):
        facts = {"name": names[i % len(names)], "year": str(1930 + i), "town": towns[i % 3 + i % 2], "job": jobs[i % 4],
                 "ill": ills[i % len(ills)]}  # fmt: skip
        profiles.append(Profile(f"p{i}", facts))
        documents.append(Document(f"d{i}", template.format(**facts), f"p{i}"))
    settings = by_rules(k=K, direct=("name",))
    result = deidentify(documents, Population(tuple(profiles)), settings=settings, key=KEY)
    assert_hidden(result, K)
    assert not result.withheld
    for document, text, profile in zip(documents, result.texts(), profiles, strict=True):
        assert text is not None and profile.fields["name"] not in text
        assert len(text.replace("[MASK]", "")) > len(document.text) / 3, "whole clauses are hidden"
