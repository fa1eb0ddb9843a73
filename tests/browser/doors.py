"""The three doors to a lesson: JupyterLab, Notebook 7 and the pages of `nambarz app`, each started for the tests."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

PATIENCE = 120_000
"""Milliseconds after which something is taken to be broken: generous, for machines that do much else."""
LESSON_PATIENCE = 300_000
"""The same for a whole lesson, which may compile all that a batch and a planner need: minutes on a slow machine."""
SERVER_OPTIONS = [
    "--no-browser",
    "--allow-root",
    "--ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--IdentityProvider.token=",
    "--log-level=WARN",
    # As `make lab` has it.
    "--ServerApp.kernel_websocket_connection_class=nambarz_sim.prompt_sockets.PromptConnection",
    "--expose-app-in-browser",
]
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False}


@dataclass(frozen=True)
class Door:
    """A started server with the lessons."""

    name: str
    address: str

    def open(self, page: Page, lesson: str) -> float:
        """Open a lesson and run it; the seconds until its first widget or, without one, its last output is there."""
        started = time.perf_counter()
        if self.name in ("pages", "made pages"):
            page.goto(f"{self.address}voila/render/{lesson}.ipynb", wait_until="commit", timeout=PATIENCE)
            page.locator("#rendered_cells").wait_for(timeout=PATIENCE)
            page.locator(WAITING).first.wait_for(state="attached", timeout=PATIENCE)
        else:
            page.goto(f"{self.address}{TREES[self.name]}/notebooks/{lesson}.ipynb?reset")
            page.locator(".jp-Notebook .jp-CodeCell").first.wait_for(timeout=PATIENCE)
            page.wait_for_function(READY, timeout=PATIENCE)
            started = time.perf_counter()
            page.evaluate("() => void window.jupyterapp.commands.execute('notebook:run-all-cells')")
        if lesson in WIDGETS:
            widget = page.locator(WIDGETS[lesson]).first
            widget.wait_for(state="attached", timeout=PATIENCE)
            widget.evaluate("node => node.scrollIntoView()")  # a notebook draws only what is in sight
            widget.wait_for(timeout=PATIENCE)
        return time.perf_counter() - started


SERVE = (
    "import sys; from pathlib import Path; from nambarz_sim.app import serve; "
    "serve(int(sys.argv[1]), browser=False, folder=Path(sys.argv[2]))"
)
TREES = {"lab": "lab/tree", "notebook": "notebooks"}
READY = "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
"""Whether the kernel of the notebook in front waits for work; run sooner, a notebook would ask for a kernel."""
WIDGETS = {
    "02-explore-a-hand": ".nambarz-explorer",
    "03-check-a-calculation": ".nambarz-checker",
    "04-play-against-the-computer": ".nambarz-table",
    "05-simulate-a-batch": ".nambarz-batch",
}
"""The lessons with a widget, and what it looks like from outside."""


WAITING = ".voila-skeleton-container"
"""What stands on a page in place of an output that is not there yet."""


def settled(page: Page) -> None:
    """Wait until every cell of a lesson has run, and its output is there."""
    if page.locator(".jp-NotebookPanel").count():
        expect(page.locator(".jp-InputPrompt", has_text="[*]")).to_have_count(0, timeout=LESSON_PATIENCE)
        expect(page.locator(".jp-CodeCell .jp-InputPrompt", has_text="[ ]")).to_have_count(0, timeout=PATIENCE)
    else:
        expect(page.locator(WAITING)).to_have_count(0, timeout=LESSON_PATIENCE)


def environment(folder: Path, **more: str) -> dict[str, str]:
    """The variables of a server that knows nothing of this machine's Jupyter settings, and asks nobody for news."""
    settings = folder / "jupyter_config_dir/lab/user-settings/@jupyterlab/apputils-extension"
    settings.mkdir(parents=True)
    (settings / "notification.jupyterlab-settings").write_text(json.dumps(NO_NEWS))
    own = {name: value for name, value in os.environ.items() if not name.startswith(("JUPYTER", "IPYTHON"))}
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        own[name] = str(folder / name.lower())
    # A browser test runs what people run: compiled code.
    own.pop("NUMBA_DISABLE_JIT", None)
    return own | {"PYTHONUNBUFFERED": "1"} | more


@contextmanager
def started(name: str, lessons: Path, folder: Path, **more: str) -> Iterator[Door]:
    """Start a server on a free port of the loopback address; it ends, by its process number, when the block does."""
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if name == "pages":
        command = [sys.executable, "-m", "nambarz_sim", "app", "--no-browser", f"--port={port}"]
    elif name == "made pages":  # of notebooks that a test has made
        command = [sys.executable, "-c", SERVE, str(port), str(lessons)]
    else:
        module = {"lab": "jupyterlab", "notebook": "notebook"}[name]
        places = [f"--port={port}", f"--ServerApp.root_dir={lessons}"]
        command = [sys.executable, "-m", module, *places, *SERVER_OPTIONS]
    log = folder / "log.txt"
    address = f"http://127.0.0.1:{port}/"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, env=environment(folder, **more), cwd=folder, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        _wait_for(server, address, log)
        yield Door(name, address)
    finally:
        server.terminate()
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait_for(server: subprocess.Popen[bytes], address: str, log: Path) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(address, timeout=10):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    raise RuntimeError(f"no answer from {address}:\n{log.read_text(errors='replace')[-3000:]}")
