"""Planning a lesson: seats, the chance that all tables are done, what fits, the page, figures, command, form."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from nambarz_sim import Rules, Timings, plan_lesson, simulate
from nambarz_sim.analysis.estimates import joint_share_estimate
from nambarz_sim.analysis.lesson import LessonPlan
from nambarz_sim.analysis.lesson_search import play_tables
from nambarz_sim.analysis.minutes import PEOPLE
from nambarz_sim.analysis.seating import Together, seatings, tell_seating, usual_seatings
from nambarz_sim.plots import plot_lesson_rounds, plot_lesson_time
from nambarz_sim.widgets import LessonPlanner

FAST: dict[str, Any] = {"minutes": 60, "pupils": 7, "operations": "+-", "wildcards": "beginner", "games": 100}


@pytest.fixture(scope="module")
def plan() -> LessonPlan:
    return plan_lesson(**FAST)


# --- seats -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pupils", range(2, 41))
def test_everybody_has_a_seat(pupils: int) -> None:
    ways = seatings(pupils)
    assert all(sum(way) == pupils for way in ways)
    assert all(2 <= size <= 12 for way in ways for size in way)
    assert all(way[0] - way[-1] <= 1 for way in ways)
    assert [len(way) for way in ways] == list(range(-(-pupils // 12), pupils // 2 + 1))
    assert bool(usual_seatings(ways)) == (pupils > 2)


def test_tables_are_as_many_as_there_are_decks() -> None:
    assert [len(way) for way in seatings(27, most_tables=6)] == [3, 4, 5, 6]
    assert seatings(27, most_tables=3) == [(9, 9, 9)]
    with pytest.raises(ValueError, match=r"most_tables: 2 for 27 pupils .* give 3 or more"):
        seatings(27, most_tables=2)
    assert tell_seating((9, 9, 9)) == "3 tables of 9"


# --- all tables together ---------------------------------------------------------------------------------------------


def test_all_tables_are_done_as_often_as_the_product_says() -> None:
    three, four = np.arange(1.0, 11), np.arange(2.0, 22, 2)
    last = Together((4, 3, 3), {3: three, 4: four})
    assert last.chance(8)[0] == pytest.approx(0.8**2 * 0.4)
    assert last.chance(0)[0] == 0
    assert last.chance(20)[0] == 1
    assert last.quantile(0.5)[0] == 10  # done by 10: 1 * 1 * 0.5
    assert last.shares(np.array([0.0, 8, 10, 20])) == pytest.approx([0.256, 0.244, 0.5])


def test_the_last_of_many_tables_is_as_late_as_in_played_lessons() -> None:
    generator = np.random.default_rng(3)
    minutes = generator.gamma(4, 5, size=4_000)
    lessons = generator.gamma(4, 5, size=(20_000, 5)).max(axis=1)
    last = Together((4,) * 5, {4: minutes})
    assert last.chance(35)[0] == pytest.approx((lessons <= 35).mean(), abs=0.03)
    assert last.quantile(0.5)[0] == pytest.approx(np.median(lessons), rel=0.04)


@pytest.mark.parametrize(
    ("chances", "copies"), [((0.99,), (9,)), ((0.97, 0.9), (3, 2)), ((0.6,), (4,)), ((0.999, 0.98), (2, 5))]
)
def test_the_chance_of_all_tables_is_covered(chances: tuple[float, ...], copies: tuple[int, ...]) -> None:
    """Tables of two sizes share their deals: half of what decides a game is the deal's."""
    generator = np.random.default_rng(4)
    truth, repeats, held = float(np.prod(np.array(chances) ** np.array(copies))), 1_000, 0
    for _ in range(repeats):
        deal = generator.normal(size=300)
        scores = [(deal + generator.normal(size=300)) / np.sqrt(2) for _ in chances]
        hits = [(score <= stats.norm.ppf(chance)).astype(float) for score, chance in zip(scores, chances, strict=True)]
        _, low, high = joint_share_estimate(hits, copies)
        held += low <= truth <= high
    assert held / repeats > 0.93


@pytest.mark.parametrize(("hit", "low", "high"), [(1.0, 0.9, 1.0), (0.0, 0.0, 0.01)])
def test_always_and_never_are_not_certain(hit: float, low: float, high: float) -> None:
    value, *interval = joint_share_estimate([np.full(400, hit)], [5])
    assert value == hit
    assert low <= interval[0] <= value <= interval[1] <= high
    assert (interval[0] < 1) if hit else (interval[1] > 0)
    assert np.isnan(joint_share_estimate([np.ones(1)], [5])[1:]).all()
    assert joint_share_estimate([np.zeros(400)], [300]) == (0.0, 0.0, 0.0)


# --- what fits -------------------------------------------------------------------------------------------------------


def test_a_plan_fits_and_is_the_one_with_most_calculations(plan: LessonPlan) -> None:
    table = plan.table
    chosen = table[table["chosen"]].iloc[0]
    assert table["chosen"].sum() == 1
    assert chosen["fits"]
    assert chosen["chance"] >= plan.chance == 0.9
    assert (table["fits"] == (table["chance"] >= 0.9)).all()
    assert chosen["calculations"] >= 0.95 * table.loc[table["fits"], "calculations"].max()
    assert (chosen["rounds"], chosen["hand_size"]) == (plan.rounds, plan.hand_size) == (plan.rounds, 7)
    assert set(table["seating"]) == {"1 table of 4 and 1 of 3"}
    assert (table["low"] <= table["chance"]).all()
    assert (table["chance, four players"] <= table["chance"]).all()
    assert (table["chance"].diff().dropna() <= 0).all(), "more rounds take longer"


def test_of_equally_good_lessons_the_one_that_ends_sooner_is_taken() -> None:
    table = plan_lesson(**FAST | {"pupils": 18, "minutes": 100, "chance": 0.5}).table
    best = table[table["fits"] & (table["calculations"] >= 0.95 * table.loc[table["fits"], "calculations"].max())]
    assert len(set(table["seating"])) > 2
    assert best.loc[best["chosen"], "chance"].item() >= best["chance"].min()
    assert best["chosen"].sum() == 1


def test_the_figures_are_those_of_the_batches(plan: LessonPlan) -> None:
    rules = plan.rules[4]
    assert rules == Rules(4, "beginner", "+-", rounds=rules.rounds, play_off="none")
    batch = simulate(rules, plan.games, plan.seed, PEOPLE, progress=False)
    laid = batch.players.groupby("game")["additions"].sum() / 4
    assert plan.batches[4].counts["additions"][:, plan.rounds - 1].tolist() == laid.tolist()
    share = [size * plan.batches[size].counts["additions"][:, plan.rounds - 1].mean() / 7 for size in (4, 3)]
    assert plan.arithmetic.loc["additions", "value"] == pytest.approx(sum(share))
    last = [(plan.batches[size].minutes["six players"][:, plan.rounds - 1] <= 50).mean() for size in (4, 3)]
    value, low, high = plan.estimate("done in time") or (0, 0, 0)
    assert value == pytest.approx(last[0] * last[1])
    assert low <= value <= high


def test_what_a_pupil_gets_through_hangs_together(plan: LessonPlan) -> None:
    mean = plan.arithmetic["value"]
    sizes = [f"calculations of {size}" for size in ("2 cards", "3 cards", "4 cards or more")]
    assert mean["calculations"] == pytest.approx(mean[sizes].sum())
    assert mean[["multiplications", "divisions"]].sum() == 0
    assert mean["additions"] + mean["subtractions"] >= mean["calculations"]
    assert mean["faults"] > 0, "pupils err where nobody is named"
    assert (plan.arithmetic["games"] == 100).all()


def test_counts_and_minutes_of_a_table_grow_round_by_round() -> None:
    batch = play_tables(Rules(3, rounds=3, play_off="none"), 20, 1, "greedy", {"own": Timings(match=9)})
    assert (np.diff(batch.minutes["own"], axis=1) > 0).all()
    assert all((np.diff(counts, axis=1) >= 0).all() for counts in batch.counts.values())
    assert batch.counts["faults"].sum() == 0


def test_the_same_plan_again() -> None:
    one, other = plan_lesson(**FAST), plan_lesson(**FAST)
    assert one == other
    assert one.table.equals(other.table)


def test_younger_pupils_take_longer(plan: LessonPlan) -> None:
    slow = plan_lesson(**FAST | {"school_year": 3, "chance": 0.05})
    assert slow.strategy == "year-3:greedy"
    assert slow.together(rounds=1).quantile(0.5)[0] > plan.together(rounds=1).quantile(0.5)[0]


def test_own_timings_decide() -> None:
    quick = plan_lesson(**FAST | {"minutes": 40, "timings": "match=4 calculation=8 further_card=4 draw=4 wildcard=4"})
    assert list(quick.timings) == ["own timings"]
    assert quick.rounds >= 2
    assert "by your own timings" in str(quick)


def test_few_tables_are_all_used() -> None:
    crowded = plan_lesson(**FAST | {"minutes": 120, "pupils": 8, "most_tables": 1})
    assert crowded.seating == (8,)


def test_shorter_hands_are_tried_when_the_usual_ones_do_not_fit() -> None:
    with pytest.raises(ValueError, match="minutes: 12 are too few for 5 pupils, 10 of them for explaining") as refused:
        plan_lesson(**FAST | {"minutes": 12, "pupils": 5})
    needed = int(str(refused.value).split("give ")[1].split()[0])
    enough = plan_lesson(**FAST | {"minutes": needed, "pupils": 5})
    assert enough.minutes == needed
    assert set(enough.table["hand_size"]) > {7}


def test_three_minutes_are_too_few() -> None:
    with pytest.raises(ValueError, match=r"0 of 100 lessons; give \d+ minutes or more"):
        plan_lesson(**FAST | {"minutes": 3, "pupils": 4})


@pytest.mark.parametrize(
    ("given", "part"),
    [
        ({"minutes": 0}, "minutes: 0 .* from 1 to 600"),
        ({"minutes": 45.5}, "minutes: 45.5"),
        ({"pupils": 1}, "pupils: 1 .* from 2 to 400"),
        ({"operations": "+%"}, "'%' is no operation"),
        ({"operations": ""}, "operations: '' is not allowed"),
        ({"wildcards": "expert"}, "wildcards: 'expert'"),
        ({"school_year": 7}, "school_year: 7 .* from 1 to 6"),
        ({"school_year": 2, "strategies": "greedy"}, "both given"),
        ({"strategies": "gredy"}, "Did you mean 'greedy'"),
        ({"strategies": ["greedy", "random"]}, "strategies: a list"),
        ({"timings": "mach=3"}, "Did you mean 'match'"),
        ({"most_tables": 0}, "most_tables: 0"),
        ({"reserve": -1}, "reserve: -1"),
        ({"chance": 1}, "chance: 1 is not allowed"),
        ({"games": 5}, "games: 5 .* from 100"),
        ({"seed": -1}, "seed: -1"),
    ],
)
def test_what_cannot_be_planned_is_refused(given: dict[str, Any], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        plan_lesson(**FAST | given)


# --- shown -----------------------------------------------------------------------------------------------------------


def test_the_page_says_it_all(plan: LessonPlan) -> None:
    page = str(plan)
    for part in (
        "A lesson of 60 minutes with 7 pupils", "1 table of 4 and 1 of 3 (2 decks)", "7 each, beginner wildcards (12",
        "10 minutes to explain and tidy up, 50 to play", "95% interval", "a table of 4", "all tables", "additions",
        "fitted to a round of 15 to 30 minutes with six players", "says so of four players", "100 simulated games",
    ):  # fmt: skip
        assert part in page
    assert max(map(len, page.splitlines())) <= 124


def test_the_figures_state_their_finding(plan: LessonPlan) -> None:
    time, rounds = plot_lesson_time(plan), plot_lesson_rounds(plan)
    value = round(100 * (plan.estimate("done in time") or (0,))[0])
    assert f"in time in {value} of 100 lessons" in time.axes[0].get_title()
    assert f"{value} of 100" in time.description
    heights = sum(bar.get_height() for bar in time.axes[0].patches)
    assert heights == pytest.approx(100, abs=1.5)
    assert f"{plan.rounds} round" in rounds.axes[0].get_title()
    assert "four players" in rounds.description
    assert rounds.picture("png").startswith(b"\x89PNG")


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nambarz_sim", "lesson", "--games", "100", "--wildcards", "beginner", *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, timeout=300)


def test_the_command_plans(plan: LessonPlan, tmp_path: Path) -> None:
    asked = ["--minutes", "60", "--pupils", "7", "--operations", "+-"]
    assert run(*asked, cwd=tmp_path).stdout == f"{plan}\n"
    done = run(*asked, "--json", "--plot", "lesson.png", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert told["seating"] == [4, 3]
    assert told["rounds"] == plan.rounds
    assert len(told["table"]) == len(plan.table)
    assert (tmp_path / "lesson.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "part"), [(["--minutes", "3", "--pupils", "4"], "too few"), (["--plot", "a.gif"], "plot")]
)
def test_the_command_refuses_in_one_line(words: list[str], part: str, tmp_path: Path) -> None:
    done = run(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_form_plans_and_says_what_is_wrong(plan: LessonPlan) -> None:
    form = LessonPlanner(minutes=60, pupils=7, games=100)
    # A blank field would say nothing.
    assert (form.school_year.label, form.tables.label) == ("practised players", "any number")
    form.button.click()
    assert form.plan is not None
    assert form.plan.pupils == 7
    assert form.plan.operations == "+-"
    assert "A lesson of 60 minutes with 7 pupils" in form._page.value
    assert 'alt="Bars' in form._page.value
    first = form.plan
    form.pupils.value = 1
    form.button.click()
    assert form.error.startswith("pupils: 1")
    assert "pupils: 1" in form._says.value
    assert form.plan is first
    form.pupils.value, form.school_year.value, form.tables.value = 8, 4, 2
    form.button.click()
    assert form.error == ""
    assert (form.plan.strategy, form.plan.seating) == ("year-4:greedy", (4, 4))
    assert not form.button.disabled
