"""A class's score sheets laid beside a simulation of the same rules.

Each measure is worked out for the class and for the simulated games in the same way, with the intervals of
`nambarz_sim.analysis.estimates`: games are the units, and rounds where the class has played one game only (whose rounds
share their players, so that the interval is rather too narrow). Where the class's figure lies among simulated games is seen
from as many simulated games at a time as the class has played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nambarz_sim.analysis.estimates import Interval, Numbers, quantile, ratio
from nambarz_sim.analysis.sums import columns_of, game_sums
from nambarz_sim.classroom.score_engine import stroke_sizes
from nambarz_sim.classroom.score_sheets import ScoreSheet
from nambarz_sim.languages import _, in_language, written
from nambarz_sim.rules import PLAY_OFFS, Rules

if TYPE_CHECKING:
    import pandas as pd

    from nambarz_sim.simulation.results import Part, Results

FEWEST_GROUPS = 200
"""So many simulated classes are needed to say where 95% of them lie."""
_ENDS = 0.025, 0.975
_SIZES_TOLD = 6
"""Master strokes of up to so many cards are told even where there are none."""

Sums = dict[str, Numbers]
"""What games, or rounds, add to every figure that measures are ratios of; each of shape ``(games,)``."""


class _Measure(NamedTuple):
    """A measure that is a ratio of sums."""

    name: str
    top: str
    bottom: str
    unit: str

    def interval(self, sums: Sums) -> Interval:
        found = ratio(sums[self.top], sums[self.bottom])
        if self.unit == "share":
            return found.share_interval()
        return found.rate_interval() if self.unit == "count" else found.interval()


@dataclass(frozen=True)
class ScoreComparison:
    """What `compare_scores` found.

    Attributes
    ----------
    table
        One row a measure (the index): ``class_value`` with its 95% interval ``class_low`` to ``class_high`` and ``n``, the
        rounds or games behind it; ``simulated_value`` with ``simulated_low`` and ``simulated_high``, and ``simulated_n``;
        ``lowest`` and ``highest``, between which 95% of simulated classes lie that play as many games; ``inside``, whether
        the class's figure does; ``unit``.
    sentences
        The same in a sentence for each measure.
    """

    table: pd.DataFrame
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        return str(self.table.to_html(escape=True, float_format=lambda value: f"{value:.3g}"))


def compare_scores(
    sheets: ScoreSheet | Sequence[ScoreSheet], results: Results, lang: str | None = None
) -> ScoreComparison:
    """Lay the score sheets of a class beside a simulation of the same rules.

    Parameters
    ----------
    sheets
        The sheet of a game, or of several tables that have played by the same rules.
    results
        A batch by these rules with as many rounds as have been played: `ScoreSheet.played_rules`.
    lang
        The language of measures and sentences; the usual one without.

    Raises
    ------
    ValueError
        If nothing has been played, the rules are not the same, or there are too few simulated games.

    Examples
    --------
    >>> from nambarz_sim import simulate
    >>> from nambarz_sim.classroom.score_sheets import Entries
    >>> sheet = ScoreSheet(Rules(players=2), ("Ana", "Ben"), rounds=(Entries((1, 2), ({5: 1}, {})),))
    >>> found = compare_scores(sheet, simulate(sheet.played_rules, games=200, progress=False), lang="en")
    >>> float(found.table.loc["points a round and player", "class_value"])
    43.0
    """
    import pandas as pd

    played = [sheets] if isinstance(sheets, ScoreSheet) else list(sheets)
    with in_language(lang):
        rules = _rules_of(played, results)
        games = results.game_count
        needed = FEWEST_GROUPS * len(played)
        if games < needed:
            raise ValueError(
                _("results: {games} simulated games are too few beside {count}; simulate at least {needed}").format(
                    games=written(games), count=written(len(played)), needed=written(needed)
                )
            )
        ours, by_round = _sums_of_class(played)
        theirs = _sums_of(results)
        told = [each for each in _measures(rules, played) if _is_told(each, ours, theirs)]
        rows = [_row(each, ours, by_round, theirs, len(played)) for each in told]
        table = pd.DataFrame(rows).set_index("measure")
        return ScoreComparison(table, tuple(map(_sentence, rows)))


def _rules_of(sheets: Sequence[ScoreSheet], results: Results) -> Rules:
    """The rules of all sheets and of the simulation."""
    if not sheets or not all(sheet.rounds for sheet in sheets):
        raise ValueError(_("sheets: no round is played in one of them; fill in a round first"))
    rules = sheets[0].played_rules
    for what, other in (*(("sheets", sheet.played_rules) for sheet in sheets), ("results", results.rules)):
        for each in fields(Rules):
            one, two = getattr(rules, each.name), getattr(other, each.name)
            if one != two:
                raise ValueError(
                    _(
                        "{field}: the rules are not the same, {option} is {one} and {other}; compare games of one kind"
                    ).format(field=what, option=each.name, one=one, other=two)
                )
    return rules


def _measures(rules: Rules, sheets: Sequence[ScoreSheet]) -> Iterator[_Measure]:
    yield _Measure(_("points a round and player"), "points", "seats", "points")
    yield _Measure(_("points from first to last in a round"), "spread", "rounds", "points")
    yield _Measure(_("master strokes a round"), "strokes", "rounds", "count")
    for size in stroke_sizes(rules):
        name = _("master strokes of {cards} cards a round").format(cards=size)
        yield _Measure(name, f"strokes_{size}", "rounds", "count")
    yield _Measure(_("games with a tie for the first place"), "tied", "games", "share")
    if rules.play_off != PLAY_OFFS[-1] and all(sheet.over for sheet in sheets):
        yield _Measure(_("extra rounds a game"), "extra_rounds", "games", "count")


def _is_told(measure: _Measure, ours: Sums, theirs: Sums) -> bool:
    """Whether a measure is worth a row: the larger master strokes are, where there are some."""
    size = int(measure.top.removeprefix("strokes_")) if measure.top.startswith("strokes_") else 0
    return size <= _SIZES_TOLD or bool(ours[measure.top].any() or theirs[measure.top].any())


def _sums_of_class(sheets: Sequence[ScoreSheet]) -> tuple[Sums, Sums]:
    """What the games of a class add to each figure; and, of a single game, its rounds."""
    games = [_sums_of_rounds(sheet) for sheet in sheets]
    sums = {name: np.array([each[name].sum() for each in games]) for name in games[0]}
    sums["games"] = np.ones(len(sheets))
    sums["tied"] = np.array([float(sheet.party_totals.count(max(sheet.party_totals)) > 1) for sheet in sheets])
    sums["extra_rounds"] = np.array([float(len(sheet.play_offs)) for sheet in sheets])
    return sums, games[0] if len(sheets) == 1 else {}


def _sums_of_rounds(sheet: ScoreSheet) -> Sums:
    points = np.array(sheet.points, dtype=np.float64)
    sums = {
        f"strokes_{size}": np.array([sum(each.get(size, 0) for each in entry.strokes) for entry in sheet.rounds], float)
        for size in stroke_sizes(sheet.rules)
    }
    return {
        "points": points.sum(axis=1),
        "spread": points.max(axis=1) - points.min(axis=1),
        "rounds": np.ones(len(points)),
        "seats": np.full(len(points), float(points.shape[1])),
        "strokes": np.sum([*sums.values(), np.zeros(len(points))], axis=0),
    } | sums


def _sums_of(results: Results) -> Sums:
    """What every simulated game adds to each figure."""
    parts = [_sums_of_part(part, results.rules) for part in results.parts()]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def _sums_of_part(part: Part, rules: Rules) -> Sums:
    players, parties = rules.players, max(rules.teams) + 1
    sums = dict(zip(columns_of(players), game_sums(part, players).T, strict=True))
    extra_round, dealt_in = part.round_columns(("extra_round", "dealt_in"))
    points = part.player_columns(("points",))[0][np.repeat(extra_round == 0, dealt_in)].reshape(-1, players)
    spread = (points.max(axis=1) - points.min(axis=1)).reshape(-1, rules.rounds).sum(axis=1)
    totals = np.array(part.game_columns([f"total_{party}" for party in range(parties)]))
    strokes = {f"strokes_{size}": sums[f"strokes_{size}"] for size in stroke_sizes(rules)}
    return {
        "points": np.sum([sums[f"points, seat {seat}"] for seat in range(players)], axis=0),
        "spread": spread.astype(np.float64),
        "rounds": sums["rounds"],
        "seats": players * sums["rounds"],
        "strokes": sums["strokes"],
        "games": np.ones(len(spread)),
        "tied": ((totals == totals.max(axis=0)).sum(axis=0) > 1).astype(np.float64),
        "extra_rounds": part.game_columns(("extra_rounds",))[0].astype(np.float64),
    } | strokes


def _row(measure: _Measure, ours: Sums, by_round: Sums, theirs: Sums, games: int) -> dict[str, Any]:
    value, low, high = measure.interval(by_round if measure.bottom in by_round else ours)
    simulated = measure.interval(theirs)
    groups = len(theirs["games"]) // games
    top, bottom = (
        theirs[name][: groups * games].reshape(groups, games).sum(axis=1) for name in (measure.top, measure.bottom)
    )
    known, counts = np.unique(top / bottom, return_counts=True)
    lowest, highest = (float(quantile(known, counts, level)) for level in _ENDS)
    return {
        "measure": measure.name, "class_value": value, "class_low": low, "class_high": high,
        "n": int(ours["rounds" if measure.bottom == "seats" else measure.bottom].sum()),
        "simulated_value": simulated[0], "simulated_low": simulated[1], "simulated_high": simulated[2],
        "simulated_n": int(theirs["rounds" if measure.bottom == "seats" else measure.bottom].sum()),
        "lowest": lowest, "highest": highest, "inside": lowest - 1e-9 <= value <= highest + 1e-9, "unit": measure.unit,
    }  # fmt: skip


def _sentence(row: dict[str, Any]) -> str:
    share = row["unit"] == "share"

    def told(figure: float) -> str:
        return (
            _("{share}%").format(share=written(100 * figure, 1))
            if share
            else written(figure, 2 if figure == 0 or figure >= 0.1 else 4)
        )

    def with_interval(what: str) -> str:
        value, low, high = (row[f"{what}_{end}"] for end in ("value", "low", "high"))
        if not np.isfinite(low):
            return _("{value} (one alone has no interval)").format(value=told(value))
        return _("{value} ({low} to {high})").format(value=told(value), low=told(low), high=told(high))

    figures = _("{measure}: {ours} in the class, {theirs} simulated.")
    where = (
        _("Of 100 simulations of as many rounds 95 lie from {lowest} to {highest}, and so does the class.")
        if row["inside"]
        else _("Of 100 simulations of as many rounds 95 lie from {lowest} to {highest}, and the class does not.")
    )
    message = f"{figures} {where}"
    return message.format(
        measure=row["measure"], ours=with_interval("class"), theirs=with_interval("simulated"),
        lowest=told(row["lowest"]), highest=told(row["highest"]),
    )  # fmt: skip
