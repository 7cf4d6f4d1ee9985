"""A folder of texts and nothing else: what goes, what stays, and that nobody lets it go unasked."""

import json
from pathlib import Path

import pytest
from made_commands import Run

TEXTS = {
    "one": "Mrs Margaret Holloway was seen by Dr. James Whitfield on 3 May 2021. She is a nurse, aged 46, and was tired. "
           "Margaret walks in the garden with her mother every morning.",
    "two": "Dear Mr Peter Thornbury, your appointment at the hospital is on 14 June 2022. Please call 0555 570 3312 or "
           "write to peter.thornbury@mail.example if the weather is bad. Mr Thornbury lives at 12 High Street.",
    "three": "Name: Susan Blackwood\nDate: 27/11/2020\n\nShe said that her children sleep well and that the food was good. "
             "Her brother Michael Blackwood works in a school.",
    "four": "Frau Sabine Hartmann kam am 9. März 2019 in die Klinik. Sie arbeitet als Lehrerin und war sehr müde. "
            "Herr Dr. Thomas Hartmann hat mit der Familie gesprochen.",
}  # fmt: skip
NAMES = """
Margaret Holloway James Whitfield Peter Thornbury Susan Blackwood Michael Sabine Hartmann Thomas 3312 mail.example High
""".split()  # noqa: SIM905
DAYS = ("3 May", "14 June", "27/11", "9. März")
MONTHS = ("May 2021", "June 2022", "11/2020", "März 2019")
EVERYDAY = """
seen nurse aged 46 tired walks garden mother every morning appointment hospital call weather bad children sleep well food
good brother works school kam Klinik Sie arbeitet Lehrerin müde Familie gesprochen
""".split()  # noqa: SIM905


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = tmp_path / "texts"
    texts.mkdir()
    for name, text in TEXTS.items():
        (texts / f"{name}.txt").write_text(text, encoding="utf-8")
    return texts


def test_names_and_days_go_months_years_and_everyday_words_stay_and_it_is_held_until_somebody_accepts_it(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    said = run("deidentify", folder, "--out", out)
    assert said.code == 4 and "Not measured" in said.out and not out.exists()
    assert run("release", f"{out}.private", "--accept-risk", "a test").code == 0
    released = [path.read_text("utf-8") for path in (out / "documents").iterdir()]
    assert len(released) == len(TEXTS)
    text = "\n".join(released)
    assert not [name for name in NAMES if name in text]
    assert not [day for day in DAYS if day in text]
    assert not [month for month in MONTHS if month not in text]
    assert not [word for word in EVERYDAY if word not in text]
    settings = json.loads((out / "manifest.json").read_text("utf-8"))["settings"]
    assert settings["taggers"] == ["rules.v1", "entities.v1"] and settings["facts"] == "mask-rare"


def test_facts_that_are_only_reported_stay_and_all_that_taggers_find_can_be_hidden(
    run: Run, folder: Path, tmp_path: Path
) -> None:
    common = ("deidentify", folder, "--facts", "report", "--accept-risk", "a test")
    assert run(*common, "--out", tmp_path / "out").code == 0
    text = "\n".join(path.read_text("utf-8") for path in (tmp_path / "out/documents").iterdir())
    assert all(month in text for month in MONTHS) and "aged 46" in text
    assert run(*common, "--hide", "all", "--out", tmp_path / "all").code == 0
    text = "\n".join(path.read_text("utf-8") for path in (tmp_path / "all/documents").iterdir())
    assert not [month for month in MONTHS if month in text] and "aged 46" not in text


def test_a_policy_that_there_is_not_is_a_usage_error(run: Run, folder: Path, tmp_path: Path) -> None:
    said = run("deidentify", folder, "--out", tmp_path / "out", "--facts", "hide")
    assert said.code == 2 and "--facts" in said.err and "mask-rare" in said.err
