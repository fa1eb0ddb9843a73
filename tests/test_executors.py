"""More machines: the same games on threads, processes and a Dask cluster, also where workers die; `--dask`; notebooks."""

from __future__ import annotations

import inspect
import os
import pickle
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import nbformat
import pytest
from distributed import Client, LocalCluster
from distributed.diagnostics.plugin import SchedulerPlugin
from nbclient import NotebookClient

from nambarz_sim import Results, Rules, cli, simulate
from nambarz_sim.cli import cluster as cli_cluster
from nambarz_sim.cli.cluster import cluster_of
from nambarz_sim.simulation import batch

pytestmark = pytest.mark.xdist_group("executors")  # the tests share one cluster, which takes some seconds to start

GAMES = 150
VARIED = Rules(players=4, rounds=2, play_off="all")
MIXED = ("greedy", "random", "master", "thrifty")
CHUNK_SIZES = [None, 7, 1000]
LOOPBACK = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}


def digest(results: Results) -> str:
    """One text for all that the three tables hold."""
    tables = (results.games, results.rounds, results.players)
    return sha256("".join(table.to_csv() for table in tables).encode()).hexdigest()


def play(games: int = GAMES, **arguments: object) -> Results:
    return simulate(**{"rules": VARIED, "games": games, "seed": 5, "strategies": MIXED, "progress": False} | arguments)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def reference() -> str:
    """The digest of one thread, compiled: whoever asks for it finds the machine code on disk."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(batch, "PLAIN_SEATS", 0)
        return digest(play(workers=1))


@pytest.fixture(scope="module")
def cluster(reference: str) -> Iterator[LocalCluster]:
    with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, **LOOPBACK) as local:
        yield local


@pytest.fixture(scope="module")
def client(cluster: LocalCluster) -> Iterator[Client]:
    with Client(cluster, set_as_default=False) as connected:
        yield connected


# --- the same games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chunk_size", CHUNK_SIZES)
def test_threads_and_chunks_change_nothing(reference: str, chunk_size: int | None) -> None:
    assert digest(play(chunk_size=chunk_size)) == reference
    with ThreadPoolExecutor(3) as threads:
        assert digest(play(executor=threads, chunk_size=chunk_size)) == reference


@pytest.mark.parametrize("chunk_size", CHUNK_SIZES)
def test_a_cluster_and_chunks_change_nothing(reference: str, client: Client, chunk_size: int | None) -> None:
    assert digest(play(executor=client.get_executor(), chunk_size=chunk_size)) == reference


def test_functions_of_a_notebook_travel_to_a_cluster(client: Client) -> None:
    def last_play(observation: object, plays: list[object]) -> object:
        return plays[-1] if plays else None

    own = {"rules": Rules(players=2), "games": 1, "strategies": last_play}
    assert digest(play(**own, executor=client.get_executor())) == digest(play(**own))


def test_a_stopped_batch_can_be_played_again(reference: str, client: Client) -> None:
    for _ in range(2):
        stopped = play(executor=client.get_executor(), chunk_size=10, progress=lambda done, _games: done < 30)
        assert len(stopped.games) < GAMES
        assert digest(play(executor=client.get_executor(), chunk_size=10)) == reference


def test_a_batch_shares_no_chunk_with_an_earlier_one() -> None:
    """A cluster takes equal calls for one task; one that an earlier batch has taken back would never be played."""
    submitted: list[bytes] = []

    class Notes(ThreadPoolExecutor):
        def submit(self, function, /, *arguments, **_):  # type: ignore[no-untyped-def]
            submitted.append(pickle.dumps((function, arguments)))
            return super().submit(function, *arguments)

    with Notes(1) as pool:
        for _ in range(2):
            play(games=4, chunk_size=1, executor=pool)
    assert len(set(submitted)) == 8


@pytest.mark.parametrize(
    ("strategies", "largest"), [("greedy", batch.SENT_GAMES_PER_CHUNK), ("planner", batch.PLANNED_GAMES_PER_CHUNK)]
)
def test_a_chunk_that_is_sent_is_worth_its_way(monkeypatch: pytest.MonkeyPatch, strategies: str, largest: int) -> None:
    sizes: list[int] = []

    def play_chunk(*arguments: object) -> None:
        sizes.append(arguments[4])  # type: ignore[arg-type]
        raise InterruptedError

    monkeypatch.setattr(batch, "play_chunk", play_chunk)
    with ThreadPoolExecutor(1) as pool, pytest.raises(InterruptedError):
        play(games=1_000_000, strategies=strategies, executor=pool, workers=2)
    assert set(sizes) == {largest}


# --- a pool from a notebook's cell -----------------------------------------------------------------------------------

CELL = f"""
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from nambarz_sim import Results, Rules, simulate

{inspect.getsource(digest)}
batch = dict(rules=Rules(players=4, rounds=2, play_off="all"), games={GAMES}, seed=5, strategies={MIXED}, progress=False)
pool = ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn"))
for chunk_size in {CHUNK_SIZES}:
    print(digest(simulate(**batch, executor=pool, chunk_size=chunk_size)))
"""
CELL_WITH_FUNCTION = """
def first_play(observation, plays):
    return plays[0] if plays else None

try:
    simulate(games=2, strategies=first_play, executor=pool, progress=False)
except RuntimeError as error:
    print(error)
pool.shutdown()
"""


def test_a_notebook_plays_on_processes(reference: str) -> None:
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(CELL), nbformat.v4.new_code_cell(CELL_WITH_FUNCTION)]
    )
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    printed = [
        "".join(output["text"] for output in cell.outputs if output.get("name") == "stdout") for cell in notebook.cells
    ]
    assert printed == [f"{reference}\n" * len(CHUNK_SIZES), f"{batch.BROKEN}\n"]


# --- the command -----------------------------------------------------------------------------------------------------


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    """The status of a command in this process."""
    monkeypatch.setattr(sys, "argv", ["nambarz", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.mark.parametrize("words", [["--games", "60", "--table", "players", "--csv"], ["--half-width", "1"]])
def test_the_command_prints_the_same(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert command(monkeypatch, "simulate", *words) == 0
    here = capsys.readouterr()
    assert command(monkeypatch, "simulate", *words, "--dask", cluster.scheduler_address) == 0
    assert capsys.readouterr() == here


@pytest.fixture
def empty() -> Iterator[LocalCluster]:
    """A scheduler without workers, in this process."""
    with LocalCluster(n_workers=0, processes=False, protocol="tcp", **LOOPBACK) as local:
        yield local


def test_a_cluster_without_workers_is_waited_for(empty: LocalCluster, capsys: pytest.CaptureFixture[str]) -> None:
    with cluster_of(empty.scheduler_address) as (executor, workers):
        assert workers is None
        empty.scale(1)
        assert executor.submit(int, "3").result() == 3
    start = f"start one with: dask worker {empty.scheduler_address}"
    assert capsys.readouterr() == ("", f"nambarz: the cluster has no workers yet and is waited for; {start}\n")


def test_a_command_whose_cluster_is_lost_can_be_resumed_on_another(
    empty: LocalCluster,
    cluster: LocalCluster,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    closing = threading.Timer(0.2, empty.close)
    executor = Client.get_executor

    def closes_soon(client: Client) -> object:
        closing.start()
        return executor(client)

    words = ["--games", "60", "--table", "players", "--csv"]
    with monkeypatch.context() as patched:
        patched.setattr(Client, "get_executor", closes_soon)
        assert command(patched, "simulate", *words, "--out", str(tmp_path), "--dask", empty.scheduler_address) == 1
    closing.join()
    last = capsys.readouterr().err.splitlines()[-1]
    assert f"{empty.scheduler_address!r} was lost before all games were played; start both again" in last
    assert last.endswith(f"; 0 of 60 games are kept in {str(tmp_path)!r}; `nambarz resume {tmp_path}` goes on")
    assert command(monkeypatch, "resume", str(tmp_path), *words[2:], "--dask", cluster.scheduler_address) == 0
    resumed = capsys.readouterr()
    assert command(monkeypatch, "simulate", *words) == 0
    assert capsys.readouterr() == resumed


def test_an_error_of_a_game_is_told_as_it_is(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play_chunk(*arguments: object) -> None:
        raise OverflowError("turn_limit: a count is too large")

    monkeypatch.setattr(batch, "play_chunk", play_chunk)
    line = refused(monkeypatch, capsys, "--dask", cluster.scheduler_address)
    assert line == "nambarz: turn_limit: a count is too large\n"


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a refused command prints."""
    assert command(monkeypatch, "simulate", "--games", "1", *words) == 2
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("nambarz: ")
    assert errors.count("\n") == 1
    return errors


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--dask", ""], ["dask: '' is no address of a cluster", "tcp://192.168.1.5:8786"]),
        (["--dask", "scheduler"], ["'scheduler' is no address", "missing port", "`dask scheduler` prints"]),
        (["--dask", "abc://127.0.0.1:8786"], ["'abc://127.0.0.1:8786' is no address", "'tcp'"]),
        (["--dask", "127.0.0.1:1", "--workers", "3"], ["workers: 3", "leave it out with --dask"]),
        (["--dask", "127.0.0.1:1"], ["no scheduler answers at '127.0.0.1:1'", "`dask scheduler`"]),
    ],
)
def test_wrong_addresses_get_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], parts: list[str]
) -> None:
    monkeypatch.setattr(cli_cluster, "SECONDS", 1.0)
    line = refused(monkeypatch, capsys, *words)
    for part in parts:
        assert part in line


def test_whatever_else_listens_there_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli_cluster, "SECONDS", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        assert f"no scheduler answers at '{address}'" in refused(monkeypatch, capsys, "--dask", address)


def test_the_address_of_a_worker_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = next(iter(client.nthreads()))
    assert f"no scheduler answers at '{worker}'" in refused(monkeypatch, capsys, "--dask", worker)


def test_without_dask_the_way_to_install_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    line = refused(monkeypatch, capsys, "--dask", "127.0.0.1:1")
    assert line == 'nambarz: dask: it is not installed; install it with: python -m pip install "dask[distributed]"\n'


@pytest.mark.parametrize(("found", "told"), [("0.0.9", "nambarz_sim 0.0.9"), (ImportError("none"), "no nambarz_sim")])
def test_workers_with_another_version_are_refused(
    cluster: LocalCluster,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    found: str | Exception,
    told: str,
) -> None:
    monkeypatch.setattr(Client, "run", lambda *_, **__: {"tcp://10.0.0.7:40000": found})
    line = refused(monkeypatch, capsys, "--dask", cluster.scheduler_address)
    assert f"the worker tcp://10.0.0.7:40000 has {told}, here it is " in line
    assert "install this version on every worker" in line


# --- workers that die: the last tests, since those that follow them start anew ------------------------------------------


class Begun(SchedulerPlugin):
    """Notes how often a worker was given each chunk."""

    def __init__(self) -> None:
        self.times: dict[object, int] = {}

    def transition(self, key: object, start: str, finish: str, *_: object, **__: object) -> None:
        if finish == "processing":
            self.times[key] = self.times.get(key, 0) + 1


def test_a_killed_worker_changes_nothing(
    reference: str, cluster: LocalCluster, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play_chunk(*arguments: object) -> object:
        from time import sleep

        from nambarz_sim.simulation.batch import play_chunk as play

        sleep(0.1)  # so that both workers have chunks when one of them dies
        return play(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(batch, "play_chunk", play_chunk)
    begun = Begun()
    cluster.scheduler.add_plugin(begun, name="begun")
    address, process = client.run(os.getpid).popitem()

    def kill(done: int, _games: int) -> None:
        if done == 10:
            os.kill(process, signal.SIGKILL)

    assert digest(play(executor=client.get_executor(), chunk_size=10, progress=kill)) == reference
    cluster.scheduler.remove_plugin("begun")
    assert len(begun.times) == GAMES // 10
    assert max(begun.times.values()) > 1, "no chunk was played again"
    assert address not in client.nthreads()


def test_a_chunk_that_kills_its_workers_ends_the_command(
    cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play_chunk(*arguments: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(batch, "play_chunk", play_chunk)
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", 0)
    assert command(monkeypatch, "simulate", "--games", "1", "--dask", cluster.scheduler_address) == 1
    out, errors = capsys.readouterr()
    assert out == ""
    assert errors.startswith("nambarz: dask: a chunk of games was given up, since every worker that began it died")
    assert errors.count("\n") == 1
