"""A registry and notes in German or Spanish about invented people, and MEDDOCAN as documents about people.

A note says half of what the registry holds by its word and the rest by hints, which no word of the registry gives away.
"""

from random import Random

from benchmarks.clinical import meddocan
from benchmarks.corpora import Corpus
from unname.knowledge.population import make_population
from unname.types import Document, Profile

RELEASED, PEOPLE = 500, 2500
# So many of what the registry holds a note leaves out.
_LEFT_OUT = 1
# A field's values and, after each, what hints at it.
_WORDS = {
    "de": """Beruf
Bäcker: steht um drei Uhr nachts in der Backstube; hat den Teig schon geknetet, wenn andere aufstehen; riecht nach Brot
Lehrer: korrigiert am Abend Hefte; plant den Unterricht seiner Klasse; freut sich auf die Sommerferien
Schreiner: hobelt und leimt den ganzen Tag; hat den Esstisch selbst gebaut; arbeitet mit Eiche und Buche
Pfleger: hat wieder drei Nachtdienste auf Station; misst anderen den Blutdruck; kennt das Krankenhaus von innen
Landwirt: muss vor dem Frühstück melken; fährt mit dem Traktor aufs Feld; hofft auf eine gute Ernte
Anwalt: vertritt Mandanten vor Gericht; liest Schriftsätze bis spät; trägt im Saal die Robe
Elektriker: verlegt Leitungen in Neubauten; prüft Sicherungen; ist wegen eines Stromschlags vorsichtig
Friseur: schneidet und färbt Haare; steht den ganzen Tag im Salon; hört sich die Sorgen der Kundinnen an
Lokführer: fährt Güterzüge durch die Nacht; kennt jedes Signal der Strecke; schläft oft in anderen Städten
Apotheker: kennt alle Wechselwirkungen; gibt Rezepte aus; rührt Salben noch selbst an
Herkunft
Bayern: sagt zum Abschied Servus; hängt an den Alpen; vermisst die Wirtshäuser an der Isar
Friesland: grüßt mit Moin; ist hinter dem Deich aufgewachsen; trinkt Tee mit Kluntjes
Sachsen: spricht vom Elbsandstein; hat in Dresden gelernt; backt Eierschecke
Saarland: schwenkt am Wochenende Fleisch über dem Feuer; hat Großeltern an der Grenze zu Lothringen; war in Völklingen
Tirol: ist mit Skiern zur Schule gefahren; hat Verwandte am Inn; wandert in Stubai
Rheinland: feiert jedes Jahr Karneval; hat den Dom vom Balkon aus gesehen; singt Lieder auf Kölsch
Schwaben: hält viel von der Kehrwoche; kocht Spätzle; kommt von der Alb
Hamburg: hat im Hafen Schiffe gezählt; wohnte an der Alster; isst gern Labskaus
Thüringen: grillt die Wurst nach dem Rezept der Oma; lief über den Rennsteig; ist nahe der Wartburg geboren
Pfalz: half im Wingert bei der Lese; mag Saumagen; wuchs an der Weinstraße auf
Freizeit
Schach: sitzt stundenlang über Eröffnungen; hat zweimal mit den schwarzen Figuren gewonnen; spielt im Verein am Brett
Imkerei: schleudert im Juli Honig; hat vier Völker hinter dem Haus; wurde oft gestochen
Rudern: ist sonntags im Vierer auf dem Wasser; hat Schwielen von den Riemen; trainiert für die Regatta
Chor: singt Tenor in der Kantorei; probt für das Weihnachtsoratorium; lernt Noten auswendig
Fotografie: wartet am Waldrand auf das richtige Licht; sammelt alte Objektive; hat eine Dunkelkammer
Klettern: hängt gern im Seil; kennt die Routen der Halle; hat Magnesium an den Händen
Garten: zieht Tomaten vor; schneidet im März die Rosen; ärgert sich über Schnecken
Angeln: sitzt morgens still am Ufer; hat einen Hecht gefangen; bindet Fliegen selbst
Tanzen: übt Walzer und Tango; hat neue Schuhe mit glatter Sohle; dreht sich gern zur Musik
Modellbau: klebt winzige Schiffe zusammen; hat im Keller eine Anlage mit Weichen; bemalt Figuren unter der Lupe
Diagnose
Asthma: hat nachts pfeifenden Atem; braucht das Spray vor dem Treppensteigen; reagiert auf Pollen mit Luftnot
Diabetes: misst vor dem Essen den Zucker; spritzt sich in den Bauch; achtet auf Broteinheiten
Gicht: konnte wegen des großen Zehs nicht auftreten; meidet Fleisch und Bier; hat erhöhte Harnsäure
Migräne: liegt mit Kopfweh im dunklen Zimmer; sieht vorher Zacken; verträgt dann kein Licht
Epilepsie: darf zurzeit nicht Auto fahren; hatte einen Krampf mit Zungenbiss; nimmt Valproat
Arthrose: das Knie knirscht beim Gehen; wartet auf das künstliche Gelenk; kommt morgens schwer in Gang
Rosazea: hat rote Wangen mit Pusteln; meidet Sonne und scharfes Essen; cremt das Gesicht abends ein
Anämie: ist blass und rasch erschöpft; bekommt Eisen als Infusion; hat zu wenig Hämoglobin
Zöliakie: verträgt kein Brot aus Weizen; sucht Nudeln aus Mais; bekommt Durchfall von Gluten
Glaukom: tropft abends gegen den Druck im Auge; sieht am Rand schlechter; war zur Messung des Gesichtsfelds""",
    "es": """profesión
panadero: amasa a las tres de la madrugada; saca las barras del horno; huele a pan recién hecho
maestro: corrige cuadernos por la noche; prepara las clases de sus alumnos; espera las vacaciones de verano
carpintero: cepilla y encola todo el día; construyó su propia mesa; trabaja con roble y haya
enfermero: hace turnos de noche en planta; toma la tensión a otros; conoce el hospital por dentro
agricultor: sale con el tractor antes del alba; espera una buena cosecha; riega los campos
abogado: defiende a sus clientes en el juzgado; lee demandas hasta tarde; lleva toga en la sala
electricista: tiende cables en obras nuevas; revisa fusibles; recuerda un calambrazo
peluquero: corta y tiñe el pelo; pasa el día de pie en el salón; escucha las penas de sus clientas
maquinista: conduce trenes de mercancías; conoce cada señal de la vía; duerme a menudo en otras ciudades
farmacéutico: vigila las interacciones; despacha recetas; aún prepara pomadas
origen
Galicia: echa de menos las rías; come pulpo los domingos; creció entre hórreos
Andalucía: va a la feria en abril; desayuna pan con aceite y jamón; creció junto al Guadalquivir
Asturias: escancia sidra; sube a los Picos de Europa; come fabes
Cataluña: levanta castillos humanos; merienda pan con tomate; sube a Montserrat
Navarra: corrió delante de los toros en julio; cultiva espárragos; celebra a san Fermín
Canarias: come papas con mojo; creció al pie del volcán; echa de menos los alisios
Valencia: quema fallas en marzo; cocina arroz con conejo; creció junto a la Albufera
Aragón: baila jotas; visita a la Pilarica; creció a orillas del Ebro
Extremadura: cría cerdos en la dehesa; echa pimentón de la Vera; creció cerca de Mérida
Murcia: cultiva limones en la huerta; come michirones; se baña en el mar Menor
afición
ajedrez: estudia aperturas durante horas; ganó dos partidas con las negras; juega en el club con reloj
apicultura: saca miel en julio; tiene cuatro colmenas tras la casa; le han picado muchas veces
remo: sale los domingos en el bote de cuatro; tiene callos de la pala; entrena para la regata
coro: canta de tenor; ensaya el oratorio de Navidad; aprende partituras de memoria
fotografía: espera la luz al borde del bosque; colecciona objetivos antiguos; revela en un cuarto oscuro
escalada: se cuelga de la cuerda; conoce las vías del rocódromo; lleva magnesio en las manos
jardín: siembra tomates; poda los rosales en marzo; se enfada con los caracoles
pesca: se sienta callado en la orilla; sacó un lucio; ata sus propias moscas
baile: ensaya tango y vals; tiene zapatos de suela lisa; gira con la música
maquetas: pega barcos diminutos; tiene en el sótano una vía con agujas; pinta figuras con lupa
diagnóstico
asma: tiene pitos al respirar; usa el inhalador antes de subir escaleras; se ahoga con el polen
diabetes: se mide el azúcar antes de comer; se pincha en el vientre; cuenta raciones
gota: no podía apoyar el dedo gordo; evita carne y cerveza; tiene el ácido úrico alto
migraña: se tumba a oscuras con dolor de cabeza; antes ve destellos; no soporta la luz
epilepsia: no puede conducir por ahora; tuvo una convulsión y se mordió la lengua; toma valproato
artrosis: le cruje la rodilla al andar; espera la prótesis; le cuesta arrancar por la mañana
rosácea: tiene las mejillas rojas con granos; evita el sol y el picante; se pone crema en la cara
anemia: está pálido y se agota; recibe hierro en vena; tiene baja la hemoglobina
celiaquía: no tolera el pan de trigo; busca pasta de maíz; el gluten le da diarrea
glaucoma: se echa gotas por la tensión del ojo; ve peor por los lados; vino a medir el campo visual""",
}
_SAID = {"de": ("Zu {field}: {value}.", "{hint}."), "es": ("En cuanto a {field}: {value}.", "{hint}.")}
# Of a case of MEDDOCAN what a hospital's registry holds of the patient.
_REGISTRY = {
    "NOMBRE_SUJETO_ASISTENCIA": "nombre", "EDAD_SUJETO_ASISTENCIA": "edad", "SEXO_SUJETO_ASISTENCIA": "sexo",
    "FECHAS": "fechas", "CALLE": "calle", "TERRITORIO": "territorio", "PAIS": "país", "PROFESION": "profesión",
    "NOMBRE_PERSONAL_SANITARIO": "médico", "HOSPITAL": "hospital", "FAMILIARES_SUJETO_ASISTENCIA": "familiares",
}  # fmt: skip


def town(language: str) -> tuple[Corpus, list[Profile], tuple[Document, ...]]:
    """A corpus to release with its population, everybody's profiles, and notes about the others."""
    fields = _fields(language)
    random = Random(f"town {language}")  # noqa: S311 (invented people)
    profiles, documents = [], []
    for number in range(PEOPLE):
        chosen = {field: random.choice(list(values)) for field, values in fields.items()}
        year = random.randint(1935, 2004)
        profiles.append(Profile(f"p{number}", {**chosen, "geboren" if language == "de" else "nacido": str(year)}))
        told = random.sample(list(chosen), len(chosen) - _LEFT_OUT)
        plain, hinted = _SAID[language]
        lines = [f"{year // 10 * 10 + random.choice((0, 5))} {'plus minus' if language == 'de' else 'más o menos'}."]
        for field in told:
            if random.random() < 1 / 2:
                lines.append(plain.format(field=field, value=chosen[field]))
            lines += [hinted.format(hint=hint) for hint in random.sample(fields[field][chosen[field]], 2)]
        documents.append(Document(f"d{number}", " ".join(lines), f"p{number}"))
    released = Corpus(f"town-{language}", tuple(documents[:RELEASED]), (), make_population(profiles[:RELEASED]))
    return released, profiles, tuple(documents[RELEASED:])


def _fields(language: str) -> dict[str, dict[str, list[str]]]:
    """For each field its values and what hints at them."""
    found: dict[str, dict[str, list[str]]] = {}
    field = ""
    for line in _WORDS[language].splitlines():
        value, told, hints = line.partition(": ")
        field = field if told else line
        if told:
            found[field][value] = hints.split("; ")
        else:
            found[field] = {}
    return found


def cases() -> tuple[Corpus, list[Profile], tuple[Document, ...]]:
    """MEDDOCAN's dev part among its people, whom its annotations describe; its train part teaches."""
    parts = [[_case(document) for document in meddocan(part)] for part in ("dev", "train")]
    (released, own), (teaching, others) = (zip(*part, strict=True) for part in parts)
    return Corpus("meddocan", tuple(released), (), make_population(own)), [*own, *others], tuple(teaching)


def _case(document: Document) -> tuple[Document, Profile]:
    held: dict[str, dict[str, None]] = {}
    for span in document.spans:
        if field := _REGISTRY.get(span.label):
            held.setdefault(field, {})[document.text[span.start : span.end]] = None
    person = f"person-{document.id}"
    return Document(document.id, document.text, person), Profile(person, {f: "; ".join(v) for f, v in held.items()})
