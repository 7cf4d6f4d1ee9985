"""A game of sanitizing as one page: what to publish, what remains, the rounds, and the curves. Aggregates only."""

from unname.auditing.page import FILTERS
from unname.pages.template import template
from unname.verbs.sanitize.game import RATIOS, Game


def render_game(game: Game, budget: int) -> str:
    """One HTML file that needs nothing else."""
    from unname.verbs.sanitize import charts  # a third of a second, for whoever draws

    ratio = game.loss / game.cost
    cuts = [game.cut(smaller) for smaller in RATIOS if smaller < ratio]
    games = [*cuts, game]
    return template("unname.verbs.sanitize", "sanitizing", FILTERS).render(
        game=game, ratio=ratio, games=games, advice=game.advice(budget), turns=charts.turns_figure(game),
        ratios=charts.ratios_figure(games) if cuts else "", budgets=charts.budgets_figure(game),
    )  # fmt: skip
