"""Values that say nothing: what tables hold where somebody did not know or did not say ("unknown", "n/a", "XXX", "-").

They name nobody. Taken for names they would be hidden as words, and the person would seem to have a name that is known.
"""

import re

from unname.knowledge.fieldnames import word_set
from unname.text import folded_words, without_accents

# Whatever a field is about. All is folded, without accents, with one blank between words.
UNKNOWN = frozenset(("unknown", "none", "null", "nan", "not known", "nationality unknown", "no place", "various"))
# By language: English, German, Spanish, French, Italian, Portuguese, Dutch.
_NOTHING = UNKNOWN | frozenset(
    phrase.strip()
    for row in (
        "nil, missing, unnamed, anonymous, anonymised, anonymized, redacted, withheld, undisclosed, tbd, tba, unk, unkn, n a,"
        "na, n k, not given, not available, not applicable, not stated, not recorded, not provided, no name, no data,"
        "to be confirmed, blank, empty, masked, deidentified",
        "unbekannt, anonym, anonymisiert, keine angabe, keine angaben, k a, o a, ohne angabe, ohne namen, n n, nicht bekannt,"
        "nicht angegeben, fehlt, entfaellt, geschwaerzt",
        "desconocido, desconocida, anonimo, anonima, sin nombre, sin datos, no consta, no informado, ninguno, ninguna, s d,"
        "n c, no aplica",
        "inconnu, inconnue, anonyme, non renseigne, non renseignee, non communique, sans nom, neant, non connu",
        "sconosciuto, sconosciuta, ignoto, ignota, non noto, non disponibile, n d, nd, senza nome, nessuno",
        "desconhecido, desconhecida, nao informado, nao informada, sem nome, nao consta, ignorado, nenhum",
        "onbekend, anoniem, niet bekend, niet ingevuld, geen naam, n v t, nvt",
    )
    for phrase in row.split(",")
)
# Words that stand beside one of these and make no name of it ("unknown male", "patient unknown").
_BESIDE = word_set("name names patient person man woman male female mr mrs ms herr frau sr sra the")
# Written like this they may be somebody's name.
_NAMES = word_set("Nan Null Nil Na Nd Blank Ignoto Ignota")
_CROSSED = re.compile(r"x{2,}|([^\W\d])\1{3,}")


def says_nothing(value: str) -> bool:
    """Whether a value is empty, signs alone, or says that there is none."""
    row = [without_accents(word) for word in folded_words(value)]
    if not row:
        return True
    if value.strip() in _NAMES:
        return False
    return " ".join(row) in _NOTHING or (
        all(word in _NOTHING or word in _BESIDE or _CROSSED.fullmatch(word) for word in row)
        and not all(word in _BESIDE for word in row)
    )
