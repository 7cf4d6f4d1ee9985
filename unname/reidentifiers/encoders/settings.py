"""The settings of a bi-encoder. Source: Morris 2022, appendix A; our defaults suit a CPU."""

from dataclasses import dataclass

from unname.errors import SettingsError
from unname.option import option, require_kinds
from unname.shared_options import epochs_option


@dataclass(frozen=True, slots=True)
class BiencoderSettings:
    """Sizes and training of a bi-encoder.

    `profile_epochs` are the epochs, from 0, that train the profile encoder; with the schedule `joint` every step trains
    both. Rates rise over the first `warm_up` share of each side's first epoch and fall evenly to `final_rate` of
    themselves. A checkpoint is written every `part` steps, scores are made `block` at a time: neither changes a result.
    """

    document_encoder: str = option("", "Encoder of documents: a folder, or hub:owner/name.")
    profile_encoder: str = option(
        "", "The same for profiles; a TAPAS one reads them as a table.", shown="that of documents"
    )
    width: int = option(384, "Dimensions that both sides are projected to.", least=1)
    window: int = option(128, "Tokens to read at a time; longer texts have several windows.", least=16)
    dropout: float = option(0.01, "Share of a projection's input that is dropped in learning.", least=0)
    encoder_dropout: float = option(0.0, "The same within encoders.", least=0)
    batch: int = option(64, "Documents of a step.", least=1)
    epochs: int = epochs_option(6, least=0)
    schedule: str = option("coordinate", "One side an epoch, or both.", choices=("coordinate", "joint"))
    profile_epochs: tuple[int, ...] = (1, 3)
    profile_masks: bool = option(False, "Hide words of documents also while the profile encoder learns.")
    warm_start: int = option(20, "Epochs of the two projections alone beforehand, on encoders as they came.", least=0)
    document_rate: float = option(1e-4, "Learning rate of the document encoder.")
    profile_rate: float = option(5e-5, "Learning rate of the profile encoder.")
    warm_rate: float = option(1e-3, "Learning rate of the projections alone.")
    weight_decay: float = option(0.01, "Weight decay.", least=0)
    warm_up: float = option(0.1, "Share of a side's first epoch over which its rate rises.", least=0)
    final_rate: float = option(0.1, "Share of itself to which a rate falls.", least=0)
    gradient_norm: float = option(5.0, "Norm at which gradients are clipped.", least=0)
    smoothing: float = option(0.01, "Label smoothing.", least=0)
    mask_prior: str = option(
        "uniform", "Words hidden in learning: any number of any, of rare ones sooner, or none.",
        choices=("uniform", "idf", "none"),
    )  # fmt: skip
    lexical: float = option(0.5, "Share of texts in learning that lose all words that their profile says.", least=0)
    window_choice: str = option(
        "one", "Windows of a document that an epoch reads: one, drawn by length, or all.", choices=("one", "all")
    )
    held_out: float = option(0.03, "Share of people held out to judge an epoch.", least=0)
    held_out_most: int = option(500, "Most people held out.", least=1)
    patience: int = option(3, "Epochs without a better one after which training stops.", least=1)
    all_profiles: bool = option(False, "Compare with all profiles in learning, not only those of known texts.")
    frozen_layers: int = option(0, "Lower layers that stay as they came.", least=0)
    frozen_embeddings: bool = option(False, "Keep the embeddings of tokens as they came.")
    bf16: bool = option(True, "Learn in 16-bit arithmetic where the processor has it.")
    device: str = option("auto", "Auto, cpu or cuda.")
    threads: int = option(0, "Threads; 0 leaves the number to PyTorch.", least=0)
    part: int = 50
    block: int = 65536
    seed: int = 0

    def __post_init__(self) -> None:
        require_kinds(self)
        if min(self.part, self.block) < 1 or self.seed < 0:
            raise SettingsError("part and block must be at least 1, a seed at least 0")
        shares = (self.dropout, self.encoder_dropout, self.smoothing, self.held_out, self.warm_up, self.final_rate,
                  self.lexical)  # fmt: skip
        if max(shares) > 1 or max(shares[:4]) == 1:
            raise SettingsError("dropout, smoothing and what is held out are shares below 1; the others at most 1")
        if not all(0 < rate < 1 for rate in (self.document_rate, self.profile_rate, self.warm_rate)):
            raise SettingsError("learning rates must lie between 0 and 1")
        if not self.profile_encoder:
            object.__setattr__(self, "profile_encoder", self.document_encoder)

    def side(self, epoch: int) -> str:
        """The side that an epoch trains: `document`, `profile` or `joint`."""
        if self.schedule == "joint":
            return "joint"
        return "profile" if epoch in self.profile_epochs else "document"
