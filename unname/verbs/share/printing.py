"""Summaries of sharing on a terminal: pseudonyms, attacks on a representer, and examples."""

from typing import TYPE_CHECKING

from unname.terminal.printing import say_filled, say_table

if TYPE_CHECKING:
    from unname.sharing.card import Card
    from unname.sharing.measured import Measured
    from unname.verbs.share.options import Pseudonyms
    from unname.verbs.share.pseudonymise import SharedTexts


def print_shared(made: "SharedTexts", how: "Pseudonyms") -> None:
    """Print the number of words replaced, the words that stay in clear, and the people who can be pieced together."""
    from unname.statistics import percent

    kind = "documents" if how.pseudonymising.coherent else "sentences"
    say_filled(f"{made.texts} {kind} with {made.replaced} tokens of identifiers.", "• ")
    if made.unknown:
        became = (
            "stay in clear" if how.pseudonymising.as_published else "became words that their label's others are like"
        )
        say_filled(f"{made.unknown} of them have no vector: they {became}.", "• ")
    if (attack := made.linkage) and attack.sentences:
        say_filled(
            f"Whoever knows the method and the vectors leads {percent(attack.found)} of {attack.sentences} sentences to "
            f"another one of their document ({percent(attack.before)} by the tokens as they were, {percent(attack.chance)} "
            "by chance).",
            "• ",
        )
    say_filled("What no annotator marked stays as it is: read a sample before you share it.", "• ")


def print_card(card: "Card") -> None:
    """Print each attack's share, beside its share without vectors, and the two that have a limit."""
    from unname.statistics import percent

    limits = {
        one.name: f"{100 * most:+.1f}"
        for one in card.attacks if (most := card.limit_of(one)) is not None
    }  # fmt: skip
    rows = [
        (one.name, percent(one.found), percent(one.blind), f"{100 * one.most:+.1f}", limits.get(one.name, ""),
         f"{one.cases}")
        for one in card.attacks
    ]  # fmt: skip
    say_table([("attack", "finds", "guessing", "at most", "limit", "cases"), *rows])
    say_filled("Guessing is by casing and label; at most, and limit, are points over it.", "• ")
    say_filled(
        f"Words asked about are those the representer knows: {percent(card.coverage)} of identifiers' words.", "• "
    )
    say_filled(
        f"In pairs and in membership a word was exchanged for one of the N = {card.neighbours} most like it (an unknown one "
        f"for any); a fresh pair adversary learned for {card.epochs} epochs. The fewer, the less this proves.", "• "
    )  # fmt: skip
    say_filled(
        f"Whoever reads it, the vector of an identifier's word tells at most {card.told:.1f} nats of its text on average. "
        "A sentence's vectors together may tell as many times as much, also of one word.", "• "
    )  # fmt: skip


def print_represented(sentences: int, known: float, own: "Measured") -> None:
    """Print the number of sentences represented, the share of identifiers' words a tagger knows, and what was measured."""
    from unname.statistics import percent

    say_filled(
        f"The representer knows {percent(known)} of the words of your identifiers; others look alike to a tagger.", "• "
    )
    say_filled(
        f"Measured on your own sentences: a vector of an identifier's word tells at most {own.told:.1f} nats on average; a "
        f"pair adversary that learned on them for {own.epochs} epochs is right in: {own.pairs}.", "• "
    )  # fmt: skip
    say_filled(f"{sentences} sentences, each once, without a word of them; casings and labels are in clear.", "• ")
