"""Words that say what stands beside them: numbers after cues, addresses, names after titles; in several languages."""

import re
from string import ascii_uppercase

from unname.taggers.patterns import DISTINCT, LIKELY, SHAPE, Form, any_of, words_of


def _cues(label: str, text: str) -> dict[str, str]:
    return dict.fromkeys((" ".join(cue.split()) for cue in text.split(",")), label)


# The last words before a number, in small letters, without dots and signs → what the number is.
CUES = {
    **_cues("PHONE", """
    tel, telf, tlf, tlfn, tfno, tfn, teléfono, telefono, tfno, móvil, movil, phone, telephone, mobile, cell, call,
    ph, telefon, handy, mobil, téléphone, portable, cellulare, telemóvel, celular, telefone, telefoon, gsm,
    whatsapp, pager, beeper
    """),
    **_cues("FAX", "fax, telefax, facsimile, fac"),
    **_cues("POSTCODE", """
    cp, código postal, codigo postal, zip, zip code, postcode, postal code, plz, cap, code postal, postleitzahl
    """),
    **_cues("NATIONAL_ID", """
    dni, nif, nie, cif, nass, nss, seguridad social, naf, cipa, cip, ssn, social security, nino, national insurance,
    nhs, bsn, burgerservicenummer, pesel, personnummer, fødselsnummer, cpr, hetu, cpf, rg, kimlik, tckn, steuer-id,
    steuernummer, idnr, codice fiscale, insee, nir, sécurité sociale, passport, pasaporte, passeport, reisepass,
    passaporto, paspoort, passaporte, id card, identity card, personalausweis, driver's license, driving licence,
    driver license, führerschein, permis de conduire, medicare, insurance, policy, póliza, asegurado, afiliación,
    tarjeta sanitaria, versichertennummer, national id
    """),
    **_cues("RECORD", """
    mrn, medical record, record, nhc, historia clínica, historia clinica, historia, nº historia, expediente,
    episodio, proceso, patient id, patient, id paciente, case, file, chart, account, acct, admission, accession,
    encounter, visit, sample, specimen, serial, study, protocol, invoice, reference, ref, id, colegiado, col, nºcol,
    n° col, ncol, licencia, license, licence, docket, application, applications, petition, claim, requête,
    beschwerde, aktenzeichen, az, dossier, cartella, processo, fallnummer, patientennummer, caso, muestra, registro,
    biopsia, order, complaint, appeal, warrant, badge, employee, member, student
    """),
    **_cues("PLATE", """
    matrícula, matricula, plate, number plate, license plate, licence plate, kennzeichen, targa, immatriculation,
    kenteken, matrícula de, registration
    """),
    **_cues("ACCOUNT", "account no, cuenta, iban, konto, kontonummer, compte, conto, conta, rekening, sort code"),
}  # fmt: skip
# Words that may stand between a cue and its number.
FILLERS = words_of(
    """
    no nos nr nº n° n num núm number numbers número numero nummer numéro is was es de der des of del # : code id
    """
)
# Words that a cue may end with: most words before numbers are none.
CUE_ENDINGS = FILLERS | {cue.split()[-1] for cue in CUES}
FEWEST_DIGITS = {"PHONE": 6, "FAX": 6, "POSTCODE": 4, "NATIONAL_ID": 5, "RECORD": 4, "PLATE": 2, "ACCOUNT": 6}
# What a cue's number may look like: letters and digits in groups joined by signs, or groups of digits.
VALUE = re.compile(r"(?:[^\W_]{1,24}+[/.-]){0,6}[^\W_]{1,24}(?:[ \u00a0][0-9]{2,12}){0,5}")
PLATE = re.compile(r"[A-Za-z0-9]{1,4}(?:[\s-]?[A-Za-z0-9]{1,4}){1,3}")
BEFORE_APPLICATION = frozenset(
    [
        "no",
        "nos",
        "nº",
        "n°",
        "num",
        "number",
        "numbers",
        "application",
        "applications",
        "requête",
        "requete",
        "beschwerde",
    ]
)
APPLICATION = re.compile(
    r"\d{2,6}/\d{2}(?:\d{2})?(?:(?:\s?[,;]|\s{1,2}and|\s{1,2}et)\s{1,2}\d{1,6}/\d{2}(?!\d))*(?![^\W_])"
)

STATES = words_of(
    """
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR
    PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR
    """
)
ZIP = Form("POSTCODE", (5,), "", re.compile(r"\d{5}(?:-\d{4})?(?![\w-])"))
PLACE_AFTER = Form(
    "POSTCODE",
    (5,),
    "_a __ ,_",
    re.compile(r"\d{5}(?=,?\s{1,3}[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2})"),
    SHAPE,
    initials=ascii_uppercase,
)

# --- streets

_UPPER = r"[^\W\d_a-zß-öø-ÿ]"
_CAP = rf"{_UPPER}(?:\.[ao]?(?=\s)|[\w'’-]{{0,30}}+)"
_STREETS_EN = (
    "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Boulevard|Blvd|Way|Terrace|Close|Crescent|Gardens|"
    "Row|Hill|Parkway|Pkwy|Highway|Hwy|Grove|Mews|Walk"
)
# A look at one letter: few names are followed by a street's.
_BEGINS_STREET = f"(?=[{''.join(sorted({word[0] for word in _STREETS_EN.split('|')}))}])"
_HOUSE_FIRST = re.compile(
    rf"\d{{1,5}}+[A-Za-z]?(?:[-/]\d{{1,4}}+)?,?\s{{1,3}}+(?:{_CAP}\s{{1,3}}+){{1,4}}{_BEGINS_STREET}(?:{_STREETS_EN})\b"
)
_STREET_BETWEEN = re.compile(
    r"\d{1,4}+(?:\s?(?:bis|ter))?,?\s{1,3}+(?:rue|avenue|boulevard|place|chemin|allée|impasse|quai|route|cours)"
    r"(?:\s{1,3}(?:d[eu]s?|la|l['’]|d['’]))?(?:[ \u00a0]{0,3}[\w'’-]{1,30}){1,3}"
)
HOUSES_FIRST = (
    Form("ADDRESS", (1, 2, 3, 4, 5), "_a __ ,_ -0 /0 _½ ½?", _HOUSE_FIRST, LIKELY, initials=ascii_uppercase),
    # The letter behind "12b High Street" is the number's.
    Form("ADDRESS", (1, 2, 3, 4, 5), "a?", _HOUSE_FIRST, LIKELY),
    Form("ADDRESS", (1, 2, 3, 4), "_a __ a? ,_", _STREET_BETWEEN, LIKELY, initials="abcipqrt"),
)
STREETS = words_of(
    """
    c/ c calle avda av avenida avd paseo pº plaza pza plza carrer ctra carretera camino ronda rúa rua travesía via
    vía viale corso piazza rue largo praça avinguda passeig plaça urbanización bulevar pasaje glorieta cuesta
    """
)
STREET_ENDINGS = ("straße", "strasse", "str", "weg", "platz", "gasse", "allee", "straat", "laan", "gracht", "plein")
_BEHIND_HOUSE = words_of(
    """
    km bloque portal piso esc puerta bajo ático izd izda izq dch dcha pta planta bis étage stock interno apt flat
    """
)
HOUSE_LAST = re.compile(
    r"\d{1,5}(?:[.,]\d{1,3}\b)?(?:(?: ?[A-Z]|[a-z])\b)?"
    r"(?:[\s,./-]{1,4}(?:\d{1,3}(?!\d)\s?[ºª°]?(?:(?: ?[A-Z]|[a-z])\b)?|[A-Z]\b|"
    rf"(?i:{any_of(_BEHIND_HOUSE)})\b\.?)){{0,4}}"
)

# --- names

_TITLES = (
    "Dr|Dra|Drs|Mr|Mrs|Ms|Miss|Mx|Prof|Profesor|Profesora|Professor|Professorin|Sir|Lady|Lord|Dame|Sr|Sra|Srta|Señor|Señora|"
    "Señorita|Don|Doña|Dña|Dñª|Dª|Herr|Herrn|Frau|Fräulein|Mme|Mlle|Monsieur|Madame|Mademoiselle|Dott|Dottssa|Dottoressa|"
    "Dottore|Signor|Signora|Signorina|Sig|Sigra|Dhr|Mevr|Mw|Meneer|Mevrouw|Heer|Senhor|Senhora|Rev|Judge|Justice|Capt|"
    "Captain|DR|DRA|MR|MRS|SR|SRA|Sgt|Sergeant|Lt|Lieutenant|Doctor|Doctora|Doktor|Docteur|Doutor|Doutora|Nurse|Sister|"
    "Schwester|Krankenschwester|Pfleger|Krankenpfleger|Hebamme|Enfermera|Enfermero|Matrona|Infirmière|Infermiera|"
    "Enfermeira|Verpleegkundige|Zuster|Pfarrer|Pater|Padre|Fray|Sor|Suor|Rabbi|Imam"
)
# The same where somebody wrote them small; a name with a small letter behind its capital must follow.
_SMALL_TITLES = (
    "don|doña|dña|señor|señora|señorita|sr|sra|srta|dr|dra|prof|mr|mrs|ms|monsieur|madame|mademoiselle|mme|mlle|signor|"
    "signora|sig|dott|senhor|senhora|meneer|mevrouw|dhr|mevr|herr|frau|doctor|doctora|nurse|sister|enfermera|enfermero"
)
# What may stand between a title and a name, and is no name: offices, degrees.
_ROLES = (
    "Oberarzt|Oberärztin|Chefarzt|Chefärztin|Assistenzarzt|Assistenzärztin|Stationsarzt|Stationsärztin|Hausarzt|Hausärztin|"
    "Facharzt|Fachärztin|Amtsarzt|Amtsärztin|Notarzt|Notärztin|Zahnarzt|Zahnärztin|Arzt|Ärztin|Doktor|Kollege|Kollegen|"
    "Kollegin|Direktor|Direktorin|Richter|Richterin|Rechtsanwalt|Rechtsanwältin|Staatsanwalt|Staatsanwältin|Notar|Notarin|"
    "Präsident|Präsidentin|Vorsitzende|Vorsitzender|Bürgermeister|Bürgermeisterin|Minister|Ministerin|Kommissar|Kommissarin|"
    "Hauptkommissar|Hauptkommissarin|Pfarrer|Pfarrerin|Lehrer|Lehrerin|Patient|Patientin|Stationsschwester|Oberschwester|"
    "Krankenschwester|Schwester|Pfleger|President|Chairman|Chairwoman|Secretary|Minister|Senator|Colleague|Consultant|"
    "Director|Directora|Juez|Jueza|Magistrado|Magistrada|Fiscal|Letrado|Letrada|Abogado|Abogada|Presidente|Presidenta|"
    "Président|Présidente|Juge|Maître|Directeur|Directrice|Médecin|Presidente|Giudice|Avvocato|Avvocata|Juiz|Juíza|Rechter"
)
_DEGREE = (
    r"(?:Dr|Drs|Dra|Prof|PD|Priv\.-Doz|Doz|Dipl\.-[A-Z][a-z]{1,8}|Mag|Ing|Lic|Lcdo|Lcda|Ldo|Lda|Dott|Univ)\b\.?"
    r"(?:[ \u00a0]?(?:med|rer|nat|phil|jur|iur|theol|h\.[ ]?c|univ|dent|vet|habil|pol|oec|mult|Dr)\b\.?){0,6}+"
)
_FIELDS = (
    "Nombre|Nombres|Apellido|Apellidos|Name|Names|Surname|"
    "First name|Last name|Patient name|Full name|Médico|Medico|Doctor|Nom|Prénom|"
    "Vorname|Nachname|Nome|Cognome|Naam|Voornaam|Achternaam|Firmado|Remitido por|Responsable"
)
_PARTICLE = r"(?:(?:del?|la|los|y|i|e|das?|dos?|di|della|du|le|van|von|zu|de[rn]|bin|al|el|ter)\s{1,3})"
_NO_NAME = rf"(?!(?:{_TITLES}|{_ROLES})\b(?!-))"
_NAME = (
    rf"(?:{_PARTICLE}{{0,2}}(?!N[ºª°]){_NO_NAME}{_CAP}(?:\s{{1,3}}(?={_PARTICLE}{{0,2}}{_NO_NAME}{_UPPER}))?){{1,5}}"
)
# Possessive: a row of titles is read once, however many there are.
_BETWEEN = (
    rf"(?:(?:{_DEGREE}|(?:(?:l[ea]|el|il|de[rn]|die)[ ])?(?:{_TITLES}|{_ROLES})\b\.?)[ \u00a0\n]{{1,3}}+){{0,4}}+"
)
TITLED = re.compile(
    rf"(?:{_TITLES})\b(?:ª|[.][ao]\b)?(?:[.:]{{0,2}}\s{{1,3}}|\.)"
    rf"(?:(?:med|rer|nat|phil|jur|iur|univ|dent|vet|h\.c)\b\.?[ \u00a0]{{0,3}}+){{0,4}}+{_BETWEEN}(?P<name>{_NAME})"
)
SMALL_TITLED = re.compile(
    rf"(?:{_SMALL_TITLES})\b(?:\.?\s{{1,3}}|\.){_BETWEEN}(?P<name>(?={_PARTICLE}{{0,2}}{_UPPER}[a-zß-öø-ÿ.]){_NAME})"
)
INITIAL_TITLED = re.compile(rf"(?:[DM]\.|D\.?[ \u00a0]?ª\.?|D\.ñ?a\.?)[ \u00a0]{{1,2}}{_BETWEEN}(?P<name>{_NAME})")
FIELD = re.compile(
    rf"(?:{_FIELDS})(?:\(s\))?\s{{0,3}}:\s{{0,4}}(?:(?:{_TITLES})\b[.:ªao]{{0,3}}\s{{0,3}})?"
    rf"(?P<name>{_NAME}(?:,[ \u00a0]{{1,2}}{_NAME})?)"
)
NAMES = ((TITLED, LIKELY), (SMALL_TITLED, SHAPE), (INITIAL_TITLED, SHAPE), (FIELD, DISTINCT))
