"""Function words of seven languages, and which of them a text is written in.

Function words say nothing of anybody, and a text from which they are hidden cannot be read. Which words are such depends
on the language: "die" is an article in German and none in English.
"""

from collections.abc import Iterable
from functools import cache, lru_cache

from unname.text import without_accents

_ENGLISH = """
a about above after again against all also am an and any are as at be because been before being below between both but
by can cannot could did do does doing down during each few for from further had has have having he her here hers herself
him himself his how i if in into is it its itself just me more most my myself no nor not now of off on once only or other
our ours ourselves out over own same she should so some such than that the their theirs them themselves then there these
they this those through to too under until up us very was we were what when where which while who whom whose why will
with would you your yours yourself yourselves
"""
_GERMAN = """
aber alle allem allen aller alles als also am an andere anderen anderer anderes auch auf aus bei beim bin bis bist da dabei
damit danach dann daran darauf das dass dasselbe daß dazu dein deine dem den denn der deren des dessen die dies diese diesem
diesen dieser dieses doch dort du durch ein eine einem einen einer eines einige er es etwas euch euer für gegen gewesen hab
habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im in indem ins ist jede
jedem jeden jeder jedes jedoch jene jetzt kann kein keine keinem keinen keiner können könnte machen man manche mehr mein
meine mit muss musste nach nachdem nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seines seit
selbst sich sie sind so sollte sondern sonst sowie über um und uns unser unsere unter viel vom von vor während war waren
warum was weder weil weiter welche welcher wenn wer werde werden wie wieder will wir wird wo wurde wurden zu zum zur
zwar zwischen
"""
_SPANISH = """
a al algo algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aquí así aun aún aunque bajo bien cada
casi como cómo con contra cual cuál cuando cuándo de del desde después donde dónde dos durante e el él ella ellas ello ellos
en entonces entre era eran es esa esas ese eso esos esta está estaba estaban estado están estar estas este esto estos
estuvo fue fueron ha había habían haber habido hace hacia han hasta hay he hemos la las le les lo los luego más me mi mientras
mis mismo misma mucho muy nada ni no nos nosotros nuestra nuestro o os otra otras otro otros para pero poco por porque pues
que qué quien quién se sea según ser si sí sido siempre sin sino sobre son su sus también tampoco tan tanto te tenía tiene
tienen toda todas todavía todo todos tras tu tuvo u un una unas uno unos usted vez y ya yo
"""
_FRENCH = """
à afin ai ainsi alors après as au aucun aucune aussi autre autres aux avaient avait avant avec avez avoir avons c ce ceci
cela celle celles celui ces cet cette ceux chaque chez comme comment contre d dans de depuis des donc dont du elle elles en
encore entre es est et étaient était été être eu eux fait font furent fut ici il ils j je jusqu l la là laquelle le lequel
les lesquels leur leurs lors lorsque lui m ma mais me même mêmes mes moi moins mon n ne ni nos notre nous on ont ou où par
parce pas pendant peu peut plus plusieurs pour pourquoi puis qu quand que quel quelle quelques qui quoi s sa sans se sera
ses si sien soi soit son sont sous sur t ta tandis te tel telle tes toi ton toujours tous tout toute toutes très trop tu un
une vers voici vos votre vous y
"""
_ITALIAN = """
a ad agli ai al alla alle allo alcuni alcune altra altre altri altro anche ancora avanti aveva avevano avere c che chi ci
cioè come con contro cosa così cui d da dagli dai dal dalla dalle dallo degli dei del della delle dello dentro di dopo dove
dopo due durante e è ed era erano essere fa fino fra fu furono gli già ha hanno ho i il in infatti io l la le lei li lo loro
ma me mentre mi mia mio molto ne negli nei nel nella nelle nello noi non nostra nostro o ogni oppure per perché perciò però
più poco poi prima proprio qua quale quali quando quanto quasi quella quelle quelli quello questa queste questi questo qui
quindi se sei sempre senza si sia sono sopra sotto sta stata state stati stato su sua sue sugli sui sul sulla sulle suo
suoi tra tutta tutte tutti tutto un una uno va verso vi voi
"""
_PORTUGUESE = """
a à ainda além algum alguma alguns ante antes ao aos apenas após aquela aquele aqueles aquilo as às assim até bem cada com
como contra cuja cujo da das de dela dele deles depois desde dessa desse desta deste disso do dois dos durante e é ela elas
ele eles em enquanto entre era eram essa essas esse esses esta está estão estar estas estava este estes eu foi foram há isso
isto já la lhe lhes lo mais mas me mesma mesmo meu minha muito muitos na não nas nem no nos nós nossa nosso num numa o onde
os ou outra outras outro outros para pela pelas pelo pelos per pois por porque porém pouco quais qual quando quanto que quem
se seja sem sempre ser será seu seus si sido sob sobre sua suas são também tanto tão te tem têm tendo ter teve tinha toda
todas todo todos tu um uma umas uns você
"""
_DUTCH = """
aan achter al alle alleen als altijd ander andere bij binnen boven daar daarna daarom dan dat de der deze die dit doch doen
door dus een eens en enkele er ergens even geen geweest haar had hadden heb hebben heeft hem hen het hier hij hoe hun iets
ieder iemand ik in is ja je jij jou jouw jullie kan kon kunnen maar me meer men met mij mijn moest moet moeten na naar
nadat niet niets nog nooit nu of om omdat onder ons onze ook op over reeds sinds te tegen ten ter terwijl tijdens toch toen
tot tussen u uit uw van vanaf veel voor waar waarom waren was wat we weer wel welke werd werden wezen wie wij wil wilde
worden wordt zal ze zei zeer zelf zich zij zijn zo zoals zonder zou zouden
"""
LANGUAGES = {
    name: frozenset(words.split())
    for name, words in (
        ("en", _ENGLISH), ("de", _GERMAN), ("es", _SPANISH), ("fr", _FRENCH), ("it", _ITALIAN), ("pt", _PORTUGUESE),
        ("nl", _DUTCH),
    )
}  # fmt: skip
# Of a text's words so many are function words of its language; a second language counts with most of the first's.
_SHARE, _BESIDE = 0.1, 0.8


@cache
def bare_function_words() -> frozenset[str]:
    """The function words of all languages, without accents."""
    return frozenset(without_accents(word) for words in LANGUAGES.values() for word in words)


def languages_of(folded: Iterable[str]) -> tuple[str, ...]:
    """The languages that folded words are of, by their function words; English where nothing tells."""
    row = list(folded)
    counts = {name: sum(word in known for word in row) for name, known in LANGUAGES.items()}
    most = max(counts.values())
    if not row or most < _SHARE * len(row):
        return ("en",)
    return tuple(name for name, count in counts.items() if count >= _BESIDE * most)


def stop_words_of(folded: Iterable[str]) -> frozenset[str]:
    """The function words of the languages that folded words are of."""
    return _together(languages_of(folded))


@lru_cache(maxsize=128)
def _together(languages: tuple[str, ...]) -> frozenset[str]:
    return frozenset[str]().union(*(LANGUAGES[name] for name in languages))
