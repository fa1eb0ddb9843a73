"""How often master strokes are laid in play, by players, operations, strategy and hand size (R8.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tqdm.auto import tqdm

from nambarz_sim.languages import _
from nambarz_sim.rules import Rules
from nambarz_sim.simulation.batch import simulate
from nambarz_sim.strategies import Strategy, seat_strategies
from nambarz_sim.strategies.names import strategy_name

if TYPE_CHECKING:
    import pandas as pd

_Setting = tuple[str, str, Rules, Strategy]
_OF_SIZE = re.compile(r"master strokes (?:of (\d+) cards )?a round")


def stroke_frequency(
    rules: Rules | None = None,
    players: int | Sequence[int] = (2, 3, 4, 6),
    operations: str | Sequence[str] = ("+", "+-", "+-*", "+-*/"),
    strategies: Strategy | Sequence[Strategy] = ("random", "greedy", "master", "thrifty"),
    hand_sizes: int | Sequence[int] = (5, 7, 10),
    games: int = 2_000,
    seed: int = 1,
    strategy: Strategy = "greedy",
    progress: bool | None = None,
) -> pd.DataFrame:
    """How many master strokes a round has, with one thing varied at a time.

    Parameters
    ----------
    rules
        What all variations start from; `Rules()` without.
    players, operations, strategies, hand_sizes
        The settings to try of each, or one; an empty list leaves the thing as it is. Other numbers of players play
        without teams.
    games, seed
        The games of each setting and their seed; the settings share their deals as far as they can.
    strategy
        What all seats play where the strategy is not varied.
    progress
        Show a progress bar over the settings; None shows it on a terminal only.

    Returns
    -------
    pandas.DataFrame
        One row a setting and number of cards of the stroke (``"any"``: of all sizes): ``varied`` (players, operations,
        strategy or hand_size), ``setting``, ``cards``; ``value``, ``low`` and ``high``, strokes a round with a 95%
        interval; ``rounds`` behind them. Sizes up to the largest that came in a setting, and 6 at least, are listed.

    Raises
    ------
    ValueError
        If a setting is not allowed, or a game with it cannot be dealt.

    Examples
    --------
    >>> table = stroke_frequency(players=(2, 3), operations=(), strategies=(), hand_sizes=(), games=50)
    >>> table[table["cards"] == "any"][["varied", "setting", "rounds"]].to_dict("records")
    [{'varied': 'players', 'setting': '2', 'rounds': 50}, {'varied': 'players', 'setting': '3', 'rounds': 50}]
    """
    import pandas as pd

    base = rules or Rules()
    settings = list(_settings(base, players, operations, strategies, hand_sizes, strategy))
    rows = []
    for varied, setting, changed, seats in tqdm(
        settings, unit=_("setting"), disable=None if progress is None else not progress
    ):
        summary = simulate(changed, games, seed, seats, progress=False).summary()
        for measure, row in summary.iterrows():
            found = _OF_SIZE.fullmatch(str(measure))
            if found:
                rows.append((varied, setting, found[1] or "any", *row[["value", "low", "high", "rounds"]]))
    return pd.DataFrame(rows, columns=["varied", "setting", "cards", "value", "low", "high", "rounds"])


def _settings(
    base: Rules,
    players: int | Sequence[int],
    operations: str | Sequence[str],
    strategies: Strategy | Sequence[Strategy],
    hand_sizes: int | Sequence[int],
    strategy: Strategy,
) -> Iterator[_Setting]:
    """What was varied, its setting in words, the rules with it and what the seats play; all checked before any game."""
    for count in _several(players):
        teams = base.team_sizes if count == base.players else None
        yield "players", str(count), base.replace(players=count, team_sizes=teams), strategy
    for signs in _several(operations):
        changed = base.replace(operations=signs)
        yield "operations", changed.operations, changed, strategy
    for other in _several(strategies):
        seat_strategies(other, base.players)
        yield "strategy", strategy_name(other), base, other
    for size in _several(hand_sizes):
        yield "hand_size", str(size), base.replace(hand_size=size), strategy


def _several(settings: Any) -> list[Any]:
    return list(settings) if isinstance(settings, list | tuple | range) else [settings]
