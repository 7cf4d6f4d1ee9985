"""Every relative link and every anchor of the written pages leads somewhere, and the index of docs names every page."""

import re
from pathlib import Path

import pytest
from blocks import ROOT, name_of

DOCS = ROOT / "docs"
WRITTEN = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")),
           *sorted((ROOT / "unname").rglob("*.md"))]  # fmt: skip
_LINK = re.compile(r"\]\(([^)\s#]*)(#[^)\s]*)?\)")
_HEADING = re.compile(r"^#{1,6} (.+?)\s*#*$", re.MULTILINE)


def without_code(text: str) -> str:
    """A page without its fenced blocks and its stretches of code, whose brackets are no links."""
    return re.sub(r"`[^`\n]*`", "``", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives the headings of a page: `-1`, `-2` for the same heading again."""
    found: dict[str, int] = {}
    names = set()
    for heading in _HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        names.add(f"{name}-{found[name]}" if name in found else name)
        found[name] = found.get(name, 0) + 1
    return names


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    lost = []
    for path, anchor in _LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if path.startswith(("http://", "https://", "mailto:")):
            continue
        target = page.parent / path if path else page
        there = target.exists()
        if there and anchor and target.suffix == ".md":
            there = anchor[1:] in anchors(target.read_text(encoding="utf-8"))
        if not there:
            lost.append(path + anchor)
    return lost


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_the_check_notices_a_lost_page_and_a_lost_anchor(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text(
        "# One `two` (three)\n\n```\n# no heading\n```\n## Again\n## Again\n", encoding="utf-8"
    )
    (tmp_path / "a.md").write_text(
        "[x](b.md#one-two-three) [x](b.md#again-1) [x](c.md) [x](b.md#no-heading) [x](#d) `[x](e.md)` [x](https://f.g#h)",
        encoding="utf-8",
    )
    assert broken(tmp_path / "a.md") == ["c.md", "b.md#no-heading", "#d"]


def test_the_index_of_docs_names_every_page() -> None:
    linked = {
        (index.parent / path).resolve()
        for index in (DOCS / "README.md", DOCS / "results" / "README.md")
        for path, _ in _LINK.findall(index.read_text(encoding="utf-8"))
        if path and not path.startswith("http")
    }
    assert {page for page in DOCS.rglob("*.md") if page != DOCS / "README.md"} <= linked
