"""Two checkouts compared: the same bytes released, the same figures reported. Most options once, by the command, fixed key.

    python -m benchmarks.golden BEFORE [AFTER] [NAME …] [--save]

Each checkout needs its own environment (`make .venv/.dev` there). In place of BEFORE may stand a JSON file of an earlier
comparison: what its AFTER gave is what this AFTER is held against. One checkout alone makes such a file.
Runs are on congress (300 documents), tab and the fictional town; with `--save` results/golden.json gets the digests and
seconds, never any text. Without AFTER the file is written in any case.
"""

import csv
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.corpora import data_folder
from benchmarks.results import load_rows, save, say
from unname.knowledge.fictional import fictional_town
from unname.spec import parse
from unname.storage.documents import read_documents
from unname.storage.tables import write_jsonl

KEY = bytes(range(32)).hex()
QUICK = ("--audit", "quick")
FEW = ("--attackers", "bm25,facts,names")
NO_AUDIT = ("--audit", "none")
PLAIN = ("--method", "greedy", "--reidentifiers", "bm25,ngrams")


def inputs(home: Path) -> dict[str, tuple[str, ...]]:
    """Small inputs beside the corpora, and the arguments that name each corpus."""
    data = data_folder()
    town = fictional_town(people=300, seed=4)
    known = {p.id: p for p in town.profiles}
    write_jsonl(home / "town.jsonl", ({"id": d.id, "person": d.person, "text": d.text, "note": "seen at home", "split": "a"}
                                      for d in town.documents))  # fmt: skip
    write_jsonl(home / "people.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in town.profiles))
    half = [p for place, p in enumerate(town.profiles) if place % 3]
    write_jsonl(home / "half.jsonl", ({"id": p.id, "fields": dict(p.fields)} for p in half))
    fields = list(dict.fromkeys(name for p in known.values() for name in p.fields))
    with (home / "people.csv").open("w", newline="", encoding="cp1252", errors="replace") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(["nr", *fields])
        writer.writerows([p.id, *(p.fields.get(name, "") for name in fields)] for p in town.profiles)
        writer.writerow([f"{town.profiles[0].id}-again", *(town.profiles[0].fields.get(name, "") for name in fields)])
    with (home / "notes.csv").open("w", newline="", encoding="cp1252", errors="replace") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(["key", "words", "more"])
        writer.writerows([d.id, d.text, "ward 3"] for d in town.documents[:150])
    write_jsonl(home / "who.jsonl", ({"id": d.id, "person": d.person} for d in town.documents[:150]))
    for name in ("a", "b"):
        (home / f"texts-{name}").mkdir()
    for place, d in enumerate(town.documents[:60]):
        (home / "texts-a" / f"{d.person}-{place:03}.txt").write_text(d.text, encoding="utf-8")
    (home / "bad.jsonl").write_text(
        (home / "town.jsonl").read_text(encoding="utf-8") + '{"id": "broken"}\n', encoding="utf-8"
    )
    (home / "always").write_text("clinic\n/flu\\w*/\n", encoding="utf-8")
    (home / "never").write_text("wrist\n", encoding="utf-8")
    (home / "list").write_text("the town eleven\n", encoding="utf-8")
    (home / "allow").write_text("Evening\n", encoding="utf-8")
    (home / "settings.toml").write_text('k = 12\nreidentifiers = ["bm25"]\naudit = "none"\n', encoding="utf-8")
    (home / "graph.tsv").write_text("".join(f"{p.id}\tplays\tthe viola\n" for p in half[:40]), encoding="utf-8")
    (home / "key").write_text(KEY, encoding="ascii")
    (home / "key").chmod(0o600)
    congress = data / "congress"
    few = [d for d in read_documents(congress / "documents.jsonl.gz") if d.split == "test"][:300]
    write_jsonl(home / "congress.jsonl", ({"id": d.id, "person": d.person, "text": d.text} for d in few))
    return {
        "congress": (str(home / "congress.jsonl"), "--people", str(congress / "profiles.jsonl.gz"),
                     "--without-fields", "works,archives"),
        "split": (str(congress / "documents.jsonl.gz"), "--people", str(congress / "profiles.jsonl.gz"), "--split", "test",
                  "--limit", "120", "--duplicates", "keep", "--fields",
                  "family name,given name,birth date,state,party,position"),
        "tab": (str(data / "tab" / "documents.jsonl.gz"), "--people", str(data / "tab" / "population.jsonl.gz")),
        "town": (str(home / "town.jsonl"), "--people", str(home / "people.jsonl")),
        "half": (str(home / "town.jsonl"), "--people", str(home / "half.jsonl")),
        "bad": (str(home / "bad.jsonl"), "--people", str(home / "people.jsonl"), "--withhold-bad", "--limit", "150"),
        "csv": (str(home / "notes.csv"), "--people", str(home / "people.csv"), "--people-id-column", "nr", "--id-column",
                "key", "--text-column", "words", "--persons", str(home / "who.jsonl"), "--delimiter", ";", "--encoding",
                "cp1252", "--duplicates", "merge"),
        "texts": (str(home / "texts-a"), "--people", str(home / "people.jsonl"), "--person-pattern", "^(.*)-[0-9]+$"),
        "alone": (str(home / "town.jsonl"), "--people", "from-documents", "--limit", "150"),
        "nobody": (str(home / "town.jsonl"), "--people", "none", "--limit", "150"),
    }  # fmt: skip


# Name → corpus and options; HOME stands for the folder of small inputs, OUT for that of this run.
RUNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "congress by default": ("congress", QUICK),
    "congress greedy": ("congress", (*PLAIN, *FEW, "--k", "30", "--exact-target", "--no-give-back", "--workers", "1")),
    "congress split, graph, fields": ("split", (*PLAIN, *FEW, "--graph", "GRAPH", "--sensitive", "party")),
    "tab by default": ("tab", QUICK),
    "tab everyone": ("tab", (*PLAIN, *FEW, "--protect", "everyone-known", "--transform", "delete")),
    "tab taggers": ("tab", ("--method", "tagged", "--hide", "all", *FEW)),
    "town by default": ("town", ("--audit", "full")),
    "town occurrences": ("town", (*PLAIN, *QUICK, "--unit", "occurrence", "--stop-words", "mask", "--transform", "collapse",
                                  "--ids", "keep", "--keep", "note", "--out-format", "parquet")),
    "town lists": ("town", (*FEW, "--always", "HOME/always", "--never", "HOME/never", "--gazetteer", "CLUB=HOME/list",
                            "--allow", "HOME/allow", "--budget", "0.3", "--target-span", "5", "--seed", "7",
                            "--stop-words", "skip", "--max-risk", "40%", "--audit-sample", "200",
                            "--sensitive", "occupation")),
    "town attackers know more": ("half", (*FEW, "--attacker-people", "HOME/people.jsonl", "--unknown-person", "withhold")),
    "town mandatory only": ("half", (*PLAIN, *FEW, "--unknown-person", "floor-only", "--direct", "occupation")),
    "town lexical": ("town", ("--method", "lexical", *NO_AUDIT, "--direct-only", "family name")),
    "town idf": ("town", ("--method", "idf", *NO_AUDIT, "--direct", "none")),
    "town idf of the table": ("town", ("--method", "idf-table-aware", *NO_AUDIT)),
    "town random": ("town", ("--method", "random", *NO_AUDIT)),
    "town none": ("town", ("--method", "none", *FEW, "--tagger", "none")),
    "town settings": ("town", ("--settings", "HOME/settings.toml")),
    "town taught by others": ("town", ("--training", "HOME/town.jsonl", "--limit", "100", *FEW, "--k", "5")),
    "bad records": ("bad", (*PLAIN, *FEW)),
    "csv": ("csv", (*PLAIN, *FEW)),
    "texts": ("texts", (*PLAIN, *NO_AUDIT, "--out-format", "csv")),
    "from documents": ("alone", (*PLAIN, *FEW)),
    "nobody known": ("nobody", NO_AUDIT),
    "nobody known, facts": ("nobody", (*NO_AUDIT, "--facts", "mask-rare", "--outsiders", "HOME/town.jsonl")),
    "town anonymity": ("town", ("--method", "anonymity", "--strategy", "random", "--whose", "any", *NO_AUDIT)),
    "town graph floor": ("town", (*PLAIN[2:], "--graph", "HOME/graph.tsv", "--graph-floor", *NO_AUDIT)),
    "town one round": ("town", (*PLAIN[2:], "--rounds", "1", "--tagger", "rules", *FEW)),
}  # fmt: skip


def command(checkout: Path, *words: object) -> tuple[float, str]:
    """Run the command of a checkout; seconds, and what it printed."""
    started = time.perf_counter()
    done = subprocess.run(
        [str(checkout / ".venv" / "bin" / "unname"), *map(str, words)], capture_output=True, text=True, check=False,
        cwd=checkout, env={"COLUMNS": "300", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
    )  # fmt: skip
    if done.returncode not in (0, 3, 4):
        raise SystemExit(f"{words[0]}: {done.returncode}: {done.stderr[-2000:]}")
    return time.perf_counter() - started, f"{done.returncode}\n{done.stdout}"


def digest(content: bytes) -> str:
    """A digest short enough to read."""
    return hashlib.sha256(content).hexdigest()[:16]


# What reports say since the digests were made that they are compared with.
SAID_SINCE = ("/takes_rounds",)


def numbers(value: Any, place: str = "") -> Iterator[str]:
    """Every figure of a report, with its place in it."""
    if isinstance(value, dict):
        for name in sorted(value):
            yield from numbers(value[name], f"{place}/{name}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from numbers(part, f"{place}/{number}")
    elif isinstance(value, int | float) and place not in SAID_SINCE:
        yield f"{place}={value!r}"


def known_figures(path: Path, wanted: Sequence[str] | None = None) -> list[str]:
    """The figures of a report; of `wanted` places where they are given, since a report may say more than it did."""
    found = list(numbers(json.loads(path.read_text(encoding="utf-8"))))
    places = None if wanted is None else {line.partition("=")[0] for line in wanted}
    return [line for line in found if places is None or line.partition("=")[0] in places]


# What a manifest said of a method's parameters before they stood behind its name, where nothing was asked for.
FLAT: dict[str, Any] = {
    "give_back": True, "unit": "word", "stop_words": "spare", "idf_threshold": None, "rounds": None, "strategy": "greedy",
    "whose": "any", "generic": 1.0, "graph_texts": False,
}  # fmt: skip


def as_before(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of a manifest with the method's parameters each on its own, as manifests had them."""
    if "unit" in settings:
        return settings
    spec, floor = parse(settings["method"]), settings["graph_floor"]
    under = parse(floor).parameters if floor else {}
    return {**settings, **FLAT, **under, **spec.parameters, "method": spec.name, "graph_floor": bool(floor)}


def digests(out: Path, figures: Sequence[str]) -> dict[str, str]:
    """By file what a run wrote, those with text alone."""
    private, held = out.with_name(out.name + ".private"), out.with_name(out.name + ".private") / "held"
    shown = held if held.is_dir() else out
    found = {"figures": digest("\n".join(figures).encode())}
    for name in ("documents", "masks", "offsets", "failures"):
        found[name] = digest((private / f"{name}.jsonl").read_bytes())
    for path in sorted(shown.glob("documents*")):
        parts = sorted(path.glob("*")) if path.is_dir() else [path]
        found[f"released {path.name}"] = digest(b"".join(part.name.encode() + part.read_bytes() for part in parts))
    settings = as_before(json.loads((shown / "manifest.json").read_text())["settings"])
    found["settings"] = digest(json.dumps(settings, sort_keys=True).encode())
    return found


def compare(
    name: str, checkouts: Sequence[Path], home: Path, corpora: dict[str, tuple[str, ...]]
) -> list[dict[str, Any]]:
    """One run by each checkout, one after the other."""
    corpus, options = RUNS[name]
    graph = str(data_folder() / "congress" / "graph.tsv.gz")
    words = [o.replace("HOME/", f"{home}/").replace("GRAPH", graph) for o in (*corpora[corpus], *options)]
    found: list[dict[str, Any]] = []
    wanted: list[str] | None = None
    with tempfile.TemporaryDirectory() as folder:
        for number, checkout in enumerate(checkouts):
            out = Path(folder) / str(number)
            seconds, said = command(checkout, "deidentify", *words, "--key", home / "key", "--out", out)
            wanted = known_figures(out.with_name(out.name + ".private") / "report.json", wanted)
            found.append({"seconds": round(seconds, 2), "exit": said[0], **digests(out, wanted)})
    return found


def others(checkouts: Sequence[Path], home: Path, corpora: dict[str, tuple[str, ...]]) -> list[dict[str, Any]]:
    """The other verbs: train and its models, audit, reidentify, tag, dry run."""
    found: list[dict[str, Any]] = []
    wanted: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, checkout in enumerate(checkouts):
            here = Path(folder) / str(number)
            here.mkdir()
            town = corpora["town"]
            one: dict[str, str] = {}
            split = corpora["split"]
            command(checkout, "train", "reidentifier", split[0], *split[1:3], "--split", "dev", "--without-fields",
                    "works,archives", "--out", here / "model")  # fmt: skip
            one["model"] = digest((here / "model" / "model.json").read_bytes())
            plain = (*split, *PLAIN, *FEW, "--key", home / "key")
            command(checkout, "deidentify", *split, "--reidentifiers", "bm25", "--model", here / "model", *FEW, "--key",
                    home / "key", "--out", here / "served", "--limit", "60")  # fmt: skip
            command(checkout, "deidentify", *plain, "--attacker-model", here / "model", "--accept-risk", "none",
                    "--out", here / "attacked", "--limit", "60")  # fmt: skip
            for name in ("served", "attacked"):
                path = here / f"{name}.private" / "report.json"
                wanted[name] = known_figures(path, wanted.get(name))
                one |= {f"{name} {k}": v for k, v in digests(here / name, wanted[name]).items()}
            command(checkout, "audit", here / "attacked", "--original", split[0], *split[1:5], "--private",
                    here / "attacked.private", "--previous", here / "attacked", "--sensitive", "party", "--k", "12",
                    *FEW, "--out", here / "audit")  # fmt: skip
            wanted["audit"] = known_figures(here / "audit" / "report.json", wanted.get("audit"))
            one["audit"] = digest("\n".join(wanted["audit"]).encode())
            command(checkout, "reidentify", *town, "--reidentifiers", "bm25,ngrams", "--out", here / "who.jsonl")
            one["reidentify"] = digest((here / "who.jsonl").read_bytes())
            command(checkout, "tag", town[0], "--tagger", "rules", "--gazetteer", f"CLUB={home}/list", "--out",
                    here / "tags.jsonl")  # fmt: skip
            one["tag"] = digest((here / "tags.jsonl").read_bytes())
            said = command(
                checkout, "deidentify", *town, *PLAIN, "--dry-run", "--key", home / "key", "--out", here / "x"
            )[1]
            # Seconds differ from run to run, and so does the interval: a dry run masks with a throw-away key.
            kept = [
                line for line in said.splitlines() if " about " not in line and not line.startswith("words to hide")
            ]
            one["dry run"] = digest("\n".join(kept).encode())
            found.append(one)
    return found


def verdict(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Both sides, and whether they agree in all but seconds."""
    same = [{key: value for key, value in one.items() if key != "seconds"} for one in (before, after)]
    return {"same": same[0] == same[1], "before": before, "after": after}


def main() -> None:
    """Compare two checkouts in all runs, or in those that are named."""
    sides = [Path(word).resolve() for word in sys.argv[1:3] if Path(word).exists()]
    kept = json.loads(sides[0].read_text(encoding="utf-8"))["rows"] if sides[0].is_file() else {}
    checkouts = sides[1:] if kept else sides
    asked = [word for word in sys.argv[1 + len(sides) :] if word != "--save"]
    keep = "--save" in sys.argv or len(sides) == 1
    names = asked or [*RUNS, "other verbs"]
    rows = load_rows("golden", fresh=keep and not asked)
    with tempfile.TemporaryDirectory() as folder:
        corpora = inputs(Path(folder))
        for name in names:
            made = others if name == "other verbs" else lambda *about, name=name: compare(name, *about)
            both = [*([kept[name]["after"]] if kept else []), *made(checkouts, Path(folder), corpora)]
            rows[name] = verdict(both[0], both[-1])
            differ = [k for k, v in both[0].items() if v != both[-1].get(k) and k != "seconds"]
            say(name, "same" if rows[name]["same"] else f"DIFFERENT: {', '.join(differ)}",
                *(rows[name][side].get("seconds", "") for side in ("before", "after")))  # fmt: skip
            if keep:
                save("golden", rows)


if __name__ == "__main__":
    main()
