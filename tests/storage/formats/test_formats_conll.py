"""CoNLL columns: tokens joined by one space, any BIO scheme read, IOB2 written, and what columns cannot hold is told."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unname.errors import InputError
from unname.storage.documents import Columns, iter_documents, read_corpus
from unname.storage.faults import Faults
from unname.storage.formats import detect_format, in_columns, write_corpus
from unname.types import Document, Span

CANARY = "Canarybird"


def read(tmp_path: Path, text: str, name: str = "c.conll") -> list[Document]:
    (tmp_path / name).write_bytes(text.encode())
    return read_corpus(tmp_path / name)


@pytest.mark.parametrize(
    ("scheme", "labels"),
    [
        ("IOB1", "O I-P I-P B-P I-P I-L O I-L"),
        ("IOB2", "O B-P I-P B-P I-P B-L O B-L"),
        ("BIOES", "O B-P E-P B-P E-P S-L O S-L"),
        ("BILOU", "O B-P L-P B-P L-P U-L O U-L"),
        ("mixed", "O I-P E-P I-P I-P U-L O I-L"),
    ],
)
def test_every_scheme_says_the_same_spans(scheme: str, labels: str, tmp_path: Path) -> None:
    lines = "".join(f"w{i} NN {label}\n" for i, label in enumerate(labels.split()))
    (document,) = read(tmp_path, lines)
    assert document.text == "w0 w1 w2 w3 w4 w5 w6 w7"
    assert document.spans == (Span(3, 8, "P"), Span(9, 14, "P"), Span(15, 17, "L"), Span(21, 23, "L"))


def test_a_token_that_is_a_span_by_itself_goes_on_with_nothing(tmp_path: Path) -> None:
    for label in "BSU":
        (document,) = read(tmp_path, f"a B-X\nb {label}-X\nc O\n")
        assert document.spans == (Span(0, 1, "X"), Span(2, 3, "X"))


@pytest.mark.parametrize("told", ["0 2", "0 x", "0  4", "", "0 99"])
def test_sentences_that_do_not_fit_are_not_written(told: str, tmp_path: Path) -> None:
    document = Document("d", "a b c", spans=(Span(0, 3, "X"),), metadata={"sentences": told})
    write_corpus(tmp_path / "c.conll", [document], format="conll")
    assert read_corpus(tmp_path / "c.conll") == [Document("d", "a b c", spans=(Span(0, 3, "X"),))]


def test_labels_may_hold_hyphens_and_tokens_whatever_parts_no_columns(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "#a\tB-creative-work\n\x85\u2028\U0001f600 b \tI-creative-work\n\tO\nI-x\tO\r\n")
    assert document == Document("c-1", "#a \x85\u2028\U0001f600 b I-x", spans=(Span(0, 8, "creative-work"),))


def test_a_file_with_marks_holds_a_document_between_two_of_them(tmp_path: Path) -> None:
    text = "a I-X\nb I-X\n\nc I-X\n\n-DOCSTART- O\n\n-DOCSTART- -X- -X- O\n\nd O\n"
    text += "-DOCSTART- (e/1) O\n-DOCSTART- (f (2))\n\ng O"
    assert read(tmp_path, text, "n.conll.txt") == [
        Document("n-1", "a b c", spans=(Span(0, 3, "X"), Span(4, 5, "X")), metadata={"sentences": "0 4"}),
        Document("n-2", "d"), Document("e/1", ""), Document("f (2)", "g"),
    ]  # fmt: skip


def test_a_file_without_marks_holds_a_document_in_each_block(tmp_path: Path) -> None:
    assert read(tmp_path, "\ufeffa\tB-X\n\n \t\nb\tI-X\nc\tI-X\n\n") == [
        Document("c-1", "a", spans=(Span(0, 1, "X"),)), Document("c-2", "b c", spans=(Span(0, 3, "X"),)),
    ]  # fmt: skip


def test_bad_lines_are_faults_of_their_documents_alone(tmp_path: Path) -> None:
    lines = [
        b"a O",
        b"",
        b"Canarybird",
        b"",
        b"b Canarybird-X",
        b"",
        b"\xffx O",
        b"",
        b"\tB-X",
        b"",
        b"c O",
        b"",
        b"d PER",
        b"",
        b"f B-",
    ]
    (tmp_path / "c.iob").write_bytes(b"\n".join(lines))
    (tmp_path / "d.iob").write_bytes(b"e O")
    faults = Faults(tmp_path)
    found = [(n, d.text) for n, d in iter_documents(tmp_path, Columns(format="conll"), faults=faults)]
    assert found == [(1, "a"), (6, "c"), (9, "e")]
    assert [(n, field, problem[:7]) for n, field, problem in faults.bad_records] == [
        (2, "line 3", "must be"), (3, "line 5", "must be"), (4, "line 7", "not UTF"), (5, "line 9", "must be"),
        (7, "line 13", "must be"), (8, "line 15", "must be"),
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"document 2 \(files in name order\): field 'line 3'") as caught:
        read_corpus(tmp_path)
    assert CANARY not in str(caught.value)


TOKEN = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\r\n "), min_size=1, max_size=4)
LABEL = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=3)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Documents as columns hold them."""
    sentences = draw(st.lists(st.lists(st.tuples(TOKEN, st.none() | LABEL), min_size=1, max_size=4), max_size=4))
    parts: list[str] = []
    spans: list[Span] = []
    begins = []
    at = 0
    for sentence in sentences:
        begins.append(at)
        for number, (token, label) in enumerate(sentence):
            goes_on = number and sentence[number - 1][1] is not None and draw(st.booleans())
            if goes_on:
                spans[-1] = Span(spans[-1].start, at + len(token), spans[-1].label)
                sentence[number] = (token, spans[-1].label)
            elif label is not None:
                spans.append(Span(at, at + len(token), label))
            parts.append(token)
            at += len(token) + 1
    more = {"sentences": " ".join(map(str, begins))} if len(begins) > 1 else {}
    name = draw(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=9))
    return Document(name, " ".join(parts), spans=tuple(spans), metadata=more)


@given(st.lists(documents(), min_size=1, max_size=4, unique_by=lambda d: d.id))
def test_what_is_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, made: list[Document]) -> None:
    path = tmp_path_factory.mktemp("conll") / "corpus.conll"
    write_corpus(path, made, format="conll")
    assert read_corpus(path) == made == [in_columns(document) for document in made]


@st.composite
def any_documents(draw: st.DrawFn) -> Document:
    """Documents with any text, and spans that do not overlap."""
    text = draw(st.text(st.sampled_from("ab \t\r\n\x0b\u2028é\U0001f600"), max_size=30))
    borders = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pairs = zip(borders[::2], borders[1::2], strict=False)
    return Document("x", text, spans=tuple(Span(a, b, draw(LABEL)) for a, b in pairs if text[a:b].strip(" \t\r\n")))


@given(any_documents())
def test_any_text_is_read_back_as_columns_hold_it(tmp_path_factory: pytest.TempPathFactory, made: Document) -> None:
    path = tmp_path_factory.mktemp("conll") / "corpus.conll"
    write_corpus(path, [made], format="conll")
    held = in_columns(made)
    assert read_corpus(path) == [held] == [in_columns(held)]
    drop = str.maketrans("", "", " \t\r\n")
    assert held.text.translate(drop) == made.text.translate(drop), "white space alone may change"
    said = [(s.label, made.text[s.start : s.end].translate(drop)) for s in made.spans]
    assert [(s.label, held.text[s.start : s.end].translate(drop)) for s in held.spans] == said


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (Document("a", CANARY, spans=(Span(0, 6, "X"), Span(5, 8, "Y"))), "'spans'"),
        (Document("a", CANARY, spans=(Span(0, 0, "X"),)), "'spans'"),
        (Document("a", f"{CANARY} \n", spans=(Span(10, 12, "X"),)), "'spans'"),
        (Document("a", CANARY, spans=(Span(0, 1, "X\tY"),)), "'id' or 'spans'"),
        (Document("a", CANARY, spans=(Span(0, 1, "X "),)), "'spans'"),
        (Document(f"{CANARY}\n", "x"), "'id' or 'spans'"),
        (Document("a", f"{CANARY} -DOCSTART- x"), "'text'"),
    ],
)
def test_what_columns_cannot_hold_is_told_and_nothing_is_written(
    document: Document, field: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=f"document 2: field {field}") as caught:
        write_corpus(tmp_path / "c.conll", [Document("1", "x"), document], format="conll")
    assert CANARY not in str(caught.value) and not list(tmp_path.iterdir())


def obvious_spans(rows: list[tuple[str, str]]) -> list[tuple[int, int, str]]:
    """Spans of one sentence by the words of the definition: token numbers and label."""
    found = []
    for first, (_, label) in enumerate(rows):
        before = rows[first - 1][1] if first else "O"
        if label != "O" and (label[0] == "B" or before[1:] != label[1:]):
            last = first
            while last + 1 < len(rows) and rows[last + 1][1] == f"I{label[1:]}":
                last += 1
            found.append((first, last, label[2:]))
    return found


def test_the_real_corpora_are_read_as_an_obvious_reader_reads_them_and_written_back(data: Path, tmp_path: Path) -> None:
    import tarfile

    expected = {"wikigold": (145, 3558), "wnut17": (5690, 3890), "btc": (9339, 14885)}
    for name, (documents, spans) in expected.items():
        archive = data / "names" / f"{name}.tar.gz"
        made = read_corpus(archive)
        assert (len(made), sum(len(d.spans) for d in made)) == (documents, spans)
        write_corpus(tmp_path / f"{name}.conll", made, format="conll")
        assert read_corpus(tmp_path / f"{name}.conll") == made
        obvious = []
        with tarfile.open(archive) as files:
            for entry in sorted((e for e in files if "/data/" in e.name and e.isfile()), key=lambda e: e.name):
                content = files.extractfile(entry).read().decode()  # type: ignore[union-attr]
                for block in content.split("\n\n"):
                    rows = [(line.split()[0], line.split()[-1]) for line in block.split("\n") if len(line.split()) > 1]
                    obvious += [
                        (label, " ".join(token for token, _ in rows[first : last + 1]))
                        for first, last, label in obvious_spans([r for r in rows if r[0] != "-DOCSTART-"])
                    ]
        assert obvious == [(s.label, d.text[s.start : s.end]) for d in made for s in d.spans]


@pytest.mark.parametrize(
    "content",
    [
        "id\ttext\tperson\n1\tDr Abel came\tp1\n",
        "\ufeffid\ttext\n1\tAbel\n",
        '\n"id"\t"text"\n1\tAbel\n',
        "person\ttext\tid\np\tAbel\t1\n",
    ],
)
def test_tab_separated_values_with_names_of_columns_are_a_table(content: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.tsv"
    path.write_text(content, encoding="utf-8")
    assert detect_format(path) is None
    (document,) = read_corpus(path)
    assert (document.id, "Abel" in document.text) == ("1", True)


@pytest.mark.parametrize(
    "content", ["Dr\tO\nAbel\tB-NAME\n", "text\tO\nid\tO\n", "-DOCSTART-\tO\n\nid\tO\n", "id\tNN\tO\n"]
)
def test_tab_separated_values_of_tokens_and_labels_are_columns(content: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.tsv"
    path.write_text(content, encoding="utf-8")
    assert detect_format(path) == "conll" and len(read_corpus(path)) == 1


def test_a_table_may_have_columns_of_other_names(tmp_path: Path) -> None:
    path = tmp_path / "notes.tsv"
    path.write_text("nr\tnote\n1\tAbel\n", encoding="utf-8")
    assert (detect_format(path), detect_format(path, ("nr", "note"))) == ("conll", None)


def one(tmp_path: Path, content: str) -> list[tuple[str, str, list[tuple[int, int, str]]]]:
    path = tmp_path / "a.conll"
    path.write_text(content, encoding="utf-8")
    return [(d.id, d.text, [(s.start, s.end, s.label) for s in d.spans]) for d in read_corpus(path)]


def test_comments_are_passed_over_and_may_name_what_follows(tmp_path: Path) -> None:
    content = "# id ab-1 domain=train\n# text = Vitamin O\nMr\tO\nAbel\tB-PER\n\n# a remark\n#\tO\nCole\tB-PER\n"
    assert one(tmp_path, content) == [("ab-1", "Mr Abel", [(3, 7, "PER")]), ("a-2", "# Cole", [(2, 6, "PER")])]
    content = "# newdoc id = x\n# sent_id = 1\nMr O\n\n# sent_id = 2\nAbel B-PER\n\n# newdoc id = y\nCole B-PER\n"
    assert one(tmp_path, content) == [("x", "Mr Abel", [(3, 7, "PER")]), ("y", "Cole", [(0, 4, "PER")])]


def test_columns_whose_first_counts_the_tokens_are_read_by_the_second(tmp_path: Path) -> None:
    rows = ["1-2\tzum\t_\tO", "1\tzu\tzu\tO", "2\tdem\tder\tO", "2.1\t_\t_\tO", "3\tAbel\tAbel\tB-PER"]
    assert one(tmp_path, "\n".join(rows) + "\n") == [("a-1", "zu dem Abel", [(7, 11, "PER")])]
    assert one(tmp_path, "1\tO\n2\tO\n") == [("a-1", "1 2", [])]
