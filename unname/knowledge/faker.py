"""Lists of names that Faker has for a language, where it is installed."""

from functools import cache

from unname.text import is_latin

# Family names of a language that are enough to draw among.
_ENOUGH = 20


@cache
def home_of(language: str) -> str:
    """The likeliest country of a language; that of English where nobody knows."""
    from babel.core import get_global

    return str(get_global("likely_subtags").get(language, "en_Latn_US").split("_")[-1])


@cache
def providers(subject: str, language: str) -> tuple[type, ...]:
    """Faker's data of a subject for a language, its likeliest country's first; none for a language that it lacks."""
    import pkgutil
    from importlib import import_module

    package = import_module(f"faker.providers.{subject}")
    names = [each.name for each in pkgutil.iter_modules(package.__path__)]
    names = sorted(name for name in names if name.split("_")[0] == language)
    names.sort(key=lambda name: name != f"{language}_{home_of(language)}")
    return tuple(import_module(f"faker.providers.{subject}.{name}").Provider for name in names)


@cache
def family_names(language: str) -> tuple[str, ...]:
    """Family names of a language; English ones for a language without."""
    for provider in providers("person", language)[:1]:
        rows = (getattr(provider, table, ()) for table in ("last_names", "unisex_last_names"))
        names = {n for row in rows for n in row if n.isalpha() and n.istitle() and len(n) > 3 and is_latin(n)}
        if len(names) > _ENOUGH:
            return tuple(sorted(names))
    return family_names("en") if language != "en" else ()
