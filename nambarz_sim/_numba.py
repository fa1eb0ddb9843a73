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
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

try:
    import numba
except ImportError:
    numba = None

COMPILED = numba is not None and not numba.config.DISABLE_JIT
"""Whether kernels are compiled in this process."""

_PACKAGE = Path(__file__).parent


def kernel(inline: str = "", cache: bool = True) -> Callable[[Function], Function]:
    """A decorator that compiles a function for the engine: no Python objects, no allocation, GIL released.

    Parameters
    ----------
    inline
        How the function gets into its callers: ``""`` as a call or as LLVM sees fit; ``"small"`` always as machine code,
        for a few lines that are used everywhere; ``"part"`` always as source, for the parts of one long function.
        Passing arrays to a call costs as much as a dozen instructions here, so hot parts are not called.
    cache
        Keep the machine code on disk. Where no folder can be written, it is compiled anew in every process.

    Notes
    -----
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
        options["no_cpython_wrapper"] = function.__name__.startswith("_")
        try:
            return numba.jit(cache=cache, **options)(function)  # type: ignore[no-any-return]
        except RuntimeError:  # Numba found no folder to keep the machine code in
            return numba.jit(**options)(function)  # type: ignore[no-any-return]

    return compiled


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
