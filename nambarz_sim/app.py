"""The lessons as web pages: Voilà on the notebooks, without code, with a start page that lists them."""

from __future__ import annotations

import os
import re
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from tornado.ioloop import IOLoop
from traitlets.config import Config
from voila.app import Voila
from voila.handler import BaseVoilaHandler

from nambarz_sim.languages import N_, VARIABLE, _, choose_language, in_language
from nambarz_sim.prompt_sockets import PromptConnection

PORT = 8866
"""Where the pages are, unless that port is taken: then on one near it."""
NOT_FOR_PAGES = "notebook-only"
"""The tag of cells that make sense only in a notebook: how to run it, and the picture for those who did not."""

_WORDS = {
    "title": N_("NAMBARZ: lessons with cards"),
    "heading": N_("Lessons with NAMBARZ cards"),
    "lead": N_(
        "Mental arithmetic with cards: look at them, play with them, and let the computer play thousands of games for "
        "you. Nothing can be broken here; reload a page to begin again."
    ),
    "foot": N_("An independent simulation for study and teaching. NAMBARZ is its owner's name and game."),
    "lessons": N_("Lessons"),
    "all_lessons": N_("All lessons"),
    "ready": N_("The lesson is being made ready."),
    "part": N_("The lesson is being made ready: part {cell} of {cells}."),
}
"""What the pages say around the lessons, by the names that the templates have for it."""
_TEMPLATES = Path(__file__).parent / "pages"
_MINUTE = 60


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a notebook says of itself.

    Attributes
    ----------
    file
        The notebook's file name.
    title, purpose
        Its first heading, and the sentence after the word "Purpose:" in its first cell.
    """

    file: str
    title: str
    purpose: str


def notebooks_folder() -> Path:
    """The folder of the notebooks: inside an installed package, beside it in a source tree.

    Raises
    ------
    FileNotFoundError
        If neither place has it, which means a damaged installation.
    """
    package = Path(__file__).parent
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no notebooks in {package} or beside it; install nambarz_sim again")


def read_lessons(folder: Path) -> list[Lesson]:
    """The lessons of a folder, in the order of their file names.

    Examples
    --------
    >>> [lesson.title for lesson in read_lessons(notebooks_folder())][0]
    'Meet the cards'
    """
    return [_read_lesson(file) for file in sorted(folder.glob("*.ipynb"))]


def _read_lesson(file: Path) -> Lesson:
    first = nbformat.read(file, as_version=4).cells[0].source
    title = re.search(r"^# (.+)$", first, flags=re.MULTILINE)
    purpose = re.search(r"\*\*Purpose:\*\* (.+)", first)
    return Lesson(file.name, title[1].strip() if title else file.stem, purpose[1].strip() if purpose else "")


def page_language(accepted: str = "") -> str:
    """The language around the lessons: that of ``NAMBARZ_LANG``, else one that the browser asks for, else the system's.

    Parameters
    ----------
    accepted
        The header ``Accept-Language`` of the browser.

    Raises
    ------
    ValueError
        If ``NAMBARZ_LANG`` names no language that there is.

    Examples
    --------
    >>> page_language("pl,de-AT;q=0.9,en;q=0.5")
    'de'
    """
    for asked in () if os.environ.get(VARIABLE) else _asked_for(accepted):
        try:
            return choose_language(asked)
        except ValueError:  # one that there is not
            continue
    return choose_language()


def _asked_for(accepted: str) -> list[str]:
    """The languages of a header, the one liked best first."""
    weights: dict[str, float] = {}
    for part in accepted.split(","):
        name, *more = (each.strip() for each in part.split(";"))
        quality = more[0].removeprefix("q=") if more else "1"
        weights[name] = float(quality) if re.fullmatch(r"[01](\.\d{0,3})?", quality) else 0
    return sorted((name for name, weight in weights.items() if weight), key=lambda name: -weights[name])


def _frame(accepted: str) -> dict[str, Any]:
    """The language around the lessons and what is said in it."""
    with in_language(page_language(accepted)) as lang:
        return {"lang": lang, "words": {name: _(text) for name, text in _WORDS.items()}}


def _give_frame(handler: Any, notebook: nbformat.NotebookNode, cwd: str) -> nbformat.NotebookNode:
    """Tell the template of a lesson what stands around it; Voilà reads the notebook anew for each visit."""
    notebook.metadata["nambarz"] = _frame(handler.request.headers.get("Accept-Language", ""))
    return notebook


def serve(port: int = PORT, browser: bool = True, folder: Path | None = None) -> None:
    """Show the lessons as web pages on this computer until an interruption (Ctrl + C).

    Parameters
    ----------
    port
        Where to listen on the loopback address; one near it where it is taken.
    browser
        Whether to open the start page in the browser.
    folder
        The notebooks to show; those of the package without.

    Raises
    ------
    KeyboardInterrupt
        Always, in the end: nothing else ends it.
    ValueError
        If ``NAMBARZ_LANG`` names no language that there is.
    """
    choose_language()
    server = _LessonServer(config=_settings(port, folder or notebooks_folder()))
    server.shows_browser = browser
    server.initialize(argv=[])
    server.start()
    raise KeyboardInterrupt


def _settings(port: int, folder: Path) -> Config:
    settings = Config()
    settings.Voila.update(
        ip="127.0.0.1",
        port=port,
        root_dir=str(folder),
        open_browser=False,
        log_level="ERROR",
        config_file_paths=[],
        kernel_websocket_connection_class=PromptConnection,
        tornado_settings={
            # None: while a page's cells run, Voilà reads no answers, and a page whose first cell compiles for longer than
            # an answer may take would be cut off, its other outputs never shown.
            "ws_ping_interval": 0,
            # A page that is closed asks for its kernel's end without the cookie of this check. All that it guards here
            # goes by a kernel's random name, which no other page knows.
            "disable_check_xsrf": True,
        },
    )
    settings.VoilaConfiguration.update(
        strip_sources=True,
        show_tracebacks=True,
        progressive_rendering=True,  # the text at once, each output when it is there
        prelaunch_hook=_give_frame,
        # What draws the widgets and nothing else, so that a page is there sooner.
        extension_allowlist=["@voila-dashboards/widgets-manager8", "@jupyter-widgets/jupyterlab-manager", "anywidget"],
    )
    settings.KernelManager.transport_encryption = "auto"
    # A page that is closed ends its kernel; this is for one that went away without a word.
    settings.MappingKernelManager.update(cull_idle_timeout=10 * _MINUTE, cull_interval=_MINUTE)
    return settings


class _LessonServer(Voila):  # type: ignore[misc]
    """Voilà with a start page of its own and the templates of `pages`."""

    shows_browser = True

    def setup_template_dirs(self) -> None:
        super().setup_template_dirs()
        self.template_paths.insert(0, str(_TEMPLATES))

    def init_handlers(self) -> list[Any]:
        start_page = (self.server_url, _StartPage, {"voila_configuration": self.voila_configuration})
        return [start_page, *super().init_handlers()]

    def start(self) -> None:
        IOLoop.current().add_callback(self._tell)
        super().start()

    def _tell(self) -> None:
        told = _("The lessons are at {address} (Ctrl + C ends them).")
        print(told.format(address=self.display_url), flush=True)
        if self.shows_browser:
            webbrowser.open(self.display_url)


class _StartPage(BaseVoilaHandler):  # type: ignore[misc]
    """The list of lessons, read anew for each visit."""

    def get(self) -> None:
        lessons = read_lessons(Path(self.contents_manager.root_dir))
        frame = _frame(self.request.headers.get("Accept-Language", ""))
        self.write(self.get_template("start.html").render(lessons=lessons, base_url=self.base_url, **frame))
