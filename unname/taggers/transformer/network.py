"""An encoder with a linear head that gives every token scores of labels. Source: Devlin 2019, §4 (tagging).

A token scores as the first of its word pieces. A text is read in windows that overlap, so that every token is judged
with context on both sides; windows depend on their text alone.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence

from unname.errors import SettingsError
from unname.neural.crf import LabelChain
from unname.neural.encoders import bare_encoder, require_window
from unname.neural.readers import EncoderReader, Ids
from unname.taggers.reading import TokenizedText, windows
from unname.taggers.tokens import decode
from unname.types import Span

# Word pieces, with padding, that go through an encoder together; and tokens that go through Viterbi together.
_SCORED_TOGETHER = 4096
_DECODED_TOGETHER = 32_768


@dataclass(frozen=True, slots=True, repr=False)
class WordPieces:
    """A text's word pieces, and by token the place of its first piece."""

    ids: Ids
    first: list[int]

    def __repr__(self) -> str:
        return f"WordPieces({len(self.ids)})"


def pieces(reading: TokenizedText, reader: EncoderReader) -> WordPieces:
    """A reading in word pieces. A token that has none of its own shares the one that follows."""
    ids, offsets = reader.located(reading.normalised.text)
    first, at = [], 0
    for token in reading.tokens:
        while at < len(ids) and offsets[at][1] <= token.start:
            at += 1
        first.append(max(0, min(at, len(ids) - 1)))
    return WordPieces(ids or [reader.pad], first)


class Classifier(nn.Module):
    """Dropout and a linear map to labels over the token states of an encoder.

    The odds of identifiers, against no label, are taken to be `lean` times those that were learned.
    """

    def __init__(
        self,
        encoder: Any,
        reader: EncoderReader,
        labels: Sequence[str],
        *,
        window: int,
        dropout: float,
        lean: float = 1.0,
    ) -> None:
        super().__init__()
        self.lean = lean
        self.encoder, self.reader, self.labels, self.window = encoder, reader, tuple(labels), window
        self.config: Any = encoder.config
        if self.config.model_type == "tapas":
            raise SettingsError("a table encoder cannot read texts; choose another encoder")
        require_window(self.config, reader, window)
        self.dropout = nn.Dropout(dropout)
        self.head = nn.Linear(self.config.hidden_size, len(self.labels))

    def __reduce__(self) -> tuple[Any, ...]:
        """Plain arrays and settings, so that a copy in another process shares nothing with this one."""
        arrays = {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}
        config = self.config.to_json_string(use_diff=False)
        return _classifier, (config, self.reader, self.labels, self.window, self.dropout.p, self.lean, arrays)

    @property
    def room(self) -> int:
        """Word pieces of a text in one window."""
        return self.window - len(self.reader.framed([]))

    def forward(self, rows: Sequence[Ids]) -> torch.Tensor:
        """Scores of labels at each piece of windows given without their frame: (windows, longest, labels) float32."""
        framed = [torch.tensor(self.reader.framed(row)) for row in rows]
        device, before = self.head.weight.device, len(self.reader.before)
        ids = pad_sequence(framed, batch_first=True, padding_value=self.reader.pad).to(device)
        real = pad_sequence([torch.ones_like(row) for row in framed], batch_first=True).to(device)
        states = self.encoder(input_ids=ids, attention_mask=real).last_hidden_state
        with torch.autocast(device.type, enabled=False):
            scores: torch.Tensor = self.head(self.dropout(states.float()))
        return scores[:, before : before + max(map(len, rows))]


def _classifier(
    config: str,
    reader: EncoderReader,
    labels: Sequence[str],
    window: int,
    dropout: float,
    lean: float,
    arrays: dict[str, Any],
) -> Classifier:
    made = Classifier(bare_encoder(json.loads(config)), reader, labels, window=window, dropout=dropout, lean=lean)
    made.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in arrays.items()})
    return made.eval()


@torch.no_grad()
def label_scores(classifier: Classifier, read: Sequence[WordPieces]) -> list[torch.Tensor]:
    """Log-probabilities of labels at every token of each text: (tokens, labels) each."""
    classifier.eval()
    context = classifier.room // 4
    core = classifier.room - 2 * context
    scores_of = [torch.zeros(len(p.ids), len(classifier.labels), device=classifier.head.weight.device) for p in read]
    lengths = [len(p.ids) for p in read]
    for group in windows(lengths, core=core, context=context, together=_SCORED_TOGETHER):
        scores = classifier([read[w.text].ids[w.start : w.end] for w in group])
        for row, w in zip(scores, group, strict=True):
            scores_of[w.text][w.first : w.last] = row[w.first - w.start : w.last - w.start]
    for scores in scores_of:
        scores[:, 0] -= math.log(classifier.lean)
    return [
        torch.log_softmax(scores[torch.tensor(p.first, dtype=torch.int64)], 1)
        for scores, p in zip(scores_of, read, strict=True)
    ]


@torch.no_grad()
def label(classifier: Classifier, readings: Sequence[TokenizedText]) -> list[list[Span]]:
    """The spans of each text, in the original: the likeliest labels that BIO allows, each with its worst token's share."""
    device = classifier.head.weight.device
    chain = LabelChain(classifier.labels).to(device)
    scores = label_scores(classifier, [pieces(reading, classifier.reader) for reading in readings])
    labels_of: list[list[int]] = [[0] * len(own) for own in scores]
    for group in windows([len(own) for own in scores], core=4096, context=32, together=_DECODED_TOGETHER):
        lengths = torch.tensor([w.end - w.start for w in group], device=device)
        some = pad_sequence([scores[w.text][w.start : w.end] for w in group], batch_first=True)
        for row, w in zip(chain.best(some, lengths, learned=False).tolist(), group, strict=True):
            labels_of[w.text][w.first : w.last] = row[w.first - w.start : w.last - w.start]
    spans = []
    for reading, own, row in zip(readings, scores, labels_of, strict=True):
        sure = own.exp().gather(1, torch.tensor(row, dtype=torch.int64, device=device)[:, None])[:, 0]
        spans.append(decode([reading.tokens], [[classifier.labels[number] for number in row]], [sure.tolist()]))
    return [reading.original(own) for reading, own in zip(readings, spans, strict=True)]
