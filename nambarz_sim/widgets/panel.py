"""What all widgets share: one view for the front end, acts that come from it, and errors shown beside their field."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from nambarz_sim._errors import as_number
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.card_pictures import card_svg, card_title
from nambarz_sim.cards import Card, Deck
from nambarz_sim.engine.plays import Play, find_plays
from nambarz_sim.explanations import MISTAKES
from nambarz_sim.rules import FEWEST_PLAYERS, LEVELS, MOST_PLAYERS, Rules
from nambarz_sim.strategies import STRATEGIES, Strategy, seat_strategies
from nambarz_sim.strategies.pupil import Pupil
from nambarz_sim.verdict import Verdict

_FOLDER = Path(__file__).parent


def front_end(name: str, ending: str) -> str:
    """The front end's source of a widget: what all share, then its own (no bundler)."""
    return "\n".join((_FOLDER / f"{part}.{ending}").read_text(encoding="utf-8") for part in ("panel", name))


def pictures(deck: Deck) -> dict[str, str]:
    """An address with the picture in it for each card of a deck, by the card's text."""
    return {str(card): picture_address(card_svg(card)) for card in deck.cards}


def picture_address(svg: str) -> str:
    """A ``data:`` address, so that the front end shows pictures as images and never as markup."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"


def whole(value: Any) -> Any:
    """What was typed as a number, as a number; anything else as it is, for the library to refuse."""
    return as_number(value) if isinstance(value, str) else value


def possible_actives(rules: Rules) -> list[Card]:
    """The cards of the deck that may be played on; the engine is asked for each."""
    return [card for card in rules.the_deck.cards if _can_be_active(card, rules)]


def _can_be_active(card: Card, rules: Rules) -> bool:
    try:
        find_plays([], card, rules)
    except ValueError:
        return False
    return True


def shown_card(card: Card) -> dict[str, str]:
    """A card for the front end: its text, by which `pictures` has it, and its name."""
    return {"text": str(card), "name": card_title(card)}


def shown_play(play: Play) -> dict[str, str]:
    """A play for the front end: how it is written, and its cards as a text."""
    return {"text": play.expression, "cards": " ".join(str(card) for card in play.cards)}


def shown_verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict for the front end's ``verdictBox``."""
    return {
        "state": "legal" if verdict.legal else "refused" if verdict.refused else "fault",
        "mistake": MISTAKES.get(verdict.mistake, verdict.mistake),
        "clause": verdict.fault,
        "explanation": verdict.explanation,
        "laid": [shown_card(card) for card in verdict.laid],
        "returned": [shown_card(card) for card in verdict.returned],
        "penalty": f"draw {verdict.penalty} card{'' if verdict.penalty == 1 else 's'}" if verdict.penalty else "",
        "bonus": f"{verdict.bonus} extra points" if verdict.bonus else "",
        "better": shown_play(verdict.better) if verdict.better else None,
    }


class Panel(anywidget.AnyWidget):
    """A widget whose front end shows `view` and sends acts.

    Attributes
    ----------
    view
        All that the front end shows, as plain data; a new one after every act.
    error
        Empty, or the ``field`` and the ``message`` of what could not be done; the view then stays as it was.
    acts
        The names of the methods that the front end may call.
    """

    acts: ClassVar[tuple[str, ...]] = ()
    view = traitlets.Dict().tag(sync=True)
    error = traitlets.Dict().tag(sync=True)
    pictures = traitlets.Dict().tag(sync=True)

    def __init__(self, **traits: Any) -> None:
        super().__init__(**traits)
        self.on_msg(lambda _widget, content, _buffers: self.receive(content))
        self.observe(lambda _change: self.open(), "view")

    def open(self) -> None:
        """Tell the front end of this widget when it has a view: a page may draw it as soon as it knows of it."""
        if self.view:
            super().open()

    def receive(self, message: Any) -> None:
        """Do the act that the front end asks for: ``{"act": name, "field": where to show an error, "values": {...}}``.

        Nothing is raised: what goes wrong is shown beside the field.
        """
        field = ""
        try:
            field = str(message.get("field", ""))
            self._act_named(message["act"])(**message.get("values", {}))
        except ValueError as error:
            self.error = {"field": field, "message": str(error)}
        except Exception as error:  # shown where the person looks, whatever it is
            self.error = {"field": field, "message": f"This did not work ({type(error).__name__}: {error}). Try again."}
            self.log.exception("act %r", message)
        else:
            self.error = {}
        self.send({"answered": field})

    def _act_named(self, name: object) -> Callable[..., object]:
        if name not in self.acts:
            raise ValueError(f"act: {name!r} is not known; known are {', '.join(self.acts)}")
        return getattr(self, str(name))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class SetUp:
    """The rules and the computer players that a widget's controls choose; what cannot be chosen raises.

    Attributes
    ----------
    rules
        The rules.
    strategies
        The name of one strategy for all computer players, or of one for each.
    people
        How many seats, the first ones, people have.
    own
        Strategies that are not the package's, by their names.
    """

    rules: Rules
    strategies: tuple[str, ...]
    people: int = 0
    own: dict[str, Strategy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seat_strategies([self.own.get(name, name) for name in self.strategies], self.computers)

    @staticmethod
    def of(rules: Rules | None, strategies: Strategy | Sequence[Strategy], people: int = 0) -> SetUp:
        """The controls as a widget's arguments set them."""
        given: list[Any] = list(strategies) if isinstance(strategies, list | tuple) else [strategies]
        names = seat_strategies(given, len(given)).names
        own = {name: strategy for name, strategy in zip(names, given, strict=True) if not isinstance(strategy, str)}
        return SetUp(rules or Rules(), names, people, own)

    @property
    def computers(self) -> int:
        """How many computer players there are."""
        return self.rules.players - self.people

    @property
    def chosen(self) -> list[Strategy]:
        """The strategy of every computer player."""
        names = self.strategies * self.computers if len(self.strategies) == 1 else self.strategies
        return [self.own.get(name, name) for name in names]

    def change(
        self,
        players: int | str | None = None,
        wildcards: Any = None,
        operations: str | None = None,
        strategies: str | Sequence[str] | None = None,
    ) -> SetUp:
        """Other options of the rules, or other strategies by name; numbers may be given as typed."""
        options = {"players": whole(players), "wildcards": whole(wildcards), "operations": operations}
        rules = self.rules.replace(**{name: value for name, value in options.items() if value is not None})
        names = (strategies,) if isinstance(strategies, str) else tuple(strategies or self.strategies)
        if strategies is None and len(names) > 1:  # more players play like the last one
            names = (names + names[-1:] * MOST_PLAYERS)[: rules.players - self.people]
        return replace(self, rules=rules, strategies=names)

    def shown(self) -> dict[str, Any]:
        """The controls for the front end's ``setUpFields``."""
        return shown_rules(self.rules) | {
            "strategies": list(self.strategies),
            "known": list(dict.fromkeys([*STRATEGIES, *Pupil.presets(), *self.strategies, *self.own])),
            "seats": [f"seat {seat}" for seat in range(self.people, self.rules.players)],
        }


def shown_rules(rules: Rules) -> dict[str, Any]:
    """Players, wildcards and operations for the front end's fields of these names."""
    level = next((name for name, each in LEVELS.items() if set(rules.wildcards) == {each}), "")
    total = sum(rules.wildcards) if len(set(rules.wildcards)) == 1 else rules.wildcards
    return {
        "players": rules.players,
        "fewest": FEWEST_PLAYERS,
        "most": MOST_PLAYERS,
        "wildcards": level or str(total),
        "levels": [[name, f"{name} ({4 * each})"] for name, each in LEVELS.items()],
        "operations": rules.operations,
        "signs": [[operation, sign] for operation, sign in SIGNS.items()],
    }
