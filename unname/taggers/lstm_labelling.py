"""Reading with a trained BiLSTM-CRF: scores of labels in windows, the likeliest labels of whole texts, spans.

A long text is scored in windows that overlap, so that every token has its neighbours on both sides; the chain then
runs over the whole text. Windows depend on their text alone: company changes nothing but the last digits of a score.
"""

from collections.abc import Sequence

from unname.errors import ModelError
from unname.taggers.lstm_network import Network, make_batch
from unname.taggers.lstm_reading import Lookup
from unname.taggers.reading import Reading, together, windows
from unname.taggers.tokens import decode
from unname.types import Span

try:
    import torch
    from torch.nn.utils.rnn import pad_sequence
except ImportError:  # pragma: no cover
    raise ModelError("a neural tagger needs PyTorch: pip install 'unname[neural]'") from None

CORE, CONTEXT = 192, 32
# Tokens, with padding, that go through the network, and through the chain, together.
_SCORED_TOGETHER = 16_384
_CHAINED_TOGETHER = 32_768


@torch.no_grad()
def label_scores(network: Network, lookup: Lookup, readings: Sequence[Reading]) -> list[torch.Tensor]:
    """Scores of labels at every token of each text: (tokens, labels) float32 each."""
    network.eval()
    device = network.labels.weight.device
    numbers = [lookup.numbers(reading) for reading in readings]
    found = [torch.zeros(len(n.words), network.labels.out_features, device=device) for n in numbers]
    todo = [
        (text, *window)
        for text, n in enumerate(numbers)
        for window in windows(len(n.words), core=CORE, context=CONTEXT)
    ]
    for group in together([end - start for _, start, end, _, _ in todo], _SCORED_TOGETHER):
        parts = [todo[place] for place in group]
        batch = make_batch([numbers[text].part(start, end) for text, start, end, _, _ in parts], lookup)
        scores = network(batch.to(device))
        for row, (text, start, _, first, last) in zip(scores, parts, strict=True):
            found[text][first:last] = row[first - start : last - start]
    return found


@torch.no_grad()
def label(networks: Sequence[Network], lookup: Lookup, readings: Sequence[Reading]) -> list[list[Span]]:
    """The spans of each text, in the original, each with its worst token's marginal probability.

    One network's labels are the likeliest sequence (Viterbi). Of several the marginals are averaged, and the labels are
    the allowed sequence with the largest product of these.
    """
    found: list[list[Span]] = [[] for _ in readings]
    filled = [i for i, reading in enumerate(readings) if reading.tokens]
    scores = [label_scores(network, lookup, [readings[i] for i in filled]) for network in networks]
    for group in together([len(readings[i].tokens) for i in filled], _CHAINED_TOGETHER):
        lengths = torch.tensor([len(readings[filled[place]].tokens) for place in group])
        side_by_side = [pad_sequence([own[place] for place in group], batch_first=True) for own in scores]
        best, sure = _decided(networks, side_by_side, lengths.to(side_by_side[0].device))
        for place, numbers, likely in zip(group, best.tolist(), sure.tolist(), strict=True):
            reading = readings[filled[place]]
            said = [lookup.vocabulary.labels[number] for number in numbers[: len(reading.tokens)]]
            spans = decode([reading.tokens], [said], [likely[: len(reading.tokens)]])
            found[filled[place]] = reading.original(spans)
    return found


def _decided(
    networks: Sequence[Network], scores: Sequence[torch.Tensor], lengths: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Labels of sequences and their marginal probabilities, (sequences, tokens) each."""
    marginals = [network.chain.marginals(own, lengths) for network, own in zip(networks, scores, strict=True)]
    mean = torch.stack(marginals).mean(0)
    if len(networks) == 1:
        best = networks[0].chain.best(scores[0], lengths)
    else:
        best = networks[0].chain.best(mean.clamp_min(1e-30).log(), lengths, learned=False)
    return best, mean.gather(2, best[:, :, None])[:, :, 0]
