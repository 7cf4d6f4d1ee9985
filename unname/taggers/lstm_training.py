"""Training of the BiLSTM-CRF. Source: Friedrich 2019, §3 and table 1.

Whatever is random follows from the seed, the epoch and the step, so a run that is taken up again goes on as if it had
never stopped.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from unname.errors import SettingsError
from unname.log import Progress, silent
from unname.neural.trainer_state import TrainerState, TrainingHistory, number, seeded
from unname.taggers.lstm_labelling import label
from unname.taggers.lstm_network import Batch, Dropout, Network, Sizes, make_batch, padded
from unname.taggers.lstm_reading import Lookup, Numbers
from unname.taggers.reading import identity_of, read, span_f1
from unname.types import Document

_POOL = 20


@dataclass(frozen=True, slots=True)
class LstmSettings:
    """What a BiLSTM-CRF is and how it is trained.

    `word_vectors` is a text file as fastText and GloVe have them, whose vectors are kept as they are, those of the
    texts' words and of the file's first `most_words`. Without one words are learned: from chance, or from vectors that
    the texts taught in so many `teach_epochs`. Without `characters` nothing is read of a word's letters, as in the
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
    epochs: int = 16
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

    def sizes(self) -> Sizes:
        """How large a network is."""
        return Sizes(self.word_width, self.character_width if self.characters else 0, self.units, self.layers)

    def dropout(self) -> Dropout:
        """What is hidden in training."""
        return Dropout(self.word_dropout, self.input_dropout, self.lstm_dropout, self.after_dropout)


class Stretch(NamedTuple):
    """The tokens `[start, end)` of a text."""

    text: int
    start: int
    end: int


class LabelledText(NamedTuple):
    """A text in numbers, the numbers of its labels, and where its sentences begin."""

    numbers: Numbers
    gold: list[int]
    starts: tuple[int, ...]


def labelled_text(document: Document, lookup: Lookup) -> LabelledText:
    """What a document teaches."""
    reading = read(document.text)
    places = {label: number for number, label in enumerate(lookup.vocabulary.labels)}
    return LabelledText(
        lookup.numbers(reading), [places[name] for name in reading.gold(document.spans)], reading.starts
    )


def sequences(text: LabelledText, most: int, random: np.random.Generator) -> Iterator[tuple[int, int]]:
    """A text in stretches of whole sentences, at most so many tokens each; the first one's length is drawn."""
    ends = (*text.starts[1:], len(text.gold))
    start = end = 0
    room = int(random.integers(most // 4, most + 1))
    for after in ends:
        if end > start and after - start > room:
            yield start, end
            start, room = end, most
        end = after
    if end > start:
        yield start, end


def train(
    network: Network, lookup: Lookup, documents: Sequence[Document], held_out: Sequence[Document],
    settings: LstmSettings, *, checkpoint: Path | None = None, progress: Progress = silent,
) -> TrainingHistory:  # fmt: skip
    """Train a network in place; it ends as it was after the best epoch, or the last where nothing is held out.

    With a `checkpoint` folder the run can be killed and taken up again; it loses at most one epoch, and gives the same
    weights on the same machine. A folder of another run is a StateError.
    """
    device = network.labels.weight.device
    texts = [found for found in (labelled_text(document, lookup) for document in documents) if found.gold]
    learned = [value for value in network.parameters() if value.requires_grad]
    optimiser = torch.optim.NAdam(learned, lr=settings.rate)
    about = identity_of(documents, held_out, asdict(settings) | {"word_vectors": ""})
    state = TrainerState(network, optimiser, checkpoint=checkpoint, about=about)
    while state.epoch < settings.epochs and state.worse < settings.patience:
        batches = make_batches(texts, settings, state.epoch)
        advance = progress(f"epoch {state.epoch + 1}", len(batches))
        network.train()
        for step, parts in enumerate(batches):
            set_rate(optimiser, settings, state.epoch + step / len(batches))
            batch, gold = gather(texts, parts, lookup, device)
            with seeded(settings.seed, state.epoch, step):
                scores = network(batch)
            loss = -network.chain.log_likelihood(scores, gold, batch.lengths).mean()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(learned, settings.gradient_norm)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            advance(1)
        said = label([network], lookup, [read(document.text) for document in held_out])
        state.end_epoch(span_f1(said, held_out) if held_out else None)
    return state.finish()


def make_batches(texts: Sequence[LabelledText], settings: LstmSettings, epoch: int) -> list[list[Stretch]]:
    """An epoch's batches of sequences: those of a batch are of like length, and all orders are drawn anew."""
    random = np.random.default_rng(number(settings.seed, epoch))
    found = [
        Stretch(place, *ends)
        for place, taught in enumerate(texts)
        for ends in sequences(taught, settings.window, random)
    ]
    order = [found[i] for i in random.permutation(len(found))]
    batches: list[list[Stretch]] = []
    for at in range(0, len(order), settings.batch * _POOL):
        near = sorted(order[at : at + settings.batch * _POOL], key=lambda part: part.start - part.end)
        batches += [near[i : i + settings.batch] for i in range(0, len(near), settings.batch)]
    return [batches[i] for i in random.permutation(len(batches))]


def gather(
    texts: Sequence[LabelledText], parts: Sequence[Stretch], lookup: Lookup, device: torch.device
) -> tuple[Batch, torch.Tensor]:
    """Sequences and their gold labels (sequences, tokens). One that begins within an identifier begins it anew."""
    batch = make_batch([texts[part.text].numbers.part(part.start, part.end) for part in parts], lookup)
    kinds = len(lookup.vocabulary.labels) // 2
    gold = [texts[part.text].gold[part.start : part.end] for part in parts]
    for row in gold:
        row[0] -= kinds if row[0] > kinds else 0
    return batch.to(device), padded(gold).to(device)


def set_rate(optimiser: torch.optim.Optimizer, settings: LstmSettings, epochs: float) -> None:
    """The learning rate after so many epochs."""
    rate = settings.rate * (1 - (1 - settings.final_rate) * epochs / settings.epochs)
    for group in optimiser.param_groups:
        group["lr"] = rate
