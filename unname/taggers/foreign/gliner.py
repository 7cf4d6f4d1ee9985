"""GLiNER models, from a folder: they find the labels that they are asked for, which are the names of ours in plain words.

Offline, weights as safetensors only. A model reads so many words and pieces and drops the rest without a word, so it is
given no more than that at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from unname.errors import ModelError, SettingsError, TaggingError, missing_extra
from unname.storage.modelfolder import (
    MOST_JSON,
    faults_of,
    parse_json,
    read_bytes,
    require_harmless,
    require_plain,
    tensors,
)
from unname.taggers.foreign.base import Foreign, quietly, version_of
from unname.taggers.foreign.windows import Place, token_windows
from unname.types import Span

# Below the library's own .5: a missed name costs more than a needless mask.
THRESHOLD = 0.3
_CONFIG = "gliner_config.json"
# Characters of what counts as a word; a longer one is read in parts.
_LONGEST = 100
# Pieces that are kept free for what frames a window.
_FRAME = 16


@dataclass(frozen=True, repr=False)
class GlinerTagger(Foreign):
    """The spans of our labels by a GLiNER model: `gliner:DIR`, a folder with safetensors."""

    threshold: float = THRESHOLD
    written: ClassVar[str] = "gliner:DIR"
    library: ClassVar[str] = "gliner"
    name: str = field(default="gliner.v1", init=False)

    def __post_init__(self) -> None:
        if not self.model:
            raise SettingsError("gliner needs a folder: gliner:DIR, a GLiNER model")

    @property
    def folders(self) -> tuple[Path, ...]:
        """The files of the model."""
        return (Path(self.model),)

    def their_labels(self) -> Iterable[str]:
        """The labels it is asked for."""
        return self.labels_as.asked()

    def about(self) -> Mapping[str, str]:
        """The libraries that read it; the folder is the user's."""
        kind = str(model(self.model).config.encoder_config.model_type)
        return {"name": self.name, **{name: version_of(name) for name in ("gliner", "transformers", "torch")},
                "model": kind}  # fmt: skip

    def parts(self, text: str) -> Iterator[list[Span]]:
        """Window by window."""
        import torch

        from unname.neural.trainer_state import one_thread

        made, asked = model(self.model), list(self.labels_as.asked())
        for start, end in _windows(made, text, asked):
            with one_thread(), torch.no_grad():
                entities = made.predict_entities(text[start:end], asked, flat_ner=False, threshold=self.threshold)
            yield [Span(start + one["start"], start + one["end"], one["label"], score=one["score"]) for one in entities]


def _windows(made: Any, text: str, asked: Sequence[str]) -> Iterator[Place]:
    """Stretches of a text that the model reads whole, with the labels it is asked for before them."""
    places = list(_words(made, text))
    tokenizer = made.data_processor.transformer_tokenizer
    room = _limit(made) - _FRAME - sum(_costs(tokenizer, asked)) - 2 * len(asked)
    if room < 2 * _LONGEST:
        raise TaggingError("a GLiNER model is asked for more than it can read; the text is withheld")
    costs = _costs(tokenizer, [text[start:end] for start, end in places])
    for first, last in token_windows(costs, room, int(made.config.max_len)):
        if first < last:
            yield places[first][0], places[last - 1][1]


def _words(made: Any, text: str) -> Iterator[Place]:
    for _, start, end in made.data_processor.words_splitter(text):
        for at in range(start, end, _LONGEST):
            yield at, min(end, at + _LONGEST)


def _costs(tokenizer: Any, words: Sequence[str]) -> list[int]:
    """The number of pieces of each word."""
    if not words:
        return []
    return [len(ids) for ids in tokenizer(list(words), add_special_tokens=False, verbose=False)["input_ids"]]


def _limit(made: Any) -> int:
    """Pieces that the encoder is given at most: by its tokenizer, and by its positions where these are counted."""
    config = made.config.encoder_config
    limit = int(min(made.data_processor.transformer_tokenizer.model_max_length, 1 << 20))
    if getattr(config, "position_biased_input", True) and not getattr(config, "relative_attention", False):
        most = getattr(config, "max_position_embeddings", limit)
        limit = min(limit, int(most) - (2 if "roberta" in str(config.model_type) else 0)) if most else limit
    return limit


@cache
def model(folder: str) -> Any:
    """The model of a folder, loaded once a process; anything that is off is a ModelError."""
    with faults_of(Path(folder)):
        require_sound(Path(folder))
        return _load(Path(folder))


def require_sound(folder: Path) -> None:
    """Raise ModelError unless a folder holds data alone, weights as safetensors, and all parts of the model."""
    require_plain(folder)
    weights = list(folder.glob("*.safetensors"))
    if not weights:
        raise ModelError("a GLiNER model's folder needs its weights as safetensors")
    for path in weights:
        tensors(path)
    settings = parse_json(read_bytes(folder / _CONFIG, MOST_JSON))
    require_harmless({key: value for key, value in settings.items() if key != "model_max_length"})
    if not isinstance(settings.get("encoder_config"), dict):
        raise ModelError(
            "the folder says its encoder by name alone, which would be fetched: save the model again, with its encoder's "
            "configuration"
        )


def _load(folder: Path) -> Any:
    try:
        from gliner import GLiNER
    except ImportError as error:
        raise missing_extra(error) or error from None
    from unname.neural.encoders import quiet

    failed = ""
    try:
        with quiet():
            made = quietly(lambda: GLiNER.from_pretrained(
                str(folder), local_files_only=True, load_tokenizer=True, map_location="cpu", strict=True
            ))  # fmt: skip
    except Exception as error:  # whatever the library raises for a folder that makes no sense
        failed = type(error).__name__
    if failed:
        raise ModelError(f"the GLiNER model cannot be loaded ({failed})")
    return made.eval()
