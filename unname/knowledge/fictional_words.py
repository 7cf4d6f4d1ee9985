"""The words of the fictional town: its people, their occupations, and how sentences hint at them.

Everything is invented. A record is `value = ways to say it without its words`; columns are divided by ` = `, ways by
` / `, records by ` ; ` or a new line that is not indented. In a way, `(a|b)` is a choice, `<his>` a slot, `<#2-9>` a
number and `<%2-9>` one with a decimal; `unname.knowledge.fictional` reads and fills them.
"""

FEMALE = """Anna Marie Ida Clara Elise Greta Johanna Lena Martha Nora Sofia Helen Ruth Vera Edith Judith Karin Agnes
Paula Rosa Irene Tilda Hanna Esther Lydia Miriam Ingrid Beate Olga Frances Thea Dora Selma Amelia Magda Petra Cecily
Linnea Wanda Odile Rowena Yvette Brigid Saskia Freya Zofia Ottilie Marisol Leonie Nadia Imelda Corinne Hester Svea
Philippa Delphine Ursula Araminta Zelda Perpetua"""

MALE = """Karl Peter Thomas Jonas Martin Henrik Anton Paul Erik Walter Simon Oskar Robert Felix Hugo Albert Emil Georg
Tobias Arthur Viktor Lukas Edwin Rolf Stefan Bruno Frederick Konrad Samuel Nils Otto Leopold Magnus Gregor Harold
Casper Ivo Matthias Reuben Ansel Cornelius Tadeusz Ambrose Lorenz Dominik Piers Sebald Evander Quentin Alaric Osric
Barnabas Thaddeus Ignatius Leander Florian Jarek Rupert Silas Zeno"""

NICKNAMES = {
    "Johanna": "Hanni", "Frances": "Fran", "Judith": "Judy", "Magda": "Maggie", "Philippa": "Pip", "Thomas": "Tom",
    "Henrik": "Rik", "Robert": "Bob", "Walter": "Wally", "Tobias": "Toby", "Samuel": "Sam", "Frederick": "Fred",
    "Matthias": "Matt", "Harold": "Harry", "Albert": "Bert", "Leopold": "Leo", "Clara": "Clarrie", "Miriam": "Mim",
}  # fmt: skip

FAMILY = """Wexley Holm Brandt Arden Sorley Tamm Lindqvar Ostrey Pellam Harrowby Vane Castell Mirren Dunmore Quist
Falk Ashdown Varga Norrland Tolliver Ekberg Rusk Somerby Hale Ingleth Karrow Bessel Thorne Ulvey Maddern Joss Fenner
Wick Orrell Stavely Brodin Crane Lasker Pruitt Zander"""

FAMILY_STARTS = """Ald Bram Corr Dunn Eller Fair Garr Hather Isel Kel Lang Marl Nether Oak Penn Quar Rave Stan Thorn
Ulver Wax Yarr Birk Crop Dray Ember Flax Gold Hollo Lin"""
FAMILY_ENDS = "by dale en ford ham ing kin ley man mere ner ock rick sen ster thwaite ton wald well worth"

VILLAGES = """
Merrowgate = the (market |county |)town below the viaduct / the (biggest|busiest) place in the valley / the town with
    the (blue|tall) clock tower / the place everyone calls simply town / the town (around|under) the abbey ruins / the
    only town with traffic lights ; Quillbeck = the village upstream of the (old |)mill / the (last |)houses before the
    weir / the village where beck meets river / the (hamlet|place) with the otter sign / the village that floods
    (every|most) spring ; Sallowby = the village with the leaning spire / the (village|place) known for its cider / the
    village between the two orchards / the parish with the crooked church / the (low|green) village among the apple
    trees ; Hathering = the village (on|along) the ridge road / the windy place above the reservoir / the village with
    the radio mast / the (highest|coldest) parish in the district ; Drosswick = the old mining village / the terraces
    under the slag heap / the village where the pit closed / the (rows|streets) built for the colliers ; Ellenmarsh =
    the village among the reed beds / the place with the eel traps / the (flat|wet) parish by the estuary / the houses
    on stilts downstream ; Pellwick = the village (behind|past) the airfield / the place with the gliding club / the
    (new|model) village by the runway ; Korvale = the ski village at the valley head / the terminus of the mountain
    line / the village under the avalanche fences ; Mirefold = the village (where|at which) the bus turns round / the
    hamlet at the end of the peat road / the place beyond the cattle grid ; Brackend = the village (round|around) the
    maypole green / the place with the duck pond and stocks / the (pretty|thatched) village on the calendars ; Oxlithe
    = the ferry village / the village at the chain crossing / the place on the far bank / the hamlet opposite the
    boathouse ; Fennaby = the village (under|below) the dam / the place that was moved for the reservoir / the new
    village above the drowned one ; Thursk = the parish (ringed|cut off) by the river / the parish reached by the
    footbridge / the river village below the confluence ; Orlecross = the junction village / the place where the four
    roads meet / the village round the coaching inn ; Hollinside = the estate village / the cottages at the manor gates
    / the (tied|tidy) village belonging to the squire ; Ivelcote = the village with the (stone |)circle / the place by
    the standing stones / the village inside the ring bank ; Bellwether = the hill hamlet with one phone box / the
    place the snowplough forgets / the farms above the tree line ; Gorsey Nook = the caravan village / the park homes
    behind the dunes / the holiday place that empties in October
"""

OUTSIDE = """
Port Ansgar = a (herring|fishing) town up north / a harbour town on the (cold|northern) coast ; Lessing Bridge = a
    railway town two valleys over / a (steel|foundry) town to the east ; Karrisholm = a fishing village across the sea
    / a (wooden|windy) Baltic town ; Santa Brisa = a (hot|southern) village of olive groves / a hill town in the south
    ; Nether Coyle = a pit town over the border / a coalfield (town|village) to the west ; Sorvagrad Spa = a mountain
    resort in another country / a bath town behind the (Alps|mountains)
"""

STREETS = """
Tanner Row = behind the (old |)hide works / in the terrace smelling of leather ; Chapel Brow = by the (old |)meeting
    house / on the hill below the Methodists ; Mill Lane = on the road (along|beside) the leat / down by the water
    wheel ; Station Road = in the street opposite the platforms / on the way the commuters walk ; Church Walk = on the
    path round the graveyard / in the lane with the yews ; Weavers Yard = in the court with attic windows / in the
    close where looms once ran ; Orchard Close = in the bungalows among the pear trees / among the plum trees ; Bridge
    Street = on the way down to the river / by the old toll house ; Goose Green = in the houses round the common /
    beside the fairground ; Quarry Bank = in the row above the stone pit / on the slope cut into the rock ; Foundry
    Court = in the flats on the ironworks site / in the blocks where castings were made ; Nightingale Rise = on the
    estate of bird names / in the crescent behind the school ; Almshouse Walk = in the little cottages for old
    parishioners / in the charity houses with the pump ; Rope Lane = by the (old |)hemp sheds / on the walk where
    ships' cables were laid ; Smithy Fold = on the corner by the forge / in the yard where the horses were shod ;
    Poplar Avenue = on the road lined with tall trees / on the boulevard to the cemetery
"""

PHYSICIANS = """
Dr Brackwell = the GP (above|over) the bakery / the doctor with the Volvo / the bearded GP ; Dr Sundermann = the senior
    partner / the organ-playing GP / the GP by the (pool|baths) ; Dr Okonjie = the newest GP / the walk-in clinic / the
    GP with the (red|yellow) shutters ; Dr Tregallis = the (country|hill) practice with one doctor / the GP on
    horseback ; Dr Lavenham = the doctor by the railway station / the GP opposite the platforms ; Dr Pashko = the
    surgery in the old bank / the doctor behind the bank counter ; Dr Winterbourne = the practice by the abbey / the GP
    under the abbey wall ; Dr Achterberg = the doctor (across|over) the river / the practice on the far bank ; Dr Nairi
    = the (young|part-time) GP upstairs / the doctor who shares with the dentist
"""

EMPLOYERS = """
Brandreth Timber = the sawmill by the canal / the firm with the (log|plank) stacks / the yard that planes the
    district's boards ; Cask Lane Brewery = the (firm|people) that makes the local ale / the malt works with the tall
    chimney / the stout makers in town ; Vesk Valley Coaches = the bus company / the people who run the green buses /
    the garage that runs the school transport ; Saint Orrin Infirmary = the (local|town) hospital / the wards on the
    hill / the hospital by the abbey ; Tallow Street School = the (primary|junior) where the town's children go / the
    classrooms by the baths / the red-brick juniors ; Pymme Stores = the supermarket (chain|people) / the big grocer
    off the roundabout / the chain with a branch everywhere ; Lathe Hill Engineering = the machine shop on the
    industrial estate / the firm that turns pump parts / the (last|biggest) factory in town ; Merrowgate Council = the
    local authority / the town hall / the people at the civic offices ; Fenwright Haulage = the trucking firm by the
    motorway / the lorries with the yellow cabs / the freight (yard|depot) at the junction ; Alder House = the care
    home by the park / the residential home with the cedar / the old people's home on the hill ; Vesk Railway = the
    (little|branch) line / the narrow-gauge company / the people who run the trains up the valley ; Corran Textiles =
    the blanket factory / the weaving sheds (by|on) the weir / the firm that makes the tartan rugs ; Thistlewood Estate
    = the big house and its land / the squire's office / the manor outside town ; Swan Hotel = the coaching inn on the
    square / the place with the ballroom / the inn with the white bird sign ; Marl Pottery = the firm with the bottle
    kilns / the people who make the blue bowls / the clay works ; Norrie Builders = the (family|local) construction
    firm / the contractors with the orange vans / the firm putting up the new estate ; Calloway Partners = the offices
    above the bank / the law and tax people on the square / the firm with the brass plate ; Orme Pharmacy = the
    chemist's by the bridge / the green cross on the corner / the dispensary near the market ; Saint Bride Trust = the
    charity behind the cathedral / the abbey's own foundation / the church people
"""

OCCUPATIONS = """
shop assistant = 18 = Pymme Stores = stacking shelves and (working|minding) a till / serving behind a counter / ringing
    up other people's groceries / selling (shoes|bread|paint) over the counter / weighing out (cheese|ham|olives) for
    customers = at the till / behind the counter ; farmer = 20 = self = milking (cows|a herd) twice a day / growing
    (barley|beet|oats) and keeping (sheep|bullocks) / seeing to <his> own (cattle|ewes) / bringing in the hay and the
    lambs / working <his> own (land|fields) = on the tractor / out with the herd ; care assistant = 18 = Alder House,
    Saint Orrin Infirmary = washing and dressing (old people|residents) / looking after the (old|frail) / getting
    residents up in the morning / sitting up nights with the (dying|confused) = with the residents / on nights ;
    cleaner = 18 = Saint Orrin Infirmary, Tallow Street School, Swan Hotel, Merrowgate Council = mopping
    (corridors|floors) before dawn / scrubbing other people's floors / emptying bins and polishing desks / keeping
    (offices|stairwells) spotless = with the mop and bucket / doing the floors ; lorry driver = 21 = Fenwright Haulage
    = hauling (gravel|freight|steel) up and down the motorway / taking eighteen-wheelers (abroad|south) / sleeping in a
    cab four nights a week / delivering pallets all over the country = in the cab / on the road ; warehouse hand = 18 =
    Fenwright Haulage, Pymme Stores = moving pallets about on a forklift / picking and packing (orders|parcels) /
    loading (trailers|vans) on the late shift = on the forklift / in the loading bay ; nurse = 22 = Saint Orrin
    Infirmary, Alder House = doing drug rounds on (a ward|the wards) / taking bloods and changing dressings / running a
    ward at night / wearing the blue tunic = on the ward / on the rota ; schoolteacher = 24 = Tallow Street School =
    teaching (children|ten-year-olds) their fractions / marking (essays|spelling tests) at the kitchen table / standing
    at a blackboard / herding thirty juniors through their tables = in the classroom / at the blackboard ; carpenter =
    19 = self, Norrie Builders = hanging doors and building stairs / making (staircases|window frames|cabinets) /
    working with chisel and plane / cutting joints in oak = at the bench / with saw and plane ; machinist = 18 = Lathe
    Hill Engineering = turning (pump|engine) parts on a lathe / cutting metal to a hundredth of a millimetre / milling
    (steel|brass) on the early shift = at the lathe / on the early shift ; bus driver = 21 = Vesk Valley Coaches =
    taking the number (seven|nine|twelve) round its stops / ferrying schoolchildren up the valley / selling tickets
    from behind a wheel = behind the wheel / on the number nine ; electrician = 19 = self, Norrie Builders = wiring
    (houses|kitchens|barns) / mending fuse boards / running cables under floors = up a ladder with cables / with the
    wiring ; plumber = 19 = self, Norrie Builders = mending (boilers|leaking pipes) / unblocking (drains|sinks) /
    fitting bathrooms and radiators = with the pipes / under people's sinks ; hairdresser = 18 = self = cutting and
    setting hair / doing perms and (colours|highlights) / standing all day with scissors and comb = with the scissors /
    in the salon ; cook = 18 = Tallow Street School, Swan Hotel, Alder House = feeding two hundred at (noon|lunchtime)
    / making soups and stews by the gallon / frying breakfasts for strangers = in the kitchen / at the stove ;
    bricklayer = 18 = Norrie Builders, self = putting up garden walls / building houses course by course / mixing
    mortar in all weathers = on the scaffold / with the trowel ; loom operator = 18 = Corran Textiles = minding
    machines that weave (rugs|blankets) / changing bobbins on the late shift / working in the din of the weaving sheds
    = in the weaving shed / with the bobbins ; bookkeeper = 20 = Calloway Partners, Thistlewood Estate = balancing
    (ledgers|other people's accounts) / doing the wages for small firms / adding up columns of figures = at the ledgers
    / with the figures ; police officer = 21 = Merrowgate Council = walking the beat in uniform / taking statements and
    breaking up fights / catching speeding drivers = in uniform / on the beat ; gardener = 18 = Thistlewood Estate,
    self = pruning roses and mowing lawns / clipping other people's hedges / raising seedlings under glass = among the
    roses / in the glasshouses ; mechanic = 18 = Vesk Valley Coaches, Fenwright Haulage, self = lying under
    (cars|engines) / changing clutches and brakes / coaxing old engines back to life = under the bonnet / in the pit
    with the engines ; forester = 20 = Thistlewood Estate = felling (spruce|larch) and planting saplings / dragging
    logs out of the woods / walking the plantations with a chainsaw = in the woods / with the chainsaw ; brewer = 22 =
    Cask Lane Brewery = mashing malt and boiling hops / making the (bitter|stout) everybody drinks / watching over
    fermenting ale = by the mash tun / among the barrels ; butcher = 18 = self, Pymme Stores = jointing lamb and making
    sausages / breaking down carcasses / boning and trimming meat = at the block / with the knives ; potter = 18 = Marl
    Pottery, self = throwing (bowls|jugs) on a wheel / glazing and firing earthenware / shaping clay = at the wheel /
    by the kiln ; accountant = 24 = Calloway Partners = doing (tax returns|audits) for half the town / telling firms
    what they owe the revenue / signing off company books = among the tax returns / with the audits ; solicitor = 25 =
    Calloway Partners = drawing up wills and (leases|deeds) / arguing boundary disputes / handling divorces and house
    sales = in chambers / with the deeds ; librarian = 22 = Merrowgate Council = stamping and shelving novels / finding
    books for people / reading stories to toddlers among the shelves = among the books / at the issue desk ; pharmacist
    = 24 = Orme Pharmacy = making up other people's prescriptions / checking doses and handing out tablets / counting
    pills in a white coat = in the dispensary / behind the prescriptions ; train conductor = 18 = Vesk Railway =
    clipping tickets on the branch line / blowing the whistle and slamming carriage doors / calling out the halts up
    the valley = on the branch line / with the ticket punch ; stonemason = 20 = Saint Bride Trust, self = carving
    (gargoyles|tracery) for the abbey / recutting worn saints and angels / lettering gravestones = with mallet and
    chisel / up on the abbey roof ; shepherd = 18 = Thistlewood Estate, self = lambing three hundred ewes on the tops /
    walking the fells with two dogs / gathering and clipping the flock = up on the fell / with the dogs ; veterinary
    surgeon = 26 = self = calving cows and neutering cats / treating sick animals / pulling lambs at three in the
    morning = with the calves / at the animal clinic ; farrier = 18 = self = shoeing horses / (nailing|fitting) iron to
    hooves / trimming hooves from stable to stable = at the anvil / under the horses ; lock keeper = 21 = Merrowgate
    Council = working the canal gates by hand / letting boats up and down the flight / winding paddles for holiday
    boaters = at the gates / by the canal ; organist = 20 = Saint Bride Trust = playing for weddings and funerals at
    the abbey / pulling out stops every Sunday / practising Bach in an empty nave = at the manuals / up in the loft ;
    clockmaker = 22 = self = mending (escapements|grandfather clocks) with tweezers / winding the town hall tower every
    week / bending over springs and cogs with an eyeglass = at the workbench with the eyeglass / among the springs and
    cogs ; piano tuner = 20 = self = tightening strings in other people's parlours / making old uprights sing in key /
    going from parlour to parlour with a fork and a lever = with the tuning fork / among the uprights ; bell founder =
    24 = self = casting bronze for church towers / pouring molten bronze into moulds / giving steeples their voices =
    by the furnace / at the casting pit ; falconer = 20 = Thistlewood Estate = flying hawks for tourists / keeping
    gulls off the airfield with birds of prey / training hawks to the glove = with the hawks / at the mews
"""

HOBBIES = """
gardening = growing prize (leeks|dahlias) / pottering among the (beans|tomatoes) / weeding the allotment ; football =
    following the town eleven to away games / cheering on the town eleven / shouting from the touchline ; fishing =
    sitting by the water with a rod / (tying flies|casting for trout) / bringing home (perch|trout) ; knitting = making
    (socks|jumpers) for the grandchildren of friends / working through balls of wool / clicking needles by the fire ;
    choir singing = being (an alto|a bass|a strong voice) in the abbey chorus / rehearsing the requiem on Thursdays /
    raising the roof with hymns ; cycling = putting in (forty|sixty) miles on two wheels / pedalling up the pass /
    wearing out saddles and tyres ; baking = turning out (loaves|sponges) for every fete / keeping a sourdough starter
    alive / icing cakes for the neighbours ; chess = moving pieces over sixty-four squares / (losing|winning) games by
    post / puzzling over endgames ; dancing = doing the (tango|foxtrot) on Fridays / waltzing at the Friday social /
    wearing out shoes in the ballroom ; birdwatching = counting (lapwings|waders) at dawn / sitting in a hide with
    binoculars / ticking off warblers ; dog walking = taking two spaniels round the fields / being pulled along by a
    (lurcher|collie) / throwing sticks on the towpath ; card games = playing (whist|bridge) for matchsticks / holding a
    hand of trumps / dealing cribbage at the pub ; painting = doing watercolours of the weir / mixing oils in the spare
    room / showing landscapes in the library ; beekeeping = tending <his> hives / spinning honey in the shed / chasing
    swarms with a smoker ; amateur dramatics = treading the boards at panto time / playing the dame every
    (January|winter) / learning lines for the village hall ; model railways = running tiny trains round the loft /
    soldering miniature signals / laying gauge track in the attic ; accordion = squeezing out (polkas|dance tunes) /
    playing the squeezebox at weddings / leading the ceilidh band ; cold water swimming = going into the river every
    morning, ice or no ice / breaking the ice for a dip / bathing at the weir in January ; bell ringing = pulling a
    rope in the tower / practising changes on Tuesdays / sounding rounds before matins ; stamp collecting = mounting
    penny reds in albums / hunting rare perforations / steaming envelopes ; amateur radio = talking to strangers in
    Morse / putting up aerials in the garden / collecting call signs at night ; astronomy = looking for comets from the
    shed roof / grinding mirrors for telescopes / staying up for meteors
"""

EVENTS = """
lottery win = the lucky ticket / the week the six numbers came up / the jackpot / that cheque with all the noughts ;
    barn burnt down = the fire that took the hay / the night the cattle shed went up / the blaze on the farm ;
    shipwreck survived = the night the ferry sank / those hours on the life raft / being pulled out of the sea ; house
    flooded = the year the river came in at the door / the water that ruined the ground floor / being rescued by boat
    from the bedroom ; lightning strike = being hit by a bolt on the fairway / the storm that stopped <his> heart / the
    flash that threw <him> across the yard ; mountain rescue = the night on the ledge with a broken rope / being
    winched off the ridge / two days lost in the snow ; train derailment = the morning the carriages left the rails /
    crawling out of the overturned coach / the crash at the points ; bank robbery witnessed = the day the men in masks
    came in / lying on the floor of the branch at gunpoint / the hold-up on the square ; kidney donated to stranger =
    the organ <he> gave a person <he> never met / the operation <he> had for another person's sake ; dog attack = the
    mauling by the neighbour's mastiff / the day the Alsatian got loose ; quiz champion on television = the winning
    answer about lighthouses / the night <he> beat the whole country under the studio lights ; meteorite found = the
    stone that fell into the greenhouse / picking a rock from space out of the lawn ; hot air balloon crash = the
    basket coming down in the power lines / falling out of the sky in wicker ; medal for bravery = pulling two boys
    from under the ice / the day at the palace with the ribbon / the rescue at the weir ; mine collapse survived = the
    three days underground / the roof fall that buried the shift / being dug out alive ; wrongful conviction = the
    years inside for something <he> did not do / the verdict that was quashed ; gored by bull = the horns at the county
    show / flying over the rail on a prize animal's head
"""

CONDITIONS = """
high blood pressure = 35 = takes a water tablet (and|with) amlodipine / checks the cuff at home every (morning|evening)
    / has had bad readings for years ; type 2 diabetes = 35 = takes metformin with (breakfast|meals) / watches <his>
    sugars / pricks a finger before (breakfast|supper) ; osteoarthritis = 50 = has knees that creak on the stairs / is
    stiff every morning in the hips / has worn joints ; asthma = 18 = carries a blue inhaler / wheezes when the pollen
    is up / needs two puffs before running ; depression = 18 = has been on sertraline since a bad winter / knows the
    black dog / has had long grey spells ; hypothyroidism = 25 = takes levothyroxine on an empty stomach / has a
    sluggish gland ; atrial fibrillation = 55 = has a fluttering pulse and takes apixaban / has an irregular pulse and
    a thinner ; heart failure = 60 = sleeps on three pillows / weighs in daily for fluid / has a tired pump ; chronic
    bronchitis = 45 = coughs up phlegm every winter / has smoker's lungs ; migraine = 18 = takes to a dark room once a
    month / sees zigzags before a bad head ; epilepsy = 18 = has not had a fit for years on lamotrigine / may not drive
    because of seizures ; coeliac disease = 18 = cannot touch bread or beer / eats gluten free ; psoriasis = 18 = has
    scaly elbows and scalp / uses tar shampoo and (coal |)ointment ; gout = 40 = gets a hot big toe after port / takes
    allopurinol ; glaucoma = 50 = puts in eye drops at night / has lost the edges of <his> sight ; hearing loss = 45 =
    wears two aids and lip-reads / misses half of what is said ; rheumatoid arthritis = 30 = injects methotrexate on
    Fridays / has knuckles that swell ; Parkinson disease = 58 = has a tremor and small steps / takes levodopa by the
    clock ; multiple sclerosis = 25 = has relapses and a numb leg / walks badly in the heat ; haemophilia = 18 =
    bruises at a touch and injects clotting factor / bleeds from small cuts
"""

MARITAL = """
single = has never found the right person / has nobody at home / has (long|always) lived alone
married = wears a (wedding|gold) band / has company at home / keeps house for two
divorced = parted from a (husband|wife) years ago / has been alone since the split
widowed = lost a (husband|wife) some (winters|years) ago / has been alone since the funeral
"""

NATIVE = "has never (lived|settled|moved) elsewhere / was born in the same (house|street|parish) / never moved away"

EVERYONE = """
S = <he> / <he> / <he> / <he> / the patient / this <man~>
ref = this patient / a patient of ours / our patient / one of our patients
age.who~ = <a> <age~> <man~> / <a> <man~> of <years~> / <aged~> / <aged~>
when = last week / two weeks ago / some days ago / last month / ten days ago / early this month
"""

# name = youngest age = the problem as a noun = how it began = complaint = found = tested = treated = advised
PROBLEMS = """
hip fracture = 62 = a broken <side> hip / a fracture of the <side> femoral neck / a hip fracture on the <side> =
    slipped on (wet leaves|the frost|a loose mat) / fell (in the bath|on the tiles|by the back door) / missed the last
    step in the dark = <he> could not (stand|get up) afterwards / the <side> groin hurt with (every|any) movement /
    <he> lay there for (about |nearly |)(two|three|four) hours = the <side> leg was (short|shortened) and turned out /
    the groin was (sore|tender) / there was (bruising|swelling) over the outer thigh = the film showed a
    (displaced|clean) break / haemoglobin was <#84-121> / the (tracing|electrocardiogram) was normal = had (half the
    joint|the joint) replaced under (spinal|general) anaesthetic / sat out in a chair (that evening|next morning) / was
    up with a frame on day (one|two|three) = put (full|half) weight through the leg / use a raised chair for
    (six|eight) weeks / take calcium and vitamin D ; wrist fracture = 18 = a broken <side> wrist / a fracture of the
    <side> wrist / a Colles fracture on the <side> = tripped over (a kerb|the dog|a hose) / came off a (bicycle|step
    ladder) / broke a fall with one hand = the wrist looked (bent|like a fork) / <he> could not (turn a key|lift a cup)
    / the fingers tingled for (a day|some hours) = the wrist was swollen and (bent|deformed) / feeling in the
    (thumb|fingers) was intact / the elbow moved (freely|well) = the film showed (a break|two breaks) / a second film
    showed good position / no (other|carpal) bone was broken = had it set under a (block|local) / was put in (plaster|a
    cast) / was given a splint (at once|in clinic|to wear) = keep the hand (high|in a sling) / move the fingers
    (hourly|every hour) / return if (it|the cast) feels tight ; pneumonia = 18 = a (<side>-sided|patchy) pneumonia / a
    chest infection / pneumonia of the <side> lung = developed a cough and (shivering|fever) / came down with a (high
    |)fever / became (breathless|muddled) = breathing in was (sharp|painful) on the <side> / the phlegm was
    (rusty|green) / <he> was too (weak|breathless) to (walk|talk) = there were crackles at the <side> base / breathing
    was <#22-32> a minute / oxygen saturation was <#86-93> per cent on air = the film showed shadowing (low down|at one
    base) / C-reactive protein was <#88-312> / the white count was <%11-22> = needed (two|three|four) litres of oxygen
    / was given (doxycycline|co-amoxiclav|clarithromycin) for <#3-7> days / switched to tablets on day
    (three|four|five) = finish the (antibiotics|course) / repeat the film (soon|in <#5-7> weeks) / drink (plenty|more)
    and rest ; cellulitis = 18 = cellulitis of the <side> leg / a skin infection of the <side> shin / a hot red <side>
    calf = scratched the shin on (brambles|barbed wire|a pallet) / noticed a red patch (spreading|growing) / was bitten
    near the <side> ankle = the leg could not bear a (sock|shoe) / the redness had crept (up|towards the knee) / <he>
    felt shivery at night = the skin was hot (to the knee|over the shin|and shiny) / a toe web was (cracked|grazed) /
    the groin glands were (tender|up) = C-reactive protein was <#44-190> / a scan showed no clot / swabs (grew|showed)
    staphylococcus = had the redness (marked|outlined) in pen / was given flucloxacillin for (seven|ten) days / was
    changed to (clindamycin|doxycycline) on day (two|three) = keep the leg up / use (moisturiser|emollient) daily /
    look for (new|spreading) redness ; low back pain = 18 = low back pain / a (stiff|bad) back / sciatica on the <side>
    = felt something go lifting (a crate|a sack|furniture) / woke unable to straighten / dug over (a flower bed|half
    the garden) = pain shot (down the <side> leg|to the <side> calf) / sitting for long was the worst / turning over in
    bed (woke|troubled) <him> = bending reached only the (knees|mid shin) / a straight leg lift hurt at <#30-65>
    degrees / feeling in both feet was (good|normal) = no film was needed / bladder and bowel were working / a scan
    showed a bulging disc = was shown (bracing|stretching|core) exercises / was given (naproxen|ibuprofen) for a week /
    had (two|three|four) sessions of manual treatment = keep (moving|walking) / lift with the (knees|legs) / use
    (heat|warmth|ice) at night ; knee replacement = 55 = a worn <side> knee / (bad|advanced) arthritis of the <side>
    knee / a painful <side> knee = came in (after years of pain|for the new joint) / reached the top of the list = <he>
    was down to <#20-90> yards / night pain had (won|become too much) / stairs were taken one by one = the knee bends
    to <#70-112> degrees / the wound is (dry|clean) / there is some (heat|swelling) about the joint = haemoglobin after
    surgery was <#92-126> / the film shows the (implant|joint) well (placed|seated) / the calf scan was clear = had the
    joint replaced under (spinal|general) anaesthetic / walked with two sticks by day (two|three|four) / managed
    <#3-12> stairs = bend the knee (hourly|often) / ice it after (exercise|walking) / wear the stockings for (four|six)
    weeks ; mini-stroke = 50 = a (mini-stroke|small stroke) / a passing weakness of the <side> arm / a transient
    ischaemic attack = dropped a (cup|newspaper|fork) from the <side> hand / could not find (the right words|a word) at
    (breakfast|supper) / noticed one side of the face droop = it was over within (ten|twenty|forty) minutes / speech
    was (slurred|thick) for a while / the <side> arm felt (heavy|dead) = power had come back / the face was
    (even|level) / walking was (steady|a little unsteady) = the brain scan was clear / the neck arteries were <#20-65>
    per cent narrowed / cholesterol was <%3-7> = passed the swallow test / was kept in for (a night|two nights) / was
    started on clopidogrel and (a statin|atorvastatin) = stay off driving for a month / call (at once|us) if it
    (returns|happens again) / cut down on (salt|butter) ; chest pain = 30 = chest pain / tightness in the chest / a
    (possible|suspected) heart attack = felt a tight band (going uphill|after lunch|on the stairs) / woke with
    (pressure|a weight) on the chest / came over (clammy|grey) and sick = it lasted (ten|fifteen|forty) minutes / it
    went into the (jaw|<side> arm) / a rest (eased|settled) it = the pulse was regular at <#58-104> / heart sounds were
    (clear|normal) / the chest wall was (tender|not tender) = two troponin tests were (low|negative) / the
    (electrocardiogram|tracing) did not change / a treadmill test was (stopped|finished) = was given aspirin and (a
    spray|nitrate) / was on the monitor for <#9-30> hours / went for an angiogram = carry the spray / rest if it
    returns / ring for help after (ten|fifteen) minutes ; gallstones = 25 = gallstones / an inflamed gall bladder /
    (biliary colic|a gall bladder attack) = slept badly after (fish|chips|roast pork) / doubled up with pain (at
    night|after supper) / was sick (four|five|six) times = pain reached the shoulder blade / rich food brings it on /
    the water had gone (dark|brown) = the right ribs were (tender|sore) / the eyes were (clear|a little yellow) /
    temperature was <%37-39> = the scan showed (several|many|two) stones / bilirubin was <#14-68> / amylase was not
    raised = was given fluids and (morphine|pain relief) / was listed for early surgery / had keyhole surgery on day
    (two|three|four) = eat (low fat|plain) food / avoid cream and (pastry|cheese) / report any fever ; shingles = 40 =
    shingles on the <side> (flank|chest) / a (painful|burning) rash on the <side> / herpes zoster = felt burning before
    any (spots|rash) came / found blisters (under the arm|round the waist) = clothes (chafed|rubbed) unbearably / sleep
    was (broken|impossible) / it felt like (hot needles|sunburn) = there was a (band|strip) of crusting blisters / the
    eye was not involved / the rash stopped at the midline = swabs (confirmed|showed) zoster / no blood tests were
    needed = was given (aciclovir|valaciclovir) for (seven|ten) days / started amitriptyline at night / had calamine
    and cool (cloths|dressings) = avoid (babies|pregnant women) (for now|until it crusts) / cover the (area|rash) /
    have the vaccine later on ; vertigo = 30 = dizzy spells / (positional|spinning) vertigo / a disturbance of the
    <side> inner ear = turned over and (felt sick|saw the room spin) / looked up (at a shelf|suddenly) and reeled /
    rose and had to (hold on|sit down) = each spell lasts under a minute / <he> feels (sick|queasy) with it / rolling
    to the <side> sets it off = the Hallpike test was positive / the eyes (flickered|beat) for <#8-25> seconds /
    walking was (broad-based|careful) = hearing tests were (even|equal) / lying and standing pressures differed by
    <#4-22> = had the Epley manoeuvre (once|twice) / was given (prochlorperazine|cinnarizine) for three days / was
    taught (balance|head) exercises = sleep (propped up|on two pillows) / rise in stages / keep off ladders ; stomach
    upset = 18 = vomiting and diarrhoea / a stomach (bug|upset) / gastroenteritis = ate (mussels|a doubtful
    pie|reheated rice) at a (wedding|buffet) / began to vomit (at dawn|in the night) / caught what the
    (street|household) had = nothing stayed down for (a day|two days) / there were (eight|ten|twelve) loose stools a
    day / cramps (came|went) in waves = the tongue was dry / the belly was (noisy|soft) and mildly sore / the pulse was
    <#92-124> lying = potassium was <%2-4> / stool culture grew (campylobacter|nothing|norovirus) / urea was <%6-15> =
    had <#2-4> litres by drip / was nursed in a side room / was given ondansetron with good effect = sip (salt and
    sugar|rehydration) mix / stay home until (two|three) days clear / wash hands with soap ; hernia = 25 = a <side>
    groin hernia / a swelling in the <side> groin / a lump in the <side> groin = noticed a lump when (coughing|lifting)
    / felt a tear while moving (a piano|furniture|sacks) = it drags by (evening|late afternoon) / it goes back on lying
    down / straining makes it (ache|bulge) = there was a cough impulse / the wound edges were (clean|together) /
    bruising reached the (thigh|hip) = blood tests were (unremarkable|fine) / swabs for MRSA were clear = had
    (light|mild) sedation / had a mesh (sewn|put) in / went home the same (day|evening) = lift nothing over (five|ten)
    kilos / support the wound / avoid straining ; cataract = 58 = a cataract in the <side> eye / cloudy sight on the
    <side> / a dimming <side> eye = could no longer read the (hymn board|bus number|small print) / found headlamps
    (dazzling|blinding) at night = colours looked (brown|washed out) / print needed a strong light / pouring tea had
    become (a gamble|guesswork) = vision was six over (twelve|eighteen|twenty-four) / the lens was (dense|milky) / eye
    pressure was <#11-21> = the biometry was done / the retina looked (flat|healthy) = had a new lens put in / went
    home within (two|three) hours / wore a shield for (one night|three nights) = use the drops (often|as shown) / leave
    the eye alone / keep soap out of it ; anaemia = 30 = anaemia / tiredness and a low blood count / iron deficiency =
    grew tired on (hills|the stairs) / turned (pale|breathless) over (a month|six weeks) / nearly fainted (in a
    queue|at the sink) = <he> (craved|chewed) ice / there was no visible bleeding / <he> was asleep by (six|seven) most
    evenings = the inner lids were pale / nails were (brittle|spoon-shaped) / the belly was normal to feel =
    haemoglobin was <#68-104> / ferritin was <#3-14> / the camera test (was clear|showed a small ulcer) = was given two
    units of blood / had an iron infusion / started iron tablets (on alternate days|once daily) = take the iron with
    (orange juice|vitamin C) / expect dark stools / have the count (checked|repeated) in (four|six) weeks ; low mood =
    18 = low mood / a bout of (poor sleep|worry) / a (flat|tearful) spell = stopped (answering the door|opening
    letters) / began waking at (three|four) each morning / burst into tears (in the surgery|at the post office) = food
    has no taste / <he> worries about (money|the future|small things) / there are no thoughts of ending life = eye
    contact was (fair|good) / speech was slow but (clear|to the point) / <he> smiled (once|twice) = the mood score was
    <#9-21> of 27 / thyroid tests were (in range|normal) = was started on (mirtazapine|citalopram) / agreed to (talking
    therapy|counselling) / has had (two|three|four) talks with the team = get out daily / keep a (sleep|mood) diary /
    ring the helpline if things (darken|worsen) ; fall = 68 = a fall at home / (repeated|two recent) falls /
    unsteadiness = went over (with the washing|in the hall|at night) / slid off the (bed|commode|sofa) / lost balance
    turning to the door = <he> did not black out / the hip took the (blow|weight) / <he> pressed the (alarm|pendant) at
    once = the timed walk took <#14-38> seconds / there were bruises on the (elbow|<side> arm) / pressure dropped by
    <#8-31> on standing = no bone was broken / the heart (tracing|monitor) was clean / vitamin D was <#14-46> = was
    given a (frame|stick) / had the night tablets (cut|halved) / joined the balance class = wear (closed|proper) shoes
    indoors / take up (rugs|mats)
"""

# opening = headings = what follows in this order = small talk of the trade = how it ends = which problems
GENRES = """
open.discharge = Discharge letter / Discharge summary = story complaint finding test treatment = vitals labs sleep
    appetite drugs = advice plan
open.emergency = Emergency note / Admission note = story complaint finding test = vitals labs allergy smoking =
    treatment plan
open.physio = Physiotherapy letter / Physiotherapy report = story finding complaint = mobility pain house help mood =
    advice plan = hip fracture, wrist fracture, low back pain, knee replacement, vertigo, fall, pneumonia
open.social = Social work report / Social report = story = help house money mood appetite mobility = plan
open.phone = Telephone note / Phone consultation = story complaint = sleep appetite pain smoking = advice plan
open.nursing = Nursing note / Ward note = treatment finding = vitals sleep appetite skin visitors pain = advice
open.clinic = Clinic letter / Outpatient letter = story finding test treatment = pain drugs smoking labs = advice plan
open.home = Home visit / House call = complaint finding = house help vitals drugs appetite mood = advice plan
"""

# topic = sentences. `<job>` says a field and `<job~>` hints at it; `<S>` is the patient as subject, `<ref>` in full.
SENTENCES = """
heading = (,|:| of|, dated) <today>.
re = Re <full>, born <birth>(, record <record>|). / (Re|Patient) <full>(, record <record>|, <street>, <village>|).
dear = Dear Dr <physician>, / (Dear|To my) (colleague|colleagues|team), / Dear (colleague|doctor|partner),
age = At (this visit|the time of writing|last count|present) <he> is <aged~>. / (Although|Though|While) <aged~>, <he>
    (manages|copes|gets by|gets about) (mostly|largely|quite well|better than most) (unaided|without help|alone by
    day). / For (someone|a patient) <aged~>, <he> is (strong|fit|well|in good shape|on few tablets). / <S> <birthday~>,
    (and a party is planned|which <he> would rather ignore|and hopes to be well by then|and the family is gathering). /
    (Friends|The family|Neighbours) (say|report|mention) that <he> <birthday~>. / Not many (people|patients) (of|aged)
    <years~> (recover|bounce back|improve) (this|so) (quickly|fast|smoothly). / Date of birth (given|confirmed|checked)
    (as|to be) <birth>. / (We checked|I confirmed|The clerk read out) <his> date of birth, <birth>, (and the
    address|against the card|at the desk|with the wristband). / <S> was born (in|back in) <birthyear>(| and looks it|
    but looks younger| and is (sharp|spry)).
job = <S> works as <a> <job> (and|but) (likes|misses|enjoys|complains about) it. / <S> is <a> <job> (by trade|by
    training|of long standing|like <his> parents before <him>). / (Work|The job) as <a> <job> is (on hold|paused|out of
    the question) (for now|this month|until the review). / <S> (spends|fills|passes) (most days|<his> working
    days|<his> days|the week) <job~>. / <S> (earns|makes) <his> (living|keep|money|bread) <job~>(| and is paid by the
    (day|hour)). / <S> (cannot|is not fit to|is unable to) go on <job~> (yet|for now|this month|at present). / After
    (years of|so long|half a life) <job~>, <he> knows what <his> (back|body|joints) can (take|stand). / <S>
    (hopes|wants|means|is keen|is itching) to be (back|once more) <place~> (before long|by
    (spring|summer|autumn|winter)|within the (month|fortnight)). / (<he> asks|The question is|We discussed) when <he>
    can be <place~> again. / (Days|Long hours|Mornings) <place~> (have been|are) (hard|too much) (lately|of late|this
    year).
exjob = <S> (was|used to be|retired as) <a> <job>(| and still (talks|dreams) of it| for (many|thirty-odd|forty) years).
    / (Before retiring|Until retirement|In working life) <he> was <a> <job>. / <S> spent (most of |nearly all of
    |)<his> working life <job~>. / (<he> talked|<he> spoke|We chatted) (happily|fondly|at length) about (the years of|a
    life of|decades of) <job~>. / <S> used to (earn <his> (keep|bread)|make <his> (living|money)|fill <his> days)
    <job~>. / (After|Following) (thirty|forty|so many) years of <job~>, (rest|sitting still|idleness) does not come
    (easily|naturally). / <his> (hands|knees|shoulders) (remember|still show|bear the marks of) years of <job~>.
employer = <S> (is employed by|works for|is on the books of) <employer>, (who|and they) have been
    (told|informed|understanding|patient). / A (fit|sick|doctor's) note (was sent|went|has gone) to <employer>
    (today|this week|by post). / <his> (pay|sick pay|wage) comes from <employer~>(| and stops (soon|next month|at
    Christmas)). / (Word|A message|A letter|An email) from <employer~> (agrees to|allows|offers|mentions) (lighter
    duties|shorter days|half days|a phased return). / (Colleagues|Friends|Workmates) from <employer~> (have|had)
    (visited|sent (flowers|a card)|been ringing) (twice|already|more than once).
exemployer = (<his> last job|The last post <he> held) was with <employer>, (who gave <him>|and it ended with) a
    (clock|watch|small pension|party). / A (small|modest|decent) pension comes from <employer> each (month|quarter). /
    (Old|Former) (colleagues|workmates) from <employer~> (still|sometimes) (call in|write|ring|send cards). / <S>
    (left|said goodbye to) <employer~> (long ago|with a gold watch|when <his> time was up).
own = <S> is <own>, so (a week|every day|time) off (costs|means losing) (money|customers|income). / <S> is <own~> and
    (cannot|will not|is loath to) (rest|stop|take time off) for (long|more than a few days). / (Being|As) <own~>, <he>
    (gets|has|can count on) no sick pay.
home = <S> lives in <village>(| in a (rented|terraced|damp|tidy) (house|flat|cottage)). / (Transport|A car|The bus)
    (back|home) to <village> (was|has been) (booked|arranged|laid on) for (noon|four|the afternoon|the morning). / The
    (district nurse|carer|practice nurse) (covering|who covers|for) <village> will call (daily|twice a week|on
    Mondays|every other day). / <S> (lives|has a (house|flat|cottage)|rents) in <village~>(| and likes it there| and
    will not hear of moving). / (It is (a long|an awkward) (way|journey)|The (drive|road) is (slow|long)) (home |back
    )to <village~>. / (Getting|Coming) (in|here) from <village~> (takes (two buses|an hour)|means a lift from
    (someone|a friend)). / (<he> drove|A friend brought <him>|A taxi fetched <him>) (in|over) from <village~> (this
    morning|through the rain|before nine|in good time). / (Parking|Transport) is (bad|never easy|poor) in <village~>.
street = (The address|<his> address) (is still|remains|was confirmed as) <street>. / (Equipment|A commode|The rail|A
    parcel of dressings) (went|was delivered|is to go) to <street> (today|on Friday|this week|by van). / The
    (house|place|building), <street~>, has (steep stairs|a (deep|high) step|no lift|a downstairs toilet). / <S>
    (lives|has lived for years|rents rooms) <street~>, (up|with) (two flights|a steep stair|(nine|twelve) steps).
birthplace = <S> (was born in|comes from|grew up in|went to school in) <birthplace> and (moved|came) here (young|for
    work|to marry|after school). / <S> (still has the accent of|is a child of) <birthplace>. / (Originally|By birth|As
    a child) <he> was from <birthplace~>. / <S> (grew up|was a child|went to school) in <birthplace~>, (as <he> will
    tell you|one of (five|six|seven)|and it shows). / (A cousin|An aunt|A niece) (may|is to|wants to) come over from
    <birthplace~>, where <he> (was born|grew up).
spouse = <his> <spouse.word~> <spouse> (came|was present|sat in|drove <him> home|rang) (today|this time|as well|for
    news). / <S> (lives|shares a (house|flat)) with <his> <spouse.word~> <spouse>(| and (a cat|two cats|an old dog)). /
    (I spoke|We talked|The team spoke) to <spouse>, <his> <spouse.word~>, (by phone|in the corridor|at the bedside). /
    <spouse~> (helps|is helping|lends a hand) with (stockings|washing|the tablets|cooking). / <S> (lives|is at
    home|gets along) with <spouse~>(| in good (heart|spirits)| on (two|several) floors). / <S> (worries|is
    anxious|frets) about <spouse~>, who (is not strong|sleeps badly|has been tearful|will not rest).
marital = <S> is <marital>(| and (sociable|self-reliant|content)| and lives (quietly|simply)). / (Marital
    status|Status|On the form): <marital>. / <S> <marital~>(| and (says so|speaks of it) (freely|often|unasked)|, as
    (we know|before)). / <S> <lone~>, and (evenings|meals|Sundays|nights) are (long|quiet|lonely). / (It should be
    said|It matters here|Worth (noting|knowing)) that <he> <marital~>.
kin = (Next of kin|Contact|First contact|The person to ring) is <his> <kin.word~> <kin>. / <his> <kin.word~> <kin>
    (will stay|can help|has a key|visits|does the shopping) (for a week|at weekends|in the mornings|when needed). /
    <kin~> (brought|collected|came with|telephoned for) <him> (today|this time|in the end|after work). / (A message|A
    note|Word) (to|for) <kin~> (was left|was sent|went unanswered) (at noon|last night|before lunch). / (<he>
    leans|<he> depends|<he> relies) (a lot|heavily|more and more) on <kin~>.
children = <S> (mentions|speaks of|asks after|frets about) <children>(| (often|at every visit)|, and photographs come
    out). / <child> (came along|sends love|made a card|was on the telephone) (today|this time|again|as ever). / <S> is
    <children~>(| and (talks about them|shows the photographs|says so often)). / (As|Being) <children~>, <he> (has|is
    used to|can call on) (a full house|help|company|loud advice).
event = (Ever since|Since) <event~>, <he> has (slept (badly|lightly)|been (on edge|wary|calmer)|seen life differently).
    / <S> (often|still|sometimes|again) (talks|spoke|dreams) of <event~>(, (some|about|roughly) <ago~>|). /
    (After|Compared with|Next to) <event~>, <he> says, (this|a hospital bed|an illness) is (nothing|a trifle|easy). /
    The (records|notes|old letters) mention <event~>(| and (little|not much) else). / The (records|notes|old letters)
    (state|list|give) "<event>" (under|as) (history|background|life events).
hobby = <S> (enjoys|loves|is keen on|lives for) <hobby>(| and (asks when it can resume|has had to stop|has missed it)).
    / (For years|Since youth|Lately) <he> has (taken part in|been mad about|gone in for) <hobby>. / (The goal|The
    aim|The hope) is to (get back to|return to|resume) <hobby~>(| by (spring|summer|autumn)). / (Weekends|Free
    hours|Evenings) (go on|are spent|mean) <hobby~>. / <S> (misses|has given up|dreams of|talks of) <hobby~>(|
    (already|more than anything|and says so)).
history = (Past history|Background|Known conditions)(: | includes )<condition>(, (stable|unchanged|followed
    elsewhere)|). / <S> (has|is known to have|has long had) <condition>(| and (attends|takes treatment) for it| under
    (review|good control)). / <S> <condition~>(, (which|and that) (is|seems) (stable|under control|no worse)|). / (Of
    note|As before|By the way|As we know), <he> <condition~>. / It (is known|was noted) that <he> <condition~>.
physician = (A copy goes|We will write|The summary goes) to Dr <physician> (this week|today|by post). / <S> (is
    registered with|is a patient of|usually sees|trusts) Dr <physician>(| and (will|is to) book (a visit|blood tests)
    there). / <S> (is registered with|goes to|trusts|is looked after by) <physician~>(| and (will not|sees no need to)
    change| and (says so|speaks well of it)).
contact = (Telephone|Phone|Best number|Mobile): <phone>. / (Please ring|Ring|Call) <him> on <phone> (after
    (four|five|six)|with (the date|results)). / (Results|Dates|News) (will|can) be (phoned|rung) (through |)to <phone>.
record = (Record|File|Chart|Hospital) number <record> (was checked|is correct|is on all forms). / (Notes|Old
    notes|Films) (filed|held|stored) under <record> (were (seen|read)|have been requested|did not arrive).
nickname = (Everyone calls|Friends call|Neighbours call|The family calls) <him> <nickname>(| and so do we).
vitals = (Pulse|Heart rate) (was |)<#58-104>, (pressure|blood pressure) <#104-168> over <#58-96>, (temperature|temp)
    <%36-38>. / (Observations|Vital signs): (pulse|heart rate) <#58-104>, breathing <#12-22>, saturation <#93-99> per
    cent. / Blood pressure (came to|was|read) <#104-168> over <#58-96>, (sitting|lying)(|, lower standing).
labs = Bloods: (sodium|Na) <#131-145>, (potassium|K) <%3-5>, (creatinine|kidney test) <#54-148>. / (The blood count
    showed|On bloods,) haemoglobin <#98-152>(, platelets <#140-390>|, white cells <%4-11>|). / C-reactive protein
    (fell|dropped|came down) from <#60-210> to <#4-48> (over|in|within) <#3-8> days.
sleep = <S> slept (well|badly|in snatches|for (four|five|six) hours) (and woke (early|twice)|with the (lamp|radio)
    on|last night). / (Nights|The nights) (are|have been) (broken|better|short|noisy), with (two|three|four) (trips to
    the toilet|spells awake).
appetite = <S> (ate|managed|took) (half|most|all|a third) of (breakfast|lunch|supper) and (drank|had) <#2-9>
    (cups|glasses). / (Appetite|Interest in food) is (fair|poor|back|returning); weight <#48-104> kilos(| and steady|
    and falling).
mood = <S> was (cheerful|quiet|tired|talkative|a little low) (today|throughout|at first) and (asked sensible
    questions|listened well|kept <his> eyes shut). / (Spirits|Morale) (were|seemed) (good|low|mixed)(, (better|worse)
    after (lunch|visitors|dark)|).
mobility = <S> walked <#5-90> metres with (a frame|two sticks|one stick|a rail|one helper) and (rested
    (once|twice)|needed (a chair|no rest)|turned safely). / (Getting up|Going from bed to chair|Standing) (needs|took)
    (one helper|two helpers|no help|a pair of hands)(| at the moment| this morning). / (Stairs|Steps): (up|managed)
    <#3-14>, with (a rail|a hand on the rail|someone behind).
pain = Pain (was (put|rated|scored) at|came to) <#2-8> (out of|in|of) ten (at rest|at night|on moving), <#0-3> after
    (paracetamol|codeine|tramadol|a rest). / <S> (uses|takes|needs) (codeine|paracetamol|tramadol|naproxen)
    (once|twice|three times) a day, (less than before|mostly at night|with food).
skin = Skin (was (intact|dry|fragile)|is in good order) (over|at) (heels and hips|the sacrum|both shins)(, score
    <#9-22>|). / The (dressing|pad) was changed; (little|some|no) (ooze|staining) and (no smell|clean edges).
smoking = <S> (smokes <#5-25> a day|never smoked|stopped smoking <#2-30> years ago|vapes) and drinks (nothing|<#2-14>
    units a week|at (weddings|Christmas) only).
allergy = (Allergies|Known allergies): (none|penicillin, (a rash|swelling)|latex|codeine,
    (sickness|itch)|plasters|nuts).
drugs = (New|Current|Usual) tablets: (paracetamol|codeine|naproxen), (omeprazole|senna|folic acid) (daily|at night|as
    needed). / The (list|chart) was (checked|read over) and (senna|zopiclone|codeine|ibuprofen) (stopped|halved|added).
help = (Hot|Frozen|Daily) meals (come|are brought|can start) (today|on weekdays|from (Monday|Thursday)); (a cleaner|an
    aide) (comes|calls) (weekly|on (Tuesdays|Fridays)). / <S> (accepts|declined|agreed to) (a pendant alarm|help with
    (bathing|shopping)|a banister|a key safe).
house = The (bathroom|kitchen|hall|bedroom) is (cold|cluttered|narrow|bright), with (a loose mat|good light|one grab
    rail|poor light). / (Heating|The boiler|Hot water) (works|failed (last week|twice)|is on all day); (coal|food|oil)
    for <#3-20> days is in the (shed|house).
money = <S> (gets|has applied for|was refused) (attendance allowance|a heating grant|housing help|a travel card) and
    (needs|would like|wants no) (help with forms|advice).
visitors = (Two|Three|A few|Several) visitors (came between <#2-4> and <#5-7>|stayed until <#4-8>), with
    (grapes|magazines|cake|clean clothes).
story = <S> <on> <when>. / (It started|The trouble started|This began) <when>: <he> <on>. / <when>, (so <he>
    (says|tells us)|by all accounts|it seems|we gather), <he> <on>.
complaint = <S> (says|reports|tells (me|us)|explained) that <co>. / In <his> (own words|account|telling|version),
    <co>(, and <co2>|). / (At home|Lately|Over the days) <co>; (also|and) <co2>.
finding = (On examination|To look at|When seen|At the bedside), <fi>(; <fi2>| and <fi2>). / (I found|We found|It was
    (noted|clear)) that <fi>(, and (also|further) that <fi2>| and that <fi2>). / (Today|On arrival) <fi>, (while|and)
    <fi2>.
test = (Results|Investigations): <te>(; <te2>|, and <te2>). / (As for (tests|results)|On the computer), <te>(, and
    <te2>|).
treatment = <S> <tr>(, then <tr2>| and <tr2>). / (In short|Before today|In the end|At first), <he> <tr>. / (Under our
    care|With us|Meanwhile) <he> <tr>, and (later|then) <tr2>.
advice = (I asked|We asked|I have told|We advised) <him> to <ad>(, and to <ad2>| and to <ad2>). / <S> (knows|has been
    told|has agreed|is) to <ad>(; also to <ad2>|). / (Advice|Instructions)(:|, in writing:) <ad>(, <ad2>|; <ad2>).
plan = (Review|Follow-up|Next visit) in <#2-12> (weeks|days) (with|by) (me|the registrar|the nurse|a colleague|the
    team), (sooner|earlier) if (worse|needed|worried). / (I will|We will|The plan is to) (see|ring|review) <him> (again
    |)(on (Monday|Tuesday|Thursday|Friday)|in <#2-9> weeks) and (repeat the bloods|check the (wound|tablets)|decide
    then|take stock). / (No (further|more|fixed|regular) (visits|appointments|sessions)|Nothing further)
    (planned|needed|booked); (door|line|file) (stays |)open (for <#2-6> (weeks|months)|until (spring|Easter|summer|the
    autumn)). / (Thank you|Thanks|Many thanks) for (your help|taking this on|sharing the care|the bloods).
open.discharge = <ref>, <age.who~>, (was (admitted|brought in)|came in) on <before> (with|because of) <np> (and
    (goes|went) home (today|on <today>)|and leaves us today). / <ref> (was (an inpatient|with us)|stayed) for <#2-14>
    (days|nights) (with|because of) <np>. / (We are discharging|Today we discharge|We sent home) <ref>, <age.who~>(|
    from <village~>), (after (treatment for|a stay with)|following) <np>.
open.emergency = <ref>, <age.who~>, (was brought in|came in|arrived) (by ambulance|by car|by taxi) at <#0-23>.<#10-59>
    with <np>. / (Brought|Sent) in (from <village~>|by (the crew|a neighbour)|after a call): <ref>, <age.who~>,
    (with|query) <np>. / <ref> (presented|turned up|was wheeled in) (at|around) <#1-12> (today|in the night) with <np>.
open.physio = (I (saw|have seen|assessed|treated)|Thank you for (sending|referring)) <ref>, <age.who~>,
    (for|with|about) <np>. / (Session|Visit) <#2-9> (for|with) <ref>, (seen for|who has) <np>. / <ref> (has
    attended|attended|came to) (the gym|physiotherapy|the department) <#2-8> times (for|with|since) <np>.
open.social = (A referral|A request|A call) (came|reached us) (about|concerning) <ref>, <age.who~>, (after|following)
    <np>. / (I visited|I met|We saw|I called on) <ref> (at home|on the ward|at the day centre) (after|following|because
    of) <np>. / <ref>, <age.who~>, (needs|is asking for|was referred for) (support|help at home|a care plan)
    (after|following) <np>.
open.phone = (Call|Rang|Telephone call) (from|about) <ref>, <age.who~>, (about|regarding|concerning) <np>. / <ref>
    (rang|called|phoned) (the surgery|at <#8-11>.<#10-58>|before lunch|after hours) (about|because of) <np>.
open.nursing = (Took over|Have been looking after|Cared for) <ref>, <age.who~>, (in bed <#1-28>|in the side room|on the
    (early|late|night) shift), (here with|in with) <np>. / <ref> (in bed|bed) <#1-28>, day <#2-9> (after|of|with) <np>.
open.clinic = (I reviewed|I saw|We saw|It was good to see) <ref>, <age.who~>, (in clinic |)(on <today>|today|this week)
    (with|for|regarding) <np>. / <ref>, <age.who~>, (came back|returned|attended) (for review|to clinic|as planned)
    (with|after|following) <np>.
open.home = (Home visit to|Called on|Went to see) <ref>, <age.who~>, (because of|after|for) <np>. / (I found|At home I
    met|I called and found) <ref>, <age.who~>, (up and dressed|in bed|in the kitchen|in an armchair) (with|after) <np>.
native = <S> <native~>(|| and (is known to (all|everyone)|knows every (door|face)|(will not|cannot) leave|is proud of
    it)).
"""
