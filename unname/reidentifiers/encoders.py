"""Text into tokens, tokens into vectors: the two towers of a bi-encoder. Source: Morris 2022 §4 and appendix A.

A document is read in windows that together cover every token of it; its vector is the mean over the token states of
all windows, projected. A profile is one window: `key || value` lines, or for a TAPAS encoder a table of one row.
"""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt

from unname.errors import ModelError, SettingsError
from unname.reidentifiers.modelfolder import check_encoder, require_harmless
from unname.text import GAP
from unname.types import Profile

try:
    import torch
    from tokenizers import Tokenizer
    from torch import nn
    from transformers import AutoConfig, AutoModel, AutoTokenizer, BertTokenizer
    from transformers.utils import logging as transformers_logging
except ImportError:  # pragma: no cover
    raise ModelError("a neural reidentifier needs PyTorch: pip install 'unname[neural]'") from None

HUB = "hub:"
QUESTION = "Who is this?"
# Embeddings are multiples of 2⁻¹², so that sums of products of them are exact and equal profiles tie.
BITS = 12
_GAPS = re.compile(rf"\s*{GAP}\s*")
_TYPES = 7
# Windows, and profiles, that go through an encoder together when scores are wanted.
_TOGETHER = 16
_PROFILES_TOGETHER = 32
_LENGTHS = 16

Float32 = npt.NDArray[np.float32]
Ids = list[int]


class Piece(NamedTuple):
    """One window of tokens; TAPAS has seven token types beside each (segment, column, row and four more)."""

    ids: Ids
    types: list[tuple[int, ...]] | None = None

    def __repr__(self) -> str:
        return f"Piece({len(self.ids)} tokens)"


class Reader:
    """A tokenizer and its special tokens, which can be saved as JSON and sent to another process."""

    def __init__(self, *, spec: str, mask: str | None, pad: int, before: Ids, after: Ids, specials: list[str]) -> None:
        self.spec, self.mask, self.pad = spec, mask, pad
        self.before, self.after, self.specials = before, after, specials
        try:
            self._tokenizer = Tokenizer.from_str(spec)
        except Exception:  # whatever the library raises for JSON that is no tokenizer
            raise ModelError("a tokenizer cannot be read") from None
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()

    def __repr__(self) -> str:
        return f"Reader({self.vocabulary} tokens)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _reader, (self.about(), self.spec)

    def about(self) -> dict[str, Any]:
        """The special tokens, as JSON keeps them."""
        return {"mask": self.mask, "pad": self.pad, "before": self.before, "after": self.after,
                "specials": self.specials}  # fmt: skip

    @property
    def vocabulary(self) -> int:
        """One more than the highest id."""
        return 1 + max((*self._tokenizer.get_vocab(with_added_tokens=True).values(), self.pad))

    def ids(self, texts: Sequence[str]) -> list[Ids]:
        """Token ids of each text, without those that frame a window; gaps become the mask token where there is one."""
        ready = [self._ready(text) for text in texts]
        return [found.ids for found in self._tokenizer.encode_batch(ready, add_special_tokens=False)]

    def _ready(self, text: str) -> str:
        for special in self.specials:  # what looks like a special token in a text is none
            text = text.replace(special, " ")
        return _GAPS.sub(f" {self.mask} ", text) if self.mask else text

    def framed(self, ids: Ids) -> Ids:
        """A window with what the encoder expects before and after it."""
        return [*self.before, *ids, *self.after]

    def windows(self, texts: Sequence[str], window: int) -> list[list[Piece]]:
        """Each text as pieces of at most `window` tokens that together hold every token; an empty text is one piece."""
        room = window - len(self.before) - len(self.after)
        return [
            [Piece(self.framed(ids[at : at + room])) for at in range(0, max(len(ids), 1), room)]
            for ids in self.ids(texts)
        ]

    def lines(self, profile: Profile, window: int) -> Piece:
        """A profile as `key || value` lines; lines are dropped from the end until it fits, the first is cut."""
        room = window - len(self.before) - len(self.after)
        found: Ids = []
        for ids in self.ids([f"{key} || {value}\n" for key, value in profile.fields.items()]):
            if found and len(found) + len(ids) > room:
                break
            found += ids
        return Piece(self.framed(found[:room]))

    def table(self, profile: Profile, window: int) -> Piece:
        """A profile as TAPAS reads a table of one row: question, names of columns, values. Source: Herzig 2020, Figure 1.

        Columns are dropped from the end until it fits, the first one's value is cut. Ranks among numbers of a column
        are left at 0, for a column of one row has none.
        """
        question, *cells = self.ids([QUESTION, *profile.fields, *(v or "[EMPTY]" for v in profile.fields.values())])
        columns = list(zip(cells[: len(profile.fields)], cells[len(profile.fields) :], strict=True))
        room = window - len(self.framed(question))
        if columns:
            name, value = columns[0]
            columns[0] = (name[: room // 2], value[: room - len(name[: room // 2])])
        while columns and sum(len(name) + len(value) for name, value in columns) > room:
            columns.pop()
        ids = self.framed(question)
        types = [(0,) * _TYPES] * len(ids)
        for row in (0, 1):
            for column, cell in enumerate(columns, start=1):
                ids = ids + cell[row]
                types = types + [(1, column, row, 0, 0, 0, 0)] * len(cell[row])
        return Piece(ids, types)


def _reader(about: dict[str, Any], spec: str) -> Reader:
    return Reader(spec=spec, **about)


def make_reader(about: Any, spec: str) -> Reader:
    """A reader from what `about` gave and the tokenizer's JSON; anything else is a ModelError."""
    kinds: dict[str, Any] = {"mask": str | None, "pad": int, "before": list, "after": list, "specials": list}
    if not isinstance(about, dict) or set(about) != set(kinds):
        raise ModelError("a model's description of a tokenizer has unknown or missing parts")
    if any(not isinstance(about[name], kind) for name, kind in kinds.items()):
        raise ModelError("a model's description of a tokenizer has a part of the wrong kind")
    ids = [about["pad"], *about["before"], *about["after"]]
    if any(not isinstance(i, int) or isinstance(i, bool) or i < 0 for i in ids):
        raise ModelError("a model's description of a tokenizer has a part of the wrong kind")
    if any(not isinstance(s, str) or not s for s in about["specials"]):
        raise ModelError("a model's description of a tokenizer has a part of the wrong kind")
    return _reader(about, spec)


class Tower(nn.Module):
    """An encoder, the mean over its token states, dropout, and a linear map to `width` dimensions."""

    config: Any

    def __init__(self, encoder: Any, reader: Reader, *, width: int, window: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.encoder, self.reader, self.window = encoder, reader, window
        config: Any = encoder.config
        self.config = config
        self.dropout = nn.Dropout(dropout)
        self.projection = nn.Linear(config.hidden_size, width)
        self.tapas = config.model_type == "tapas"
        most = int(getattr(config, "max_position_embeddings", window) or window)
        most -= int(config.pad_token_id or 0) + 1 if "roberta" in config.model_type else 0
        if not len(reader.framed([])) < window <= most:
            raise SettingsError(f"this encoder's windows can have at most {most} tokens")
        if reader.vocabulary > config.vocab_size:
            raise ModelError("a tokenizer knows more tokens than its encoder")

    @property
    def width(self) -> int:
        """Dimensions of an embedding."""
        return self.projection.out_features

    def profile(self, profile: Profile) -> Piece:
        """A profile as this encoder reads it."""
        return (self.reader.table if self.tapas else self.reader.lines)(profile, self.window)

    def sums(self, pieces: Sequence[Piece], *, rows: int = 0, multiple: int = 1) -> tuple[torch.Tensor, torch.Tensor]:
        """Sum of token states (pieces, hidden) and number of tokens (pieces,); `rows` and `multiple` fix the shape."""
        device = self.projection.weight.device
        longest = -(-max(len(piece.ids) for piece in pieces) // multiple) * multiple
        shape = (max(rows, len(pieces)), min(longest, self.window))
        ids = np.full(shape, self.reader.pad, np.int64)
        real = np.zeros(shape, np.int64)
        types = np.zeros((*shape, _TYPES), np.int64) if self.tapas else None
        for row, piece in enumerate(pieces):
            ids[row, : len(piece.ids)] = piece.ids
            real[row, : len(piece.ids)] = 1
            if types is not None:
                types[row, : len(piece.ids)] = piece.types or (0,) * _TYPES
        real[len(pieces) :, 0] = 1
        given = {"input_ids": ids, "attention_mask": real} | ({} if types is None else {"token_type_ids": types})
        states = self.encoder(**{name: torch.from_numpy(value).to(device) for name, value in given.items()})
        mask = torch.from_numpy(real).to(device)[:, :, None]
        summed = (states.last_hidden_state.float() * mask).sum(dim=1)
        return summed[: len(pieces)], mask[: len(pieces)].sum(dim=(1, 2))

    def forward(self, groups: Sequence[Sequence[Piece]], *, project: bool = True) -> torch.Tensor:
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
        with torch.autocast(summed.device.type, enabled=False):
            projected: torch.Tensor = self.projection(self.dropout(summed.float() / tokens[:, None]))
        return projected

    @torch.no_grad()
    def embed_documents(self, texts: Sequence[str]) -> Float32:
        """Embeddings of texts, (texts, width), multiples of 2⁻¹²; each goes through the encoder alone."""
        self.eval()
        with one_thread():
            found = [self._embed_document(self.reader.windows([text], self.window)[0]) for text in texts]
        return rounded_rows(found, self.width)

    def _embed_document(self, pieces: Sequence[Piece]) -> Float32:
        parts = [self.sums(pieces[at : at + _TOGETHER]) for at in range(0, len(pieces), _TOGETHER)]
        summed = torch.cat([part for part, _ in parts]).sum(dim=0, keepdim=True)
        tokens = torch.cat([part for _, part in parts]).sum(dim=0, keepdim=True)
        return np.asarray(self.project(summed, tokens).cpu().numpy(), np.float32)

    @torch.no_grad()
    def embed_profiles(self, profiles: Sequence[Profile]) -> Float32:
        """Embeddings of profiles, (profiles, width), multiples of 2⁻¹²; batches have few fixed shapes, alike ones tie."""
        self.eval()
        pieces = [self.profile(profile) for profile in profiles]
        distinct = {(tuple(p.ids), tuple(p.types or ())): p for p in pieces}
        by_shape: dict[int, list[Any]] = {}
        for key in distinct:
            by_shape.setdefault(-(-len(key[0]) // _LENGTHS), []).append(key)
        found: dict[Any, Float32] = {}
        with one_thread():
            for _, keys in sorted(by_shape.items()):
                for at in range(0, len(keys), _PROFILES_TOGETHER):
                    some = keys[at : at + _PROFILES_TOGETHER]
                    sums = self.sums([distinct[k] for k in some], rows=_PROFILES_TOGETHER, multiple=_LENGTHS)
                    vectors = np.asarray(self.project(*sums).cpu().numpy(), np.float32)
                    found.update(zip(some, np.split(vectors, len(some)), strict=True))
        return rounded_rows([found[tuple(p.ids), tuple(p.types or ())] for p in pieces], self.width)

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

    def __getstate__(self) -> dict[str, Any]:
        """Plain arrays and settings, so that a copy in another process shares nothing with this one."""
        arrays = {name: value.detach().cpu().numpy() for name, value in self.state_dict().items()}
        return {
            "config": self.config.to_json_string(use_diff=False), "reader": self.reader, "width": self.width,
            "window": self.window, "dropout": self.dropout.p, "arrays": arrays,
        }  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return _tower, (self.__getstate__(),)


def _tower(state: dict[str, Any]) -> Tower:
    tower = bare_tower(
        json.loads(state["config"]), state["reader"],
        width=state["width"], window=state["window"], dropout=state["dropout"],
    )  # fmt: skip
    tower.load_state_dict({name: torch.from_numpy(np.array(value)) for name, value in state["arrays"].items()})
    return tower.eval()


def rounded_rows(rows: Sequence[Float32], width: int) -> Float32:
    """Rows (1, width) each as one array, to multiples of 2⁻¹²."""
    stacked = np.concatenate(rows) if rows else np.zeros((0, width), np.float32)
    return np.asarray(np.rint(stacked.astype(np.float64) * 2**BITS) / 2**BITS, np.float32)


@contextmanager
def one_thread() -> Iterator[None]:
    """Sums in one order whatever the machine, so that workers and this process give the same scores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def quiet() -> Iterator[None]:
    """No library says anything of its own about what it loads."""
    before = transformers_logging.get_verbosity()
    bars = transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        yield
    finally:
        transformers_logging.set_verbosity(before)
        if bars:
            transformers_logging.enable_progress_bar()


def bare_tower(config: dict[str, Any], reader: Reader, *, width: int, window: int, dropout: float) -> Tower:
    """A tower of a configuration with weights that still have to be filled in; ModelError if it cannot be built."""
    made = make_config(config)
    try:
        with quiet(), torch.random.fork_rng(devices=[]):
            encoder = AutoModel.from_config(made, trust_remote_code=False)
    except Exception:  # whatever a library raises for a configuration that makes no sense
        raise ModelError("an encoder cannot be built from its configuration") from None
    return Tower(_headless(encoder.float()), reader, width=width, window=window, dropout=dropout)


def make_config(settings: dict[str, Any]) -> Any:
    """The configuration of an encoder, without anything that could lead out of it."""
    require_harmless(settings)
    kept = {k: v for k, v in settings.items() if not k.startswith("_") and "implementation" not in k}
    for name in ("model_type", "dtype", "torch_dtype", "transformers_version", "name_or_path"):
        kept.pop(name, None)
    try:
        with quiet():
            return AutoConfig.for_model(str(settings.get("model_type")), **kept)
    except Exception:  # unknown kinds and settings of the wrong type, each with an error of its own
        raise ModelError("the configuration of an encoder is of no known kind") from None


def _headless(encoder: Any) -> Any:
    if hasattr(encoder, "pooler"):  # weights that pooling over tokens never uses
        encoder.pooler = None
    return encoder


def load_tower(source: str, *, width: int, window: int, dropout: float, seed: int = 0) -> Tower:
    """A tower on an encoder from a folder, or from the hub under `hub:owner/name`; a folder never asks the network.

    The projection is drawn from `seed` so that dot products before and after it agree: the identity where the width is
    the encoder's, else a random map that two towers of one size share. ModelError where the folder is not safe or sound.
    """
    if not source.startswith(HUB):
        return _load_folder(Path(source), width=width, window=window, dropout=dropout, seed=seed)
    with TemporaryDirectory() as folder:
        _download(source.removeprefix(HUB), Path(folder))
        return _load_folder(Path(folder), width=width, window=window, dropout=dropout, seed=seed)


def _download(name: str, folder: Path) -> None:
    from huggingface_hub import snapshot_download

    try:
        snapshot_download(name, local_dir=folder, allow_patterns=["*.json", "*.safetensors", "vocab.txt", "merges.txt"])
    except Exception as error:
        raise ModelError(f"the encoder could not be fetched from the hub: {type(error).__name__}") from None


def _load_folder(folder: Path, *, width: int, window: int, dropout: float, seed: int) -> Tower:
    settings = check_encoder(folder)
    config = make_config(settings)
    reader = read_reader(folder, str(settings.get("model_type")))
    try:
        with quiet(), torch.random.fork_rng(devices=[]):
            encoder = AutoModel.from_pretrained(
                folder, config=config, local_files_only=True, trust_remote_code=False, use_safetensors=True,
                dtype=torch.float32,
            )  # fmt: skip
    except Exception as error:
        raise ModelError(f"the encoder's weights cannot be loaded: {type(error).__name__}") from None
    tower = Tower(_headless(encoder), reader, width=width, window=window, dropout=dropout)
    hidden = tower.projection.in_features
    with torch.no_grad():
        if width == hidden:
            tower.projection.weight.copy_(torch.eye(width))
        else:
            drawn = torch.randn(width, hidden, generator=torch.Generator().manual_seed(seed))
            tower.projection.weight.copy_(drawn / width**0.5)
        tower.projection.bias.zero_()
    require_finite(tower)
    return tower


def require_finite(tower: nn.Module) -> None:
    """Weights that are no numbers are a ModelError."""
    if not all(bool(torch.isfinite(value).all()) for value in tower.state_dict().values()):
        raise ModelError("a model's weights are not all finite")


def read_reader(folder: Path, kind: str) -> Reader:
    """The tokenizer of an encoder's folder."""
    load = BertTokenizer if kind == "tapas" else AutoTokenizer  # TAPAS's own needs pandas, and reads words as BERT does
    try:
        with quiet():
            made = load.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
            spec = made.backend_tokenizer.to_str()
    except Exception as error:
        raise ModelError(f"the encoder's tokenizer cannot be loaded: {type(error).__name__}") from None
    plain = made("a", add_special_tokens=False)["input_ids"]
    whole = made("a")["input_ids"]
    at = next((i for i in range(len(whole)) if whole[i : i + len(plain)] == plain), 0)
    before, after = whole[:at], whole[at + len(plain) :]
    if kind == "tapas":  # the table follows the question's [SEP] and has none itself
        before, after = [made.cls_token_id], [made.sep_token_id]
    return Reader(
        spec=spec, mask=made.mask_token, pad=made.pad_token_id or 0, before=list(before), after=list(after),
        specials=[token for token in made.all_special_tokens if token],
    )  # fmt: skip


class Pair(nn.Module):
    """The document encoder f and the profile encoder g."""

    def __init__(self, document: Tower, profile: Tower) -> None:
        super().__init__()
        self.document, self.profile = document, profile
        if document.tapas:
            raise SettingsError("a table encoder cannot read documents; choose another document encoder")

    def __reduce__(self) -> tuple[Any, ...]:
        return Pair, (self.document, self.profile)

    def to_device(self, device: str) -> Self:
        """Both towers on a device; `auto` is a GPU where there is one."""
        name = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
        return self.to(torch.device(name))
