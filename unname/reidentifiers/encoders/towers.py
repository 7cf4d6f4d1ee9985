"""Tokens into vectors: the two towers of a bi-encoder. Source: Morris 2022 §4 and appendix A.

A document's vector is the mean over the token states of all its windows, projected; a profile is one window.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from unname.errors import NEEDS_NEURAL, ModelError, SettingsError
from unname.neural.encoders import bare_encoder, load_encoder, require_finite, require_window
from unname.neural.readers import TOKEN_TYPES, EncoderReader, TokenWindow
from unname.neural.trainer_state import one_thread
from unname.types import Profile

try:
    import torch
    from torch import nn
except ImportError:  # pragma: no cover
    raise ModelError(NEEDS_NEURAL) from None

# Embeddings are multiples of 2⁻¹², so that sums of products of them are exact and equal profiles tie.
BITS = 12
# Windows that go through an encoder together: of one document for a gradient, and of any when scores are wanted.
_TOGETHER = 16
_WINDOWS_TOGETHER = 8
_LENGTHS = 16
# Documents whose windows are at hand at once.
_DOCUMENTS_TOGETHER = 256

Float32 = npt.NDArray[np.float32]
# Of an embedding (1, width), one number.
Value = Callable[[torch.Tensor], torch.Tensor]


class Tower(nn.Module):
    """An encoder, the mean over its token states, dropout, and a linear map to `width` dimensions."""

    config: Any

    def __init__(self, encoder: Any, reader: EncoderReader, *, width: int, window: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder, self.reader, self.window = encoder, reader, window
        config: Any = encoder.config
        self.config = config
        self.dropout = nn.Dropout(dropout)
        self.projection = nn.Linear(config.hidden_size, width)
        self.tapas = config.model_type == "tapas"
        self._alike: dict[tuple[bool, int, bool, int], bool] = {}
        require_window(config, reader, window)

    @property
    def width(self) -> int:
        """Dimensions of an embedding."""
        return self.projection.out_features

    def profile(self, profile: Profile) -> TokenWindow:
        """A profile as this encoder reads it."""
        return (self.reader.table if self.tapas else self.reader.lines)(profile, self.window)

    def sums(
        self, pieces: Sequence[TokenWindow], *, rows: int = 0, multiple: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Sum of token states (pieces, hidden) and number of tokens (pieces,); `rows` and `multiple` fix the shape."""
        states, mask = self.states(pieces, rows=rows, multiple=multiple)
        return self._pooled_sums(states, mask, len(pieces))

    def _pooled_sums(self, states: torch.Tensor, mask: torch.Tensor, some: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Of the first windows of a batch the sums of token states, and the numbers of tokens."""
        return (states * mask).sum(dim=1)[:some], mask[:some].sum(dim=(1, 2))

    def states(
        self, pieces: Sequence[TokenWindow], *, rows: int = 0, multiple: int = 1
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Token states (rows, tokens, hidden) float32, and a mask of the tokens of a piece (rows, tokens, 1)."""
        device = self.projection.weight.device
        longest = -(-max(len(piece.ids) for piece in pieces) // multiple) * multiple
        shape = (max(rows, len(pieces)), min(longest, self.window))
        ids = np.full(shape, self.reader.pad, np.int64)
        real = np.zeros(shape, np.int64)
        types = np.zeros((*shape, TOKEN_TYPES), np.int64) if self.tapas else None
        for row, piece in enumerate(pieces):
            ids[row, : len(piece.ids)] = piece.ids
            real[row, : len(piece.ids)] = 1
            if types is not None:
                types[row, : len(piece.ids)] = piece.types or (0,) * TOKEN_TYPES
        real[len(pieces) :, 0] = 1
        inputs = {"input_ids": ids, "attention_mask": real} | ({} if types is None else {"token_type_ids": types})
        states = self.encoder(**{name: torch.from_numpy(value).to(device) for name, value in inputs.items()})
        return states.last_hidden_state.float(), torch.from_numpy(real).to(device)[:, :, None]

    def forward(self, groups: Sequence[Sequence[TokenWindow]], *, project: bool = True) -> torch.Tensor:
        """Embeddings (groups, width) float32, where each group of pieces is one document or profile.

        Without `project`, means over token states instead (groups, hidden).
        """
        summed, tokens = self.sums([piece for group in groups for piece in group])
        if any(len(group) > 1 for group in groups):
            owner = torch.repeat_interleave(
                torch.arange(len(groups)), torch.tensor([len(group) for group in groups])
            ).to(summed.device)
            summed = summed.new_zeros(len(groups), summed.shape[1]).index_add(0, owner, summed)
            tokens = tokens.new_zeros(len(groups)).index_add(0, owner, tokens)
        return self.project(summed, tokens) if project else summed / tokens[:, None]

    def project(self, summed: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """Embeddings from sums over tokens and their numbers."""
        return self._mapped(self.dropout(summed.float() / tokens[:, None]))

    def _mapped(self, rows: torch.Tensor) -> torch.Tensor:
        """Rows through the last, linear map, always in full precision."""
        with torch.autocast(rows.device.type, enabled=False):
            mapped: torch.Tensor = self.projection(rows.float())
        return mapped

    @torch.no_grad()
    def embed_documents(self, texts: Sequence[str], *, bf16: bool = False) -> Float32:
        """Embeddings of texts, (texts, width), multiples of 2⁻¹²; each is the same as alone."""
        self.eval()
        embedded: list[Float32] = []
        for at in range(0, len(texts), _DOCUMENTS_TOGETHER):
            windows = self.reader.windows(texts[at : at + _DOCUMENTS_TOGETHER], self.window)
            with self._alone(bf16):
                states = self._states_of_each([piece for pieces in windows for piece in pieces], bf16)
                parts = [(place, _summed(some)) for place, some in states]
                rest = iter(part for _, part in sorted(parts, key=itemgetter(0)))
                embedded += [_array(self._document(list(islice(rest, len(pieces))))) for pieces in windows]
        return rounded_rows(embedded, self.width)

    @contextmanager
    def _alone(self, bf16: bool) -> Iterator[None]:
        with one_thread(), torch.autocast(self.projection.weight.device.type, torch.bfloat16, enabled=bf16):
            yield

    def _states_of_each(self, pieces: Sequence[TokenWindow], bf16: bool) -> Iterator[tuple[int, torch.Tensor]]:
        """Token states of windows, (tokens, hidden) each, by place, to the bit the same as for each window alone.

        Windows of like length go together. Those that fill the length stand apart, for they need no mask.
        """
        by_shape: dict[tuple[int, bool], list[int]] = {}
        for place, piece in enumerate(pieces):
            steps = -(-len(piece.ids) // _LENGTHS)
            by_shape.setdefault((steps, len(piece.ids) == min(steps * _LENGTHS, self.window)), []).append(place)
        for (steps, filled), places in sorted(by_shape.items()):
            at = 0
            while at < len(places):
                rows = min(_WINDOWS_TOGETHER, 1 << (len(places) - at).bit_length() - 1)
                some = places[at : at + rows]
                at += rows
                yield from zip(
                    some, self._states_alike([pieces[p] for p in some], (bf16, steps, filled, rows)), strict=True
                )

    def _states_alike(self, pieces: Sequence[TokenWindow], shape: tuple[bool, int, bool, int]) -> list[torch.Tensor]:
        """Token states of windows of one shape, read together if the first of that shape are the same read alone.

        How a matrix product adds up depends on its shape and on the processor, never on the numbers.
        """
        known = self._alike.get(shape, None if len(pieces) > 1 else False)
        if known:
            return self._read(pieces)
        alone = [self._read([piece])[0] for piece in pieces]
        if known is None:
            self._alike[shape] = all(map(torch.equal, self._read(pieces), alone))
        return alone

    def _read(self, pieces: Sequence[TokenWindow]) -> list[torch.Tensor]:
        """Token states of windows that go through the encoder together: (tokens, hidden) each."""
        states, _ = self.states(pieces, multiple=_LENGTHS)
        return [row[: len(piece.ids)] for row, piece in zip(states, pieces, strict=True)]

    def _embed_document(self, pieces: Sequence[TokenWindow]) -> torch.Tensor:
        return self._document([self.sums(pieces[at : at + _TOGETHER]) for at in range(0, len(pieces), _TOGETHER)])

    def _document(self, parts: Sequence[tuple[torch.Tensor, torch.Tensor]]) -> torch.Tensor:
        """The embedding of a document from `sums` of all its windows: (1, width)."""
        summed = torch.cat([part for part, _ in parts]).sum(dim=0, keepdim=True)
        tokens = torch.cat([part for _, part in parts]).sum(dim=0, keepdim=True)
        return self.project(summed, tokens)

    @torch.no_grad()
    def document_states(self, pieces: Sequence[TokenWindow], *, bf16: bool = False) -> tuple[list[Float32], Float32]:
        """Projected states of the tokens of one document's windows, and its embedding by `embed_documents`: (1, width)."""
        self.eval()
        with self._alone(bf16):
            states = [some for _, some in sorted(self._states_of_each(pieces, bf16), key=itemgetter(0))]
            whole = self._document([_summed(some) for some in states])
            return [_array(self._mapped(some)) for some in states], rounded_rows([_array(whole)], self.width)

    def falls(self, pieces: Sequence[TokenWindow], value: Value, way: float, *, bf16: bool = False) -> list[Float32]:
        """The estimated fall of `value` of a document's embedding (1, width) when a token becomes a gap, of each window.

        By one gradient, taken where all tokens have gone a part of the `way`: where the text stands, a word that matters
        seems not to as long as others say the same.
        """
        self.eval()
        moved: list[tuple[torch.Tensor, torch.Tensor]] = []
        embeddings, gap = self.encoder.get_input_embeddings(), self.reader.gap

        def go(_module: nn.Module, _given: object, tokens: torch.Tensor) -> torch.Tensor:
            step = embeddings.weight[gap].detach() - tokens.detach()
            moved.append(((tokens.detach() + way * step).requires_grad_(), step))
            return moved[-1][0]

        hook = embeddings.register_forward_hook(go)
        try:
            with self._alone(bf16), torch.enable_grad():
                slopes = torch.autograd.grad(value(self._embed_document(pieces)), [tokens for tokens, _ in moved])
        finally:
            hook.remove()
        falls = [
            row
            for slope, (_, step) in zip(slopes, moved, strict=True)
            for row in _array(-(slope.float() * step.float()).sum(dim=2))
        ]
        return [row[: len(piece.ids)] for row, piece in zip(falls, pieces, strict=True)]

    def embed_profiles(self, profiles: Sequence[Profile], *, bf16: bool = False) -> Float32:
        """Embeddings of profiles, (profiles, width), multiples of 2⁻¹²."""
        return self.embed_pieces([self.profile(profile) for profile in profiles], bf16=bf16)

    @torch.no_grad()
    def embed_pieces(self, pieces: Sequence[TokenWindow], *, bf16: bool = False, unit: bool = False) -> Float32:
        """Embeddings of single windows, with `unit` at length one, then made multiples of 2⁻¹²; alike ones tie."""
        distinct = {(tuple(p.ids), tuple(p.types or ())): p for p in pieces}
        vector_of: dict[Any, Float32] = {}
        keys, read = list(distinct), list(distinct.values())
        with self._alone(bf16):
            for places, states, mask in self._batches(read):
                vectors = self._pooled(states, mask, len(places), unit=unit)
                vector_of.update(zip([keys[place] for place in places], np.split(vectors, len(places)), strict=True))
        return rounded_rows([vector_of[tuple(p.ids), tuple(p.types or ())] for p in pieces], self.width)

    @torch.no_grad()
    def token_states(
        self, pieces: Sequence[TokenWindow], *, bf16: bool = False, unit: bool = False
    ) -> tuple[list[Float32], Float32]:
        """Projected states of the tokens of single windows, (tokens, width) each, and their embeddings by `embed_pieces`."""
        states_of: list[Float32] = [np.zeros((0, self.width), np.float32)] * len(pieces)
        whole: list[Float32] = [np.zeros((1, self.width), np.float32)] * len(pieces)
        with self._alone(bf16):
            for places, states, mask in self._batches(pieces):
                vectors = self._pooled(states, mask, len(places), unit=unit)
                projected = _array(self._mapped(states[: len(places)]))
                for row, place in enumerate(places):
                    states_of[place] = projected[row, : len(pieces[place].ids)]
                    whole[place] = vectors[row : row + 1]
        return states_of, rounded_rows(whole, self.width)

    def _batches(self, pieces: Sequence[TokenWindow]) -> Iterator[tuple[list[int], torch.Tensor, torch.Tensor]]:
        """Windows through the encoder in batches of few fixed shapes: their places, `states` and masks of tokens."""
        self.eval()
        by_shape: dict[int, list[int]] = {}
        for place, piece in enumerate(pieces):
            by_shape.setdefault(-(-len(piece.ids) // _LENGTHS), []).append(place)
        for _, places in sorted(by_shape.items()):
            for at in range(0, len(places), _WINDOWS_TOGETHER):
                some = places[at : at + _WINDOWS_TOGETHER]
                yield some, *self.states([pieces[p] for p in some], rows=_WINDOWS_TOGETHER, multiple=_LENGTHS)

    def _pooled(self, states: torch.Tensor, mask: torch.Tensor, some: int, *, unit: bool) -> Float32:
        """Embeddings of the first windows of a batch: (some, width)."""
        vectors = _array(self.project(*self._pooled_sums(states, mask, some)))
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9) if unit else vectors

    def freeze(self, *, layers: int, embeddings: bool) -> None:
        """Keep so many lower layers, or the token embeddings, as they are."""
        lists = [part for part in self.encoder.modules() if isinstance(part, nn.ModuleList)]
        stack = max(lists, key=len, default=nn.ModuleList())
        if layers > len(stack):
            raise SettingsError(f"this encoder has {len(stack)} layers; no more can be kept frozen")
        frozen = [*stack][:layers]
        if embeddings or layers:
            frozen += [part for name, part in self.encoder.named_children() if "embeddings" in name]
        for part in frozen:
            part.requires_grad_(False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Plain arrays and settings, so that a copy in another process shares nothing with this one."""
        arrays = {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}
        state = {
            "config": self.config.to_json_string(use_diff=False), "reader": self.reader, "width": self.width,
            "window": self.window, "dropout": self.dropout.p, "arrays": arrays,
        }  # fmt: skip
        return _tower, (state,)


def _tower(state: dict[str, Any]) -> Tower:
    tower = bare_tower(
        json.loads(state["config"]), state["reader"],
        width=state["width"], window=state["window"], dropout=state["dropout"],
    )  # fmt: skip
    tower.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state["arrays"].items()})
    return tower.eval()


def _summed(states: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Of one window's token states the sum (1, hidden), and their number (1,)."""
    return states.sum(dim=0, keepdim=True), torch.tensor([len(states)], device=states.device)


def _array(rows: torch.Tensor) -> Float32:
    return np.asarray(rows.cpu().numpy(), np.float32)


def rounded_rows(rows: Sequence[Float32], width: int) -> Float32:
    """Rows (1, width) each as one array, to multiples of 2⁻¹²."""
    stacked = np.concatenate(rows) if rows else np.zeros((0, width), np.float32)
    return np.asarray(np.rint(stacked.astype(np.float64) * 2**BITS) / 2**BITS, np.float32)


def bare_tower(config: dict[str, Any], reader: EncoderReader, *, width: int, window: int, dropout: float) -> Tower:
    """A tower of a configuration with weights that still have to be filled in; ModelError if it cannot be built."""
    return Tower(bare_encoder(config), reader, width=width, window=window, dropout=dropout)


def load_tower(
    source: str, *, width: int | None, window: int, dropout: float = 0.0, encoder_dropout: float = 0.0, seed: int = 0
) -> Tower:
    """A tower on an encoder from a folder, or from the hub under `hub:owner/name`; a folder never asks the network.

    The projection is drawn from `seed` so that dot products before and after it agree: the identity where the width is
    the encoder's (None: it is), else a random map that two towers of one size share. ModelError if the folder is not
    safe or sound.
    """
    encoder, reader = load_encoder(source, dropout=encoder_dropout)
    hidden = int(encoder.config.hidden_size)
    width = hidden if width is None else width
    tower = Tower(encoder, reader, width=width, window=window, dropout=dropout)
    with torch.no_grad():
        if width == hidden:
            tower.projection.weight.copy_(torch.eye(width))
        else:
            drawn = torch.randn(width, hidden, generator=torch.Generator().manual_seed(seed))
            tower.projection.weight.copy_(drawn / width**0.5)
        tower.projection.bias.zero_()
    require_finite(tower)
    return tower


class Pair(nn.Module):
    """The document encoder f and the profile encoder g."""

    def __init__(self, document: Tower, profile: Tower) -> None:
        super().__init__()
        self.document, self.profile = document, profile
        if document.tapas:
            raise SettingsError("a table encoder cannot read documents; choose another document encoder")

    def __reduce__(self) -> tuple[Any, ...]:
        return Pair, (self.document, self.profile)
