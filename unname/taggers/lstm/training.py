"""Training of the BiLSTM-CRF. Source: Friedrich 2019, §3 and table 1."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from unname.log import Progress, silent
from unname.neural.trainer_state import TrainerState, TrainingHistory, number, seeded
from unname.taggers.lstm.labelling import label
from unname.taggers.lstm.network import Batch, LstmNetwork, make_batch, padded
from unname.taggers.lstm.reading import Lookup, Numbers
from unname.taggers.lstm.settings import LstmSettings
from unname.taggers.reading import batches_of_like_length, identity_of, read, span_f1
from unname.types import Document


class TokenRange(NamedTuple):
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
    """A document as a training example."""
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
    network: LstmNetwork, lookup: Lookup, documents: Sequence[Document], held_out: Sequence[Document],
    settings: LstmSettings, *, checkpoint: Path | None = None, progress: Progress = silent,
) -> TrainingHistory:  # fmt: skip
    """Train a network in place; it ends as it was after the best epoch, or the last where nothing is held out.

    With a `checkpoint` folder a killed run is taken up again (`TrainerState`); a folder of another run is a StateError.
    """
    device = network.labels.weight.device
    texts = [example for example in (labelled_text(document, lookup) for document in documents) if example.gold]
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
        spans = label([network], lookup, [read(document.text) for document in held_out])
        state.end_epoch(span_f1(spans, held_out) if held_out else None)
    return state.finish()


def make_batches(texts: Sequence[LabelledText], settings: LstmSettings, epoch: int) -> list[list[TokenRange]]:
    """An epoch's batches of sequences: those of a batch are of like length, and all orders are drawn anew."""
    random = np.random.default_rng(number(settings.seed, epoch))
    stretches = [
        TokenRange(place, *ends)
        for place, taught in enumerate(texts)
        for ends in sequences(taught, settings.window, random)
    ]
    return batches_of_like_length(stretches, settings.batch, random, lambda part: part.end - part.start)


def gather(
    texts: Sequence[LabelledText], parts: Sequence[TokenRange], lookup: Lookup, device: torch.device
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
