"""What all widgets share: one view for the front end, acts that come from it, and errors shown beside their field."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from nambarz_sim._errors import as_number
from nambarz_sim.arithmetic.shown import shown, signs
from nambarz_sim.card_names import card_text
from nambarz_sim.card_pictures import card_svg, card_title
from nambarz_sim.cards import Card, Deck
from nambarz_sim.engine.plays import Play, find_plays
from nambarz_sim.event_words import seat_name
from nambarz_sim.explanations import MISTAKES
from nambarz_sim.languages import _, in_language, plural, written
from nambarz_sim.rules import FEWEST_PLAYERS, LEVELS, MOST_PLAYERS, Rules
from nambarz_sim.strategies import STRATEGIES, Strategy, seat_strategies
from nambarz_sim.strategies.pupil import Pupil
from nambarz_sim.verdict import Verdict
from nambarz_sim.widgets.words import words_of

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
    """A card for the front end: its text, which is the same in every language (`pictures` has it by it), and its name."""
    return {"text": str(card), "name": card_title(card)}


def pressed_card(card: Card) -> dict[str, str]:
    """A card to press for the front end: also how people write it in a calculation."""
    return shown_card(card) | {"written": card_text(card)}


def shown_play(play: Play) -> dict[str, str]:
    """A play for the front end: how people write it, and its cards as a text that is sent back."""
    return {"text": shown(play.expression), "cards": " ".join(str(card) for card in play.cards)}


def shown_verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict for the front end's ``verdictBox``."""
    mistake = _(MISTAKES.get(verdict.mistake, verdict.mistake)) if verdict.mistake else ""
    return {
        "state": "legal" if verdict.legal else "refused" if verdict.refused else "fault",
        "ruling": _ruling(verdict, mistake),
        "mistake": mistake,
        "clause": verdict.fault,
        "explanation": verdict.explanation,
        "laid": [shown_card(card) for card in verdict.laid],
        "returned": [shown_card(card) for card in verdict.returned],
        "penalty": _penalty(verdict.penalty) if verdict.penalty else "",
        "bonus": _("{bonus} extra points").format(bonus=verdict.bonus) if verdict.bonus else "",
        "better": shown_play(verdict.better) if verdict.better else None,
    }


def _ruling(verdict: Verdict, mistake: str) -> str:
    """The verdict in a line."""
    if verdict.legal:
        return _("✓ Legal")
    if verdict.refused:
        return _("○ No attempt: {mistake}").format(mistake=mistake)
    return _("✗ Not legal: {mistake} ({clause})").format(mistake=mistake, clause=verdict.fault)


def _penalty(cards: int) -> str:
    return plural("draw {count} card", "draw {count} cards", cards).format(count=cards)


def counted_plays(count: int) -> str:
    """A number of legal plays."""
    return plural("{count} legal play", "{count} legal plays", count).format(count=written(count))


def counted_strokes(count: int) -> str:
    """A number of master strokes."""
    return plural("{count} master stroke", "{count} master strokes", count).format(count=written(count))


def _speaking(act: Callable[..., Any]) -> Callable[..., Any]:
    """An act that speaks the language of its widget, whoever asks for it."""

    @wraps(act)
    def speaks(self: Panel, *arguments: Any, **named: Any) -> Any:
        with in_language(self.lang):
            return act(self, *arguments, **named)

    return speaks


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
    front
        The name of the front end's file.
    lang
        The language spoken, one of `nambarz_sim.languages.LANGUAGES`; whoever makes a widget chooses it.
    """

    acts: ClassVar[tuple[str, ...]] = ()
    front: ClassVar[str]
    lang: str
    view = traitlets.Dict().tag(sync=True)
    error = traitlets.Dict().tag(sync=True)
    pictures = traitlets.Dict().tag(sync=True)
    _lang = traitlets.Unicode().tag(sync=True)
    _words = traitlets.Dict().tag(sync=True)

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name in set(cls.acts) & set(vars(cls)):
            setattr(cls, name, _speaking(vars(cls)[name]))

    def __init__(self, **traits: Any) -> None:
        super().__init__(_lang=self.lang, _words=words_of(self.front), **traits)
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
        with in_language(self.lang):
            self._receive(message)

    def _receive(self, message: Any) -> None:
        field = ""
        try:
            field = str(message.get("field", ""))
            self._act_named(message["act"])(**message.get("values", {}))
        except ValueError as error:
            self.error = {"field": field, "message": str(error)}
        except Exception as error:  # shown where the person looks, whatever it is
            problem = f"{type(error).__name__}: {error}"
            told = _("This did not work ({problem}). Try again.").format(problem=problem)
            self.error = {"field": field, "message": told}
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
            "seats": [seat_name(seat) for seat in range(self.people, self.rules.players)],
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
        "signs": [[operation, sign] for operation, sign in signs().items()],
    }
