"""The report page: whole, self-contained, the same every time, and without a word of anybody's text."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from made_settings import by_rules

from unname.auditing.charts import crowds_figure, curve_figure, rates_figure
from unname.auditing.page import brief, first_ten, grouped, in_short, limits, number, render, title_of
from unname.auditing.report import (
    AttackerFigures,
    Crowds,
    Curve,
    CurvePoint,
    Found,
    Report,
    Round,
    Task,
    shown,
)
from unname.auditing.report_file import read_report, report_from
from unname.errors import InputError
from unname.job import AuditPlan
from unname.knowledge.population import Population
from unname.masking.search import Greedy
from unname.protecting.result import Deidentified
from unname.statistics import percent
from unname.types import Profile
from unname.verbs.audit.in_memory import Audit, Kept, Knowledge, audit, prepare
from unname.verbs.deidentify.curve import Hiding, Tried, curve_over_k
from unname.verbs.deidentify.in_memory import deidentify

NOTHING = Found(None, None, 0, 0, "bounded")
HOSTILE = "<b>x</b>\"'&<script>alert(1)</script>"


@pytest.fixture(scope="module")
def made(small_town, townspeople) -> tuple[Deidentified, Audit]:
    """A small release with its audit, curve included."""
    documents = [d for d in small_town.documents if d.person in {p.id for p in small_town.profiles[:36]}]
    result = deidentify(documents, townspeople, key=b"k" * 32, settings=by_rules(k=5))
    prepared = prepare(
        documents,
        townspeople,
        plan=AuditPlan(attackers=("bm25", "names", "facts")),
        knowledge=Knowledge(used=("bm25", "ngrams"), k=5),
    )
    found = audit(prepared, result.texts(), masks=result.masks)
    tried = Tried(prepared.attackers, material=prepared.material)
    curve = curve_over_k(documents[:8], townspeople, Hiding(result.ensemble, Greedy()), tried)
    return result, replace(found, report=replace(found.report, curve=curve, method="greedy.v1 against bm25.v1"))


@pytest.fixture(scope="module")
def page(made) -> str:
    """The rendered page."""
    return render(made[1].report)


class Reader(HTMLParser):
    """Collects tags and checks that they close in order."""

    VOID = frozenset({"meta", "br", "hr", "img", "link", "input", "col"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    return reader


def svgs(page: str) -> list[str]:
    return re.findall(r"<svg.*?</svg>", page, re.DOTALL)


# --- self-contained


def test_every_tag_closes(page: str) -> None:
    reader = read(page)
    assert reader.open == []
    assert {"h1", "table", "svg", "dl"} <= {tag for tag, _ in reader.tags}


def test_the_page_holds_no_script_no_handler_and_loads_nothing(page: str) -> None:
    for tag, attributes in read(page).tags:
        assert tag not in {"script", "iframe", "object", "embed", "link", "img", "base", "form", "foreignobject"}
        for name, value in attributes.items():
            assert not name.startswith("on"), name
            if name in {"src", "href", "xlink:href", "action", "srcset", "data"}:
                assert (value or "").startswith("#"), (tag, name)
            assert "javascript:" not in (value or "").lower()
    assert all(target.startswith("#") for target in re.findall(r"url\(\s*['\"]?([^)]*)", page))
    assert "@import" not in page
    assert "default-src 'none'" in page


def test_urls_stand_in_namespaces_and_metadata_only(page: str) -> None:
    for match in re.finditer(r"https?://", page):
        name = re.search(r"([\w:]+)=[\"']$", page[: match.start()])
        assert name and (name.group(1).startswith("xmlns") or name.group(1) == "rdf:resource"), name


# --- pictures


def test_each_picture_is_xml_with_a_title_that_screen_readers_find(page: str) -> None:
    pictures = svgs(page)
    assert len(pictures) == 3
    for picture in pictures:
        root = ElementTree.fromstring(picture)  # noqa: S314 (our own output)
        assert root.attrib["role"] == "img" and root.attrib["aria-label"]
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title is not None and title.text == root.attrib["aria-label"]
        assert "viewBox" in root.attrib and "width" not in root.attrib


def test_ids_are_unique_across_the_page_and_every_reference_has_one(page: str) -> None:
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids)) > 50
    references = re.findall(r'href="#([^"]*)"', page) + re.findall(r"url\(#([^)]*)\)", page)
    assert references and set(references) <= set(ids)


# --- what it says


def test_the_same_report_gives_the_same_bytes(made, page: str) -> None:
    assert render(made[1].report) == page
    assert render(report_from(json.loads(json.dumps(made[1].report.as_dict())))) == page


def test_no_text_value_or_id_of_the_corpus_is_in_page_or_json(made, page: str, small_town) -> None:
    """Aggregates only: long words, numbers and names of documents and profiles, and every id, are looked for."""
    result, found = made
    as_json = json.dumps(found.report.as_dict(), ensure_ascii=False)
    assert '"per_person"' in as_json
    said = "".join(read(re.sub(r"<svg.*?</svg>|<style>.*?</style>", " ", page, flags=re.DOTALL)).text)
    for id_ in [d.id for d in result.documents] + [p.id for p in small_town.profiles]:
        assert id_ not in said and id_ not in as_json
    values = {v for p in small_town.profiles for v in p.fields.values() if len(v) > 5}
    names = {p.fields[f] for p in small_town.profiles for f in ("given name", "family name")}
    shown_words = set(re.findall(r"\w+", said + as_json))
    assert not {v for v in values if v in said or v in as_json} - {"female", "married", "single"}
    assert not names & shown_words
    for document in result.documents:
        words = document.text.split()
        assert not any(" ".join(words[i : i + 4]) in said for i in range(len(words) - 3))


def test_field_names_and_titles_are_escaped(made) -> None:
    report: dict[str, Any] = made[1].report.as_dict()
    assert report["inference"], "the town has fields that can be guessed"
    report["inference"][0]["field"] = HOSTILE
    report["method"] = HOSTILE
    page = render(report_from(report), title=HOSTILE)
    assert "<b>x" not in page and "<script" not in page
    assert page.count("&lt;b&gt;x") >= 4
    reader = read(page)
    assert reader.open == [] and any(HOSTILE in text for text in reader.text)


def test_a_rate_of_none_shows_its_upper_limit() -> None:
    assert shown(Found(0.0, (0.0, 0.0329), 113, 113, "bounded")) == "≤ 3.3 %"
    assert shown(Found(0.25, (0.1, 0.5), 80, 80, "bounded")) == "25.0 % (10.0–50.0)"
    assert shown(None) == shown(Found(None, None, 0, 0, "bounded")) == "not measured"
    assert percent(0.1234) == "12.3 %" and percent(None) == percent(float("nan")) == "–"


def test_of_few_people_a_rate_is_a_count() -> None:
    assert (
        shown(Found(0.25, (0.1, 0.5), 8, 8, "bounded")) == brief(Found(0.25, (0.1, 0.5), 8, 8, "bounded")) == "2 of 8"
    )
    assert shown(Found(0.0, (0.0, 0.2), 20, 20, "bounded")) == "0 of 20"
    assert shown(Found(0.02, (0.0, 0.2), 20, 20, "bounded")) == "about 1 of 20", "ties share their credit"
    few, many = (Found(0.5, (0.4, 0.6), n, n, "bounded", 0.6, 0.75) for n in (20, 200))
    assert (brief(many), first_ten(few), first_ten(many)) == ("50.0 %", "15 of 20", "75.0 %")


def test_the_first_lines_say_how_many_were_released_withheld_and_below_k(made) -> None:
    report = made[1].report.as_dict()
    report["withheld"], report["crowds"]["below_k"] = {"documents": 3, "share": 0.1, "reasons": {"failed": 3}}, 2
    lines = " ".join(in_short(report_from(report)))
    assert f"{report['documents'] - 3} documents released, 3 withheld; 2 with a crowd below k = 5" in lines
    assert shown(made[1].report.any_unused.after) in lines and shown(made[1].report.strongest) in lines
    report["crowds"], report["bad_records"] = None, 1
    assert f"{report['documents'] - 3} documents released, 3 withheld; 1 bad record passed over." in in_short(
        report_from(report)
    )


def test_the_first_lines_of_an_audit_say_that_what_a_release_lacks_counts_as_withheld(made) -> None:
    report = made[1].report.as_dict()
    total = report["documents"]
    for crowds in (report["crowds"], None):
        report |= {"withheld": {"documents": 3, "share": 0.1}, "crowds": crowds}
        lines = " ".join(in_short(report_from(report)))
        assert f"{total - 3} of {total} documents are in the release; the other 3 count as withheld: all their" in lines
        assert ("with a crowd below k" in lines) == bool(crowds)
        report["withheld"] = {"documents": 0, "share": 0.0}
        assert f"{total} documents released, 0 withheld" in " ".join(in_short(report_from(report)))


@pytest.mark.parametrize(
    ("taggers", "hidden"),
    [
        ([], "only your lists and known names are hidden."),
        (["rules.v1", "crf.v1"], "only your lists, known names and what was tagged (rules.v1, crf.v1) are hidden."),
    ],
)
def test_what_is_hidden_of_unknown_people_is_said_with_the_taggers_that_were_at_work(
    made, taggers: list[str], hidden: str
) -> None:
    report = made[1].report.as_dict() | {"not_measured": 2, "taggers": taggers}
    (line,) = [line for line in in_short(report_from(report)) if "Not measured" in line]
    assert line.endswith(f"no attacker tried; {hidden}") and line in read(render(report_from(report))).text


@pytest.mark.parametrize(("tried", "why"), [("none", "the audit was left out"), ("full", "no document was left whose")])
def test_why_nothing_was_measured_is_said(made, tried: str, why: str) -> None:
    report = made[1].report.as_dict() | {"fused": None, "audit": tried}
    (line,) = [line for line in in_short(report_from(report)) if "Not measured" in line]
    assert why in line


def test_a_direct_identifier_known_from_elsewhere_is_not_what_the_release_gives_away(made) -> None:
    report = made[1].report.as_dict()
    rate = {"rate": 0.6, "ci": [0.0, 1.0], "n": 10, "people": 10, "known": "bounded"}
    told = [{"field": "family name", "after": rate | {"rate": 0.9}}, {"field": "hobby", "after": rate}]
    report |= {"knowing": told, "strongest": rate | {"rate": 0.1}, "direct_fields": {"family name": "name"}}
    (line,) = [line for line in in_short(report_from(report)) if "from elsewhere" in line]
    assert "“hobby”" in line
    assert "family name (direct identifier)" in read(render(report_from(report))).text
    quiet = report | {"knowing": told[:1]}
    assert not [line for line in in_short(report_from(quiet)) if "from elsewhere" in line]


def test_a_report_with_nothing_unseen_and_nothing_used_still_renders(small_town, townspeople) -> None:
    documents = small_town.documents[:12]
    texts = [d.text for d in documents]
    seen = audit(
        prepare(documents, townspeople, plan=AuditPlan(attackers=("bm25",)), knowledge=Knowledge(used=("bm25",))), texts
    ).report
    unseen = audit(prepare(documents, townspeople, plan=AuditPlan(attackers=("bm25",))), texts).report
    assert seen.any_unused is None and unseen.any_used is None and unseen.crowd_sizes is None
    for report in (seen, unseen):
        assert read(render(report)).open == []
        json.dumps(report.as_dict(), allow_nan=False)
    assert "the strongest adversary picks the right person" in render(seen)


def test_all_withheld_still_renders(small_town, townspeople) -> None:
    documents = small_town.documents[:6]
    report = audit(
        prepare(
            documents, townspeople, plan=AuditPlan(attackers=("bm25", "names")), knowledge=Knowledge(used=("bm25",))
        ),
        [None] * 6,
    ).report
    assert report.any_unused.after.rate == 0 and report.masked.rate == 1
    json.dumps(report.as_dict(), allow_nan=False)
    assert read(render(report)).open == []


def test_attackers_say_what_they_are_and_strangers_keep_their_names(made) -> None:
    titles = {a.name: title_of(a) for a in made[1].report.attackers}
    assert titles["bm25.v1"] == "Shared rare words (BM25)"
    learned = AttackerFigures("additive.v1@release", False, None, NOTHING, "Learned word associations", "", "learned")
    assert title_of(learned) == "Learned word associations (trained on other people's released texts)"
    assert title_of(AttackerFigures("mine.v2", False, None, NOTHING)) == "mine.v2"
    order = [heading for heading, _ in grouped([learned, *made[1].report.attackers])]
    assert order == ["Used in masking", "Held out", "Held out, trained on other people's released texts"]


def test_what_a_report_does_not_say_follows_from_who_attacked(made) -> None:
    report = made[1].report
    plain = " ".join(limits(report))
    assert "No attacker was tried that understands" in plain and "No attacker was tried that learns" in plain
    neural = AttackerFigures("biencoder.v1@model", False, None, NOTHING, "Neural encoder", "", "neural")
    learned = AttackerFigures("additive.v1@release", False, None, NOTHING, "Learned", "", "learned")
    more = " ".join(limits(replace(report, attackers=(*report.attackers, neural, learned))))
    assert "--attacker-model" in plain and "--attacker-model" not in more
    assert "No neural attacker" not in more and "that learns" not in more


# --- what lies beyond: attackers' people, metadata, earlier releases, sensitive fields, a changing population


@pytest.fixture(scope="module")
def beyond(made, small_town, townspeople) -> Report:
    """A report with every section there is."""
    result, _ = made
    known = {str(d.person) for d in result.documents[:6]}
    others = Population(tuple(p for p in small_town.profiles if p.id not in known))
    profiles = {p.id: p for p in small_town.profiles}
    poorer = Population(
        tuple(Profile(p.id, {k: v for k, v in p.fields.items() if k != "village"}) for p in small_town.profiles),
        small_town.profiles,
    )
    kept = [profiles[str(d.person)].fields["village"] for d in result.documents]
    prepared = prepare(
        result.documents,
        poorer,
        kept=Kept(kept, ("ward",)),
        plan=AuditPlan(attackers=("bm25", "names"), sensitive=("sex", "village")),
        knowledge=Knowledge(used=("bm25",), k=5, people=others),
    )
    report = audit(prepared, result.texts(), masks=result.masks, previous=[[d.text for d in result.documents]]).report
    return replace(report, previous=replace(report.previous, unmatched=3))


def test_every_section_is_on_the_page_with_its_figures(beyond: Report) -> None:
    page = render(beyond)
    reader = read(page)
    said = " ".join(" ".join(reader.text).split())
    assert reader.open == []
    for heading in ("What a crowd has in common", "If the world changes", "Metadata released beside the text",
                    "Together with earlier releases"):  # fmt: skip
        assert heading in said
    kept, previous = beyond.kept, beyond.previous
    for figures in (kept.any_unused["with"], kept.any_unused["without"], previous.any_unused.union):
        assert shown(figures) in said
    assert "Counted as released: ward." in said
    assert (
        f"Each attacker guesses one person of {beyond.attacker_people}; they know other people than the masking did"
        in said
    )
    assert f"{beyond.not_in_attacker_population} documents about people whom they do not know" in said
    assert f"counted over all {beyond.crowds.people} people that the masking knew" in said
    assert beyond.attacker_people < beyond.crowds.people == beyond.people
    assert "3 released then have no original here" in said
    assert "“village” of everybody comes to light" in said
    json.dumps(beyond.as_dict(), allow_nan=False)


class Drawing(Reader):
    """Collects the tags that a browser draws: those within nothing that has one of the hidden classes."""

    def __init__(self, hidden: frozenset[str]) -> None:
        super().__init__()
        self.hidden, self.drawn, self.within = hidden, list[str](), list[bool]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        super().handle_starttag(tag, attrs)
        out = any(self.within[-1:]) or not self.hidden.isdisjoint((dict(attrs).get("class") or "").split())
        self.drawn += [] if out else [tag]
        if tag not in self.VOID:
            self.within.append(out)

    def handle_endtag(self, tag: str) -> None:
        super().handle_endtag(tag)
        self.within.pop()


_MEDIA = re.compile(r"@media ([^{]*) \{((?:[^{}]*\{[^{}]*\})*)[^{}]*\}")


def hidden_classes(page: str, medium: str) -> frozenset[str]:
    """The classes that the page's rules hide on a medium: of all rules for a class, the last counts."""
    rules = page[page.index("<style>") : page.index("</style>")]
    hidden: dict[str, bool] = {}
    for block in (_MEDIA.sub("", rules), *(block for where, block in _MEDIA.findall(rules) if where == medium)):
        for name, display in re.findall(r"(?:^|\}|\n)\s*\.(\w+) \{[^}]*?display: (\w+)", block):
            hidden[name] = display == "none"
    return frozenset(name for name, out in hidden.items() if out)


@pytest.mark.parametrize("medium", ["desktop", "(max-width: 40rem)", "print"])
def test_every_table_and_picture_is_drawn_on_desktops_phones_and_paper(made, beyond: Report, medium: str) -> None:
    some = Found(0.25, (0.1, 0.5), 8, 8, "bounded")
    rounds, tasks = (Round(0.1, some), Round(0.2, some, kept=False)), (Task("trade", 4, some, some, some),)
    page = render(replace(beyond, rounds=rounds, tasks=tasks, curve=made[1].report.curve))
    reader = Drawing(hidden_classes(page, medium))
    reader.feed(page)
    drawn = reader.drawn
    for tag in ("table", "svg"):
        assert drawn.count(tag) == page.count(f"<{tag}") > 2
    assert ("scroll" in reader.hidden) == (medium != "(max-width: 40rem)"), "a hint for phones"


def test_the_first_lines_say_when_earlier_releases_make_it_worse(beyond: Report) -> None:
    lines = " ".join(in_short(beyond))
    assert "Worse with 1 earlier release beside this one" in lines
    assert shown(beyond.previous.any_unused.union) in lines
    same = beyond.as_dict()
    for name in ("any_unused", "any_used", "fused", "strongest"):
        same["previous"][name]["union"] = same["previous"][name]["after"]
    same["previous"]["below_k"]["union"] = same["previous"]["below_k"]["alone"]
    assert "Worse" not in " ".join(in_short(report_from(same)))
    same["previous"]["below_k"]["union"] += 1
    assert "Worse" in " ".join(in_short(report_from(same)))


def test_the_first_lines_name_a_field_that_whole_crowds_share(beyond: Report) -> None:
    report = beyond.as_dict()
    report["sensitive"][0]["one_value"]["count"] = 0
    report["sensitive"][1]["one_value"]["count"] = 4
    (line,) = [line for line in in_short(report_from(report)) if "Everybody in the crowd" in line]
    assert "“village” for 4 of" in line


def test_names_of_columns_and_fields_are_escaped_in_every_section(beyond: Report) -> None:
    report = beyond.as_dict()
    report["kept"]["columns"] = [HOSTILE]
    report["sensitive"][0]["field"] = HOSTILE
    report["sensitive"][0]["one_value"]["count"] = 1
    report["population_change"]["fields"][0]["field"] = HOSTILE
    page = render(report_from(report))
    assert "<b>x" not in page and "<script" not in page
    assert page.count("&lt;b&gt;x") == 4


def test_a_report_without_these_sections_renders(made) -> None:
    page = render(replace(made[1].report, population_change=None))
    assert f"counted over all {made[1].report.people} people on the released text" in " ".join(page.split())
    assert "If the world changes" not in page


def test_a_report_of_an_earlier_version_is_read(made) -> None:
    """It had no plain words for attackers, and an empty place where no crowd was counted."""
    values = made[1].report.as_dict()
    for row in values["attackers"]:
        del row["title"], row["sentence"], row["family"]
    del values["withheld"]["reread"]
    assert report_from(values | {"crowds": {}}).crowds is None
    assert replace(made[1].report, crowds=None).as_dict()["crowds"] == {}


def test_what_is_no_report_is_refused(made, tmp_path) -> None:
    file = tmp_path / "report.json"
    file.write_text(json.dumps(made[1].report.as_dict()), encoding="utf-8")
    assert read_report(file) == replace(made[1].report, risks=())
    for wrong in ("{", "[]", json.dumps(made[1].report.as_dict() | {"documents": "many"})):
        file.write_text(wrong, encoding="utf-8")
        with pytest.raises(InputError, match="report"):
            read_report(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_report(tmp_path)


def test_a_change_that_has_nothing_to_take_away_says_so(beyond: Report) -> None:
    report = beyond.as_dict()
    change = report["population_change"]
    change["had_crowd"] = 0
    change["leaving"] = [{"share": 0.05, "mean": None, "low": None, "high": None}]
    assert f"None of the {change['documents']} documents drawn has a crowd" in render(report_from(report))


def test_counts_have_no_needless_decimals() -> None:
    assert (number(3.0), number(2.5), number(None)) == ("3", "2.5", "–")


# --- figures by hand


def test_pictures_carry_units_sample_sizes_and_limits() -> None:
    one, other = Found(0.0, (0.0, 0.033), 113, 113, "bounded"), Found(0.5, (0.4, 0.6), 113, 113, "bounded")
    bars = rates_figure([("a", other, one), ("b", None, other), ("c", NOTHING, one)], 1 / 11)
    assert "≤ 3.3" in bars and "95 % interval" in bars and "1/(k+1)" in bars
    crowds = crowds_figure(Crowds((0, 5, 10), (0, 3, 4), 0, 7.0, 41, "exact"), 5)
    assert "documents (n = 7)" in crowds and "k = 5" in crowds and "≥ 10" in crowds
    points = tuple(CurvePoint(k, k / 100, one, NOTHING) for k in (1, 10))
    curve = curve_figure(Curve(points, 41, ()))
    assert "n = 41 documents" in curve and "words hidden, %" in curve
    for picture in (bars, crowds, curve):
        ElementTree.fromstring(picture)  # noqa: S314 (our own output)


def heights(picture: str, group: str) -> list[float]:
    """How far down the points lie of what is drawn in a group: its marks and patches, without the letters."""
    root = ElementTree.fromstring(picture)  # noqa: S314 (our own output)
    (found,) = [one for one in root.iter() if one.get("id", "").endswith(group)]
    marks = [one for one in found.iter() if re.search(r"-(?:patch|line2d)_\d+$", one.get("id", ""))] or [found]
    paths = [path.get("d", "") for mark in marks for path in mark if path.tag.endswith("path")]
    return [float(y) for path in paths for y in re.findall(r"[ML] \S+ (\S+)", path)]


def test_no_legend_covers_what_is_drawn() -> None:
    """Bars and points may be anywhere within the axes, so a legend stands above these."""
    all_of_them, points = Found(1.0, (0.97, 1.0), 100, 100, "bounded"), []
    for k in (3, 10):
        points.append(CurvePoint(k, k / 100, all_of_them, all_of_them, all_of_them, all_of_them))
    bars = rates_figure([(name, all_of_them, all_of_them) for name in "abc"], 0.1)
    for picture in (bars, curve_figure(Curve(tuple(points), 100, ()))):
        axes = min(heights(picture, "-patch_2"))
        assert heights(picture, "-legend_1") and max(heights(picture, "-legend_1")) < axes
