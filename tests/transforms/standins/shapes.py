"""Texts as patterns of signs and as plain words, to see what a stand-in keeps."""

from hypothesis import strategies as st

from unname.text import folded_runs, without_accents

ANYTHING = (
    st.text(max_size=40) | st.text("Leds ,MA12\n-'ßºÅ.🎉", max_size=20) | st.sampled_from(["x" * 10_000, "م 3", "東京"])
)
ODD_SIGNS = st.text(st.one_of(st.sampled_from("0123456789+-/.@:()aZé א٣９²\u0301"), st.characters()), max_size=24)


def shape(text: str) -> str:
    """A text with "9" for every digit and "A" or "a" for every letter."""
    signs = ("9" if c.isdecimal() else "a" if c.islower() else "A" if c.isalpha() else c for c in text)
    return "".join(signs)


def words(text: str) -> set[str]:
    """Folded words without accents."""
    return {without_accents(word) for word in folded_runs(text)}
