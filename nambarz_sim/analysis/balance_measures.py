"""What tells whether a variant is balanced: each measure with a 95% interval, games as the independent units.

- Seats are counted from the round's starter. Whether they win alike is judged by Pearson's chi-square, divided by the
  design effect of games of several rounds (Rao and Scott 1981).
- What a wildcard dealt is worth is the slope of winning on the wildcards of a hand within each round, over all seats.
- How much skill counts is told by how many times as often one skilled player wins as each of the others on average, which
  has the same meaning for any number of players.
- What an operation contributes is judged by the same deals with it and without, game by game.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc, stdtrit

from nambarz_sim.analysis.estimates import CONFIDENCE, Numbers, rate_estimate, ratio_estimate, share_estimate
from nambarz_sim.arithmetic.table import LARGEST
from nambarz_sim.engine.state import ENDINGS, SMALLEST_STROKE
from nambarz_sim.languages import N_
from nambarz_sim.simulation.records import PLAYER_COLUMNS, ROUND_COLUMNS, Counts
from nambarz_sim.simulation.results import Results
from nambarz_sim.simulation.watch import Watched

TURNS, STROKES, STALLED, CUT = N_("turns a round"), N_("master strokes a round"), N_("rounds stalled"), N_("rounds cut")
WON, FIRST, POINTS = N_("rounds won by turn order"), N_("advantage of who starts"), N_("points by turn order")
SPREAD, DEVIATION, BY_STROKES = (
    N_("points from first to last"),
    N_("points, standard deviation"),
    N_("points from master strokes"),
)
LEAD, DEALT, WORTH = N_("lead changes a round"), N_("rounds won by wildcards dealt"), N_("worth of a wildcard dealt")
COVERED = N_("turns that cover without a draw")
SKILLED, STRENGTH = N_("rounds won by the skilled player"), N_("strength of skill")
TURNS_WITHOUT, STROKES_WITHOUT = N_("turns a round, change without"), N_("master strokes a round, change without")
ENDLESS_WITHOUT = N_("rounds without an end, without")

MEASURES = {
    TURNS: N_("how long a round is"),
    STROKES: N_("how often a calculation has four cards or more"),
    WON: N_("who starts, then the next ones in their order: the share of rounds that each wins"),
    FIRST: N_("how many times a fair share of the rounds who starts wins; 1 is fair"),
    POINTS: N_("what each earns in a round, in the order of turns"),
    SPREAD: N_("how many points lie between the best and the last of a round"),
    DEVIATION: N_("how far a seat's points lie from the round's mean"),
    BY_STROKES: N_("the share of all points that master strokes earn"),
    LEAD: N_("how often another player takes the lead: alone has the fewest cards after a turn"),
    DEALT: N_("the share of rounds won with so many wildcards in the hand dealt"),
    WORTH: N_("what each wildcard dealt adds to the share of rounds won, in fair shares"),
    COVERED: N_("of the turns begun on a number, those that cover it without a draw"),
    STALLED: N_("rounds in which nobody could move any more (R2.5)"),
    CUT: N_("rounds that the turn limit ended (R2.5)"),
    SKILLED: N_("the share of rounds that one skilled player wins among weaker ones, in every seat as often"),
    STRENGTH: N_("how many times as often the skilled player wins as each of the others; 1 is luck alone"),
    TURNS_WITHOUT: N_("turns more or fewer on the same deals when an operation is left out"),
    STROKES_WITHOUT: N_("master strokes more or fewer on the same deals when an operation is left out"),
    ENDLESS_WITHOUT: N_("the share of rounds stalled or cut when an operation is left out"),
}
"""What is measured, and what it means."""

MANY_WILDCARDS = 4
"""Hands with so many wildcards or more are one case."""


class Measured(NamedTuple):
    """A figure of a variant with its 95% interval and what stands behind it.

    ``games`` are the independent units; ``cases`` are rounds, and of shares of hands and of turns, hands and turns.
    """

    measure: str
    detail: str
    value: float
    low: float
    high: float
    unit: str
    games: int
    cases: int


class Length(NamedTuple):
    """What operations are judged by: each game's turns, master strokes, rounds without an end, and rounds; ``(games,)``."""

    turns: Numbers
    strokes: Numbers
    endless: Numbers
    rounds: Numbers


class Rounds:
    """The rounds proper of a batch (extra rounds of R9.2 left out), added up by game."""

    def __init__(self, results: Results) -> None:
        records, self.players = results.records, results.rules.players
        self._proper = records.rounds[:, ROUND_COLUMNS.index("extra_round")] == 0
        self._rows = np.repeat(self._proper, records.rounds[:, ROUND_COLUMNS.index("dealt_in")])
        self._rounds, self._seats = records.rounds[self._proper], records.players[self._rows]
        self.count, self.games = len(self._rounds), len(records.games)
        self._first_rows = np.searchsorted(results.round_games[self._proper], np.arange(self.games))
        self.per_game = self.by_game(np.ones(self.count))

    def by_game(self, values: Numbers) -> Numbers:
        """Values of rounds added up for each game, shape ``(games, …)``."""
        return np.asarray(np.add.reduceat(values, self._first_rows, axis=0), dtype=np.float64)

    def column(self, name: str) -> Numbers:
        """A column of `Results.rounds`."""
        return np.asarray(self._rounds[:, ROUND_COLUMNS.index(name)], dtype=np.float64)

    def by_seat(self, name: str) -> Numbers:
        """A column of `Results.players`, shape ``(rounds, players)``."""
        return self.in_seats(self._seats[:, PLAYER_COLUMNS.index(name)])

    def in_seats(self, values: Counts) -> Numbers:
        """Values of seats as a table, shape ``(rounds, players)``."""
        return np.asarray(values.reshape(self.count, self.players), dtype=np.float64)

    def of_rounds(self, values: Counts) -> Numbers:
        """What was watched in the rounds proper."""
        return np.asarray(values[self._proper], dtype=np.float64)

    def of_seats(self, values: Counts) -> Numbers:
        """What was watched of the seats in the rounds proper, shape ``(rounds, players)``."""
        return self.in_seats(values[self._rows])

    def in_turn_order(self, by_seat: Numbers) -> Numbers:
        """A table by seat as one by the order of turns: who starts, then the next ones."""
        order = (self.column("starter").astype(np.int64)[:, None] + np.arange(self.players)) % self.players
        return np.asarray(np.take_along_axis(by_seat, order, axis=1), dtype=np.float64)

    @property
    def won(self) -> Numbers:
        """1 for each round's winner, shape ``(rounds, players)``."""
        return np.asarray(self.by_seat("place") == 1, dtype=np.float64)

    def length(self, games: int | None = None) -> Length:
        """What operations are judged by, of the first games."""
        strokes = sum(self.by_seat(f"strokes_{size}") for size in range(SMALLEST_STROKE, LARGEST + 1))
        endless = self.ended("stalled") + self.ended("cut")
        sums = [self.by_game(each) for each in (self.column("turns"), np.asarray(strokes).sum(axis=1), endless)]
        return Length(*(each[:games] for each in (*sums, self.per_game)))

    def ended(self, ending: str) -> Numbers:
        """1 for each round that ended so."""
        return np.asarray(self.column("ended") == ENDINGS.index(ending), dtype=np.float64)


def measure(results: Results, watched: Watched) -> Iterator[Measured]:
    """Everything that one batch of a variant tells."""
    rounds = Rounds(results)
    for part in (_whole_rounds, _turn_order, _points, _endings):
        yield from part(rounds)
    yield _row(
        rounds, LEAD, "", ratio_estimate(_watched_by_game(rounds, watched.lead_changes), rounds.per_game), "times"
    )
    yield from _wildcards(rounds, rounds.of_seats(watched.players))
    yield from _numbers(rounds, watched, results.rules.the_deck.numbers)


def seats_p(results: Results) -> float:
    """How likely turn order decides so much by chance alone (`seat_test`)."""
    rounds = Rounds(results)
    return seat_test(rounds.by_game(rounds.in_turn_order(rounds.won)))


def seat_test(wins: Numbers) -> float:
    """The p-value of the question whether all win alike: Pearson's chi-square with the correction of Rao and Scott.

    Parameters
    ----------
    wins
        For each game the rounds that each seat has won, shape ``(games, seats)``; games are independent.

    Returns
    -------
    float
        Missing with fewer than two games.

    Examples
    --------
    >>> seat_test(np.eye(4)[[0, 1, 2, 3] * 100])
    1.0
    >>> seat_test(np.eye(4)[[0, 0, 0, 1, 2, 3] * 100]) < 0.001
    True
    """
    games, seats = wins.shape
    if games < 2:
        return float("nan")
    rounds = wins.sum(axis=1)
    total, share = rounds.sum(), wins.sum(axis=0) / rounds.sum()
    square = float(total * np.sum((share - 1 / seats) ** 2) * seats)
    residuals = wins - share * rounds[:, None]
    spread = games / (games - 1) * np.sum(residuals**2, axis=0) / total  # of a share, times the rounds
    # Each seat's design effect is its spread to share x (1 - share); their mean is weighted by 1 - share.
    seen = share > 0
    effect = float(np.sum(spread[seen] / share[seen])) / (seats - 1)
    return float(gammaincc((seats - 1) / 2, square / max(effect, 1.0) / 2))


def skill(batches: list[Results]) -> Iterator[Measured]:
    """How often one skilled player wins, from batches of the same deals with that player in seat 0, 1, … ."""
    seats = [Rounds(results) for results in batches]
    hits = sum((each.by_game(each.won[:, seat]) for seat, each in enumerate(seats)), np.zeros(seats[0].games))
    rounds = sum((each.per_game for each in seats), np.zeros(seats[0].games))
    share = share_estimate(hits, rounds)
    others = len(batches) - 1
    games, count = seats[0].games, int(rounds.sum())
    yield Measured(SKILLED, "", *share, "share of rounds", games, count)
    value, low, high = (others * part / (1 - part) if part < 1 else float("inf") for part in share)
    yield Measured(STRENGTH, "", value, low, high, "times as often", games, count)


def without(operation: str, whole: Length, reduced: Length) -> Iterator[Measured]:
    """What changes on the same deals when an operation is left out."""
    games, rounds = len(whole.rounds), int(whole.rounds.sum())
    for name, one, other, unit in (
        (TURNS_WITHOUT, whole.turns, reduced.turns, "turns"),
        (STROKES_WITHOUT, whole.strokes, reduced.strokes, "strokes"),
    ):
        estimate = difference_estimate(one, whole.rounds, other, reduced.rounds)
        yield Measured(name, operation, *estimate, unit, games, rounds)
    share = share_estimate(reduced.endless, reduced.rounds)
    yield Measured(ENDLESS_WITHOUT, operation, *share, "share of rounds", games, int(reduced.rounds.sum()))


def difference_estimate(top: Numbers, bottom: Numbers, top_2: Numbers, bottom_2: Numbers) -> tuple[float, float, float]:
    """The second ratio of sums less the first, both over the same games, with its paired 95% interval.

    The linearised ratios give each game's part in the error; those of one game belong together.

    Examples
    --------
    >>> ones = np.ones(4)
    >>> difference_estimate(np.array([1.0, 2, 3, 4]), ones, np.array([2.0, 3, 4, 5]), ones)
    (1.0, 1.0, 1.0)
    """
    games = len(top)
    value, value_2 = top.sum() / bottom.sum(), top_2.sum() / bottom_2.sum()
    change = float(value_2 - value)
    if games < 2:
        return change, float("nan"), float("nan")
    parts = (top_2 - value_2 * bottom_2) / bottom_2.mean() - (top - value * bottom) / bottom.mean()
    reach = float(stdtrit(games - 1, (1 + CONFIDENCE) / 2)) * float(np.std(parts, ddof=1)) / games**0.5
    return change, change - reach, change + reach


def ordinal(place: int) -> str:
    """A place in the order of turns as people say it.

    Examples
    --------
    >>> [ordinal(place) for place in (1, 2, 3, 4, 12)]
    ['1st', '2nd', '3rd', '4th', '12th']
    """
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(place, 'th') }"


def _row(rounds: Rounds, measure: str, detail: str, estimate: tuple[float, float, float], unit: str) -> Measured:
    return Measured(measure, detail, *estimate, unit, rounds.games, rounds.count)


def _whole_rounds(rounds: Rounds) -> Iterator[Measured]:
    turns, strokes, _, per_game = rounds.length()
    yield _row(rounds, TURNS, "", ratio_estimate(turns, per_game), "turns")
    yield _row(rounds, STROKES, "", rate_estimate(strokes, per_game), "strokes")


def _turn_order(rounds: Rounds) -> Iterator[Measured]:
    won = rounds.by_game(rounds.in_turn_order(rounds.won))
    points = rounds.by_game(rounds.in_turn_order(rounds.by_seat("points")))
    shares = [share_estimate(won[:, place], rounds.per_game) for place in range(rounds.players)]
    for place, share in enumerate(shares):
        yield _row(rounds, WON, ordinal(place + 1), share, "share of rounds")
    value, low, high = (rounds.players * part for part in shares[0])
    yield _row(rounds, FIRST, "", (value, low, high), "fair shares")
    for place in range(rounds.players):
        estimate = ratio_estimate(points[:, place], rounds.per_game)
        yield _row(rounds, POINTS, ordinal(place + 1), estimate, "points")


def _points(rounds: Rounds) -> Iterator[Measured]:
    points, bonus = rounds.by_seat("points"), rounds.by_seat("bonus")
    spread = rounds.by_game(points.max(axis=1) - points.min(axis=1))
    yield _row(rounds, SPREAD, "", ratio_estimate(spread, rounds.per_game), "points")
    value, low, high = ratio_estimate(rounds.by_game(points.var(axis=1)), rounds.per_game)
    yield _row(rounds, DEVIATION, "", (value**0.5, max(low, 0.0) ** 0.5, high**0.5), "points")
    share = ratio_estimate(rounds.by_game(bonus.sum(axis=1)), rounds.by_game(points.sum(axis=1)))
    yield _row(rounds, BY_STROKES, "", share, "share of points")


def _endings(rounds: Rounds) -> Iterator[Measured]:
    for name, ending in ((STALLED, "stalled"), (CUT, "cut")):
        share = share_estimate(rounds.by_game(rounds.ended(ending)), rounds.per_game)
        yield _row(rounds, name, "", share, "share of rounds")


def _wildcards(rounds: Rounds, dealt: Numbers) -> Iterator[Measured]:
    if not dealt.any():
        return
    won = rounds.won
    for count in range(MANY_WILDCARDS + 1):
        many = count == MANY_WILDCARDS
        case = (dealt >= count if many else dealt == count).astype(np.float64)
        hands = rounds.by_game(case.sum(axis=1))
        if hands.any():
            share = share_estimate(rounds.by_game((won * case).sum(axis=1)), hands)
            detail = f"{count} or more" if many else str(count)
            yield Measured(DEALT, detail, *share, "share of hands", rounds.games, int(hands.sum()))
    above = dealt - dealt.mean(axis=1, keepdims=True)
    slope = ratio_estimate(rounds.by_game((above * won).sum(axis=1)), rounds.by_game((above**2).sum(axis=1)))
    value, low, high = (rounds.players * part for part in slope)
    yield _row(rounds, WORTH, "", (value, low, high), "fair shares")


def _numbers(rounds: Rounds, watched: Watched, numbers: tuple[int, ...]) -> Iterator[Measured]:
    turns = _watched_by_game(rounds, watched.turns_on)
    covered = _watched_by_game(rounds, watched.covered)
    for column, number in enumerate(numbers):
        if turns[:, column].any():
            share = share_estimate(covered[:, column], turns[:, column])
            cases = int(turns[:, column].sum())
            yield Measured(COVERED, str(number), *share, "share of turns", rounds.games, cases)


def _watched_by_game(rounds: Rounds, values: Counts) -> Numbers:
    return rounds.by_game(rounds.of_rounds(values))
