"""Who plays, by the rows of a score sheet: names and teams, checked."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from nambarz_sim.classroom.score_columns import PLAYER, TEAM, Column
from nambarz_sim.classroom.score_file import read_name, shown, write_name
from nambarz_sim.classroom.score_grid import Grid
from nambarz_sim.classroom.score_sheets import name_problem
from nambarz_sim.languages import _, written
from nambarz_sim.rules import FEWEST_PLAYERS, MOST_PLAYERS

_PLAYER, _TEAM = Column(PLAYER), Column(TEAM)


class Wanted(NamedTuple):
    """What the rules say of who plays; None where the file is to say it.

    Attributes
    ----------
    players
        How many players there are.
    team_sizes
        The players of each team, () without teams.
    names
        Who they are.
    """

    players: int | None = None
    team_sizes: tuple[int, ...] | None = None
    names: Sequence[str] | None = None


class Roster:
    """The players of a sheet.

    Attributes
    ----------
    rows
        The row of each seat; members of a team follow one another. None of players who are missing.
    names, teams
        The names of the seats and of the teams.
    sizes
        The players of each team.
    complete
        Whether seats and teams are right, so that rounds can be scored.
    """

    def __init__(self, grid: Grid, wanted: Wanted) -> None:
        self._grid, self._wanted = grid, wanted
        self.rows: list[int | None] = list(grid.rows)
        self.complete = grid.require(_PLAYER)
        self._known = None if wanted.names is None else [read_name(write_name(name)) for name in wanted.names]
        named = {row: read_name(grid.text(row, _PLAYER)) for row in grid.rows}
        if self.complete:
            self._check_names(named)
        self._count_players()
        by_team = self._read_teams()
        self.teams, self.sizes = list(by_team), tuple(map(len, by_team.values()))
        if by_team:
            self.rows = [row for rows in by_team.values() for row in rows]
        self.names = [named[row] if row is not None else "" for row in self.rows]

    def _check_names(self, named: dict[int, str]) -> None:
        at: dict[str, list[int]] = {}
        for row, name in named.items():
            at.setdefault(name, []).append(row)
            wrong = name_problem(name)
            if not wrong and self._known is not None and name not in self._known:
                near = difflib.get_close_matches(name, self._known, n=1)
                wrong = _("{name} is not one of the players").format(name=shown(name))
                wrong += _("; did you mean {name}?").format(name=shown(near[0])) if near else ""
            if wrong:
                self._grid.blame_column(row, _PLAYER, wrong)
        for rows in at.values():
            for row in rows if len(rows) > 1 else ():
                others = self._grid.cells([other for other in rows if other != row], _PLAYER)
                self._grid.blame_column(row, _PLAYER, _("the name is there twice, see {cells}").format(cells=others))
        for name in self._known or ():
            if name not in named.values():
                self._miss(_("{name} is missing").format(name=shown(name)))

    def _miss(self, message: str) -> None:
        """Name a player without a row, below all rows."""
        missing = sum(row is None for row in self.rows)
        self._grid.blame_column(self._grid.next_row + missing, _PLAYER, message)
        self.rows.append(None)

    def _count_players(self) -> None:
        """Whether there are as many as the rules have, or as a game can have."""
        known = None if self._known is None else len(self._known)
        most = self._wanted.players or known or MOST_PLAYERS
        least = self._wanted.players or known or FEWEST_PLAYERS
        if len(self._grid.rows) > most:
            for row in self._grid.rows[most:]:
                self._grid.blame_column(
                    row, _PLAYER, _("one player too many; the game has {players}").format(players=written(most))
                )
            self.complete = False
        while len(self.rows) < least:
            self._miss(
                _("player {number} is missing; the game has {players}").format(
                    number=len(self.rows) + 1, players=written(least)
                )
            )
        if len(self.rows) > most:  # strangers in place of those who are missing
            self.rows = self.rows[:most]

    def _read_teams(self) -> dict[str, list[int | None]]:
        """The rows of each team; none without teams."""
        grid, wanted = self._grid, self._wanted.team_sizes
        given = any(grid.text(row, _TEAM) for row in grid.rows)
        if wanted == ():
            if given:
                grid.blame_column(grid.head, _TEAM, _("there are teams in the column, and none in the rules"))
            return {}
        if not given and not wanted:
            return {}
        self.complete &= grid.require(_TEAM) and None not in self.rows
        teams: dict[str, list[int | None]] = {}
        for row in grid.rows:
            name = read_name(grid.text(row, _TEAM))
            if wrong := name_problem(name):
                grid.blame_column(row, _TEAM, wrong)
                self.complete = False
            else:
                teams.setdefault(name, []).append(row)
        if self.complete:
            self._check_sizes(teams, wanted)
        return teams if self.complete else {}

    def _check_sizes(self, teams: dict[str, list[int | None]], wanted: tuple[int, ...] | None) -> None:
        sizes = [len(rows) for rows in teams.values()]
        if wanted and Counter(wanted) != Counter(sizes):
            here, there = (", ".join(map(written, each)) for each in (sizes, wanted))
            message = _("the teams have {here} players here, and {there} by the rules").format(here=here, there=there)
            self._grid.blame_column(self._grid.head, _TEAM, message)
            self.complete = False
        for rows in teams.values():
            if not wanted and (len(rows) < 2 or len(teams) < 2):
                for row in rows:
                    if row is not None:
                        message = _("there must be two teams or more, of two players or more")
                        self._grid.blame_column(row, _TEAM, message)
                self.complete = False
