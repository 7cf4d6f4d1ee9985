"""Texts of the world through the command: names, days and numbers of the table, and what rules find of nobody known."""

import csv
import json
from pathlib import Path

from unname.apps import cli

# A person, what a text about them says, and which of its words must not be readable.
PEOPLE = """
Jürgen|Müllenbröck|1984-08-02|0407 550 759|Juergen Muellenbroeck, geb. am 2. August 1984, Tel. +49 407 550759|\
Juergen Muellenbroeck August 550759
Анна|Морозова|1984-03-05|8 912 345 67 89|\
Анне Морозовой, родилась 5 марта 1984 г., тел. +7 912 345-67-89; Anna Morozova|Анне Морозовой марта 345 Morozova
Łucja|Kowalska|1961-11-11|601 234 567|Lucji Kowalskiej, ur. 11 listopada 1961, tel. +48 601 234 567|\
Lucji Kowalskiej listopada 234
Γιώργος|Παπαδόπουλος|1950-01-31|6912345678|Του Γιώργου Παπαδόπουλου, γεν. 31 Ιανουαρίου 1950; Papadopoulos|\
Γιώργου Παπαδόπουλου Ιανουαρίου Papadopoulos
Pekka|Virtanen|1972-09-14|040 1234567|Pekan ja Virtasen tiedot, s. 14. syyskuuta 1972|Pekan Virtasen syyskuuta
Ayşe|Yılmaz|1990-06-01|0532 123 45 67|Ayse Yilmaz, 1 Haziran 1990|Ayse Yilmaz Haziran
محمد|الشمري|1979-12-25|0501234567|زار محـمد والشمري المركز، مواليد ٢٥ ديسمبر ١٩٧٩|محـمد الشمري ديسمبر
יצחק|אברמוביץ|1948-05-14|052-1234567|ליצחק אברמוביץ, נולד ב-14 במאי 1948|יצחק אברמוביץ במאי
静|陈|1988-02-29|13812345678|患者陈静今日复诊，1988年2月29日生，电话138 1234 5678；陳女士已走|陈静 2月29日 1234 陳
太郎|山田|1965-07-07|090-1234-5678|山田太郎さんは1965年7月7日生まれ|山田 太郎 7月7日
민수|김|1993-10-03|010-1234-5678|환자 김민수는 1993년 10월 3일생, Kim Min-su|민수 10월 Min
Philippa|Kestrel|1984-08-02|(212)555-0199|\
{"name":"K\\u0065strel","birthDate":"1984-08-02T00:00:00Z"} Pip =?UTF-8?Q?Kestrel?=|strel 1984-08-02
""".strip().split("\n")


def test_names_days_and_phones_of_a_table_are_hidden_as_the_world_writes_them(tmp_path: Path) -> None:
    rows = [line.split("|") for line in PEOPLE]
    with (tmp_path / "people.csv").open("w", encoding="utf-8", newline="") as handle:
        table = csv.writer(handle)
        table.writerow(["id", "given name", "family name", "birth date", "phone", "town"])
        table.writerows([f"p-{i:02}x", *row[:4], "Gorsey"] for i, row in enumerate(rows))
        table.writerows(
            [f"q-{i:02}x", f"Zeno{i}", f"Quill{i}", f"19{50 + i}-04-17", f"0555 7{i}1 9{i}2", "Gorsey"]
            for i in range(9)
        )
    with (tmp_path / "documents.jsonl").open("w", encoding="utf-8") as handle:
        for i, row in enumerate(rows):
            text = f"{row[4]}. Slept well, ate soup, no fever."
            handle.write(
                json.dumps({"id": f"d{i:02}", "text": text, "person": f"p-{i:02}x"}, ensure_ascii=False) + "\n"
            )
    command = ["deidentify", str(tmp_path / "documents.jsonl"), "--people", str(tmp_path / "people.csv"), "--out"]
    options = [
        "--method",
        "none",
        "--k",
        "3",
        "--ids",
        "keep",
        "--audit",
        "none",
        "--accept-risk",
        "test",
        "--workers",
        "1",
    ]
    assert cli.run([*command, str(tmp_path / "release"), *options]) == 0
    released = map(json.loads, (tmp_path / "release" / "documents.jsonl").open(encoding="utf-8"))
    texts = {document["id"]: document["text"] for document in released}
    for i, row in enumerate(rows):
        text = texts[f"d{i:02}"]
        assert [word for word in row[5].split() if word in text] == []
        assert text.endswith("Slept well, ate soup, no fever.")


def test_rules_find_phones_ids_days_and_names_of_nobody_known(tmp_path: Path) -> None:
    texts = {
        "手机13812345678，身份证号420101199212037026。": ["13812345678", "420101199212037026"],
        "SSN 078‑05‑1120; tel. +48 601 234 567": ["078‑05‑1120", "601 234 567"],
        "Nachname: Kestrelmann\nVorname: Philippa\nGeb.: 02.08.1984": ["Kestrelmann", "Philippa", "02.08.1984"],
        "le 14 juil. 2019, 2 de fev. de 2019; 5 марта 2019 г.": ["14 juil. 2019", "2 de fev. de 2019", "5 марта 2019"],
        "PID|1||7362203^^^HOSP^MR||KESTREL^PHILIPPA||19840802|F": ["KESTREL", "PHILIPPA", "19840802"],
        "M. Crohn und M. Parkinson bekannt, Hodgkin lymphoma.": [],
    }
    with (tmp_path / "in.jsonl").open("w", encoding="utf-8") as handle:
        for i, text in enumerate(texts):
            handle.write(json.dumps({"id": f"t{i}", "text": text}, ensure_ascii=False) + "\n")
    assert cli.run(["tag", str(tmp_path / "in.jsonl"), "--tagger", "rules", "--out", str(tmp_path / "out.jsonl")]) == 0
    found = map(json.loads, (tmp_path / "out.jsonl").open(encoding="utf-8"))
    for (text, wanted), document in zip(texts.items(), found, strict=True):
        covered = {i for span in document["spans"] for i in range(span["start"], span["end"])}
        for want in wanted:
            at = text.index(want)
            assert all(i in covered or not text[i].isalnum() for i in range(at, at + len(want))), "a part is not found"
        assert wanted or not covered
