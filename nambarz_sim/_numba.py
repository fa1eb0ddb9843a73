"""The one place that knows about compiling: kernels, and how they become machine code.

A kernel is a plain Python function that is marked. `compiled` gives its compiled form, with Numba, which is imported only
then: a person who looks at a hand waits for no compiler. Without Numba, or with ``NUMBA_DISABLE_JIT=1``, the compiled form
is the plain function: slower, with the same results.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from threading import RLock
from types import CellType, FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar

from nambarz_sim._machine_code import Files, is_kept

Function = TypeVar("Function", bound=Callable[..., Any])


def _is_installed() -> bool:
    with suppress(ImportError, ValueError):  # of a hook that bars Numba, of a module put in its place
        return find_spec("numba") is not None
    return False


COMPILED = _is_installed() and os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether `compiled` compiles in this process, if Numba loads."""


def kernel(inline: str = "", cache: bool = True) -> Callable[[Function], Function]:
    """A decorator for a function that the engine may compile: no Python objects, no allocation, GIL released.

    The function stays the plain Python function it is; a batch compiles it, and what it calls.

    Parameters
    ----------
    inline
        How the compiled function gets into its callers: ``""`` as a call or as LLVM sees fit; ``"small"`` always as machine
        code, for a few lines that are used everywhere and for what is put together of parts; ``"part"`` always as source,
        for the parts of one long function. Source is copied slowly: so large functions are not parts.
        Passing arrays to a call costs as much as a dozen instructions here, so hot parts are not called.
    cache
        Keep the machine code on disk. Where no folder can be written, it is compiled anew in every process.

    Notes
    -----
    In the functions of this package no index of an array may be below 0: compiled, it would not count from the end. Users'
    functions may count so.

    A function whose name starts with an underscore cannot be called from Python when compiled: that saves the time to
    compile a way in.

    Examples
    --------
    >>> @kernel()
    ... def score(seen, play, stream):
    ...     return play[2]
    """

    def marked(function: Function) -> Function:
        function.__dict__[_MARK] = _Options(inline, cache)
        return function

    return marked


class _Options(NamedTuple):
    inline: str
    cache: bool


_MARK = "_kernel_options"


def is_kernel(function: Any) -> bool:
    """Whether `kernel` has marked the function."""
    return isinstance(function, FunctionType) and _MARK in function.__dict__


def part(array: Any, start: int, size: int) -> Any:
    """A view of `size` entries of an array of one dimension."""
    return array[start : start + size]


def compiled(kernels: Any) -> Any:
    """The compiled form of a kernel, or of a module whose kernels are wanted; anything else as it is.

    A kernel is compiled when it is first called, for all that share it.

    Examples
    --------
    >>> compiled(len) is len
    True
    """
    if not COMPILED:
        return kernels
    with _LOCK:
        if _numba() is None:
            return kernels
        if isinstance(kernels, ModuleType) and kernels.__name__.startswith("nambarz_sim."):
            return _compiled_module(kernels)
        if kernels is part:
            return _numba().part
        return _compiled_function(kernels) if is_kernel(kernels) else kernels


_LOCK = RLock()  # the threads of a batch share one compiled form


@cache
def _compiled_module(module: ModuleType) -> ModuleType:
    """A module of the same name whose kernels are compiled ones, for Numba and for callers alike."""
    form = ModuleType(module.__name__)

    def find(name: str) -> Any:
        value = compiled(getattr(module, name))
        setattr(form, name, value)
        return value

    form.__getattr__ = find  # type: ignore[method-assign]
    return form


@cache
def _compiled_function(function: Any) -> Any:
    """Numba's form of a copy of the function, in which the names of other kernels are those of their compiled forms."""
    names = dict(function.__globals__)
    cells = function.__closure__ and tuple(CellType(compiled(cell.cell_contents)) for cell in function.__closure__)
    copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__, cells)
    dispatcher = _numba().dispatcher(copy, function.__dict__[_MARK])
    for name in function.__code__.co_names:
        if name in names:
            names[name] = dispatcher if names[name] is function else compiled(names[name])
    return dispatcher


class _Numba(NamedTuple):
    """What is taken from Numba: it makes a kernel's compiled form, and `part` for compiled callers."""

    dispatcher: Callable[[FunctionType, _Options], Any]
    part: Any


@cache
def _numba() -> Any:
    """A `_Numba`; None where Numba is installed but does not load, with this NumPy for example."""
    try:
        import numba  # not with the package: about a second, for which no hand and no lesson need wait
    except Exception as problem:  # by whatever it needs: another NumPy, a library of the system
        warnings.warn(f"Numba does not load, so batches run slowly as plain Python: {problem}", stacklevel=2)
        return None

    warnings.filterwarnings("ignore", message="Cannot cache compiled function", module="nambarz_sim")
    compiler, keep = _compiler(), _keeper()

    def dispatcher(function: FunctionType, asked: _Options) -> Any:
        # Without the reference counting of NumPy's arrays (_nrt) views cost nothing; kernels return no arrays.
        options: dict[str, Any] = {"nopython": True, "nogil": True, "error_model": "numpy", "_nrt": False}
        options["no_cfunc_wrapper"] = True
        options["no_cpython_wrapper"] = function.__name__.startswith("_")
        if asked.inline == "small":
            options["forceinline"] = True
        elif asked.inline == "part":
            options["inline"] = "always"
        own = not function.__module__.startswith("nambarz_sim.")
        if compiler is not None and not own:
            options["pipeline_class"] = compiler
        made = numba.jit(**options)(function)
        if asked.cache:
            try:
                keep(made)
            except (OSError, RuntimeError) as problem:  # no folder to keep the machine code in
                if not own:  # a user's function may be one without a file
                    _tell_not_kept(problem)
        _compile_once(made, numba.types.unliteral)
        return made

    view = _part()
    return _Numba(dispatcher, view or dispatcher(part, _Options("small", False)))  # type: ignore[arg-type]


def _compile_once(dispatcher: Any, unliteral: Callable[[Any], Any]) -> None:
    """Keep a function from being compiled anew for each constant that a caller gives it."""
    exact = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = {name: unliteral(kind) for name, kind in kws.items()}
        return exact(tuple(map(unliteral, args)), plain)

    dispatcher.get_call_template = get_call_template


def _keeper() -> Callable[[Any], None]:
    """A function that has a dispatcher's machine code kept on disk, so that nothing in those files can end a batch.

    Where this Numba's inner parts are others, machine code is kept in Numba's way.
    """
    try:
        import numba
        from numba.core.caching import FunctionCache
        from numba.core.serialize import dumps
    except ImportError:
        return lambda dispatcher: dispatcher.enable_caching()

    class Kept(FunctionCache):  # type: ignore[misc]
        def __init__(self, function: FunctionType) -> None:
            super().__init__(function)
            stamp = (numba.__version__, self._impl.locator.get_source_stamp())
            self._cache_file = Files(self.cache_path, self._impl.filename_base, stamp, dumps)

        def load_overload(self, signature: Any, target: Any) -> Any:
            with suppress(Exception):  # whatever is wrong with what was kept, it can be compiled
                return super().load_overload(signature, target)
            return None

        def save_overload(self, signature: Any, code: Any) -> None:
            try:
                super().save_overload(signature, code)
            except Exception as problem:  # to keep it is a convenience, a full disk no reason to stop
                _tell_not_kept(problem)

    def keep(dispatcher: Any) -> None:
        try:
            dispatcher._cache = Kept(dispatcher.py_func)
        except AttributeError:
            dispatcher.enable_caching()

    return keep


_NOT_KEPT: list[Exception] = []


def _tell_not_kept(problem: Exception) -> None:
    """Say once in a process that machine code cannot be kept."""
    if not _NOT_KEPT:
        warnings.warn(
            f"Machine code cannot be kept, so every process compiles anew, for half a minute ({problem}); set "
            f"NUMBA_CACHE_DIR to a folder that can be written",
            stacklevel=2,
        )
    _NOT_KEPT.append(problem)


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


def is_ready(function: Any) -> bool:
    """Whether a kernel's compiled form need not be made: this process has it, or a folder of machine code does.

    True where nothing is compiled at all.
    """
    if not COMPILED or function in _READY:
        return True
    if not function.__dict__[_MARK].cache or not is_kept(function):
        return False
    _READY.add(function)
    return True


_READY: set[Any] = set()


def note_ready(function: Any) -> None:
    """Say that a kernel's compiled form has been called, so that this process has it."""
    _READY.add(function)
