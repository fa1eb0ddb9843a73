"""`balance`: a grid of variants, all with the same deals, and what luck, skill, seats and cards count for in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from nambarz_sim._errors import unknown_name, whole_number
from nambarz_sim._numba import is_ready
from nambarz_sim.analysis.balance_findings import findings, overview
from nambarz_sim.analysis.balance_measures import (
    Length,
    Measured,
    Rounds,
    measure,
    seats_p,
    skill,
    without,
)
from nambarz_sim.analysis.wording import games as games_in_words
from nambarz_sim.analysis.wording import shown_variant
from nambarz_sim.analysis.wording import variants as variants_in_words
from nambarz_sim.arithmetic.expression import SIGNS
from nambarz_sim.events import counted
from nambarz_sim.languages import N_, _, in_language, localised
from nambarz_sim.rules import Rules, read_operations
from nambarz_sim.simulation import kernel as loop
from nambarz_sim.simulation.batch import MOST_GAMES, Progress, simulate, teller
from nambarz_sim.simulation.results import Results
from nambarz_sim.simulation.watch import verify_watchable, watch
from nambarz_sim.strategies.names import STRATEGIES, code_of

if TYPE_CHECKING:
    import pandas as pd

NONE = "none"
"""The level without wildcards in a grid."""
PLAYERS, WILDCARDS, OPERATIONS = (2, 3, 4, 6), (NONE, "beginner", "experienced", "top-level"), ("+-", "+-*", "+-*/")
EXTRA_GAMES = 2_000
TURN_LIMIT = 1_000
"""A grid's rounds are cut after so many turns: without subtraction many would never end."""
COLUMNS = ["variant", *Measured._fields]


class Grid(dict[str, Rules]):
    """Variants by their names.

    Attributes
    ----------
    left_out
        The combinations that cannot be played, by their names, and why.
    """

    left_out: dict[str, str]


def variant_grid(
    players: Iterable[int] = PLAYERS,
    wildcards: Iterable[Any] = WILDCARDS,
    operations: Iterable[str] = OPERATIONS,
    rules: Rules | None = None,
) -> Grid:
    """Every combination of players, wildcards and operations as a variant.

    Parameters
    ----------
    players
        Numbers of players.
    wildcards
        ``"none"``, levels, totals or counts, as `Rules` takes them.
    operations
        Sets of operations, such as ``"+-"``.
    rules
        What else all variants have in common; without, the defaults, but rounds are cut after `TURN_LIMIT` turns.

    Returns
    -------
    Grid
        A dictionary of rules by names; combinations that cannot be dealt (R1.5) are told in its ``left_out``.

    Raises
    ------
    ValueError
        If a value is not allowed for any variant, or no combination can be played.

    Examples
    --------
    >>> grid = variant_grid(players=(2, 12), wildcards=("top-level",), operations=("+-",))
    >>> list(grid), list(grid.left_out)
    (['2 players, top-level, + -'], ['12 players, top-level, + -'])
    >>> len(variant_grid())
    48
    """
    base = rules or Rules(turn_limit=TURN_LIMIT)
    grid, grid.left_out = Grid(), {}
    levels = {_level(value): Rules(wildcards=0 if value == NONE else value).wildcards for value in wildcards}
    counts = [whole_number("players", number, 2, 12) for number in players]
    for number, (level, cards), signs in product(counts, levels.items(), map(read_operations, operations)):
        name = f"{counted(number, 'player')}, {level}, {' '.join(SIGNS[sign] for sign in signs)}"
        try:
            grid[name] = base.replace(players=number, wildcards=cards, operations=signs)
        except ValueError as reason:
            grid.left_out[name] = str(reason)
    if not grid:
        why = f": {next(iter(grid.left_out.values()))}" if grid.left_out else "; give players, wildcards and operations"
        raise ValueError(f"variants: no combination of the grid can be played{why}")
    return grid


def _level(value: Any) -> str:
    """Wildcards in the name of a variant."""
    if isinstance(value, Mapping):
        return " and ".join(f"{count} {kind}" for kind, count in value.items())
    return "no wildcards" if value in (NONE, 0) else value if isinstance(value, str) else f"{value} wildcards"


@dataclass(frozen=True)
class Balance:
    """What `balance` found.

    Attributes
    ----------
    table
        One row a figure: ``variant``, ``measure``, ``detail`` (a place in the order of turns, a number of wildcards, a
        card's number, an operation), ``value`` with its 95% interval ``low`` to ``high``, ``unit``, ``games`` (the
        independent units) and ``cases`` (rounds; hands and turns where the unit is a share of them).
    seats
        For each variant the p-value of the question whether turn order decides who wins.
    variants
        The rules of each variant that was finished.
    left_out
        Variants that are missing, and why.
    games, extra_games, seed, strategy, skilled, among
        How it was played.
    """

    table: pd.DataFrame
    seats: dict[str, float]
    variants: dict[str, Rules]
    left_out: dict[str, str]
    games: int
    extra_games: int
    seed: int
    strategy: str
    skilled: str
    among: str

    def findings(self, lang: str | None = None) -> list[str]:
        """Sentences on what stands out, each with its interval, in a language."""
        with in_language(lang):
            return findings(self.table, self.seats, self.skilled, self.among)

    def __str__(self) -> str:
        lines = [
            _("{variants}, {games} each with the same deals, strategy {strategy}, seed {seed}").format(
                variants=variants_in_words(len(self.variants)),
                games=games_in_words(self.games),
                strategy=self.strategy,
                seed=self.seed,
            ),
            _("skill: one {skilled} among {among}, and operations left out: {deals} deals").format(
                skilled=self.skilled, among=self.among, deals=localised(f"{self.extra_games:,}")
            ),
        ]
        left_out = _("left out: {variant}: {reason}")
        lines += [
            left_out.format(variant=shown_variant(name), reason=_(reason)) for name, reason in self.left_out.items()
        ]
        return "\n".join([*lines, "", *self.findings(), "", *overview(self.table)])


def balance(
    variants: Mapping[str, Rules] | None = None,
    games: int = 10_000,
    seed: int = 1,
    strategy: str = "greedy",
    skilled: str = "thrifty",
    among: str = "random",
    extra_games: int | None = None,
    workers: int | None = None,
    progress: bool | Progress | None = True,
) -> Balance:
    """Play every variant with the same deals and measure what decides its rounds.

    Parameters
    ----------
    variants
        Rules by names; `variant_grid()` without.
    games
        Games of each variant, 2 or more.
    seed
        Which deals: a whole number from 0.
    strategy
        Who plays in all seats.
    skilled, among
        Whose share of wins tells how much skill counts, and who plays in the other seats then. Every deal is played once
        with the skilled player in each seat.
    extra_games
        Deals for skill and for operations left out; at most `games`, and `EXTRA_GAMES` without.
    workers
        Threads; all cores without.
    progress
        Show a progress bar over all variants; None shows it on a terminal only. Or a function ``progress(done, total)`` of
        games; where it returns False, the variants that are finished by then are given.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.

    Examples
    --------
    >>> found = balance(variant_grid((2, 3), ("beginner",), ("+-",)), games=50, progress=False)
    >>> list(found.variants)
    ['2 players, beginner, + -', '3 players, beginner, + -']
    >>> found.table.loc[found.table["measure"] == "rounds won by turn order", "detail"].tolist()
    ['1st', '2nd', '1st', '2nd', '3rd']
    """
    import pandas as pd

    variants = variant_grid() if variants is None else variants
    extra_games = min(games, EXTRA_GAMES) if extra_games is None else extra_games
    check(variants, games, extra_games, seed, strategy, skilled, among, workers)
    who: dict[str, Any] = {"strategy": strategy, "skilled": skilled, "among": among}
    played = {"games": games, "extra_games": extra_games, "seed": seed, **who}
    seats: dict[str, float] = {}
    rows: list[tuple[str | float, ...]] = []
    total = sum(games + extra_games * (rules.players + len(parts(rules))) for rules in variants.values())
    with teller(progress, 0, total, is_ready(loop.play_games_watched)) as tell, suppress(_Stopped):
        study = _Study(played, workers, tell, total)
        for name, rules in variants.items():
            seats[name], figures = study.measure(rules)
            rows += [(name, *figure) for figure in figures]
    table = pd.DataFrame(rows, columns=COLUMNS)
    finished = {name: rules for name, rules in variants.items() if name in seats}
    left_out = dict(getattr(variants, "left_out", {}))
    left_out |= {name: N_("stopped before it was finished") for name in variants if name not in finished}
    return Balance(table, seats, finished, left_out, **played)


def check(
    variants: Mapping[str, Rules],
    games: int,
    extra_games: int,
    seed: int,
    strategy: str,
    skilled: str,
    among: str,
    workers: int | None = None,
) -> None:
    """Refuse what `balance` cannot play.

    Raises
    ------
    ValueError
        If an argument is not allowed; the message names it.
    """
    if not variants:
        raise ValueError("variants: none is given; give rules by names, such as variant_grid() makes them")
    whole_number("games", games, 2, MOST_GAMES)
    whole_number("extra_games", extra_games, 2, games)
    whole_number("seed", seed, 0, 2**63 - 1)
    if workers is not None:
        whole_number("workers", workers, 1, MOST_GAMES)
    verify_watchable("strategy", strategy)
    for name, value in (("skilled", skilled), ("among", among)):
        if code_of(value) is None:
            raise ValueError(unknown_name(name, value, STRATEGIES))


def parts(rules: Rules) -> list[str]:
    """The operations that can be left out."""
    return list(rules.operations) if len(rules.operations) > 1 else []


class _Stopped(Exception):
    """Whoever is told of the progress wants no more."""


class _Study:
    """The batches of all variants, one after another."""

    def __init__(self, played: Mapping[str, Any], workers: int | None, tell: Progress, total: int) -> None:
        self.seed, self.strategy = played["seed"], played["strategy"]
        self.games, self.extra_games = played["games"], played["extra_games"]
        self.skilled, self.among = played["skilled"], played["among"]
        self.workers = workers
        self._lengths: dict[Rules, Length] = {}  # variants and variants less an operation are often the same
        self._tell = tell
        self._done = 0
        self._total = total
        if tell(0, total) is False:
            raise _Stopped

    def measure(self, rules: Rules) -> tuple[float, list[Measured]]:
        """The p-value of the seats of a variant and all its figures."""
        results, watched = watch(rules, self.games, self.seed, self.strategy, self.workers, progress=self._more)
        self._played(self.games)
        whole = self._lengths[rules] = Rounds(results).length(self.extra_games)
        figures = [
            *measure(results, watched),
            *skill([self._with_skilled(seat, rules) for seat in range(rules.players)]),
        ]
        for operation in parts(rules):
            reduced = self._length(rules.replace(operations=rules.operations.replace(operation, "")))
            figures += without(SIGNS[operation], whole, reduced)
        return seats_p(results), figures

    def _with_skilled(self, seat: int, rules: Rules) -> Results:
        seats = [self.skilled if place == seat else self.among for place in range(rules.players)]
        return self._simulate(rules, seats)

    def _length(self, rules: Rules) -> Length:
        if rules not in self._lengths:
            self._lengths[rules] = Rounds(self._simulate(rules, self.strategy)).length()
        else:
            self._more(self.extra_games, 0)
            self._played(self.extra_games)
        return self._lengths[rules]

    def _simulate(self, rules: Rules, strategies: str | list[str]) -> Results:
        results = simulate(rules, self.extra_games, self.seed, strategies, self.workers, progress=self._more)
        self._played(self.extra_games)
        return results

    def _more(self, done: int, _total: int) -> bool:
        """Tell of the games of the batch under way; False stops it."""
        self._stopped = self._tell(self._done + done, self._total) is False
        return not self._stopped

    def _played(self, games: int) -> None:
        """Go on after a batch."""
        if self._stopped:
            raise _Stopped
        self._done += games
