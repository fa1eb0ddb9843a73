"""A widget to look into a hand: every legal play, and the verdict on the cards that are pressed."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from nambarz_sim import explanations as say
from nambarz_sim.arithmetic.expression import plain_signs, read_attempt
from nambarz_sim.cards import Card, Deck
from nambarz_sim.engine.plays import Play, find_plays, lay_table
from nambarz_sim.engine.state import PLAY_KINDS
from nambarz_sim.event_words import listing
from nambarz_sim.languages import _, in_language, plural
from nambarz_sim.rules import Rules
from nambarz_sim.session import YOU, Session
from nambarz_sim.verdict import Verdict, judge_at
from nambarz_sim.widgets.panel import (
    Panel,
    counted_plays,
    counted_strokes,
    front_end,
    pictures,
    possible_actives,
    pressed_card,
    shown_card,
    shown_play,
    shown_rules,
    shown_verdict,
    whole,
)

PLAYS_SHOWN = 60
"""So many plays of a group are shown until all are asked for."""


@dataclass(frozen=True)
class _Situation:
    """What is looked at."""

    rules: Rules
    hand: tuple[Card, ...]
    active: Card
    drawn: Card | None = None
    seed: int | None = None  # the deal that the hand comes from
    selection: tuple[int, ...] = ()  # places in the hand, in the order laid
    signs: str | None = None  # one before each selected card but the first; None: any that work
    whole_groups: frozenset[str] = frozenset()

    @property
    def question(self) -> tuple[object, ...]:
        """What the legal plays depend on."""
        return self.rules, self.hand, self.active, self.drawn

    @property
    def selected(self) -> tuple[Card, ...]:
        return tuple(self.hand[place] for place in self.selection)

    @property
    def places_of_signs(self) -> int:
        """How many signs stand between the selected cards: none where a wildcard is among them."""
        cards = self.selected
        cards = cards[:-1] if len(cards) > 1 and cards[-1].kind == "replay" else cards
        return 0 if any(card.is_wildcard for card in cards) else max(0, len(cards) - 1)

    @property
    def operations(self) -> str | None:
        """The signs that count; a card that was selected after they were chosen has the first of the game."""
        count = self.places_of_signs
        return self.signs.ljust(count, self.rules.operations[0])[:count] if self.signs is not None and count else None

    def verdict(self, operations: str | None) -> Verdict | None:
        """The verdict on the selected cards; None if there are none."""
        if not self.selection:
            return None
        packed, state = lay_table(self.rules, list(self.hand), self.active, self.drawn, played=False)
        return judge_at(self.rules, packed, state, self.selected, operations)


class HandExplorer(Panel):
    """All legal plays of a hand, and the verdict on any selection of its cards, as they change.

    Cards are dealt at random, clicked together or typed; the active card, the operations, the wildcards and the number
    of players are chosen. Every act of the front end is a method here, so that a script can do the same.

    Parameters
    ----------
    hand
        The cards, such as ``"10 4 2 7fish change-any"``; the deal of seed 1 without.
    active
        The active card, such as ``"3bee"``, or a change wildcard that lies open (R4.3); the card turned up in the deal of
        seed 1 without.
    rules
        The rules in force; `Rules()` without.
    lang
        The language, such as ``"de"``; None for the usual one, see `nambarz_sim.languages.choose_language`.

    Attributes
    ----------
    plays
        Every legal play, most cards first.
    verdict
        The verdict on the selected cards; None if no card is selected.

    Raises
    ------
    ValueError
        If an argument is not allowed. An act that is not allowed raises it in a script and is shown beside its field in
        the front end; everything then stays as it was.

    Examples
    --------
    >>> explorer = HandExplorer(hand="10 4 2 7fish 4hen", active="3bee")
    >>> [str(play) for play in explorer.plays]
    ['(10 - 4) ÷ 2', '(10 + 2) ÷ 4', '7fish - 4hen']
    >>> explorer.select("10 4")
    >>> print(explorer.verdict)
    No signs between these cards in this order make 3. All cards go back to your hand. You draw 3 cards as a penalty, and
    your turn is over.
    """

    acts = (
        "deal", "set_hand", "add_card", "remove_card", "clear", "set_active", "set_drawn", "choose",
        "toggle", "select", "clear_selection", "choose_signs", "show_all",
    )  # fmt: skip
    front = "hand_explorer"
    _esm = front_end(front, "js")
    _css = front_end(front, "css")

    def __init__(
        self,
        hand: str | list[Card] | None = None,
        active: str | Card | None = None,
        rules: Rules | None = None,
        lang: str | None = None,
    ) -> None:
        rules = rules or Rules()
        deck = rules.the_deck
        start = _dealt(rules, 1)
        if hand is not None:
            start = replace(start, hand=tuple(deck.hand(hand)), seed=None)
        if active is not None:
            start = replace(start, active=deck.card(active))
        self._actives = possible_actives(rules)
        self._now, self._groups = _Situation(rules, (), start.active), list[dict[str, Any]]()
        with in_language(lang) as self.lang:
            super().__init__(pictures=pictures(deck))
            self._take(start)

    # --- what there is ----------------------------------------------------------------------------------------------

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._now.rules

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of the hand, in the order shown."""
        return self._now.hand

    @property
    def active(self) -> Card:
        """The card to cover, or the change wildcard that lies open."""
        return self._now.active

    @property
    def drawn(self) -> Card | None:
        """The card drawn in this turn, which every play must use (R2.4); None before a draw."""
        return self._now.drawn

    @property
    def selection(self) -> tuple[Card, ...]:
        """The selected cards, in the order laid."""
        return self._now.selected

    # --- the hand ---------------------------------------------------------------------------------------------------

    def deal(self, seed: int | str | None = None) -> None:
        """Deal a hand and an active card, by a seed or at random."""
        self._take(_dealt(self.rules, secrets.randbelow(1_000_000) if seed in (None, "") else whole(seed)))

    def set_hand(self, text: str) -> None:
        """Take the cards of a text as the hand."""
        self._hold(tuple(self.rules.the_deck.hand(text)))

    def add_card(self, text: str) -> None:
        """Put a card into the hand."""
        self._hold((*self.hand, self.rules.the_deck.card(text)), self._now.selection)

    def remove_card(self, place: int) -> None:
        """Take the card at a place, counted from 0, out of the hand."""
        self._check_place(place)
        if place in self._now.selection:
            self.toggle(place)
        selection = tuple(other - (other > place) for other in self._now.selection)
        self._hold(self.hand[:place] + self.hand[place + 1 :], selection)

    def clear(self) -> None:
        """Take all cards out of the hand."""
        self._hold(())

    def _hold(self, hand: tuple[Card, ...], selection: tuple[int, ...] = ()) -> None:
        drawn = self.drawn if self.drawn in hand else None
        self._change(hand=hand, selection=selection, drawn=drawn, seed=None)

    def _check_place(self, place: object) -> None:
        if not isinstance(place, int) or not 0 <= place < len(self.hand):
            held = f"give 0 to {len(self.hand) - 1}" if self.hand else "the hand is empty, so add a card first"
            raise ValueError(f"place: {place!r} is no place in the hand; {held}")

    # --- what it is played on, and by which rules ---------------------------------------------------------------------

    def set_active(self, text: str) -> None:
        """Choose the active card, or a change wildcard that lies open."""
        self._change(active=self.rules.the_deck.card(text))

    def set_drawn(self, text: str) -> None:
        """Say which card of the hand was drawn in this turn; with an empty text none was."""
        self._change(drawn=self.rules.the_deck.card(text) if text else None)

    def choose(self, **options: Any) -> None:
        """Change options of the rules, such as ``players=6``; the next deal is for them."""
        self._change(rules=self.rules.replace(**{name: whole(value) for name, value in options.items()}))

    def set_operations(self, text: str) -> None:
        """Choose the allowed operations, such as ``+-``."""
        self.choose(operations=text)

    def set_wildcards(self, value: Any) -> None:
        """Choose the wildcards as `Rules` takes them: a level, a total, or the count of each kind."""
        self.choose(wildcards=value)

    def set_players(self, players: int) -> None:
        """Choose the number of players; the next deal is for so many."""
        self.choose(players=players)

    # --- the selection ------------------------------------------------------------------------------------------------

    def toggle(self, place: int) -> None:
        """Select the card at a place, counted from 0, as the next one laid; or take it back."""
        self._check_place(place)
        selection, signs = self._now.selection, self._now.signs
        if place in selection:
            order = selection.index(place)
            selection = selection[:order] + selection[order + 1 :]
            gone = max(0, order - 1)
            signs = None if signs is None else signs[:gone] + signs[gone + 1 :]
        else:
            selection = (*selection, place)
        self._change(selection=selection, signs=signs)

    def select(self, text: str) -> None:
        """Select the cards of a text in their order, with any signs that work."""
        free = list(enumerate(self.hand))
        places = []
        for card in self.rules.the_deck.hand(text):
            found = next((entry for entry in free if entry[1] == card), None)
            if found is None:
                raise ValueError(say.not_in_hand(card, self.hand))
            free.remove(found)
            places.append(found[0])
        self._change(selection=tuple(places), signs=None)

    def clear_selection(self) -> None:
        """Select no card."""
        self._change(selection=(), signs=None)

    def choose_signs(self, text: str) -> None:
        """Choose the signs between the selected cards, such as ``-/``; with an empty text any that work."""
        signs = plain_signs(text)
        if signs and not self._now.places_of_signs:
            raise ValueError(
                f"signs: {text!r} have no place; select two or more cards without a wildcard, or leave the signs out"
            )
        if signs:
            self._now.verdict(signs)  # refuses signs that do not fit the cards
        self._change(signs=signs or None)

    def show_all(self, group: str) -> None:
        """Show every play of a group, however many there are."""
        self._change(whole_groups=self._now.whole_groups | {group})

    # --- showing it ---------------------------------------------------------------------------------------------------

    def _change(self, **changes: Any) -> None:
        self._take(replace(self._now, **changes))

    def _take(self, new: _Situation) -> None:
        """Show a situation; if it is not possible, all stays as it was."""
        if new.question != self._now.question:
            new = replace(new, whole_groups=frozenset())
        plays, verdict = find_plays(list(new.hand), new.active, new.rules, new.drawn), new.verdict(new.operations)
        old, self._now, self.plays, self.verdict = self._now, new, plays, verdict
        if (new.question, new.whole_groups) != (old.question, old.whole_groups):
            self._groups = [self._shown_group(kind, size, group) for kind, size, group in _groups(plays)]
        self.view = self._shown()

    def _shown(self) -> dict[str, Any]:
        now = self._now
        order = {place: number for number, place in enumerate(now.selection, 1)}
        return {
            "hand": [pressed_card(card) | {"order": order.get(place, 0)} for place, card in enumerate(now.hand)],
            "hand_text": listing(now.hand),
            "title": plural("Hand: {count} card", "Hand: {count} cards", len(now.hand)).format(count=len(now.hand)),
            "seed": "" if now.seed is None else str(now.seed),
            "active": shown_card(now.active) | {"open": now.active.is_wildcard},
            "actives": [shown_card(card) for card in self._actives],
            "drawn": str(now.drawn or ""),
            "deck": [
                shown_card(card) | {"left": count - now.hand.count(card)}
                for card, count in zip(now.rules.the_deck.cards, now.rules.copies, strict=True)
            ],
            "rules": shown_rules(now.rules) | {"hand_size": now.rules.hand_size},
            "signs": self._shown_signs(),
            "verdict": shown_verdict(self.verdict) if self.verdict else None,
            "count": _how_many(self.plays),
            "selected": " ".join(str(card) for card in now.selected),
            "groups": self._groups,
        }

    def _shown_signs(self) -> dict[str, Any]:
        """The signs chosen, those that were found to work, and those to begin with when some are to be chosen."""
        count, found = self._now.places_of_signs, ""
        if count and self.verdict and self.verdict.legal and self.verdict.play:
            found = read_attempt(self.verdict.play.expression, self.rules.the_deck).operations or ""
        start = found or self.rules.operations[0] * count
        return {"places": count, "chosen": self._now.operations or "", "found": found, "start": start}

    def _shown_group(self, kind: str, size: int, plays: list[Play]) -> dict[str, Any]:
        key = f"{kind}-{size}"
        shown = plays if key in self._now.whole_groups else plays[:PLAYS_SHOWN]
        deck, bonus, more = self.rules.the_deck, plays[0].bonus, len(plays) - len(shown)
        title = _title(kind, size, self.active)
        return {
            "key": key,
            "title": title,
            "heading": _("{title}: {count}").format(title=title, count=len(plays)),
            "count": len(plays),
            "more": _("and {count} more").format(count=more) if more else "",
            "stroke": _("master stroke, {bonus} extra points").format(bonus=bonus) if bonus else "",
            "plays": [shown_play(play) | {"steps": _steps(play, self.active, deck)} for play in shown],
        }


def _dealt(rules: Rules, seed: Any) -> _Situation:
    game = Session(rules, seed=seed, seats=YOU)
    return _Situation(rules, game.hands[game.seat], game.active, seed=seed)


def _how_many(plays: list[Play]) -> str:
    if not plays:
        return _("No legal play: draw a card")
    strokes = sum(play.bonus > 0 for play in plays)
    return ", ".join([counted_plays(len(plays)), *([counted_strokes(strokes)] if strokes else [])])


def _groups(plays: list[Play]) -> Iterator[tuple[str, int, list[Play]]]:
    """The plays by kind and number of cards, calculations first, many cards before few."""
    kinds = sorted(PLAY_KINDS, key=lambda kind: kind != "calculation")

    def place(play: Play) -> tuple[int, int]:
        return kinds.index(play.kind), -len(play.cards)

    for (kind, size), group in groupby(sorted(plays, key=place), key=place):
        yield kinds[kind], -size, list(group)


def _title(kind: str, size: int, active: Card) -> str:
    if kind == "calculation":
        return _("Calculations with {count} cards").format(count=size)
    if kind == "match":
        return _("Single cards on the open wildcard") if active.is_wildcard else _("Matching cards, 1 card")
    if kind == "change":
        return _("Change wildcard left open, 1 card") if size == 1 else _("Change wildcard and a card on it, 2 cards")
    return _("Replay, 1 card")


def _steps(play: Play, active: Card, deck: Deck) -> str:
    """What is seen when one looks closer: a calculation step by step, or what another play does."""
    if play.kind == "calculation":
        return say.steps(play.cards, read_attempt(play.expression, deck).operations or "")
    if play.kind == "match":
        return say.match(play.cards[0], active)
    return say.change(play.cards, active) if play.kind == "change" else say.replay(False)
