"""The lines that tell what happens at a table, in the language spoken.

Where drawn cards are told they stand at the end of the line, in every language: `nambarz_sim.events.Event.seen_by` takes
them away there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from nambarz_sim.arithmetic.shown import shown
from nambarz_sim.card_names import card_text
from nambarz_sim.cards import Card
from nambarz_sim.engine.plays import Play
from nambarz_sim.languages import N_, _, in_language, plural, written

YOU = "you"
"""The name of a seat that a person plays."""
FAULTS_IN_WORDS = {
    "R6.1": N_("not the fewest cards"),
    "R6.2": N_("a card that matches by itself"),
    "R6.3": N_("number and picture cards mixed"),
    "R6.4": N_("a wrong result"),
    "R6.5": N_("a wildcard misused"),
}
"""The faults by their clauses."""
_ENDINGS = {"finished": N_("finished"), "team": N_("team"), "stalled": N_("stalled"), "cut": N_("cut")}
"""How a round ends, by the engine's names."""


class _Speaker(Protocol):
    lang: str


_S = TypeVar("_S", bound=_Speaker)
_P = ParamSpec("_P")
_R = TypeVar("_R")


def spoken(method: Callable[Concatenate[_S, _P], _R]) -> Callable[Concatenate[_S, _P], _R]:
    """A method that speaks the language of its object."""

    @wraps(method)
    def speaking(self: _S, /, *arguments: _P.args, **named: _P.kwargs) -> _R:
        with in_language(self.lang):
            return method(self, *arguments, **named)

    return speaking


def listing(cards: Sequence[Card]) -> str:
    """Cards with spaces between them, as people write them."""
    return " ".join(card_text(card) for card in cards)


def count_cards(count: int) -> str:
    """A number of cards, as ``1 card`` or ``3 cards``."""
    return plural("{count} card", "{count} cards", count).format(count=written(count))


def seat_name(seat: int) -> str:
    """A seat as it is called."""
    return _("seat {number}").format(number=seat)


def team_name(team: int) -> str:
    """A team as it is called."""
    return _("team {number}").format(number=team)


def tell_seat(seat: int, player: str) -> str:
    """A seat and who plays it, as ``seat 0 (you)``."""
    return _("seat {seat} ({player})").format(seat=seat, player=_("you") if player == YOU else player)


def tell_play(who: str, play: Play, active: Card) -> str:
    """What a player does by a legal play on a card."""
    if play.kind == "change" and len(play.cards) > 1:
        wildcard, card = (card_text(card) for card in play.cards)
        return _("{who} lays {wildcard} and {card} on it").format(who=who, wildcard=wildcard, card=card)
    laid: dict[str, object] = {"who": who, "play": shown(play.expression)}
    if play.kind == "change":
        return _("{who} lays {play}, which lies open").format(**laid)
    if play.kind != "calculation":
        return _("{who} lays {play}").format(**laid)
    if not play.bonus:
        return _("{who} lays {play} = {target}").format(target=active.number, **laid)
    told = _("{who} lays {play} = {target}, a master stroke for {bonus} extra points")
    return told.format(target=active.number, bonus=play.bonus, **laid)


def tell_draw(who: str, drawn: Sequence[Card]) -> str:
    """What a player does by drawing; the cards stand at the end."""
    if not drawn:
        return _("{who} finds nothing to draw").format(who=who)
    return _("{who} draws {cards}").format(who=who, cards=listing(drawn))


def tell_fault(
    who: str,
    attempt: str,
    fault: str,
    laid: Sequence[Card],
    returned: Sequence[Card],
    drawn: Sequence[Card],
    penalty: int,
) -> str:
    """What becomes of a faulty attempt (R6); the cards drawn stand at the end."""
    tries = _("{who} tries {attempt}: {fault} ({clause})")
    parts = [tries.format(who=who, attempt=shown(attempt), fault=_(FAULTS_IN_WORDS[fault]), clause=fault)]
    if laid:
        parts.append(plural("{cards} stays", "{cards} stay", len(laid)).format(cards=listing(laid)))
    if returned:
        parts.append(plural("{cards} goes back", "{cards} go back", len(returned)).format(cards=listing(returned)))
    if penalty and drawn:
        parts.append(_("as a penalty draws {cards}").format(cards=listing(drawn)))
    elif penalty:
        parts.append(_("as a penalty finds nothing to draw"))
    return _("; ").join(parts)


def tell_deal(round_number: int | None, card: Card, seat: int) -> str:
    """How a round starts; without a number, an extra round."""
    if round_number is None:
        told = _("an extra round: {card} is turned up, seat {seat} starts")
    else:
        told = _("round {round}: {card} is turned up, seat {seat} starts")
    return told.format(round=round_number, card=card_text(card), seat=seat)


def tell_hand(who: str, hand: Sequence[Card]) -> str:
    """What a player was dealt."""
    return _("{who} has {cards}").format(who=who, cards=listing(hand))


def tell_recycling(shuffled: bool, cards: int) -> str:
    """How the discards become a draw pile."""
    if shuffled:
        told = _("the discards are shuffled into a new draw pile of {cards}")
    else:
        told = _("the discards are turned over into a new draw pile of {cards}")
    return told.format(cards=count_cards(cards))


def tell_round(number: int, turns: int, ending: str, places: Iterable[tuple[int, int, int]]) -> str:
    """How a round ended; the place, seat and points of each who has any."""
    return _("round {round} is over after {turns} ({ending}): {places}").format(
        round=number,
        turns=plural("{count} turn", "{count} turns", turns).format(count=written(turns)),
        ending=_(_ENDINGS[ending]),
        places=", ".join(_tell_place(*each) for each in places),
    )


def _tell_place(place: int, seat: int, points: int) -> str:
    """A seat's place and points after a round."""
    # English says "1 points", other languages may not.
    told = plural(
        "place {place} seat {seat} with {points} points", "place {place} seat {seat} with {points} points", points
    )
    return told.format(place=place, seat=seat, points=points)


def tell_game(teams: bool, places: Sequence[int], points: Sequence[int], tied: bool) -> str:
    """Who won."""
    parties = [team_name(number) if teams else seat_name(number) for number in range(len(places))]
    winners = [name for name, place in zip(parties, places, strict=True) if place == 1]
    totals = ", ".join(f"{name} {total}" for name, total in zip(parties, points, strict=True))
    if tied:
        told = _("the game is over, {winners} tie for the first place; points: {points}")
    else:
        told = _("the game is over, {winners} wins; points: {points}")
    return told.format(winners=_(" and ").join(winners), points=totals)
