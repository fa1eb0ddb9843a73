"""The score sheet of a game: who had which place and which master strokes in every round, with points and totals.

A sheet holds what a class writes down, places and master strokes; points, totals, places of the game and who plays off a
tie come from the engine (`nambarz_sim.classroom.score_engine`). `nambarz_sim.classroom.score_check` reads sheets from
files, `nambarz_sim.classroom.score_print` makes empty ones to print.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from nambarz_sim.classroom.saving import check_writable, write_together
from nambarz_sim.classroom.score_columns import FINAL, PLACE, PLAYER, POINTS, STROKES, TEAM, TOTAL, Column, columns_of
from nambarz_sim.classroom.score_engine import Scorer, Strokes, stroke_sizes
from nambarz_sim.classroom.score_file import read_name, shown, to_csv, write_name
from nambarz_sim.languages import _, in_language, written
from nambarz_sim.rules import PLAY_OFFS, Rules

if TYPE_CHECKING:
    import pandas as pd

LONGEST_NAME = 60
MOST_ROUNDS = 99
"""Rounds of a score sheet; its file would have too many columns with more."""
UNFINISHED = "–"
"""Stands for the place of a player who has not finished where only those who finished are ranked (R8.2)."""


class Entries(NamedTuple):
    """What a class writes down of a round.

    Attributes
    ----------
    places
        Of each player; None of whoever has not finished (R8.2, a place that earns no points says so, too) or does not take
        part (R9.2).
    strokes
        Of each player the number of master strokes by their number of cards.
    """

    places: tuple[int | None, ...]
    strokes: tuple[Strokes, ...]


@dataclass(frozen=True)
class ScoreSheet:
    """A filled score sheet, or one that is still to be filled, with what the engine makes of it.

    Parameters
    ----------
    rules
        What is played.
    names
        The players, in the order of their seats; members of a team stand together.
    teams
        The names of the teams; none without teams.
    rounds, play_offs
        The rounds played so far, and the extra rounds for tied places (R9.2).

    Attributes
    ----------
    points, play_off_points
        For each round the points of each player, None of those who did not take part.
    totals, party_totals
        The sum of points of each player, and of each team (R9.3); without teams they are the same.
    places
        The place in the game of each player, or of the player's team; None while it is not decided.
    over
        Whether the game is over.
    tied
        The players who are to play off a tie now (R9.2).

    Raises
    ------
    ValueError
        If names are missing, twice there or too long, or there are too many rounds.

    Examples
    --------
    >>> first = Entries((2, 1, 3), ({4: 1}, {}, {}))
    >>> sheet = ScoreSheet(Rules(players=3), ("Ana", "Ben", "Chloé"), rounds=(first,))
    >>> sheet.totals, sheet.places
    ((39, 40, 25), (2, 1, 3))
    """

    rules: Rules
    names: tuple[str, ...]
    teams: tuple[str, ...] = ()
    rounds: tuple[Entries, ...] = ()
    play_offs: tuple[Entries, ...] = ()
    points: tuple[tuple[int | None, ...], ...] = field(init=False, compare=False)
    play_off_points: tuple[tuple[int | None, ...], ...] = field(init=False, compare=False)
    totals: tuple[int, ...] = field(init=False, compare=False)
    party_totals: tuple[int, ...] = field(init=False, compare=False)
    places: tuple[int | None, ...] = field(init=False, compare=False)
    over: bool = field(init=False, compare=False)
    tied: tuple[int, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        check_rounds(self.rules)
        _check_names("names", self.names, self.rules.players)
        if self.rules.team_sizes or self.teams:
            _check_names("teams", self.teams, len(self.rules.team_sizes or ()))
        scorer = Scorer(self.rules)
        points = [self._entered(scorer, each) for each in (*self.rounds, *self.play_offs)]
        played = len(self.rounds) == self.rules.rounds
        found = {
            "points": tuple(points[: len(self.rounds)]),
            "play_off_points": tuple(points[len(self.rounds) :]),
            "totals": tuple(sum(each[seat] or 0 for each in points[: len(self.rounds)]) for seat in self._seats),
            "party_totals": tuple(scorer.totals),
            "places": tuple(decided_places(self.rules, scorer) if played else [None] * len(self.names)),
            "over": scorer.over,
            "tied": tuple(scorer.dealt_in if scorer.play_off else ()),
        }
        for name, value in found.items():
            object.__setattr__(self, name, value)

    @property
    def _seats(self) -> range:
        return range(len(self.names))

    def _entered(self, scorer: Scorer, entries: Entries) -> tuple[int | None, ...]:
        dealt_in = scorer.dealt_in
        points = scorer.enter(entries.places, entries.strokes)
        return tuple(points[seat] if seat in dealt_in else None for seat in self._seats)

    @staticmethod
    def template(
        rules: Rules, names: Sequence[str] | None = None, teams: Sequence[str] | None = None, lang: str | None = None
    ) -> ScoreSheet:
        """A sheet to fill; without names the players and teams have numbers.

        Examples
        --------
        >>> ScoreSheet.template(Rules(players=2), lang="en").names
        ('Player 1', 'Player 2')
        """
        with in_language(lang):
            if names is None:
                names = [_("Player {number}").format(number=seat + 1) for seat in range(rules.players)]
            if teams is None:
                teams = [_("Team {number}").format(number=team + 1) for team in range(len(rules.team_sizes or ()))]
            players, sides = (tuple(read_name(write_name(name)) for name in each) for each in (names, teams))
            return ScoreSheet(rules, players, sides)

    # --- as a table --------------------------------------------------------------------------------------------------

    def table(self, lang: str | None = None) -> pd.DataFrame:
        """The sheet as a table of one row a player, with empty cells for what is not played yet."""
        import pandas as pd

        columns, rows = self._cells(lang)
        return pd.DataFrame(rows, columns=columns, dtype=object)

    def to_csv(self, path: str | Path, lang: str | None = None) -> Path:
        """Write the table to a file that a spreadsheet in this language opens, and that can be read back.

        With semicolons between the cells where the decimal mark is a comma, a byte-order mark, and names that no
        spreadsheet takes for a formula.

        Raises
        ------
        ValueError
            If the name does not end in ``.csv``, or the file cannot be written.
        """
        file = Path(path)
        check_writable("output", file, ".csv")
        columns, rows = self._cells(lang)
        everything: list[list[str] | list[str | int]] = [columns, *rows]
        safe = [[write_name(cell) if isinstance(cell, str) else cell for cell in row] for row in everything]
        with in_language(lang) as spoken:
            write_together("output", {file: to_csv(safe, spoken)})
        return file

    def _cells(self, lang: str | None) -> tuple[list[str], list[list[str | int]]]:
        play_offs = max(len(self.play_offs), int(self.rules.play_off != PLAY_OFFS[-1]))
        columns = columns_of(bool(self.teams), self.rules.rounds, play_offs, stroke_sizes(self.rules))
        with in_language(lang):
            return [each.header for each in columns], [
                [self._cell(seat, each) for each in columns] for seat in self._seats
            ]

    def _cell(self, seat: int, column: Column) -> str | int:
        """What stands in a cell of a player's row."""
        if column.kind in (PLACE, STROKES, POINTS):
            return self._cell_of_round(seat, column)
        if column.kind in (TEAM, PLAYER):
            return self.names[seat] if column.kind == PLAYER else self.teams[self.rules.teams[seat]]
        if column.kind == FINAL:
            return self.places[seat] or ""
        if not self.rounds:
            return ""
        return self.totals[seat] if column.kind == TOTAL else self.party_totals[self.rules.teams[seat]]

    def _cell_of_round(self, seat: int, column: Column) -> str | int:
        rounds, points = (
            (self.play_offs, self.play_off_points) if column.play_off else (self.rounds, self.points)
        )  # fmt: skip
        if column.round > len(rounds) or points[column.round - 1][seat] is None:
            return ""
        entries = rounds[column.round - 1]
        if column.kind == PLACE:
            return entries.places[seat] or UNFINISHED
        if column.kind == STROKES:
            return entries.strokes[seat].get(column.cards) or ""
        return points[column.round - 1][seat] or 0

    def _repr_html_(self) -> str:
        return str(self.table().to_html(index=False, escape=True))

    # --- what it says ------------------------------------------------------------------------------------------------

    def standings(self, lang: str | None = None) -> pd.DataFrame:
        """Who stands where: place, name, points of each round and total, of teams where there are some; the best first."""
        import pandas as pd

        parties = self.teams or self.names
        order = sorted(range(len(parties)), key=lambda party: (self._place(party) or 0, -self.party_totals[party]))
        with in_language(lang):
            rows = [
                {_("Place"): self._place(party) or "", _("Team") if self.teams else _("Player"): parties[party]}
                | {_("Round {round}").format(round=place + 1): self._sum(points, party)
                   for place, points in enumerate(self.points)}
                | {_("Total"): self.party_totals[party]}
                for party in order
            ]  # fmt: skip
        return pd.DataFrame(rows, dtype=object)

    def _place(self, party: int) -> int | None:
        return self.places[self.rules.teams.index(party)]

    def _sum(self, points: Sequence[int | None], party: int) -> int:
        return sum(each or 0 for seat, each in enumerate(points) if self.rules.teams[seat] == party)

    def state(self, lang: str | None = None) -> str:
        """A sentence on how far the game is: over and who won, or what is to be played."""
        parties = self.teams or self.names
        with in_language(lang):
            if self.tied:
                tied = dict.fromkeys(self.rules.teams[seat] for seat in self.tied)
                names = ", ".join(parties[party] for party in tied)
                return _("Not over yet: {names} are tied and play an extra round (R9.2).").format(names=names)
            if not self.over:
                return _("Not over yet: {played} of {rounds} rounds are played.").format(
                    played=written(len(self.rounds)), rounds=written(self.rules.rounds)
                )
            first = [name for party, name in enumerate(parties) if self._place(party) == 1]
            if len(first) > 1:
                return _("The game is over; {names} share the first place.").format(names=", ".join(first))
            return _("The game is over; {name} has won.").format(name=first[0])

    @property
    def played_rules(self) -> Rules:
        """The rules of a game of as many rounds as have been played."""
        return self.rules.replace(rounds=max(1, len(self.rounds)))


def decided_places(rules: Rules, scorer: Scorer) -> list[int | None]:
    """For each seat the place in a game of which all rounds are played; None where it is still to be played off (R9.2)."""
    places = scorer.places
    shared = Counter(places)
    contested = {place for place in places if shared[place] > 1 and (place == 1 or rules.play_off != PLAY_OFFS[0])}
    return [
        None if not scorer.over and places[scorer.party(seat)] in contested else places[scorer.party(seat)]
        for seat in range(rules.players)
    ]


def check_rounds(rules: Rules) -> None:
    """Refuse rules with more rounds than a score sheet has room for."""
    if rules.rounds > MOST_ROUNDS:
        raise ValueError(
            _("rounds: {rounds} are too many for a score sheet; take at most {most}").format(
                rounds=written(rules.rounds), most=MOST_ROUNDS
            )
        )


def name_problem(name: str) -> str:
    """Why a name cannot stand in a sheet; "" if it can."""
    if not name:
        return _("the name is missing")
    if len(name) > LONGEST_NAME:
        return _("the name is longer than {most} letters").format(most=LONGEST_NAME)
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in name):
        return _("the name has signs that cannot be written")
    return ""


def _check_names(what: str, names: Any, count: int) -> None:
    if len(names) != count:
        raise ValueError(
            _("{field}: {given} given for {count}; give a name for each").format(
                field=what, given=len(names), count=count
            )
        )
    for name in names:
        if wrong := name_problem(name):
            raise ValueError(
                _("{field}: {name} cannot be used, {wrong}; give another").format(
                    field=what, name=shown(name), wrong=wrong
                )
            )
        if names.count(name) > 1:
            raise ValueError(
                _("{field}: {name} is there twice; tell them apart, such as by a letter").format(
                    field=what, name=shown(name)
                )
            )
