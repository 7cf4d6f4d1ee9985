"""Reading with a trained BiLSTM-CRF: scores of labels in windows, the likeliest labels of whole texts, spans.

A long text is scored in windows that overlap, so that every token has its neighbours on both sides; the chain then
runs over the whole text, or over windows of 4,096 tokens of it. Windows depend on their text alone: company changes
nothing but the last digits of a score.
"""

from collections.abc import Sequence

import torch
from torch.nn.utils.rnn import pad_sequence

from unname.taggers.lstm.network import LstmNetwork, make_batch
from unname.taggers.lstm.reading import Lookup
from unname.taggers.reading import TokenizedText, windows
from unname.taggers.tokens import decode
from unname.types import Span

CORE, CONTEXT = 192, 32
# The chain goes one token after the other, so that only a text of many thousand tokens is worth cutting for it.
CHAINED = 4096
# Tokens, with padding, that go through the network, and through the chain, together.
_SCORED_TOGETHER = 16_384
_CHAINED_TOGETHER = 32_768


@torch.no_grad()
def label_scores(network: LstmNetwork, lookup: Lookup, readings: Sequence[TokenizedText]) -> list[torch.Tensor]:
    """Scores of labels at every token of each text: (tokens, labels) float32 each."""
    network.eval()
    device = network.labels.weight.device
    numbers = [lookup.numbers(reading) for reading in readings]
    scores = [torch.zeros(len(n.words), network.labels.out_features, device=device) for n in numbers]
    lengths = [len(n.words) for n in numbers]
    for group in windows(lengths, core=CORE, context=CONTEXT, together=_SCORED_TOGETHER):
        batch = make_batch([numbers[w.text].part(w.start, w.end) for w in group], lookup)
        for row, w in zip(network(batch.to(device)), group, strict=True):
            scores[w.text][w.first : w.last] = row[w.first - w.start : w.last - w.start]
    return scores


@torch.no_grad()
def label(networks: Sequence[LstmNetwork], lookup: Lookup, readings: Sequence[TokenizedText]) -> list[list[Span]]:
    """The spans of each text, in the original, each with its worst token's marginal probability.

    One network's labels are the likeliest sequence (Viterbi). Of several the marginals are averaged, and the labels are
    the allowed sequence with the largest product of these.
    """
    scores = [label_scores(network, lookup, readings) for network in networks]
    tokens = [len(reading.tokens) for reading in readings]
    numbers: list[list[int]] = [[0] * length for length in tokens]
    sure = [[0.0] * length for length in tokens]
    for group in windows(tokens, core=CHAINED, context=CONTEXT, together=_CHAINED_TOGETHER):
        lengths = torch.tensor([w.end - w.start for w in group], device=scores[0][0].device)
        some = [pad_sequence([own[w.text][w.start : w.end] for w in group], batch_first=True) for own in scores]
        best, likely = _decided(networks, some, lengths)
        for w, row, share in zip(group, best.tolist(), likely.tolist(), strict=True):
            numbers[w.text][w.first : w.last] = row[w.first - w.start : w.last - w.start]
            sure[w.text][w.first : w.last] = share[w.first - w.start : w.last - w.start]
    names = lookup.vocabulary.labels
    return [
        reading.original(decode([reading.tokens], [[names[number] for number in row]], [shares]))
        for reading, row, shares in zip(readings, numbers, sure, strict=True)
    ]


def _decided(
    networks: Sequence[LstmNetwork], scores: Sequence[torch.Tensor], lengths: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Labels of sequences and their marginal probabilities, (sequences, tokens) each."""
    marginals = [network.chain.marginals(own, lengths) for network, own in zip(networks, scores, strict=True)]
    mean = torch.stack(marginals).mean(0)
    if len(networks) == 1:
        best = networks[0].chain.best(scores[0], lengths)
    else:
        best = networks[0].chain.best(mean.clamp_min(1e-30).log(), lengths, learned=False)
    return best, mean.gather(2, best[:, :, None])[:, :, 0]
