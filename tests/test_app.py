"""The lessons as web pages: what the start page reads, the command, and how it ends; the pages themselves in `browser`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from jupyter_server.services.kernels.websocket import KernelWebsocketHandler

from nambarz_sim.app import Lesson, notebooks_folder, read_lessons
from nambarz_sim.prompt_sockets import PromptConnection

COMMAND = [sys.executable, "-m", "nambarz_sim", "app"]


def notebook(*cells: str) -> str:
    written = [
        {"cell_type": "markdown", "id": f"c{place}", "metadata": {}, "source": cell} for place, cell in enumerate(cells)
    ]
    return json.dumps({"cells": written, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_lessons_say_what_they_are_for(tmp_path: Path) -> None:
    (tmp_path / "02-b.ipynb").write_text(notebook("# Second & last\n\n**Purpose:** to end.", "# No title"))
    (tmp_path / "01-a.ipynb").write_text(notebook("no heading, no purpose"))
    (tmp_path / "notes.txt").write_text("no notebook")
    assert read_lessons(tmp_path) == [
        Lesson("01-a.ipynb", "01-a", ""),
        Lesson("02-b.ipynb", "Second & last", "to end."),
    ]


def test_the_package_has_lessons() -> None:
    lessons = read_lessons(notebooks_folder())
    assert len(lessons) == 13
    assert all(lesson.title and lesson.purpose for lesson in lessons)


def test_the_messages_of_a_kernel_are_not_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    monkeypatch.setattr(ZMQChannelsWebsocketConnection, "connect", lambda _: done.append("connected"))
    handler = KernelWebsocketHandler.__new__(KernelWebsocketHandler)
    monkeypatch.setattr(handler, "set_nodelay", done.append)
    PromptConnection(websocket_handler=handler).connect()
    assert done == [True, "connected"]


def test_make_lab_has_the_same_connection() -> None:
    name = f"{PromptConnection.__module__}.{PromptConnection.__name__}"
    makefile = (Path(__file__).parents[1] / "Makefile").read_text(encoding="utf-8")
    assert f"--ServerApp.kernel_websocket_connection_class={name}" in makefile


@pytest.mark.parametrize("port", ["0", "65536", "x"])
def test_a_port_that_is_none_is_refused(port: str) -> None:
    done = subprocess.run([*COMMAND, "--port", port], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_voila_is_told_in_one_line_with_the_way_out() -> None:
    script = (
        "import sys, importlib.util as util; found = util.find_spec; "
        "util.find_spec = lambda name, *more: None if name == 'voila' else found(name, *more); "
        "sys.argv = ['nambarz', 'app']; from nambarz_sim.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stderr == "nambarz: app: 'voila' is not installed; install it with: python -m pip install voila\n"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl + C in a way of its own")
@pytest.mark.slow
def test_it_serves_on_this_computer_only_and_ends_at_an_interruption() -> None:
    server = subprocess.Popen(
        [*COMMAND, "--no-browser", "--port", "9463"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        told = server.stdout.readline()
        address = told.split()[4]
        assert address.startswith("http://127.0.0.1:94")
        with urllib.request.urlopen(address, timeout=120) as answer:
            page = answer.read().decode()
        assert all(lesson.title in page for lesson in read_lessons(notebooks_folder()))
        server.send_signal(signal.SIGINT)
        _, complaints = server.communicate(timeout=120)
    finally:
        server.kill()
    assert server.returncode == 130
    assert "Traceback" not in complaints
