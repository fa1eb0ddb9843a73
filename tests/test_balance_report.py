"""A balance as figures, as a report of one file, and on the command line."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from nambarz_sim import Rules, balance, variant_grid
from nambarz_sim.analysis import balance_measures as measures
from nambarz_sim.analysis.balance import Balance
from nambarz_sim.plots import (
    NotebookFigure,
    plot_grid,
    plot_numbers,
    plot_operations,
    plot_turn_order,
    plot_wildcards_dealt,
)
from nambarz_sim.reports.balance import write_balance_report

COMMAND = [sys.executable, "-m", "nambarz_sim", "balance"]
SMALL = ["--players", "2", "--wildcards", "beginner", "--operations", "+-", "--games", "20"]


@pytest.fixture(scope="module")
def found() -> Balance:
    return balance(variant_grid((2, 3), ("none", "beginner"), ("+-", "+-*/")), games=60, progress=False)


@pytest.fixture(scope="module")
def plain() -> Balance:
    """One variant without wildcards and with one operation: much is not measured."""
    return balance({"<b>plain & simple</b>": Rules(players=2, wildcards=0, operations="-")}, games=20, progress=False)


# --- figures ---------------------------------------------------------------------------------------------------------


def test_the_grid_shows_every_variant_with_its_interval(found: Balance) -> None:
    figure = plot_grid(found, measures.LEAD)
    assert [axes.get_title() for axes in figure.axes] == ["2 players", "3 players"]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["none", "beginner"]
    rows = found.table[found.table["measure"] == measures.LEAD]
    heights, ends = [], []
    for axes in figure.axes:
        for points, _, (bars,) in axes.containers:
            heights += points.get_ydata().tolist()
            ends += [part[:, 1].tolist() for part in bars.get_segments()]
    assert sorted(heights) == pytest.approx(sorted(rows["value"]))
    assert np.allclose(sorted(ends), sorted(rows[["low", "high"]].to_numpy().tolist()))


def test_series_differ_in_more_than_colour(found: Balance) -> None:
    axes = plot_grid(found, measures.TURNS).axes[0]
    lines = [container.lines[0] for container in axes.containers]
    assert len({line.get_marker() for line in lines}) == len({line.get_color() for line in lines}) == 2
    assert len({line.get_linestyle() for line in lines}) == 2


@pytest.mark.parametrize("draw", [plot_turn_order, plot_wildcards_dealt, plot_numbers, plot_operations])
def test_figures_tell_their_finding(found: Balance, draw) -> None:  # type: ignore[no-untyped-def]
    figure = draw(found)
    assert isinstance(figure, NotebookFigure)
    title = " ".join(figure.get_suptitle().split())
    assert "60 games a variant" in title
    assert title.partition(" (60 games")[0] in figure.description
    assert "95% interval" in figure.description
    assert figure.axes[0].get_ylabel()


def test_a_level_looks_alike_in_every_figure(found: Balance) -> None:
    def look(figure: NotebookFigure) -> str:
        (container,) = [each for each in figure.axes[0].containers if each.get_label() == "beginner"]
        return str(container.lines[0].get_color())

    assert look(plot_turn_order(found)) == look(plot_wildcards_dealt(found))


def test_unknown_measures_and_details_are_refused(found: Balance, plain: Balance) -> None:
    with pytest.raises(ValueError, match=r"measure: 'turns' is not known"):
        plot_grid(found, "turns")
    with pytest.raises(ValueError, match=r"detail of .*: '5th' is not known; known are 1st, 2nd, 3rd"):
        plot_grid(found, measures.WON, "5th")
    with pytest.raises(ValueError, match=r"was measured in no variant"):
        plot_grid(plain, measures.WORTH)


# --- the report ------------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """What a page holds."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.alternatives: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href", "srcset", "action")]
        self.alternatives += [value or "" for name, value in attrs if name == "alt"]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def read(path: Path) -> tuple[str, Reader]:
    text, reader = path.read_text(encoding="utf-8"), Reader()
    reader.feed(text)
    assert reader.open == []
    return text, reader


@pytest.fixture(scope="module")
def report(found: Balance, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("report") / "balance.html"
    write_balance_report(found, file, "nambarz balance --games 60")
    return file


def test_the_report_opens_offline(report: Path) -> None:
    text, page = read(report)
    assert page.addresses
    assert all(address.startswith("data:image/png;base64,") for address in page.addresses)
    assert not {"script", "link", "iframe"} & set(page.tags)
    assert not re.search(r"https?:|url\(|@import", re.sub(r"base64,[^\"]*", "", text))
    assert len(page.alternatives) == page.tags.count("img") >= 10
    assert all(len(each) > 40 for each in page.alternatives)
    assert page.tags.count("h1") == 1


def test_the_report_holds_findings_tables_and_how_to_repeat_it(found: Balance, report: Path) -> None:
    text, _ = read(report)
    told = [text.index(escape(sentence)) for sentence in found.findings()]
    assert told == sorted(told)
    assert told[-1] < text.index("<img")
    for name in measures.MEASURES:
        assert f"{name}: the table" in text
    for name in found.variants:
        assert text.count(f'<th scope="row">{name}</th>') >= 15
    assert "seed 1" in text
    assert "<code>nambarz balance --games 60</code>" in text
    assert "turn_limit = 1000" in text
    assert list(report.parent.iterdir()) == [report]


def test_texts_are_escaped(plain: Balance, tmp_path: Path) -> None:
    write_balance_report(replace(plain, left_out={"<i>x</i>": "<script>"}), tmp_path / "balance.html")
    text, page = read(tmp_path / "balance.html")
    assert "<b>plain" not in text
    assert "&lt;b&gt;plain &amp; simple&lt;/b&gt;" in text
    assert not {"i", "script"} & set(page.tags)


def test_a_report_that_cannot_be_written_leaves_nothing(plain: Balance, tmp_path: Path) -> None:
    (tmp_path / "folder.html").mkdir()
    with pytest.raises(ValueError, match="cannot be written"):
        write_balance_report(plain, tmp_path / "folder.html")
    assert list(tmp_path.iterdir()) == [tmp_path / "folder.html"]


def test_nothing_finished_is_no_report(plain: Balance, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no variant was finished"):
        write_balance_report(replace(plain, table=plain.table.iloc[:0]), tmp_path / "balance.html")


# --- the command -----------------------------------------------------------------------------------------------------


def run(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *words], capture_output=True, text=True, cwd=cwd, timeout=300)


def test_the_command_prints_findings_and_writes_the_report(tmp_path: Path) -> None:
    done = run(*SMALL, "--report", "found.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 variant, 20 games each")
    assert done.stderr == "found.html written\n"
    text, _ = read(tmp_path / "found.html")
    assert f"nambarz balance {shlex.join([*SMALL, '--report', 'found.html'])}" in text


def test_the_command_gives_the_table_of_the_library() -> None:
    table = balance(variant_grid((2,), ("beginner",), ("+-",)), games=20, progress=False).table
    rows = json.loads(run(*SMALL, "--json").stdout)
    assert [row["value"] for row in rows] == pytest.approx(table["value"].tolist())
    one = list(csv.DictReader(io.StringIO(run(*SMALL, "--measure", measures.WON, "--csv").stdout)))
    assert [row["detail"] for row in one] == ["1st", "2nd"]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--measure", "turns"], ["measure: 'turns'", "known are"]),
        (["--games", "0"], ["games: 0"]),
        (["--players", "two"], ["players: 'two' is not a whole number"]),
        (["--players", "1"], ["players: 1", "2 to 12"]),
        (["--players", "12", "--wildcards", "none"], ["variants: no combination", "hand_size"]),
        (["--wildcards", "beginer"], ["'beginer'", "'beginner'"]),
        (["--operations", "%"], ["'%' is no operation"]),
        (["--skilled", "thrity"], ["'thrity'", "'thrifty'"]),
        (["--report", "x.pdf"], ["x.pdf", ".html"]),
        (["--report", "nowhere/x.html"], ["nowhere/x.html"]),
        (["--rules-file", "none.toml"], ["none.toml", "does not exist"]),
        (["--csv", "--json"], ["give one of them"]),
    ],
)
def test_bad_input_gets_one_line_and_writes_nothing(words: list[str], parts: list[str], tmp_path: Path) -> None:
    done = run(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("nambarz: ")
    assert done.stderr.count("\n") == 1
    assert all(part in done.stderr for part in parts), done.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_shows_an_example_that_runs(tmp_path: Path) -> None:
    told = " ".join(run("--help").stdout.split())
    example = told.partition("Example: nambarz ")[2]
    compiled = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    line = f"{shlex.join(COMMAND[:-1])} {example}"
    done = subprocess.run(
        line, shell=True, capture_output=True, text=True, cwd=tmp_path, env=compiled, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "balance.html").exists()
