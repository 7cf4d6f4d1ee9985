"""H5: what a user supplies is never carried out by what shows it: HTML is escaped, terminals get no control characters."""

import csv
import html
import re
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from promise_support import FAST, files_under, json_rows
from rich.console import Console

from unname.apps import cli
from unname.auditing.page import render
from unname.auditing.report_file import report_from
from unname.errors import InputError, StateError, printable
from unname.job import Deidentification, make_job
from unname.knowledge.fictional import Town
from unname.types import Document, Profile
from unname.verbs.deidentify.files import Released, deidentify_files

MARK = "zqx"
ATTACKS = (
    f"<script>{MARK}()</script>", f"\"><img src=x onerror={MARK}()>", f"'><svg onload={MARK}()>", f"</style>{MARK}<b>",
    f"{{{{ {MARK} }}}}{{% raw %}}", f"--><iframe src=javascript:{MARK}()>", f"&lt;{MARK}&gt;", f"]]>{MARK}<!--",
)  # fmt: skip
QUIET = {"xmlns", "xmlns:xlink", "xmlns:cc", "xmlns:dc", "xmlns:rdf", "rdf:resource"}  # names, which nothing loads
SAFE_TAGS = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "div", "b", "span", "ul", "li", "figure",
    "table", "thead", "tbody", "tr", "th", "td", "strong", "dl", "dt", "dd",
    "svg", "metadata", "rdf:rdf", "cc:work", "dc:type", "dc:title", "dc:format", "defs", "g", "path", "use", "clippath",
    "rect", "text",
}  # fmt: skip


class Tags(HTMLParser):
    """Collects the elements of a page, and everything in it that could do something."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.active: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        if tag not in SAFE_TAGS:
            self.active.append(tag)
        for name, value in attrs:
            plain = re.sub(r"\s", "", html.unescape(value or "")).lower()
            if name.startswith("on") or (plain.startswith(("javascript:", "data:text", "http")) and name not in QUIET):
                self.active.append(f"{tag} {name}")


def require_inert(page: str, attacks: tuple[str, ...] = ATTACKS) -> None:
    """Nothing on a page runs or loads, and no attack stands there as it was given, unless it is harmless as text."""
    tags = Tags(page)
    assert {"html", "svg", "table"} <= tags.seen, "the page must have been understood"
    assert not tags.active, f"the page holds what could run: {tags.active[:3]}"
    assert "Content-Security-Policy" in page and "default-src 'none'" in page
    for attack in attacks:
        if re.search(r"[<>\"]", attack):
            assert attack not in page, "an attack stands unescaped in the page"


def hostile_leaves(value: Any, attacks: Iterator[str]) -> Any:
    """A report whose every text is an attack, and whose free names are attacks too."""
    if isinstance(value, dict):
        named = {"kinds", "readings"}
        return {
            k: {next(attacks): hostile_leaves(row, attacks) for row in v.values()} if k in named and isinstance(v, dict)
            else hostile_leaves(v, attacks)
            for k, v in value.items()
        }  # fmt: skip
    if isinstance(value, list):
        return [hostile_leaves(item, attacks) for item in value]
    return next(attacks) if isinstance(value, str) else value


def _attacks() -> Iterator[str]:
    while True:
        yield from ATTACKS


def test_a_report_whose_every_text_is_an_attack_shows_them_as_text(released: Released) -> None:
    report = hostile_leaves(released.report.as_dict(), _attacks())
    report["headline"]["attacker"] = "fused"  # a name of ours, as a verdict is
    page = render(report_from(report), title=ATTACKS[0])
    require_inert(page)
    assert sum(html.escape(attack) in page or attack in html.unescape(page) for attack in ATTACKS) >= 3


@pytest.fixture(scope="module")
def attacked(town: Town, tmp_path_factory: pytest.TempPathFactory) -> Released:
    """A release of a town whose field names, columns, ids and values are attacks."""
    from promise_support import write_documents, write_people

    folder = tmp_path_factory.mktemp("attacked")
    profiles = [
        Profile(p.id, {**p.fields, **dict.fromkeys(ATTACKS, "AB"[i % 2]), f"sex {ATTACKS[1]}": "fm"[i % 2]})
        for i, p in enumerate(town.profiles)
    ]
    documents = [
        Document(f"{i} {ATTACKS[i % 8]}", f"{d.text} {ATTACKS[i % 8]}", d.person, None, (), {ATTACKS[0]: ATTACKS[1]})
        for i, d in enumerate(town.documents)
    ]
    files = write_documents(folder / "d.jsonl", documents), write_people(folder / "p.jsonl", profiles)
    return deidentify_files(
        make_job(
            *files,
            folder / "out",
            accept_risk="a test",
            masking=Deidentification(k=2, reidentifiers=("bm25",)),
            attackers=FAST,
            keep=[ATTACKS[0]],
        )
    )


def test_a_release_of_hostile_names_has_an_inert_report(attacked: Released) -> None:
    page = (attacked.folder / "report.html").read_text(encoding="utf-8")
    require_inert(page)
    fields = {row["field"] for row in attacked.report.as_dict()["inference"]}
    assert fields & set(ATTACKS), "field names must reach the report, or their absence shows nothing"
    assert any(html.escape(name, quote=False)[:20] in page for name in fields & set(ATTACKS))
    assert any(ATTACKS[0] in row for row in json_rows(attacked.folder / "documents.jsonl")), "the column was kept"


def test_nothing_that_a_spreadsheet_opens_is_written(attacked: Released) -> None:
    """A cell that begins with = + - @ is a formula; where a table is to be written as CSV, cells must be neutralised."""
    written = [path.name for folder in (attacked.folder, attacked.private) for path in files_under(folder)]
    assert written
    tables = [name for name in written if name.endswith((".csv", ".tsv", ".xls", ".xlsx", ".tab"))]
    assert tables == ["read-first.csv"], "one that people are meant to open, with cells that are none"
    with (attacked.private / "read-first.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert any(row["document"] for row in rows), "some fact of some document must be listed"
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]


def test_the_check_notices_a_name_that_is_not_escaped(released: Released) -> None:
    page = render(released.report)
    require_inert(page)
    for attack in ATTACKS:
        if "<" in attack and attack != ATTACKS[-1]:
            with pytest.raises(AssertionError, match=r"could run|unescaped"):
                require_inert(page.replace("</h1>", f"{attack}</h1>"))


# --- terminals

HOSTILE_NAME = "zqx\x1b]0;zqx\x07\x1b[31m\x9b2J\u202egpj\u2066\u200b\x7f\r\b"
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
Said = Callable[[list[str]], tuple[int, str]]


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Said:
    """Run a command line and give back its exit code and all it says, without colours of our own."""
    for name, stderr in (("OUT", False), ("ERR", True)):
        console = Console(stderr=stderr, highlight=False, soft_wrap=True, color_system=None, width=200)
        for module in [each for each in sys.modules if each.startswith("unname.")]:
            if isinstance(getattr(sys.modules[module], name, None), Console):
                monkeypatch.setattr(f"{module}.{name}", console)

    def go(arguments: list[str]) -> tuple[int, str]:
        capfd.readouterr()
        code = cli.run(arguments)
        return code, "".join(capfd.readouterr())

    return go


def require_quiet_terminal(said: str, *, about: str = "") -> None:
    """A terminal that shows this does nothing else; and it does tell what it is about."""
    found = CONTROLS.search(said)
    assert not found, f"a control character reaches the terminal: {found!r}"
    assert about in said


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text("".join(f'{{"id": "p{i}", "name": "Ada{i} Smith{i}"}}\n' for i in range(9)), encoding="utf-8")
    return path


BAD_FILES = {
    "no id": b'{"text": "x"}\n',
    "an id of control characters twice": b'{"id": "\\u001b[31m", "text": "x"}\n' * 2,
    "a column of control characters": b'{"id": "1", "text": "x", "\\u001b]0;x\\u0007\\u202e": "\\u0000"}\n',
    "broken": b"{\n",
    "empty": b"",
    "an unknown person": b'{"id": "\\u001b[31m", "text": "x", "person": "\\u009b2J"}\n',
}


@pytest.mark.parametrize("fault", BAD_FILES)
@pytest.mark.parametrize("command", ["deidentify", "audit"])
def test_errors_about_hostile_names_are_spelled_out(
    command: str, fault: str, say: Said, people: Path, tmp_path: Path
) -> None:
    documents = tmp_path / f"{HOSTILE_NAME}.jsonl"
    documents.write_bytes(BAD_FILES[fault])
    arguments = [command, str(documents), "--people", str(people), "--out", str(tmp_path / "out")]
    code, said = say(arguments + (["--original", str(documents)] if command == "audit" else []))
    assert code == 1
    require_quiet_terminal(said, about="zqx\\x1b]0;zqx")


@pytest.mark.parametrize("option", ["--id-column", "--text-column", "--person-column"])
def test_a_hostile_column_name_that_was_asked_for_is_spelled_out(
    option: str, say: Said, people: Path, tmp_path: Path
) -> None:
    documents = tmp_path / "d.jsonl"
    documents.write_text('{"id": "1", "text": "x"}\n', encoding="utf-8")
    command = [
        "deidentify",
        "--accept-risk",
        "a test",
        str(documents),
        "--people",
        str(people),
        "--out",
        str(tmp_path / "out"),
    ]
    code, said = say([*command, option, HOSTILE_NAME])
    assert code == 1
    require_quiet_terminal(said, about="\\x1b]0;zqx")


def test_hostile_fields_of_people_are_spelled_out(say: Said, people: Path, tmp_path: Path) -> None:
    people.write_bytes(b'{"id": "1", "\\u001b[31mname\\u202e": {"a": [[1]]}}\n')
    (tmp_path / "d.jsonl").write_text('{"id": "1", "text": "x"}\n', encoding="utf-8")
    code, said = say(
        [
            "deidentify",
            "--accept-risk",
            "a test",
            str(tmp_path / "d.jsonl"),
            "--people",
            str(people),
            "--out",
            str(tmp_path / "o"),
        ]
    )
    assert code == 1
    require_quiet_terminal(said, about="\\x1b[31mname\\u202e")


def test_columns_that_may_be_kept_are_spelled_out(say: Said, people: Path, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text(
        '{"id": "1", "text": "x", "person": "p1", "\\u001b[31mward": "1"}\n', encoding="utf-8"
    )
    command = [
        "deidentify",
        "--accept-risk",
        "a test",
        str(tmp_path / "d.jsonl"),
        "--people",
        str(people),
        "--out",
        str(tmp_path / "o"),
    ]
    code, said = say([*command, "--k", "2", "--keep", "ward\x1b[2J"])
    assert code == 2
    require_quiet_terminal(said, about="ward\\x1b[2J")


def test_folders_that_were_written_are_spelled_out(say: Said, people: Path, tmp_path: Path) -> None:
    documents = tmp_path / "d.jsonl"
    rows = (f'{{"id": "{i}", "text": "saw Ada{i} Smith{i} in town", "person": "p{i}"}}\n' for i in range(9))
    documents.write_text("".join(rows), encoding="utf-8")
    shared = ["--people", str(people), "--reidentifiers", "bm25"]
    code, said = say(["reidentify", str(documents), *shared, "--out", str(tmp_path / f"{HOSTILE_NAME}[bold]x.jsonl")])
    assert code == 0
    require_quiet_terminal(said, about="zqx\\x1b]0;zqx")
    assert "[bold]x" in said, "a name must not be read as markup"
    code, said = say(["deidentify",
             "--accept-risk", "a test",
             str(documents), *shared, "--out", str(tmp_path / f"{HOSTILE_NAME}[bold]x"),
                      "--k", "2", "--attackers", "bm25"])  # fmt: skip
    assert code in (0, 3)
    require_quiet_terminal(said, about="zqx\\x1b]0;zqx")
    assert "[bold]x" in said


@pytest.mark.parametrize(
    "arguments",
    [
        [HOSTILE_NAME], ["--" + HOSTILE_NAME], ["deidentify", HOSTILE_NAME], ["deidentify", "--" + HOSTILE_NAME],
        ["deidentify", "--k", HOSTILE_NAME, "x"], ["reidentify", "--settings", HOSTILE_NAME],
        ["methods", HOSTILE_NAME],
        ["deidentify", "--ids", HOSTILE_NAME, "x"],
    ],
)  # fmt: skip
def test_usage_errors_spell_out_what_was_typed(arguments: list[str], say: Said) -> None:
    code, said = say(arguments)
    assert code == 2
    require_quiet_terminal(said, about="zqx\\x1b]0;zqx")


def test_every_error_of_ours_spells_out_what_a_terminal_would_carry_out() -> None:
    for kind in (InputError, StateError):
        assert str(kind("one\x1b[31m\ntwo\u202e\x9b")) == "one\\x1b[31m\ntwo\\u202e\\x9b"
    assert printable("Zoë\t\n\U0001f600\u202e\ud800") == "Zoë\\t\\n\U0001f600\\u202e\\ud800"


def test_the_check_notices_control_characters() -> None:
    for character in "\x1b\x9b\u202e\u2066\x07\r\x7f":
        with pytest.raises(AssertionError, match="control character"):
            require_quiet_terminal(f"error: {character}")
    require_quiet_terminal("error:\tZoë – “fine”\n", about="Zoë")
