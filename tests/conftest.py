"""What the whole suite needs."""

from __future__ import annotations

from pathlib import Path

import pytest

import nambarz_sim

# Python files are looked through for examples; two of one name could not be.
collect_ignore = ["conftest.py", "browser/conftest.py"]


def pytest_configure(config: pytest.Config) -> None:
    """Drop the tables of calculations that earlier processes kept, so that the suite works them out."""
    if not hasattr(config, "workerinput"):
        for kept in Path(nambarz_sim.__file__).parent.rglob("minimal-*.json"):
            kept.unlink(missing_ok=True)
