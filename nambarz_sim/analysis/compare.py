"""`compare`: variants played with the same deals, and every difference with its interval.

Game g of every variant has the same deal, so a difference is judged by the games' own differences. A measure is a ratio
of sums over games (turns a round, strokes a turn); the linearised ratio gives each game its share in the error (Cochran,
Sampling Techniques, 3rd ed., section 6.3), and the difference of two of them game by game is the paired one. Looking at
many measures finds differences by chance; the false discovery rate is held at 5% (Benjamini and Hochberg 1995).
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import stdtr, stdtrit

from nambarz_sim._errors import unknown_name, whole_number
from nambarz_sim.analysis.estimates import CONFIDENCE
from nambarz_sim.analysis.summary import Measure, ratio_measures
from nambarz_sim.analysis.sums import Products, joint_products
from nambarz_sim.analysis.wording import games as games_in_words
from nambarz_sim.analysis.wording import shown
from nambarz_sim.events import counted
from nambarz_sim.languages import _, in_language, localised, plural
from nambarz_sim.rules import Rules
from nambarz_sim.simulation.batch import MOST_GAMES, Progress, simulate
from nambarz_sim.simulation.results import Results
from nambarz_sim.strategies import Strategy

if TYPE_CHECKING:
    import pandas as pd

FALSE_DISCOVERIES = 0.05
_COLUMNS = [
    "measure", "first", "second", "first_value", "second_value", "difference", "low", "high", "unit", "effect_size",
    "effect_low", "effect_high", "p_value", "games", "rounds", "games_saved",
]  # fmt: skip


class Variant(NamedTuple):
    """Rules and who plays by them: one strategy or pupil for all seats, or one for each."""

    rules: Rules
    strategies: Strategy | Sequence[Strategy] = "greedy"


@dataclass(frozen=True)
class Comparison:
    """What `compare` found.

    Attributes
    ----------
    results
        The batch of each variant by its name. Where one has more games than another, the first so many of it are compared.
    table
        One row a measure and pair of variants: ``measure``, ``first``, ``second``; their values ``first_value`` and
        ``second_value``; ``difference`` (second less first) with its 95% interval ``low`` to ``high``; ``unit``;
        ``effect_size`` with ``effect_low`` and ``effect_high``, the same in standard deviations between games (Cohen's d);
        ``p_value`` of a t-test and ``adjusted_p`` (Benjamini and Hochberg over all rows); ``games`` and ``rounds`` of each
        variant; ``games_saved``, how many more games of each the same interval would take without common deals (fewer,
        where it is below 0).
    """

    results: dict[str, Results]
    table: pd.DataFrame

    def findings(self, lang: str | None = None) -> list[str]:
        """A sentence for each difference that stands after the correction, the clearest first, in a language."""
        found = self.table[self.table["adjusted_p"] <= FALSE_DISCOVERIES]
        order = found["effect_size"].abs().sort_values(ascending=False, kind="stable").index
        with in_language(lang):
            return [_sentence(row) for row in found.loc[order].to_dict("records")]

    def __str__(self) -> str:
        names = ", ".join(self.results)
        games = min(each.game_count for each in self.results.values())
        head = _("{names}: {games} each, with the same deals").format(names=names, games=games_in_words(games))
        lines = [
            head,
            "",
            *(self.findings() or [_("No difference stands after the correction for looking at many measures.")]),
        ]
        told = plural(
            "Told are those of {count} difference that stand after the correction of Benjamini and Hochberg, each with "
            "its 95% interval.",
            "Told are those of {count} differences that stand after the correction of Benjamini and Hochberg, each with "
            "its 95% interval.",
            len(self.table),
        )
        told = told.format(count=localised(f"{len(self.table):,}"))
        return "\n".join([*lines, "", told, _saved(int(self.table["games_saved"].median()))])


def compare(
    variants: Mapping[str, Variant | Rules | Strategy | Sequence[Strategy] | Results],
    games: int = 10_000,
    seed: int = 1,
    strategies: Strategy | Sequence[Strategy] = "greedy",
    rules: Rules | None = None,
    measures: Sequence[str] | None = None,
    workers: int | None = None,
    executor: Executor | None = None,
    progress: bool | Progress | None = True,
) -> Comparison:
    """Play each variant with the same deals and compare every pair.

    Parameters
    ----------
    variants
        Two or more by their names: rules, strategies (or pupils), or a `Variant` of both; or the results of a batch, in
        memory or in a folder, which is not played again: its seed is then that of all.
    games, seed, workers, executor, progress
        As `nambarz_sim.simulate` takes them, for each variant.
    strategies
        Who plays where a variant is only rules.
    rules
        What is played where a variant is only strategies; `Rules()` without.
    measures
        Names of measures, as the table has them; all that every variant has without. Fewer measures need less correction.

    Raises
    ------
    ValueError
        If there are fewer than two variants, fewer than two games, or a measure is not known.

    Examples
    --------
    >>> found = compare({"beginner": Rules(), "top-level": Rules.preset("top-level")}, games=200, progress=False)
    >>> found.table[["measure", "first", "second"]].iloc[0].tolist()
    ['turns a round, mean', 'beginner', 'top-level']
    """
    if len(variants) < 2:
        given = ", ".join(map(repr, variants)) or "none"
        raise ValueError(f"variants: two or more are compared, and given is {given}; give each a name and its rules")
    games = whole_number("games", games, 2, MOST_GAMES)
    named = {name: _variant(value, rules or Rules(), strategies) for name, value in variants.items()}
    seed = _common_seed(named, seed)
    known = _check(named, seed, measures)
    results = {}
    for place, (name, each) in enumerate(named.items()):
        if isinstance(each, Results):
            results[name] = each
            continue
        told = _part_of_all(progress, place * games, len(named) * games) if callable(progress) else progress
        results[name] = simulate(each.rules, games, seed, each.strategies, workers, executor, progress=told)
        if results[name].game_count < 2:
            raise ValueError(f"compare: it was stopped before 2 games of {name!r} were over; let it play longer")
    table = _table(results, known, measures)
    table.attrs.update({name: each.provenance for name, each in results.items()})
    return Comparison(results, table)


def _common_seed(named: dict[str, Variant | Results], seed: int) -> int:
    """The seed whose deals all share: that of the batches, if some are played already."""
    played = {name: each.seed for name, each in named.items() if isinstance(each, Results)}
    first = next(iter(played), "")
    for name, other in played.items():
        if other != played[first]:
            raise ValueError(
                f"variants: {name!r} was played with seed {other} and {first!r} with {played[first]}, so they share no "
                f"deals; simulate one of them with the seed of the other"
            )
    return played.get(first, seed)


def _check(named: dict[str, Variant | Results], seed: int, measures: Sequence[str] | None) -> list[dict[str, Measure]]:
    """The measures of each variant. What cannot be compared is refused before thousands of games are played.

    One game of each variant is enough for both.
    """
    for name, each in named.items():
        if isinstance(each, Results) and each.game_count < 2:
            raise ValueError(f"variants: {name!r} has {counted(each.game_count, 'game')}; two or more are compared")
    known = [
        ratio_measures(simulate(each.rules, 1, seed, _players_of(each), 1, progress=False)) for each in named.values()
    ]
    shared = [measure for measure in known[0] if all(measure in other for other in known[1:])]
    for measure in measures or ():
        if measure not in shared:
            raise ValueError(unknown_name("measure", measure, shared))
    return known


def _part_of_all(progress: Progress, before: int, total: int) -> Progress:
    """The progress of one batch of several, told as that of all."""
    return lambda done, _: progress(before + done, total)


def _players_of(variant: Variant | Results) -> Strategy | Sequence[Strategy]:
    """Who plays; in a batch that is played already it matters no more."""
    return variant.strategies if isinstance(variant, Variant) else "greedy"


def _variant(value: Any, rules: Rules, strategies: Strategy | Sequence[Strategy]) -> Variant | Results:
    if isinstance(value, Variant | Results):
        return value
    return Variant(value, strategies) if isinstance(value, Rules) else Variant(rules, value)


def _table(
    results: dict[str, Results], known_to: list[dict[str, Measure]], measures: Sequence[str] | None
) -> pd.DataFrame:
    import pandas as pd
    from scipy.stats import false_discovery_control

    seen = {measure for each in results.values() for measure in each.summary().index}
    first, *others = known_to
    shared = [measure for measure in first if measure in seen and all(measure in other for other in others)]
    products = joint_products(list(results.values()))
    rows = []
    for measure in measures or shared:
        for one, other in combinations(range(len(results)), 2):
            ratios = [
                (f"{place} {known_to[place][measure].top}", f"{place} {known_to[place][measure].bottom}")
                for place in (one, other)
            ]
            names = {"measure": measure, "first": list(results)[one], "second": list(results)[other]}
            rounds = int(products.sum(f"{one} rounds"))
            rows.append(
                names | difference(products, ratios[0], ratios[1]) | {"unit": first[measure].unit, "rounds": rounds}
            )
    table = pd.DataFrame(rows, columns=_COLUMNS)
    known = table["p_value"].notna()
    table.insert(list(table.columns).index("p_value") + 1, "adjusted_p", np.nan)
    table.loc[known, "adjusted_p"] = false_discovery_control(table.loc[known, "p_value"])
    return table


def difference(products: Products, one: tuple[str, str], other: tuple[str, str]) -> dict[str, Any]:
    """The paired difference of two ratios over games: a part of a row of `Comparison.table`.

    Parameters
    ----------
    products
        Those of the columns of both.
    one, other
        The columns above and below the line of each ratio; the difference is the other's less the one's.
    """
    games = products.games
    first, second = products.ratio(*one), products.ratio(*other)
    found = {"first_value": first.value, "second_value": second.value, "difference": second.value - first.value}
    missing = float("nan")
    apart = spread = missing
    if np.isfinite(found["difference"]):
        # What each game adds to a ratio's error is its residual over the mean of what stands below the line.
        scales = [Fraction(games, Fraction(products.sum(bottom))) for _, bottom in (one, other)]
        ours, theirs = (
            scale**2 * products.residuals(each, each) for scale, each in zip(scales, (one, other), strict=True)
        )
        shared = scales[0] * scales[1] * products.residuals(one, other)
        apart, spread = float((ours + theirs) / (games - 1)), float((ours + theirs - 2 * shared) / (games - 1))
    error = math.sqrt(spread / games)
    reach = float(stdtrit(games - 1, (1 + CONFIDENCE) / 2)) * error
    if error > 0:
        p_value = 2 * float(stdtr(games - 1, -abs(found["difference"]) / error))
    else:
        p_value = float(found["difference"] == 0) if np.isfinite(found["difference"]) else missing
    deviation = math.sqrt(apart / 2) or 1.0  # where nothing varies, nothing differs in standard deviations
    low, high = found["difference"] - reach, found["difference"] + reach
    return found | {
        "low": low, "high": high, "effect_size": found["difference"] / deviation, "effect_low": low / deviation,
        "effect_high": high / deviation, "p_value": p_value, "games": games,
        "games_saved": round(games * (apart / spread - 1)) if spread > 0 else 0,
    }  # fmt: skip


def _sentence(row: Mapping[Hashable, Any]) -> str:
    share, more = str(row["unit"]).startswith("share"), row["difference"] > 0
    if share and more:
        sentence = _(
            "{measure}: {figure} percentage points more with {second} than with {first} ({low} to {high}; effect size "
            "{effect})."
        )
    elif share:
        sentence = _(
            "{measure}: {figure} percentage points less with {second} than with {first} ({low} to {high}; effect size "
            "{effect})."
        )
    elif more:
        sentence = _(
            "{measure}: {figure}{unit} more with {second} than with {first} ({low} to {high}; effect size {effect})."
        )
    else:
        sentence = _(
            "{measure}: {figure}{unit} fewer with {second} than with {first} ({low} to {high}; effect size {effect})."
        )
    scale = 100 if share else 1
    low, high = sorted(abs(scale * row[end]) for end in ("low", "high"))
    return sentence.format(
        measure=shown(str(row["measure"])),
        figure=_digits(abs(scale * row["difference"])),
        unit="" if row["unit"] == "times" else f" {shown(str(row['unit']))}",
        second=row["second"],
        first=row["first"],
        low=_digits(low),
        high=_digits(high),
        effect=localised(f"{row['effect_size']:.2f}"),
    )


def _digits(figure: float) -> str:
    return localised(f"{figure:,.0f}" if figure >= 1000 else f"{figure:.3g}")


def _saved(games: int) -> str:
    """What the common deals have saved, in a sentence."""
    if games >= 0:
        sentence = plural(
            "Without common deals the same intervals would take {count} game more of each variant in the median.",
            "Without common deals the same intervals would take {count} games more of each variant in the median.",
            games,
        )
    else:
        sentence = plural(
            "Without common deals the same intervals would take {count} game fewer of each variant in the median.",
            "Without common deals the same intervals would take {count} games fewer of each variant in the median.",
            -games,
        )
    return sentence.format(count=localised(f"{abs(games):,}"))
