"""Training of the transformer tagger: AdamW, with identifiers weighing more than the rest where that is wanted.

Sources: Devlin 2019, appendix A.3 (rate, schedule); Papadopoulou 2022, §4 (weight 10 for labels made by rules).
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import nn

from unname.log import Progress, silent
from unname.neural.readers import Ids
from unname.neural.trainer_state import TrainerState, TrainingHistory, number, seeded
from unname.taggers.reading import batches_of_like_length, identity_of, read, span_f1
from unname.taggers.transformer.network import Classifier, label, pieces
from unname.taggers.transformer.settings import TransformerSettings
from unname.types import Document

_NONE = -100


class LabelledWindow(NamedTuple):
    """A window of word pieces and the numbers of their labels; -100 where none is asked for."""

    ids: Ids
    gold: list[int]


def train(
    classifier: Classifier, documents: Sequence[Document], held_out: Sequence[Document], settings: TransformerSettings,
    *, checkpoint: Path | None = None, progress: Progress = silent,
) -> TrainingHistory:  # fmt: skip
    """Train a classifier in place; it ends as it was after the best epoch, or the last where nothing is held out.

    With a `checkpoint` folder a killed run is taken up again (`TrainerState`); a folder of another run is a StateError.
    """
    device = classifier.head.weight.device
    texts = labelled_windows(classifier, documents)
    weight = torch.full((len(classifier.labels),), settings.identifier_weight, device=device)
    weight[0] = 1.0
    optimiser = torch.optim.AdamW(
        [{"params": classifier.encoder.parameters(), "top": settings.rate},
         {"params": classifier.head.parameters(), "top": settings.head_rate}], weight_decay=settings.weight_decay,
    )  # fmt: skip
    about = identity_of(documents, held_out, asdict(settings) | {"encoder": ""})
    state = TrainerState(classifier, optimiser, checkpoint=checkpoint, about=about)
    while state.epoch < settings.epochs and state.worse < settings.patience:
        batches = make_batches(texts, classifier.room, settings, state.epoch)
        advance = progress(f"epoch {state.epoch + 1}", len(batches))
        classifier.train()
        for step, batch in enumerate(batches):
            set_rate(optimiser, settings, state.epoch + step / len(batches))
            sixteen = torch.autocast(device.type, torch.bfloat16, enabled=settings.bf16)
            with seeded(settings.seed, state.epoch, step), sixteen:
                scores = classifier([window.ids for window in batch])
            rows = [torch.tensor(window.gold) for window in batch]
            gold = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=_NONE).to(device)
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), gold.flatten(), weight, ignore_index=_NONE)
            if bool((gold != _NONE).any()):
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(classifier.parameters(), settings.gradient_norm)
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
            advance(1)
        predicted = label(classifier, [read(document.text) for document in held_out])
        state.end_epoch(span_f1(predicted, held_out) if held_out else None)
    return state.finish()


def labelled_windows(classifier: Classifier, documents: Sequence[Document]) -> list[LabelledWindow]:
    """Each text whole: its pieces, and the labels of those that a token begins with."""
    places = {label: at for at, label in enumerate(classifier.labels)}
    labelled = []
    for document in documents:
        reading = read(document.text)
        split = pieces(reading, classifier.reader)
        gold = [_NONE] * len(split.ids)
        for at, name in zip(reversed(split.first), reversed(reading.gold(document.spans)), strict=True):
            gold[at] = places[name]
        labelled.append(LabelledWindow(split.ids, gold))
    return labelled


def make_batches(
    texts: Sequence[LabelledWindow], room: int, settings: TransformerSettings, epoch: int
) -> list[list[LabelledWindow]]:
    """An epoch's batches: texts in windows, cut anew each time, those of a batch of like length."""
    random = np.random.default_rng(number(settings.seed, epoch))
    parts = []
    for text in texts:
        cuts = [0, *range(int(random.integers(room // 4, room + 1)), len(text.ids), room), len(text.ids)]
        parts += [LabelledWindow(text.ids[a:b], text.gold[a:b]) for a, b in zip(cuts, cuts[1:], strict=False) if a < b]
    return batches_of_like_length(parts, settings.batch, random, lambda part: len(part.ids))


def set_rate(optimiser: torch.optim.Optimizer, settings: TransformerSettings, epochs: float) -> None:
    """The learning rates after so many epochs."""
    done = epochs / settings.epochs
    share = min(1.0, (done + 1e-3) / max(settings.warm_up, 1e-3)) * (1 - done)
    for group in optimiser.param_groups:
        group["lr"] = group["top"] * share
