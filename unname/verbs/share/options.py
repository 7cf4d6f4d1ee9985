"""Options of `unname share`: pseudonyms, a representer, shared examples, and their pooling."""

from dataclasses import dataclass
from pathlib import Path

from unname.errors import SettingsError
from unname.option import group, option, require_kinds
from unname.shared_options import labels_option, split_option
from unname.sharing.settings import LIMITS, Limits, Pseudonymising, RepresentationSettings, TeachingSettings


@dataclass(frozen=True, slots=True, repr=False)
class Pseudonyms:
    """Settings of pseudonyms in annotated texts (Friedrich 2019, §4), so that taggers can learn from them."""

    pseudonymising: Pseudonymising = group(Pseudonymising)
    word_vectors: Path | None = option(
        None, "What words are like: fastText or GloVe vectors as a text file.", kind="file"
    )
    vectors_from: Path | None = option(None, "Or texts to learn it from, of which none is to be shared.", kind="path")
    labels: tuple[str, ...] = labels_option()
    split: str | None = split_option()
    key: Path | None = option(None, "File of a secret key that decides every draw.", kind="file", shown="a fresh one")
    seed: int = option(0, "Public seed, of word vectors and of the attack.")

    def __post_init__(self) -> None:
        require_kinds(self)

    def __repr__(self) -> str:
        return f"Pseudonyms(N={self.pseudonymising.neighbours})"


@dataclass(frozen=True, slots=True, repr=False)
class RepresenterTraining:
    """Settings of a private representation's training (Friedrich 2019, §5), and the most that attackers may find."""

    neighbours: int | None = option(
        None, "N: the adversary must not notice a word that becomes one of so many like it.", least=1,
        shown="one for 4,000 words with a vector, at least --least-neighbours",
    )  # fmt: skip
    settings: RepresentationSettings = group(RepresentationSettings)
    limits: Limits = group(Limits)
    word_vectors: Path | None = option(
        None, "What words are like: fastText or GloVe vectors as a text file.", kind="file",
        shown="taught by PUBLIC itself",
    )  # fmt: skip
    vectors_from: Path | None = option(None, "Or public texts to learn it from.", kind="path")
    attack_epochs: int = option(
        50, "Epochs in which adversaries learn on when all is done; up to four times as many while they get better.",
        least=1, group=LIMITS
    )  # fmt: skip
    labels: tuple[str, ...] = labels_option()
    split: str | None = split_option()
    checkpoint: Path | None = option(None, "Folder from which a killed training goes on.", kind="folder")
    seed: int = option(0, "Public seed; the representer's secret and what is shared do not follow from it.")

    def __post_init__(self) -> None:
        require_kinds(self, self.settings, self.limits)
        if self.word_vectors is not None and self.vectors_from is not None:
            raise SettingsError("word vectors come from one place: a file, or texts (--word-vectors, --vectors-from)")
        if self.neighbours is not None and self.neighbours < self.limits.neighbours:
            raise SettingsError("fewer --neighbours than --least-neighbours")

    def __repr__(self) -> str:
        return f"RepresenterTraining(d={self.settings.width})"


@dataclass(frozen=True, slots=True, repr=False)
class Representing:
    """The recipient of shared examples, and the texts they are made of."""

    recipient: str = option(
        "pool", "The recipient's name. Vectors are rotated differently for each recipient, in the same way at every site. "
        "Share a text with one recipient only.",
    )  # fmt: skip
    limits: Limits = group(Limits)
    split: str | None = split_option()
    most_told: float = option(
        10.0,
        "Write nothing if a vector could reveal more than this many nats about an identifier of your own sentences.",
        least=0,
        group=LIMITS,
    )
    attack_epochs: int = option(
        15,
        "Epochs in which a pair adversary learns on your own sentences, before anything is written.",
        least=1,
        group=LIMITS,
    )
    labels: tuple[str, ...] = labels_option()

    def __post_init__(self) -> None:
        require_kinds(self, self.limits)

    def __repr__(self) -> str:
        return "Representing()"


@dataclass(frozen=True, slots=True, repr=False)
class Pooling:
    """The use of shared examples from several houses."""

    train_tagger: bool = option(False, "Train a tagger on them; else they are put together as one folder of examples.")
    representer: Path | None = option(
        None, "Their representer, which the tagger needs before it can read text.", kind="folder",
        shown="added later, by `unname share complete`",
    )  # fmt: skip

    teaching: TeachingSettings = group(TeachingSettings)

    def __post_init__(self) -> None:
        require_kinds(self, self.teaching)
        if self.representer is not None and not self.train_tagger:
            raise SettingsError("a representer goes before a tagger: add --train-tagger")

    def __repr__(self) -> str:
        return "Pooling()"
