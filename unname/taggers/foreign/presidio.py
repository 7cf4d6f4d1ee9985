"""Microsoft's Presidio with its default engine and recognisers, over the pipelines of spaCy that are installed.

Presidio would fetch a pipeline, and a list of domains, from the network; here it is given those that are there.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from unname.errors import ModelError, TaggingError, missing_extra
from unname.stopwords import languages_of
from unname.taggers.foreign.base import Foreign, quietly, version_of
from unname.taggers.foreign.windows import windows
from unname.text import folded_words
from unname.types import Span

# Of several pipelines of a language, that which Presidio would want, then the larger.
_SIZES = ("_lg", "_trf", "_md", "_sm")

# The answer of `languages_of` for a text without function words of any language.
_UNKNOWN = ("en",)


@dataclass(frozen=True, repr=False)
class PresidioTagger(Foreign):
    """The spans of Presidio's analyzer: `presidio` in each text's language, or `presidio:LANG`.

    Without a language a text is read in the ones that its function words are of, or if it has none of these, in all that
    have a pipeline; where several have one, but not that of the text, it is withheld.
    """

    written: ClassVar[str] = "presidio"
    library: ClassVar[str] = "presidio_analyzer"
    name: str = field(default="presidio.v1", init=False)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The files of its pipelines."""
        loaded = engine(tuple(self._named().items())).nlp_engine.nlp
        return tuple(Path(loaded[language].path) for language in self._named())

    def _named(self) -> dict[str, str]:
        """The pipeline of each language that is read."""
        there = pipelines()
        if self.model and self.model not in there:
            raise ModelError(
                "Presidio needs a spaCy pipeline of the language, and none is installed; languages that have one: "
                f"{', '.join(there) or 'none'}"
            )
        if not there:
            raise ModelError("Presidio needs a spaCy pipeline, such as en_core_web_lg; none is installed")
        return {self.model: there[self.model]} if self.model else there

    def their_labels(self) -> Iterable[str]:
        """All entities that its recognisers look for, in any of the languages."""
        named = self._named()
        made = engine(tuple(named.items()))
        entities: set[str] = quietly(
            lambda: {each for language in named for each in made.get_supported_entities(language)}
        )
        return entities

    def about(self) -> Mapping[str, str]:
        """The versions of Presidio and spaCy, and each language's pipeline."""
        versions = {name: version_of(name) for name in ("presidio-analyzer", "spacy")}
        named = ", ".join(f"{name} {version_of(name)} ({language})" for language, name in self._named().items())
        return {"name": self.name, **versions, "model": named}

    def parts(self, text: str) -> Iterator[list[Span]]:
        """Every language's spans in every window."""
        named = self._named()
        made = engine(tuple(named.items()))
        for language in self._languages(text, named):
            for start, end in windows(text):
                entities = made.analyze(text=text[start:end], language=language)
                yield [Span(start + one.start, start + one.end, one.entity_type, score=one.score) for one in entities]

    def _languages(self, text: str, named: Iterable[str]) -> list[str]:
        own = list(named)
        languages = languages_of(folded_words(text)) if len(own) > 1 else own
        known = [language for language in own if language in languages]
        if not known and languages != _UNKNOWN:
            # Read in other languages it would be masked at random.
            raise TaggingError(
                "presidio has no pipeline for the language of a text; withhold it, or name one to read all in"
            )
        return known or own


@cache
def pipelines() -> dict[str, str]:
    """The spaCy pipeline of each language that has one installed."""
    try:
        import presidio_analyzer  # noqa: F401
        import spacy.util
    except ImportError as error:
        raise missing_extra(error) or error from None
    by_language: dict[str, str] = {}
    for name in sorted(spacy.util.get_installed_models(), key=lambda name: (_rank(name), name)):
        by_language.setdefault(name.partition("_")[0], name)
    return dict(sorted(by_language.items()))


def _rank(name: str) -> int:
    return next((rank for rank, size in enumerate(_SIZES) if size in name), len(_SIZES))


@cache
def engine(named: tuple[tuple[str, str], ...]) -> Any:
    """The analyzer over the pipelines of some languages, loaded once a process."""
    failed = ""
    try:
        return quietly(lambda: _made(named))
    except ImportError as error:
        raise missing_extra(error) or error from None
    except Exception as error:  # whatever the library raises
        failed = type(error).__name__
    raise ModelError(f"Presidio cannot be set up ({failed})")


def _made(named: tuple[tuple[str, str], ...]) -> Any:
    import tldextract
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    # The list that comes with it; it would fetch another.
    tldextract.tldextract.TLD_EXTRACTOR = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)
    usual = NlpEngineProvider().nlp_configuration
    models = [{"lang_code": language, "model_name": name} for language, name in named]
    provider = NlpEngineProvider(nlp_configuration={**usual, "models": models})
    return AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=[language for language, _ in named])
