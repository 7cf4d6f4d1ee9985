"""The settings of a transformer tagger. Sources: Devlin 2019, appendix A.3; Papadopoulou 2022, §4."""

from dataclasses import dataclass

from unname.errors import SettingsError
from unname.option import option
from unname.shared_options import epochs_option, identifier_weight_option, lean_option
from unname.taggers.leaning import require_lean


@dataclass(frozen=True, slots=True)
class TransformerSettings:
    """Sizes and training of a transformer tagger. Rates rise, and then fall evenly to nothing."""

    encoder: str = option("", "An encoder's folder, or hub:owner/name.")
    window: int = option(256, "Word pieces to read at a time, with those that frame a window.", least=16)
    dropout: float = option(0.1, "Share that is dropped in learning before the labels.", least=0)
    batch: int = option(8, "Windows of a step.", least=1)
    epochs: int = epochs_option(4, least=1)
    rate: float = option(2e-5, "Learning rate of the encoder.")
    head_rate: float = option(1e-3, "Learning rate of the labels' layer.")
    weight_decay: float = option(0.01, "Weight decay.", least=0)
    warm_up: float = option(0.1, "Share of all steps over which rates rise.", least=0)
    gradient_norm: float = option(1.0, "Norm at which gradients are clipped.")
    identifier_weight: float = identifier_weight_option(1.0)
    lean: float = lean_option(1.0)
    patience: int = option(2, "Epochs without a better one after which training stops.", least=1)
    bf16: bool = option(False, "Learn in 16-bit arithmetic.")
    device: str = option("auto", "Auto, cpu or cuda.")
    seed: int = 0

    def __post_init__(self) -> None:
        require_lean(self.lean)
        if self.window < 16 or min(self.batch, self.patience) < 1 or min(self.epochs, self.seed) < 0:
            raise SettingsError("a window has at least 16 pieces, a batch and patience at least 1, epochs at least 0")
        if not (0 <= self.dropout < 1 and 0 <= self.warm_up <= 1):
            raise SettingsError("dropout is a share below 1; warm_up at most 1")
        if not (0 < self.rate < 1 and 0 < self.head_rate < 1) or self.gradient_norm <= 0 or self.identifier_weight <= 0:
            raise SettingsError("learning rates lie between 0 and 1; weights and a gradient's norm above 0")
