"""Words that say what stands beside them: cues of numbers, streets, titles; in several languages."""


def words_of(text: str) -> frozenset[str]:
    """A list of words as a set."""
    return frozenset(text.split())


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


# --- before numbers: the last words, in small letters and without signs around them

# English words that small languages shorten their months to.
NO_MONTHS = words_of("fan few gas gun han her here led now pay see sub tri")
# Words after which four digits are a year.
BEFORE_YEAR = words_of("""
    in since from until till to by of year years circa c ca born died and between about around before after during
    early late mid summer spring autumn winter class b d en desde hasta año años entre hacia nacido nacida el del im
    jahr jahre seit bis um geboren ab vor nach depuis année vers né née jusqu dans nel dal dall anno del fino sin
    sinds tot jaar omstreeks geboren em ano até
    """)
NO_AGE_AFTER = words_of(
    "hace durante tras desde cada hacía últimos primeros próximos pendant depuis après da per ogni dopo unos"
)
BEFORE_AGE = words_of("age aged edad âge âgé âgée alter età leeftijd idade aged: edat")
PHONE = _phrases("""
    tel, telf, tlf, tlfn, tfno, tfn, teléfono, telefono, tfno, móvil, movil, phone, telephone, mobile, cell, call, ph,
    telefon, handy, mobil, téléphone, portable, cellulare, telemóvel, celular, telefone, telefoon, gsm, whatsapp,
    pager, beeper
    """)
FAX = _phrases("fax, telefax, facsimile, fac")
POSTCODE = _phrases("""
    cp, código postal, codigo postal, zip, zip code, postcode, postal code, plz, cap, code postal, postleitzahl
    """)
NATIONAL_ID = _phrases("""
    dni, nif, nie, cif, nass, nss, seguridad social, naf, cipa, cip, ssn, social security, nino, national insurance,
    nhs, bsn, burgerservicenummer, pesel, personnummer, fødselsnummer, cpr, hetu, cpf, rg, kimlik, tckn, steuer-id,
    steuernummer, idnr, codice fiscale, insee, nir, sécurité sociale, passport, pasaporte, passeport, reisepass,
    passaporto, paspoort, passaporte, id card, identity card, personalausweis, driver's license, driving licence,
    driver license, führerschein, permis de conduire, medicare, insurance, policy, póliza, asegurado, afiliación,
    tarjeta sanitaria, versichertennummer, krankenversichertennummer, kvnr, svnr, rvnr, national id
    """)
RECORD = _phrases("""
    mrn, medical record, record, nhc, historia clínica, historia clinica, historia, nº historia, expediente, episodio,
    proceso, patient id, patient, id paciente, case, file, chart, account, acct, admission, accession, encounter,
    visit, sample, specimen, serial, study, protocol, invoice, reference, ref, id, colegiado, col, nºcol, n° col, ncol,
    licencia, license, licence, docket, application, applications, petition, claim, requête, beschwerde, aktenzeichen,
    az, dossier, cartella, processo, fallnummer, patientennummer, caso, muestra, registro, biopsia, order, complaint,
    appeal, warrant, badge, employee, member, student
    """)
PLATE = _phrases("""
    matrícula, matricula, plate, number plate, license plate, licence plate, kennzeichen, targa, immatriculation,
    kenteken, matrícula de, registration
    """)
ACCOUNT = _phrases("account no, cuenta, iban, konto, kontonummer, compte, conto, conta, rekening, sort code")
# Words that may stand between such a cue and its number.
FILLERS = words_of(
    "no nos nr nº n° n num núm number numbers número numero nummer numéro is was es de der des of del # : code id"
)
# After these, what else an application to a court may be called.
APPLICATION = _phrases("no, nos, nº, n°, num, number, numbers, application, applications, requête, requete, beschwerde")
STATES = words_of(
    """
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR
    PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR
    """
)
STREETS = words_of(
    """
    c/ c calle avda av avenida avd paseo pº plaza pza plza carrer ctra carretera camino ronda rúa rua travesía via
    vía viale corso piazza rue largo praça avinguda passeig plaça urbanización bulevar pasaje glorieta cuesta
    """
)
STREET_ENDINGS = ("straße", "strasse", "str", "weg", "platz", "gasse", "allee", "straat", "laan", "gracht", "plein")
BEHIND_HOUSE = words_of(
    """
    km bloque portal piso esc puerta bajo ático izd izda izq dch dcha pta planta bis étage stock interno apt flat
    """
)
STREETS_EN = (
    "Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Boulevard|Blvd|Way|Terrace|Close|Crescent|Gardens|"
    "Row|Hill|Parkway|Pkwy|Highway|Hwy|Grove|Mews|Walk"
)

# --- before and within names

TITLES = (
    "Dr|Dra|Drs|Mr|Mrs|Ms|Miss|Mx|Prof|Profesor|Profesora|Professor|Professorin|Sir|Lady|Lord|Dame|Sr|Sra|Srta|Señor|Señora|"
    "Señorita|Don|Doña|Dña|Dñª|Dª|Herr|Herrn|Frau|Fräulein|Mme|Mlle|Monsieur|Madame|Mademoiselle|Dott|Dottssa|Dottoressa|"
    "Dottore|Signor|Signora|Signorina|Sig|Sigra|Dhr|Mevr|Mw|Meneer|Mevrouw|Heer|Senhor|Senhora|Rev|Judge|Justice|Capt|"
    "Captain|DR|DRA|MR|MRS|SR|SRA|Sgt|Sergeant|Lt|Lieutenant|Doctor|Doctora|Doktor|Docteur|Doutor|Doutora|Nurse|Sister|"
    "Schwester|Krankenschwester|Pfleger|Krankenpfleger|Hebamme|Enfermera|Enfermero|Matrona|Infirmière|Infermiera|"
    "Enfermeira|Verpleegkundige|Zuster|Pfarrer|Pater|Padre|Fray|Sor|Suor|Rabbi|Imam"
)
# The same where somebody wrote them small; a name with a small letter behind its capital must follow.
SMALL_TITLES = (
    "don|doña|dña|señor|señora|señorita|sr|sra|srta|dr|dra|prof|mr|mrs|ms|monsieur|madame|mademoiselle|mme|mlle|signor|"
    "signora|sig|dott|senhor|senhora|meneer|mevrouw|dhr|mevr|herr|frau|doctor|doctora|nurse|sister|enfermera|enfermero"
)
# What may stand between a title and a name, and is no name: offices, degrees.
ROLES = (
    "Oberarzt|Oberärztin|Chefarzt|Chefärztin|Assistenzarzt|Assistenzärztin|Stationsarzt|Stationsärztin|Hausarzt|Hausärztin|"
    "Facharzt|Fachärztin|Amtsarzt|Amtsärztin|Notarzt|Notärztin|Zahnarzt|Zahnärztin|Arzt|Ärztin|Doktor|Kollege|Kollegen|"
    "Kollegin|Direktor|Direktorin|Richter|Richterin|Rechtsanwalt|Rechtsanwältin|Staatsanwalt|Staatsanwältin|Notar|Notarin|"
    "Präsident|Präsidentin|Vorsitzende|Vorsitzender|Bürgermeister|Bürgermeisterin|Minister|Ministerin|Kommissar|Kommissarin|"
    "Hauptkommissar|Hauptkommissarin|Pfarrer|Pfarrerin|Lehrer|Lehrerin|Patient|Patientin|Stationsschwester|Oberschwester|"
    "Krankenschwester|Schwester|Pfleger|President|Chairman|Chairwoman|Secretary|Minister|Senator|Colleague|Consultant|"
    "Director|Directora|Juez|Jueza|Magistrado|Magistrada|Fiscal|Letrado|Letrada|Abogado|Abogada|Presidente|Presidenta|"
    "Président|Présidente|Juge|Maître|Directeur|Directrice|Médecin|Presidente|Giudice|Avvocato|Avvocata|Juiz|Juíza|Rechter"
)
FIELDS = (
    "Nombre|Nombres|Apellido|Apellidos|Name|Names|Surname|"
    "First name|Last name|Patient name|Full name|Médico|Medico|Doctor|Nom|Prénom|"
    "Vorname|Nachname|Nome|Cognome|Naam|Voornaam|Achternaam|Firmado|Remitido por|Responsable"
)
