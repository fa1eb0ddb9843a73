"""The lessons as web pages: Voilà on the notebooks, without code, with a start page that lists them."""

from __future__ import annotations

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

from nambarz_sim.prompt_sockets import PromptConnection

PORT = 8866
"""Where the pages are, unless that port is taken: then on one near it."""
NOT_FOR_PAGES = "notebook-only"
"""The tag of cells that make sense only in a notebook: how to run it, and the picture for those who did not."""

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
    """
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
        print(f"The lessons are at {self.display_url} (Ctrl + C ends them).", flush=True)
        if self.shows_browser:
            webbrowser.open(self.display_url)


class _StartPage(BaseVoilaHandler):  # type: ignore[misc]
    """The list of lessons, read anew for each visit."""

    def get(self) -> None:
        lessons = read_lessons(Path(self.contents_manager.root_dir))
        self.write(self.get_template("start.html").render(lessons=lessons, base_url=self.base_url))
