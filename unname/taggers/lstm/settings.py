"""The settings of a BiLSTM-CRF. Source: Friedrich 2019, table 1."""

from dataclasses import dataclass

from unname.errors import SettingsError
from unname.option import option
from unname.shared_options import epochs_option


@dataclass(frozen=True, slots=True)
class LstmSettings:
    """Sizes and training of a BiLSTM-CRF.

    Of a file of word vectors those of the texts' words and of its first `most_words` are kept, and stay as they are. With
    texts held out the epoch of the best span F1 counts.
    """

    word_vectors: str = option("", "fastText or GloVe vectors as a text file.", shown="words are learned")
    most_words: int = option(50_000, "Words of that file kept beside those of the texts.", least=0)
    teach_epochs: int = option(
        5, "Epochs in which texts teach the vectors that learning starts from; 0: chance.", least=0
    )
    word_width: int = option(100, "Dimensions of a word.", least=1)
    characters: bool = option(True, "Read a word's letters; the paper did not.")
    character_width: int = option(64, "Dimensions of a word's letters.", least=1)
    units: int = option(128, "Units of each layer and direction.", least=1)
    layers: int = option(2, "Layers.", least=1)
    word_dropout: float = option(0.05, "Share of words that are taken for unknown in learning.", least=0)
    input_dropout: float = option(0.1, "Share of the input that is dropped in learning.", least=0)
    lstm_dropout: float = option(0.25, "The same of the layers' output.", least=0)
    after_dropout: float = option(0.5, "The same before the labels.", least=0)
    least_documents: int = option(2, "A word of fewer texts counts as unknown.")
    window: int = option(96, "Most tokens of a training sequence, unless one sentence has more.", least=1)
    batch: int = option(32, "Sequences of a step.", least=1)
    epochs: int = epochs_option(16, least=1)
    rate: float = option(0.002, "Learning rate.")
    final_rate: float = option(0.05, "Share of itself to which the rate falls.", least=0)
    gradient_norm: float = option(1.0, "Norm at which gradients are clipped.")
    patience: int = option(6, "Epochs without a better one after which training stops.", least=1)
    device: str = option("auto", "Auto, cpu or cuda.")
    members: int = option(1, "Taggers, whose seeds follow each other, whose mean this one is.", least=1)
    seed: int = 0

    def __post_init__(self) -> None:
        sizes = (self.word_width, self.character_width, self.units, self.layers, self.window, self.batch)
        if (
            min(*sizes, self.patience, self.members) < 1
            or min(self.epochs, self.most_words, self.teach_epochs, self.seed) < 0
        ):
            raise SettingsError("widths, layers, window, batch, patience and members are at least 1, epochs at least 0")
        dropout = (self.word_dropout, self.input_dropout, self.lstm_dropout, self.after_dropout)
        if not all(0 <= share < 1 for share in dropout) or not 0 <= self.final_rate <= 1:
            raise SettingsError("dropout is a share below 1; final_rate at most 1")
        if not 0 < self.rate < 1 or self.gradient_norm <= 0:
            raise SettingsError("a learning rate lies between 0 and 1, and a gradient's norm above 0")
