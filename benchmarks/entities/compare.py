"""The network of the tagger that ships beside a CRF, both learned from the same passages: found, cost and size.

    python -m benchmarks.entities.compare

Both learn from the passages of seven languages alone, each filled twice, and are tried on the dev half of the annotated
texts.
"""

import random
import resource
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from safetensors.numpy import save as save_tensors

from benchmarks.entities.annotated import annotated
from benchmarks.entities.fillers import Filler
from benchmarks.entities.lexicon import make_lexicon
from benchmarks.entities.passages import LANGUAGES, bank, made_documents
from benchmarks.entities.training import arrays_of, example, learn
from benchmarks.results import save, say
from unname.taggers.base import Tagger
from unname.taggers.entities import tagger
from unname.taggers.entities.tagger import Entities
from unname.taggers.linear.crf import Crf
from unname.taggers.linear.crfsuite import CrfSettings
from unname.types import Document, Span

SEED = 4747
EPOCHS = 6


def passages(times: int, seed: int) -> list[Document]:
    """The passages of every language, filled so often."""
    banks = [bank(language) for language in LANGUAGES]
    fillers = [Filler(language, one, seed) for language, one in zip(LANGUAGES, banks, strict=True)]
    return made_documents(banks, fillers, times, random.Random(seed))


def names_found(documents: Sequence[Document], found: Sequence[Sequence[Span]]) -> dict[str, float]:
    """Of the names, those that lie in finds to the letter; of finds of names, those that touch anything annotated."""
    asked = [(d, s) for d in documents for s in d.spans if s.label == "NAME"]
    covered = {
        d.id: {at for span in row for at in range(span.start, span.end)}
        for d, row in zip(documents, found, strict=True)
    }
    hit = sum(all(at in covered[d.id] for at in range(s.start, s.end) if d.text[at].isalnum()) for d, s in asked)
    mine = [(d, s) for d, row in zip(documents, found, strict=True) for s in row if s.label == "NAME"]
    right = sum(any(g.start < s.end and s.start < g.end for g in d.spans) for d, s in mine)
    return {"names": len(asked), "recall": round(hit / len(asked), 4), "precision": round(right / max(1, len(mine)), 4)}


def tried(made: Tagger, documents: Sequence[Document]) -> dict[str, Any]:
    """A tagger's results on names, and the words a second that one process reads."""
    texts = [document.text for document in documents]
    made.tag(texts[:1])
    begun = time.process_time()
    found = made.tag(texts)
    words = sum(len(text.split()) for text in texts) / (time.process_time() - begun)
    return {**names_found(documents, found), "words a CPU second": round(words)}


def main() -> None:
    """Learn both, try both."""
    dev = [document for language in LANGUAGES for document in annotated(language, "dev")]
    learned = passages(2, SEED)
    say(f"{len(learned)} documents to learn from, {len(dev)} to try")
    rows: dict[str, Any] = {}
    with TemporaryDirectory() as folder:
        begun = time.process_time()
        lexicon = make_lexicon()
        net = learn(lambda epoch: [example(d, None, lexicon) for d in passages(2, SEED)], epochs=EPOCHS, seed=SEED)
        path = Path(folder, "weights")
        path.write_bytes(save_tensors({**tagger.arrays_of(lexicon), **arrays_of(net)}))
        rows["network"] = {
            "CPU seconds to learn": round(time.process_time() - begun), "MB": round(path.stat().st_size / 1e6, 1),
            **tried(Entities(weights=path), dev),
        }  # fmt: skip
        say(str(rows["network"]))
        begun = time.process_time()
        crf = Crf(training=CrfSettings(passes=40), fewest=3).fit(learned)
        crf.save(Path(folder, "crf"))
        size = (Path(folder, "crf") / "weights.safetensors").stat().st_size
        rows["CRF"] = {
            "CPU seconds to learn": round(time.process_time() - begun), "MB": round(size / 1e6, 1), **tried(crf, dev),
        }  # fmt: skip
        say(str(rows["CRF"]))
    rows["peak MB"] = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    save("entity_kinds", rows)


if __name__ == "__main__":
    main()
