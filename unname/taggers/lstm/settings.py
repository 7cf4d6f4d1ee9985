"""The settings of a BiLSTM-CRF. Source: Friedrich 2019, table 1."""

from dataclasses import dataclass

from unname.errors import SettingsError
from unname.shared_options import epochs_option


@dataclass(frozen=True, slots=True)
class LstmSettings:
    """Sizes and training of a BiLSTM-CRF.

    `word_vectors` is a text file as fastText and GloVe have them, whose vectors are kept as they are, those of the
    texts' words and of the file's first `most_words`. Without one words are learned: from chance, or from vectors that
    the texts taught in so many `teach_epochs`. Without `characters` a word's letters are not read, as in the
    paper. A word of fewer than `least_documents` texts counts as unknown. `window` is the most tokens of a training
    sequence, unless one sentence has more. Rates fall evenly to `final_rate` of themselves. With texts held out
    training stops after `patience` epochs without a better span F1, and the best epoch counts. A tagger is the mean of
    so many `members`, whose seeds follow each other.
    """

    word_vectors: str = ""
    most_words: int = 50_000
    teach_epochs: int = 5
    word_width: int = 100
    characters: bool = True
    character_width: int = 64
    units: int = 128
    layers: int = 2
    word_dropout: float = 0.05
    input_dropout: float = 0.1
    lstm_dropout: float = 0.25
    after_dropout: float = 0.5
    least_documents: int = 2
    window: int = 96
    batch: int = 32
    epochs: int = epochs_option(16, least=1)
    rate: float = 0.002
    final_rate: float = 0.05
    gradient_norm: float = 1.0
    patience: int = 6
    device: str = "auto"
    members: int = 1
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
