"""Option `--dask`: the workers of a Dask cluster as the executor of a batch."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib.metadata import version

from nambarz_sim._version import __version__
from nambarz_sim.languages import _

ADDRESS_HELP = "Play on the Dask cluster with this scheduler, such as tcp://192.168.1.5:8786, instead of on threads."
SECONDS = 10.0
"""So long a cluster may take to answer."""
INSTALL = 'python -m pip install "dask[distributed]"'


@contextmanager
def players(dask: str | None, workers: int | None) -> Iterator[tuple[Executor | None, int | None]]:
    """Who plays a command's games, an executor or None for threads, and how many of them there are.

    Raises
    ------
    ValueError
        If both are given, and as `cluster_of`.
    """
    if dask is None:
        yield None, workers
    elif workers is not None:
        raise ValueError(f"workers: {workers} is about threads of this machine; leave it out with --dask")
    else:
        with cluster_of(dask) as (executor, threads):
            yield executor, threads


@contextmanager
def cluster_of(address: str) -> Iterator[tuple[Executor, int | None]]:
    """The workers of the cluster whose scheduler has this address, and how many chunks they play at once.

    Raises
    ------
    ValueError
        If Dask is not installed, no scheduler answers there, or a worker has another version of the package.
    concurrent.futures.BrokenExecutor
        If the workers die of a chunk again and again, or the cluster is lost meanwhile.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise ValueError(f"dask: it is not installed; install it with: {INSTALL}") from None
    logging.disable(logging.ERROR)  # what a person at the terminal should know is said below
    try:
        _verify_scheduler(address)
        with Client(address, timeout=SECONDS, set_as_default=False) as client:
            _verify_workers(client.run(version, "nambarz_sim", on_error="return"))
            threads = sum(client.nthreads().values())
            if not threads:
                note = _("the cluster has no workers yet and is waited for; start one with: dask worker {address}")
                print(f"nambarz: {note.format(address=address)}", file=sys.stderr)
            try:
                yield client.get_executor(), threads or None
            except KilledWorker as error:
                given_up = (
                    f"dask: a chunk of games was given up, since every worker that began it died, at last "
                    f"{error.last_worker.address}; see that worker's log, perhaps its memory was too small"
                )
                raise _broken(given_up, error) from None
            except Exception as error:
                if client.status == "running" and not isinstance(error, BrokenExecutor):
                    raise
                lost = f"dask: the cluster at {address!r} was lost before all games were played; start both again"
                raise _broken(lost, error) from None
    finally:
        logging.disable(logging.NOTSET)


def _broken(message: str, error: Exception) -> BrokenExecutor:
    """What ends the command, with the notes on the games that are kept."""
    broken = BrokenExecutor(message)
    for note in getattr(error, "__notes__", ()):
        broken.add_note(note)
    return broken


def _verify_scheduler(address: str) -> None:
    """Refuse an address where no scheduler answers; a `Client` would not give up where something else listens."""
    from distributed import Security, rpc

    async def ask() -> str:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
            return str((await scheduler.identity())["type"])

    try:
        with ThreadPoolExecutor(1) as thread:  # the caller's own thread may run an event loop, as a notebook's does
            found = thread.submit(lambda: asyncio.run(asyncio.wait_for(ask(), SECONDS))).result()
    except (OSError, TimeoutError):
        found = "nothing"
    except Exception as error:  # no address at all, or one of a kind that must be configured first
        raise ValueError(
            f"dask: {address!r} is no address of a cluster ({error}); give the one that `dask scheduler` prints, such as "
            f"tcp://192.168.1.5:8786"
        ) from None
    if found != "Scheduler":
        raise ValueError(
            f"dask: no scheduler answers at {address!r} within {SECONDS:.0f} seconds; start one with `dask scheduler`, "
            f"and give the address that it prints"
        )


def _verify_workers(versions: dict[str, str | Exception]) -> None:
    """Refuse workers that would play other games or none."""
    for worker, found in versions.items():
        if found != __version__:
            theirs = f"nambarz_sim {found}" if isinstance(found, str) else "no nambarz_sim"
            raise ValueError(
                f"dask: the worker {worker} has {theirs}, here it is {__version__}; install this version on every worker"
            )
