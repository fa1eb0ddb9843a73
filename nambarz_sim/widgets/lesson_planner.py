"""A form that plans a lesson: minutes, pupils, operations, school year, and a button."""

from __future__ import annotations

import html
from base64 import b64encode
from typing import Any

import ipywidgets  # type: ignore[import-untyped]
import traitlets

from nambarz_sim._errors import printable, printable_lines
from nambarz_sim.analysis.lesson import LessonPlan, plan_lesson
from nambarz_sim.arithmetic.shown import signs
from nambarz_sim.languages import _, in_language
from nambarz_sim.plots.lesson import plot_lesson_time
from nambarz_sim.strategies.pupil import Pupil

_WIDE = {"description_width": "13em"}
_ROOM = {"width": "27em"}  # for the longest choice in any language


class LessonPlanner(ipywidgets.VBox):  # type: ignore[misc]
    """A form for teachers: *Plan* shows the plan and its picture; what cannot be planned is said beside the button.

    Parameters
    ----------
    minutes, pupils, operations
        What the fields show at first.
    games
        How many games are played for each size of table and variant.
    lang
        The language, such as ``"de"``; None for the usual one, see `nambarz_sim.languages.choose_language`.

    Attributes
    ----------
    minutes, pupils, school_year, tables
        The fields; without a school year the pupils are practised players.
    operations
        A box for each operation, by its sign.
    button
        The button *Plan*.
    plan
        The last plan; None before the first.
    error
        Why there is no new plan; empty if there is.

    Examples
    --------
    >>> planner = LessonPlanner(minutes=60, pupils=8, games=100)
    >>> planner.make_plan()
    >>> planner.plan.pupils, planner.error
    (8, '')
    """

    plan = traitlets.Instance(LessonPlan, allow_none=True)
    error = traitlets.Unicode()

    def __init__(
        self, minutes: int = 45, pupils: int = 27, operations: str = "+-", games: int = 1_000, lang: str | None = None
    ) -> None:
        self._games = games
        with in_language(lang) as self.lang:
            super().__init__(self._fields(minutes, pupils, operations))

    def _fields(self, minutes: int, pupils: int, operations: str) -> list[Any]:
        """All that the form consists of, from top to bottom."""
        self.minutes = ipywidgets.IntText(value=minutes, description=_("Minutes"), style=_WIDE)
        self.pupils = ipywidgets.IntText(value=pupils, description=_("Pupils"), style=_WIDE)
        known = range(1, len(Pupil.presets()) + 1)
        years = [(_("practised players"), 0), *((_("year {year}").format(year=year), year) for year in known)]
        self.school_year = ipywidgets.Dropdown(options=years, description=_("School year"), style=_WIDE, layout=_ROOM)
        tables = [(_("any number"), 0), *((str(count), count) for count in range(1, 21))]
        self.tables = ipywidgets.Dropdown(
            options=tables, description=_("Tables (decks) at most"), style=_WIDE, layout=_ROOM
        )
        self.operations = {
            operation: ipywidgets.Checkbox(value=operation in operations, description=sign, indent=False)
            for operation, sign in signs().items()
        }
        for box in self.operations.values():
            box.layout.width = "4em"
        self.button = ipywidgets.Button(description=_("Plan"), button_style="primary")
        self.button.on_click(lambda _button: self.make_plan())
        self._says = ipywidgets.HTML()
        self._says.add_class("nambarz-lesson-says")
        self._page = ipywidgets.HTML()
        label = ipywidgets.Label(_("Operations"), layout={"width": "13em"})
        operations = ipywidgets.HBox([label, *self.operations.values()])
        asked = [self.minutes, self.pupils, operations, self.school_year, self.tables]
        return [*asked, ipywidgets.HBox([self.button, self._says]), self._page]

    def make_plan(self) -> None:
        """Plan the lesson that the fields ask for; if it cannot be, `error` says why and the last plan stays."""
        with in_language(self.lang):
            self._make_plan()

    def _make_plan(self) -> None:
        self.button.disabled = True
        self._say(_("Playing the games of such a lesson …"))
        try:
            self.plan = plan_lesson(
                minutes=self.minutes.value,
                pupils=self.pupils.value,
                operations="".join(sign for sign, box in self.operations.items() if box.value),
                school_year=self.school_year.value or None,
                most_tables=self.tables.value or None,
                games=self._games,
            )
            self.error = ""
        except ValueError as error:
            self.error = str(error)
        finally:
            self.button.disabled = False
            self._say(self.error)

    def _say(self, text: str) -> None:
        self._says.value = f'<span role="status" lang="{self.lang}">{html.escape(printable(text))}</span>'

    @traitlets.observe("plan")
    def _show(self, change: Any) -> None:
        with in_language(self.lang):  # a script may set the plan, too
            figure, plan = plot_lesson_time(change["new"]), str(change["new"])
        address = f"data:image/png;base64,{b64encode(figure.picture('png')).decode()}"
        picture = f'<img src="{address}" alt="{html.escape(printable(figure.description))}" style="max-width: 100%">'
        self._page.value = f'<div lang="{self.lang}"><pre>{html.escape(printable_lines(plan))}</pre>{picture}</div>'
