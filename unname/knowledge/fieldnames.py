"""What a field is by its name: names, contacts, numbers, birth dates and addresses in seven languages.

English, German, Spanish, French, Italian, Portuguese and Dutch, however words are joined ("PatientName",
"fecha_nac.", "Versichertennummer").
"""

import re
from typing import Literal

from unname.text import without_accents

# "" is a field that somebody calls direct without saying what it holds.
Kind = Literal["name", "contact", "number", "date", "address", ""]


def word_set(words: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(words.split())


# Words, or several joined, that alone say what a field holds; each may stand beside others ("patient surname").
_WORDS: dict[Kind, str] = {
    "name": """
    name names surname surnames forename forenames firstname lastname middlename givenname familyname fullname
    maidenname birthname nickname nicknames alias aliases initials fname lname mname sname ptname patname preferredname
    realname legalname knownas aka signature signedby
    vorname vornamen nachname nachnamen zuname familienname geburtsname rufname maedchenname spitzname namen kuenstlername
    nombre nombres apellido apellidos nombreyapellidos nombrecompleto primerapellido segundoapellido apodo
    ape1 ape2 apellido1 apellido2 primernombre segundonombre
    nom noms prenom prenoms nomdefamille nomdenaissance nomusuel nompatronymique surnom patronyme nomcomplet
    nome nomi cognome cognomi nominativo soprannome nomecognome
    sobrenome sobrenomes apelido apelidos nomecompleto alcunha nomedamae nomedopai
    naam namen voornaam voornamen achternaam achternamen familienaam roepnaam meisjesnaam geboortenaam bijnaam
    voorletters tussenvoegsel nextofkin emergencycontact contactperson
    """,
    "contact": """
    email emails mail emailaddress mailaddress phone phones phonenumber telephone telephones tel telno telnr mobile
    mobiles cell cellphone cellular fax faxno pager whatsapp landline contactno contactnumber website homepage url
    twitter instagram facebook linkedin skype telegram username userid login screenname handle
    telefon telefonnummer telefonnr telnummer rufnummer handy handynummer handynr mobil mobilnummer mobiltelefon festnetz
    telefax faxnummer emailadresse mailadresse durchwahl
    telefono telefonos tfno tlf tlfno telf movil celular correo correoelectronico correoe
    telephone telephonefixe portable mobilephone courriel adressemail adresseelectronique numtel
    cellulare telefonofisso postaelettronica indirizzoemail pec recapito recapiti
    telefone telemovel fixo correioeletronico correioelectronico enderecoeletronico
    telefoon telefoonnummer telefoonnr mobielnummer mobiel gsm gsmnummer
    """,
    "number": """
    mrn mrnumber nhs nhsno ssn sin nino nin tin itin ein medicare medicaid passport passportno licence license
    driverslicense driverslicence drivinglicence drivinglicense ssnumber socialsecurity nationalinsurance
    iban bic accountno accountnumber accountnr creditcard cardno cardnumber policyno policynumber plate plates
    licenseplate licenceplate numberplate vin imei ip ipaddress macaddress chi hcn ohip
    personnummer personalnummer personalausweis personalausweisnummer ausweisnummer ausweisnr reisepass reisepassnummer
    passnummer fuehrerschein fuehrerscheinnummer steuerid steueridentifikationsnummer steuernummer idnr svnr svnummer rvnr
    sozialversicherungsnummer rentenversicherungsnummer versichertennummer versichertennr versicherungsnummer
    versicherungsnr kvnr krankenversicherungsnummer krankenkassennummer ahv ahvnummer patientennummer patientennr
    patientnr patnr fallnummer fallnr aktenzeichen geschaeftszeichen aktennummer kontonummer kontonr kennzeichen
    kartennummer mitgliedsnummer kundennummer kundennr matrikelnummer
    dni nif nie nifnie dninif documento documentoidentidad numerodocumento pasaporte nss nass naf cip cipa sip tis nhc
    tarjetasanitaria numerohistoria numhistoria numerodehistoria historiaclinica numhc nuhsa expediente numexpediente
    cuentabancaria numerocuenta cuenta matricula colegiado numafiliacion seguridadsocial curp rut cedula
    passeport numerosecu securitesociale numsecu nir insee ipp iep nda cni carteidentite numerodossier numdossier
    permisdeconduire immatriculation rib cartevitale numerodesecuritesociale
    codicefiscale codfiscale codfisc cf passaporto cartaidentita cartadidentita numerocartella cartellaclinica patente
    tesserasanitaria tessera targa partitaiva contocorrente
    cpf rg cnh passaporte cartaodecidadao bilhetedeidentidade niss nus utente numeroutente numutente
    contribuinte prontuario cartaosus cns placa conta
    bsn burgerservicenummer sofinummer sofi paspoort paspoortnummer rijbewijs rijbewijsnummer identiteitskaart
    rijksregisternummer patientnummer dossiernummer polisnummer rekeningnummer kenteken verzekeringsnummer
    pesel cpr hetu fodselsnummer tckn
    """,
    "date": """
    dob birthdate birthday dateofbirth dateborn borndate bday doby dobirth
    geburtsdatum gebdatum gebdat geburtstag geborenam gebam geb
    fechanacimiento fechadenacimiento fnacimiento fecnac fnac fechanac fnacim fecnacimiento
    datenaissance datedenaissance ddn dnaiss datenaiss datnais neele
    datanascita datadinascita dnascita natoil nascitadata datanasc
    datanascimento datadenascimento dtnasc dtnascimento nascimentodata
    geboortedatum gebdat geboortedag geborenop
    """,
    "address": """
    address addresses addr street streetaddress streetname streetno homeaddress postaladdress mailingaddress residence
    residentialaddress addressline addressline1 addressline2 address1 address2 street1 housenumber houseno housename
    adresse anschrift wohnanschrift postanschrift strasse strassenname strassenr hausnummer hausnr wohnadresse
    heimatadresse
    direccion direccionpostal domicilio calle domicilioactual viapublica
    rue adressepostale domicile voie numerorue
    indirizzo viaresidenza indirizzoresidenza domicilioresidenza residenza
    morada endereco rua logradouro moradacompleta
    adres straat straatnaam huisnummer woonadres postadres huisnr
    """,
}
_KIN = word_set(
    """
    mother mothers father fathers parent parents spouse husband wife partner kin relative relatives child children
    son daughter brother sister sibling siblings guardian emergency contact carer caregiver mutter vater eltern
    ehepartner ehemann ehefrau gatte gattin kind kinder angehoerige angehoeriger notfallkontakt madre padre conyuge
    esposo esposa marido hijo hija hijos familiar tutor mere pere conjoint epoux epouse mari enfant enfants proche
    coniuge moglie marito figlio figlia figli parente mae pai conjuge esposo filho filha filhos moeder vader
    echtgenoot echtgenote kind kinderen contactpersoon
    """
)
# Words that, with an "id", "number" or the like, say that a field is a number of a person.
_NUMBERED = word_set(
    """
    patient pat person subject member medical record health hospital insurance insured national identity
    identification passport licence license driver drivers social security tax account bank card credit policy case
    file chart employee student customer client citizen personal vehicle device serial registration voter
    beneficiary enrollee plan study historia clinica paciente asegurado afiliacion documento identidad cuenta
    expediente episodio tarjeta socio poliza dossier patiente assure assurance identite compte securite sociale secu
    paziente cartella clinica assistito sanitaria identita fiscale conto utente beneficiario processo identidade
    cartao cidadao versicherten versicherung patienten akten fall konto personal ausweis steuer kranken verzekering
    rekening identiteit polis burger klant admission encounter visit accession docket court inmate prisoner
    """
)
_NUMBER_WORDS = word_set(
    """
    id ids no nr num number numbers numero numeros nummer nro n code codigo identifier identificador identifiant
    identificativo ident kennung codice key hash
    """
)
# Alone, any of these is a number of a person.
_ALONE = frozenset(["id", "ids", "identifier", "pid", "uid", "identificador", "identifiant", "kennung"])
_ENDINGS: dict[Kind, tuple[str, ...]] = {
    "name": ("vorname", "nachname", "familienname", "achternaam", "voornaam", "firstname", "lastname", "surname"),
    "contact": ("telefon", "telefonnummer", "telefoonnummer", "handynummer", "emailadresse"),
    "number": (
        "versichertennummer", "versicherungsnummer", "patientennummer", "ausweisnummer", "aktenzeichen", "passnummer",
        "kontonummer", "fallnummer", "sicherungsnummer", "fuehrerscheinnummer", "verzekeringsnummer", "dossiernummer",
    ),
    "date": ("geburtsdatum", "geboortedatum", "birthdate", "geburtstag"),
    "address": ("anschrift", "strasse", "straat", "wohnadresse"),
}  # fmt: skip
# What belongs to things, places and others than the person and those close to them.
_FOREIGN = word_set(
    """
    school schools college university company companies employer employers firm firms business organization
    organisation org institution agency department dept ward unit clinic hospital practice place street road village
    city town county state country region district province area ship team club party product products drug
    medication medicine brand file filename column table database db host hostname server domain agent browser
    device model project program programme course class category group type event study trial test scale score
    diagnosis disease condition procedure operation doctor physician provider nurse surgeon gp practitioner
    consultant clinician judge court lawyer attorney author editor publisher publication book title song album film
    movie game pet dog cat insurer carrier bank schule firma arbeitgeber klinik krankenhaus station abteilung stadt
    ort dorf strassen land produkt medikament praxis arzt aerztin hausarzt richter gericht krankenkasse verein
    partei datei diagnose escuela empresa hospital centro servicio ciudad pueblo pais producto medicamento farmaco
    medico doctora juez juzgado aseguradora unidad planta seccion archivo fichero diagnostico enfermedad ecole
    entreprise hopital service ville pays produit medicament medecin juge tribunal fichier clinique scuola azienda
    ospedale reparto citta paese prodotto farmaco medico giudice tribunale escola empresa hospital servico cidade
    pais produto medicamento juiz tribunal school bedrijf ziekenhuis afdeling stad land product medicijn arts
    huisarts rechter generic common scientific species variable field user
    """
)
# Beside any of these a number, date or place is no identifier: how many, how much, which kind, which year.
_COUNTS = word_set(
    """
    count counts total sum amount age ages year years month week weeks weight height length size rate ratio score
    scores percent percentage mean median min max avg level status type kind flag group class category rank order
    version index code lang language sex gender children siblings visits admissions bed beds room floor date time
    jahr jahre alter anzahl summe gewicht groesse gruppe art status stufe edad ano anos peso talla numerohijos hijos
    sexo estado tipo grupo annee age poids taille sexe enfants etat anno eta peso altezza figli sesso stato idade
    filhos estado jaar leeftijd aantal gewicht lengte kinderen geslacht place ort lugar lieu luogo local plaats
    country land pais pays paese
    """
)
_PLACES = word_set(
    """
    place city town country state county ort stadt land lugar ciudad pais lieu ville pays luogo citta paese local
    cidade plaats stad weight gewicht peso poids order year jahr ano annee anno jaar
    """
)
# What a field of such a name holds is called by a name or found under an address, and is not the person: colours, places,
# offices and whoever holds them, houses and companies, where something is taken from.
_OTHERS = _PLACES - {
    "order",
    "weight",
    "gewicht",
    "peso",
    "poids",
    "year",
    "jahr",
    "ano",
    "annee",
    "anno",
    "jaar",
} | word_set(
    """
    color colour colors colours hair eye eyes skin farbe augen augenfarbe haare haarfarbe couleur cheveux yeux colore
    occhi capelli color ojos pelo cor olhos cabelo kleur ogen haar
    monarch sovereign king queen emperor president vicepresident chancellor minister premier primeminister governor mayor
    senator predecessor successor incumbent monarca rey reina presidente vicepresidente ministro gobernador alcalde
    monarch koenig koenigin praesident kanzler ministerpraesident buergermeister vorgaenger nachfolger monarque roi reine
    president premierministre predecesseur successeur re regina presidente sindaco predecessore successore rei rainha
    governador antecessor sucessor koning koningin burgemeester voorganger opvolger
    company companies companyname employer employers firm firms business organization organisation organizations institution
    agency school schools college university hospital clinic team club party ship brand product band album song film
    arbeitgeber firma klinik krankenhaus schule hochschule universitaet verein partei empresa escuela universidad partido
    entreprise employeur ecole universite hopital parti azienda datore scuola universita ospedale partito escola
    universidade servico bedrijf werkgever ziekenhuis universiteit partij
    source sources reference references citation citations quelle quellen fuente fuentes fonte fonti bron bronnen
    village district region province capital dorf region provinz pueblo region provincia aldea regiao provincie dorp
    """
)
# Which words beside it say that a field of a kind is about something else; of any other kind `_FOREIGN`.
_ELSEWHERE: dict[Kind, frozenset[str]] = {"date": _PLACES, "number": _COUNTS}
_LONGEST_JOIN = 6
_SPLIT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_GERMAN = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "º": "o", "ª": "a"}
)


_KNOWN: dict[str, Kind] = {word: kind for kind, row in reversed(_WORDS.items()) for word in row.split()}


def field_kind(name: str) -> Kind | None:
    """What kind of direct identifier a field's name says that it holds; None where it says none."""
    spelled = {tuple(_parts(name)), tuple(_parts(name.translate(_GERMAN)))}
    return next((kind for parts in sorted(spelled) if (kind := _kind(parts))), None)


def of_others(name: str) -> bool:
    """Whether a field says by its name that it is about something else than a person: a colour, a company, an office."""
    return field_kind(name) is None and not _OTHERS.isdisjoint(_parts(name.translate(_GERMAN)))


def of_kin(name: str) -> bool:
    """Whether a field is about somebody close to the person: a mother's name, a next of kin."""
    return not _KIN.isdisjoint(_parts(name.translate(_GERMAN)))


def _parts(name: str) -> list[str]:
    """The words of a field's name, in small letters without marks."""
    return [part.lower() for part in _SPLIT.findall(without_accents(name).replace("ß", "ss"))]


def _kind(parts: tuple[str, ...]) -> Kind | None:
    if not parts:
        return None
    joins = [
        ("".join(parts[a:b]), a, b) for a in range(len(parts)) for b in range(min(len(parts), a + _LONGEST_JOIN), a, -1)
    ]
    joins.sort(key=lambda join: join[1] - join[2])  # what is longer says more
    for joined, a, b in joins:
        longer = f"{joined.removesuffix('nr')}nummer" if joined.endswith("nr") else joined
        kind = _KNOWN.get(joined) or _KNOWN.get(longer) or _ended(longer)
        if kind and _ELSEWHERE.get(kind, _FOREIGN).isdisjoint((*parts[:a], *parts[b:])):
            return kind
    left = set(parts) - {"of", "de", "del", "der", "da", "do", "di", "du", "the", "la", "y", "e", "d", "van", "het"}
    numbering = left & _NUMBER_WORDS
    if numbering and left - numbering and left - numbering <= _NUMBERED:
        return "number"
    return "number" if len(parts) == 1 and parts[0] in _ALONE else None


def _ended(joined: str) -> Kind | None:
    return next((kind for kind, ends in _ENDINGS.items() if joined.endswith(ends)), None)
