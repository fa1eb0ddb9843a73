"""What the whole suite needs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import nambarz_sim
from nambarz_sim.simulation import batch

# Python files are looked through for examples; two of one name could not be.
collect_ignore = ["conftest.py", "browser/conftest.py"]


KERNEL_TESTS = {
    "test_attempts", "test_batches", "test_digests", "test_engine", "test_golden", "test_kernels", "test_planner",
    "test_plays", "test_pupils", "test_rng", "test_session", "test_strategies", "test_table", "test_watch",
}  # fmt: skip
"""The files that the run without compiled code repeats: what the others hold is not compiled in either run."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever has nothing to do with kernels need not run without compiled code, too."""
    for item in items:
        if item.path.stem not in KERNEL_TESTS and item.path.name != "kernel.py":
            item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def always_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of the compiled run are compiled, also small ones that plain Python would finish sooner in a new clone."""
    monkeypatch.setattr(batch, "PLAIN_SEATS", 0)


def pytest_configure(config: pytest.Config) -> None:
    """Speak English, and drop the tables of calculations that earlier processes kept, so that the suite works them out."""
    os.environ.pop("NAMBARZ_LANG", None)
    os.environ["LC_ALL"] = "C.UTF-8"  # a system in no language in particular
    if not hasattr(config, "workerinput"):
        for kept in Path(nambarz_sim.__file__).parent.rglob("minimal-*.json"):
            kept.unlink(missing_ok=True)
