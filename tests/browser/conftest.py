"""A browser, the three doors to the lessons, and a report of what was measured; all of it in one worker."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from doors import PATIENCE, Door, started
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from report import Report

SOURCE = Path(__file__).parents[2]
RUNS = SOURCE / "runs" / "browser"
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
expect.set_options(timeout=PATIENCE)
HEIGHTS = {1024: 768, 1920: 1080}
HARMLESS = (
    # Chromium says so of the first frames of any page whose widgets watch their own size.
    "ResizeObserver loop",
    # Notebook 7.6 says so of itself when it starts, with any notebook and without ours.
    "Cannot read properties of undefined (reading 'schema')",
)


@pytest.hookimpl(tryfirst=True)  # before the tests are given to workers by their groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder share one set of servers, and run only where the code is compiled."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.slow)
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def report() -> Iterator[Report]:
    RUNS.mkdir(parents=True, exist_ok=True)
    measured = Report()
    yield measured
    measured.write(RUNS)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    program = shutil.which("chromium")
    if program is None:
        pytest.fail("chromium: no such program; install it (apt-get install chromium), or leave out: -m 'not browser'")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the notebooks with their pictures, so that no test changes them."""
    folder = tmp_path_factory.mktemp("lessons")
    shutil.copytree(SOURCE / "docs", folder / "docs")
    shutil.copytree(SOURCE / "notebooks", folder / "notebooks", ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    return folder


@pytest.fixture(scope="session")
def door_named(lessons: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Door]]:
    """A door by its name, started when it is first asked for."""
    doors: dict[str, Door] = {}
    with ExitStack() as stack:

        def named(name: str) -> Door:
            if name not in doors:
                folder = tmp_path_factory.mktemp(name) / "server"
                # All of a machine's compiled code is there already, but for a door that is called cold.
                cold = {"NUMBA_CACHE_DIR": str(folder / "cache")} if name.startswith("cold ") else {}
                doors[name] = stack.enter_context(started(name.removeprefix("cold "), lessons, folder, **cold))
            return doors[name]

        yield named


@pytest.fixture(params=["pages", "lab"])
def door(request: pytest.FixtureRequest, door_named: Callable[[str], Door]) -> Door:
    return door_named(request.param)


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page of its own; what its console calls an error fails the test."""
    with chromium.new_context(viewport={"width": 1024, "height": HEIGHTS[1024]}) as context:
        page = context.new_page()
        errors: list[str] = []

        def note(text: str) -> None:
            if not any(harmless in text for harmless in HARMLESS):
                errors.append(text)

        def read(message: ConsoleMessage) -> None:
            if message.type == "error":
                note(f"{message.text} ({message.location.get('url', '')})")

        page.on("console", read)
        page.on("pageerror", lambda error: note(str(error)))
        yield page
        _leave(page)
        assert not errors


def _leave(page: Page) -> None:
    """End the kernels that a test used; half a gigabyte each, they would outgrow a small machine."""
    if page.evaluate("Boolean(window.jupyterapp)"):
        page.evaluate("async () => await window.jupyterapp.serviceManager.sessions.shutdownAll()")
        return
    settings = page.locator("#jupyter-config-data")
    kernel = json.loads(settings.text_content() or "{}").get("kernelId") if settings.count() else None
    address = page.evaluate("location.origin")
    page.goto("about:blank")
    if kernel:  # what a page asks for when it is closed; a browser that is being closed itself may not get to it
        page.request.post(f"{address}/voila/api/shutdown/{kernel}")


@pytest.fixture
def picture() -> Callable[[Page, str], None]:
    """Take pictures of a page, projector and laptop, for people to look at."""

    def take(page: Page, name: str) -> None:
        RUNS.mkdir(parents=True, exist_ok=True)
        for width, height in HEIGHTS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(300)  # the layout comes to rest
            page.screenshot(path=RUNS / f"{name}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1024, "height": HEIGHTS[1024]})

    return take
