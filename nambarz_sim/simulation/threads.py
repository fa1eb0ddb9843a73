"""The threads of a call, and what stands in for them where there are none."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any


def threads(workers: int) -> Executor:
    """Threads for a call; `ThisThread` where none can be started, as in a browser's Python."""
    pool = ThreadPoolExecutor(workers, "nambarz")
    try:
        pool.submit(int)  # it starts the first
    except RuntimeError:
        return ThisThread()
    return pool


class ThisThread(Executor):
    """Does at once what it is given."""

    def submit(self, call: Callable[..., Any], /, *arguments: Any, **options: Any) -> Future[Any]:
        """What the call returns, in a future that is done; what it raises is raised here."""
        done: Future[Any] = Future()
        done.set_result(call(*arguments, **options))
        return done
