"""Where things stand: who may import whom, where kernels are written, what `import nambarz_sim` loads and offers."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import nambarz_sim
from nambarz_sim._machine_code import kernel_sources

PACKAGE = Path(nambarz_sim.__file__).parent
FILES = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))

ROOMS = [
    ["_machine_code", "_numba", "_rng", "_errors", "_files", "_version"],
    ["languages"],
    ["arithmetic", "card_names", "card_pictures", "cards"],
    ["rules"],
    ["engine"],
    ["strategies"],
    ["event_words", "events"],
    ["explanations", "verdict"],
    ["session"],
    ["simulation"],
    ["analysis"],
    ["plots"],
    ["reports"],
    ["classroom"],
    ["terminal"],
    ["widgets"],
    ["prompt_sockets"],
    ["app"],
    ["cli"],
]
"""From the top down: a module imports from its own room and from the rooms above it."""
LEVELS = {room: level for level, rooms in enumerate(ROOMS) for room in rooms}
DOORS = ["__init__", "__main__"]
"""The package's front door and `python -m`: they import what they show."""
LAZY = {("simulation/results.py", "nambarz_sim.analysis.summary")}
"""The one import against the order, made when `Results.summary` is called."""

PROMISED = ["Card", "Deck", "Rules", "Play", "find_plays", "judge", "Session", "Results", "Pupil"]
PROMISED += ["simulate", "simulate_until", "compare", "tournament"]
HEAVY = ["numba", "numpy", "pandas", "matplotlib", "scipy", "tqdm", "typer"]
MOST_LINES = 400
LONG = {"engine/kernel.py"}
"""The rules of a turn in one file, longer than others may be."""


def tree(file: str) -> ast.Module:
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8"))


def room(file: str) -> str:
    return Path(file).parts[0].removesuffix(".py")


def is_module(name: str) -> bool:
    """Whether a dotted name is a module of the package."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def imports(file: str) -> Iterator[tuple[str, list[str]]]:
    """Every module that a file imports, wherever it does, with the names taken from it."""
    here = ["nambarz_sim", *Path(file).parent.parts]
    for node in ast.walk(tree(file)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, []) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = here[: len(here) - node.level + 1] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            yield module, [alias.name for alias in node.names]


def own_imports(file: str) -> Iterator[str]:
    """The modules of the package that a file imports."""
    for module, names in imports(file):
        if module.split(".")[0] != "nambarz_sim":
            continue
        inner = [f"{module}.{name}" for name in names if is_module(f"{module}.{name}")]
        yield from inner or [module]


def test_every_module_has_a_room() -> None:
    rooms = {room(file) for file in FILES} - set(DOORS)
    assert rooms <= set(LEVELS), f"no room is set for {sorted(rooms - set(LEVELS))}; add them to ROOMS in their order"


@pytest.mark.parametrize("file", FILES)
def test_modules_import_only_from_rooms_above(file: str) -> None:
    if room(file) in DOORS:
        return
    for module in own_imports(file):
        if (file, module) in LAZY:
            continue
        parts = module.split(".")
        assert len(parts) > 1, f"{file} imports the package root"
        assert LEVELS[parts[1]] <= LEVELS[room(file)], f"{file} imports {module}, which stands below it"


def test_the_lazy_import_stands_in_a_function() -> None:
    for file, module in LAZY:
        top = [node.module for node in tree(file).body if isinstance(node, ast.ImportFrom)]
        assert module not in top
        assert module in own_imports(file), f"{file} no longer imports {module}; take it out of LAZY"


@pytest.mark.parametrize("file", FILES)
def test_nothing_is_imported_through_the_package_root(file: str) -> None:
    """Modules may be named from the root; what the root offers lazily may not."""
    for module, names in imports(file):
        assert "*" not in names, f"{file}: star import of {module}"
        if module == "nambarz_sim" and room(file) not in DOORS:
            taken = [name for name in names if not is_module(f"nambarz_sim.{name}")]
            assert names, f"{file}: import nambarz_sim"
            assert not taken, f"{file}: {taken} through the package root"


@pytest.mark.parametrize("file", FILES)
def test_relative_imports_are_not_used(file: str) -> None:
    assert not [node for node in ast.walk(tree(file)) if isinstance(node, ast.ImportFrom) and node.level]


# --- kernels ---------------------------------------------------------------------------------------------------------


def may_hold_kernels(file: str) -> bool:
    path = Path(file)
    return file in ("_numba.py", "_rng.py") or path.name == "kernel.py" or path.parts[0] == "strategies"


@pytest.mark.parametrize("file", [file for file in FILES if file != "_numba.py"])
def test_numba_is_known_in_one_place(file: str) -> None:
    assert not [module for module, _ in imports(file) if module.split(".")[0] in ("numba", "llvmlite")]
    assert not [node for node in ast.walk(tree(file)) if isinstance(node, ast.Constant) and node.value == "numba"]


@pytest.mark.parametrize("file", [file for file in FILES if not may_hold_kernels(file)])
def test_kernels_stand_where_they_should(file: str) -> None:
    if file != "__init__.py":
        taken = [name for module, names in imports(file) if module == "nambarz_sim._numba" for name in names]
        assert "kernel" not in taken, f"{file} takes the decorator"
    for node in ast.walk(tree(file)):
        for decorator in getattr(node, "decorator_list", []):
            called = decorator.func if isinstance(decorator, ast.Call) else decorator
            assert getattr(called, "id", getattr(called, "attr", "")) not in ("kernel", "jit", "njit")


def test_there_are_kernels_where_they_may_be() -> None:
    """The checks above would pass for a package that spells the decorator in another way."""
    text = {file: (PACKAGE / file).read_text(encoding="utf-8") for file in FILES}
    assert {file for file in FILES if "@kernel(" in text[file]} >= {
        "_rng.py",
        "engine/kernel.py",
        "strategies/greedy.py",
    }


def test_a_change_of_any_module_that_kernels_import_makes_their_machine_code_outdated() -> None:
    """Constants of other modules are part of machine code, too."""
    sources = {path.relative_to(PACKAGE).as_posix() for path in kernel_sources()}
    found = {file for file in FILES if "@kernel(" in (PACKAGE / file).read_text(encoding="utf-8")}
    waiting = set(found)
    while waiting:
        paths = [PACKAGE.parent.joinpath(*module.split(".")) for module in own_imports(waiting.pop())]
        files = {path / "__init__.py" if path.is_dir() else path.with_suffix(".py") for path in paths}
        new = {file.relative_to(PACKAGE).as_posix() for file in files} - found
        found |= new
        waiting |= new
    assert "engine/state.py" in found
    assert found <= sources, f"add {sorted(found - sources)} to _SOURCES of _machine_code.py"


# --- the front door --------------------------------------------------------------------------------------------------


def run(script: str) -> str:
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_package_is_light() -> None:
    script = (
        f"import sys; before = set(sys.modules); import nambarz_sim; print([m for m in {HEAVY} if m in sys.modules])"
    )
    assert run(script).strip() == "[]"


def test_looking_around_stays_light() -> None:
    script = (
        "import sys, nambarz_sim; dir(nambarz_sim); nambarz_sim.__version__; nambarz_sim.Rules.preset('beginner'); "
        f"nambarz_sim.Deck.names(); print([m for m in {HEAVY} if m in sys.modules])"
    )
    assert run(script).strip() == "[]"


@pytest.mark.parametrize("name", PROMISED)
def test_promised_names_are_there(name: str) -> None:
    assert name in nambarz_sim.__all__
    assert name in dir(nambarz_sim)
    value = getattr(nambarz_sim, name)
    assert value.__name__ == name
    assert value.__doc__


def test_every_name_offered_can_be_had() -> None:
    missing = []
    for name in nambarz_sim.__all__:
        try:
            getattr(nambarz_sim, name)
        except (AttributeError, ImportError) as error:
            missing.append(f"{name}: {error}")
    assert not missing


def test_type_checkers_see_the_names_offered() -> None:
    seen = {name for module, names in imports("__init__.py") if module.startswith("nambarz_sim.") for name in names}
    assert seen - {"__version__"} == set(nambarz_sim.__all__)


def test_other_names_are_no_attributes() -> None:
    with pytest.raises(AttributeError, match=r"'nambarz_sim' has no attribute 'Rulez'"):
        nambarz_sim.Rulez  # noqa: B018


@pytest.mark.parametrize("file", [file for file in FILES if room(file) != "__main__"])
def test_every_module_can_be_imported_by_itself(file: str) -> None:
    name = ".".join(["nambarz_sim", *Path(file).with_suffix("").parts]).removesuffix(".__init__")
    assert import_module(name).__name__ == name


# --- readable files --------------------------------------------------------------------------------------------------


def public_parts(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Public functions, classes and their public methods; overloads have no text of their own."""
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if any(getattr(decorator, "id", "") == "overload" for decorator in node.decorator_list):
            continue
        yield prefix + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from public_parts(node.body, f"{prefix}{node.name}.")


@pytest.mark.parametrize("file", FILES)
def test_public_functions_and_classes_have_docstrings(file: str) -> None:
    module = tree(file)
    silent = [name for name, node in public_parts(module.body) if not ast.get_docstring(node)]
    assert not silent
    assert ast.get_docstring(module) or not module.body, "the module says nothing of itself"


@pytest.mark.parametrize("file", [file for file in FILES if file not in LONG])
def test_modules_are_short(file: str) -> None:
    lines = len((PACKAGE / file).read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES, f"{file} has {lines} lines, {MOST_LINES} are allowed"


def test_long_modules_are_still_there() -> None:
    assert set(FILES) >= LONG
