"""The rules in short, as a teacher tells them to a class: what holds for the `Rules` given, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from nambarz_sim.analysis.calculations import minimal_calculations
from nambarz_sim.card_pictures import card_title
from nambarz_sim.cards import WILDCARDS, Card
from nambarz_sim.classroom.school_words import school_signs
from nambarz_sim.engine.kernel import stroke_bonus
from nambarz_sim.languages import _, plural, written
from nambarz_sim.rules import POINTS_BY_PLACE, RANKED_PLAYERS, Rules

_CHANGES = WILDCARDS[:3]
_FIRST_STROKE = 4


@dataclass(frozen=True)
class Item:
    """A sentence or two, with the cards that they are about."""

    words: str
    cards: tuple[Card, ...] = ()

    @property
    def spoken(self) -> str:
        """The sentence for those who do not see the cards."""
        names = ", ".join(card_title(card) for card in self.cards)
        return f"{names}: {self.words}" if names else self.words


@dataclass(frozen=True)
class Panel:
    """What belongs together, under a title."""

    title: str
    items: tuple[Item, ...]


def rules_in_short(rules: Rules) -> list[Panel]:
    """The rules, panel by panel, in the language spoken."""
    wildcards = [card for card in _in_play(rules) if card.is_wildcard]
    panels = [
        (_("Before you start"), _setting_up(rules, bool(wildcards))),
        (_("Your turn: do one of these"), _turn(rules, bool(wildcards))),
        (_("Calculations"), _calculations(rules)),
        (_("Wildcards"), _wildcards(wildcards)),
        (_("Mistakes"), _mistakes(rules, bool(wildcards))),
        (_("The end and the points"), _end_of_round(rules) + _points(rules)),
    ]
    return [Panel(title, tuple(items)) for title, items in panels if items]


def example_calculation(rules: Rules) -> tuple[int, str, tuple[Card, ...]] | None:
    """A target, a calculation for it and its cards: the rulebook's example, or another one; None if there is none."""
    found = minimal_calculations(rules)
    if found.empty:
        return None
    rulebook = found[(found["target"] == 3) & (found["numbers"] == "2 4 10")]
    three = found[found["cards"] == 3]
    some = rulebook if not rulebook.empty else three if not three.empty else found
    row = some.iloc[len(some) // 2]
    numbers = [int(word) for word in row["expression"].replace("(", " ").replace(")", " ").split() if word.isdigit()]
    kind = "number" if row["number_cards"] else "picture"
    by_number = {card.number: card for card in _in_play(rules) if card.kind == kind}
    return int(row["target"]), school_signs(row["expression"]), tuple(by_number[number] for number in numbers)


def _in_play(rules: Rules) -> list[Card]:
    return [card for card, count in zip(rules.the_deck.cards, rules.copies, strict=True) if count]


def _has_both_types(rules: Rules) -> bool:
    return {"number", "picture"} <= {card.kind for card in _in_play(rules)}


def _setting_up(rules: Rules, wildcards: bool) -> list[Item]:
    cards = sum(rules.copies)
    items = [
        Item(_("Play with {players} players and {cards} cards.").format(players=rules.players, cards=written(cards))),
        Item(
            plural(
                "Shuffle and deal {count} card to each player.",
                "Shuffle and deal {count} cards to each player.",
                rules.hand_size,
            ).format(count=rules.hand_size)
        ),
        Item(_("Put the other cards face down: they are the pile. Turn its top card up beside it.")),
    ]
    if wildcards:
        items.append(Item(_("If that is a wildcard, it goes under the pile and the next card is turned up.")))
    if rules.team_sizes:
        items.append(Item(_("Teams sit together; each player has a hand of their own.")))
    items.append(Item(_("Be the first to have no cards left!")))
    return items


def _turn(rules: Rules, wildcards: bool) -> list[Item]:
    if rules.the_deck.animals:
        match = _("Match: lay one card with the same number or the same animal as the card turned up.")
    else:
        match = _("Match: lay one card with the same number as the card turned up.")
    items = [Item(match), Item(_("Calculate: lay two or more cards that make its number."))]
    if wildcards:
        items.append(Item(_("Lay a wildcard.")))
    items.append(Item(_("Draw a card. If you can play it, alone or with others, do it at once; if not, keep it.")))
    items.append(Item(_("The card laid last is the next one to cover.")))
    items.append(Item(_("When the pile is empty, the cards laid before become the new pile.")))
    return items


def _calculations(rules: Rules) -> list[Item]:
    items = []
    if example := example_calculation(rules):
        target, expression, cards = example
        items.append(Item(f"{expression} = {target}", cards))
    items.append(Item(_("Work from left to right, one card after the other.")))
    items.append(Item(_("Your signs: {signs}").format(signs=school_signs(" ".join(rules.operations)))))
    if steps := _steps(rules):
        items.append(Item(steps))
    if _has_both_types(rules):
        items.append(Item(_("Use only number cards or only picture cards.")))
    items.append(Item(_("Use the fewest cards: if some of your cards make the number already, lay only those.")))
    items.append(Item(_("A card that matches is never part of a calculation: lay it by itself.")))
    if rules.max_cards is not None:
        most = plural(
            "Lay at most {count} card in a calculation.", "Lay at most {count} cards in a calculation.", rules.max_cards
        )
        items.append(Item(most.format(count=rules.max_cards)))
    return items


def _steps(rules: Rules) -> str:
    """What results may be on the way; nothing where the signs allow no others."""
    if not set(rules.operations) & set("-/"):
        return ""
    return {
        "whole": _("On the way all results are whole numbers, never below 0."),
        "integer": _("On the way results may be below 0, but there are no fractions."),
        "rational": _("On the way results may be below 0, and fractions too."),
    }[rules.steps]


def _wildcards(wildcards: list[Card]) -> list[Item]:
    told = {
        "change-number": _("Lay it on a number card. Then lay any other number card on it."),
        "change-picture": _("Lay it on a picture card. Then lay any other picture card on it."),
        "change-any": _("Lay it on any card. Then lay any other card on it."),
        "replay": _("Lay it after your play and play once more. If you cannot, or if you lay it first, draw a card."),
    }
    items = [Item(told[card.kind], (card,)) for card in wildcards]
    if any(card.kind in _CHANGES for card in wildcards):
        items.append(Item(_("After a change, your next card must not match the card below. If you lay none, the next "
                            "player lays any one card that fits the wildcard.")))  # fmt: skip
        items.append(Item(_("Never lay a change directly on a change.")))
    return items


def _mistakes(rules: Rules, wildcards: bool) -> list[Item]:
    if rules.penalty_cards:
        cost = plural(
            "Each mistake costs {count} card from the pile, and your turn is over.",
            "Each mistake costs {count} cards from the pile, and your turn is over.",
            rules.penalty_cards,
        ).format(count=rules.penalty_cards)
    else:
        cost = _("After a mistake your turn is over.")
    items = [
        Item(cost),
        Item(_("More cards than needed: the fewest stay, the others go back to your hand.")),
        Item(_("A matching card in a calculation: it stays alone, the others go back.")),
    ]
    if _has_both_types(rules):
        items.append(Item(_("Number cards and picture cards mixed: all go back.")))
    items.append(Item(_("A wrong result: all go back, unless the same cards make the number in another way.")))
    if wildcards:
        items.append(Item(_("A wildcard in the wrong place: it goes back.")))
    return items


def _end_of_round(rules: Rules) -> list[Item]:
    if rules.players <= RANKED_PLAYERS:
        end = _("A round ends when only one player still has cards.")
    else:
        end = _("A round ends when {count} players have no cards left.").format(count=RANKED_PLAYERS)
    items = [Item(end)]
    if rules.team_sizes:
        items.append(Item(_("It also ends when only one team still has cards.")))
    if rules.rounds > 1:
        items.append(Item(_("Whoever has the most points in a round starts the next.")))
    return items


def _points(rules: Rules) -> list[Item]:
    points = ", ".join(str(worth) for worth in POINTS_BY_PLACE[: rules.players])
    items = [Item(_("Points from the first place on: {points}.").format(points=points))]
    if rules.players > RANKED_PLAYERS:
        items.append(Item(_("Only those who have finished get points for their place.")))
    if rules.largest_calculation >= _FIRST_STROKE:
        items.append(
            Item(
                _("Master stroke: a calculation with 4 cards earns {four} points more, one with 5 cards {five}, and so "
                  "on.").format(four=stroke_bonus(4), five=stroke_bonus(5))
            )
        )  # fmt: skip
        if rules.players > RANKED_PLAYERS:
            keep = (
                _("Everyone keeps these points.") if rules.unfinished_bonus else _("Who has not finished loses them.")
            )
            items.append(Item(keep))
    rounds = plural("Play {count} round.", "Play {count} rounds.", rules.rounds).format(count=written(rules.rounds))
    if rules.team_sizes:
        winner = _("A team adds up its points; the team with the most wins.")
    else:
        winner = _("Whoever has the most points wins.")
    items.append(Item(f"{rounds} {winner}"))
    tie = {
        "win": _("If several are first, they alone play one more round."),
        "all": _("If several share a place, they alone play one more round."),
        "none": _("Several may share a place."),
    }
    items.append(Item(tie[rules.play_off]))
    return items
