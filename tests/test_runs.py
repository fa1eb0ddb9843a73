"""A run in a folder: what it holds, how it goes on, and that no damage and no other run gets into it.

`test_sums.py` holds that summaries, figures and comparisons from a folder are those of memory; `test_interruptions.py`
holds that no interruption loses or doubles a game.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from hashlib import sha256
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_digests import digest

from nambarz_sim import Deck, Pupil, Results, Rules, resume, simulate
from nambarz_sim._version import __version__
from nambarz_sim.simulation import folder as folders
from nambarz_sim.simulation.folder import MANIFEST, Folder, lock
from nambarz_sim.simulation.manifest import FORMAT, MOST_CHUNKS, MOST_ROWS, opened, read_chunk, sealed
from nambarz_sim.simulation.tables import TABLES

GOLDEN = Path(__file__).parent / "golden"
KEPT = Path(__file__).parent / "stored_run"

GAMES = 11
SMALL: dict[str, Any] = {
    "rules": Rules(players=3, rounds=2), "games": GAMES, "seed": 6, "strategies": "greedy", "chunk_size": 3,
    "progress": False,
}  # fmt: skip
CHUNKS = 4
VARIED: dict[str, tuple[Rules, Any]] = {
    "two players": (Rules(players=2), "greedy"),
    "teams of several rounds": (Rules(team_sizes=(2, 2), rounds=3), ["greedy", "random", "master", "thrifty"]),
    "extra rounds": (Rules(players=2, rounds=2, play_off="all"), "random"),
    "other rules": (Rules.preset("top-level", operations="+-", recycle="flip", unfinished_bonus=True), "matcher"),
}


def contents(folder: Path) -> dict[str, bytes]:
    """What stands in a run's folder, but for the lock, which is empty where a system makes one."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != "lock")
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


def marks(folder: Path) -> dict[str, tuple[int, int]]:
    """Which file each is and when it was written; a file that is written again has another of these."""
    files = (file for file in folder.rglob("*") if file.is_file() and file.name != "lock")
    return {str(file.relative_to(folder)): (file.stat().st_ino, file.stat().st_mtime_ns) for file in files}


def assert_same_tables(stored: Results, batch: Results, but: str = "") -> None:
    for name in TABLES:
        ours, theirs = getattr(batch, name), getattr(stored, name)
        pd.testing.assert_frame_equal(theirs, ours, check_exact=True)
        assert theirs.attrs == {**ours.attrs, **({but: getattr(stored, but)} if but else {})}


def refusal(call: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    """The sentence with which a call refuses."""
    with pytest.raises(ValueError) as refused:  # noqa: PT011 - its callers look at the sentence
        call(*arguments, **options)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.fixture(scope="module")
def in_memory() -> Results:
    return simulate(**{**SMALL, "chunk_size": None})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run, which no test changes."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    simulate(**SMALL, out=folder)
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """A complete run that a test may harm."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


def put_line(run: Path, number: int, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Change a line of the manifest, counted from 1, as somebody would who can make the digest of it."""
    lines = (run / MANIFEST).read_bytes().splitlines(keepends=True)
    content = opened(lines[number - 1])
    assert content is not None
    lines[number - 1] = sealed(change(content))
    (run / MANIFEST).write_bytes(b"".join(lines))


# --- the same as in memory -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=VARIED)
def batch(request: pytest.FixtureRequest) -> Results:
    rules, strategies = VARIED[request.param]
    found = simulate(rules, GAMES, 3, strategies, progress=False)
    assert found.games["extra_rounds"].any() or request.param != "extra rounds"
    return found


@pytest.mark.parametrize("chunk_size", [None, 1, 4, 1000])
def test_a_run_has_the_tables_of_memory(batch: Results, tmp_path: Path, chunk_size: int | None) -> None:
    arguments = (batch.rules, GAMES, batch.seed, batch.strategies)
    stored = simulate(*arguments, chunk_size=chunk_size, progress=False, out=tmp_path)
    again = Results.open(tmp_path)
    for each in (stored, again):
        assert_same_tables(each, batch)
        assert (each.complete, each.game_count, each.games_asked) == (True, GAMES, GAMES)
    if chunk_size == 4:
        tables = "players join rounds using (game, round)"
        asked = f"select ended, count(*), sum(points) from {tables} group by ended order by ended"
        pd.testing.assert_frame_equal(again.query(asked), batch.query(asked), check_exact=True)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    """Two processes without a compiler: the same bytes come from plain Python."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("NUMBA_DISABLE_JIT", "1")
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            pool.submit(int).result()
            yield pool


@pytest.mark.parametrize("workers", [1, 2])
def test_threads_change_no_byte(whole: Path, tmp_path: Path, workers: int) -> None:
    simulate(**SMALL, workers=workers, out=tmp_path)
    assert contents(tmp_path) == contents(whole)


def test_executors_change_no_byte(whole: Path, tmp_path: Path, processes: Executor) -> None:
    with ThreadPoolExecutor(3) as pool:
        simulate(**SMALL, executor=pool, out=tmp_path / "threads")
    simulate(**SMALL, executor=processes, out=tmp_path / "processes")
    assert contents(tmp_path / "threads") == contents(tmp_path / "processes") == contents(whole)


def test_a_folder_holds_a_manifest_and_a_file_for_each_chunk_and_table(whole: Path) -> None:
    files = {f"{table}/{chunk:07d}.parquet" for table in TABLES for chunk in range(CHUNKS)}
    assert set(contents(whole)) == files | {MANIFEST}
    lines = (whole / MANIFEST).read_bytes().splitlines(keepends=True)
    plan, *chunks = map(opened, lines)
    assert plan is not None
    assert {name: plan[name] for name in ("format", "version", "seed", "games", "chunk_size")} == {
        "format": FORMAT, "version": __version__, "seed": 6, "games": GAMES, "chunk_size": 3,
    }  # fmt: skip
    for each in chunks:
        assert each is not None
        number = each["first"] // 3
        for table, (size, found) in each["files"].items():
            file = (whole / table / f"{number:07d}.parquet").read_bytes()
            assert (len(file), sha256(file).hexdigest()) == (size, found)
    assert [each and each["first"] for each in chunks] == [0, 3, 6, 9]


def test_every_file_tells_how_it_was_made(whole: Path, in_memory: Results) -> None:
    for file in whole.rglob("*.parquet"):
        assert json.loads(pq.read_schema(file).metadata[b"nambarz_sim"]) == in_memory.provenance
    stored = Results.open(whole)
    assert stored.provenance == in_memory.provenance
    assert stored.query("select count(*) from games").attrs == in_memory.provenance


def test_any_program_reads_the_files(whole: Path, in_memory: Results) -> None:
    found = pd.concat([pd.read_parquet(whole / "players" / f"{chunk:07d}.parquet") for chunk in range(CHUNKS)])
    words = in_memory.players.astype({"strategy": str})
    found["strategy"] = found["strategy"].astype(str)
    pd.testing.assert_frame_equal(found.reset_index(drop=True), words, check_dtype=False, check_exact=True)


def test_names_of_folders_mean_themselves(tmp_path: Path) -> None:
    """DuckDB takes ? and * for any letters: questions would be answered from both."""
    named = {"wh?t": 4, "what": 3, "[a]*": 2, "players=2": 1}
    for name, games in named.items():
        simulate(**{**SMALL, "games": games}, workers=1, out=tmp_path / name)
    for name, games in named.items():
        stored = Results.open(tmp_path / name)
        assert stored.query("select count(*) as games from games")["games"].tolist() == [games]
        assert stored.query("select * from games").columns.tolist() == stored.games.columns.tolist()


# --- it goes on ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stop", [0, 1, 5])
def test_a_run_that_was_stopped_opens_and_goes_on(in_memory: Results, tmp_path: Path, stop: int) -> None:
    """Four chunks wait for one thread, and may be finished when the stop is heard; no more than these are."""
    told: list[tuple[int, int]] = []

    def until(done: int, total: int) -> bool:
        told.append((done, total))
        return done < stop

    run = tmp_path / "run"
    stopped = simulate(**{**SMALL, "chunk_size": 1, "progress": until}, workers=1, out=run)
    assert told == [(done, GAMES) for done in range(stop + 1)]
    for each in (stopped, Results.open(run)):
        assert stop <= each.game_count <= stop + 4
        assert (each.complete, each.games_asked) == (False, GAMES)
        for name in TABLES:
            table = getattr(in_memory, name)
            first = table[table["game"] < each.game_count]
            pd.testing.assert_frame_equal(getattr(each, name), first, check_exact=True)
        assert each.query("select count(*) as games from games")["games"].tolist() == [each.game_count]
    kept = marks(run)
    kept.pop(MANIFEST)
    told.clear()
    resumed = resume(run, progress=lambda *now: told.append(now))
    assert told == [(done, GAMES) for done in range(stopped.game_count, GAMES + 1)]
    assert resumed.complete
    assert kept.items() <= marks(run).items()  # no finished chunk was played again
    simulate(**{**SMALL, "chunk_size": 1}, out=tmp_path / "whole")
    assert contents(run) == contents(tmp_path / "whole")


def test_a_complete_run_is_not_played_again(run: Path) -> None:
    before = marks(run)
    told: list[tuple[int, int]] = []
    for again in (resume(run, progress=lambda *now: told.append(now)), simulate(**SMALL, out=run)):
        assert again.complete
    assert told == [(GAMES, GAMES)]
    assert marks(run) == before


def test_the_same_call_completes_a_run_with_any_way_to_play(whole: Path, tmp_path: Path, processes: Executor) -> None:
    arguments = {**SMALL, "chunk_size": None, "progress": lambda done, _: False}
    simulate(**{**arguments, "chunk_size": 3}, out=tmp_path)
    simulate(**{**arguments, "progress": False}, executor=processes, out=tmp_path)  # the chunks are the folder's
    assert contents(tmp_path) == contents(whole)


@pytest.mark.parametrize("who", [[Pupil(slip=0.25), "year-3:thrifty slip=0.2"], ["planner:20", "random"]], ids=str)
def test_pupils_and_planners_are_found_again_by_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, who: list[Any]
) -> None:
    """Two of each, and nothing is compiled for them."""
    monkeypatch.setattr("nambarz_sim.simulation.batch.is_sooner_plain", lambda _: True)
    monkeypatch.setattr("nambarz_sim.simulation.batch.is_over_soon", lambda *_: True)
    rules = Rules(players=2, hand_size=4)
    simulate(rules, 2, 1, who, chunk_size=1, progress=lambda done, _: done < 1, out=tmp_path)
    assert_same_tables(resume(tmp_path, progress=False), simulate(rules, 2, 1, who, progress=False))


def test_a_deck_of_ones_own_stays_in_the_folder(tmp_path: Path) -> None:
    deck = tmp_path / "my deck.csv"
    shutil.copy(GOLDEN / "twelve_cards.csv", deck)
    rules = Rules(players=2, hand_size=4, deck=str(deck), wildcards=0)
    batch = simulate(rules, 4, 1, progress=False)
    simulate(rules, 4, 1, chunk_size=2, progress=lambda done, _: done < 2, out=tmp_path / "run")
    deck.unlink()
    moved = (tmp_path / "run").rename(tmp_path / "moved")
    (kept,) = moved.glob("deck-*.csv")
    assert kept.name == f"deck-{sha256(kept.read_bytes()).hexdigest()}.csv"
    stored = resume(moved, progress=False)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(stored, name), getattr(batch, name), check_exact=True)
    made = json.loads(pq.read_schema(moved / "games" / "0000001.parquet").metadata[b"nambarz_sim"])
    assert made["rules"]["deck"] == kept.name
    assert stored.rules.the_deck.cards == rules.the_deck.cards
    kept.write_bytes(kept.read_bytes() + b"number,1,,1\n")
    for call in (Results.open, resume):
        assert f"its deck, {kept.name}, is missing or damaged; put it back" in refusal(call, moved)


def test_what_a_run_cannot_have_leaves_no_folder(tmp_path: Path) -> None:
    for chunk_size, games, part in ((1, 100_000, "a folder holds at most"), (MOST_ROWS, 10, "chunk_size")):
        told = refusal(simulate, **SMALL | {"games": games, "chunk_size": chunk_size}, out=tmp_path / "run")
        assert part in told
        assert list(tmp_path.iterdir()) == []


def test_without_the_packages_it_is_told_how_to_install_them(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "duckdb", None)
        query = refusal(Results.open(whole).query, "select 1")
    assert query == "query: duckdb is not installed, which answers SQL; pip install 'nambarz_sim[store]'"
    for module in ("pyarrow.parquet", "filelock"):
        with monkeypatch.context() as patched:
            patched.setitem(sys.modules, module, None)
            told = [refusal(simulate, **SMALL, out=whole), refusal(resume, whole), refusal(Results.open, whole)]
        ends = f"{module} is not installed, which keeps runs in folders; pip install 'nambarz_sim[store]'"
        assert told == [f"{what}: {ends}" for what in ("out", "resume", "open")]


# --- functions of one's own ------------------------------------------------------------------------------------------


def last_play(observation: Any, plays: list[Any]) -> Any:
    return plays[-1] if plays else None


def test_a_function_is_known_by_its_code(tmp_path: Path) -> None:
    arguments: dict[str, Any] = {
        "rules": Rules(players=2, hand_size=3), "games": 2, "strategies": [last_play, "random"], "chunk_size": 1,
    }  # fmt: skip
    stopped = simulate(**arguments, progress=lambda *_: False, out=tmp_path)
    assert (stopped.strategies, stopped.game_count) == (("last_play", "random"), 0)
    before = contents(tmp_path)
    assert refusal(resume, tmp_path) == (
        f"resume: the strategy 'last_play' is a function of yours, which the folder does not hold; call simulate again as "
        f"it was called, with out={str(tmp_path)!r}"
    )

    def changed(observation: Any, plays: list[Any]) -> Any:
        return plays[0] if plays else None

    changed.__name__ = "last_play"
    other = arguments | {"strategies": [changed, "random"], "progress": False}
    assert "holds another run: its strategy 'last_play' had other code; choose another" in refusal(
        simulate, **other, out=tmp_path
    )
    assert contents(tmp_path) == before
    whole = simulate(**arguments, progress=False, out=tmp_path)
    assert_same_tables(whole, simulate(**arguments, progress=False))
    own = json.loads((tmp_path / MANIFEST).read_text().splitlines()[0].rpartition(" ")[0])["own"]
    assert [len(each) for each in own] == [64, 0]


def test_the_longest_names_fit_into_a_manifest(tmp_path: Path) -> None:
    def named(letters: int) -> Callable[..., Any]:
        def choose(observation: Any, plays: list[Any]) -> Any:
            return None

        choose.__name__ = "🃏" * letters
        return choose

    rules = Rules(players=12, decks=2)
    simulate(rules, 1, 1, named(400), progress=lambda *_: False, out=tmp_path / "run")
    assert Results.open(tmp_path / "run").strategies == ("🃏" * 400,) * 12
    told = refusal(simulate, rules, 1, 1, named(401), progress=False, out=tmp_path / "longer")
    assert "is no text that can be printed, of at most 400 letters" in told


def test_an_error_of_a_function_says_what_is_kept_and_how_to_go_on(tmp_path: Path) -> None:
    def tires(observation: Any, plays: list[Any]) -> Any:
        if (tmp_path / "games" / "0000000.parquet").exists():
            raise RuntimeError("tired")
        return plays[0] if plays else None

    with pytest.raises(RuntimeError, match="tired") as stopped:
        simulate(Rules(players=2, hand_size=3), 2, 1, tires, chunk_size=1, progress=False, out=tmp_path)
    assert stopped.value.__notes__ == [f"1 of 2 games are kept in {str(tmp_path)!r}; the same call goes on"]
    assert Results.open(tmp_path).game_count == 1


# --- other runs, other places ----------------------------------------------------------------------------------------

DIFFERENCES: list[tuple[dict[str, Any], str]] = [
    ({"seed": 7}, "its seed is 6 and not 7"),
    ({"games": 12}, "its games is 11 and not 12"),
    ({"chunk_size": 4}, "its chunk_size is 3 and not 4"),
    ({"strategies": "random"}, "its strategies are greedy, greedy, greedy and not random, random, random"),
    ({"rules": Rules(players=3)}, "its rules have rounds 2 and not 1"),
    ({"rules": Rules(players=2, rounds=2)}, "its rules have players 3 and not 2"),
    ({"rules": Rules(players=3, rounds=2, operations="+-")}, "its rules have operations +-*/ and not +-"),
    ({"rules": Rules(players=3, rounds=2, wildcards=0)}, "its rules have wildcards"),
]


@pytest.mark.parametrize(("changes", "difference"), DIFFERENCES, ids=[text for _, text in DIFFERENCES])
def test_another_run_is_not_mixed_in(run: Path, changes: dict[str, Any], difference: str) -> None:
    before = marks(run)
    told = refusal(simulate, **(SMALL | changes), out=run)
    assert told.startswith(f"out: the folder {str(run)!r} holds another run: {difference}")
    assert told.endswith("; choose another folder")
    assert marks(run) == before


def test_another_deck_is_not_mixed_in(tmp_path: Path) -> None:
    deck = tmp_path / "deck.csv"
    deck.write_text(Deck.load("nambarz").to_csv(), encoding="utf-8")
    small = SMALL | {"games": 2}
    simulate(**small, out=tmp_path / "run")
    same = small | {"rules": Rules(players=3, rounds=2, deck=str(deck))}
    assert simulate(**same, out=tmp_path / "run").complete  # it is the cards that count
    more = tmp_path / "more.csv"
    more.write_text(Deck.load("nambarz").to_csv().replace(",bee,2", ",bee,3"), encoding="utf-8")
    other = small | {"rules": Rules(players=3, rounds=2, deck=str(more))}
    before = marks(tmp_path / "run")
    assert f"its deck has other cards than {str(more)!r}" in refusal(simulate, **other, out=tmp_path / "run")
    assert marks(tmp_path / "run") == before


def test_a_run_of_another_version_opens_and_is_not_resumed(run: Path, in_memory: Results) -> None:
    put_line(run, 1, lambda plan: plan | {"version": "0.0.1"})
    before = marks(run)
    older = Results.open(run)
    assert older.version == older.provenance["version"] == "0.0.1"
    assert_same_tables(older, in_memory, but="version")
    assert refusal(resume, run) == (
        f"resume: {str(run)!r} was made by version 0.0.1 and this is {__version__}, which may play otherwise; install that "
        f"version, or simulate into another folder"
    )
    assert f"its version is 0.0.1 and not {__version__}" in refusal(simulate, **SMALL, out=run)
    assert marks(run) == before


def test_a_folder_of_a_later_format_is_refused(run: Path) -> None:
    put_line(run, 1, lambda plan: plan | {"format": FORMAT + 1, "version": "9.0"})
    for call in (Results.open, resume, lambda out: simulate(**SMALL, out=out)):
        assert (
            f"has format {FORMAT + 1}, and this version reads {FORMAT}; open it with the version that made it, '9.0'"
            in (refusal(call, run))
        )


@pytest.mark.parametrize("files", [["notes.txt"], ["games/mine.parquet"], ["games", "x/y"]], ids=str)
def test_a_folder_with_other_things_is_left_as_it_is(tmp_path: Path, files: list[str]) -> None:
    for file in files:
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    told = refusal(simulate, **SMALL, out=tmp_path)
    assert told == f"out: the folder {str(tmp_path)!r} is not empty and holds no run; choose another one"
    assert sorted(tmp_path.rglob("*")) == before
    assert {(tmp_path / file).read_text() for file in files} == {"mine"}


def test_what_is_no_folder_of_a_run_is_refused(tmp_path: Path) -> None:
    file, none = tmp_path / "file", tmp_path / "none"
    file.write_text("mine")
    assert refusal(simulate, **SMALL, out=file) == f"out: {str(file)!r} is a file; name a folder"
    assert f"out: the folder {str(file / 'run')!r} cannot be made" in refusal(simulate, **SMALL, out=file / "run")
    for folder in (file, none, tmp_path):
        assert f"{str(folder)!r} holds no run" in refusal(Results.open, folder)
        assert f"resume: {str(folder)!r} holds no run" in refusal(resume, folder)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]
    assert file.read_text() == "mine"


HOLD = """
import sys
from pathlib import Path
from nambarz_sim.simulation.folder import lock
with lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_writers_are_refused(run: Path) -> None:
    before = marks(run)
    command = [sys.executable, "-c", HOLD, str(run)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        told = [refusal(simulate, **SMALL, out=run), refusal(resume, run)]
        assert Results.open(run).complete  # readers need not wait
        other.kill()
    words = "another process is writing into it; wait until it has finished, or choose another folder"
    assert told == [f"run folder {str(run)!r}: {words}"] * 2
    assert resume(run, progress=False).complete  # the lock went with its process
    assert marks(run) == before


def test_a_call_within_a_call_is_refused_too(tmp_path: Path) -> None:
    told: list[str] = []
    simulate(**{**SMALL, "progress": lambda *_: told.append(refusal(simulate, **SMALL, out=tmp_path))}, out=tmp_path)
    assert len(told) == CHUNKS + 1
    assert all("another process is writing into it" in each for each in told)


def test_a_lock_that_is_a_link_is_not_followed(run: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (run / "lock").unlink(missing_ok=True)
    (run / "lock").symlink_to(tmp_path / "mine")
    assert "cannot be written into" in refusal(resume, run)
    assert (tmp_path / "mine").read_text() == "mine"


# --- damage ----------------------------------------------------------------------------------------------------------


def flip(file: Path, place: int) -> None:
    whole = bytearray(file.read_bytes())
    whole[place] ^= 1
    file.write_bytes(whole)


def link(file: Path) -> None:
    """The very content, elsewhere: what a link leads to may change."""
    file.symlink_to(file.rename(file.parents[2] / file.name))


FILE_DAMAGES: dict[str, Callable[[Path], Any]] = {
    "missing": Path.unlink,
    "empty": lambda file: file.write_bytes(b""),
    "truncated": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "longer": lambda file: file.write_bytes(file.read_bytes() + b"\0"),
    "flipped": lambda file: flip(file, file.stat().st_size // 2),
    "another chunk's": lambda file: shutil.copy(file.with_name("0000000.parquet"), file),
    "linked": link,
}


@pytest.mark.parametrize("damage", FILE_DAMAGES)
@pytest.mark.parametrize("table", TABLES)
def test_a_damaged_file_is_named_and_made_anew(run: Path, whole: Path, table: str, damage: str) -> None:
    file = run / table / "0000001.parquet"
    FILE_DAMAGES[damage](file)
    what = "missing" if damage in ("missing", "linked") else "damaged"
    words = f"games 3 to 5: {Path(table, file.name)} is {what}; `nambarz resume {run}` plays them again"
    assert refusal(Results.open, run) == f"run folder {str(run)!r}, chunk 1: {words}"
    others = {name: mark for name, mark in marks(run).items() if "0000001" not in name and name != MANIFEST}
    assert resume(run, progress=False).complete
    assert contents(run) == contents(whole)
    assert others.items() <= marks(run).items()
    assert not any(each.is_symlink() for each in run.rglob("*"))
    assert Results.open(run).complete


def test_several_damaged_chunks_are_counted(run: Path, whole: Path) -> None:
    shutil.rmtree(run / "rounds")
    flip(run / "games" / "0000003.parquet", 99)
    assert "chunk 0 (4 chunks are so): games 0 to 2: " in refusal(Results.open, run)
    assert Results.open(run, verify=False).game_count == GAMES
    assert "chunk 0: games 0 to 2: " in refusal(Results.open(run, verify=False).summary)
    simulate(**SMALL, out=run)
    assert contents(run) == contents(whole)


def change_lines(change: Callable[[list[bytes]], list[bytes]]) -> Callable[[Path], None]:
    def damage(manifest: Path) -> None:
        manifest.write_bytes(b"".join(change(manifest.read_bytes().splitlines(keepends=True))))

    return damage


def flip_line(number: int, place: int) -> Callable[[list[bytes]], list[bytes]]:
    def change(lines: list[bytes]) -> list[bytes]:
        line = bytearray(lines[number - 1])
        line[place] ^= 1
        return [*lines[: number - 1], bytes(line), *lines[number:]]

    return change


def padded(line: bytes) -> bytes:
    content = opened(line)
    assert content is not None
    return sealed(content | {"more": "x" * 2000})


LINE_DAMAGES: dict[str, tuple[Callable[[Path], None], str]] = {
    "a bit of a line": (change_lines(flip_line(3, 12)), "line 3 of"),
    "a bit of a digest": (change_lines(flip_line(3, -3)), "line 3 of"),
    "the end of a line": (change_lines(flip_line(3, -1)), "line 3 of"),
    "a bit of the last line": (change_lines(flip_line(5, 5)), "line 5 of"),
    "an empty line": (change_lines(lambda lines: [*lines[:2], b"\n", *lines[2:]]), "line 3 of"),
    "two lines": (
        change_lines(lambda lines: [*lines[:2], b"{}\n", b"nothing\n", *lines[4:]]),
        "line 3 (and 1 more) of",
    ),
    "a line too long": (change_lines(lambda lines: [*lines[:2], padded(lines[2]), *lines[3:]]), "line 3 (and "),
    "a torn line in the middle": (change_lines(lambda lines: [*lines[:2], lines[2][:40], *lines[3:]]), "line 3 of"),
}


@pytest.mark.parametrize("damage", LINE_DAMAGES)
def test_a_damaged_line_is_named_and_its_chunk_made_anew(run: Path, whole: Path, damage: str) -> None:
    harm, where = LINE_DAMAGES[damage]
    harm(run / MANIFEST)
    told = refusal(Results.open, run)
    assert where in told
    assert f" of {MANIFEST}, which tells of a chunk, is damaged; `nambarz resume {run}` plays its games again" in told
    kept = {name: mark for name, mark in marks(run).items() if name.endswith(("0000000.parquet", "0000003.parquet"))}
    if "last" not in damage and "torn" not in damage:
        assert kept.items() <= marks(run).items()
    assert resume(run, progress=False).complete
    assert contents(run) == contents(whole)


@pytest.mark.parametrize("left", [1, 40, -1])
def test_a_torn_last_line_is_no_damage(run: Path, whole: Path, left: int) -> None:
    change_lines(lambda lines: [*lines[:-1], lines[-1][:left]])(run / MANIFEST)
    assert Results.open(run).game_count == (GAMES if left == -1 else 9)  # without its end the line still says all
    assert resume(run, progress=False).complete
    assert contents(run) == contents(whole)


def test_a_line_that_stands_twice_counts_once(run: Path, whole: Path) -> None:
    change_lines(lambda lines: [lines[0], *lines[:0:-1], *lines[1:]])(run / MANIFEST)
    stored = Results.open(run)
    assert stored.game_count == len(stored.games) == GAMES
    assert stored.query("select count(*) as games from games")["games"].tolist() == [GAMES]
    assert resume(run, progress=False).complete
    assert contents(run) == contents(whole)


FIRST_LINES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "missing": lambda lines: lines[1:],
    "flipped": flip_line(1, 20),
    "torn": lambda lines: [lines[0][:50]],
    "nothing": lambda lines: [],
    "too long": lambda lines: [lines[0][:-1] + b" " * 2**17 + b"\n", *lines[1:]],
    "not text": lambda lines: [bytes(range(256)), *lines[1:]],
    "nested": lambda lines: [sealed({"a": "["}).replace(b'"["', b"[" * 30_000), *lines[1:]],
}


@pytest.mark.parametrize("change", FIRST_LINES.values(), ids=list(FIRST_LINES))
def test_a_damaged_first_line_is_refused(run: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    change_lines(change)(run / MANIFEST)
    before = marks(run)
    for call in (Results.open, resume, lambda out: simulate(**SMALL, out=out)):
        told = refusal(call, run)
        assert f"run folder {str(run)!r}: " in told
        assert "is damaged; simulate into another folder" in told or "cannot be used" in told or "has format" in told
    assert marks(run) == before


def test_a_manifest_with_too_many_lines_is_refused(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "MOST_CHUNKS", 4)
    change_lines(lambda lines: [*lines, *lines[1:]])(run / MANIFEST)
    assert "has more lines than a run has chunks; simulate into another folder" in refusal(Results.open, run)


# --- folders from others ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [MANIFEST, *TABLES])
def test_links_are_refused(run: Path, whole: Path, name: str) -> None:
    elsewhere = (run / name).rename(run.parent / "elsewhere")
    (run / name).symlink_to(elsewhere)
    (run / "games" / "0000001.parquet").unlink()  # so that there would be something to write
    before = marks(run.parent)
    for call in (Results.open, resume, lambda out: simulate(**SMALL, out=out)):
        assert f"{name} is a link, which may lead elsewhere; put what it leads to there" in refusal(call, run)
    assert marks(run.parent) == before


DECKS: list[Any] = [
    "../deck.csv", "/etc/passwd", "deck.csv", "games/0000000.parquet", f"../deck-{'0' * 64}.csv", f"deck-{'0' * 64}.csv",
    f"deck-{'0' * 64}.csv\n", "", None, 7, ["nambarz"], {"nambarz": 1}, "x" * 10_000, "\x1b[2J",
]  # fmt: skip


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: ascii(deck)[:30])
def test_a_path_in_a_manifest_cannot_leave_its_folder(run: Path, deck: Any) -> None:
    shutil.copy(GOLDEN / "twelve_cards.csv", run.parent / "deck.csv")
    shutil.copy(GOLDEN / "twelve_cards.csv", run / "deck.csv")
    put_line(run, 1, lambda plan: plan | {"rules": plan["rules"] | {"deck": deck}})
    for call in (Results.open, resume):
        told = refusal(call, run)
        assert f"{MANIFEST} cannot be used: " in told
        assert "deck" in told
        assert told.isprintable()
        assert len(told) < len(str(run)) + 300


def test_a_deck_that_is_a_link_is_refused(run: Path) -> None:
    content = (GOLDEN / "twelve_cards.csv").read_bytes()
    name = f"deck-{sha256(content).hexdigest()}.csv"
    (run / name).symlink_to(GOLDEN / "twelve_cards.csv")
    put_line(run, 1, lambda plan: plan | {"rules": plan["rules"] | {"deck": name}})
    assert "is missing or damaged" in refusal(Results.open, run)


PLANS: list[dict[str, Any]] = [
    *({name: value} for name in ("seed", "games", "chunk_size") for value in (-1, 2**70, 1.5, True, "1", None, [1])),
    {"games": 0}, {"chunk_size": 0}, {"games": 2**40}, {"games": 2**40, "chunk_size": 2**24},
    {"chunk_size": MOST_ROWS // 6 + 1}, {"games": MOST_CHUNKS + 1, "chunk_size": 1},
    *({"strategies": value} for value in (None, "greedy", [], ["greedy"] * 4, [1, 2, 3], ["x" * 10_000] * 3, ["\x1b"] * 3)),
    *({"own": value} for value in (None, [], ["", "", "0"], ["", "", 0])),
    *({"version": value} for value in (None, 1, "\n", "x" * 10_000)),
    *({"rules": value} for value in (None, [], "players", {"players": 10**9}, {"rounds": 10**9}, {"decks": 10**9},
                                     {"hand_size": 10**9}, {"colour": "red"}, {"wildcards": {"change-any": 10**9}})),
]  # fmt: skip


@pytest.mark.parametrize("changes", PLANS, ids=lambda changes: str(changes)[:40])
def test_hostile_plans_are_refused(run: Path, changes: dict[str, Any]) -> None:
    def change(plan: dict[str, Any]) -> dict[str, Any]:
        if isinstance(changes.get("rules"), dict):
            return plan | {"rules": plan["rules"] | changes["rules"]}
        return plan | changes

    put_line(run, 1, change)
    for call in (Results.open, resume):
        told = refusal(call, run)
        assert f"run folder {str(run)!r}: {MANIFEST} cannot be used: " in told
        assert told.isprintable()
        assert len(told) < len(str(run)) + 600


@pytest.mark.parametrize("name", ["format", "rules", "strategies", "own", "seed", "games", "chunk_size", "version"])
def test_a_plan_that_lacks_something_is_refused(run: Path, name: str) -> None:
    put_line(run, 1, lambda plan: {each: value for each, value in plan.items() if each != name})
    told = refusal(Results.open, run)
    assert "has format None" in told if name == "format" else f"cannot be used: '{name}' is missing" in told


ROWS: list[tuple[str, Any]] = [
    *((table, value) for table in TABLES for value in (-1, 0, 2**62, 10**30, 1.5, True, "3", None)),
    ("games", 4), ("rounds", 5), ("rounds", 3 * (2 + 10 * 3) + 1), ("players", 3 * (2 + 10 * 3) * 3 + 1),
]  # fmt: skip


@pytest.mark.parametrize(("table", "rows"), ROWS, ids=str)
def test_hostile_row_counts_are_refused(run: Path, whole: Path, table: str, rows: Any) -> None:
    put_line(run, 3, lambda chunk: chunk | {"rows": chunk["rows"] | {table: rows}})
    assert f"line 3 of {MANIFEST}" in refusal(Results.open, run)


def test_a_chunk_cannot_ask_for_more_room_than_a_chunk_may_have(whole: Path) -> None:
    """With as many extra rounds as there might be, the largest chunk would fill any memory."""
    plan = replace(Folder(whole).plan, games=MOST_ROWS // 6, chunk_size=MOST_ROWS // 6)
    digests = {table: [100, "0" * 64] for table in TABLES}
    rows = {"games": plan.games, "rounds": 2 * plan.games, "players": 6 * plan.games}
    assert read_chunk({"first": 0, "rows": rows, "files": digests}, plan).rows == rows
    for table in ("rounds", "players"):
        with pytest.raises(ValueError, match=f"^{table}: 33554433 is not allowed"):
            read_chunk({"first": 0, "rows": rows | {table: 2 * MOST_ROWS + 1}, "files": digests}, plan)


FILES: list[Any] = [
    [0, "0" * 64], [-1, "0" * 64], [2**60, "0" * 64], [1e3, "0" * 64], [100, "0" * 63], [100, "../../etc"], [100, 7], [100],
    [100, "0" * 64, "more"], None, "0" * 64, {"size": 1, "digest": 2},
]  # fmt: skip


@pytest.mark.parametrize("file", FILES, ids=str)
def test_hostile_sizes_and_digests_are_refused(run: Path, file: Any) -> None:
    put_line(run, 3, lambda chunk: chunk | {"files": chunk["files"] | {"rounds": file}})
    assert f"line 3 of {MANIFEST}" in refusal(Results.open, run)


@pytest.mark.parametrize("first", [-3, 1, 12, 2**80, 3.0, "3", None, True])
def test_hostile_places_of_chunks_are_refused(run: Path, first: Any) -> None:
    put_line(run, 3, lambda chunk: chunk | {"first": first})
    assert f"line 3 of {MANIFEST}" in refusal(Results.open, run)


Table = pa.Table
TABLE_CHANGES: dict[str, tuple[str, Callable[[Table], Table], str]] = {
    "more rows": ("games", lambda table: pa.concat_tables([table] * 1000), "it has 3000 rows in place of 3"),
    "fewer rows": ("players", lambda table: table.slice(1), "it has 19 rows in place of 20"),
    "no column": ("rounds", lambda table: table.drop_columns(["dealt_in"]), "dealt_in"),
    "words": ("games", lambda table: put(table, "rounds", "x" * 1000), "column 'rounds' is of type string"),
    "fractions": ("games", lambda table: put(table, "rounds", 2.5), "column 'rounds' is of type double"),
    "lists": ("games", lambda table: put(table, "rounds", [2] * 9), "column 'rounds' is of type list"),
    "gaps": ("games", lambda table: put(table, "rounds", None), "a count is missing"),
    "large": ("games", lambda table: put(table, "rounds", 2**40), "a count is outside 0 to 32767"),
    "negative": ("games", lambda table: put(table, "rounds", -1), "a count is outside 0 to 32767"),
    "other rounds": ("games", lambda table: put(table, "rounds", 1), "its rows do not belong to"),
    "other seats": ("players", lambda table: put(table, "seat", 7), "its rows do not belong to"),
    "other players": ("rounds", lambda table: put(table, "dealt_in", 2), "its rows do not belong to"),
    "extra rounds": ("rounds", lambda table: put(table, "extra_round", True), "its rows do not belong to"),
}


def put(table: Table, name: str, value: Any) -> Table:
    """Another value in a column's first row; in all rows, if it is of another type."""
    others = table.column(name).to_pylist()[1:]
    if value is not None and others and type(value) is not type(others[0]):
        others = [value] * len(others)
    return table.set_column(table.column_names.index(name), name, pa.array([value, *others]))


def put_file(run: Path, table: str, content: bytes) -> None:
    """Put a file in a chunk's place, as somebody would who can make the digest of it."""
    (run / table / "0000001.parquet").write_bytes(content)
    entry = [len(content), sha256(content).hexdigest()]
    put_line(run, 3, lambda chunk: chunk | {"files": chunk["files"] | {table: entry}})


@pytest.mark.parametrize("change", TABLE_CHANGES)
def test_hostile_tables_are_refused_and_made_anew(run: Path, whole: Path, change: str) -> None:
    table, changed, words = TABLE_CHANGES[change]
    file = pa.BufferOutputStream()
    pq.write_table(changed(pq.read_table(run / table / "0000001.parquet")), file)
    put_file(run, table, file.getvalue().to_pybytes())
    told = refusal(Results.open, run)
    assert f"run folder {str(run)!r}, chunk 1: " in told
    assert words in told
    assert f"{Path(table, '0000001.parquet')}" in told
    assert resume(run, progress=False).complete
    assert contents(run) == contents(whole)


@pytest.mark.parametrize("content", [b"PAR1", b"PAR1" * 50, b"nothing"], ids=str)
def test_what_is_no_table_is_refused(run: Path, content: bytes) -> None:
    put_file(run, "rounds", content)
    assert f"{Path('rounds', '0000001.parquet')}" in refusal(Results.open, run)


def test_a_word_that_is_no_ending_is_refused(run: Path) -> None:
    table = pq.read_table(run / "rounds" / "0000001.parquet")
    words = pa.array(["exploded"] * len(table)).dictionary_encode()
    file = pa.BufferOutputStream()
    pq.write_table(table.set_column(table.column_names.index("ended"), "ended", words), file)
    put_file(run, "rounds", file.getvalue().to_pybytes())
    assert "column 'ended' has a word that is no ending" in refusal(lambda: Results.open(run).rounds)


# --- what is left over -----------------------------------------------------------------------------------------------


def test_half_files_are_dropped_and_other_files_stay(run: Path, whole: Path) -> None:
    halves = [run / "games" / "0000002.part", run / "players" / "0000001.part", run / f"{MANIFEST}.part"]
    mine = [run / "games" / "notes.part", run / "notes.txt"]
    for file in (*halves, *mine):
        file.write_text("half")
    (run / "rounds" / "0000003.part").symlink_to(run / "notes.txt")
    assert Results.open(run).complete
    resume(run, progress=False)
    assert not any(file.exists() for file in halves)
    assert all(file.read_text() == "half" for file in mine)
    assert set(contents(run)) - set(contents(whole)) == {"games/notes.part", "notes.txt"}


def test_a_half_file_that_is_a_link_is_not_followed(run: Path, whole: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    folder = Folder(run)
    (run / "games" / "0000001.part").symlink_to(tmp_path / "mine")
    (run / f"{MANIFEST}.part").symlink_to(tmp_path / "mine")
    with lock(run):
        files = {table: folder.file(table, 3).read_bytes() for table in TABLES}
        folder.add(3, folder.chunks[3].rows, files)
        folder.tidy()
    assert (tmp_path / "mine").read_text() == "mine"
    assert contents(run) == contents(whole)


# --- a run that is kept ----------------------------------------------------------------------------------------------

KEPT_ARGUMENTS: dict[str, Any] = {
    "rules": Rules(players=2, rounds=2, play_off="all"), "games": 20, "seed": 5, "strategies": ["greedy", "random"],
    "chunk_size": 10, "progress": False,
}  # fmt: skip
KEPT_DIGEST = "a8137d7693c7811aa6eb7a8a377dab597466b51f95c03cba2088e040948af67a"


def test_a_run_that_was_kept_still_opens() -> None:
    """Runs of version 0.1.0 open in all later ones, so `stored_run` is not made anew where a version changes results.

    ``python tests/test_runs.py tests/stored_run`` made it.
    """
    before = marks(KEPT)
    stored = Results.open(KEPT)
    assert (stored.version, stored.seed, stored.strategies) == ("0.1.0", 5, ("greedy", "random"))
    assert (stored.game_count, stored.complete, len(list(stored.parts()))) == (20, True, 2)
    assert stored.rules == KEPT_ARGUMENTS["rules"]
    assert stored.games["extra_rounds"].any()
    assert digest(stored) == KEPT_DIGEST
    assert stored.query("select sum(points) as points from players")["points"].tolist() == [
        stored.players["points"].sum()
    ]
    assert np.isfinite(stored.summary()["value"]).any()
    assert marks(KEPT) == before


if __name__ == "__main__":
    print(digest(simulate(**KEPT_ARGUMENTS, out=sys.argv[1])))
    Path(sys.argv[1], "lock").unlink()
