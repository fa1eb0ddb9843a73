"""A widget to play batches of games: choose, run, stop, and compare with the run before."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import traitlets

from nambarz_sim._errors import whole_number
from nambarz_sim.arithmetic.shown import shown, signs
from nambarz_sim.languages import N_, _, in_language, plural, written
from nambarz_sim.plots import NotebookFigure, plot_game_length, plot_master_strokes
from nambarz_sim.rules import Rules
from nambarz_sim.simulation.batch import simulate
from nambarz_sim.simulation.results import Results
from nambarz_sim.strategies import Strategy
from nambarz_sim.widgets.panel import Panel, SetUp, front_end, picture_address, whole

MOST_GAMES = 1_000_000
"""The records of more games may not fit into a notebook's memory; `simulate` takes more."""
GAMES_PER_CHUNK = 500
"""So few that a stop is answered at once."""
_TOLD_EVERY = 0.1  # seconds between two messages of the progress

KEY_FIGURES = (
    N_("turns a round, mean"), N_("turns a round, median"), N_("turns a round, P5"), N_("turns a round, P95"),
    N_("rounds with a master stroke"), N_("master strokes a round"), N_("calculations, share of plays"),
    N_("matches, share of plays"), N_("draws a turn"),
)  # fmt: skip
"""The measures of the summary that the table shows."""


@dataclass(eq=False)
class _Run:
    """A run under way; the explorer listens only to its latest one."""

    set_up: SetUp
    games: int
    seed: int
    told: float = 0.0
    stopped: bool = False
    error: Exception | None = None
    ended: threading.Event = field(default_factory=threading.Event)


class BatchExplorer(Panel):
    """Batches of games by chosen rules and strategies: how long a round takes and how often master strokes come.

    A run plays in the background; a new one, or a changed control, ends the one under way, so that none ever waits.
    Every act of the front end is a method here, so that a script can do the same.

    Parameters
    ----------
    rules
        The rules in force; `Rules()` without.
    strategies
        One strategy for all seats, or one for each, see `nambarz_sim.strategies`.
    games
        How many games a run plays, up to a million.
    seed
        A whole number from 0; runs under one seed share their deals.
    lang
        The language, such as ``"de"``; None for the usual one, see `nambarz_sim.languages.choose_language`.

    Attributes
    ----------
    results, previous
        The `Results` of the last run and of the one before it; None without.
    set_up, games, seed
        What the controls choose.

    Raises
    ------
    ValueError
        If an argument is not allowed. An act that is not allowed raises it in a script and is shown beside its field in
        the front end; everything then stays as it was.

    Examples
    --------
    >>> explorer = BatchExplorer(Rules(players=3), games=200)
    >>> explorer.run()
    >>> explorer.wait()
    True
    >>> explorer.choose(operations="+-")
    >>> explorer.run()
    >>> explorer.wait()
    True
    >>> len(explorer.previous.games), explorer.results.rules.operations
    (200, '+-')
    """

    acts = ("choose", "run", "stop")
    front = "batch_explorer"
    _esm = front_end(front, "js")
    _css = front_end(front, "css")
    progress = traitlets.Dict().tag(sync=True)
    runs: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        rules: Rules | None = None,
        strategies: Strategy | Sequence[Strategy] = "greedy",
        games: int = 2_000,
        seed: int = 1,
        lang: str | None = None,
    ) -> None:
        self.set_up = SetUp.of(rules, strategies)
        self.games, self.seed = _read_games(games), _read_seed(seed)
        self.each_change = False
        self.results: Results | None = None
        self.previous: Results | None = None
        self._run: _Run | None = None
        self._lock = threading.RLock()  # what the run and the person change
        self._turn = threading.Lock()  # held by the one run that plays
        with in_language(lang) as self.lang:
            super().__init__()
            self._tell("ready", _("Nothing has been run yet."))
            self._show()

    # --- acts ---------------------------------------------------------------------------------------------------------

    def choose(
        self,
        players: int | str | None = None,
        wildcards: Any = None,
        operations: str | None = None,
        strategies: str | Sequence[str] | None = None,
        games: int | str | None = None,
        seed: int | str | None = None,
        each_change: bool | None = None,
    ) -> None:
        """Choose the rules, the strategies by their names, the number of games and the seed of the next run.

        A run under way ends, and what it has played is dropped; with ``each_change`` a new one starts at once.
        """
        with self._lock:
            set_up = self.set_up.change(players, wildcards, operations, strategies)
            games = self.games if games is None else _read_games(whole(games))
            seed = self.seed if seed is None else _read_seed(whole(seed))
            self.set_up, self.games, self.seed = set_up, games, seed
            self.each_change = self.each_change if each_change is None else bool(each_change)
            if self.running:
                self._end_run()
                self._tell("cancelled", _("The run was ended, since a control has changed."))
            self._show()
            if self.each_change:
                self.run()

    def run(self) -> None:
        """Start a run in the background; one under way ends, and what it has played is dropped."""
        with self._lock:
            self._end_run()
            run = self._run = _Run(self.set_up, self.games, self.seed)
            self._tell("running", _running(run.games), 0, run.games)
            threading.Thread(target=self._play, args=(run,), name="nambarz explorer", daemon=True).start()

    def stop(self) -> None:
        """Stop the run under way; what it has played becomes the results."""
        with self._lock:
            if not self.running or self._run is None:
                raise ValueError("stop: no run is under way; start one (run)")
            self._run.stopped = True

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until no run is under way, for `timeout` seconds at most; whether none is.

        Raises
        ------
        Exception
            What went wrong in the run.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while (run := self._run) is not None:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not run.ended.wait(left):
                return False
            if run is self._run:  # otherwise another one has been started
                break
        if run is not None and run.error is not None:
            raise run.error
        return True

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self._run is not None and not self._run.ended.is_set()

    # --- the run ------------------------------------------------------------------------------------------------------

    def _end_run(self) -> None:
        """Listen no longer to the run under way; it ends with the chunks that are being played."""
        if self._run is not None:
            self._run.ended.set()
        self._run = None

    def _play(self, run: _Run) -> None:
        """What the run's thread does, in the explorer's language: a thread begins in the usual one."""
        with in_language(self.lang):
            try:
                with self._turn:  # runs that were ended give way here without having played anything
                    if self._run is not run:
                        return
                    started = time.monotonic()
                    results = simulate(
                        run.set_up.rules,
                        run.games,
                        run.seed,
                        run.set_up.chosen,
                        chunk_size=GAMES_PER_CHUNK,
                        progress=lambda done, total: self._note(run, done, total),
                    )
                    seconds = time.monotonic() - started
                    shown = self._drawn(run, results)
                self._take(run, results, shown, seconds)
            except Exception as error:  # shown where the person looks, and raised by `wait`
                self._fail(run, error)

    def _note(self, run: _Run, done: int, total: int) -> bool:
        """Show the progress; whether to go on."""
        with self._lock, in_language(self.lang):
            if self._run is not run or run.stopped:
                return False
            now = time.monotonic()
            if now - run.told >= _TOLD_EVERY:
                run.told = now
                self._tell("running", _running(total), done, total)
            return True

    def _drawn(self, run: _Run, results: Results) -> list[dict[str, Any]]:
        """The reports on these results and on those before; none where they are not wanted or have no games."""
        with self._lock:
            if self._run is run:
                self._tell("running", _("Drawing the figures …"), len(results.games), run.games)
        before = self.results
        pairs = [(results, before)] + ([] if before is None else [(before, results)])
        return [_report(*pair) for pair in pairs if self._run is run and len(results.games)]

    def _take(self, run: _Run, results: Results, shown: list[dict[str, Any]], seconds: float) -> None:
        """Take the results of a run if it is still the latest."""
        with self._lock:
            if self._run is not run:
                return
            done = len(results.games)
            if shown:
                self.previous, self.results = self.results, results
                self.runs = shown
            if done == run.games:
                self._tell("finished", _finished(done, seconds), done, done)
            elif done:
                self._tell("stopped", _stopped(done, run.games), done, run.games)
            else:
                self._tell("stopped", _("Stopped before any game was finished; nothing new is shown."), 0, run.games)
            run.ended.set()

    def _fail(self, run: _Run, error: Exception) -> None:
        with self._lock:
            if self._run is not run:
                return
            run.error = error
            told = _("The run did not work ({problem}). Run it again.")
            self._tell("failed", told.format(problem=f"{type(error).__name__}: {error}"))
            run.ended.set()

    # --- showing it ---------------------------------------------------------------------------------------------------

    def _tell(self, state: str, text: str, done: int = 0, total: int = 0) -> None:
        played = _played(done, total) if total else ""
        self.progress = {"state": state, "text": text, "done": done, "total": total, "played": played}

    def _show(self) -> None:
        self.view = {
            "set_up": self.set_up.shown(),
            "games": str(self.games),
            "seed": str(self.seed),
            "each_change": self.each_change,
        }


def _read_games(games: object) -> int:
    return whole_number("games", games, 1, MOST_GAMES)


def _read_seed(seed: object) -> int:
    return whole_number("seed", seed, 0, 2**63 - 1)


def _report(results: Results, beside: Results | None) -> dict[str, Any]:
    """What is shown of a run; its figures have the same axes as those of the run beside it."""
    rows = results.summary().loc[list(KEY_FIGURES)].to_dict("index")
    figures = [
        [_(str(measure)), *_figure([row["value"], row["low"], row["high"]], row["unit"])]
        for measure, row in rows.items()
    ]
    return {
        "played": _what_was_played(results),
        "plots": [_picture(plot(results, beside)) for plot in (plot_game_length, plot_master_strokes)],
        "figures": figures,
    }


def _what_was_played(results: Results) -> list[list[str]]:
    rules, names = results.rules, results.strategies
    same = len(set(names)) == 1
    return [
        [_("games"), written(len(results.games))],
        [_("players"), str(rules.players)],
        [_("wildcards"), shown(str(rules.wildcards))],
        [_("operations"), " ".join(signs()[operation] for operation in rules.operations)],
        [_("strategies"), names[0] if same else ", ".join(names)],
        [_("seed"), str(results.seed)],
        [_("other rules"), _other_rules(rules)],
    ]


def _other_rules(rules: Rules) -> str:
    """The options that the controls do not show, where they are not the usual ones."""
    usual, shown = Rules().to_dict(), ("players", "wildcards", "operations")
    changed = [
        f"{name} {value}" for name, value in rules.to_dict().items() if name not in shown and value != usual[name]
    ]
    return ", ".join(changed) or _("as usual")


def _figure(estimate: Sequence[float], unit: str) -> tuple[str, str]:
    """A figure and its interval to read."""
    share = unit.startswith("share")
    known = [figure for figure in estimate if figure == figure]  # with one game there is no interval
    digits = 1 if share or known[0] >= 10 else 3
    if unit == "turns" and all(float(figure).is_integer() for figure in known):
        digits = 0  # a quantile
    value, *ends = (_share(figure, digits) if share else _rounded(figure, digits) for figure in known)
    return value, _("{low} to {high}").format(low=ends[0], high=ends[1]) if ends else _("one game: unknown")


def _rounded(figure: float, digits: int) -> str:
    """A figure to read, rounded as Python does in every language."""
    return written(float(f"{figure:.{digits}f}"), digits)


def _share(figure: float, digits: int) -> str:
    return _("{share}%").format(share=_rounded(100 * figure, digits))


def _running(games: int) -> str:
    return plural("Running {count} game …", "Running {count} games …", games).format(count=written(games))


def _played(done: int, games: int) -> str:
    return _("{done} of {count} games").format(done=written(done), count=written(games))


def _finished(games: int, seconds: float) -> str:
    told = plural("{count} game played in {seconds} seconds.", "{count} games played in {seconds} seconds.", games)
    return told.format(count=written(games), seconds=_rounded(seconds, 1))


def _stopped(done: int, games: int) -> str:
    told = _("Stopped: {done} of {count} games were finished and are shown.")
    return told.format(done=written(done), count=written(games))


def _picture(figure: NotebookFigure) -> dict[str, str]:
    return {"address": picture_address(figure.picture("svg").decode()), "description": figure.description}
