"""Short and pet forms of English given names."""

_FORMS = """
abigail abby gail
albert al bert
alexander alex alec sandy
alfred alf fred
andrew andy drew
anthony tony
arthur art
barbara barb
benjamin ben
catherine cathy kate kitty
charles charlie chuck
christopher chris
daniel dan danny
david dave
deborah debbie
dorothy dot dolly
edward ed eddie ted ned
elizabeth beth betty liz lizzie eliza bess
eugene gene
florence flo
frances fran fanny
francis frank
frederick fred freddie
gerald gerry jerry
gregory greg
harold hal harry
henry hank harry hal
herbert herb bert
james jim jimmy jamie
jennifer jenny
john jack johnny
jonathan jon
joseph joe joey
judith judy
katherine kathy kate katie kit
kenneth ken kenny
lawrence larry
leonard len lenny
lewis lew lou
louis lou
margaret maggie meg peggy madge
martha patty
mary molly polly
matthew matt
michael mike mickey
nathaniel nat nate
nicholas nick
patricia pat patty trish
patrick pat paddy
peter pete
philip phil
raymond ray
rebecca becky
richard dick rick rich
robert bob bobby rob bert
ronald ron ronnie
samuel sam sammy
sarah sally
stephen steve
susan sue susie
theodore ted teddy theo
thomas tom tommy
timothy tim
victoria vicky
virginia ginny
walter walt
william bill billy will willie
zachary zach
"""
NICKNAMES: dict[str, tuple[str, ...]] = {}
for _full, *_short in map(str.split, _FORMS.strip().split("\n")):
    NICKNAMES[_full] = tuple(_short)
