"""The inverted index of what is known of people, as a folder."""

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from unname.errors import InputError, SettingsError
from unname.knowledge.graph import Graph, Triple, build_graph, facts_of, open_graph
from unname.knowledge.population import Population
from unname.knowledge.variants import Term, term_of
from unname.log import Progress, silent
from unname.storage.faults import shown_name
from unname.storage.files import INDEX, require_absent, require_apart, staged_folders
from unname.storage.lines import text_lines
from unname.storage.people import iter_triples, read_profiles
from unname.verbs.index.options import GraphSources


def index_files(sources: GraphSources, out: Path, *, replace: bool = False, progress: Progress = silent) -> Graph:
    """`unname index`: the inverted index of triples, people and texts, as a folder that `--graph` takes."""
    require_apart(out, inputs=sources.files())
    require_absent(out, replace=replace, kind=INDEX)
    progress("index", 1)
    graph = graph_from(sources)
    with staged_folders((out, True), replace=replace, kinds=(INDEX,)) as (aside,):
        graph.save(aside)
    return graph


def graph_from(sources: GraphSources) -> Graph:
    """The index of all that is said to be known: made of triples, people and texts, or opened where one is kept."""
    folders = [path for path in sources.graph if path.is_dir()]
    if folders:
        if len(sources.graph) > 1 or sources.people or sources.graph_texts or sources.variants:
            raise SettingsError("a graph that `unname index` wrote stands alone: give people, texts, variants to that")
        return open_graph(folders[0])
    parts: list[Iterable[Triple]] = [iter_triples(path) for path in sources.graph]
    if sources.people is not None:
        profiles = read_profiles(sources.people, id_column=sources.people_id_column)
        parts.append(facts_of(Population(tuple(profiles)), texts=sources.graph_texts))
    if not parts:
        raise SettingsError("name what is known of people: --graph, --people, or both")
    graph = build_graph(chain(*parts), user=None if sources.variants is None else read_variants(sources.variants))
    if not len(graph.terms):
        raise InputError("nothing is stated of anybody: the graph has no terms")
    return graph


def read_variants(path: Path) -> dict[Term, list[Term]]:
    """Further forms of terms, one pair a line, parted by a tab: how the graph has it, and how a text may."""
    variants: dict[Term, list[Term]] = {}
    for number, line in text_lines(path):
        cells = [term_of(cell) for cell in line.rstrip("\r\n").split("\t")]
        if len(cells) != 2 or not all(cells):
            raise InputError(f"{shown_name(path)}: record {number}: expected two forms of a term, parted by a tab")
        variants.setdefault(cells[0], []).append(cells[1])
    return variants
