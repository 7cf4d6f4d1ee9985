"""A birth date of the table is hidden as the languages of the world write it, and the second reading has nothing to add.

The forms were written down by hand, not made with the library that the table of months comes from.
"""

import time

import pytest

from unname.knowledge.identifiers import direct_identifiers
from unname.months import LETTERS, day_of, is_month, month_names, months_of
from unname.taggers.rules.tagger import Rules
from unname.types import Profile
from unname.verifying.written import identifies

FIELDS = {"birth date": "date"}
BORN = Profile("p000001", {"birth date": "1984-08-02"})

FORMS = {
    "Russian": ["2 августа 1984 г.", "2-го августа 1984 года", "02 авг. 1984", "второго августа 1984 года"],
    "Ukrainian": ["2 серпня 1984 р.", "2 серпня 1984 року"],
    "Belarusian": ["2 жніўня 1984"],
    "Bulgarian": ["2 август 1984 г.", "02 авг 1984"],
    "Serbian": ["2. август 1984", "2. августа 1984.", "2. avgusta 1984."],
    "Macedonian": ["2 август 1984"],
    "Bosnian": ["2. augusta 1984."],
    "Croatian": ["2. kolovoza 1984.", "2. kol. 1984"],
    "Slovenian": ["2. avgusta 1984", "2. avgust 1984"],
    "Polish": ["2 sierpnia 1984", "2 sierpnia 1984 r.", "2 SIERPNIA 1984", "drugiego sierpnia 1984"],
    "Czech": ["2. srpna 1984", "2. srp. 1984"],
    "Slovak": ["2. augusta 1984"],
    "Lithuanian": ["1984 m. rugpjūčio 2 d.", "1984 rugpjucio 2"],
    "Latvian": ["1984. gada 2. augusts", "1984. gada 2. augustā", "2. augusts 1984"],
    "Estonian": ["2. august 1984", "2. augustil 1984"],
    "Finnish": ["2. elokuuta 1984", "toinen elokuuta 1984", "2 elokuu 1984"],
    "Hungarian": ["1984. augusztus 2.", "1984. aug. 2.", "1984 augusztus 2-án"],
    "Turkish": ["2 Ağustos 1984", "2 AĞUSTOS 1984", "2 Ağu 1984", "iki Ağustos 1984"],
    "Azerbaijani": ["2 avqust 1984", "1984-cü il 2 avqust"],
    "Uzbek": ["1984-yil 2-avgust", "2 avgust 1984"],
    "Kazakh": ["1984 жылғы 2 тамыз", "2 тамыз 1984"],
    "Greek": ["2 Αυγούστου 1984", "2 ΑΥΓΟΥΣΤΟΥ 1984", "2 Αυγ 1984", "2α Αυγούστου 1984"],
    "Georgian": ["2 აგვისტო, 1984", "1984 წლის 2 აგვისტო"],
    "Armenian": ["2 օգոստոսի 1984 թ.", "1984 թ. օգոստոսի 2"],
    "Albanian": ["2 gusht 1984"],
    "Romanian": ["2 august 1984", "doi august 1984"],
    "German": ["2. August 1984", "zweiter August 1984", "zweiten August 1984", "2. Aug. 84"],
    "Dutch": ["2 augustus 1984", "tweede augustus 1984"],
    "English": ["second of August 1984", "2nd of August, 1984", "August the second, 1984", "August 2nd 1984", "AUG 2 '84"],
    "French": ["2 août 1984", "2 aout 1984", "deux août 1984", "2e jour d’août 1984"],
    "Spanish": ["2 de agosto de 1984", "dos de agosto de 1984", "2 de agosto del año 1984", "2/ago/1984"],
    "Catalan": ["2 d’agost de 1984", "2 d'agost del 1984"],
    "Portuguese": ["2.º de agosto de 1984", "2 de agosto de 1984", "dois de agosto de 1984", "2 de ago. de 1984"],
    "Italian": ["2 agosto 1984", "due agosto 1984", "2 ago. 1984"],
    "Swedish": ["2/8 1984", "2/8-84", "2 augusti 1984", "2:a augusti 1984", "andra augusti 1984"],
    "Danish": ["2/8 1984", "2. august 1984", "anden august 1984"],
    "Icelandic": ["2. ágúst 1984"],
    "Irish": ["2 Lúnasa 1984", "2 de Lúnasa 1984"],
    "Welsh": ["2 Awst 1984"],
    "Basque": ["1984ko abuztuaren 2", "1984ko abuztuaren 2a"],
    "Maltese": ["2 ta’ Awwissu 1984"],
    "Hebrew": ["2 באוגוסט 1984", "ב-2 באוגוסט 1984", "2 אוגוסט 1984"],
    "Arabic": ["2 أغسطس 1984", "٢ أغسطس ١٩٨٤", "2 آب 1984", "2 غشت 1984", "2 آب/أغسطس 1984", "٢/٨/١٩٨٤"],
    "Persian": ["۲ اوت ۱۹۸۴", "2 آگوست 1984"],
    "Urdu": ["2 اگست 1984ء"],
    "Hindi": ["2 अगस्त 1984", "२ अगस्त १९८४"],
    "Marathi": ["२ ऑगस्ट १९८४"],
    "Bengali": ["২ আগস্ট ১৯৮৪", "2 অগাস্ট 1984"],
    "Tamil": ["2 ஆகஸ்ட் 1984", "ஆகஸ்ட் 2, 1984"],
    "Telugu": ["2 ఆగస్టు 1984"],
    "Gujarati": ["2 ઑગસ્ટ 1984"],
    "Indonesian": ["2 Agustus 1984", "02 Agt 1984"],
    "Malay": ["2 Ogos 1984"],
    "Swahili": ["2 Agosti 1984"],
    "Filipino": ["2 ng Agosto 1984", "Agosto 2, 1984"],
    "Vietnamese": ["2 tháng 8 năm 1984", "2 tháng 8, 1984", "2 tháng tám năm 1984"],
    "Thai": ["2 สิงหาคม 2527", "2 ส.ค. 2527", "2 สิงหาคม พ.ศ. 2527", "2/8/2527", "๒ สิงหาคม ๒๕๒๗"],
    "Lao": ["2 ສິງຫາ 1984"],
    "Khmer": ["2 សីហា 1984"],
    "Mongolian": ["1984 оны 8-р сарын 2"],
    "Chinese": ["1984年8月2日", "1984年08月02日", "一九八四年八月二日", "民國73年8月2日"],
    "Japanese": ["1984年8月2日", "昭和59年8月2日", "昭和五十九年八月二日", "1984 年 8 月 2 日"],
    "Korean": ["1984년 8월 2일", "1984년8월2일"],
    "figures": [
        "840802", "020884", "080284", "19840802", "02081984", "02AUG1984", "2-AUG-84",
        "02Aug84", "Aug-02-1984", "2.VIII.1984",
        "1984-08-02T00:00:00Z", "1984-08-02T00:00:00.000+02:00", "19840802T101500Z", "19840802101500", "1984‑08‑02",
        "1984–08–02", "1984−08−02", "1984⁄08⁄02", "1984／08／02", "02／08／1984", "2 8 1984", "02AUG1984:10:20:30",
    ],
}  # fmt: skip
ALL = [(language, form) for language, forms in FORMS.items() for form in forms]


def hidden(text: str, profile: Profile = BORN) -> str:
    """A text in which the mask hides the direct identifiers of a person."""
    letters = list(text)
    for start, end in direct_identifiers(profile, FIELDS).find(text):
        letters[start:end] = ["█"] * (end - start)
    return "".join(letters)


@pytest.mark.parametrize(("language", "form"), ALL)
@pytest.mark.parametrize("text", ["Born {} at home.", '{{"birthDate": "{}"}}', "{}"])
def test_a_birth_date_is_hidden_as_a_language_writes_it(language: str, form: str, text: str) -> None:
    left = hidden(text.format(form))
    bare = form.removeprefix("ב-")
    assert "█" in left and not any(c.isdigit() for c in left), (language, left)
    assert not any(months_of(word) for word in left.replace("█", " ").split()), (language, left)
    assert len(bare) - left.count("█") <= 9, (language, left)  # a word for "year" or "on" may stay


@pytest.mark.parametrize(("language", "form"), ALL)
def test_the_second_reading_withholds_nothing_that_the_mask_hid(language: str, form: str) -> None:
    assert not identifies(BORN, FIELDS, hidden(f"Born {form} at home.")), language


@pytest.mark.parametrize(("language", "form"), ALL)
def test_a_birth_date_may_stand_in_the_table_in_each_of_these_forms(language: str, form: str) -> None:
    profile = Profile("p000001", {"birth date": form})
    assert not any(c.isdigit() for c in hidden("Born 1984-08-02.", profile)), language
    assert not any(c.isdigit() for c in hidden("Born 2 August 1984.", profile)), language


# What the second reading does not know: it is to find, not to know everything.
UNKNOWN = {"avgusta", "augustil", "toinen", "iki ", "doi ", "2α", "2:a", "andra", "anden", "jour", "ta’", "آگوست", "অগাস্ট",
           "Agt", "tháng tám", "жылғы", "abuztuaren", "8-р", "民國"}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "form"), [(language, form) for language, form in ALL if not any(part in form for part in UNKNOWN)]
)
def test_the_second_reading_finds_what_no_mask_has_hidden(language: str, form: str) -> None:
    assert identifies(BORN, FIELDS, f"Born {form} at home."), language
    assert identifies(Profile("p000001", {"birth date": form}), FIELDS, "Born 2 August 1984 at home."), language


@pytest.mark.parametrize(
    "text",
    [
        "Born 3 августа 1984", "2 сентября 1984", "2 August 1985", "1984年8月3日", "840803", "1840802", "840802A", "8408021",
        "30896", "2 of 8 in 1984", "to August 1984", "12 August 1984", "22 août 1984", "2 สิงหาคม 2528", "2 mg, 1984",
    ],
)  # fmt: skip
def test_other_days_and_numbers_stay(text: str) -> None:
    assert hidden(text) == text and not identifies(BORN, FIELDS, text)


@pytest.mark.parametrize("serial", ["30896", "30896.0", "30896.7291666667"])
def test_a_number_of_excel_is_a_day_in_a_field_of_dates_alone(serial: str) -> None:
    profile = Profile("p000001", {"birth date": serial})
    assert hidden("Born 2 August 1984.", profile) == "Born █████████████."
    assert identifies(profile, FIELDS, "Born 2 August 1984.")
    other = direct_identifiers(Profile("p", {"code": serial}), {"code": "number"})
    assert not other.find("Born 2 August 1984.")


def test_a_year_in_a_field_of_dates_is_no_number_of_excel() -> None:
    assert not direct_identifiers(Profile("p", {"birth date": "1984"}), FIELDS).days


@pytest.mark.parametrize(
    "text", ["2 august ", "may ", "2 of the ", "1984. ", "tháng 8 ", "2月", "the second of august ", "84 08 "]
)
def test_long_texts_take_time_in_proportion(text: str) -> None:
    found = direct_identifiers(BORN, FIELDS)
    started = time.process_time()
    found.find(text * 6000)
    identifies(BORN, FIELDS, text * 6000)
    assert time.process_time() - started < 8


# --- the table


def test_the_table_is_what_babel_and_icu_say() -> None:
    from benchmarks.calendar_words import TABLE, written

    assert TABLE.read_text("utf-8") == written(), "run python -m benchmarks.calendar_words"


def test_every_name_that_the_second_reading_knows_is_known_to_the_mask() -> None:
    from unname.verifying import days

    for script in days._LANGUAGES:
        for month, names in days._names(script).items():
            unknown = {name for name in names if month not in months_of(name)}
            assert not unknown, script
    for number in range(1, 32):
        assert {word for word in days._spelled(number) if day_of(word) != number} <= {"quart", "quarta", "quarto"}


def test_names_that_languages_share_may_be_several_months_and_short_words_are_none_by_themselves() -> None:
    assert months_of("listopad") == {10, 11} and months_of("LIPCA") == {7} and months_of("Set.") == {9}
    assert is_month("Februar") and is_month("марта") and not is_month("set") and not is_month("out")
    assert "august" in month_names(8) and day_of("twenty-first") == 21 and LETTERS


# --- the rules, who know nobody

RULES = Rules()


@pytest.mark.parametrize(
    "text",
    [
        "févr. 2019", "5 avr. 2019", "14 juil. 2019", "5 déc. 2019", "2 de fev. de 2019",
        "2 gen. 2019", "2 mrt 2019", "29Mar22",
        "21Sep2023", "18-DEC-19", "2 сент. 2019", "2 września 2019", "2. října 2019", "2 Şubat 2019", "2. syyskuuta 2019",
        "2 set. 2019", "3 out. 2019", "2 okt. 2019", "7 Οκτωβρίου 2019", "7 ต.ค. 2562", "٢ أكتوبر ٢٠١٩", "2 באוקטובר 2019",
        "2019. október 7", "2019年10月7日", "10月7日", "2019년 10월 7일", "20191007", "201910071530",
        "2019‑10‑07", "7 ene. 2019",
        "1984 m. spalio 2", "2 tháng 8 năm 1984", "7. aug. 2019", "12 DE JULIO DE 2019", "3:e maj 2019", "2 de fev",
        "7 Agustus 2019", "৭ অক্টোবর ২০১৯", "7 अक्टूबर 2019",
    ],
)  # fmt: skip
def test_rules_find_days_with_months_of_every_language(text: str) -> None:
    said = f"({text}), 12 mg"
    found = "".join(said[s.start : s.end] for s in RULES.tag([said])[0] if s.label == "DATE")
    assert found.rstrip(".") == text, found


@pytest.mark.parametrize("behind", ["", ".", ". ", "\n", "!"])
def test_a_day_and_month_that_end_the_text_are_a_date(behind: str) -> None:
    text = f"Vandaag is het 14-05{behind}"
    assert [(s.label, text[s.start : s.end]) for s in RULES.tag([text])[0]] == [("DATE", "14-05")]


@pytest.mark.parametrize(
    "text",
    [
        "it took 3-5", "for 3-5 days", "blood pressure 120/80", "they won 1-2", "a ratio of 12-10", "in 5/6", "score 11/12.",
        "13-24", "1.05", "12:14-05", "14-05 to them", "7 out 10", "12 set 20", "3 gen tests", "5 mac users", "10 her 1984",
        "FEV 1 and FEV1", "la marca 12", "Augusta 12", "5 ara 10", "12 kas", "20191307 and 29991231",
    ],
)  # fmt: skip
def test_scores_ratios_ranges_and_other_words_are_no_dates(text: str) -> None:
    assert [text[s.start : s.end] for s in RULES.tag([text])[0] if s.label == "DATE"] == []
