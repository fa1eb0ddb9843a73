"""What the engine says of a score sheet: points of a round (R8), totals, places and play-offs (R9).

No rule is written here: the places and master strokes of a sheet are put into the engine's state where a round that was
played would have left them, and `nambarz_sim.engine.kernel` scores the round and says who plays the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from nambarz_sim.analysis.calculations import minimal_calculations
from nambarz_sim.engine import kernel as engine
from nambarz_sim.engine.state import (
    AT_TALLY,
    BONUS,
    EXTRA_ROUND,
    FINISHED_SEATS,
    GAME_OVER,
    GAME_PLACES,
    IN_ROUND,
    PARTY,
    PLACES,
    POINTS,
    SMALLEST_STROKE,
    TALLY_SIZE,
    TOTALS,
    new_state,
    pack,
)
from nambarz_sim.rules import RANKED_PLAYERS, Rules

Strokes = Mapping[int, int]
"""How many master strokes a player laid in a round, by their number of cards."""


@lru_cache(maxsize=32)
def stroke_sizes(rules: Rules) -> tuple[int, ...]:
    """How many cards a master stroke can have by these rules: from 4 to those of the largest calculation (R8.3).

    Examples
    --------
    >>> stroke_sizes(Rules())
    (4, 5, 6, 7, 8)
    """
    largest = max(minimal_calculations(rules)["cards"], default=0)
    return tuple(range(SMALLEST_STROKE, int(largest) + 1))


def ranked_places(players: int) -> int:
    """How many places of a round with so many players earn points (R8.2).

    Examples
    --------
    >>> ranked_places(4), ranked_places(12)
    (4, 5)
    """
    return min(players, RANKED_PLAYERS)


class Scorer:
    """A game by these rules of which only the places and master strokes are known, scored round by round.

    Examples
    --------
    >>> scorer = Scorer(Rules(players=3, rounds=1))
    >>> scorer.enter([2, 1, 3], [{4: 1}, {}, {}])
    [39, 40, 25]
    >>> scorer.over, scorer.totals, scorer.places
    (True, [39, 40, 25], [2, 1, 3])
    """

    def __init__(self, rules: Rules) -> None:
        self._players = rules.players
        self._parties = max(rules.teams) + 1
        self._packed = pack(rules)
        self._state = new_state(self._packed)
        engine.start_game(self._packed, self._state, 1, 0)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self._state[GAME_OVER])

    @property
    def play_off(self) -> bool:
        """Whether the round to be entered is an extra one (R9.2)."""
        return bool(self._state[EXTRA_ROUND]) and not self.over

    @property
    def dealt_in(self) -> list[int]:
        """The seats that play the round to be entered."""
        return [seat for seat in range(self._players) if self._state[IN_ROUND + seat]]

    @property
    def totals(self) -> list[int]:
        """The total of every team, or of every seat without teams (R9.1, R9.3)."""
        return [int(self._state[TOTALS + party]) for party in range(self._parties)]

    @property
    def places(self) -> list[int]:
        """The place of every team, or of every seat without teams, as far as it is decided."""
        return [int(self._state[GAME_PLACES + party]) for party in range(self._parties)]

    def party(self, seat: int) -> int:
        """The team of a seat, or the seat without teams."""
        return int(self._state[PARTY + seat])

    def may_end(self, places: Sequence[int | None]) -> bool:
        """Whether a round is over when those with a place have finished, and the others have not (R7)."""
        self._put(places)
        return bool(engine._round_is_over(self._packed, self._state))

    def _put(self, places: Sequence[int | None]) -> None:
        """Put places into the state; a place behind those that earn points is none, for who has it has not finished."""
        last = ranked_places(len(self.dealt_in))
        finished = {seat: place for seat in self.dealt_in if (place := places[seat]) is not None and place <= last}
        for seat in self.dealt_in:
            self._state[PLACES + seat] = finished.get(seat, 0)
        self._state[FINISHED_SEATS] = len(finished)

    def enter(self, places: Sequence[int | None], strokes: Sequence[Strokes]) -> list[int]:
        """Score a round, and go on to the next one; the points of every seat, 0 of those not dealt in.

        Parameters
        ----------
        places
            The place of every seat; None, or one that earns no points, of those who have not finished (R8.2).
        strokes
            The master strokes of every seat.
        """
        state, tally = self._state, int(self._packed[AT_TALLY])
        self._put(places)
        for seat in self.dealt_in:
            at = tally + seat * TALLY_SIZE
            state[at + BONUS] = sum(count * engine.stroke_bonus(size) for size, count in strokes[seat].items())
        engine.score_round(self._packed, state)
        dealt_in = self.dealt_in
        points = [
            int(state[tally + seat * TALLY_SIZE + POINTS]) if seat in dealt_in else 0 for seat in range(self._players)
        ]
        engine.next_round(self._packed, state)
        return points


def points_by_place(rules: Rules) -> list[int]:
    """The points of every place that earns some with this number of players (R8.1, R8.2).

    Examples
    --------
    >>> points_by_place(Rules(players=6))
    [40, 32, 25, 19, 14]
    """
    ranked = ranked_places(rules.players)
    places = [seat + 1 if seat < ranked else None for seat in range(rules.players)]
    return Scorer(rules).enter(places, [{}] * rules.players)[:ranked]


def points_by_stroke(rules: Rules) -> dict[int, int]:
    """The points of a master stroke of every size (R8.3)."""
    return {size: int(engine.stroke_bonus(size)) for size in stroke_sizes(rules)}
