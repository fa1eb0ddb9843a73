"""The batch explorer: runs in the background that end at once, results beside those before, progress, plots."""

from __future__ import annotations

import json
import threading
from base64 import b64decode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from nambarz_sim import Results, Rules, simulate
from nambarz_sim.plots import plot_game_length, plot_master_strokes

module = pytest.importorskip("nambarz_sim.widgets.batch_explorer", reason="needs the extra `notebooks`")
BatchExplorer = module.BatchExplorer
FRONT_ENDS = Path(module.__file__).parent
PATIENCE = 120
ENDLESS = 1_000_000


def ask(explorer: Any, act: str, field: str = "", /, **values: Any) -> str:
    """What the front end asks for; the sentence shown beside the field. Anything but a refusal fails the test."""
    explorer.receive({"act": act, "field": field, "values": values})
    assert "This did not work" not in explorer.error.get("message", ""), explorer.error
    assert not explorer.error or explorer.error["field"] == field
    return str(explorer.error.get("message", ""))


def refusal(call: Callable[..., object], *arguments: object, **named: object) -> str:
    """The library's own sentence."""
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        call(*arguments, **named)
    return str(caught.value)


def run(explorer: Any, **changes: Any) -> dict[str, Any]:
    """Run to the end; the progress then shown."""
    explorer.choose(**changes)
    explorer.run()
    assert explorer.wait(PATIENCE)
    return dict(explorer.progress)


@pytest.fixture
def explorer() -> Any:
    made = BatchExplorer(Rules(players=2), games=40, seed=3)
    yield made
    made.choose(each_change=False)  # ends a run under way
    assert made.wait(PATIENCE)


@pytest.fixture
def told(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Every progress shown, with no pause between two."""
    monkeypatch.setattr(module, "_TOLD_EVERY", 0.0)
    shown: list[dict[str, Any]] = []
    explorer.observe(lambda change: shown.append(change["new"]), "progress")
    return shown


class Held:
    """`simulate` that waits after its first chunk until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.reached, self.go = threading.Event(), threading.Event()
        self.asked: list[int] = []
        monkeypatch.setattr(module, "simulate", self)

    def __call__(self, rules: Rules, games: int, seed: int, strategies: Any, **more: Any) -> Results:
        self.asked.append(rules.players)
        progress = more.pop("progress")

        def hold(done: int, total: int) -> object:
            if done:
                self.reached.set()
                assert self.go.wait(PATIENCE)
            return progress(done, total)

        return simulate(rules, games, seed, strategies, workers=1, chunk_size=10, progress=hold)


# --- runs ---------------------------------------------------------------------------------------------------------------


def test_a_run_gives_what_simulate_gives(explorer: Any) -> None:
    assert explorer.wait()
    assert (explorer.results, explorer.previous) == (None, None)
    assert run(explorer)["text"].startswith("40 games played in ")
    expected = simulate(Rules(players=2), 40, 3, progress=False)
    assert np.array_equal(explorer.results.records.rounds, expected.records.rounds)


def test_the_results_before_stay_for_comparison(explorer: Any) -> None:
    run(explorer)
    first = explorer.results
    run(explorer, operations="+-")
    assert explorer.previous is first
    assert [dict(report["played"])["operations"] for report in explorer.runs] == ["+ -", "+ - × ÷"]
    run(explorer, strategies=["random", "master"], wildcards=8)
    now = dict(explorer.runs[0]["played"])
    assert (now["strategies"], now["wildcards"][:11]) == ("random, master", "experienced")
    assert len(explorer.runs) == 2


def test_the_table_shows_the_summary_with_its_intervals(explorer: Any) -> None:
    run(explorer, games=200)
    summary = explorer.results.summary()
    figures = {measure: (value, interval) for measure, value, interval in explorer.runs[0]["figures"]}
    mean, low, high = summary.loc["turns a round, mean", ["value", "low", "high"]]
    assert figures["turns a round, mean"] == (f"{mean:.1f}", f"{low:.1f} to {high:.1f}")
    share, low, high = 100 * summary.loc["rounds with a master stroke", ["value", "low", "high"]].astype(float)
    assert figures["rounds with a master stroke"] == (f"{share:.1f}%", f"{low:.1f}% to {high:.1f}%")
    assert figures["turns a round, median"][0] == f"{summary.at['turns a round, median', 'value']:.0f}"


def test_one_game_has_no_intervals(explorer: Any) -> None:
    run(explorer, games=1)
    assert {interval for _, _, interval in explorer.runs[0]["figures"]} == {"one game: unknown"}


def test_other_rules_are_named() -> None:
    explorer = BatchExplorer(Rules(players=4, team_sizes=(2, 2), penalty_cards=1), games=20)
    run(explorer)
    assert dict(explorer.runs[0]["played"])["other rules"] == "team_sizes [2, 2], penalty_cards 1"
    run(BatchExplorer(games=20))


@pytest.mark.slow
def test_the_progress_is_told(explorer: Any, told: list[dict[str, Any]]) -> None:
    run(explorer, games=1_100)
    done = [each["done"] for each in told if each["state"] == "running"]
    assert {0, 1_100} < set(done)
    assert done == sorted(done)
    assert (told[-1]["state"], told[-1]["done"], told[-1]["total"]) == ("finished", 1_100, 1_100)


def test_a_stopped_run_shows_what_was_played(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    assert ask(explorer, "run", "run") == ""
    assert held.reached.wait(PATIENCE)
    assert not explorer.wait(0.01)
    assert ask(explorer, "stop", "run") == ""
    held.go.set()
    assert explorer.wait(PATIENCE)
    assert explorer.progress["text"] == "Stopped: 10 of 40 games were finished and are shown."
    assert len(explorer.results.games) == 10
    expected = simulate(Rules(players=2), 10, 3, progress=False)
    assert np.array_equal(explorer.results.records.rounds, expected.records.rounds)


def test_a_run_stopped_before_its_first_games_says_so(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*arguments: Any, progress: Any, **more: Any) -> Results:
        explorer.stop()
        return simulate(*arguments, progress=progress, **more)

    run(explorer)
    results, shown = explorer.results, explorer.runs
    monkeypatch.setattr(module, "simulate", stopped)
    assert run(explorer)["text"] == "Stopped before any game was finished; nothing new is shown."
    assert (explorer.results, explorer.runs) == (results, shown)


def test_without_a_run_there_is_nothing_to_stop(explorer: Any) -> None:
    sentence = "stop: no run is under way; start one (run)"
    assert ask(explorer, "stop", "run") == sentence
    assert refusal(explorer.stop) == sentence
    run(explorer)
    assert refusal(explorer.stop) == sentence


def test_a_changed_control_ends_the_run(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    explorer.run()
    assert held.reached.wait(PATIENCE)
    assert ask(explorer, "choose", "players", players=3) == ""
    assert not explorer.running
    assert explorer.progress["text"] == "The run was ended, since a control has changed."
    held.go.set()
    assert explorer.wait(PATIENCE)
    with explorer._turn:  # the thread has given up by now
        assert explorer.results is None
    assert explorer.progress["state"] == "cancelled"


def test_a_control_that_was_refused_ends_no_run(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    explorer.run()
    assert held.reached.wait(PATIENCE)
    assert ask(explorer, "choose", "players", players=13).startswith("players: 13 is not allowed")
    held.go.set()
    assert explorer.wait(PATIENCE)
    assert len(explorer.results.games) == 40


def test_moving_a_slider_never_queues_runs(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    explorer.choose(each_change=True)
    assert held.reached.wait(PATIENCE)
    for change in range(50):
        assert ask(explorer, "choose", "players", players=2 + change % 11) == ""
    held.go.set()
    assert explorer.wait(PATIENCE)
    # The first was being played, the last is what was asked for; none in between was begun.
    assert held.asked == [2, 2 + 49 % 11]
    assert explorer.results.rules.players == 2 + 49 % 11
    assert explorer.previous is None


def test_fifty_runs_leave_no_figure_no_thread_and_one_widget(explorer: Any) -> None:
    from matplotlib import pyplot

    model, before = explorer.model_id, set(threading.enumerate())
    for seed in range(49):
        explorer.choose(seed=seed)
        explorer.run()
    run(explorer, seed=49)
    run(explorer, seed=50)
    assert pyplot.get_fignums() == []
    assert explorer.model_id == model
    with explorer._turn:
        assert (explorer.previous.seed, explorer.results.seed) == (49, 50)
    left = {thread for thread in set(threading.enumerate()) - before if thread.name == "nambarz explorer"}
    for thread in left:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in left)


def test_what_goes_wrong_in_a_run_is_shown_and_raised(explorer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> Results:
        raise RuntimeError("no more paper")

    monkeypatch.setattr(module, "simulate", fails)
    assert ask(explorer, "run", "run") == ""
    with pytest.raises(RuntimeError, match="no more paper"):
        explorer.wait(PATIENCE)
    assert explorer.progress["state"] == "failed"
    assert explorer.progress["text"] == "The run did not work (RuntimeError: no more paper). Run it again."
    monkeypatch.undo()
    assert run(explorer)["state"] == "finished"


# --- controls -----------------------------------------------------------------------------------------------------------


def test_what_is_typed_is_taken(explorer: Any) -> None:
    for name, value in (("games", "25"), ("seed", " 8 "), ("wildcards", "0"), ("players", 3), ("operations", "+-")):
        assert ask(explorer, "choose", name, **{name: value}) == ""
    assert (explorer.games, explorer.seed) == (25, 8)
    assert explorer.set_up.rules == Rules(players=3, wildcards=0, operations="+-")
    assert explorer.view["set_up"]["wildcards"] == "0"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("games", "0", "games: 0 is not allowed; give a whole number from 1 to 1000000"),
        ("games", "many", "games: 'many' is not allowed; give a whole number from 1 to 1000000"),
        ("seed", "1.5", "seed: '1.5' is not allowed; give a whole number from 0 to 9223372036854775807"),
        ("wildcards", "7", "wildcards: 7 does not divide by 4"),
        ("wildcards", "<img src=x>", "wildcards: '<img src=x>' is not known; known are beginner"),
        ("operations", "", "operations: '' is not allowed"),
        ("strategies", "best", "strategy: 'best' is not known; known are random"),
        ("strategies", ["random"] * 3, "strategies: 3 are given for 2 players"),
    ],
)
def test_what_is_refused_has_the_librarys_sentence(explorer: Any, name: str, value: Any, sentence: str) -> None:
    view = explorer.view
    assert ask(explorer, "choose", name, **{name: value}).startswith(sentence)
    assert explorer.view == view
    assert refusal(explorer.choose, **{name: value}).startswith(sentence)


def test_a_bad_argument_is_refused_at_once() -> None:
    assert refusal(BatchExplorer, games=0).startswith("games: 0 is not allowed")
    assert refusal(BatchExplorer, seed=-1).startswith("seed: -1 is not allowed")
    assert refusal(BatchExplorer, strategies="best").startswith("strategy: 'best' is not known")


def test_all_that_is_sent_is_plain_data(explorer: Any) -> None:
    run(explorer)
    json.dumps([explorer.view, explorer.progress, explorer.runs, explorer.error])


# --- figures ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def batches() -> list[Results]:
    return [simulate(Rules(players=players), games=60, seed=2, progress=False) for players in (2, 5)]


@pytest.mark.parametrize("plot", [plot_game_length, plot_master_strokes])
def test_figures_beside_each_other_have_the_same_axes(plot: Callable[..., Any], batches: list[Results]) -> None:
    one, other = (plot(*pair).axes[0] for pair in (batches, batches[::-1]))
    assert one.get_xlim() == other.get_xlim()
    assert one.get_ylim() == other.get_ylim()
    alone = [plot(batch).axes[0] for batch in batches]
    assert alone[0].get_ylim() != alone[1].get_ylim()


@pytest.mark.parametrize("plot", [plot_game_length, plot_master_strokes])
def test_a_figure_says_in_words_what_it_finds(plot: Callable[..., Any], batches: list[Results]) -> None:
    figure = plot(batches[1])
    finding = figure.axes[0].get_title().split(" (")[0]
    assert finding in figure.description
    assert "95% interval" in figure.description
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_the_figures_of_master_strokes_are_the_summarys(batches: list[Results]) -> None:
    summary = batches[1].summary()
    description = plot_master_strokes(batches[1]).description
    value, low, high = 100 * summary.loc["master strokes of 4 cards a round", ["value", "low", "high"]].astype(float)
    assert f"4 cards: {value:.2g} ({low:.2g} to {high:.2g})" in description


def test_the_pictures_are_sent_as_images_with_alternatives(explorer: Any) -> None:
    run(explorer)
    for picture in explorer.runs[0]["plots"]:
        kind, _, data = picture["address"].partition(",")
        assert kind == "data:image/svg+xml;base64"
        assert ElementTree.fromstring(b64decode(data)).tag.endswith("svg")
        assert "rounds" in picture["description"]


def test_the_front_end_writes_no_markup_and_can_be_stopped() -> None:
    source = (FRONT_ENDS / "batch_explorer.js").read_text(encoding="utf-8")
    for way in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "srcdoc"):
        assert way not in source
    for needed in ('role: "progressbar"', '"aria-valuenow"', 'role: "status"', "alt:"):
        assert needed in source


# --- `simulate` tells a function of its progress ------------------------------------------------------------------------


def test_a_function_is_told_of_every_chunk() -> None:
    calls: list[tuple[int, int]] = []
    caller = threading.get_ident()

    def note(done: int, total: int) -> None:
        assert threading.get_ident() == caller
        calls.append((done, total))

    results = simulate(Rules(players=2), games=10, chunk_size=3, workers=2, progress=note)
    done = [each for each, _ in calls]
    assert (done[0], done[-1], {total for _, total in calls}) == (0, 10, {10})
    assert done == sorted(done)
    assert len(results.games) == 10


@pytest.mark.parametrize("own", [True, False])
def test_false_stops_with_the_games_from_the_first_on(own: bool) -> None:
    whole = simulate(Rules(players=2), games=105, seed=4, progress=False)
    with ThreadPoolExecutor(2) as pool:
        stopped = simulate(
            Rules(players=2),
            games=ENDLESS,
            seed=4,
            workers=2,
            executor=None if own else pool,
            chunk_size=7,
            progress=lambda done, _: done < 100,
        )
    played = len(stopped.games)
    assert 0 < played <= 105
    assert played % 7 == 0
    assert np.array_equal(stopped.records.games, whole.records.games[:played])
    assert not [thread for thread in threading.enumerate() if own and thread.name.startswith("nambarz_")]


def test_only_false_stops() -> None:
    for answer in (None, 0, "", True):
        assert len(simulate(Rules(players=2), games=6, chunk_size=2, progress=lambda *_, a=answer: a).games) == 6


def test_chunks_after_a_gap_are_left_out() -> None:
    """Where a later chunk is finished first, a stop leaves the games before the gap."""

    class Backwards(ThreadPoolExecutor):
        first = threading.Event()

        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Any:
            def later() -> Any:
                assert self.first.wait(PATIENCE)
                return function(*arguments, **named)

            return super().submit(later if arguments[3] == 0 else function, *(() if arguments[3] == 0 else arguments))

    def note(done: int, _: int) -> bool:
        if done:
            Backwards.first.set()
        return not done

    with Backwards(2) as pool:
        results = simulate(Rules(players=2), games=6, chunk_size=2, executor=pool, progress=note)
    assert len(results.games) == 0


def test_a_batch_stopped_at_once_has_no_games() -> None:
    results = simulate(Rules(players=2), games=6, progress=lambda *_: False)
    assert (len(results.games), len(results.rounds), len(results.players)) == (0, 0, 0)
    for call in (results.summary, lambda: plot_game_length(results), lambda: plot_master_strokes(results)):
        assert refusal(call) == "results: 0 games have no summary; play 1 or more, or stop a batch later"


def test_what_the_function_raises_comes_out_and_leaves_no_thread() -> None:
    def fails(done: int, _: int) -> None:
        if done:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        simulate(Rules(players=2), games=ENDLESS, workers=2, chunk_size=5, progress=fails)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("nambarz_")]
