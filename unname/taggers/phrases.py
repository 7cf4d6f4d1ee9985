"""Lists of phrases, searched for in a text word by word: one walk over its words, the longest phrase from each wins."""

from collections.abc import Iterable, Iterator

from unname.text import Word, words

# A tree of folded words; under the empty word stands the label of the phrase that ends there.
Tree = dict[str, "Tree | str"]


def phrase_tree(phrases: Iterable[tuple[str, str]]) -> Tree:
    """A tree of (phrase, label); of two alike the first counts, and one without a word does not."""
    tree: Tree = {}
    for phrase, label in phrases:
        at = tree
        for word in words(phrase):
            below = at.setdefault(word.folded, {})
            assert isinstance(below, dict)  # noqa: S101 (only the empty word holds a label)
            at = below
        if at is not tree:
            at.setdefault("", label)
    return tree


def find_phrases(tree: Tree, row: list[Word]) -> Iterator[tuple[int, int, str]]:
    """(start, end, label) of phrases in a row of words, disjoint and in order; anything between words is ignored.

    Time: the number of words times the words of the longest phrase at most.
    """
    after = 0
    for at, word in enumerate(row):
        if at < after or word.folded not in tree:
            continue
        below, label, i = tree, "", at
        while i < len(row) and isinstance(deeper := below.get(row[i].folded), dict):
            below, i = deeper, i + 1
            if isinstance(ended := below.get(""), str):
                label, after = ended, i
        if after > at:
            yield word.start, row[after - 1].end, label
