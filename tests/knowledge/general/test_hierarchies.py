"""Hierarchies that a user wrote: how they are read, what they find, and what is wrong with a broken one."""

import gzip
import pickle
from pathlib import Path

import pytest

from unname.errors import InputError
from unname.knowledge.general.hierarchies import Hierarchies, read_hierarchy


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "hierarchy.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "asthma;lung disease;*\nflu;lung disease;*\n",
        "asthma,lung disease,*\nflu,lung disease,*\n",
        '\ufeff"Asthma";"lung  disease"\r\n\r\nFLU;lung disease\r\n',
        "asthma;lung disease\nasthma;lung disease\nflu;lung disease;\n".replace("disease;\n", "disease\n"),
    ],
)
def test_a_hierarchy_is_read(tmp_path: Path, text: str) -> None:
    hierarchy = read_hierarchy(written(tmp_path, text))
    assert hierarchy.levels == {"asthma": ("lung disease",), "flu": ("lung disease",)}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("flu;lung\nzebraitis;lung;*\n", "row 2: 3 cells, where the first row has 2"),
        ("flu;lung\n ;zebraitis\n", "row 2: the value is empty"),
        ("zebraitis;lung\n\nflu;lung\nZebraitis;heart\n", "row 3: the value stands in an earlier row"),
        ("zebraitis\n", "row 1: no level"),
        ("zebraitis;*\n", "row 1: no level"),
        ("flu;lung;body\nzebraitis;;body\n", "row 2: no level, or an empty one"),
        ('flu;lung\n"zebraitis;lung\n', "row 2: not valid CSV"),
        ("\n\n", "no rows"),
        ("zebraitis;lüng".encode("latin-1"), "not UTF-8"),
    ],
)
def test_an_error_names_the_row_and_never_the_text(tmp_path: Path, text: str | bytes, wanted: str) -> None:
    with pytest.raises(InputError) as caught:
        read_hierarchy(written(tmp_path, text))
    assert wanted in str(caught.value)
    assert not any(word in str(caught.value).lower() for word in ("zebraitis", "lung", "flu", "heart"))


GRAPH = """Ulm\tlocated in\tTübingen
Tübingen\tLocated In\tBaden-Württemberg
baden-württemberg\tP17\tGermany
physicist\tsubclass of\tscientist
physicist\tsubclass of\tscholar
scientist\tsubclass of\tphysicist
Ada\tborn in\tUlm
"""


@pytest.mark.parametrize("packed", [False, True])
def test_a_graph_of_values_leads_up_from_one_to_the_next(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / ("broader.tsv.gz" if packed else "broader.tsv")
    path.write_bytes(gzip.compress(GRAPH.encode()) if packed else GRAPH.encode())
    assert read_hierarchy(path).levels == {
        "ulm": ("Tübingen", "Baden-Württemberg", "Germany"),
        "tübingen": ("Baden-Württemberg", "Germany"),
        "baden-württemberg": ("Germany",),
        "physicist": ("scientist",),
        "scientist": ("physicist",),
    }


def test_a_graph_without_a_relation_that_rises_is_no_hierarchy(tmp_path: Path) -> None:
    for text, wanted in (
        ("zebraitis\tborn in\tlung\n", "no triple whose relation rises"),
        ("zebraitis\tlung\n", "record 1"),
    ):
        (tmp_path / "g.tsv").write_text(text)
        with pytest.raises(InputError, match=wanted) as caught:
            read_hierarchy(tmp_path / "g.tsv")
        assert "zebraitis" not in str(caught.value) and "lung" not in str(caught.value)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_hierarchy(tmp_path / "none.csv")


def test_the_longest_phrase_wins_as_whole_words() -> None:
    hierarchy = Hierarchies({"heart": ("organ",), "heart failure": ("heart disease", "disease")})
    text = "Heart  Failure, not heartfelt; the HEART."
    values = list(hierarchy.values_in(text))
    assert [text[each.start : each.end] for each in values] == ["Heart  Failure", "HEART"]
    assert [level.key for level in values[0].levels] == ["group:heart disease", "group:disease"]


def test_hierarchies_are_joined() -> None:
    first, second = Hierarchies({"flu": ("lung",)}), Hierarchies({"flu": ("lung",), "nurse": ("health worker",)})
    both = first | second
    assert both.levels == {"flu": ("lung",), "nurse": ("health worker",)}
    assert both.key_of("Health  Worker") == "group:health worker"
    with pytest.raises(InputError) as caught:
        _ = both | Hierarchies({"nurse": ("staff",)})
    assert "nurse" not in str(caught.value)


def test_a_hierarchy_shows_no_text_and_travels() -> None:
    hierarchy = Hierarchies({"zebraitis": ("lung",)})
    assert "zebraitis" not in repr(hierarchy)
    assert pickle.loads(pickle.dumps(hierarchy)) == hierarchy  # noqa: S301
