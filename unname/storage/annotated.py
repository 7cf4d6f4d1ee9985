"""Records of annotation tools and of data sets of tokens as rows of ours: their text, spans and id by our names.

doccano (`label: [[start, end, label]]`, or `entities`), Label Studio (`data`, `annotations`), spaCy (`entities`, `ents`, or a
pair of text and annotations), Presidio (`entity_type`), Hugging Face (`tokens`, `ner_tags`). What the offsets count, and
whether they fit, is checked with those of our own tables.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unname.storage.faults import Faults
from unname.storage.spans import looks_like_spans

Row = Mapping[str, Any]
_SPANS = ("label", "labels", "entities", "ents", "annotations", "results", "predictions")
_TOKENS = ("tokens", "words", "tokenized_text")
_TAGS = ("ner_tags", "ner", "tags", "labels", "bio_labels")
_THEIRS = frozenset((*_SPANS, *_TOKENS, "completions"))


def in_our_shape(rows: Iterator[tuple[int, Row]], faults: Faults) -> Iterator[tuple[int, Row]]:
    """The same rows, each in our shape; where a tool gives no ids, a record has its number for one."""
    for number, row in rows:
        row = _without_id(row, number)
        if row.keys().isdisjoint(_THEIRS) or row.get("spans") not in (None, ""):
            yield number, row
            continue
        made = _label_studio(row) or _tokens(row) or _other(row)
        if isinstance(made, str):
            faults.add(number, "spans", made)
        elif made is not None:
            yield number, {"id": str(number), **made}
        else:
            yield number, row


def _without_id(row: Row, number: int) -> Row:
    """A record of Prodigy or of Presidio's data sets, which have no ids, with its number for one; any other as it is."""
    if "id" in row or row.keys().isdisjoint(("_input_hash", "_task_hash", "full_text")):
        return row
    if not isinstance(row.get("spans", []), list):
        return row
    return {"id": str(number), "text": row.get("full_text"), **row}


def _other(row: Row) -> Row | None:
    key = next((key for key in _SPANS if looks_like_spans(row.get(key))), None)
    if key is None:
        # Where a tool found nothing, it gives no id either.
        return {**row, "spans": []} if "id" not in row and found_nothing(row) else None
    return {name: value for name, value in row.items() if name != key} | {"spans": row[key]}


def found_nothing(row: Row) -> bool:
    """True if a record of another tool has an empty list in the place of spans."""
    return any(row.get(key) == [] for key in _SPANS)


def left_open(row: Row) -> bool:
    """True if a record of Label Studio or Prodigy says that nobody, or nobody who stands by it, annotated the text."""
    given = row.get("annotations", row.get("completions"))
    if isinstance(row.get("data"), Mapping) and isinstance(given, list):
        return all(isinstance(each, Mapping) and each.get("was_cancelled") for each in given)
    return row.get("answer") in ("reject", "ignore") and not row.keys().isdisjoint(("_input_hash", "_task_hash"))


def _label_studio(row: Row) -> Row | str | None:
    """The task of an export with its first annotation that was not cancelled."""
    held, given = row.get("data"), row.get("annotations", row.get("completions"))
    if not isinstance(held, Mapping) or not isinstance(given, list):
        return None
    kept = [each for each in given if isinstance(each, Mapping) and not each.get("was_cancelled")]
    results = kept[0].get("result") if kept else []
    if not isinstance(results, list):
        return "Label Studio: an annotation has no list of results"
    spans: list[Row] = []
    for result in results:
        value = result.get("value") if isinstance(result, Mapping) else None
        labels = value.get("labels") if isinstance(value, Mapping) else None
        if not isinstance(value, Mapping) or not isinstance(labels, list):
            continue  # a choice, a relation
        if "start" not in value or isinstance(value["start"], str):
            return "Label Studio: offsets into HTML are not read; annotate plain text"
        spans += [{**value, "label": label} for label in labels]
    texts = [value for value in held.values() if isinstance(value, str)]
    text = held["text"] if isinstance(held.get("text"), str) else texts[0] if len(texts) == 1 else None
    more = {"annotators": len(kept)} if len(kept) > 1 else {}
    own = {key: row[key] for key in ("id", "person", "split") if key in row}
    return {**more, **held, **({"text": text} if text is not None else {}), **own, "spans": spans}


def _tokens(row: Row) -> Row | str | None:
    """A list of tokens with a label each; the text is the tokens joined by one space."""
    key = next((key for key in _TOKENS if _is_texts(row.get(key))), None)
    if key is None or "text" in row:
        return None
    tokens = row[key]
    tags = next((row[name] for name in _TAGS if isinstance(row.get(name), list)), None)
    if tags is None:
        return None
    rest = {name: value for name, value in row.items() if isinstance(value, str | int)}
    begins, at = [], 0
    for token in tokens:
        begins.append(at)
        at += len(token) + 1
    if tags and all(isinstance(tag, list) and len(tag) == 3 for tag in tags):
        spans: list[Any] | str = _by_token(tags, begins, tokens)
    elif len(tags) != len(tokens):
        return "tokens and their labels are not equally many"
    elif not _is_texts(tags):
        return "labels of tokens are numbers: write their names (B-PER, O) in place of them"
    else:
        spans = _by_tag(tags, begins, tokens)
    return spans if isinstance(spans, str) else {**rest, "text": " ".join(tokens), "spans": spans}


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _by_token(marked: Sequence[Any], begins: Sequence[int], tokens: Sequence[str]) -> list[Any] | str:
    """Spans of first and last token, both of them within, and a label."""
    if not all(type(a) is type(b) is int and 0 <= a <= b < len(tokens) for a, b, _ in marked):
        return "spans of tokens must be the first and the last token and a label"
    return [[begins[a], begins[b] + len(tokens[b]), label] for a, b, label in marked]


def _by_tag(tags: Sequence[str], begins: Sequence[int], tokens: Sequence[str]) -> list[Any] | str:
    from unname.storage.formats.conll import label_of, labelled

    spans: list[dict[str, Any]] = []
    going = ""
    for tag, at, token in zip(tags, begins, tokens, strict=True):
        label = label_of(tag)
        if label is None:
            return "labels of tokens must be O, or such as B-NAME and I-NAME"
        going = labelled(spans, going, at, at + len(token), *label)
    return spans
