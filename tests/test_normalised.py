"""The normalised text: which disguises it takes off, what it leaves alone, and the way back to the original."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.times import in_proportion
from unname.normalised import normalised

ZERO_WIDTH, SOFT = "\u200b", "\xad"


@pytest.mark.parametrize(
    "disguised, said",
    [
        ("A\u200bd\u200ca\u2060 By\xadron\ufeff", "Ada Byron"),
        ("\u202eAda\u202c \u2066Byron\u2069", "Ada Byron"),
        ("Ad\ufe0fa By\U000e0041ron", "Ada Byron"),
        ("A\x00da\x08 \x7fByron", "Ada Byron"),
        ("Ａｄａ＠ｍａｉｌ．ｅｘ", "Ada@mail.ex"),
        ("𝐀𝐝𝐚 𝔅𝔶𝔯𝔬𝔫 𝟙𝟚", "Ada Byron 12"),
        ("Ⓐⓓⓐ ①② ⒜", "Ada 12 (a)"),
        ("🅐🅓🅐 🅰🅳🅰", "ADA ADA"),
        ("ﬁne ﬂoor Ⅳ", "fine floor IV"),
        ("ᴬᵈᵃ ⁰¹²³⁴", "Ada 01234"),
        ("J̷o̷h̷n̲ 1̶2̶ a̴@̴b̴.̴c̴o̴", "John 12 a@b.co"),
        ("J̴̵̧o̷̸͘h̵̡̛n͢͝", "John"),
        ("1\ufe0f\u20e32\ufe0f\u20e3", "12"),
        ("Jоhn Ѕmіth", "John Smith"),
        ("Αnna Μarķ".replace("ķ", "k"), "Anna Mark"),
        ("seen with Сара Росс today", "seen with Capa Pocc today"),
        ("ᴀᴅᴀ and Ꭺda", "ada and Ada"),
        ("Bуrоn-Кing", "Byron-King"),
        ("J o h n", "John"),
        ("J o h n  B y r o n", "John Byron"),
        ("seen J o h n B y r o n there", "seen John Byron there"),
        ("A\u00a0d\u00a0a\u00a0s", "Adas"),
        ("A d a  d e  l a  C r u z", "Ada de la Cruz"),
        ("2 8 0 1 6 M a d r i d", "28016 Madrid"),
        ("a\u0336n\u0303\u0336o\u0301s\u0336", "anos"),
        ("J.o.h.n and J-o-h-n and J_o_h_n", "John and John and John"),
        ("1 2 3 4 5 6 7 8", "12345678"),
        ("born 0 3 / 0 3 / 1 9 4 6.", "born 03/03/1946."),
        ("a d a @ m a i l . e x", "ada@mail.ex"),
        ("&#74;&#x6F;hn &eacute; &lt;b&gt;", "John é <b>"),
        ("&amp;#74;ohn &amp;amp;amp;#x4a;", "John J"),
        ("J&#8203;o&zwnj;hn &shy;", "John "),
        ("Love-\nlace, Anne-\r\n  Marie, Love\xad\nlace", "Lovelace, Anne-Marie, Lovelace"),
        ("Zoe\u0301 Nguye\u0302\u0303n \u0438\u0306", "Zoé Nguyễn й"),
        ("\uff26#\uff11\uff10\uff16;", "F#106;"),
        ("\uff06#74;ohn", "John"),
    ],
)  # fmt: skip
def test_a_disguise_is_taken_off(disguised: str, said: str) -> None:
    assert normalised(disguised).text == said


@pytest.mark.parametrize(
    "text",
    [
        "El Sr. Núñez, de 46 años, vive en la C/ Peña nº 3, 1ª planta; peso 70,5 kg/m² y 10⁹/l ± ½ · «sí» – ¿no? …",
        "The naïve café of Zoë Brontë; ﻉ" [:-1],
        "A. B. Smith and J.R.R. Tolkien of the U.S.S.R. asked: a b c d, or 8.8.8.8, or x + y = z?",
        "A lesion of 8 x 5 x 2 cm, i.e. small; e.g. 1.2.3.4; AT&T &foo; R&D",
        "family 👨‍👩‍👧 ❤️ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇪🇸🇫🇷 🅰️ 👍🏽",
        "كتب أحمد إلى مُحَمَّد في ٣ مارس ٢٠٢٠، می‌خواهم",
        "שָׁלוֹם לְכֻלָּם ושלום גם לך",
        "Ο Γιώργος και η Μαρία πήγαν στο ΝΑΤΟ και το κατά με τους άλλους",
        "Он и мама сам, а у оса нос; том и кот там. Москва, Ace, оса здесь",
        "Цей кіт їхав, Путін і за́мок",
        "NFκB, TNFα, IFNγ, α = 0,05; β-HCG; 37 ℃; № 7; µg, mg/µl",
        "Ọ̀rọ̀ Yorùbá, tiếng Việt, Dinék'ehǰí ąą́, žemaĩtis",
        "हिन्दी क्‍ष ไทย 日本語 한국어",
        "Anne-Marie went; well-\nknown" .replace("\n", ""),
    ],
)  # fmt: skip
def test_a_clean_text_stays_as_it_is(text: str) -> None:
    assert normalised(text).text == unicodedata.normalize("NFC", text)


def test_the_way_back_covers_what_is_invisible_within() -> None:
    text = "x &amp;#74;o\u200b\u200bhn\u0336 y"
    folded = normalised(text)
    at = folded.text.index("John")
    start, end = folded.original(at, at + 4)
    assert text[start:end] == "&amp;#74;o\u200b\u200bhn\u0336"
    assert folded.folded(start, end) == (at, at + 4)


def test_what_is_wholly_invisible_has_an_empty_stretch() -> None:
    folded = normalised("a\u200b\u200bb")
    first, last = folded.folded(1, 3)
    assert first == last


# Made of what may combine to a disguise of a disguise.
_BITS = st.one_of(
    st.sampled_from(
        ["&", "amp;", "#", "38;", "#74;", "lt;", " ", " ", "-", "\n", ".", "_", "a", "B", "c", "4", "5", "а", "В", "с", "я",
         "α", "Ν", "ω", "ᴀ", "\u200b", "\xad", "\u200d", "\ufe0f", "❤", "\u0301", "\u0336", "ａ", "＆", "；", "²", "ᵈ", "Ⓐ",
         "ﬁ", "e\u0301", "가", "ا", "Ace", "Сара", "дом", "\u2010", "x", "@", "\u3000", "\x00", "ﷺ", "½"]
    ),
    st.characters(),
)  # fmt: skip
TEXTS = st.lists(_BITS, max_size=30).map("".join)


@given(TEXTS)
@example("& #\uff11;")
def test_offsets_are_in_range_and_in_order_and_the_way_back_is_the_way_there(text: str) -> None:
    folded = normalised(text)
    starts, ends = list(folded.starts), list(folded.ends)
    assert len(starts) == len(ends) == len(folded.text)
    assert starts == sorted(starts) and ends == sorted(ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(starts, ends, strict=True))
    for i in range(len(folded.text)):
        first, last = folded.folded(*folded.original(i, i + 1))
        assert first <= i < last
    if folded.text == text:
        assert starts == list(range(len(text)))


@given(TEXTS)
def test_normalising_twice_changes_nothing(text: str) -> None:
    folded = normalised(text).text
    assert normalised(folded).text == folded


@given(st.text(alphabet=st.characters(max_codepoint=126, min_codepoint=32, exclude_characters="&%=\\"), max_size=40))
def test_printable_ascii_loses_separators_only(text: str) -> None:
    folded = normalised(text)
    kept = set(folded.starts)
    assert all(text[i] in " ._-" for i in range(len(text)) if i not in kept)


@pytest.mark.parametrize(
    "text",
    [
        "&amp;" * 20_000,
        "&" * 100_000,
        "a " * 50_000,
        "a b c d " * 12_500,
        "a\u0301\u0336" * 30_000,
        "a" + "\u0301\u0323" * 50_000,
        "\u200b" * 100_000,
        "1-" * 50_000,
        "a-\n" * 33_000,
        "а" * 100_000,
        "а x " * 25_000,
        "Сара " * 20_000 + "x",
        "ﬁ²²²" * 25_000,
        "a- " * 33_000,
        "a-" + " " * 100_000,
        "J o h n - - - - " * 6_000,
        "᎐" * 100_000,
        "Ace Сара дом " * 8_000,
    ],
    ids=range(18),
)
def test_the_time_is_linear_in_the_length(text: str) -> None:
    assert in_proportion(lambda: normalised(text), lambda: normalised(text * 4))


def test_nothing_of_a_text_shows_in_a_repr() -> None:
    assert "Ada" not in repr(normalised("A\u200bda"))
