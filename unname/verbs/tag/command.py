"""`unname tag`: where a corpus has identifiers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from unname.errors import SettingsError
from unname.option import build
from unname.storage.documents import Columns
from unname.storage.files import require_new
from unname.terminal.help import Command, GroupedOption
from unname.terminal.options import ANY, OUTPUT, options
from unname.terminal.printing import say
from unname.terminal.progress import bars
from unname.terminal.settings import SETTINGS
from unname.verbs.tag.options import Lists


@click.command(cls=Command, short_help="Find identifiers in a corpus.")
@click.argument("corpus", type=ANY)
@options(Columns)
@click.option("--tagger", multiple=True,
              help="`rules`, `entities`, a trained tagger's folder, spacy:NAME, hf:DIR, presidio, gliner:DIR; "
                   "repeatable.")  # fmt: skip
@click.option("--votes", cls=GroupedOption, type=click.IntRange(min=1), shown="one; of overlaps the longest",
              help="Taggers that must find the same stretch and label.")  # fmt: skip
@options(Lists)
@click.option("--out", required=True, type=OUTPUT, help="JSONL file to write.")
@click.option("--split", help="Only the rows of this split.")
@SETTINGS
def tag(corpus: Path, out: Path, tagger: Sequence[str], votes: int | None, split: str | None, **given: Any) -> None:
    """Say where CORPUS has identifiers: spans with label and score, by document. The output holds no text."""
    from unname.inputs.annotated import columns_for
    from unname.taggers.foreign.labels import read_label_map
    from unname.taggers.foreign.named import make_foreign, split_foreign
    from unname.taggers.models import make_taggers, split_taggers
    from unname.verbs.tag.run import handed_in, tag_files

    require_new(out)
    columns, lists = build(Columns, given), build(Lists, given)
    if lists.label_map is not None and not split_foreign(tagger)[0] and lists.spans is None:
        raise SettingsError("label-map is for taggers from elsewhere and spans; neither is named")
    theirs, ours = split_foreign(tagger)
    taggers = [
        *make_taggers(*split_taggers(ours), gazetteers=lists.gazetteers, allow=lists.allow),
        *make_foreign(theirs, read_label_map(lists.label_map)),
        *handed_in(corpus, lists, columns_for(corpus, columns), split),
    ]
    with bars() as progress:
        count = tag_files(corpus, out, taggers=taggers, votes=votes, split=split, columns=columns, progress=progress)
    say(f"{count} documents → {out}")


commands: tuple[click.Command, ...] = (tag,)
