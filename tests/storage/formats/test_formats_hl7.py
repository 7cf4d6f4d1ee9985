"""HL7 version 2: what messages say in words is a document about their patient. All of it is made up."""

from pathlib import Path

import pytest

from unname.errors import InputError
from unname.storage.documents import Columns, read_corpus, read_documents
from unname.storage.formats.hl7 import Message
from unname.storage.people import read_profiles

CANARY = "Canarybird"
FIRST = (
    r"MSH|^~\&|LAB|H|EHR|H|20240101||ORU^R01|M1|P|2.5",
    "PID|1|77|7362203^^^HOSP^MR~X9^^^OTHER||KESTREL^PHILIPPA^Q||19840802|F|ROE^PIP||14 ELM ST^APT 2^GORSEY^MA^02139"
    "||(212)555-0199^PRN^PH^p@mail.example||||||078-05-1120",
    "NK1|1|KESTREL^RUTH|SPO||(212)555-7000",
    "OBR|1",
    r"OBX|1|TX|N^note||Seen Philippa today\.br\ate soup \T\ bread~walked|||",
    "OBX|2|NM|HB||13",
    "OBX|3|ED|PDF||^application^pdf^Base64^AAAA",
    "NTE|1||To be seen next week.",
)
SECOND = (
    "MSH|^~\\&|A|B|C|D|2024||ORU|M2", "PID|1||7362203||KESTREL-ROE^PHILIPPA", "OBX|1|FT|||Came back.", "",
    "MSH|^~\\&|A|B|C|D|2024||ADT|M3", "PID|1||55||ABEL^ALMA||19400101",
)  # fmt: skip
TEXTS = [
    ("M1", "Seen Philippa today\nate soup & bread\nwalked\nTo be seen next week.", "7362203"),
    ("M2", "Came back.", "7362203"),
]  # fmt: skip


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_messages_are_documents_and_their_patients_people(
    end: str, encoding: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "a.hl7"
    path.write_bytes((end.join([*FIRST, *SECOND]) + end).encode(encoding))
    assert [(d.id, d.text, d.person) for d in read_corpus(path)] == TEXTS
    assert "1 file within messages (OBX of type ED or RP) left out" in caplog.text
    one, other = read_profiles(path)
    assert (one.id, other.id, other.fields["birth_date"]) == ("7362203", "55", "1940-01-01")
    assert dict(one.fields) == {
        "family_name": "KESTREL | KESTREL-ROE", "given_name": "PHILIPPA Q | PHILIPPA", "alias_family_name": "ROE",
        "alias_given_name": "PIP", "birth_date": "1984-08-02", "sex": "F", "street": "14 ELM ST | APT 2",
        "town": "GORSEY", "state": "MA", "postal_code": "02139", "patient_number": "77", "mrn": "7362203 | X9",
        "ssn": "078-05-1120", "phone": "(212)555-0199", "email": "p@mail.example", "contact_name": "RUTH KESTREL",
        "contact_phone": "(212)555-7000",
    }  # fmt: skip


def test_a_folder_a_batch_and_other_signs_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.hl7").write_bytes("\r".join([r"FHS|^~\&", r"BHS|^~\&", *FIRST, "BTS|1"]).encode())
    signs = r"MSH*%$!@*A*B*C*D*2024**ORU*M9", "PID*1**9%%x", "OBX*1*TX***one!S!two$three"
    (folder / "b.hl7").write_bytes(b"\x0b" + "\r".join(signs).encode() + b"\x1c\r")
    read = [(d.id, d.text, d.person) for d in read_documents(folder, Columns(format="hl7"))]
    assert read == [TEXTS[0], ("M9", "one%two\nthree", "9")]


@pytest.mark.parametrize(
    "written, meant",
    [
        (r"a\F\b\S\c\T\d\R\e\E\f", "a|b^c&d~e\\f"), (r"one\.br\two\.sp\three", "one\ntwo\nthree"), (r"\H\bold\N\ ", "bold "),
        (r"\X4D\\X0D0A\x", "M\r\nx"), ("C:\\dir\\file", "C:\\dir\\file"), ("ends\\", "ends\\"), ('""', ""),
    ],
)  # fmt: skip
def test_escapes_are_what_they_stand_for(written: str, meant: str) -> None:
    assert Message([]).plain(written) == meant


def test_what_holds_no_message_is_refused_and_never_quoted(tmp_path: Path) -> None:
    path = tmp_path / "a.hl7"
    path.write_text(f"PID|1||7||{CANARY}\n")
    with pytest.raises(InputError, match="record 1: does not begin with a segment MSH") as caught:
        read_documents(path, Columns(format="hl7"))
    assert CANARY not in str(caught.value)
    with pytest.raises(InputError, match="--format"):
        read_documents(path)
    path.write_text("\n".join(SECOND[4:]))
    with pytest.raises(InputError, match="holds no documents"):
        read_documents(path, Columns(format="hl7"))
