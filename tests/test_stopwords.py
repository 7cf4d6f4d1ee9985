"""Function words: seven languages, told by the text."""

import pytest

from unname.stopwords import function_words, languages_of, stop_words_of
from unname.text import folded_words

TEXTS = {
    "en": "The patient was seen at the clinic and went home with her husband after the visit.",
    "de": "Die Patientin wurde in der Klinik gesehen und ging mit ihrem Mann nach Hause, weil es ihr besser ging.",
    "es": "La paciente fue vista en la consulta y se marchó a su casa con su marido después de la visita.",
    "fr": "La patiente a été vue à la clinique et elle est rentrée chez elle avec son mari après la visite.",
    "it": "La paziente è stata visitata in clinica e poi è tornata a casa con il marito dopo la visita.",
    "pt": "A doente foi vista na clínica e depois voltou para a sua casa com o marido que não estava bem.",
    "nl": "De patiënte werd in de kliniek gezien en ging met haar man naar huis omdat het beter met haar ging.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_the_language_is_told_by_the_text(language: str) -> None:
    assert languages_of(folded_words(TEXTS[language])) == (language,)


def test_a_text_without_function_words_is_taken_for_english() -> None:
    assert languages_of([]) == ("en",) == languages_of(folded_words("Ferritin 12, Leukozyten 9000, Hb 13"))


def test_a_text_of_two_languages_has_the_words_of_both() -> None:
    both = folded_words(TEXTS["de"] + TEXTS["es"] + " und der Mann mit dem Hund")
    assert {"der", "und", "con", "su"} <= stop_words_of(both)


def test_a_word_is_a_function_word_in_its_own_language_alone() -> None:
    assert "die" in stop_words_of(folded_words(TEXTS["de"])) and "die" not in stop_words_of(folded_words(TEXTS["en"]))


@pytest.mark.parametrize("language", function_words())
def test_function_words_are_folded_words(language: str) -> None:
    assert len(function_words()[language]) > 90
    assert all(folded_words(word) == [word] for word in function_words()[language] - {"daß"})
