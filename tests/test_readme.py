"""The README's Python blocks run, and its output is the one that the command gives."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_blocks_to_run() -> None:
    assert len(BLOCKS) >= 4


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.strip().splitlines()[-1][:30])
@pytest.mark.slow
def test_block_runs(block: str, tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_output_is_the_commands() -> None:
    shown = re.search(r"```text\n(.*?)```", README, flags=re.DOTALL)
    assert shown is not None
    words = ["simulate", "--games", "100000", "--seed", "1"]
    told = subprocess.run([sys.executable, "-m", "nambarz_sim", *words], capture_output=True, text=True, timeout=600)
    assert told.stdout == shown[1]
