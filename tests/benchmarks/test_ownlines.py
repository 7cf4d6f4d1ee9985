"""The count of lines of our own word lists and checkers."""

from pathlib import Path

import unname
from benchmarks.ownlines import OTHERS, counted, of_source

PACKAGE = Path(unname.__file__).parent

LISTS = '''"""Eight words or more in a docstring are no word list at all."""
MONTHS = (
    "Januar", "Februar", "März", "April",
    "Mai", "Juni", "Juli", "August",
)
FEW = ("one", "two")
CUES = "tel phone fax mobile cell pager number call"
FAMILIES = "王李张刘陈杨赵黄"

def named():
    """Eight words or more in a docstring are no word list at all."""
    for word in "red green blue white black brown grey pink".split():
        yield f"what is said of {word} in a message has many words as well"
'''
CHECKER = """
def luhn(digits):
    total = sum(digits)
    return total % 10 == 0

def shown(value):
    return "%d" % value

def century(year):
    return year % 100
"""


def test_lists_are_literal_collections_split_strings_and_strings_of_a_module() -> None:
    lists, checkers, words = of_source(LISTS)
    assert sorted(lists) == [2, 3, 4, 5, 7, 8, 12] and checkers == set()
    assert words == 8 * 4


def test_a_checker_takes_a_remainder_that_check_digits_use_or_stands_in_a_file_of_checks() -> None:
    assert sorted(of_source(CHECKER)[1]) == [2, 3, 4]
    assert sorted(of_source(CHECKER, checks=True)[1]) == [2, 3, 4, 6, 7, 9, 10]


def test_what_is_left_out_is_there() -> None:
    assert not [place for place in OTHERS if not (PACKAGE / place).exists()]


def test_rooms_that_recognise_nothing_are_left_out_and_data_files_counted_apart(tmp_path: Path) -> None:
    for place in ("taggers/rules/cues.py", "verbs/tag/options.py", "knowledge/fictional_words.py", "errors.py"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(LISTS, encoding="utf-8")
    (tmp_path / "knowledge" / "fields.toml").write_text('name = ["Name"]\nborn = ["Geboren"]\n', encoding="utf-8")
    found = counted(tmp_path)
    assert set(found["files"]) == {"taggers/rules/cues.py", "knowledge/fields.toml"}
    assert (found["lines of lists"], found["lines of data files"], found["words in data files"]) == (7, 2, 4)
