"""Settings of what is shared, with their defaults and help: pseudonyms, a representation, its limits, shared examples."""

import math
from dataclasses import dataclass, field

from unname.errors import SettingsError
from unname.option import option

LEARNING, LIMITS = "Learning", "Limits"


@dataclass(frozen=True, slots=True)
class Pseudonymising:
    """Settings of pseudonyms: so many `neighbours` (N); as in the paper or safely; `coherent` documents, or sentences."""

    neighbours: int = option(100, "N: an identifier's token becomes one of so many words that are like it.", least=1)
    as_published: bool = option(
        False, "As in the paper: a token may stand for itself, and words without a vector stay in clear."
    )
    coherent: bool = option(False, "Keep documents whole, and replace the same token in one by the same.")

    def __post_init__(self) -> None:
        if self.neighbours < 1:
            raise SettingsError("neighbours must be at least 1")


@dataclass(frozen=True, slots=True)
class RepresentationSettings:
    """Settings of a representation and of its training.

    `width` is d, `neighbours` N, `weight` λ, `noise` the standard deviation that learning starts from, and `least_noise`
    what that of the output never falls below; with `follows` it also depends on each vector. Beyond the paper, each nat that
    vectors tell of their words costs the representer `bottleneck`, so that it tells what the tagger needs and no more; the
    price rises from nothing in the first `rising` epochs, for one that tells nothing from the start learns little. Pairs
    are `balanced`, or as in the paper (`pairs.paired`). `procedure` is three-part or dann. Parts 1, 2 and 3 take up to so
    many epochs, and end after `patience` ones without a better loss on held-out texts.
    """

    width: int = option(50, "d: numbers of a token's vector; even.", least=2, group=LEARNING)
    neighbours: int = 100
    weight: float = option(1.0, "λ: what the adversary counts beside the tagger.", group=LEARNING)
    noise: float = option(0.3, "Standard deviation of the noise that learning starts from.", group=LEARNING)
    least_noise: float = option(
        0.0, "Standard deviation that the noise of the output never falls below.", least=0, group=LEARNING
    )
    bottleneck: float = option(
        0.005, "Price of what vectors tell beyond their noise, so that they tell what a tagger needs and no more.", least=0,
        group=LEARNING,
    )  # fmt: skip
    rising: int = option(
        0, "Epochs of part 1 (three-part) in which this price rises from nothing.", least=0, group=LEARNING
    )
    follows: bool = option(False, "Noise depends on the vector as well (the paper's future work).", group=LEARNING)
    balanced: bool = True
    procedure: str = option(
        "three-part", "How to learn; dann, all at once with a reversed gradient, is there for comparison.",
        choices=("three-part", "dann"), group=LEARNING,
    )  # fmt: skip
    units: int = 128
    adversary_units: int = 64
    batch: int = 32
    rate: float = 0.002
    tagger_epochs: int = option(12, "Part 1: most epochs of tagger and representer.", least=0, group=LEARNING)
    adversary_epochs: int = option(10, "Part 2: most epochs of the adversary.", least=0, group=LEARNING)
    turns: int = option(
        20, "Part 3: most turns, an epoch each of tagger with adversary, and of representer.", least=0, group=LEARNING
    )
    patience: int = 4
    seed: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        if self.procedure not in ("three-part", "dann"):
            raise SettingsError("procedure must be three-part or dann")
        numbers = (self.weight, self.noise, self.rate, self.least_noise, self.bottleneck)
        if not all(map(math.isfinite, numbers)):
            raise SettingsError("weight, noise, rate, least_noise and bottleneck must be numbers")
        if self.width < 2 or self.width % 2 or self.neighbours < 1:
            raise SettingsError("width must be even, neighbours at least 1")
        if min(self.weight, self.noise, self.rate) <= 0 or min(self.least_noise, self.bottleneck) < 0:
            raise SettingsError("weight, noise and rate must be above 0; least_noise and bottleneck not below")
        if min(self.units, self.adversary_units, self.batch, self.patience) < 1:
            raise SettingsError("units, batch and patience must be at least 1")
        if min(self.tagger_epochs, self.adversary_epochs, self.turns, self.rising, self.seed) < 0:
            raise SettingsError("epochs, turns and seed must be at least 0")


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of what may be shared: the pair adversary's success, and the gain of alignment from known tokens.

    Upper limits of both must lie below, the adversary's pairs must be of `neighbours` words and a fresh one have learned for
    `epochs`, at least: the fewer, the less they prove. Fewer `cases` than these to judge by, or fewer known tokens than both
    1,000 and twice these, are too little.
    """

    pairs: float = option(
        0.55,
        "Write nothing if the pair adversary may be right more often.",
        name="most_pairs",
        kind="share",
        group=LIMITS,
    )
    alignment: float = option(
        0.05, "Write nothing if alignment from 1,000 known tokens may find so much more than guessing.",
        name="most_alignment", kind="share", group=LIMITS,
    )  # fmt: skip
    cases: int = option(
        500,
        "Write nothing if attacks can be judged by fewer pairs or words.",
        name="least_cases",
        least=1,
        group=LIMITS,
    )
    neighbours: int = option(
        5, "Write nothing if the pair adversary had fewer neighbours: the fewer, the less it proves.",
        name="least_neighbours", least=1, group=LIMITS,
    )  # fmt: skip
    epochs: int = option(
        50, "Write nothing if the pair adversary learned in fewer epochs: the fewer, the less it proves.",
        name="least_attack_epochs", least=1, group=LIMITS,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TeachingSettings:
    """Settings of a tagger that learns from representations; the rate falls to `last_rate` (Friedrich 2019, table 1)."""

    units: int = 128
    epochs: int = option(16, "How often to read all examples.", least=1)
    batch: int = 32
    rate: float = 0.002
    last_rate: float = 0.05
    patience: int = 6
    seed: int = option(0, "Public seed.")

    def __post_init__(self) -> None:
        if min(self.units, self.epochs, self.batch, self.patience) < 1 or self.seed < 0:
            raise SettingsError("units, epochs, batch and patience must be at least 1")
        if not 0 < self.rate < 1 or not 0 <= self.last_rate <= 1:
            raise SettingsError("a rate lies between 0 and 1")
