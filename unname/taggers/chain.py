"""Taggers in turn: each reads the rest of the text that those before it leave, and every span of any of them counts.

Source: Li 2014, §II (the publisher's set of classifiers, figure 2); `unname sanitize` makes such chains.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from unname import registry
from unname.errors import ModelError, SettingsError
from unname.storage.files import MARKER, MODEL, staged_folders, write_atomically
from unname.storage.modelfolder import MOST_JSON, parse_json, read_bytes, require_plain
from unname.taggers.base import Tagger, TrainableTagger
from unname.taggers.labels import labels_of
from unname.taggers.models import load_tagger
from unname.taggers.remaining import Remaining, hiding_all
from unname.types import Span

FORMAT = "unname-chain.v1"
ABOUT, LINKS, PAGE = "model.json", "links", "report.html"
MOST_LINKS = 100


@dataclass(slots=True)
class Chain:
    """Trained taggers, each of which learned from the rest that those before it leave; spans are of whole words.

    `about` describes how the chain was made; the folder holds it. A chain without links finds nothing.
    """

    links: tuple[Tagger, ...] = field(default=(), repr=False)
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)
    name: str = "chain.v1"

    @property
    def labels_(self) -> tuple[str, ...]:
        """BIO labels of all links."""
        names = sorted({label for link in self.links for label in labels_of(link) or ()})
        return ("O", *(f"B-{name}" for name in names), *(f"I-{name}" for name in names))

    def tag(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text: those of any link, with label and score."""
        left = tuple(Remaining(text) for text in texts)
        for link in self.links:
            left = hiding_all(left, link.tag([one.shown for one in left]))
        return [[*one.hidden] for one in left]

    def save(self, folder: Path, *, replace: bool = False, page: str | None = None) -> None:
        """Write a folder that holds every link in a folder of its own. It is as private as the texts they learned from.

        A `page` that tells people how the chain was made may lie in it.
        """
        with staged_folders((folder, True), replace=replace, kinds=(MODEL,)) as (aside,):
            sums = []
            (aside / LINKS).mkdir(mode=0o700)
            for number, link in enumerate(self.links, start=1):
                if not isinstance(link, TrainableTagger) or link.name not in registry.names(registry.TAGGERS):
                    raise ModelError("a chain is kept with links that can be kept: registered taggers that learn")
                kept = aside / LINKS / str(number)
                link.save(kept)
                sums.append(sha256((kept / ABOUT).read_bytes()).hexdigest())
            about = {"format": FORMAT, "name": self.name, "links": sums, "about": self.about}
            if page is not None:
                write_atomically(aside / PAGE, page.encode(), private=True)
            write_atomically(aside / ABOUT, (json.dumps(about, ensure_ascii=False) + "\n").encode(), private=True)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """A chain that `save` wrote; anything that is off in the folder is a ModelError."""
        require_plain(folder)
        kept = parse_json(read_bytes(folder / ABOUT, MOST_JSON))
        sums, about = kept.get("links"), kept.get("about")
        if kept.get("format") != FORMAT or not isinstance(sums, list) or not isinstance(about, dict):
            raise ModelError("the model is of an unknown kind or version")
        if len(sums) > MOST_LINKS or {path.name for path in folder.iterdir()} - {ABOUT, LINKS, PAGE, MARKER}:
            raise ModelError("a chain's folder holds more than a chain")
        places = [folder / LINKS / str(number) for number in range(1, len(sums) + 1)]
        folders = {path.name for path in (folder / LINKS).iterdir()} if (folder / LINKS).is_dir() else set()
        if folders != {place.name for place in places}:
            raise ModelError("the links of a chain are not those its description calls for")
        links = []
        for place, digest in zip(places, sums, strict=True):
            content = read_bytes(place / ABOUT, MOST_JSON)
            if sha256(content).hexdigest() != digest or parse_json(content).get("format") == FORMAT:
                raise ModelError("a link of a chain is not the one its description names; fetch the model anew")
            try:
                links.append(load_tagger(place))
            except SettingsError:  # a kind that does not learn
                raise ModelError("a link of a chain is no tagger that learns") from None
        return cls(tuple(links), about)
