"""A widget to check a calculation that is typed or clicked together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from nambarz_sim import explanations as say
from nambarz_sim.arithmetic.expression import read_attempt
from nambarz_sim.cards import Card
from nambarz_sim.engine.plays import find_plays
from nambarz_sim.event_words import listing
from nambarz_sim.languages import N_, _, in_language
from nambarz_sim.rules import Rules
from nambarz_sim.verdict import Verdict, judge
from nambarz_sim.widgets.panel import (
    Panel,
    front_end,
    pictures,
    possible_actives,
    pressed_card,
    shown_card,
    shown_rules,
    shown_verdict,
)

VERDICTS_KEPT = 5
"""So many verdicts stay in sight, to compare."""

_PARTS = {"number": N_("Number cards"), "picture": N_("Picture cards")}
_OTHER_CARDS = N_("Wildcards")


class Checked(NamedTuple):
    """One attempt that was checked."""

    text: str
    active: Card
    verdict: Verdict


@dataclass(frozen=True)
class _Situation:
    """What is checked."""

    rules: Rules
    active: Card
    hand: tuple[Card, ...] | None  # None: the cards named are the hand
    text: str = ""

    def verdict(self) -> Verdict | None:
        """The verdict on the text; None while there is no text."""
        if not self.text.strip():
            # The situation is looked at all the same, so that an impossible hand is refused at once.
            find_plays(list(self.hand or ()), self.active, self.rules)
            return None
        hand = self._named() if self.hand is None else self.hand
        return judge(self.text, list(hand), self.active, self.rules)

    def _named(self) -> tuple[Card, ...]:
        try:
            read = read_attempt(self.text, self.rules.the_deck)
        except ValueError:
            return ()  # the judge reads the text, too, and says what is wrong with it
        return (*read.cards, *([Card("replay")] if read.announces_replay else []))

    def steps(self, verdict: Verdict | None) -> str:
        """The calculation step by step: as it was written, or as cards alone can be laid."""
        deck = self.rules.the_deck
        try:
            read = read_attempt(self.text, deck)
        except ValueError:
            return ""
        if not read.written and verdict is not None and verdict.legal and verdict.play is not None:
            read = read_attempt(verdict.play.expression, deck)
        return say.steps(read.cards, read.operations) if read.operations else ""


class CalculationChecker(Panel):
    """The verdict on any calculation, with its steps, its clause, what it costs, and where a text stops making sense.

    Parameters
    ----------
    active
        The active card, such as ``"3bee"``, or a change wildcard that lies open (R4.3).
    hand
        The cards that may be used. Without a hand the cards named in the calculation are the hand, so that any
        calculation can be checked.
    rules
        The rules in force; `Rules()` without.
    lang
        The language, such as ``"de"``; None for the usual one, see `nambarz_sim.languages.choose_language`.

    Attributes
    ----------
    recent
        What was checked last, newest first, 5 at most.

    Raises
    ------
    ValueError
        If an argument is not allowed. An act that is not allowed raises it in a script and is shown beside its field in
        the front end; everything then stays as it was.

    Examples
    --------
    >>> checker = CalculationChecker(active="3bee")
    >>> checker.check("(10-4)/2").legal
    True
    >>> checker.check("7 - + 4").position
    4
    """

    acts = ("check", "clear", "set_active", "set_hand", "set_operations")
    front = "calculation_checker"
    _esm = front_end(front, "js")
    _css = front_end(front, "css")

    def __init__(
        self,
        active: str | Card = "3bee",
        hand: str | list[Card] | None = None,
        rules: Rules | None = None,
        lang: str | None = None,
    ) -> None:
        rules = rules or Rules()
        deck = rules.the_deck
        self._actives = possible_actives(rules)
        self.recent: tuple[Checked, ...] = ()
        start = _Situation(rules, deck.card(active), None if hand is None else tuple(deck.hand(hand)))
        with in_language(lang) as self.lang:
            super().__init__(pictures=pictures(deck))
            self._take(start)

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._now.rules

    @property
    def active(self) -> Card:
        """The card to cover, or the change wildcard that lies open."""
        return self._now.active

    @property
    def hand(self) -> tuple[Card, ...] | None:
        """The cards that may be used; None if the cards named are the hand."""
        return self._now.hand

    @property
    def text(self) -> str:
        """What was checked, as it was written."""
        return self._now.text

    def check(self, text: str) -> Verdict:
        """The verdict on a calculation, or on cards, as `judge` reads them."""
        if not text.strip():
            raise ValueError("calculation: there is none; write one, such as (10-4)/2, or press cards and signs")
        verdict = self._take(replace(self._now, text=text))
        assert verdict is not None  # there is a text
        self.recent = (Checked(text, self.active, verdict), *self.recent)[:VERDICTS_KEPT]
        self.view = self._shown()
        return verdict

    def clear(self) -> None:
        """Take the calculation away; the last verdicts stay."""
        self._change(text="")

    def set_active(self, text: str) -> None:
        """Choose the active card, or a change wildcard that lies open; the calculation is judged anew."""
        self._change(active=self.rules.the_deck.card(text))

    def set_hand(self, text: str) -> None:
        """Say which cards may be used; with an empty text those that the calculation names."""
        self._change(hand=tuple(self.rules.the_deck.hand(text)) or None)

    def set_operations(self, text: str) -> None:
        """Choose the allowed operations, such as ``+-``; the calculation is judged anew."""
        self._change(rules=self.rules.replace(operations=text))

    def _change(self, **changes: Any) -> None:
        self._take(replace(self._now, **changes))

    def _take(self, new: _Situation) -> Verdict | None:
        """Show a situation; if it is not possible, all stays as it was."""
        verdict = new.verdict()
        self._now, self.verdict = new, verdict
        self.view = self._shown()
        return verdict

    def _shown(self) -> dict[str, Any]:
        now, verdict = self._now, self.verdict
        return {
            "text": now.text,
            "active": shown_card(now.active) | {"open": now.active.is_wildcard},
            "actives": [shown_card(card) for card in self._actives],
            "hand_text": listing(now.hand or ()),
            "cards": self._shown_cards(),
            "rules": shown_rules(now.rules),
            "verdict": shown_verdict(verdict) if verdict else None,
            "position": None if verdict is None else verdict.position,
            "steps": now.steps(verdict),
            "recent": [_shown_checked(checked) for checked in self.recent],
        }

    def _shown_cards(self) -> list[dict[str, Any]]:
        """The cards to press, in groups: the hand, or all kinds of the deck."""
        groups: dict[str, list[Card]] = {}
        if self.hand is not None:
            groups[_("Hand")] = list(self.hand)
        else:
            for card in self.rules.the_deck.cards:
                groups.setdefault(_(_PARTS.get(card.kind, _OTHER_CARDS)), []).append(card)
        return [{"title": title, "cards": [pressed_card(card) for card in cards]} for title, cards in groups.items()]


def _shown_checked(checked: Checked) -> dict[str, Any]:
    active, verdict = shown_card(checked.active), shown_verdict(checked.verdict)
    told = _("on {card} {ruling}").format(card=active["name"], ruling=verdict["ruling"])
    return {"text": checked.text, "active": active, "verdict": verdict, "told": told}
