"""Options of `unname index`: the sources of what is known of people."""

from dataclasses import dataclass
from pathlib import Path

from unname.option import option


@dataclass(frozen=True, slots=True, repr=False)
class GraphSources:
    """Sources of knowledge of people: triples or a kept index, a table of people, and their long texts."""

    graph: tuple[Path, ...] = option(
        (), "Triples (person, relation, value), TSV; repeatable. Or the folder that `unname index` wrote.",
        kind="path", each=True,
    )  # fmt: skip
    people: Path | None = option(None, "Profiles whose fields are known as well.", kind="file")
    people_id_column: str = option("id", "Column of ids in the table of people.")
    graph_texts: bool = option(
        False,
        "Names, numbers and dates in long profile texts count as known of the person; groups are estimates then.",
    )
    variants: Path | None = option(
        None,
        "Further forms of terms: as the graph has it and as a text may, parted by a tab, one pair a line.",
        kind="file",
    )

    def files(self) -> list[Path]:
        """Every file that is read."""
        return [path for path in (*self.graph, self.people, self.variants) if path is not None]
