"""Methods that are more than an order in which words go: names for an order, a mandatory mask and rounds."""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass
from typing import Any

from unname import registry
from unname.masking.base import Method
from unname.masking.baselines import Idf, Nothing
from unname.masking.search import Greedy
from unname.shared_options import rounds_option
from unname.spec import parse
from unname.taggers.labels import ALL, DIRECT


@dataclass(frozen=True)
class Preset:
    """A name for an order of words under fixed `parameters`, with what a job does before it and after it.

    `order` makes the method that hides. Taggers are asked first where there is anything to `hide` of what they find, by
    default these labels. With `takes_rounds` attackers may learn from what is left, and what they find is masked again.
    """

    order: Callable[..., Method]
    about: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    hide: tuple[str, ...] = ()
    takes_rounds: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "__doc__", self.about or self.order.__doc__)

    def __call__(self, **parameters: Any) -> Method:
        """The method that hides, with further parameters."""
        return self.order(**self.parameters, **parameters)

    def parameter_fields(self) -> Mapping[str, "Field[Any]"]:
        """The order's own parameters but for those that are fixed, and the rounds where there are any."""
        own: tuple[Field[Any], ...] = fields(self.order) if is_dataclass(self.order) else ()
        own_fields = {each.name: each for each in own if "option" in each.metadata and each.name not in self.parameters}
        return own_fields | ({each.name: each for each in fields(_InRounds)} if self.takes_rounds else {})


@dataclass(frozen=True, slots=True)
class _InRounds:
    rounds: int | None = rounds_option()


def preset_of(spec: str) -> Preset:
    """Everything that a method's name stands for, parameters aside; of most it is the order alone."""
    part = registry.part(registry.METHODS, parse(spec).name)
    return part if isinstance(part, Preset) else Preset(part)


ADAPTIVE = Preset(
    Greedy,
    "As `composed`; then attackers are retrained on what is left, and what they still find is masked, in `rounds` at most.",
    hide=(DIRECT,),
    takes_rounds=True,
)
COMPOSED = Preset(
    Greedy,
    "Rules and taggers hide direct identifiers, a mandatory mask that is never given back; then the greedy search goes on.",
    hide=(DIRECT,),
)
TAGGED = Preset(
    Nothing,
    "Hide every span that any tagger finds, whatever the crowd: what an entity recogniser can do alone.",
    hide=(ALL,),
)
IDF_TABLE_AWARE = Preset(
    Idf,
    "Hide the profile's words, then the rarest others as `Idf` does.",
    parameters={"profile_first": True, "name": "idf-table-aware.v1"},
)
