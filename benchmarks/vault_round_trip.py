"""The way back through a vault: every original, every changed byte, and what somebody without a key can read in it.

    python -m benchmarks.vault_round_trip [--flips 2000]

Three corpora go through the installed command: masked by rules, with a vault, and revealed. Of each vault, bytes at places
drawn by a fixed seed are changed, one at a time; of a small one all. A dictionary of 100,000 names is looked for in
vault, log and release ids, as words and as plain hashes; in the originals, as a check, it must find some.
"""

import argparse
import gzip
import hashlib
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import islice, product
from pathlib import Path
from typing import Any

from benchmarks.corpora import data_folder
from benchmarks.results import save, say
from unname.errors import VaultError
from unname.knowledge.commonnames import common_names
from unname.storage.vault import Keys, identities_in, require_whole, write_identity

NAMES = 100_000
CORPORA = {
    "congress": ("congress/documents.jsonl.gz",),
    "tab": ("tab/documents.jsonl.gz",),
    "meddocan": ("meddocan/train.tar.gz", "--format", "meddocan"),
}
# Masked as cheaply as can be: what comes back does not depend on it.
MASKING = ("--people", "none", "--method", "tagged", "--tagger", "rules", "--facts", "report", "--audit", "none",
           "--accept-risk", "a benchmark")  # fmt: skip


def unname(*words: object) -> int:
    """The installed command; its exit code."""
    command = [str(Path(sys.executable).with_name("unname")), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{words[0]} ended with {done.returncode}")
    return done.returncode


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of JSON lines."""
    content = path.read_bytes()
    content = gzip.decompress(content) if path.suffix == ".gz" else content
    return [json.loads(line) for line in content.split(b"\n") if line]


def originals(name: str, home: Path) -> dict[str, str]:
    """Every text of a corpus by id, read without the command."""
    first, *more = CORPORA[name]
    if not more:
        return {row["id"]: row["text"] for row in rows_of(data_folder() / first)}
    texts = {}
    with subprocess.Popen(["tar", "-xzf", str(data_folder() / first), "-C", str(home)]) as process:
        process.wait()
    for path in home.rglob("*.txt"):
        texts[path.stem] = path.read_text(encoding="utf-8")
    return texts


def refused(vault: Path, keys: Keys, places: Iterable[int]) -> tuple[int, int]:
    """The changed bytes that were tried, and those that were refused."""
    whole, tried, stopped = vault.read_bytes(), 0, 0
    changed = vault.with_name("changed")
    for place in places:
        changed.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :])
        tried += 1
        try:
            require_whole(changed, keys)
        except VaultError:
            stopped += 1
    return tried, stopped


def dictionary(known: Iterable[str]) -> list[str]:
    """Names in capitals and small letters: given names with each other and with words of the corpus."""
    given = sorted(common_names())
    return list(islice(dict.fromkeys(f"{a} {b}" for b, a in product([*known, *given], given)), NAMES))


def names_in(content: bytes, names: Iterable[str]) -> int:
    """How many names stand in a file as words beside each other, or as a plain hash in hexadecimal digits."""
    text = content.decode("latin-1").casefold()
    words = re.findall(r"[a-zà-ÿ]{2,}", text)
    pairs = {f"{a} {b}" for a, b in zip(words, words[1:], strict=False)}
    digests = {run[start : start + 32] for run in re.findall(r"[0-9a-f]{32,}", text) for start in range(len(run) - 31)}

    def hashed(name: str) -> bool:
        forms = (name, name.title(), name.upper())
        return any(hashlib.new(kind, form.encode()).hexdigest()[:32] in digests
                   for kind in ("md5", "sha1", "sha256") for form in forms)  # fmt: skip

    return sum(name in pairs or hashed(name) for name in names)


def row_of(name: str, flips: int, home: Path) -> dict[str, Any]:
    """One corpus: there and back."""
    key, vault, release, back = (home / part for part in ("key", "vault", "release", "back.jsonl"))
    recipient = write_identity(key)
    first, *more = CORPORA[name]
    start = time.perf_counter()
    unname(
        "deidentify",
        data_folder() / first,
        *more,
        *MASKING,
        "--out",
        release,
        "--vault",
        vault,
        "--recipient",
        recipient,
    )
    masked_s, start = time.perf_counter() - start, time.perf_counter()
    unname("reveal", release, "--vault", vault, "--identity", key, "--out", back)
    revealed_s = time.perf_counter() - start
    (home / "texts").mkdir()
    texts, found = originals(name, home / "texts"), rows_of(back)
    released = rows_of(release / "documents.jsonl")
    size = vault.stat().st_size
    places = sorted(random.Random(0).sample(range(size), min(flips, size)))  # noqa: S311  places to try, no secret
    tried, stopped = refused(vault, identities_in(key), places)
    names = dictionary(
        dict.fromkeys(w.casefold() for t in islice(texts.values(), 50) for w in re.findall(r"\b[A-Z]\w+", t))
    )
    log = vault.with_name("vault.log").read_bytes()
    ids = "\n".join(row["id"] for row in released).encode()
    return {
        "documents": len(texts), "released": len(released),
        "the same": sum(texts.get(row["id"]) == row["text"] for row in found), "revealed": len(found),
        "bytes": size, "bytes changed": tried, "refused": stopped,
        "names": len(names), "names read": sum(names_in(part, names) for part in (vault.read_bytes(), log, ids)),
        "names in the originals": names_in(" ".join(texts.values()).encode("latin-1", "replace"), names),
        "masked_s": round(masked_s, 1), "revealed_s": round(revealed_s, 1),
    }  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--flips", type=int, default=2000)
    flips = asked.parse_args().flips
    rows: dict[str, Any] = {}
    for name in CORPORA:
        with tempfile.TemporaryDirectory() as folder:
            rows[name] = row_of(name, flips, Path(folder))
        say(name, *(f"{key} {value}" for key, value in rows[name].items()))
        save("vault_round_trip", rows, seed=0)


if __name__ == "__main__":
    main()
