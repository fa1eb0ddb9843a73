"""A form that makes worksheets: level, kinds of task, sheets and seed, a preview, and a button for the PDF file."""

from __future__ import annotations

import html
from base64 import b64encode
from pathlib import Path

import ipywidgets  # type: ignore[import-untyped]
import traitlets

from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.tasks import KINDS
from nambarz_sim.classroom.worksheet_html import sheet_html
from nambarz_sim.classroom.worksheet_pages import PAPERS
from nambarz_sim.classroom.worksheet_words import kind_name
from nambarz_sim.classroom.worksheets import ClassSet, class_set
from nambarz_sim.languages import LANGUAGES, _, choose_language, in_language

_WIDE = {"description_width": "11em"}


class WorksheetMaker(ipywidgets.VBox):  # type: ignore[misc]
    """A form for teachers: *Preview* shows the first sheet, *Write the PDF file* writes all of them.

    Parameters
    ----------
    level, sheets, tasks, seed
        What the fields hold at first.
    lang
        The language of the form, and at first of the sheets; the usual one without.

    Attributes
    ----------
    level, sheets, tasks, seed, language, size, answers, file
        The fields.
    kinds
        A box for each kind of task, by its name.
    preview_button, write_button
        The buttons.
    made
        The last set of sheets; None before the first.
    error
        Why there are no new sheets or no file; empty if there are.

    Examples
    --------
    >>> maker = WorksheetMaker(level=2, sheets=2, tasks=3, lang="en")
    >>> maker.preview()
    >>> len(maker.made.sheets), maker.error
    (2, '')
    """

    made = traitlets.Instance(ClassSet, allow_none=True)
    error = traitlets.Unicode()

    def __init__(
        self, level: int = 3, sheets: int = 30, tasks: int = 10, seed: int = 1, lang: str | None = None
    ) -> None:
        self._lang = choose_language(lang)
        with in_language(self._lang):
            self._make_fields(level, sheets, tasks, seed)
            kinds = ipywidgets.HBox(
                [
                    ipywidgets.Label(_("Kinds of task"), layout={"width": "11em"}),
                    ipywidgets.VBox([*self.kinds.values()]),
                ]
            )
        asked = [
            self.level,
            kinds,
            self.sheets,
            self.tasks,
            self.seed,
            self.language,
            self.size,
            self.file,
            self.answers,
        ]
        self._says = ipywidgets.HTML()
        self._says.add_class("nambarz-worksheet-says")
        self._page = ipywidgets.HTML()
        buttons = ipywidgets.HBox([self.preview_button, self.write_button, self._says])
        super().__init__([*asked, buttons, self._page])

    def _make_fields(self, level: int, sheets: int, tasks: int, seed: int) -> None:
        def field(kind: type, words: str, **options: object) -> ipywidgets.Widget:
            return kind(description=words, style=_WIDE, **options)

        self.level = field(ipywidgets.Dropdown, _("Level"), options=Level.names(), value=str(level))
        self.kinds = {
            kind: ipywidgets.Checkbox(value=True, description=kind_name(kind), indent=False) for kind in KINDS
        }
        self.sheets = field(ipywidgets.IntText, _("Sheets"), value=sheets)
        self.tasks = field(ipywidgets.IntText, _("Tasks on a sheet"), value=tasks)
        self.seed = field(ipywidgets.IntText, _("Seed (which tasks)"), value=seed)
        languages = [(name, code) for code, name in LANGUAGES.items()]
        self.language = field(ipywidgets.Dropdown, _("Language"), options=languages, value=self._lang)
        self.size = field(ipywidgets.Dropdown, _("Size of paper"), options=PAPERS)
        self.file = field(ipywidgets.Text, _("File"), value="worksheets.pdf")
        self.answers = field(ipywidgets.Checkbox, _("With answers for the teacher"), value=True)
        self.preview_button = ipywidgets.Button(description=_("Preview"), button_style="primary")
        self.preview_button.on_click(lambda _button: self.preview())
        self.write_button = ipywidgets.Button(description=_("Write the PDF file"), layout={"width": "auto"})
        self.write_button.on_click(lambda _button: self.write())

    def preview(self) -> None:
        """Make the sheets that the fields ask for and show the first; if it cannot be, `error` says why."""
        self._busy(write=False)

    def write(self) -> None:
        """Make the sheets and write them to the file named, with the plain text beside it."""
        self._busy(write=True)

    def _busy(self, write: bool) -> None:
        buttons = (self.preview_button, self.write_button)
        for button in buttons:
            button.disabled = True
        with in_language(self._lang):
            told = ""
            try:
                self._say(_("Making the sheets …"))
                self.made = self._make()
                told = self._written(self.made) if write else ""
                self.error = ""
            except ValueError as error:
                self.error = str(error)
            finally:
                for button in buttons:
                    button.disabled = False
                self._say(self.error, told)

    def _make(self) -> ClassSet:
        kinds = [kind for kind, box in self.kinds.items() if box.value]
        fields = (self.level.value, kinds, self.tasks.value, self.seed.value)
        return class_set(self.sheets.value, *fields, lang=self.language.value)

    def _written(self, made: ClassSet) -> str:
        """Write the files; the names of both and a link for those who do not see the folder."""
        files = made.save(Path(self.file.value), self.size.value, self.answers.value)
        address = f"data:application/pdf;base64,{b64encode(files[0].read_bytes()).decode()}"
        told = html.escape(_("{file} and {beside} written").format(file=files[0], beside=files[1]))
        name, download = html.escape(files[0].name), html.escape(_("Download"))
        return f'{told} <a download="{name}" href="{address}">{download}</a>'

    def _say(self, text: str, more: str = "") -> None:
        self._says.value = f'<span role="status">{html.escape(text)}{more}</span>'

    @traitlets.observe("made")
    def _show(self, change: dict[str, ClassSet]) -> None:
        made = change["new"]
        self._page.value = sheet_html(made.sheets[0], made.level, made.lang)
