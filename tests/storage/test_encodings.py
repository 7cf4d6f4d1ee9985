"""The encoding of a text is told by the words it makes, or not at all: sentences of many languages, written here."""

from pathlib import Path

import pytest

from unname.errors import InputError, SettingsError
from unname.storage.dialects import Dialect, encoding_for, plain_encoding
from unname.storage.documents import Columns, read_documents
from unname.storage.encodings import guessed
from unname.storage.people import read_profiles

SENTENCES = {
    "cs": "Pacientka Květa Dvořáček dnes přišla na kontrolu, obtíže nemá, cítí se dobře a chodí denně na procházky.",
    "pl": "Pacjentka Małgorzata Żółkiewska zgłosiła się na kontrolę, czuje się dobrze, źle śpi w nocy.",
    "hu": "A beteg Szőke Erzsébet ma kontrollra jött, jól érzi magát, nem fűzött hozzá semmit.",
    "sk": "Pacientka Ľubica Šťastná prišla na kontrolu, ťažkosti nemá, cíti sa dobre.",
    "sl": "Bolnica Špela Žagar je prišla na pregled, počuti se dobro.",
    "de": "Die Patientin Jördis Müllenbröck kam heute zur Kontrolle, größere Beschwerden bestehen nicht.",
    "da": "Patienten Bjørn Sørensen kom i dag til kontrol og har det godt, sover dårligt om natten.",
    "sv": "Patienten Åsa Sjöström kom idag på återbesök, mår bra.",
    "fi": "Potilas Väinö Hämäläinen tuli tänään vastaanotolle, voi hyvin.",
    "is": "Sjúklingurinn Þórður Guðmundsson kom í dag og líður vel.",
    "fr": "La patiente Hélène Lefèvre est venue aujourd'hui pour un contrôle, elle n'a pas de fièvre, ça va.",
    "es": "La paciente Begoña Ibáñez acudió hoy a revisión, duerme bien, sin más síntomas, ¿cómo está?",
    "pt": "A paciente Conceição Guimarães veio hoje à consulta, não tem queixas, está bem.",
    "ru": "Пациентка Анна Морозова пришла сегодня на осмотр, чувствует себя хорошо, жалоб нет.",
    "uk": "Пацієнтка Ганна Шевченко прийшла сьогодні на огляд, почувається добре, скарг немає.",
    "bg": "Пациентката Мария Георгиева дойде днес на преглед, чувства се добре.",
    "el": "Η ασθενής Μαρία Παπαδοπούλου ήρθε σήμερα για έλεγχο, αισθάνεται καλά.",
    "tr": "Hasta Ayşe Yıldırım bugün kontrole geldi, kendini iyi hissediyor, şikayeti yok, ağrısı azaldı.",
    "he": "המטופלת רחל כהן הגיעה היום לביקורת ומרגישה טוב",
    "ar": "حضرت المريضة فاطمة الشمري اليوم للمراجعة وهي بحالة جيدة",
    "lt": "Pacientė Živilė Šimkutė šiandien atvyko patikrinimui, jaučiasi gerai.",
    "lv": "Paciente Līga Bērziņa šodien ieradās uz pārbaudi, jūtas labi.",
    "th": "ผู้ป่วยสมชายมาตรวจวันนี้ อาการดีขึ้น",
    "ja": "患者の山田太郎さんは本日診察に来ました。よく眠れています。",
    "zh": "患者欧阳娜娜今日因咳嗽复诊，予止咳药，睡眠良好。",
    "zh_Hant": "患者歐陽娜娜今日因咳嗽複診，予止咳藥，睡眠良好。",
    "ko": "환자 김민수는 오늘 진료를 받으러 왔다. 잠을 잘 잔다.",
}
IN = {
    "cp1250": "cs pl hu sk sl", "iso-8859-2": "cs pl hu sk sl", "cp852": "cs pl hu sk sl", "mac-latin2": "cs",
    "cp1252": "de da sv fi is fr es pt", "iso-8859-15": "de fr", "cp850": "de da sv fr es pt", "mac-roman": "de fr",
    "cp1251": "ru uk bg", "koi8-r": "ru", "koi8-u": "uk", "cp866": "ru", "iso-8859-5": "ru uk", "mac-cyrillic": "ru",
    "cp1253": "el", "iso-8859-7": "el", "cp737": "el", "cp1254": "tr", "iso-8859-9": "tr", "cp857": "tr",
    "cp1255": "he", "iso-8859-8": "he", "cp862": "he", "cp1256": "ar", "iso-8859-6": "ar", "cp1257": "lt lv",
    "iso-8859-13": "lt lv", "cp874": "th", "cp932": "ja", "euc_jp": "ja", "iso2022_jp": "ja", "gb18030": "zh",
    "big5": "zh_Hant", "euc_kr": "ko",
}  # fmt: skip
EVERY = [(name, language) for name, languages in IN.items() for language in languages.split()]


@pytest.mark.parametrize("table", [False, True], ids=["text", "table"])
@pytest.mark.parametrize("encoding, language", EVERY)
def test_a_sentence_tells_its_encoding(encoding: str, language: str, table: bool) -> None:
    text = SENTENCES[language]
    text = f"id,text,person\n1,{text},p1\n" if table else text
    guess = guessed(text.encode(encoding))
    assert guess.encoding is not None, guess.candidates
    assert text.encode(encoding).decode(guess.encoding) == text


@pytest.mark.parametrize("encoding, language", EVERY)
def test_no_part_of_a_sentence_is_read_wrongly_in_silence(encoding: str, language: str) -> None:
    text = SENTENCES[language]
    for words in (text.split()[:3], text.split()[-3:], text.split()[2:6]):
        part = " ".join(words)
        content = part.encode(encoding)
        guess = guessed(content)
        named = [content.decode(name, "replace") for name in guess.candidates]
        if guess.encoding is not None:
            assert content.decode(guess.encoding) == part
        elif not content.isascii() and named and language not in ("ja", "zh", "ko"):
            assert len(named) > 1


def test_names_of_a_table_are_read_or_refused_with_what_they_may_be(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "people.csv"
    path.write_bytes("id;given_name;family_name\np1;Květa;Dvořáček\np2;Jiří;Novák\n".encode("cp1250"))
    assert [p.fields["family_name"] for p in read_profiles(path)] == ["Dvořáček", "Novák"]
    assert "people.csv: is not UTF-8 and is read as cp1250 (--encoding names another)" in caplog.text
    path.write_bytes("id;name\np1;Groß\n".encode("cp850"))
    with pytest.raises(InputError, match=r"its encoding cannot be told; it may be .*cp850.*: name it with --encoding"):
        read_profiles(path)
    assert read_profiles(path, dialect=Dialect("cp850"))[0].fields == {"name": "Groß"}


def test_utf16_needs_no_mark_and_a_stray_zero_makes_none() -> None:
    for text in (SENTENCES["ru"] + "\n", "id,text\n1,fine\n", "id,text\n1,王小明来了。\n"):
        assert plain_encoding(text.encode("utf-16-le")) == "utf-16-le"
        assert plain_encoding(text.encode("utf-16-be")) == "utf-16-be"
        for name in ("utf-16", "utf-32"):
            assert str(plain_encoding(text.encode(name))).startswith(name)
    assert plain_encoding(b"id,text\n1,fine\n2,Canarybird\0\n") == "utf-8"
    assert plain_encoding(b"id,text\n1,fine\n2,Canarybird \xe9\0\n") != "utf-16-be"


def test_an_encoding_that_is_named_for_one_file_does_no_harm_to_another_in_unicode(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "a.csv"
    for content in ("id,text\n1,Müller\n".encode(), "\ufeffid,text\n1,x\n".encode("utf-16-le")):
        path.write_bytes(content)
        text = read_documents(path, Columns(dialect=Dialect("cp1250")))[0].text
        assert text in ("Müller", "x")
    assert "a.csv: is in utf-8 and is read so, not in cp1250" in caplog.text
    assert encoding_for(path, b"plain", "cp1250") == "cp1250"
    assert encoding_for(path, "Müller".encode("cp1250"), "cp1250") == "cp1250"


def test_a_folder_tells_the_encoding_of_a_file_that_does_not(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.txt").write_bytes(SENTENCES["de"].encode("cp850"))
    (folder / "6.txt").write_bytes("Frau Groß".encode("cp850"))
    (folder / "7.txt").write_bytes("Frau Müller".encode())
    read = {d.id: d.text for d in read_documents(folder)}
    assert (read["0"], read["6"], read["7"]) == (SENTENCES["de"], "Frau Groß", "Frau Müller")
    assert "6 files of 7 not in UTF-8, read as cp850" in caplog.text
    for number in range(5):
        (folder / f"{number}.txt").unlink()
    with pytest.raises(InputError, match="its encoding cannot be told"):
        read_documents(folder)
    read = {d.id: d.text for d in read_documents(folder, Columns(dialect=Dialect("cp850")))}
    assert read == {"6": "Frau Groß", "7": "Frau Müller"}


def test_bytes_that_make_no_words_are_damage_of_their_record() -> None:
    assert guessed(b"Canarybird \xff") == (None, ())


def test_what_was_read_wrongly_before_is_counted_and_names_are_taken_either_way(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    garbled = "Müller".encode().decode("cp1252")
    (tmp_path / "a.csv").write_text(f"id,text\n1,Frau {garbled} kam\n2,Frau Müller kam\n", encoding="utf-8")
    assert read_documents(tmp_path / "a.csv")[0].text == f"Frau {garbled} kam"
    assert "1 document looks like UTF-8 that was read in another encoding" in caplog.text
    (tmp_path / "p.csv").write_text(f"id,name\n1,{garbled}\n2,Müller\n3,Élan – «Ça»\n", encoding="utf-8")
    names = [p.fields["name"] for p in read_profiles(tmp_path / "p.csv")]
    assert names == [f"{garbled} | Müller", "Müller", "Élan – «Ça»"]
    assert "1 profile with values that look like UTF-8 read in another encoding" in caplog.text


@pytest.mark.parametrize(
    "name", ["idna", "punycode", "unicode_escape", "raw-unicode-escape", "undefined", "base64", "x"]
)
def test_what_is_no_encoding_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="encoding: no such encoding"):
        Dialect(encoding=name)


def test_utf_16_without_a_mark_is_told_where_characters_have_zeros_of_their_own() -> None:
    text = "id,name\n" + "".join(f"p{i},鈴木\u3000一郎\n" for i in range(9))
    for encoding in ("utf-16-le", "utf-16-be"):
        assert plain_encoding(text.encode(encoding)) == encoding


@pytest.mark.parametrize("encoding", ["gb18030", "big5"])
def test_chinese_whose_bytes_look_like_utf_8_is_told(encoding: str, tmp_path: Path) -> None:
    said = {
        "gb18030": "患者王秀英今天来门诊复查，没有疼痛，睡眠良好，每天和家人在公园散步。",
        "big5": "患者王秀英今天來門診複查，沒有疼痛，睡眠良好，每天和家人在公園散步。",
    }[encoding]
    content = f"id,text\n1,{said}\n2,{said}\n".encode(encoding)
    assert content.decode(encoding_for(tmp_path / "a.csv", content, None)) == content.decode(encoding)
    damaged = f"id,text\n1,{said}\n2,{said}\n".encode()[:-3]
    assert encoding_for(tmp_path / "a.csv", damaged, None) == "utf-8"
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "1.txt").write_bytes(said.encode(encoding))
    assert [each.text for each in read_documents(tmp_path / "notes")] == [said]


def test_japanese_names_without_kana_that_are_chinese_as_well_are_not_told() -> None:
    names = ["山田 太郎", "佐藤 花子", "鈴木 一郎", "高橋 美咲", "田中 健二", "渡辺 由美"]
    guess = guessed("".join(f"q{i},{name},farmer\n" for i, name in enumerate(names)).encode("euc_jp"))
    assert guess.encoding is None and {"gb18030", "euc_jp"} <= set(guess.candidates)
