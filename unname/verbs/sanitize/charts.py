"""Pictures of a game of sanitizing as inline SVG."""

from collections.abc import Sequence

import matplotlib

from unname.pages.figures import AFTER, ALONE, BEFORE, STYLE, legend, new_figure, svg
from unname.verbs.sanitize.game import Game


def turns_figure(game: Game) -> str:
    """Sensitive words that are left, and others that are hidden, before each turn."""
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(8.2, 3.0)
        places = range(len(game.turns))
        left = [100 * turn.left_sensitive / max(game.sensitive, 1) for turn in game.turns]
        hidden = [100 * (game.others - turn.left_others) / max(game.others, 1) for turn in game.turns]
        axes.plot(places, left, color=ALONE, marker="o", label=f"sensitive words left (of {game.sensitive})")
        axes.plot(places, hidden, color=AFTER, marker="s", label=f"other words hidden (of {game.others})")
        for heights in (left, hidden):
            for place, height in zip(places, heights, strict=True):
                axes.annotate(f"{height:.1f}", (place, height), (4, 5), textcoords="offset points", fontsize=8)
        axes.set_xticks(places, ["at first", *(f"after round {place}" for place in places[1:])])
        axes.set_ylim(bottom=0)
        axes.set_ylabel("%")
        legend(figure)
        axes.set_title(f"n = {game.documents} documents", fontsize=9, loc="left")
        return svg(figure, "What is left after each round")


def ratios_figure(games: Sequence[Game]) -> str:
    """A figure of readable words over L/C: the same game as it would have ended at smaller ones."""
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(8.2, 3.0)
        ratios = [game.loss / game.cost for game in games]
        leaked, lost = [100 * game.leaked for game in games], [100 * (1 - game.published) for game in games]
        axes.plot(ratios, leaked, color=ALONE, marker="o", label="sensitive words left")
        axes.plot(ratios, lost, color=AFTER, marker="s", label="other words hidden")
        axes.set_xscale("log")
        axes.set_xticks(ratios, [f"{ratio:g}" for ratio in ratios])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        axes.set_xlabel("L/C: how many needless masks a leak is worth")
        axes.set_ylabel("%")
        legend(figure)
        axes.set_title(f"n = {games[-1].documents} documents", fontsize=9, loc="left")
        return svg(figure, "What stays readable over the price of a leak")


def budgets_figure(game: Game) -> str:
    """Sensitive words that an attacker finds over the words that he reads, beside reading at random."""
    with matplotlib.rc_context(STYLE):
        figure, axes = new_figure(8.2, 3.0)
        budgets = game.budgets()
        axes.plot(budgets, [game.found(budget) for budget in budgets], color=ALONE, label="claims of learners first")
        chance = [game.last.by_chance(budget) for budget in budgets]
        axes.plot(budgets, chance, color=BEFORE, linestyle="--", label="in any order")
        axes.axhline(game.last.left_sensitive, color="#222222", linewidth=1, linestyle=":")
        axes.annotate(
            f"all {game.last.left_sensitive}",
            (budgets[0], game.last.left_sensitive),
            (2, 3),
            textcoords="offset points",
            fontsize=8,
        )
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_xlabel(f"words that are read, of {game.last.left_sensitive + game.last.left_others}")
        axes.set_ylabel("sensitive words found (expected)")
        legend(figure)
        axes.set_title(f"n = {game.documents} documents", fontsize=9, loc="left")
        return svg(figure, "What an attacker finds with a budget")
