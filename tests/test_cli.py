"""The command `nambarz`, run as its users run it."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import pty
import shlex
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from nambarz_sim import Rules, Session, find_plays, judge, simulate

COMMAND = [sys.executable, "-m", "nambarz_sim"]


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, cwd=cwd, timeout=300)


def fails(*words: str, cwd: Path | None = None) -> str:
    """The one line that a refused command prints."""
    done = run(*words, cwd=cwd)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("nambarz: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_simulate_tells_length_strokes_and_winners() -> None:
    told = run("simulate", "--games", "40", "--players", "3").stdout
    assert told.startswith("40 games of 1 round, 3 players")
    for measure in ("turns a round, mean", "rounds with a master stroke", "rounds won, seat 2", "40 rounds"):
        assert measure in told


@pytest.mark.parametrize("table", ["summary", "games", "rounds", "players"])
def test_simulate_prints_every_table_as_csv(table: str) -> None:
    rows = list(csv.DictReader(io.StringIO(run("simulate", "--games", "5", "--table", table, "--csv").stdout)))
    results = simulate(games=5, progress=False)
    expected = results.summary() if table == "summary" else getattr(results, table)
    assert len(rows) == len(expected)


def test_simulate_prints_json_like_the_library() -> None:
    words = ["--games", "5", "--seed", "3", "--strategies", "thrifty,greedy", "--players", "2", "--table", "players"]
    rows = json.loads(run("simulate", *words, "--json").stdout)
    expected = simulate(Rules(players=2), games=5, seed=3, strategies=["thrifty", "greedy"], progress=False).players
    assert [row["points"] for row in rows] == expected["points"].tolist()
    assert [row["strategy"] for row in rows[:2]] == ["thrifty", "greedy"]


def test_simulate_writes_files(tmp_path: Path) -> None:
    done = run("simulate", "--games", "5", "--output", "games.csv", "--table", "games", "--plot", "p.png", cwd=tmp_path)
    assert done.returncode == 0
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 6
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in tmp_path.iterdir()} == {"games.csv", "p.png"}


def test_rules_options_reach_the_game(tmp_path: Path) -> None:
    words = ["--preset", "experienced", "--players", "4", "--team-sizes", "2,2", "--operations", "+ −", "--rounds", "3"]
    (tmp_path / "my.toml").write_text(run("rules", *words, "--toml").stdout)
    assert Rules.load(tmp_path / "my.toml") == Rules.preset("experienced", team_sizes=(2, 2), operations="+-", rounds=3)
    again = run("rules", "--rules-file", str(tmp_path / "my.toml"), "--json").stdout
    assert json.loads(again)["wildcards"]["replay"] == 2
    some = run("rules", "--wildcards", "change-number=2,replay=1", "--json").stdout
    assert json.loads(some)["wildcards"] == {"change-number": 2, "change-picture": 0, "change-any": 0, "replay": 1}


def test_rules_shows_every_option_and_clause() -> None:
    told = run("rules", "--unfinished-bonus").stdout
    for name in Rules().to_dict():
        assert f"  {name} = " in told
    assert "unfinished_bonus = True" in told
    assert "R9.3" in told


def test_plays_lists_what_find_plays_finds() -> None:
    words = ["--active", "3bee", "--hand", "10 4 2 7fish 4hen change-any"]
    told = run("plays", *words).stdout.splitlines()
    found = find_plays("10 4 2 7fish 4hen change-any", active="3bee")
    assert len(told) == len(found)
    assert all(play.expression in line for play, line in zip(found, told, strict=True))
    assert [row["expression"] for row in json.loads(run("plays", *words, "--json").stdout)] == [str(p) for p in found]
    assert len(run("plays", *words, "--limit", "2").stdout.splitlines()) == 2
    assert run("plays", "--active", "3bee", "--hand", "9").stdout == "No play on 3bee: draw a card.\n"


def test_replay_tells_the_game_of_the_batch() -> None:
    told = run("replay", "--seed", "1", "--game", "17").stdout
    session = Session(Rules(), seed=1, game=17, seats="greedy")
    session.advance()
    assert all(event.text in told for event in session.log)
    total = simulate(games=18, seed=1, progress=False).games.iloc[17]
    assert f"seat 0 {total['total_0']}, seat 1 {total['total_1']}" in told.splitlines()[-1]
    events = json.loads(run("replay", "--seed", "1", "--game", "17", "--json").stdout)
    assert [event["text"] for event in events] == [event.text for event in session.log]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["simulte"], ["simulte", "'simulate'"]),
        (["simulate", "--gmes", "3"], ["--gmes", "--games"]),
        (["simulate", "--games", "many"], ["--games"]),
        (["simulate", "--games", "0"], ["games: 0", "1 to"]),
        (["simulate", "--players", "13"], ["players: 13", "2 to 12"]),
        (["simulate", "--players", "12", "--wildcards", "top-level"], ["85", "84", "hand_size"]),
        (["simulate", "--strategies", "gredy"], ["'gredy'", "Did you mean 'greedy'"]),
        (["simulate", "--strategies", "greedy,random"], ["2 are given for 4 players"]),
        (["simulate", "--operations", "+%"], ["'%' is no operation"]),
        (["simulate", "--team-sizes", "2,1"], ["team_sizes"]),
        (["simulate", "--team-sizes", "two"], ["team_sizes: 'two' is not a whole number"]),
        (["simulate", "--preset", "expert"], ["'expert'", "experienced"]),
        (["simulate", "--preset", "beginner", "--rules-file", "x"], ["give one of them"]),
        (["simulate", "--rules-file", "none.toml"], ["none.toml", "does not exist"]),
        (["simulate", "--deck", "none.csv"], ["none.csv", "nambarz"]),
        (["simulate", "--table", "player"], ["'player'", "'players'"]),
        (["simulate", "--csv", "--json"], ["give one of them"]),
        (["simulate", "--output", "x.txt"], ["x.txt", ".csv, .json"]),
        (["simulate", "--output", "nowhere/x.csv"], ["nowhere/x.csv"]),
        (["simulate", "--plot", "x.bmp"], ["x.bmp", ".png"]),
        (["plays", "--active", "3bea", "--hand", "4"], ["'3bea'", "'3bee'"]),
        (["plays", "--active", "3bee", "--hand", "4 4 4 4 4"], ["5 x 4", "the deck has 4"]),
        (["plays", "--hand", "4"], ["--active"]),
        (["replay", "--game", "-1"], ["game: -1"]),
        (["judge", "4", "--active", "3bea", "--hand", "4"], ["'3bea'", "'3bee'"]),
        (["judge", "4", "--active", "3bee"], ["--hand"]),
        (["play", "--seed", "-1"], ["seed: -1"]),
        (["play", "--strategies", "greedy,thrifty"], ["strategies: 2 are given for 3 other players"]),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(words: list[str], parts: list[str], tmp_path: Path) -> None:
    line = fails(*words, cwd=tmp_path)
    for part in parts:
        assert part in line
    assert list(tmp_path.iterdir()) == []


def test_judge_tells_the_verdict_and_the_better_play() -> None:
    done = run("judge", "6+5+2-10", "--active", "3bee", "--hand", "6 5 2 10 8")
    assert done.stdout == (
        "Fault (R6.1).\n"
        "6 and 2 alone make 3: 6 ÷ 2 = 3. Five and ten go back to your hand. You draw 3 cards as a penalty, and your turn "
        "is over.\n"
        "Better: 6 × 5 ÷ 10 (3 cards).\n"
    )
    assert run("judge", "(10-4)/2", "--active", "3bee", "--hand", "10 4 2").stdout.startswith(
        "Legal.\n10 - 4 = 6, 6 ÷ 2"
    )


def test_judge_marks_where_a_text_stops_making_sense() -> None:
    done = run("judge", "6+5+%2", "--active", "3bee", "--hand", "6 5 2 10 8")
    assert done.stdout.splitlines()[:3] == ["No attempt.", "  6+5+%2", "      ^"]


def test_judge_prints_json_like_the_library() -> None:
    record = json.loads(run("judge", "10-4", "--active", "3bee", "--hand", "10 4 2", "--json").stdout)
    verdict = judge("10-4", hand="10 4 2", active="3bee")
    assert record["fault"] == verdict.fault == "R6.4"
    assert record["returned"] == ["10", "4"]
    assert record["explanation"] == str(verdict)
    assert record["better"]["expression"] == "(10 - 4) ÷ 2"


def test_play_asks_and_answers_in_the_terminal() -> None:
    words = [*COMMAND, "play", "--players", "2", "--seed", "5"]
    done = subprocess.run(words, input="draw\nquit\n", capture_output=True, text=True, timeout=300)
    assert done.returncode == 0
    assert done.stdout.startswith("This is the deal of --seed 5.\nround 1: ")
    assert "seat 0 (you) draws " in done.stdout
    assert done.stdout.endswith("The game is stopped.\n")


@pytest.mark.slow  # it runs compiled in any run of the suite: once is enough
@pytest.mark.parametrize("command", ["simulate", "plays", "judge", "replay", "play", "rules", "poster"])
def test_help_shows_an_example_that_runs(command: str, tmp_path: Path) -> None:
    told = " ".join(run(command, "--help").stdout.split())
    example = told.partition("Example: nambarz ")[2]
    assert example.startswith(command)
    line = f"{shlex.join(COMMAND)} {example}"
    # The examples are as large as people want them, so they always run compiled.
    compiled = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    done = subprocess.run(
        line,
        shell=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=compiled,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr


def test_progress_is_for_terminals_only() -> None:
    assert run("simulate", "--games", "50").stderr == ""
    parent, child = pty.openpty()
    termios.tcsetwinsize(child, (24, 80))
    done = subprocess.Popen([*COMMAND, "simulate", "--games", "50"], stdout=subprocess.DEVNULL, stderr=child)
    os.close(child)
    told = ""
    with contextlib.suppress(OSError):  # the terminal is gone when the command has ended
        while part := os.read(parent, 1000):
            told += part.decode()
    os.close(parent)
    assert done.wait(timeout=300) == 0
    assert "50.0/50.0" in told


def test_a_closed_pipe_is_no_error() -> None:
    # More than three times what a pipe holds: the command still writes when the reader has gone.
    words = " ".join(["simulate", "--games", "500", "--table", "players", "--csv"])
    command = f"set -o pipefail; {' '.join(COMMAND)} {words} | head -1"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0
    assert done.stdout.startswith("game,round,seat")
    assert done.stderr == ""
