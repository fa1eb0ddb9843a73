"""What all figures share: how they are shown, drawn and titled."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from matplotlib.backend_bases import RendererBase
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter, LogFormatter, ScalarFormatter

from nambarz_sim._errors import printable_lines
from nambarz_sim.analysis.wording import rounds as rounds_in_words
from nambarz_sim.languages import _, choose_language, in_language, localised

BLUE, ORANGE, GREEN, PURPLE, SKY, VERMILION = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"
"""From the palette of Okabe and Ito, for colour-blind readers; a hatch, marker or line style goes with each."""
_ALONE, _BESIDE = (7, 3.4), (5, 3.4)
"""Inches; two figures beside each other are narrower, so that their letters stay as large on a page."""

_BESIDE_AXES = 0.9
"""Inches that the labels at the axes take from a title's width, at the most that there are."""


class _Readable(FuncFormatter):
    """Names on an axis, which every drawing writes anew, with escapes for what a font has no letter for."""

    def __call__(self, value: float, place: int | None = None) -> str:
        return printable_lines(str(super().__call__(value, place)))


class NotebookFigure(Figure):
    """A figure that a notebook shows as a picture, and that pyplot does not keep open.

    Attributes
    ----------
    description
        What the figure shows, in words: its text alternative.
    """

    description: str = ""

    def draw(self, renderer: RendererBase) -> None:
        """Draw it; every text stands as it is written, since names of variants and strategies may come from anybody.

        Dollar signs open no formulas, and what a font has no letter for becomes its escape.
        """
        powers: list[Text] = []
        for axis in (axis for axes in self.axes for axis in (axes.xaxis, axes.yaxis)):
            form = axis.get_major_formatter()
            if isinstance(form, FuncFormatter) and not isinstance(form, _Readable):
                axis.set_major_formatter(_Readable(form))
            elif isinstance(form, LogFormatter):
                powers += axis.get_ticklabels(which="both")
        for text in self.findobj(Text):
            text.set_parse_math(text in powers)
            if text.get_text() != (readable := printable_lines(text.get_text())):
                text.set_text(readable)
        super().draw(renderer)

    def _repr_png_(self) -> bytes:
        return self.picture("png")

    def picture(self, kind: str, dpi: float | None = None) -> bytes:
        """The figure as a file of a kind, such as ``"png"`` or ``"svg"``; finer than on a screen with a larger ``dpi``."""
        file = BytesIO()
        self.savefig(file, format=kind, dpi=dpi or "figure")
        return file.getvalue()


def new_figure(narrow: bool = False, size: tuple[float, float] | None = None) -> tuple[NotebookFigure, Any]:
    """A figure with one plot in it; ``size`` in inches where the usual one does not suit."""
    figure = NotebookFigure(figsize=size or (_BESIDE if narrow else _ALONE), dpi=100, layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    write_ticks(axes)
    return figure, axes


class _Ticks(ScalarFormatter):
    """Numbers at an axis as a language writes them."""

    def __init__(self, lang: str) -> None:
        super().__init__()
        self._lang = lang

    def __call__(self, x: float, pos: int | None = None) -> str:
        with in_language(self._lang):
            return localised(super().__call__(x, pos))


def write_ticks(axes: Any) -> None:
    """Let both axes of a plot write their numbers as the language spoken does, also when they are drawn later."""
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(_Ticks(choose_language()))


def fitted(text: str, inches: float, points: float) -> str:
    """The text in lines that are no wider than so many inches; lines that fit stay as they are."""
    lines = []
    for line in text.split("\n"):
        parts = math.ceil(_width(line, points) / inches)
        while parts > 1:
            wrapped = textwrap.wrap(line, math.ceil(1.1 * len(line) / parts), break_long_words=False)
            if parts > len(line) or all(_width(each, points) <= inches for each in wrapped):
                break
            parts += 1
        lines += wrapped if parts > 1 else [line]
    return "\n".join(lines)


def _width(line: str, points: float) -> float:
    """How many inches a line of text takes."""
    plain = line.replace("$", r"\$")  # which would open a formula
    return float(TextPath((0, 0), plain, size=points).get_extents().width) / 72 if line.strip() else 0.0


def put_title(axes: Any, title: str, points: float = 11) -> None:
    """A title over a plot, broken into lines where it would reach over the figure's edge."""
    axes.set_title(fitted(title, axes.figure.get_size_inches()[0] - _BESIDE_AXES, points), fontsize=points)


def set_title(axes: Any, finding: str, rounds: int, narrow: bool = False) -> None:
    """A title that states the finding and the number of rounds behind it."""
    finding = finding.replace(" (", "\n(") if narrow else finding
    put_title(axes, f"{finding} ({rounds_in_words(rounds)})")


def in_words(ends: Sequence[float]) -> str:
    """A 95% interval behind a figure; nothing where there is none."""
    low, high = ends
    if not np.isfinite(low):
        return ""
    return " " + _("(95% interval {low} to {high})").format(low=f"{low:.0f}", high=f"{high:.0f}")
