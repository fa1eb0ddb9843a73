"""Machine code on disk: damaged, outdated or impossible to keep, it costs time and nothing else; without Numba, too."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numba
import pytest

import nambarz_sim
from nambarz_sim import Rules, _machine_code, _numba, _rng, simulate
from nambarz_sim._machine_code import read, write
from nambarz_sim._numba import is_ready

PACKAGE = Path(nambarz_sim.__file__).parent

# --- damaged files ---------------------------------------------------------------------------------------------------

KERNELS = """
from nambarz_sim import kernel

@kernel()
def double(number):
    return 2 * number

@kernel()
def treble(number):
    return 3 * number
"""


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for machine code, and a module with two kernels beside it."""
    (tmp_path / "multiples.py").write_text(KERNELS, encoding="utf-8")
    folder = tmp_path / "code"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(folder))
    monkeypatch.setattr(_numba, "_NOT_KEPT", [])
    # What others have compiled is loaded by the name of its module, which this process must find, too.
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "multiples", raising=False)
    return folder


def kernels(code: Path, name: str = "multiples") -> Any:
    """The module, loaded anew."""
    return module_of(code.parent / "multiples.py", name)


def module_of(file: Path, name: str) -> Any:
    spec = spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def doubled(code: Path) -> bool:
    """Double 21 as a new process would; whether the machine code for that was loaded."""
    form = _numba.compiled(kernels(code).double)
    assert form(21) == 42
    assert form.signatures  # it was run as machine code
    return bool(sum(form.stats.cache_hits.values()))


def file_of(code: Path, name: str = "double") -> Path:
    (file,) = code.rglob(f"multiples.{name}-*")
    return file


def flip(place: int) -> Callable[[bytes], bytes]:
    def flipped(whole: bytes) -> bytes:
        changed = bytearray(whole)
        changed[place] ^= 1
        return bytes(changed)

    return flipped


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut in the seal": lambda whole: whole[:20],
    "cut in the code": lambda whole: whole[: len(whole) // 2],
    "too long": lambda whole: whole + b"\0",
    "other bytes": lambda whole: bytes(range(256)) * (len(whole) // 256),
    "a bit of the seal": flip(3),
    "a bit of the code": flip(-1000),
    "the last bit": flip(-1),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_damaged_file_is_compiled_anew_and_replaced(code: Path, damage: Callable[[bytes], bytes]) -> None:
    assert not doubled(code)
    assert doubled(code)
    file = file_of(code)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert read(file) is None
    assert not doubled(code)
    assert read(file) is not None
    assert doubled(code)


def test_no_bit_can_be_flipped_unseen(tmp_path: Path) -> None:
    file = tmp_path / "step-1.py311.nbc"
    write(file, b"some machine code")
    whole = file.read_bytes()
    assert read(file) == b"some machine code"
    for place in range(len(whole)):
        file.write_bytes(flip(place)(whole))
        assert read(file) is None


def test_the_code_of_another_kernel_is_not_run(code: Path) -> None:
    """Both take a whole number, so it would run, and double 21 to 63."""
    assert _numba.compiled(kernels(code).treble)(21) == 63
    assert not doubled(code)
    shutil.copyfile(file_of(code, "treble"), file_of(code))
    assert not doubled(code)
    assert doubled(code)


@pytest.mark.parametrize("kept", [b"not what pickle writes", b"N."], ids=["unreadable", "something else"])
def test_a_whole_file_of_something_else_is_compiled_anew(code: Path, kept: bytes) -> None:
    doubled(code)
    write(file_of(code), kept)
    assert not doubled(code)
    assert doubled(code)


def test_the_code_of_another_numba_is_not_run(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as other:
        other.setattr(numba, "__version__", "0.1")
        doubled(code)
        assert doubled(code)
    assert not doubled(code)
    assert doubled(code)


def test_each_form_has_its_file(code: Path) -> None:
    double = _numba.compiled(kernels(code).double)
    assert (double(21), double(2.5)) == (42, 5.0)
    assert len(list(code.rglob("multiples.double-*"))) == 2
    again = _numba.compiled(kernels(code).double)
    assert (again(2.5), again(21)) == (5.0, 42)
    assert sum(again.stats.cache_hits.values()) == 2


def test_numba_can_be_asked_to_compile_anew(code: Path) -> None:
    form = _numba.compiled(kernels(code).double)
    form(21)
    file_of(code).write_bytes(b"")
    form.recompile()
    assert form(21) == 42
    assert doubled(code)


def test_a_kernel_is_ready_when_its_file_is_whole(code: Path) -> None:
    assert not is_ready(kernels(code).double)
    doubled(code)
    assert is_ready(kernels(code).double)
    assert not is_ready(kernels(code).treble)
    file_of(code).write_bytes(b"")
    assert not is_ready(kernels(code).double)


def test_the_code_of_other_sources_is_dropped(code: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as older:
        older.setattr(_machine_code, "_EDITION", "of older sources")
        doubled(code)
    (older_file,) = code.rglob("multiples.double-*")
    numbas_own = older_file.with_name("multiples.double-5.py" + "".join(map(str, sys.version_info[:2])) + ".nbi")
    numbas_own.touch()
    another = older_file.with_name(older_file.name.replace("double", "double_all"))
    another.touch()
    assert not is_ready(kernels(code).double)
    assert not doubled(code)
    assert doubled(code)
    assert "older" not in file_of(code).name
    assert not numbas_own.exists()
    assert another.exists()


# --- no place to keep it ---------------------------------------------------------------------------------------------


@pytest.fixture
def said() -> Iterator[list[warnings.WarningMessage]]:
    """The warnings of a test."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield said


def test_without_any_folder_that_can_be_written_kernels_are_compiled(
    code: Path, monkeypatch: pytest.MonkeyPatch, said: list[warnings.WarningMessage]
) -> None:
    """Files stand where each folder would be: permissions do not bind every user."""
    for place in (code, code.parent / "__pycache__"):
        place.write_text("a file", encoding="utf-8")
    for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE"):
        monkeypatch.setenv(name, str(code / "home"))
    module = kernels(code, "nambarz_sim.multiples")
    assert [_numba.compiled(each)(21) for each in (module.double, module.treble)] == [42, 63]
    assert_said_once(said, "cannot cache function 'double'")
    assert not is_ready(module.treble)


def test_a_folder_that_goes_away_stops_nothing(code: Path, said: list[warnings.WarningMessage]) -> None:
    module = kernels(code)
    forms = [_numba.compiled(module.double), _numba.compiled(module.treble)]
    shutil.rmtree(code)
    code.write_text("a file where the folder was", encoding="utf-8")
    assert [form(21) for form in forms] == [42, 63]
    assert_said_once(said, str(code))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows no limit for the size of files")
def test_a_full_disk_stops_nothing(code: Path, said: list[warnings.WarningMessage]) -> None:
    import resource

    module = kernels(code)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        assert [_numba.compiled(each)(21) for each in (module.double, module.treble)] == [42, 63]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert_said_once(said, "File too large")
    assert not [path for path in code.rglob("*") if path.is_file()]
    assert not doubled(code)


def assert_said_once(said: list[warnings.WarningMessage], problem: str) -> None:
    (text,) = (str(warning.message) for warning in said)
    assert text.startswith("Machine code cannot be kept, so every process compiles anew, for half a minute")
    assert problem in text


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "step.nbc").mkdir()  # nothing can be moved there
    with pytest.raises(OSError, match=r"step\.nbc"):
        write(tmp_path / "step.nbc", b"code")
    assert [path.name for path in tmp_path.iterdir()] == ["step.nbc"]


# --- other sources, other processes ----------------------------------------------------------------------------------

DRAW = """
from nambarz_sim import _rng
from nambarz_sim._numba import compiled

stream = _rng.new_stream()
_rng.start_stream(stream, 7, 1, 2, 3)
draw = compiled(_rng.random_below)
print([int(draw(stream, 1000)) for _ in range(20)], bool(draw.signatures), sum(draw.stats.cache_hits.values()))
"""


def drawn(rng: Any = _rng) -> str:
    """What `DRAW` prints first, by plain Python."""
    stream = rng.new_stream()
    rng.start_stream(stream, 7, 1, 2, 3)
    return str([int(rng.random_below(stream, 1000)) for _ in range(20)])


def environment(**more: object) -> dict[str, str]:
    """That of a process that runs a copy of the package, whose coverage is not measured."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    return kept | {name: str(value) for name, value in more.items()}


def run(script: str, **more: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-P", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=environment(**more),
    )
    assert done.returncode == 0, done.stderr
    return done


def test_a_change_of_what_a_kernel_calls_is_noticed(tmp_path: Path) -> None:
    """Also where NUMBA_CACHE_DIR names the folder: `random_below` is the same there, and `_next_block` is not."""
    package = tmp_path / "nambarz_sim"  # a copy of its innermost room
    package.mkdir()
    for file in PACKAGE.glob("_*.py"):
        shutil.copy(file, package)
    where = {"PYTHONPATH": tmp_path, "NUMBA_CACHE_DIR": tmp_path / "code", "PYTHONDONTWRITEBYTECODE": 1}
    assert run(DRAW, **where).stdout == f"{drawn()} True 0\n"
    file = package / "_rng.py"
    source = file.read_text(encoding="utf-8")
    assert source.count("range(10)") == 1
    file.write_text(source.replace("range(10)", "range(7)"), encoding="utf-8")
    assert run(DRAW, **where).stdout == f"{drawn(module_of(file, 'rng'))} True 0\n"
    assert drawn(module_of(file, "rng")) != drawn()


MULTIPLY = """
import sys
from nambarz_sim._numba import compiled
from multiples import double, treble

forms, numbers = [compiled(double), compiled(treble)], [21, 2.5]
if int(sys.argv[1]) % 2:
    forms.reverse()
    numbers.reverse()
print(sorted(form(number) for form in forms for number in numbers))
"""


def test_eight_cold_processes_at_once_do_the_same(code: Path) -> None:
    """Half of them begin with the other kernel, and with its other form."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", MULTIPLY, str(process)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment(),
            cwd=code.parent,
        )
        for process in range(8)
    ]
    said = [process.communicate(timeout=300) for process in processes]
    assert said == [("[5.0, 7.5, 42, 63]\n", "")] * 8
    assert [process.returncode for process in processes] == [0] * 8
    files = [path for path in code.rglob("*") if path.is_file()]
    assert len(files) == 4
    assert all(read(file) is not None for file in files)
    assert doubled(code)


# --- without Numba ---------------------------------------------------------------------------------------------------

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
from threading import Thread

class Barred(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {"numba", "llvmlite", "pyarrow", "duckdb", "dask", "distributed"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

def start(thread):
    raise RuntimeError("can't start new thread")

sys.meta_path.insert(0, Barred())
Thread.start = start

import hashlib
import nambarz_sim
from nambarz_sim import Rules, Session, find_plays, judge, simulate

print(find_plays("10 4 2 7fish 4hen change-any", active="3bee"))
print(judge("6+5+2-10", hand="6 5 2 10 8", active="3bee"))
game = Session(Rules(players=4), seed=1, seats=["you", "greedy", "thrifty", "random"])
game.draw()
game.advance()
print(game.log)
told = []
results = simulate(Rules(), games=200, workers=2, progress=lambda done, total: told.append(done))
print(told)
print(results.summary().to_csv())
tables = (results.games, results.rounds, results.players)
print(hashlib.sha256("".join(table.to_csv() for table in tables).encode()).hexdigest())
print({"numba", "llvmlite", "pyarrow", "duckdb", "dask", "distributed"} & set(sys.modules))
"""


def test_without_numba_all_is_the_same() -> None:
    """Nor are there threads: as in a browser's Python."""
    done = run(WITHOUT)
    hand = nambarz_sim.find_plays("10 4 2 7fish 4hen change-any", active="3bee")
    verdict = nambarz_sim.judge("6+5+2-10", hand="6 5 2 10 8", active="3bee")
    game = nambarz_sim.Session(Rules(players=4), seed=1, seats=["you", "greedy", "thrifty", "random"])
    game.draw()
    game.advance()
    results = simulate(Rules(), games=200, progress=False)
    tables = (results.games, results.rounds, results.players)
    digest = hashlib.sha256("".join(table.to_csv() for table in tables).encode()).hexdigest()
    expected = [hand, verdict, game.log, list(range(0, 201, 25)), results.summary().to_csv(), digest, set()]
    assert done.stdout == "".join(f"{each}\n" for each in expected)
    assert done.stderr == ""
