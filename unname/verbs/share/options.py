"""Options of `unname share`: pseudonyms, a representer, lessons, and what is made of several houses' lessons."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname.errors import SettingsError
from unname.option import option, require_kinds


@dataclass(frozen=True, slots=True, repr=False)
class Pseudonyms:
    """How identifiers of annotated texts become other words (Friedrich 2019, §4), so that taggers can learn from them."""

    neighbours: int = option(100, "N: an identifier's token becomes one of so many words that are like it.", least=1)
    word_vectors: Path | None = option(
        None, "What words are like: fastText or GloVe vectors as a text file.", kind="file"
    )
    vectors_from: Path | None = option(None, "Or texts to learn it from, of which none is to be shared.", kind="path")
    coherent: bool = option(False, "Keep documents whole, and replace the same token in one by the same.")
    as_published: bool = option(
        False, "As in the paper: a token may stand for itself, and words without a vector stay in clear."
    )
    labels: tuple[str, ...] = option(
        (), "Only these labels are identifiers; direct stands for those that name a person."
    )
    split: str | None = option(None, "Only the rows of this split.", shown="all")
    key: Path | None = option(None, "File of a secret key that decides every draw.", kind="file", shown="a fresh one")
    seed: int = option(0, "Public seed, of word vectors and of the attack.")

    def __post_init__(self) -> None:
        require_kinds(self)

    def __repr__(self) -> str:
        return f"Pseudonyms(N={self.neighbours})"


@dataclass(frozen=True, slots=True, repr=False)
class RepresenterTraining:
    """How a private representation is learned (Friedrich 2019, §5), and what attackers may find at most."""

    width: int = option(50, "d: numbers of a token's vector; even.", least=2, group="Learning")
    neighbours: int | None = option(
        None, "N: the adversary must not notice a word that becomes one of so many like it.", least=1,
        shown="one for 4,000 words with a vector, at least --least-neighbours",
    )  # fmt: skip
    weight: float = option(1.0, "λ: what the adversary counts beside the tagger.", group="Learning")
    noise: float = option(0.3, "Standard deviation of the noise that learning starts from.", group="Learning")
    least_noise: float = option(
        0.0, "Standard deviation that the noise of the output never falls below.", least=0, group="Learning"
    )
    bottleneck: float = option(
        0.005, "What it costs that vectors stand out of the noise, so that they tell what a tagger needs and no more.",
        least=0, group="Learning"
    )  # fmt: skip
    rising: int = option(
        0, "Epochs of part 1 (three-part) in which this price rises from nothing.", least=0, group="Learning"
    )
    follows: bool = option(False, "Noise depends on the vector as well (the paper's future work).", group="Learning")
    procedure: str = option(
        "three-part", "How to learn; dann, all at once with a reversed gradient, is there for comparison.",
        choices=("three-part", "dann"), group="Learning"
    )  # fmt: skip
    word_vectors: Path | None = option(
        None, "What words are like: fastText or GloVe vectors as a text file.", kind="file",
        shown="taught by PUBLIC itself",
    )  # fmt: skip
    vectors_from: Path | None = option(None, "Or public texts to learn it from.", kind="path")
    tagger_epochs: int = option(12, "Part 1: most epochs of tagger and representer.", least=0, group="Learning")
    adversary_epochs: int = option(10, "Part 2: most epochs of the adversary.", least=0, group="Learning")
    turns: int = option(
        20, "Part 3: most turns, an epoch each of tagger with adversary, and of representer.", least=0, group="Learning"
    )
    attack_epochs: int = option(
        50, "Epochs in which adversaries learn on when all is done; up to four times as many while they get better.",
        least=1, group="Limits"
    )  # fmt: skip
    most_pairs: float = option(
        0.55, "Write nothing if the pair adversary is right more often.", kind="share", group="Limits"
    )
    most_alignment: float = option(
        0.05,
        "Write nothing if alignment from 1,000 known tokens finds so much more than guessing.",
        kind="share",
        group="Limits",
    )
    least_cases: int = option(
        500, "Write nothing if attacks can be judged by fewer pairs or words.", least=1, group="Limits"
    )
    least_neighbours: int = option(
        5, "Write nothing if the pair adversary had fewer: the fewer, the less it proves.", least=1, group="Limits"
    )
    labels: tuple[str, ...] = option(
        (), "Only these labels are identifiers; direct stands for those that name a person."
    )
    split: str | None = option(None, "Only the rows of this split.", shown="all")
    checkpoint: Path | None = option(None, "Folder from which a killed training goes on.", kind="folder")
    seed: int = option(0, "Public seed; the representer's secret and what is shared do not follow from it.")

    def __post_init__(self) -> None:
        require_kinds(self)
        if self.word_vectors is not None and self.vectors_from is not None:
            raise SettingsError("word vectors come from one place: a file, or texts (--word-vectors, --vectors-from)")
        if self.neighbours is not None and self.neighbours < self.least_neighbours:
            raise SettingsError("fewer --neighbours than --least-neighbours")

    def settings(self) -> dict[str, Any]:
        """What the training itself takes."""
        names = ("width", "neighbours", "weight", "noise", "least_noise", "bottleneck", "rising", "follows", "procedure",
                 "tagger_epochs", "adversary_epochs", "turns", "seed")  # fmt: skip
        return {name: given for name in names if (given := getattr(self, name)) is not None}

    def __repr__(self) -> str:
        return f"RepresenterTraining(d={self.width})"


@dataclass(frozen=True, slots=True, repr=False)
class Representing:
    """Whom lessons are for, and of which texts they are."""

    recipient: str = option(
        "pool", "Whom it is for: vectors are turned for each recipient in another way, alike in all houses. Share a text "
        "with one recipient only.",
    )  # fmt: skip
    split: str | None = option(None, "Only the rows of this split.", shown="all")
    most_pairs: float = option(
        0.55, "Write nothing if its pair adversary may be right more often.", kind="share", group="Limits"
    )
    most_alignment: float = option(
        0.05,
        "Write nothing if alignment from known tokens may find so much more than guessing.",
        kind="share",
        group="Limits",
    )
    least_cases: int = option(
        500, "Write nothing if its attacks were judged by fewer pairs or words.", least=1, group="Limits"
    )
    least_neighbours: int = option(
        5, "Write nothing if its pair adversary had fewer: the fewer, the less it proves.", least=1, group="Limits"
    )
    least_attack_epochs: int = option(
        50,
        "Write nothing if its pair adversary learned in fewer: the fewer, the less it proves.",
        least=1,
        group="Limits",
    )
    most_told: float = option(
        10.0,
        "Write nothing if the vector of an identifier may tell more nats of your own sentences.",
        least=0,
        group="Limits",
    )
    attack_epochs: int = option(
        15,
        "Epochs in which a pair adversary learns on your own sentences, before anything is written.",
        least=1,
        group="Limits",
    )
    labels: tuple[str, ...] = option(
        (), "Only these labels are identifiers; direct stands for those that name a person."
    )

    def __post_init__(self) -> None:
        require_kinds(self)

    def __repr__(self) -> str:
        return "Representing()"


@dataclass(frozen=True, slots=True, repr=False)
class Pooling:
    """What becomes of lessons from several houses."""

    train_tagger: bool = option(False, "Train a tagger on them; else they are put together as one folder of lessons.")
    representer: Path | None = option(
        None, "Their representer, which the tagger needs before it can read text.", kind="folder",
        shown="added later, by `unname share complete`",
    )  # fmt: skip
    epochs: int = option(16, "How often to read all lessons.", least=1)
    seed: int = option(0, "Public seed.")

    def __post_init__(self) -> None:
        require_kinds(self)
        if self.representer is not None and not self.train_tagger:
            raise SettingsError("a representer goes before a tagger: add --train-tagger")

    def __repr__(self) -> str:
        return "Pooling()"
