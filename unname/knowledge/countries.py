"""Countries by their names and by what their people are called, and the states of North America by their short names."""

# One country a row: its names, then after the colon what belongs to it or comes from it.
_COUNTRIES = """
afghanistan: afghan, afghani
albania: albanian
algeria: algerian
andorra: andorran
angola: angolan
argentina: argentine, argentinian, argentinean
armenia: armenian
australia: australian
austria: austrian
azerbaijan: azerbaijani
bahamas, the bahamas: bahamian
bahrain: bahraini
bangladesh: bangladeshi
barbados: barbadian
belarus, byelorussia: belarusian, byelorussian
belgium: belgian, flemish, walloon
belize: belizean
benin: beninese
bhutan: bhutanese
bolivia: bolivian
bosnia and herzegovina, bosnia: bosnian, herzegovinian
botswana: botswanan
brazil: brazilian
brunei: bruneian
bulgaria: bulgarian
burkina faso: burkinabe
burundi: burundian
cambodia: cambodian, khmer
cameroon: cameroonian
canada: canadian
cape verde, cabo verde: cape verdean
central african republic: central african
chad: chadian
chile: chilean
china, people s republic of china: chinese
colombia: colombian
congo, democratic republic of the congo, republic of the congo, zaire: congolese
costa rica: costa rican
croatia: croatian, croat
cuba: cuban
cyprus: cypriot
czech republic, czechia, czechoslovakia, bohemia: czech, czechoslovak, bohemian
denmark: danish, dane
djibouti: djiboutian
dominican republic: dominican
ecuador: ecuadorian
egypt: egyptian
el salvador: salvadoran
england: english, englishman, englishwoman
eritrea: eritrean
estonia: estonian
ethiopia: ethiopian
fiji: fijian
finland: finnish, finn
france: french, frenchman, frenchwoman
gabon: gabonese
gambia, the gambia: gambian
georgia: georgian
germany, east germany, west germany, federal republic of germany: german
ghana: ghanaian
greece: greek
guatemala: guatemalan
guinea: guinean
guyana: guyanese
haiti: haitian
honduras: honduran
hong kong: hongkonger
hungary: hungarian
iceland: icelandic, icelander
india: indian
indonesia: indonesian
iran, persia: iranian, persian
iraq: iraqi
ireland, republic of ireland: irish, irishman, irishwoman
israel: israeli
italy: italian
ivory coast, cote d ivoire: ivorian
jamaica: jamaican
japan: japanese
jordan: jordanian
kazakhstan: kazakh, kazakhstani
kenya: kenyan
kosovo: kosovar, kosovan
kuwait: kuwaiti
kyrgyzstan: kyrgyz
laos: laotian
latvia: latvian
lebanon: lebanese
lesotho: basotho
liberia: liberian
libya: libyan
liechtenstein: liechtensteiner
lithuania: lithuanian
luxembourg: luxembourgish, luxembourger
macedonia, north macedonia: macedonian
madagascar: malagasy
malawi: malawian
malaysia: malaysian
maldives: maldivian
mali: malian
malta: maltese
mauritania: mauritanian
mauritius: mauritian
mexico: mexican
moldova: moldovan
monaco: monegasque
mongolia: mongolian, mongol
montenegro: montenegrin
morocco: moroccan
mozambique: mozambican
myanmar, burma: burmese
namibia: namibian
nepal: nepalese, nepali
netherlands, the netherlands, holland: dutch, netherlandish, dutchman, dutchwoman
new zealand: new zealander, kiwi
nicaragua: nicaraguan
niger: nigerien
nigeria: nigerian
north korea: north korean
northern ireland: northern irish
norway: norwegian
oman: omani
pakistan: pakistani
palestine, state of palestine: palestinian
panama: panamanian
papua new guinea: papua new guinean
paraguay: paraguayan
peru: peruvian
philippines, the philippines: filipino, filipina, philippine
poland: polish, pole
portugal: portuguese
puerto rico: puerto rican
qatar: qatari
romania: romanian
russia, soviet union, ussr, u s s r, russian federation: russian, soviet
rwanda: rwandan
saint lucia, st lucia: saint lucian
samoa: samoan
saudi arabia: saudi, saudi arabian
scotland: scottish, scotsman, scotswoman
senegal: senegalese
serbia: serbian, serb
sierra leone: sierra leonean
singapore: singaporean
slovakia: slovak, slovakian
slovenia: slovenian, slovene
somalia: somali
south africa: south african
south korea, korea, republic of korea: south korean, korean
spain: spanish, spaniard
sri lanka, ceylon: sri lankan, ceylonese
sudan: sudanese
suriname: surinamese
swaziland, eswatini: swazi
sweden: swedish, swede
switzerland: swiss
syria: syrian
taiwan: taiwanese
tajikistan: tajik
tanzania: tanzanian
thailand, siam: thai
togo: togolese
tonga: tongan
trinidad and tobago, trinidad: trinidadian
tunisia: tunisian
turkey, turkiye, ottoman empire: turkish, turk, ottoman
turkmenistan: turkmen
uganda: ugandan
ukraine: ukrainian
united arab emirates, uae, u a e: emirati
united kingdom, uk, u k, great britain, britain: british, briton
united states, united states of america, the united states, usa, u s a, u s, america: american
uruguay: uruguayan
uzbekistan: uzbek
vatican city, holy see: vatican
venezuela: venezuelan
vietnam: vietnamese
wales: welsh, welshman, welshwoman
yemen: yemeni
yugoslavia: yugoslav, yugoslavian
zambia: zambian
zimbabwe, rhodesia: zimbabwean, rhodesian
"""
_REGIONS = """
al alabama, ak alaska, az arizona, ar arkansas, ca california, co colorado, ct connecticut, de delaware, fl florida,
ga georgia, hi hawaii, id idaho, il illinois, in indiana, ia iowa, ks kansas, ky kentucky, la louisiana, me maine,
md maryland, ma massachusetts, mi michigan, mn minnesota, ms mississippi, mo missouri, mt montana, ne nebraska, nv nevada,
nh new hampshire, nj new jersey, nm new mexico, ny new york, nc north carolina, nd north dakota, oh ohio, ok oklahoma,
or oregon, pa pennsylvania, ri rhode island, sc south carolina, sd south dakota, tn tennessee, tx texas, ut utah,
vt vermont, va virginia, wa washington, wv west virginia, wi wisconsin, wy wyoming, dc district of columbia,
ab alberta, bc british columbia, mb manitoba, nb new brunswick, nl newfoundland, ns nova scotia, on ontario,
pe prince edward island, qc quebec, sk saskatchewan
"""
_ROWS = [[form.strip() for form in row.replace(":", ",").split(",")] for row in _COUNTRIES.split("\n") if row]
# Every name and adjective of a country → all of that country; a short name of a state → its name.
COUNTRIES: dict[str, tuple[str, ...]] = {form: tuple(row) for row in _ROWS for form in row}
REGIONS: dict[str, str] = {
    short: name for short, _, name in (one.strip().partition(" ") for one in _REGIONS.replace("\n", " ").split(","))
}
