"""What the verbs beside the main job take: values whose fields are their options, as those of a job are."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unname import registry
from unname.errors import SettingsError
from unname.job import (
    AuditPlan,
    Output,
    Runtime,
    Source,
    gazetteers_option,
    generic_option,
    label_map_option,
    require_all_known,
    require_generic,
    spans_option,
    strategy_option,
    whose_option,
)
from unname.option import build, group, option, require_kinds


@dataclass(frozen=True, slots=True, repr=False)
class AuditedRelease:
    """A release of any tool, and what is known of how it was made."""

    released: Path
    private: Path | None = option(None, "The release's private folder, for keyed ids and masks.", kind="folder")
    used: tuple[str, ...] | None = option(
        None, "Reidentifiers that were used in masking.", shown="the manifest's, else none"
    )
    previous: tuple[Path, ...] = option(
        (), "An earlier release of the same documents, read beside this one; repeatable.", kind="path", each=True
    )
    previous_private: tuple[Path, ...] = option(
        (), "Private folder of each earlier release, in the same order.", kind="folder", each=True
    )
    guesses: Path | None = option(
        None, "Who somebody outside takes each document to be about: JSONL with id and person, or [[person, score], …].",
        kind="file",
    )  # fmt: skip
    mask_pattern: str | None = option(None, "What a placeholder looks like in this release (regular expression).")
    k: int | None = option(None, "Crowd that was asked for.", least=1, shown="the manifest's, else 10")
    seed: int = option(0, "Public seed.")


@dataclass(frozen=True, slots=True, repr=False)
class AuditJob:
    """An audit whole: the release, the originals and people, who attacks, and where the report goes."""

    release: AuditedRelease
    source: Source
    plan: AuditPlan
    output: Output
    runtime: Runtime

    def __repr__(self) -> str:
        return f"AuditJob({self.plan!r})"


def make_audit_job(released: Path, original: Path, people: Path | str, out: Path, **options: Any) -> AuditJob:
    """An audit from options as the command has them, with underscores. SettingsError: one that there is not."""
    given = {"released": released, "documents": original, "people": people, "out": out, **options}
    runtime = given.pop("runtime") if "runtime" in given else build(Runtime, given)
    job = AuditJob(
        build(AuditedRelease, given), build(Source, given), build(AuditPlan, given), build(Output, given), runtime
    )
    require_all_known(given)
    return job


@dataclass(frozen=True, slots=True, repr=False)
class TaggerTraining:
    """What a tagger learns, and from which documents.

    Lists of phrases (`gazetteers`) are features of a `crf` or `svm`.
    """

    kind: str = option("crf", "Kind of tagger.", parts=registry.TRAINABLE_TAGGERS)
    split: str | None = option(None, "Learn from the rows of this split.", shown="all")
    spans: Path | None = option(
        None, "What to learn, as `label` or `tag` wrote it, in place of the spans of the corpus.", kind="file"
    )
    held_out: Path | None = option(
        None, "Documents that say when to stop.", kind="path", shown="the split dev, with --split"
    )
    labels: tuple[str, ...] = option((), "Learn only these labels; direct stands for those that name a person.")
    gazetteers: tuple[tuple[str, Path], ...] = gazetteers_option()
    label_by: str = option(
        "label", "What is told apart: labels, kinds (direct, quasi), or identifiers from all else.",
        choices=("label", "kind", "any"),
    )  # fmt: skip
    encoder: str | None = option(None, "transformer: an encoder's folder, or hub:owner/name.")
    word_vectors: Path | None = option(None, "lstm-crf: fastText or GloVe vectors as a text file.", kind="file")
    epochs: int | None = option(None, "lstm-crf, transformer: how often to read all documents.", least=1)
    device: str | None = option(None, "lstm-crf, transformer: auto, cpu or cuda.")
    identifier_weight: float | None = option(
        None, "svm, transformer: how much more a missed identifier costs than a needless one; 10 suits distant labels."
    )
    lean: float | None = option(
        None, "crf, svm, transformer: take identifiers to be so many times as likely as was learned: more is found."
    )
    judge_only: bool = option(False, "ensemble: its SVM only judges what its CRF found, as in Li 2014.")
    checkpoint: Path | None = option(
        None, "lstm-crf, transformer: folder from which a killed training goes on.", kind="folder"
    )
    seed: int = option(0, "Public seed.")


HELD_OUT = "held-out"
SELECTION = "selection"
# Kinds of learners that can lean to recall without learning anew.
LEANING = ("crf", "svm")
# How many times as likely as they were learned identifiers may be taken to be.
MOST_LEAN = 1e6


@dataclass(frozen=True, slots=True, repr=False)
class Sanitizing:
    """A game between who publishes and who reads: what a leak and a needless mask cost, and who learns (Li 2014)."""

    kind: tuple[str, ...] = option(
        ("crf", "svm"),
        "Learners: crf, svm, ensemble; of several the best of each round; `selection` stands for all three.",
    )
    loss: float = option(10.0, "L: what a sensitive word costs that stays readable.")
    cost: float = option(1.0, "C: what another word costs that is hidden.")
    labels: tuple[str, ...] = option((), "Only these labels are sensitive; direct stands for those that name a person.")
    split: str | None = option(None, "Play on the rows of this split.", shown="all")
    folds: int = option(3, "Inner folds: claims are of learners that were taught without the document.", least=2)
    stopping: str = option(
        HELD_OUT, "Whose claims count: of learners that have not seen a document, or of those that have (the paper's).",
        choices=(HELD_OUT, "in-sample"),
    )  # fmt: skip
    choose: str = option(
        "utility", "Of several learners take whose claim is worth most, or the most accurate one (the paper's).",
        choices=("utility", "accuracy"),
    )  # fmt: skip
    judge_only: bool = option(False, "The ensemble's SVM only judges what its CRF found, as in the paper.")
    lean: float | None = option(
        None, "Try crf and svm also with identifiers taken to be so many times as likely; 1 is the paper's.",
        shown="L/C",
    )  # fmt: skip
    rounds: int | None = option(None, "Most rounds.", least=1, shown="as many as pay")
    attackers: tuple[str, ...] = option(
        ("crf", "svm"), "Learners that attack what would be published, leaning further and further."
    )
    budget: int = option(100, "Words that an attacker reads, for the advice.", least=1)
    seed: int = option(0, "Public seed.")

    def __post_init__(self) -> None:
        require_kinds(self)
        if not self.kinds():
            raise SettingsError("name at least one kind of learner")
        if not all(0 < value < float("inf") for value in (self.loss, self.cost)):
            raise SettingsError("loss and cost must be above 0")
        if self.lean is not None and not 0 < self.lean <= MOST_LEAN:
            raise SettingsError(f"lean must be above 0 and at most {MOST_LEAN:.0f}")

    def leans(self) -> tuple[float, ...]:
        """How far learners that can lean do so: not at all, so far, and half as far in between."""
        most = self.loss / self.cost if self.lean is None else self.lean
        most = min(max(most, 1 / MOST_LEAN), MOST_LEAN)
        return tuple(dict.fromkeys((1.0, most**0.5, most)))

    def kinds(self) -> tuple[str, ...]:
        """The kinds of learners."""
        return _kinds(self.kind)

    def attacking(self) -> tuple[str, ...]:
        """The kinds of learners that attack."""
        return _kinds(self.attackers)

    def __repr__(self) -> str:
        return f"Sanitizing({', '.join(self.kinds())}, L={self.loss:g}, C={self.cost:g})"


def _kinds(named: tuple[str, ...]) -> tuple[str, ...]:
    every = (one for kind in named for one in (("crf", "svm", "ensemble") if kind == SELECTION else (kind,)))
    return tuple(dict.fromkeys(every))


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

    width: int = option(50, "d: numbers of a token's vector; even.", least=2)
    neighbours: int | None = option(
        None, "N: the adversary must not notice a word that becomes one of so many like it.", least=1,
        shown="one for 4,000 words with a vector, at least --least-neighbours",
    )  # fmt: skip
    weight: float = option(1.0, "λ: what the adversary counts beside the tagger.")
    noise: float = option(0.3, "Standard deviation of the noise that learning starts from.")
    least_noise: float = option(0.0, "Standard deviation that the noise of the output never falls below.", least=0)
    bottleneck: float = option(
        0.005, "What it costs that vectors stand out of the noise, so that they tell what a tagger needs and no more.",
        least=0,
    )  # fmt: skip
    rising: int = option(0, "Epochs of part 1 (three-part) in which this price rises from nothing.", least=0)
    follows: bool = option(False, "Noise depends on the vector as well (the paper's future work).")
    procedure: str = option(
        "three-part", "How to learn; dann, all at once with a reversed gradient, is there for comparison.",
        choices=("three-part", "dann"),
    )  # fmt: skip
    word_vectors: Path | None = option(
        None, "What words are like: fastText or GloVe vectors as a text file.", kind="file",
        shown="taught by PUBLIC itself",
    )  # fmt: skip
    vectors_from: Path | None = option(None, "Or public texts to learn it from.", kind="path")
    tagger_epochs: int = option(12, "Part 1: most epochs of tagger and representer.", least=0)
    adversary_epochs: int = option(10, "Part 2: most epochs of the adversary.", least=0)
    turns: int = option(20, "Part 3: most turns, an epoch each of tagger with adversary, and of representer.", least=0)
    attack_epochs: int = option(
        50, "Epochs in which adversaries learn on when all is done; up to four times as many while they get better.",
        least=1,
    )  # fmt: skip
    most_pairs: float = option(0.55, "Write nothing if the pair adversary is right more often.", kind="share")
    most_alignment: float = option(
        0.05, "Write nothing if alignment from 1,000 known tokens finds so much more than guessing.", kind="share"
    )
    least_cases: int = option(500, "Write nothing if attacks can be judged by fewer pairs or words.", least=1)
    least_neighbours: int = option(
        5, "Write nothing if the pair adversary had fewer: the fewer, the less it proves.", least=1
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
    most_pairs: float = option(0.55, "Write nothing if its pair adversary may be right more often.", kind="share")
    most_alignment: float = option(
        0.05, "Write nothing if alignment from known tokens may find so much more than guessing.", kind="share"
    )
    least_cases: int = option(500, "Write nothing if its attacks were judged by fewer pairs or words.", least=1)
    least_neighbours: int = option(
        5, "Write nothing if its pair adversary had fewer: the fewer, the less it proves.", least=1
    )
    least_attack_epochs: int = option(
        50, "Write nothing if its pair adversary learned in fewer: the fewer, the less it proves.", least=1
    )
    most_told: float = option(
        10.0, "Write nothing if the vector of an identifier may tell more nats of your own sentences.", least=0
    )
    attack_epochs: int = option(
        15, "Epochs in which a pair adversary learns on your own sentences, before anything is written.", least=1
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


@dataclass(frozen=True, slots=True, repr=False)
class GraphSources:
    """What is known of people: triples or a kept index, a table of people, and what its long texts say."""

    graph: tuple[Path, ...] = option(
        (), "Triples (person, relation, value), TSV; repeatable. Or the folder that `unname index` wrote.",
        kind="path", each=True,
    )  # fmt: skip
    people: Path | None = option(None, "Profiles whose fields are known as well.", kind="file")
    people_id_column: str = option("id", "Column of ids in the table of people.")
    graph_texts: bool = option(
        False,
        "Names, numbers and dates in long profile texts count as known of the person; groups are estimates then.",
    )
    variants: Path | None = option(
        None,
        "Further forms of terms: as the graph has it and as a text may, parted by a tab, one pair a line.",
        kind="file",
    )

    def files(self) -> list[Path]:
        """Every file that is read."""
        return [path for path in (*self.graph, self.people, self.variants) if path is not None]


@dataclass(frozen=True, slots=True, repr=False)
class Labelling:
    """What is known of people, and what of it must go from a text: see `Deidentification`."""

    sources: GraphSources = group(GraphSources)
    k: int = option(
        4, "How many other people must share what is left; the groups of 5 of Papadopoulou 2022 are 4.", least=1
    )
    strategy: str = strategy_option()
    whose: str = whose_option()
    generic: float = generic_option()
    white_list: Path | None = option(None, "Terms that always stay readable, one a line.", kind="file")
    seed: int = option(0, "Public seed.")

    def __post_init__(self) -> None:
        require_generic(self.generic)

    def __repr__(self) -> str:
        return f"Labelling(k={self.k}, {self.strategy}, {self.whose})"


@dataclass(frozen=True, slots=True, repr=False)
class Lists:
    """Lists of phrases for the rules, what other tools call our labels, and what one of them found."""

    gazetteers: tuple[tuple[str, Path], ...] = gazetteers_option()
    allow: Path | None = option(None, "Phrases that the rules never tag, one a line.", kind="file")
    label_map: Path | None = label_map_option()
    spans: Path | None = spans_option()


@dataclass(frozen=True, slots=True, repr=False)
class Scoring:
    """How spans are scored, and against which documents of the gold corpus."""

    split: str | None = option(None, "Score the gold documents of this split alone.")
    format: str | None = option(
        None, "Format of the annotated corpus.", kind="format", shown="told by the names of its files"
    )
    metric: str = option("spans", "Which scorer to count as.", choices=("spans", "i2b2", "meddocan", "tab"))
    labels: tuple[str, ...] = option((), "Labels, or groups of them, that count.", shown="all; i2b2: HIPAA's")
    weighting: str | None = option(
        None, "tab: weigh masked tokens in precision as well, by the folder of a masked language model, or `unigram`.",
        metavar="FOLDER",
    )  # fmt: skip
    as_published: bool = option(False, "i2b2, meddocan: repeat the quirks of the published scorer.")

    def __repr__(self) -> str:
        return f"Scoring({self.metric})"


@dataclass(frozen=True, slots=True, repr=False)
class ErrorPage:
    """A page of what went wrong. It shows text of the documents."""

    errors: Path | None = option(
        None, "HTML page to write, of all that went wrong. It shows text of the documents.", kind="output"
    )
    training: Path | None = option(
        None, "What the tagger learned from: --errors then says which words are new.", kind="path"
    )
    most_errors: int = option(50, "Most rows of each kind of error and type in --errors.", least=1)


@dataclass(frozen=True, slots=True, repr=False)
class ReidentifierTraining:
    """Which kind of reidentifier to train, and how.

    A `biencoder` needs an encoder for documents (a folder, or `hub:owner/name`) and may have another for profiles. With
    a `checkpoint` folder a killed training goes on where it was.
    """

    kind: str = option(
        "additive",
        "Kind of reidentifier: word vectors that a search can use, or two neural encoders.",
        parts=registry.TRAINABLE_REIDENTIFIERS,
    )
    document_encoder: str | None = option(None, "biencoder: an encoder's folder, or hub:owner/name.")
    profile_encoder: str | None = option(
        None, "biencoder: the same for profiles; a TAPAS one reads them as a table.", shown="that of documents"
    )
    width: int | None = option(None, "biencoder: dimensions that both sides are projected to.", least=1)
    window: int | None = option(None, "biencoder: tokens to read at a time; longer texts have several.", least=16)
    batch: int | None = option(None, "biencoder: documents of a step.", least=1)
    epochs: int | None = option(None, "biencoder: how often to read all documents.", least=1)
    schedule: str | None = option(None, "biencoder: one side an epoch, or both.", choices=("coordinate", "joint"))
    frozen_layers: int | None = option(None, "biencoder: lower layers that stay as they came.", least=0)
    device: str | None = option(None, "biencoder: auto, cpu or cuda.")
    checkpoint: Path | None = option(None, "biencoder: folder from which a killed training goes on.", kind="folder")
    seed: int = option(0, "Public seed.")

    def given(self) -> dict[str, Any]:
        """What the kind itself takes, so far as it was given."""
        names = ("document_encoder", "profile_encoder", "width", "window", "batch", "epochs", "schedule", "frozen_layers",
                 "device", "checkpoint")  # fmt: skip
        return {name: value for name in names if (value := getattr(self, name)) not in (None, "")}
