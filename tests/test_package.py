"""The wheel: what is in it, and that it works away from the source tree."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from nambarz_sim import __version__

SOURCE = Path(__file__).parent.parent
DATA = sorted(
    path.relative_to(SOURCE).as_posix() for kind in ("decks", "presets") for path in SOURCE.glob(f"data/{kind}/*")
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of the source tree, built with the installed backend or, without one, in an environment of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(SOURCE)]
    if find_spec("hatchling"):
        command.insert(4, "--no-isolation")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def site(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel unpacked, as an installation has it."""
    folder = tmp_path_factory.mktemp("site")
    wheel.extractall(folder)
    return folder


def run_from(site: Path, elsewhere: Path, script: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(site), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(
        command, cwd=elsewhere, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_decks_and_presets_to_ship() -> None:
    assert "data/decks/nambarz.csv" in DATA
    assert "data/presets/beginner.toml" in DATA


@pytest.mark.parametrize("name", DATA)
def test_decks_and_presets_are_in_the_wheel_as_they_are(wheel: zipfile.ZipFile, name: str) -> None:
    assert wheel.read(f"nambarz_sim/{name}") == (SOURCE / name).read_bytes()


def test_every_module_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    modules = {path.relative_to(SOURCE).as_posix() for path in (SOURCE / "nambarz_sim").rglob("*.py")}
    assert modules <= set(wheel.namelist())
    assert "nambarz_sim/py.typed" in wheel.namelist()


def test_lessons_and_front_ends_are_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    names = set(wheel.namelist())
    lessons = {f"nambarz_sim/notebooks/{path.name}" for path in (SOURCE / "notebooks").glob("*.ipynb")}
    front = {path for kind in ("css", "js", "html", "j2", "po") for path in (SOURCE / "nambarz_sim").rglob(f"*.{kind}")}
    assert len(lessons) == 13
    assert names >= lessons | {path.relative_to(SOURCE).as_posix() for path in front}


def test_nothing_else_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    folders = {name.split("/")[0] for name in wheel.namelist()}
    assert {folder.removesuffix(".dist-info") for folder in folders} == {"nambarz_sim", f"nambarz_sim-{__version__}"}
    assert not [
        name
        for name in wheel.namelist()
        if "__pycache__" in name or "checkpoint" in name or name.endswith((".nbi", ".nbc", ".pyc"))
    ]


def test_the_wheel_brings_the_command_and_the_licence(wheel: zipfile.ZipFile) -> None:
    texts = {Path(name).name: wheel.read(name).decode() for name in wheel.namelist() if ".dist-info/" in name}
    assert "nambarz = nambarz_sim.cli:main" in texts["entry_points.txt"]
    assert "MIT" in texts["LICENSE"]


def test_an_installed_package_finds_its_decks_and_presets(site: Path, tmp_path: Path) -> None:
    script = """
import nambarz_sim
from nambarz_sim import Deck, Rules
from nambarz_sim.cards import data_folder
print(nambarz_sim.__file__)
print(data_folder())
print(*Deck.names())
print(*Rules.presets())
print(*(sum(Deck.load(name).copies) for name in Deck.names()))
print(*(sum(Rules.preset(name).wildcards) for name in Rules.presets()))
"""
    home, data, decks, presets, sizes, wildcards = run_from(site, tmp_path, script).splitlines()
    assert Path(home).is_relative_to(site)
    assert Path(data) == site / "nambarz_sim" / "data"
    assert decks.split() == [Path(name).stem for name in DATA if name.startswith("data/decks/")]
    assert presets.split() == [Path(name).stem for name in DATA if name.startswith("data/presets/")]
    assert dict(zip(decks.split(), sizes.split(), strict=True))["nambarz"] == "92"
    assert dict(zip(presets.split(), wildcards.split(), strict=True))["top-level"] == "4"


def test_an_installed_package_plays(site: Path, tmp_path: Path) -> None:
    script = """
from nambarz_sim import Rules, simulate
results = simulate(Rules.preset("experienced", players=2), games=2, seed=1, workers=1, progress=False)
print(results.games.to_csv(index=False))
"""
    here = run_from(SOURCE, tmp_path, script)
    assert run_from(site, tmp_path, script) == here
    assert len(here.splitlines()) == 4
