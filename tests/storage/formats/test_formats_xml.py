"""i2b2 and MEDDOCAN XML: labels and offsets exact whatever the characters and line ends; hostile XML is refused."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError
from unname.storage.documents import Columns, iter_documents, read_corpus
from unname.storage.faults import Faults
from unname.storage.formats import group_of, write_corpus
from unname.storage.formats.i2b2 import xml_file
from unname.types import Document, Span

CANARY = "Canarybird"


def xml(
    text: str, *tags: str, root: str = "deIdi2b2", before: str = '<?xml version="1.0" encoding="UTF-8" ?>\n'
) -> bytes:
    return f"{before}<{root}>\n<TEXT><![CDATA[{text}]]></TEXT>\n<TAGS>\n{''.join(tags)}</TAGS>\n</{root}>".encode()


def tag(start: object, end: object, text: str, label: str = "PATIENT", name: str = "NAME") -> str:
    return f'<{name} id="P0" start="{start}" end="{end}" text="{text}" TYPE="{label}" comment=""/>\n'


def read(tmp_path: Path, content: bytes) -> Document:
    (tmp_path / "note 1.xml").write_bytes(content)
    (document,) = read_corpus(tmp_path / "note 1.xml")
    return document


@pytest.mark.parametrize("root", ["deIdi2b2", "MEDDOCAN"])
def test_a_span_is_labelled_by_the_type_of_its_tag(root: str, tmp_path: Path) -> None:
    tags = [tag(9, 13, "York", "CITY", "LOCATION"), tag(0, 3, "Ada"), '<AGE start="4" end="6" TYPE="FECHAS"/>']
    wanted = (Span(0, 3, "PATIENT"), Span(4, 6, "FECHAS"), Span(9, 13, "CITY"))
    assert read(tmp_path, xml("Ada, of  York", *tags, root=root)) == Document("note 1", "Ada, of  York", spans=wanted)


def test_the_group_of_a_label_is_that_of_its_corpus() -> None:
    labels = ("PATIENT", "ZIP", "FECHAS", "CALLE", "IDNUM", "SEXO_SUJETO_ASISTENCIA", "PROFESION", "AGE", "whatever")
    groups = ["NAME", "LOCATION", "DATE", "LOCATION", "ID", "OTHER", "PROFESSION", "AGE", "OTHER"]
    assert [group_of(label) for label in labels] == groups


def test_offsets_count_code_points(tmp_path: Path) -> None:
    text = "\ufeffa\u0301 \U0001f600 Zoë\u2028& <Ada> \x85"
    start = text.index("Zoë")
    document = read(tmp_path, xml(text, tag(start, start + 3, "Zoë")))
    assert document.text == text and document.text[start : start + 3] == "Zoë"


def test_line_ends_are_line_feeds_as_xml_has_it(tmp_path: Path) -> None:
    assert read(tmp_path, xml("a\r\nb\rc Ada", tag(6, 9, "Ada"))) == Document(
        "note 1", "a\nb\nc Ada", spans=(Span(6, 9, "PATIENT"),)
    )
    assert read(tmp_path, xml("a\r\nAda").replace(b"\n", b"\r\n").replace(b"\r\r", b"\r")).text == "a\nAda"


def test_offsets_that_count_carriage_returns_are_understood_by_what_the_tags_quote(tmp_path: Path) -> None:
    content = xml("a\r\nb\r\nAda", tag(6, 9, "Ada")).replace(b"\n<", b"\r\n<")
    assert read(tmp_path, content) == Document("note 1", "a\r\nb\r\nAda", spans=(Span(6, 9, "PATIENT"),))


def test_a_quote_may_have_other_white_space_than_the_text(tmp_path: Path) -> None:
    assert read(tmp_path, xml("Ada\n  Byron", tag(0, 11, "Ada Byron"))).spans == (Span(0, 11, "PATIENT"),)


def test_cdata_may_come_in_parts_and_with_references(tmp_path: Path) -> None:
    content = xml("a").replace(b"<![CDATA[a]]>", b"a&lt;<![CDATA[]]]]><![CDATA[>]]>&#13;&#x1F600;&#10;")
    assert read(tmp_path, content).text == "a<]]>\r\U0001f600\n"


ENTITIES = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
BILLION = f'<!DOCTYPE deIdi2b2 [<!ENTITY a0 "{CANARY}">{ENTITIES}]>'
BAD: dict[str, tuple[bytes, str]] = {
    "a bomb of entities": (xml("x", before=BILLION).replace(b"<![CDATA[x]]>", b"&a9;"), "DOCTYPE"),
    "an external entity": (
        xml("x", before='<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>').replace(b"<![CDATA[x]]>", b"&a;"),
        "DOCTYPE",
    ),
    "an external DTD": (xml("x", before='<!DOCTYPE deIdi2b2 SYSTEM "http://example.org/x.dtd">'), "DOCTYPE"),
    "an entity of nobody": (xml("x").replace(b"<![CDATA[x]]>", b"&Canarybird;"), "line 3', not well-formed"),
    "a million levels": (b"<deIdi2b2><TAGS>" + b"<NAME>" * 10**6, "tag 1"),
    "a million levels of the text": (b"<deIdi2b2><TEXT>" + b"<a>" * 10**6, "deeper"),
    "deep tags": (xml("x", '<NAME start="0" end="1" TYPE="X"><Canarybird/></NAME>'), "deeper"),
    "another root": (xml("x", root=CANARY), "the root must be"),
    "another element": (xml("x").replace(b"<TAGS>", b"<Canarybird/><TAGS>"), "nothing else"),
    "two texts": (xml("x").replace(b"<TAGS>", b"<TEXT>y</TEXT><TAGS>"), "nothing else"),
    "no text": (b"<MEDDOCAN><TAGS/></MEDDOCAN>", "TEXT', missing"),
    "text elsewhere": (xml("x", CANARY), "text stands outside"),
    "no XML": (CANARY.encode(), "not well-formed"),
    "nothing": (b"", "not well-formed"),
    "XML that is cut": (xml(CANARY)[:-5], "not well-formed"),
    "two documents": (xml("x") * 2, "not well-formed"),
    "Latin-1": (xml("caf\xe9").decode().encode("latin-1"), "not UTF-8"),
    "Latin-1 that says so": (
        xml("caf\xe9", before="<?xml version='1.0' encoding='ISO-8859-1'?>"), "another encoding: not UTF-8"
    ),
    "UTF-16": (xml("x").decode().encode("utf-16"), "not UTF-8"),
    "UTF-7 that says so": (xml("x", before="<?xml version='1.0' encoding='UTF-7'?>"), "another encoding"),
    "NUL": (xml("a\0b"), "not well-formed"),
    "a control character": (xml("a\x08b"), "not well-formed"),
    "half a surrogate": (xml("x").replace(b"[x]", b"[\xed\xa0\x80]"), "not UTF-8"),
    "no offsets": (xml("x", '<NAME TYPE="PATIENT"/>'), "tag 1', start and end"),
    "offsets below nothing": (xml("Canarybird", tag(-2, 3, "")), "tag 1', start and end"),
    "offsets that are words": (xml("Canarybird", tag(0, 1, "C"), tag("Canarybird", 3, "")), "tag 2', start and end"),
    "offsets in other figures": (xml("Canarybird", tag("٠", 3, "")), "tag 1', start and end"),
    "offsets of a thousand figures": (xml("Canarybird", tag(0, "9" * 1000, "")), "tag 1', start and end"),
    "offsets beyond the text": (xml("Canarybird", tag(0, 11, "Canarybird")), "tag 1', the text does not have"),
    "an end before its start": (xml("Canarybird", tag(3, 1, "")), "tag 1', the text does not have"),
    "another quote": (xml("Canarybird and", tag(0, 6, "Canary"), tag(11, 14, "bird")), "tag 2', the text does not have"),
    "a tag without a type": (xml("x", tag(0, 1, "x"), '<NAME start="0" end="1"/>'), "tag 2', has no TYPE"),
    "a tag with an empty type": (xml("x", tag(0, 1, "x", "")), "tag 1', has no TYPE"),
    "a tag with a blank type": (xml("x", tag(0, 1, "x", " ")), "'spans', span 1: label is blank"),
    "a tag of nothing": (xml("x", tag(1, 1, "")), "'spans', span 1: start and end"),
    "an id that is empty": (xml("x").replace(b"<deIdi2b2>", b'<deIdi2b2 id="">'), "'id', missing"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_xml_is_told_by_file_and_place_and_the_rest_is_read(name: str, tmp_path: Path) -> None:
    content, problem = BAD[name]
    (tmp_path / "a.xml").write_bytes(xml("fine"))
    (tmp_path / "b.xml").write_bytes(content)
    (tmp_path / "c.xml").write_bytes(xml("well"))
    columns, faults = Columns(format="i2b2"), Faults(tmp_path)
    assert [d.text for _, d in iter_documents(tmp_path, columns, faults=faults)] == ["fine", "well"]
    ((number, field, told),) = faults.bad_records
    assert number == 2 and problem in f"'{field}', {told}", f"'{field}', {told}"
    with pytest.raises(InputError) as caught:
        read_corpus(tmp_path, "i2b2")
    assert "file 2 (of this format, in name order)" in str(caught.value) and CANARY not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_a_folder_is_read_at_any_depth_and_links_out_of_it_are_faults(tmp_path: Path) -> None:
    folder = tmp_path / "corpus"
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "b.xml").write_bytes(xml("b"))
    (folder / "a.XML").write_bytes(xml("a"))
    (folder / "README").write_bytes(b"passed over")
    assert [d.id for d in read_corpus(folder, "meddocan")] == ["a", "b"]
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "c.xml").write_bytes(xml(CANARY))
    (folder / "linked").symlink_to(tmp_path / "outside")
    (folder / "c.xml").symlink_to(tmp_path / "outside" / "c.xml")
    faults = Faults(folder)
    assert len(list(iter_documents(folder, Columns(format="i2b2"), faults=faults))) == 2
    assert [problem for _, _, problem in faults.bad_records] == ["a link that leads out of the folder"] * 2


# What XML 1.0 can hold, the awkward often.
CHARACTER = st.sampled_from("]>[<&\"'\r\n\t \ufeff\x85\u2028") | st.characters(exclude_categories=["Cs", "Cc"])
TEXT = st.text(CHARACTER.filter(lambda c: c not in "\ufffe\uffff"), max_size=40)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXT)
    borders = st.tuples(st.integers(0, len(text)), st.integers(0, len(text))).map(sorted)
    label = TEXT.filter(str.strip)
    made = st.builds(lambda b, label: Span(b[0], b[1], label), borders.filter(lambda b: b[0] < b[1]), label)
    spans = draw(st.lists(made, max_size=4)) if text else []
    return Document(draw(TEXT.filter(bool)), text, spans=tuple(sorted(spans)))


@given(st.lists(documents(), min_size=1, max_size=4, unique_by=lambda d: d.id), st.sampled_from(["i2b2", "meddocan"]))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, made: list[Document], format: str
) -> None:
    folder = tmp_path_factory.mktemp("xml") / "corpus"
    write_corpus(folder, made, format=format)
    assert sorted(read_corpus(folder), key=lambda d: d.id) == sorted(made, key=lambda d: d.id)


@given(documents())
def test_another_parser_finds_the_same_in_what_is_written(made: Document) -> None:
    root = ElementTree.fromstring(xml_file(made, format="meddocan", name="", number=1))  # noqa: S314
    assert root.find("TEXT").text in (made.text, made.text or None)  # type: ignore[union-attr]
    found = [
        (int(e.get("start", "")), int(e.get("end", "")), e.get("TYPE"), e.get("text")) for e in root.find("TAGS") or ()
    ]
    assert found == [(s.start, s.end, s.label, made.text[s.start : s.end]) for s in made.spans]
    assert [e.tag for e in root.find("TAGS") or ()] == [group_of(s.label) for s in made.spans]


@pytest.mark.parametrize("bad", ["\x00", "\x1b", "\ufffe"])
def test_what_xml_cannot_hold_is_told_and_nothing_is_written(bad: str, tmp_path: Path) -> None:
    for document in (
        Document("b", CANARY + bad),
        Document("b" + bad, ""),
        Document("b", "x", spans=(Span(0, 1, bad),)),
    ):
        with pytest.raises(InputError, match=r"document 2: field .* that XML cannot hold") as caught:
            write_corpus(tmp_path / "out", [Document("a", ""), document], format="i2b2")
        assert CANARY not in str(caught.value) and not list(tmp_path.iterdir())


def test_the_real_corpus_is_the_same_in_all_its_forms(data: Path, tmp_path: Path) -> None:
    for part, cases, spans in (("dev", 250, 5801), ("train", 500, 11333)):
        archive = data / "meddocan" / f"{part}.tar.gz"
        made = read_corpus(archive, "meddocan")
        assert made == read_corpus(archive, "brat")
        assert (len(made), sum(len(d.spans) for d in made)) == (cases, spans)
        with pytest.raises(InputError, match=r"several formats \(i2b2, brat\)"):
            read_corpus(archive)
        for format in ("i2b2", "meddocan", "brat"):
            write_corpus(tmp_path / f"{part} {format}", made, format=format)
            assert read_corpus(tmp_path / f"{part} {format}") == made


def test_offsets_without_a_quote_that_count_utf_16_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="field 'TAGS': offsets cut words, and would cut none if they counted UTF-16 units"
    ):
        read(tmp_path, xml("😀 Mr Smythe came", '<NAME id="P0" spans="6~12" TYPE="PATIENT" />'))
    right = read(tmp_path, xml("😀 Mr Smythe came", '<NAME id="P0" spans="5~11" TYPE="PATIENT" />'))
    assert right.spans == (Span(5, 11, "PATIENT"),)


def test_offsets_of_mae_2_are_read_also_of_several_stretches(tmp_path: Path) -> None:
    tags = (
        '<NAME id="P0" spans="3~9" text="Smythe" TYPE="PATIENT" />', '<AGE id="A0" spans="-1~-1" text="" TYPE="AGE" />',
        '<NAME id="P1" spans="14~17,22~26" text="Ada ... Cole" TYPE="DOCTOR" />',
    )  # fmt: skip
    content = xml("Mr Smythe and Ada for Cole", *tags[:2], tags[2].replace(" ... ", " "))
    assert read(tmp_path, content).spans == (
        Span(3, 9, "PATIENT"), Span(14, 17, "DOCTOR", entity="tag 2"), Span(22, 26, "DOCTOR", entity="tag 2"),
    )  # fmt: skip
    with pytest.raises(InputError, match="'tag 1': start and end must be offsets"):
        read(tmp_path, xml("Mr Smythe", '<NAME spans="3-9" TYPE="PATIENT"/>'))


def test_offsets_in_utf16_units_or_bytes_are_told_by_what_tags_quote(tmp_path: Path) -> None:
    for text in ("\U0001f600 Ada", "Größe: Ada"):
        start = text.index("Ada")
        for size, unit in ((2, "utf-16-le"), (1, "utf-8")):
            at = len(text[:start].encode(unit)) // size
            assert read(tmp_path, xml(text, tag(at, at + 3, "Ada"))).spans == (Span(start, start + 3, "PATIENT"),)


INLINE = (
    '<?xml version="1.0"?>\n<ROOT>\n<RECORD ID="7">\n<TEXT>\nMr <PHI TYPE="PATIENT">Ada &amp; Co</PHI> of '
    '<PHI TYPE="LOCATION">York</PHI><PHI TYPE="ID"></PHI>\n</TEXT></RECORD>\n<RECORD ID="8"><TEXT>fine</TEXT></RECORD></ROOT>'
)


def test_records_of_i2b2_2006_hold_their_tags_in_the_text(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(INLINE)
    first, second = read_corpus(path)
    assert first == Document("7", "\nMr Ada & Co of York\n", spans=(Span(4, 12, "PATIENT"), Span(16, 20, "LOCATION")))
    assert second == Document("8", "fine")


@pytest.mark.parametrize(
    "content, said",
    [
        (INLINE.replace("<ROOT>", '<!DOCTYPE ROOT [<!ENTITY a "Canarybird">]><ROOT>'), "has a DOCTYPE"),
        (INLINE.replace("<TEXT>fine", "<TEXT><B>fine</B>"), "record 2.*does not have where it stands"),
        (INLINE.replace(' TYPE="LOCATION"', ""), "a PHI has no TYPE"), (INLINE[:-9], "not well-formed XML"),
        (INLINE.replace("<RECORD ID=\"8\">", "<RECORD ID=\"8\">Canarybird"), "outside of TEXT"),
        ("<ROOT>" + "<RECORD>" * 100_000, "does not have where it stands"),
    ],
    ids=str.__len__,
)  # fmt: skip
def test_what_i2b2_2006_does_not_have_is_refused(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(content)
    with pytest.raises(InputError, match=said) as caught:
        read_corpus(tmp_path / "a.xml")
    assert CANARY not in str(caught.value)
