"""Signs around a number that stands alone: no part of a longer one, of a code, of a telephone number or a measurement."""

_UNITS = (
    r"(?:[kmcµ]?g|[kmcdµ]?m[²³23]?|[mcdµ]?l|mi|mph|ft|lbs?|oz|kcal|kj|ha|mmhg|bpm|hz|[kmg]?w|[kmgt]b|usd|eur|gbp|chf|"
    r"p\.?m|a\.?m|h|hrs?|min|uhr|o'clock)"
)
NOT_BEFORE = r"(?<![\w.,:/#°+*=@&\-\u2010-\u2015\u2212$€£¥№\\])(?<!\d[\s\u00a0\u202f(])(?<![$€£¥#№][\s\u00a0])"
NOT_BEHIND = (
    r"(?![\w/:°+*=@\-\u2010-\u2015\u2212%‰$€£¥\\])(?![.,'’]\d)(?!\)?[\s\u00a0\u202f]?\(?\d)"
    rf"(?![\s\u00a0\u202f](?:[%‰°$€£¥]|{_UNITS}(?!\w)))"
)
