"""H6: text that looks like a placeholder is masked, so that nobody can forge a token.

What a transform writes is told apart from what stood there before; see also I2 and the tests of the run.
"""

import re

import pytest
from made_settings import by_rules

from unname.job import Deidentification
from unname.knowledge.population import make_population
from unname.text import PLACEHOLDER
from unname.types import Document, Profile
from unname.verbs.deidentify.in_memory import deidentify

PEOPLE = [Profile(f"p{i}", {"name": f"Given{i} Family{i}", "town": f"Town{i % 2}"}) for i in range(8)]


@pytest.mark.parametrize(
    "token", ["[MASK]", "[NAME_1]", "[DATE]", "[[NAME_2]]", "[A_B_3]", "[PERSON 1]", "[PATIENT 12]"]
)
@pytest.mark.parametrize("transform", ["redact", "collapse", "delete", "numbered"])
def test_no_token_of_the_text_itself_is_released(token: str, transform: str) -> None:
    document = Document("d", f"first {token} then Given1 in Town1", "p1")
    made = deidentify(
        [document], make_population(PEOPLE), key=b"k" * 32,
        settings=by_rules(k=2, reidentifiers=("bm25",), transform=transform, direct=("name",)),
    )  # fmt: skip
    (mask,), (release,) = made.masks, made.releases
    forged = PLACEHOLDER.search(document.text)
    assert forged and mask.covers(*forged.span()) and release is not None
    left = [m[0] for m in re.finditer(PLACEHOLDER, release.text)]
    written = [one.text for one in release.written.values() if one.text]
    assert left == written and set(left) <= {"[MASK]", "[PERSON 1]" if transform == "numbered" else "[MASK]"}
    assert len(left) <= len(mask.spans), "each token that is left was written for a span"


def test_a_disguised_token_is_masked_as_well() -> None:
    document = Document("d", "first [NA\u200bME_1] and &#91;DATE&#93; in Town1", "p1")
    made = deidentify(
        [document], make_population(PEOPLE), key=b"k" * 32,
        settings=Deidentification(k=2, reidentifiers=("bm25",), direct=("name",)),
    )  # fmt: skip
    (mask,) = made.masks
    for token in ("[NA\u200bME_1]", "&#91;DATE&#93;"):
        start = document.text.index(token)
        assert mask.covers(start, start + len(token))
