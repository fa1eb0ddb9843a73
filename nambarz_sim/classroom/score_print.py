"""Score sheets to print: tables to fill by hand, with the points by place and by master stroke on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nambarz_sim.classroom.paper import Paper, line_height, paper_size
from nambarz_sim.classroom.score_engine import points_by_place, points_by_stroke
from nambarz_sim.classroom.score_sheets import ScoreSheet, check_rounds
from nambarz_sim.languages import _, in_language, plural, written
from nambarz_sim.rules import PLAY_OFFS, Rules

SIZES = ("A4", "Letter")
_NAMES, _PLACE, _STROKE, _POINTS, _TOTAL = 36.0, 12.0, 6.8, 15.0, 18.0
"""How wide the columns are, in millimetres."""
_HEIGHT, _HEAD = 9.0, 6.5
"""How high a row to write in is, and one of the head."""

_SMALL = 8.5
"""Letters smaller than this are put in several lines instead."""


class _Block(NamedTuple):
    """Some columns under one head: a round, or the totals."""

    head: str
    columns: Sequence[str]
    widths: Sequence[float]

    @property
    def width(self) -> float:
        return sum(self.widths)


def score_sheet(
    rules: Rules,
    names: Sequence[str] | None = None,
    lang: str | None = None,
    teams: Sequence[str] | None = None,
    size: str = "A4",
) -> Paper:
    """An empty score sheet to print.

    Parameters
    ----------
    rules
        What is played: players, teams, rounds, and which master strokes there can be.
    names, teams
        The players and teams; lines to write on without.
    lang
        The language of the sheet; the usual one without.
    size
        ``"A4"`` or ``"Letter"``, lying on its side.

    Returns
    -------
    Paper
        Whose ``save("sheet.pdf")`` writes the PDF file and a text file with the same content.

    Raises
    ------
    ValueError
        If there are more names than players or fewer, a name is twice there, or there are too many rounds.

    Examples
    --------
    >>> paper = score_sheet(Rules(players=3), ["Ana", "Ben", "Chloé"], lang="en")
    >>> print(paper.text.splitlines()[4])
    Points by place: 1: 40, 2: 32, 3: 25 (R8.1).
    """
    check_rounds(rules)
    if names is not None or teams is not None:
        ScoreSheet.template(rules, names, teams, lang)  # refuses what cannot stand in a sheet
    with in_language(lang):
        players = plural("{count} player", "{count} players", rules.players).format(count=written(rules.players))
        rounds = plural("{count} round", "{count} rounds", rules.rounds).format(count=written(rules.rounds))
        paper = Paper(_("Score sheet"), paper_size(size, SIZES), landscape=True, note=f"{players}, {rounds}", margin=12)
        _Sheet(paper, rules, names, teams).draw()
    return paper


class _Sheet:
    """The tables of a sheet on paper."""

    def __init__(self, paper: Paper, rules: Rules, names: Sequence[str] | None, teams: Sequence[str] | None) -> None:
        self._paper, self._rules = paper, rules
        self._names = list(names) if names is not None else [""] * rules.players
        self._sizes = rules.team_sizes or ()
        self._teams = list(teams) if teams is not None else [""] * len(self._sizes)
        self._strokes = points_by_stroke(rules)

    def draw(self) -> None:
        """Lines for date and table, the points, the rounds, the teams and the play-offs."""
        line = _("Date: ____________   Table: ____________")
        self._paper.paragraph(line, 11)
        for words in self._points():
            self._paper.paragraph(words, 10)
        self._paper.space(2)
        rounds = [self._block(_("Round {round}").format(round=number + 1)) for number in range(self._rules.rounds)]
        last = [] if self._sizes else [_("Final place")]
        totals = _Block("", [_("Total"), *last], [_TOTAL] * (1 + len(last)))
        self._players([*rounds, totals])
        if self._sizes:
            self._team_tables()
        if self._rules.play_off != PLAY_OFFS[-1]:
            extra = [self._block(_("Play-off {round}").format(round=number)) for number in (1, 2)]
            self._players(extra)

    def _points(self) -> list[str]:
        """What a place and a master stroke earn, as the engine has it."""
        places = points_by_place(self._rules)
        lines = [_("Points by place: {points} (R8.1).").format(points=_listed(dict(enumerate(places, 1))))]
        if len(places) < self._rules.players:
            lines[0] += " " + _("Who has not finished has no place and gets no points for it (R8.2).")
        if self._strokes:
            strokes = _("Extra points of a master stroke by its number of cards: {points} (R8.3).")
            lines.append(strokes.format(points=_listed(self._strokes)))
            lines.append(_("Under 4, 5, … write how many master strokes of so many cards a player has laid."))
        if self._rules.play_off == PLAY_OFFS[0]:
            lines.append(
                _("A tie for the first place is played off by those who are tied; it does not change totals (R9.2).")
            )
        elif self._rules.play_off != PLAY_OFFS[-1]:
            lines.append(_("Every tie is played off by those who are tied; it does not change totals (R9.2)."))
        return lines

    def _block(self, head: str) -> _Block:
        sizes = [written(size) for size in self._strokes]
        return _Block(head, [_("Place"), *sizes, _("Points")], [_PLACE, *[_STROKE] * len(sizes), _POINTS])

    # --- tables --------------------------------------------------------------------------------------------------

    def _players(self, blocks: Sequence[_Block]) -> None:
        """Tables with a row a player."""
        heads = [_("Team"), _("Player")] if self._sizes else [_("Player")]
        self._tables(_Block("", heads, self._name_widths), blocks, self._names)

    @property
    def _name_widths(self) -> list[float]:
        return [0.7 * _NAMES, _NAMES] if self._sizes else [_NAMES]

    def _team_tables(self) -> None:
        """Tables with a row a team: the points of its members in every round, and the total (R9.3)."""
        heads = [_("Round {round}").format(round=number + 1) for number in range(self._rules.rounds)]
        blocks = [_Block("", [head], [_TOTAL]) for head in (*heads, _("Team total"), _("Final place"))]
        self._tables(_Block("", [_("Team")], [_NAMES]), blocks, self._teams, of_teams=True)

    def _tables(self, first: _Block, blocks: Sequence[_Block], names: Sequence[str], of_teams: bool = False) -> None:
        """Tables with a row a name, each with as many blocks as the page is wide."""
        left = list(blocks)
        while left:
            taken = [first, left.pop(0)]
            while left and sum(each.width for each in (*taken, left[0])) <= self._paper.inner_width + 0.01:
                taken.append(left.pop(0))
            self._table(taken, names, of_teams)

    def _table(self, blocks: Sequence[_Block], names: Sequence[str], of_teams: bool) -> None:
        """A table in one piece: heads of two rows, and a row for each name, with the teams on the left."""
        paper = self._paper
        paper.keep_together(2 * _HEAD + len(names) * _HEIGHT + 4)
        x = paper.left
        for block in blocks:
            self._head(block, x)
            x += block.width
        paper.y += 2 * _HEAD
        beside = bool(self._sizes) and not of_teams
        widths = [width for block in blocks for width in block.widths]
        top = paper.y
        for place, name in enumerate(names):
            self._row(name, widths, x=paper.left, y=top + place * _HEIGHT, beside=beside)
        if beside:
            self._draw_teams(top, sum(widths))
        paper.y = top + len(names) * _HEIGHT + 4
        self._say(blocks, names, beside)

    def _head(self, block: _Block, x: float) -> None:
        paper, at = self._paper, x
        if block.head:
            self._cell(block.head, x, paper.y, block.width, _HEAD, head=True)
        for words, width in zip(block.columns, block.widths, strict=True):
            up = 0 if block.head else _HEAD
            self._cell(words, at, paper.y + _HEAD - up, width, _HEAD + up, head=True)
            at += width

    def _row(self, name: str, widths: Sequence[float], x: float, y: float, beside: bool) -> None:
        if beside:
            x, widths = x + widths[0], widths[1:]
        for place, width in enumerate(widths):
            self._cell("" if place else name, x, y, width, _HEIGHT)
            x += width

    def _draw_teams(self, top: float, width: float) -> None:
        """The names of the teams, each beside its players, with a thick line below them."""
        for name, size in zip(self._teams, self._sizes, strict=True):
            self._cell(name, self._paper.left, top, self._name_widths[0], size * _HEIGHT)
            top += size * _HEIGHT
            self._paper.line(self._paper.left, top, self._paper.left + width, top, thick=0.9)

    def _cell(self, words: str, x: float, y: float, width: float, height: float, head: bool = False) -> None:
        paper = self._paper
        paper.box(x, y, width, height, fill="#E6E6E6" if head else "")
        if not words:
            return
        size = paper.fitting_size(words, 10, width - 2, bold=head)
        lines = [words]
        if head and height > _HEAD and size < _SMALL:  # a high cell of a head has room for more lines
            size = min(paper.fitting_size(part, _SMALL, width - 2, bold=head) for part in words.split())
            lines = paper.lines(words, size, head, width - 1.9)
        y += (height - len(lines) * line_height(size)) / 2
        for line in lines:
            paper.words(line, x, y, size, bold=head, align="center", width=width, say="")
            y += line_height(size)

    def _say(self, blocks: Sequence[_Block], names: Sequence[str], beside: bool) -> None:
        """The table as text, with room to write in."""
        heads = [f"{block.head}: {words}" if block.head else words for block in blocks for words in block.columns]
        teams = [name for name, size in zip(self._teams, self._sizes, strict=True) for _each in range(size)]
        self._paper.say("")
        self._paper.say(" | ".join(heads))
        for place, name in enumerate(names):
            first = [teams[place] or _EMPTY, name or _EMPTY] if beside else [name or _EMPTY]
            self._paper.say(" | ".join([*first, *[_EMPTY] * (len(heads) - len(first))]))


_EMPTY = "____"


def _listed(points: dict[int, int]) -> str:
    return ", ".join(f"{written(key)}: {written(value)}" for key, value in points.items())
