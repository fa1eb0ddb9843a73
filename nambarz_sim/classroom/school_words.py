"""Calculations and rules as a school writes them in the language spoken."""

from __future__ import annotations

from nambarz_sim.languages import _


def school_signs(expression: str) -> str:
    """A calculation, or single operations, with the signs that schools of the language use.

    Examples
    --------
    >>> from nambarz_sim.languages import in_language
    >>> with in_language("en"):
    ...     school_signs("(10 - 4) / 2")
    '(10 − 4) ÷ 2'
    >>> with in_language("de"):
    ...     school_signs("(10 - 4) ÷ 2")
    '(10 − 4) : 2'
    """
    signs = {"-": "−", "*": _("×"), "×": _("×"), "/": _("÷"), "÷": _("÷")}
    return "".join(signs.get(sign, sign) for sign in expression)


def steps_in_words(steps: str) -> str:
    """Which results a calculation may have on its way (R3.3)."""
    return {
        "whole": _("whole numbers from 0 up"),
        "integer": _("whole numbers, also below 0"),
        "rational": _("fractions too"),
    }[steps]
