"""The one place that knows about compiling: the `kernel` decorator, with Numba or without it.

Without Numba, or with ``NUMBA_DISABLE_JIT=1``, a kernel is the plain Python function: slower, with the same results.
"""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    import numba
except ImportError:
    numba = None

COMPILED = numba is not None and not numba.config.DISABLE_JIT
"""Whether kernels are compiled in this process."""

_PACKAGE = Path(__file__).parent


def _compiler() -> Any:
    """Numba's compiler with one pass more: indices of arrays count from the front, so that none needs a test for below 0.

    None, for the ordinary compiler, where this Numba's inner parts are others: slower, with the same results.
    """
    try:
        from numba.core import ir
        from numba.core.compiler import CompilerBase, DefaultPassBuilder
        from numba.core.compiler_machinery import FunctionPass, register_pass
        from numba.core.typed_passes import InlineOverloads, NopythonRewrites, NopythonTypeInference
        from numba.core.types import Array, Integer, uintp
        from numba.core.types.containers import BaseTuple, Tuple
        from numba.core.untyped_passes import InlineClosureLikes
    except ImportError:
        return None

    def unsigned(index: Any) -> Any:
        if isinstance(index, BaseTuple):
            return Tuple([unsigned(each) for each in index])
        return uintp if isinstance(index, Integer) else index

    @register_pass(mutates_CFG=False, analysis_only=False)
    class FromTheFront(FunctionPass):  # type: ignore[misc]
        _name = "nambarz_from_the_front"

        def __init__(self) -> None:  # abstract otherwise
            super().__init__()

        def run_pass(self, state: Any) -> bool:
            for place, signature in list(state.calltypes.items()):
                is_get = isinstance(place, ir.Expr) and place.op == "getitem"
                if (is_get or isinstance(place, ir.SetItem)) and isinstance(signature.args[0], Array):
                    array, index, *value = signature.args
                    del state.calltypes[place]  # an entry cannot be exchanged
                    state.calltypes[place] = signature.replace(args=(array, unsigned(index), *value))
            return True

    # Kernels hold no closures, no array expressions, and no overloads that are inlined as source.
    needless = (InlineClosureLikes, InlineOverloads, NopythonRewrites)

    class Compiler(CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> list[Any]:
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes.add_pass_after(FromTheFront, NopythonTypeInference)
            passes.passes = [each for each in passes.passes if each[0] not in needless]
            passes.finalize()
            return [passes]

    return Compiler


_COMPILER = _compiler() if COMPILED else None


def kernel(inline: str = "", cache: bool = True) -> Callable[[Function], Function]:
    """A decorator that compiles a function for the engine: no Python objects, no allocation, GIL released.

    Parameters
    ----------
    inline
        How the function gets into its callers: ``""`` as a call or as LLVM sees fit; ``"small"`` always as machine code,
        for a few lines that are used everywhere and for what is put together of parts; ``"part"`` always as source, for
        the parts of one long function. Source is copied slowly: so large functions are not parts.
        Passing arrays to a call costs as much as a dozen instructions here, so hot parts are not called.
    cache
        Keep the machine code on disk. Where no folder can be written, it is compiled anew in every process.

    Notes
    -----
    In the functions of this package no index of an array may be below 0: compiled, it would not count from the end. Users'
    functions may count so.

    A function whose name starts with an underscore cannot be called from Python when compiled: that saves the time to
    compile a way in.
    """
    # Without the reference counting of NumPy's arrays (_nrt) views cost nothing; kernels return no arrays.
    options: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "_nrt": False}
    options["no_cfunc_wrapper"] = True
    if inline == "small":
        options["forceinline"] = True
    elif inline == "part":
        options["inline"] = "always"

    def compiled(function: Function) -> Function:
        if not COMPILED:
            return function
        if _COMPILER is not None and function.__module__.startswith("nambarz_sim."):
            options["pipeline_class"] = _COMPILER
        options["no_cpython_wrapper"] = function.__name__.startswith("_")
        try:
            dispatcher = numba.jit(cache=cache, **options)(function)
        except RuntimeError:  # Numba found no folder to keep the machine code in
            dispatcher = numba.jit(**options)(function)
        _compile_once(dispatcher)
        return dispatcher  # type: ignore[no-any-return]

    return compiled


def _compile_once(dispatcher: Any) -> None:
    """Keep a function from being compiled anew for each constant that a caller gives it."""
    exact = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: numba.types.unliteral(kind) for name, kind in kws.items()}
        return exact(tuple(map(numba.types.unliteral, args)), plain)

    dispatcher.get_call_template = get_call_template


def _part() -> Any:
    """`part` for compiled callers: a slice as Numba makes it tests and turns both ends, for tens of instructions."""
    try:
        from numba.core.types import Array, Integer, intp
        from numba.extending import intrinsic
        from numba.np.arrayobj import make_array, populate_array
    except ImportError:
        return None

    def part(_typing: Any, array: Any, start: Any, size: Any) -> Any:
        if not (isinstance(array, Array) and array.ndim == 1 and array.layout == "C" and isinstance(start, Integer)):
            return None

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            whole = make_array(array)(context, builder, arguments[0])
            view = make_array(array)(context, builder)
            populate_array(
                view,
                data=builder.gep(whole.data, [arguments[1]]),
                shape=[arguments[2]],
                strides=whole.strides,
                itemsize=whole.itemsize,
                meminfo=whole.meminfo,
                parent=whole.parent,
            )
            return view._getvalue()

        return array(array, intp, intp), build

    return intrinsic(part)


def part(array: Any, start: int, size: int) -> Any:
    """A view of `size` entries of an array of one dimension."""
    return array[start : start + size]


_plain_part = part
if COMPILED:
    part = _part() or kernel(inline="small")(part)


def plain(kernels: ModuleType) -> Any:
    """A module's kernels as plain Python functions, which call one another so; where nothing is compiled, the module.

    For single decisions: looking at a hand takes some thousandths of a second so, and a person need not wait until the
    kernels are compiled.
    """
    return _Plain(kernels) if COMPILED else kernels


class _Plain:
    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = _plainly(getattr(self._module, name))
        setattr(self, name, value)
        return value


def _plainly(value: Any) -> Any:
    if value is part:
        return _plain_part
    if isinstance(value, ModuleType) and value.__name__.startswith("nambarz_sim."):
        return _Plain(value)
    function = getattr(value, "py_func", None)
    if function is None:
        return value
    if function not in _PLAIN:
        names = dict(function.__globals__)
        _PLAIN[function] = FunctionType(
            function.__code__, names, function.__name__, function.__defaults__, function.__closure__
        )
        for name in function.__code__.co_names:
            if name in names:
                names[name] = _plainly(names[name])
    return _PLAIN[function]


_PLAIN: dict[Any, Any] = {}
"""The plain copy of each kernel that was asked for, by its function."""


def _drop_stale_machine_code() -> bool:
    """Numba notices a changed file, but not a changed function that the file's functions call: notice it here.

    Returns whether the machine code that is kept is of these sources.
    """
    digest = hashlib.sha256()
    for source in sorted(_PACKAGE.rglob("*.py")):
        if source.name == "kernel.py" or source.parent.name == "strategies" or source.name.startswith("_"):
            digest.update(source.read_bytes())
    stamp = _PACKAGE / "__pycache__" / "kernels.sha256"
    with suppress(OSError):
        if stamp.exists() and stamp.read_text() == digest.hexdigest():
            return True
        for stale in [*_PACKAGE.rglob("__pycache__/*.nbi"), *_PACKAGE.rglob("__pycache__/*.nbc")]:
            stale.unlink(missing_ok=True)
        stamp.parent.mkdir(exist_ok=True)
        half_written = stamp.with_suffix(f".{os.getpid()}")
        half_written.write_text(digest.hexdigest())
        half_written.replace(stamp)
        return False
    return True  # no folder to write to: Numba keeps its code elsewhere


WARM = not COMPILED or _drop_stale_machine_code()
"""Whether a first call need not compile; False in the process that compiles these sources for the first time."""

if COMPILED:
    warnings.filterwarnings("ignore", message="Cannot cache compiled function", module="nambarz_sim")
