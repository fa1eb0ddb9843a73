"""The rounds of a score sheet, checked against what the engine says of them: places, points, totals and play-offs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nambarz_sim.classroom.score_columns import FINAL, PLACE, POINTS, STROKES, TEAM_TOTAL, TOTAL, Column
from nambarz_sim.classroom.score_engine import Scorer, ranked_places, stroke_sizes
from nambarz_sim.classroom.score_grid import OF_A_ROUND, Grid
from nambarz_sim.classroom.score_roster import Roster
from nambarz_sim.classroom.score_sheets import Entries, ScoreSheet, decided_places
from nambarz_sim.languages import _, written
from nambarz_sim.rules import PLAY_OFFS, Rules

MOST_STROKES = 99
"""Master strokes of one size that a player may have in a round."""
MOST_POINTS = 999_999
_DASHES = ("-", "–", "—", "−")


@dataclass
class _Round:
    """A round as it stands in the file, a value for each seat."""

    column: Column
    places: list[int | None] = field(default_factory=list)
    dashes: list[bool] = field(default_factory=list)
    strokes: list[dict[int, int]] = field(default_factory=list)
    points: list[int | None] = field(default_factory=list)
    right: bool = True
    """Whether all places and strokes are right, so that the round can be scored."""


class Rounds:
    """The rounds and play-offs of a sheet; `check` names what is wrong with them, `sheet` is what is right."""

    def __init__(self, grid: Grid, roster: Roster, rules: Rules, rounds: int) -> None:
        self._grid, self._roster = grid, roster
        self._rows = roster.rows
        self._rules: Rules | None = None
        if roster.complete:
            self._rules = rules.replace(players=len(roster.rows), rounds=rounds, team_sizes=roster.sizes or None)
        self._sizes = stroke_sizes(self._rules or rules)
        self._columns: dict[tuple[int, bool], list[Column]] = {}
        for column in grid.columns:
            if column.kind in OF_A_ROUND:
                self._columns.setdefault((column.round, column.play_off), []).append(column)
        self._totals, self._team_totals, self._finals = (
            self._numbers(Column(kind), most)
            for kind, most in ((TOTAL, MOST_POINTS), (TEAM_TOTAL, MOST_POINTS), (FINAL, len(self._rows)))
        )
        self._rounds = [self._read(Column(PLACE, number)) for number in range(1, rounds + 1)]
        extra = max((column.round for column in grid.columns if column.play_off), default=0)
        self._play_offs = [self._read(Column(PLACE, number, play_off=True)) for number in range(1, extra + 1)]
        self._columns_there = all(each.column in grid.columns for each in (*self._rounds, *self._play_offs))
        while self._rounds and not self._is_played(self._rounds[-1]):
            self._rounds.pop()
        self._all_played = len(self._rounds) == rounds

    def sheet(self) -> ScoreSheet:
        """The sheet, if nothing is wrong."""
        assert self._rules is not None, "what keeps a roster from being complete is a problem, too"
        played = [each for each in self._play_offs if self._is_played(each)]
        rounds, extra = (
            tuple(Entries(tuple(each.places), tuple(each.strokes)) for each in some) for some in (self._rounds, played)
        )
        return ScoreSheet(self._rules, tuple(self._roster.names), tuple(self._roster.teams), rounds, extra)

    def check(self) -> None:
        """Name all that is wrong."""
        if self._rules is None:
            for each in (*self._rounds, *self._play_offs):
                self._check_twice(each, range(len(self._rows)))
            return
        expected = [self._check_round(each, Scorer(self._rules)) for each in self._rounds]
        self._check_totals(expected)
        if self._columns_there and all(each.right for each in self._rounds):
            self._check_game()

    # --- what is there -------------------------------------------------------------------------------------------

    def _read(self, column: Column) -> _Round:
        found = _Round(column)
        found.right = self._grid.require(column)
        points = column._replace(kind=POINTS)
        strokes = self._strokes_of(column)
        for row in self._rows:
            dash = row is not None and self._grid.text(row, column) in _DASHES
            found.dashes.append(dash)
            found.places.append(None if row is None or dash else self._grid.number(row, column, 1, len(self._rows)))
            found.points.append(None if row is None else self._grid.number(row, points, 0, MOST_POINTS))
            found.strokes.append({} if row is None else self._strokes(row, strokes))
            if row is None or any(self._grid.is_blamed(row, each) for each in (column, *strokes)):
                found.right = False
        return found

    def _strokes(self, row: int, columns: Sequence[Column]) -> dict[int, int]:
        found = {}
        for column in columns:
            count = self._grid.number(row, column, 0, MOST_STROKES)
            if count and column.cards not in self._sizes:
                self._grid.blame_column(row, column, self._no_such_stroke())
            elif count:
                found[column.cards] = count
        return found

    def _no_such_stroke(self) -> str:
        if not self._sizes:
            return _("there is no master stroke by these rules (R8.3)")
        return _("there is no such master stroke; by these rules they have {least} to {most} cards (R8.3)").format(
            least=self._sizes[0], most=self._sizes[-1]
        )

    def _is_played(self, each: _Round) -> bool:
        """Whether anything is written down of a round."""
        return any(self._filled(each.column, row) for row in self._rows if row is not None)

    def _filled(self, column: Column, row: int) -> list[Column]:
        """The cells of a round that a row has something in."""
        return [each for each in self._of_round(column) if self._grid.text(row, each)]

    def _of_round(self, column: Column) -> list[Column]:
        return self._columns.get((column.round, column.play_off), [])

    def _strokes_of(self, column: Column) -> list[Column]:
        return [each for each in self._of_round(column) if each.kind == STROKES]

    def _numbers(self, column: Column, most: int) -> list[int | None]:
        least = int(column.kind == FINAL)
        return [None if row is None else self._grid.number(row, column, least, most) for row in self._rows]

    def _blame(self, each: _Round, seat: int, message: str) -> None:
        row = self._rows[seat]
        each.right = False
        if row is not None:
            self._grid.blame_column(row, each.column, message)

    # --- one round -----------------------------------------------------------------------------------------------

    def _check_round(self, each: _Round, scorer: Scorer) -> list[int | None]:
        """Check places and points of a round; the points of each seat, None where they cannot be known."""
        seats = scorer.dealt_in
        ranked = ranked_places(len(seats))
        self._check_twice(each, seats)
        for seat in seats:
            place = each.places[seat]
            if place is not None and place > len(seats):
                self._blame(each, seat, _("{players} play in this round, so there is no place {place}").format(
                    place=written(place), players=written(len(seats))))  # fmt: skip
            if each.dashes[seat] and ranked == len(seats):
                self._blame(each, seat, _("the place is missing; with {players} players everybody has one (R8.2)").format(
                    players=written(len(seats))))  # fmt: skip
        self._check_missing(each, scorer, seats, ranked)
        places = self._completed(each, seats, ranked)
        if places is None:
            return [None] * len(self._rows)
        expected = scorer.enter(places, each.strokes)
        return [self._compare_points(each, seat, expected[seat], seat in seats) for seat in range(len(self._rows))]

    def _check_twice(self, each: _Round, seats: Sequence[int]) -> None:
        """No two players of a round have one place."""
        for seat in seats:
            place = each.places[seat]
            same = [
                row
                for other in seats
                if other != seat and each.places[other] == place is not None and (row := self._rows[other]) is not None
            ]
            if same:
                cells = self._grid.cells(same, each.column)
                self._blame(each, seat, _("place {place} is there twice, see {cells}").format(
                    place=written(place or 0), cells=cells))  # fmt: skip

    def _check_missing(self, each: _Round, scorer: Scorer, seats: Sequence[int], ranked: int) -> None:
        """Who must have a place has one, and no place is there without those before it."""
        given = {each.places[seat] for seat in seats}
        empty = [
            seat
            for seat in seats
            if each.places[seat] is None and not each.dashes[seat] and not self._is_bad(each, seat)
        ]
        if ranked == len(seats):
            for seat in empty:
                self._blame(each, seat, _("the place is missing"))
            return
        before = each.right
        for seat in seats:
            place = each.places[seat]
            if before and place is not None and place > 1 and place - 1 not in given:
                self._blame(each, seat, _("there is a place {place}, and nobody has place {before}").format(
                    place=written(place), before=written(place - 1)))  # fmt: skip
        if each.right and not scorer.may_end(each.places):
            for seat in empty:
                self._blame(each, seat, _(
                    "the place is missing: a round ends when {finished} players have finished (R7); if it ended before, "
                    "put – for those who had not").format(finished=written(ranked)))  # fmt: skip

    def _is_bad(self, each: _Round, seat: int) -> bool:
        """Whether a place is known to be wrong, or cannot be there."""
        row = self._rows[seat]
        return row is None or each.column not in self._grid.columns or self._grid.is_blamed(row, each.column)

    def _completed(self, each: _Round, seats: Sequence[int], ranked: int) -> list[int | None] | None:
        """The places with something possible where they are wrong, so that the others' points are known; or None."""
        places = list(each.places)
        if each.right:
            return places
        bad = [seat for seat in seats if self._is_bad(each, seat)]
        for seat in bad:
            places[seat] = None
        last = ranked if ranked == len(seats) else max(min(places[seat] or 0, ranked) for seat in seats)
        left = [place for place in range(1, last + 1) if place not in places]
        if len(left) > len(bad) or (ranked == len(seats) and len(left) != len(bad)):
            return None
        for seat, place in zip(bad, left, strict=False):
            places[seat] = place
        return places

    def _compare_points(self, each: _Round, seat: int, expected: int, plays: bool) -> int | None:
        """Compare the points of a seat with those given; None where the place or a stroke is wrong."""
        row = self._rows[seat]
        if row is None or self._is_bad(each, seat):
            return None
        if any(self._grid.is_blamed(row, column) for column in self._strokes_of(each.column)):
            return None
        given = each.points[seat]
        if plays and given is not None and given != expected:
            self._grid.blame_column(row, each.column._replace(kind=POINTS), _(
                "{given} points are given, and place and master strokes make {expected} (R8)").format(
                    given=written(given), expected=written(expected)))  # fmt: skip
        return expected

    # --- the game ------------------------------------------------------------------------------------------------

    def _check_totals(self, expected: Sequence[Sequence[int | None]]) -> None:
        """Compare totals with the points; where these cannot be known, with those given."""
        teams = self._rules.teams if self._rules and self._roster.teams else ()
        right: list[int | None] = []
        for seat in range(len(self._rows)):
            points = [
                each.points[seat] if known[seat] is None else known[seat]
                for each, known in zip(self._rounds, expected, strict=True)
            ]
            right.append(None if None in points else sum(each or 0 for each in points))
        message = _("{given} is given, and the points of the rounds add up to {right} (R9.1)")
        self._compare_all(Column(TOTAL), self._totals, right, message)
        by_team = [[right[seat] for seat, team in enumerate(teams) if team == mine] for mine in teams]
        sums = [None if None in each else sum(value or 0 for value in each) for each in by_team]
        if teams:
            message = _("{given} is given, and the players' totals add up to {right} (R9.3)")
            self._compare_all(Column(TEAM_TOTAL), self._team_totals, sums, message)

    def _compare_all(
        self, column: Column, given: Sequence[int | None], right: Sequence[int | None], message: str
    ) -> None:
        for row, there, value in zip(self._rows, given, right, strict=True):
            if row is not None and there is not None and value is not None and there != value:
                self._grid.blame_column(row, column, message.format(given=written(there), right=written(value)))

    def _check_game(self) -> None:
        """Enter all rounds, then the play-offs while there is a tie to play off (R9.2), and compare the final places."""
        assert self._rules is not None
        scorer = Scorer(self._rules)
        for each in self._rounds:
            scorer.enter(each.places, each.strokes)
        left = list(self._play_offs)
        while left and scorer.play_off and self._is_played(left[0]):
            each = left.pop(0)
            self._blame_filled(each, lambda seat: seat not in scorer.dealt_in, self._no_part(scorer))
            self._check_round(each, scorer)
            if not each.right:
                return
        for each in left:
            self._blame_filled(each, lambda seat: True, self._no_play_off(scorer))
        self._check_final(scorer)

    def _blame_filled(self, each: _Round, who: Callable[[int], bool], message: str) -> None:
        """Name the entries of a play-off in which these seats have no part."""
        for seat, row in enumerate(self._rows):
            if row is not None and who(seat):
                for column in self._filled(each.column, row):
                    self._grid.blame_column(row, column, message)
                    each.right = False

    def _no_part(self, scorer: Scorer) -> str:
        return _("only who is tied plays an extra round: {names} (R9.2)").format(names=self._names_of(scorer.dealt_in))

    def _no_play_off(self, scorer: Scorer) -> str:
        assert self._rules is not None
        if not self._all_played:
            return _("there is no play-off before all {rounds} rounds are played (R9.2)").format(
                rounds=written(self._rules.rounds)
            )
        if scorer.play_off:
            return _("the play-off before it is empty; {names} are tied (R9.2)").format(
                names=self._names_of(scorer.dealt_in)
            )
        if self._rules.play_off == PLAY_OFFS[-1]:
            return _("by these rules nothing is played off (R9.2)")
        return _("there is no tie to play off (any more) (R9.2)")

    def _names_of(self, seats: Sequence[int]) -> str:
        return ", ".join(self._roster.names[seat] for seat in seats)

    def _check_final(self, scorer: Scorer) -> None:
        assert self._rules is not None
        column = Column(FINAL)
        decided = decided_places(self._rules, scorer)
        for seat, row in enumerate(self._rows):
            given = self._finals[seat]
            if row is None or given is None:
                continue
            if not self._all_played:
                message = _("there is no final place before all rounds are played")
            elif decided[seat] is None:
                message = _("the place is played off first, by {names} (R9.2)").format(
                    names=self._names_of(scorer.dealt_in)
                )
            elif given != decided[seat]:
                message = _("place {given} is given, and totals and play-offs make {right} (R9)").format(
                    given=written(given), right=written(decided[seat] or 0)
                )
            else:
                continue
            self._grid.blame_column(row, column, message)
