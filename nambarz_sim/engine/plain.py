"""The kernels of a turn as plain Python functions, for single decisions: a person does not wait for a compiler.

They are the functions of `nambarz_sim.engine.kernel` themselves, not another version of the rules.
"""

from __future__ import annotations

from nambarz_sim._numba import plain
from nambarz_sim.engine import kernel

engine = plain(kernel)
"""The functions of `nambarz_sim.engine.kernel` by their names."""
