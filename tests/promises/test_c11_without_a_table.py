"""C11 without a table of people: a search in reference texts lets nothing out by finding few whom it could not find anyway.

Each case is a release that some reader can make out, beside texts in which a search finds few: the run must keep it.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_registry import FAMILY, GIVEN

from unname.apps import cli

HELD, PEOPLE = 4, 60
Rows = list[dict[str, Any]]
Said = tuple[int, str]
Run = Callable[..., Said]


def own(i: int) -> str:
    """Letters of one person alone."""
    return chr(97 + i % 26) + chr(97 + i // 26)


def name(i: int) -> str:
    return f"{GIVEN[i % 30]}{own(i)} {FAMILY[i % 30]}{own(i)}"


def told(i: int) -> str:
    """What stands in the article about a person and in the note, and names nobody."""
    return f'It was said: "Quillbeck{own(i)} flooded the old fenwater{own(i)} mill".'


def notes() -> Rows:
    return [{"id": f"d{i}", "person": f"p{i}", "text": f"{name(i)} came in spring. {told(i)}"} for i in range(PEOPLE)]


def articles(text: Callable[[int], str] = lambda i: f"{name(i)}: {told(i)}") -> Rows:
    return [{"id": f"p{i}", "text": text(i)} for i in range(PEOPLE)]


def written(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def said(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Deidentify notes without a table by the command: names are hidden, and of what was told that of `hidden` people."""

    def go(documents: Rows, texts: Rows | None, *more: object, hidden: int = 0, out: str = "out") -> Said:
        words = [*(word for i in range(PEOPLE) for word in name(i).split()), "in", "came", "spring"]
        words += [word for i in range(hidden) for word in (f"Quillbeck{own(i)}", f"fenwater{own(i)}")]
        (tmp_path / "always").write_text("\n".join(words), encoding="utf-8")
        command = ["deidentify", written(tmp_path / "d.jsonl", documents), "--out", tmp_path / out, "--tagger", "rules",
                   "--workers", "1", "--always", tmp_path / "always", *more]  # fmt: skip
        if texts is not None:
            command += ["--outsiders", written(tmp_path / "t.jsonl", texts)]
        capfd.readouterr()
        code = cli.run([str(word) for word in command])
        return code, " ".join(capfd.readouterr().out.split())

    return go


def held(answer: Said, line: str, first: str = "Weak evidence") -> bool:
    """Whether nothing was released, and the verdict says why."""
    code, box = answer
    return code == HELD and box.startswith(first) and line in box


def test_what_is_hidden_from_a_search_that_found_it_before_may_go_out(said: Run) -> None:
    code, box = said(notes(), articles(), hidden=PEOPLE)
    assert code == 0 and box.startswith("May go out, as far as these texts go")


def test_texts_of_names_alone_cannot_notice_what_else_stays(said: Run, tmp_path: Path) -> None:
    answer = said(notes(), articles(name))
    assert held(answer, "These texts hold little but names: by the originals without names, numbers and contacts")
    graph = tmp_path / "names.tsv"
    graph.write_text("".join(f"p{i}\tname\t{name(i)}\n" for i in range(PEOPLE)), encoding="utf-8")
    assert held(said(notes(), None, "--graph", graph, "--replace"), "These texts hold little but names")


def test_originals_that_would_themselves_stay_below_the_limit_show_nothing(said: Run) -> None:
    few = articles(lambda i: told(i) if i < 7 else "It rained for days.")
    answer = said(notes(), few, "--max-risk", "20%", hidden=PEOPLE)
    assert held(answer, "Even by the originals a search leads to")


def test_documents_that_say_nothing_do_not_make_those_safe_that_do(said: Run) -> None:
    nothing = [{"id": f"n{i}", "person": f"n{i}", "text": "Nothing."} for i in range(3 * PEOPLE)]
    texts = [*articles(), *({"id": row["id"], "text": f"House number {i}."} for i, row in enumerate(nothing))]
    answer = said([*notes(), *nothing], texts, hidden=PEOPLE // 2)
    assert held(answer, "of the documents that can be found, about")


def test_texts_with_the_ids_of_others_do_not_make_a_release_safe(said: Run) -> None:
    wrong = articles(lambda i: f"{name(i)}: {told(i)}" if i % 3 == 0 else told((i + 3) % PEOPLE))
    assert held(said(notes(), wrong, "--max-risk", "20%", hidden=PEOPLE * 3 // 4), "of the documents that can be found")


def test_documents_of_one_person_that_were_sought_one_at_a_time_are_counted(said: Run) -> None:
    halves = [
        {"id": f"{row['id']}-{half}", "person": row["person"], "text": text}
        for row in notes() for half, text in enumerate((row["text"], told(int(row["person"][1:]))))
    ]  # fmt: skip
    answer = said(halves, articles(), hidden=PEOPLE)
    assert held(answer, "Each document was sought by itself; 120 are about 60 people")


@pytest.mark.parametrize("more", [("--keep", "seen"), ("--ids", "keep")])
def test_what_is_kept_beside_the_texts_counts_without_a_table_too(said: Run, more: tuple[str, ...]) -> None:
    rows = [row | {"seen": f"case {1000 + i}"} for i, row in enumerate(notes())]
    answer = said(rows, articles(), *more, hidden=PEOPLE)
    assert held(answer, "are nearly unique: whoever meets them elsewhere knows the person")
    assert held(said(rows, None, *more, "--replace"), "are nearly unique", first="Not measured")


def test_a_search_reads_what_is_kept_beside_the_texts(said: Run) -> None:
    rows = [row | {"story": told(i)} for i, row in enumerate(notes())]
    assert held(said(rows, articles(), "--keep", "story", hidden=PEOPLE), "may find 100.0 %", first="Not yet")


def test_a_search_reads_what_an_earlier_release_shows(said: Run, tmp_path: Path) -> None:
    assert said(notes(), articles(), "--accept-risk", "a test")[0] == 0
    later = said(notes(), articles(), "--after", tmp_path / "out.private", hidden=PEOPLE, out="later")
    assert held(later, "100.0 % (94.0–100.0) of the documents", first="Not yet")


def test_scripts_that_the_taggers_have_not_learned_are_told(said: Run) -> None:
    foreign = [
        row | {"text": f"Иван приехал весной. {told(i)} Он живёт в деревне и работает на старом заводе у самой реки."}
        for i, row in enumerate(notes())
    ]
    line = "60 of 60 documents are written in a script that the taggers which come with Unname have not learned"
    assert held(said(foreign, articles(), hidden=PEOPLE), line)
    assert held(said(foreign, None, "--replace"), f"{line}: names may stay readable there", first="Not measured")
    assert "have not learned" not in said(notes(), None, "--replace")[1]
