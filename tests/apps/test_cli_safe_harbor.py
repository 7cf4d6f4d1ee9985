"""`--hide safe-harbor` on the command line: the release, and what the report says of the 18 kinds."""

import json
from pathlib import Path

from made_commands import Run, Town
from made_settings import RULES_ALONE

SEEN = (
    "Seen on 3 May 2019 and 2019-06-07, aged 46; mother aged 93. Dr. Kestrel, tel (212) 555-0147, k@mail.example, "
    "SSN 123-45-6789, MRN: 7362203, VIN 1M8GDM9AXKP042788, https://a.example/x, 10.0.0.1, Boston, MA 02139, in 2018."
)


def test_what_safe_harbor_lists_goes_and_years_and_ages_stay(run: Run, town: Town, tmp_path: Path) -> None:
    people = [json.loads(line)["id"] for line in Path(town.people).read_text("utf-8").splitlines()]
    notes = tmp_path / "notes.jsonl"
    notes.write_text("".join(json.dumps({"id": p, "text": SEEN, "person": p}) + "\n" for p in people), encoding="utf-8")
    common = ("deidentify", notes, "--people", town.people, "--out", tmp_path / "out", "--duplicates", "keep", "--k", 3)
    common = (*common, "--method", "tagged", "--hide", "safe-harbor", "--audit", "none", "--accept-risk", "a test")
    said = run(*common, *RULES_ALONE)
    assert said.code == 0 and "16 of 18 kinds" in " ".join(said.out.split())
    text = json.loads((tmp_path / "out/documents.jsonl").read_text("utf-8").splitlines()[0])["text"]
    gone = ("3 May", "06-07", "93", "Kestrel", "555", "mail.example", "123-45", "7362203", "1M8G", "a.example", "10.0.0.1",
            "Boston", "02139")  # fmt: skip
    assert not [each for each in gone if each in text]
    assert all(each in text for each in ("[DATE] 2019", "2019-[DATE]", "aged 46", "MA ", "in 2018"))
    kinds = json.loads((tmp_path / "out/report.json").read_text("utf-8"))["safe_harbor"]
    assert len(kinds) == 18 and kinds["photographs"].startswith("not looked for")
    page = (tmp_path / "out/report.html").read_text("utf-8")
    assert "HIPAA Safe Harbor" in page and "biometric identifiers" in page
    assert run(*common, "--replace").code == 0
    text = json.loads((tmp_path / "out/documents.jsonl").read_text("utf-8").splitlines()[0])["text"]
    assert not [each for each in gone if each in text]
    assert all(each in text for each in ("[DATE] 2019", "2019-[DATE]", "aged 46", "in 2018"))


def test_without_a_table_safe_harbor_says_what_goes_as_well(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text(json.dumps({"id": "a", "text": SEEN}) + "\n", encoding="utf-8")
    common = ("deidentify", tmp_path / "notes.jsonl", "--people", "none", "--audit", "none", "--accept-risk", "a test")
    said = run(*common, "--out", tmp_path / "out", "--hide", "safe-harbor")
    assert said.code == 0 and "Not measured" in said.out
    text = json.loads((tmp_path / "out/documents.jsonl").read_text("utf-8"))["text"]
    assert all(each in text for each in ("[DATE] 2019", "aged 46", "in 2018"))
    assert not [each for each in ("3 May", "93", "Kestrel", "555", "02139") if each in text]
    manifest = json.loads((tmp_path / "out/manifest.json").read_text("utf-8"))
    assert manifest["settings"]["facts"] == "report", "what was done about facts"
    assert run(*common, "--out", tmp_path / "usual").code == 0
    text = json.loads((tmp_path / "usual/documents.jsonl").read_text("utf-8"))["text"]
    assert "[DATE] May 2019" in text and "aged 46" in text and "Kestrel" not in text
    assert run(*common, "--out", tmp_path / "all", "--hide", "all").code == 0
    assert "2019" not in (tmp_path / "all/documents.jsonl").read_text("utf-8")
