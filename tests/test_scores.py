"""Score sheets: what the engine makes of them, files as spreadsheets write them, every mistake by its cell, and print."""

from __future__ import annotations

import codecs
import csv
import io
import shlex
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nambarz_sim import Results, Rules, ScoreSheet, compare_scores, read_scores, score_sheet, simulate
from nambarz_sim.cards import data_folder
from nambarz_sim.classroom.score_check import read_table
from nambarz_sim.classroom.score_columns import Column, columns_of, recognise
from nambarz_sim.classroom.score_engine import points_by_place, points_by_stroke, stroke_sizes
from nambarz_sim.classroom.score_file import MOST_BYTES, MOST_COLUMNS, MOST_ROWS, cell_name, read_number
from nambarz_sim.classroom.score_grid import MOST_TOLD, ScoreProblems
from nambarz_sim.classroom.score_sheets import MOST_ROUNDS, Entries
from nambarz_sim.languages import LANGUAGES, in_language

NAMES = ("Ana", "Børge", "Chloé", "Dan-Ü", "Eñe", "Ĩñez", "Gáspár", "Hé", "Ì", "Jürgen", "Kł", "Łu")


@pytest.fixture(autouse=True)
def in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAMBARZ_LANG", "en")


def entries(places: Sequence[int | None], strokes: dict[int, dict[int, int]] | None = None) -> Entries:
    return Entries(tuple(places), tuple((strokes or {}).get(seat, {}) for seat in range(len(places))))


def sheet_of(rules: Rules, *rounds: Entries, play_offs: Sequence[Entries] = ()) -> ScoreSheet:
    teams = tuple(f"Team {team}" for team in range(len(rules.team_sizes or ())))
    return ScoreSheet(rules, NAMES[: rules.players], teams, tuple(rounds), tuple(play_offs))


# --- points and totals -----------------------------------------------------------------------------------------------


@pytest.mark.clause("R8.1")
@pytest.mark.clause("R8.2")
@pytest.mark.parametrize("players", range(2, 13))
def test_points_by_place_are_those_of_the_rules(players: int) -> None:
    assert points_by_place(Rules(players=players)) == [40, 32, 25, 19, 14][:players]


@pytest.mark.clause("R8.3")
def test_points_by_stroke_are_those_of_the_rules() -> None:
    assert points_by_stroke(Rules()) == {4: 7, 5: 14, 6: 21, 7: 28, 8: 35}
    assert stroke_sizes(Rules(operations="+")) == (4, 5, 6, 7)
    assert stroke_sizes(Rules(max_cards=3)) == ()


@pytest.mark.clause("R8.3")
@pytest.mark.clause("R9.1")
def test_totals_add_places_and_strokes_up() -> None:
    sheet = sheet_of(Rules(players=3, rounds=2), entries([2, 1, 3], {0: {4: 2, 5: 1}}), entries([1, 3, 2], {2: {8: 1}}))
    assert sheet.points == ((32 + 28, 40, 25), (40, 25, 32 + 35))
    assert sheet.totals == (100, 65, 92)
    assert sheet.places == (1, 3, 2)
    assert sheet.over


@pytest.mark.clause("R8.2")
@pytest.mark.clause("R8.3")
def test_with_six_the_unfinished_get_nothing() -> None:
    round_played = entries([1, 2, 3, 4, 5, None], {5: {4: 3}, 4: {4: 1}})
    assert sheet_of(Rules(players=6), round_played).totals == (40, 32, 25, 19, 21, 0)
    assert sheet_of(Rules(players=6, unfinished_bonus=True), round_played).totals[5] == 21


@pytest.mark.clause("R9.3")
def test_a_team_has_the_sum_of_its_players() -> None:
    sheet = sheet_of(Rules(players=4, team_sizes=(2, 2)), entries([1, 4, 2, 3], {1: {4: 1}}))
    assert sheet.party_totals == (40 + 19 + 7, 32 + 25)
    assert sheet.places == (1, 1, 2, 2)
    assert sheet.standings()["Total"].tolist() == [66, 57]


@pytest.mark.clause("R9.2")
def test_a_tie_is_played_off_and_totals_stay() -> None:
    rules = Rules(players=3, rounds=2)
    rounds = entries([1, 2, 3]), entries([2, 1, 3])
    tied = sheet_of(rules, *rounds)
    assert (tied.tied, tied.over, tied.places) == ((0, 1), False, (None, None, 3))
    assert "Ana, Børge are tied" in tied.state()
    decided = sheet_of(rules, *rounds, play_offs=[entries([2, 1, None])])
    assert (decided.over, decided.places, decided.totals) == (True, (2, 1, 3), (72, 72, 50))
    assert "Børge has won" in decided.state()
    alone = sheet_of(rules.replace(play_off="none"), *rounds)
    assert (alone.over, alone.places) == (True, (1, 1, 3))
    assert "share the first place" in alone.state()


# --- games of the engine, written down as a class would ---------------------------------------------------------------


def written_down(results: Results, game: int) -> str:
    """The file of a game of a batch: places and strokes only."""
    rules = results.rules
    parties = [f"Team {team}" if rules.team_sizes else NAMES[seat] for seat, team in enumerate(rules.teams)]
    rounds = results.rounds[results.rounds["game"] == game]
    players = results.players[results.players["game"] == game]
    sizes = [size for size in range(4, 9) if players[f"strokes_{size}"].any()]
    table: list[list[Any]] = [["Team", "Player"]] + [[parties[seat], NAMES[seat]] for seat in range(rules.players)]
    number = {False: 0, True: 0}
    for each in rounds.to_dict("records"):
        extra = bool(each["extra_round"])
        number[extra] += 1
        name = f"{'Play-off' if extra else 'Round'} {number[extra]}"
        table[0] += [f"{name} place", *(f"{name} strokes of {size} cards" for size in sizes)]
        seats = players[players["round"] == each["round"]].set_index("seat")
        for seat in range(rules.players):
            if seat not in seats.index:
                table[seat + 1] += [""] * (1 + len(sizes))
                continue
            row = seats.loc[seat]
            early = each["ended"] in ("stalled", "cut")
            place = row["place"] if row["finished"] or each["dealt_in"] <= 5 else "–" if early else ""
            table[seat + 1] += [place, *(row[f"strokes_{size}"] for size in sizes)]
    file = io.StringIO()
    csv.writer(file).writerows(table if rules.team_sizes else [row[1:] for row in table])
    return file.getvalue()


GAMES = {
    "two players who often tie": Rules(players=2, rounds=2),
    "every place is played off": Rules(players=4, rounds=3, play_off="all"),
    "nothing is played off": Rules(players=2, rounds=2, play_off="none"),
    "six": Rules(players=6, rounds=2),
    "teams": Rules(players=4, rounds=2, team_sizes=(2, 2)),
    "large teams": Rules(players=7, rounds=3, team_sizes=(3, 4), play_off="all"),
    "rounds that are cut": Rules(players=6, rounds=2, turn_limit=60),
    "unfinished keep their strokes": Rules(players=8, rounds=3, unfinished_bonus=True),
}


@pytest.mark.clause("R9.1")
@pytest.mark.clause("R9.2")
@pytest.mark.clause("R9.3")
@pytest.mark.parametrize("name", GAMES)
def test_games_written_down_and_read_back_are_those_of_the_engine(name: str, tmp_path: Path) -> None:
    rules = GAMES[name]
    results = simulate(rules, games=12, seed=5, progress=False)
    extra = 0
    for game in results.games.to_dict("records"):
        file = tmp_path / "class.csv"
        file.write_text(written_down(results, game["game"]), encoding="utf-8")
        sheet = read_scores(file, rules, NAMES[: rules.players])
        parties = range(max(rules.teams) + 1)
        assert sheet.party_totals == tuple(game[f"total_{party}"] for party in parties)
        assert sheet.places == tuple(game[f"place_{team}"] for team in rules.teams)
        assert (sheet.over, len(sheet.play_offs)) == (True, game["extra_rounds"])
        players = results.players[(results.players["game"] == game["game"]) & (results.players["round"] < rules.rounds)]
        assert [each for points in sheet.points for each in points] == players["points"].tolist()
        assert read_scores(sheet.to_csv(tmp_path / "again.csv", "de"), rules) == sheet
        extra += len(sheet.play_offs)
    assert extra or name not in ("two players who often tie", "every place is played off")


# --- files of spreadsheets ---------------------------------------------------------------------------------------------


def long_game(lang: str) -> tuple[ScoreSheet, list[list[str]]]:
    """A game with totals above a thousand, as the cells of a file in a language."""
    rounds = [entries([1, 2] if number % 3 else [2, 1], {1: {4: 1}}) for number in range(40)]
    sheet = ScoreSheet(Rules(players=2, rounds=40), ("Chloé; dite „Clo“", "Íñigo, el 2.º"), rounds=tuple(rounds))
    table = sheet.table(lang)
    return sheet, [list(map(str, row)) for row in (table.columns, *table.to_numpy().tolist())]


SPREADSHEETS = [
    # language, separator, sign for thousands, decimal mark, encoding
    ("en", ",", ",", ".", "utf-8-sig"),
    ("en", ",", " ", ".", "cp1252"),
    ("en", "\t", ",", ".", "utf-16"),
    ("es", ";", ".", ",", "utf-8-sig"),
    ("es", ";", "\N{NO-BREAK SPACE}", ",", "cp1252"),
    ("fr", ";", "\N{NARROW NO-BREAK SPACE}", ",", "utf-8"),
    ("fr", "\t", "\N{NO-BREAK SPACE}", ",", "utf-16"),
    ("de", ";", ".", ",", "cp1252"),
    ("de", ";", "'", ",", "utf-8-sig"),
    ("de", "\t", ".", ",", "utf-16"),
]


@pytest.mark.parametrize("decimals", [0, 2])
@pytest.mark.parametrize(("lang", "separator", "thousands", "decimal", "encoding"), SPREADSHEETS)
def test_files_are_read_as_spreadsheets_write_them(
    lang: str, separator: str, thousands: str, decimal: str, encoding: str, decimals: int, tmp_path: Path
) -> None:
    sheet, rows = long_game(lang)
    rows = [[*row, "", ""] for row in rows]
    for row in rows[1:]:
        for place, cell in enumerate(row):
            if cell.isdecimal():
                number = f"{int(cell):,}".replace(",", thousands)
                row[place] = number + (decimal + "0" * decimals if decimals else "")
    assert any(thousands in cell for cell in rows[1][1:])
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=separator, lineterminator="\r\n").writerows([*rows, [""] * len(rows[0]), []])
    text = file.getvalue()
    if encoding != "cp1252":
        text = unicodedata.normalize("NFD", text)
    (tmp_path / "class.csv").write_bytes(text.encode(encoding))
    assert (
        read_scores(tmp_path / "class.csv", sheet.rules, [unicodedata.normalize("NFD", n) for n in sheet.names])
        == sheet
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_sheet_comes_back_from_its_file(lang: str, tmp_path: Path) -> None:
    sheet, _ = long_game(lang)
    content = sheet.to_csv(tmp_path / "class.csv", lang).read_bytes()
    assert content.startswith(codecs.BOM_UTF8)
    assert content.count(b"\r\n") == 3
    assert (b";" in content.splitlines()[0]) == (lang != "en")
    assert read_scores(tmp_path / "class.csv", sheet.rules) == sheet
    assert read_table(sheet.table(lang), sheet.rules) == sheet
    empty = ScoreSheet.template(Rules(players=5, rounds=3, team_sizes=(2, 3)), lang=lang)
    assert read_scores(empty.to_csv(tmp_path / "empty.csv", lang), empty.rules) == empty


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_header_is_recognised(lang: str) -> None:
    columns = columns_of(True, 12, 3, range(4, 13))
    with in_language(lang):
        headers = [column.header for column in columns]
    assert len(set(headers)) == len(headers)
    for header, column in zip(headers, columns, strict=True):
        assert recognise(header) == recognise(header, lang) == recognise(f" {header.upper()}: ") == column
        assert recognise(unicodedata.normalize("NFD", header)) == column
        assert not any(sign in header for sign in ",;\t{}")


def test_columns_may_stand_in_any_order_and_rows_of_a_team_apart(tmp_path: Path) -> None:
    text = (
        "sep=;\nTotal;Round 1 place;Team;;Player;Round 1 strokes of 5 cards\n"
        "40;1;red;;Ana;\n39;3;blue;;Ben;1\n\n32;2;red;;Cy;0\n19;4;blue;;Dot;\n"
    )
    (tmp_path / "class.csv").write_text(text, encoding="utf-8")
    sheet = read_scores(tmp_path / "class.csv")
    assert (sheet.names, sheet.teams) == (("Ana", "Cy", "Ben", "Dot"), ("red", "blue"))
    assert (sheet.totals, sheet.party_totals) == ((40, 32, 39, 19), (72, 58))


@pytest.mark.parametrize(
    ("cell", "decimal", "value"),
    [
        ("1250", ",", 1250), ("1.250", ",", 1250), ("1.250", ".", None), ("1,250", ".", 1250),
        ("1,250", ",", None), ("1 250", ",", 1250), ("1\u202f250,0", ",", 1250), ("1'250", ".", 1250),
        ("1\u2019250.00", ".", 1250), ("12.50", ",", None), ("40,0", ",", 40), ("40.0", ".", 40),
        ("40.0", ",", 40), ("40,00", ".", 40), ("40,5", ",", None), ("1.25", ",", None), ("1,000", ",", 1),
        ("1,000", ".", 1000), ("-4", ",", None), ("+4", ",", None), ("\u0664", ",", None), ("4e1", ".", None),
        ("12 50", ",", None), ("", ",", None), ("999999999999", ",", None), ("1.250.000", ",", 1250000),
        ("1.2500", ",", None),
    ],
)  # fmt: skip
def test_numbers(cell: str, decimal: str, value: int | None) -> None:
    assert read_number(cell, decimal) == value


# --- mistakes ----------------------------------------------------------------------------------------------------------

GOOD = """Player,Round 1 place,Round 1 strokes of 4 cards,Round 1 points,Round 2 place,Round 2 points,\
Total,Play-off 1 place,Play-off 1 points,Final place
Ana,1,,40,2,32,72,2,32,2
Ben,2,,32,1,40,72,1,40,1
Chloé,3,1,32,3,25,57,,,3
Dan,4,,19,4,19,38,,,4
""".replace("\\\n", "")
"""Two rounds of four players; two of them are tied and play it off."""
TEAMS = """Team,Player,Round 1 place,Round 1 points,Total,Team total,Final place
red,Ana,1,40,40,72,1
red,Ben,2,32,32,72,1
blue,Chloé,3,25,25,44,2
blue,Dan,4,19,19,44,2
"""
SIX = """Player,Round 1 place,Round 1 points,Total,Final place
A,1,40,40,1
B,2,32,32,2
C,3,25,25,3
D,4,19,19,4
E,5,14,14,5
F,,0,0,6
"""


def edited(text: str, **cells: str) -> str:
    """A file with other values in some cells, which may lie behind or below the others."""
    rows = list(csv.reader(io.StringIO(text)))
    for cell, value in cells.items():
        row, column = int(cell[1:]) - 1, ord(cell[0]) - ord("A")
        rows += [[] for _ in range(row + 1 - len(rows))]
        rows[row] += [""] * (column + 1 - len(rows[row]))
        rows[row][column] = value
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue()


def problems_of(
    folder: Path, text: str, rules: Rules | None = None, names: Sequence[str] | None = None
) -> dict[str, str]:
    """The mistakes by their cells; all are told in the message, too."""
    file = folder / "class.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ScoreProblems) as error:
        read_scores(file, rules, names)
    for problem in error.value.problems:
        assert f'row {problem.row}, column "{problem.column}" ({problem.cell}): {problem.message}' in str(error.value)
    return {problem.cell: problem.message for problem in error.value.problems}


def test_good_sheets_are_good(tmp_path: Path) -> None:
    for text in (GOOD, TEAMS, SIX):
        (tmp_path / "class.csv").write_text(text, encoding="utf-8")
        sheet = read_scores(tmp_path / "class.csv")
        assert sheet.over
        assert None not in sheet.places


ONE_MISTAKE: list[tuple[str, dict[str, str], dict[str, str]]] = [
    (GOOD, {"B2": "5"}, {"B2": "from 1 to 4"}),
    (GOOD, {"B2": "0"}, {"B2": "from 1 to 4"}),
    (GOOD, {"B2": "first"}, {"B2": "whole number"}),
    (GOOD, {"B2": "1.5"}, {"B2": "whole number"}),
    (GOOD, {"B2": ""}, {"B2": "the place is missing"}),
    (GOOD, {"B2": "-"}, {"B2": "everybody has one"}),
    (GOOD, {"B3": "1"}, {"B2": "twice, see B3", "B3": "twice, see B2"}),
    (GOOD, {"D4": "25"}, {"D4": "make 32 (R8)"}),
    (GOOD, {"C4": ""}, {"D4": "make 25 (R8)", "G4": "add up to 50"}),
    (GOOD, {"C4": "-1"}, {"C4": "from 0 to 99"}),
    (GOOD, {"G2": "71"}, {"G2": "71 is given, and the points of the rounds add up to 72 (R9.1)"}),
    (GOOD, {"J5": "3"}, {"J5": "make 4 (R9)"}),
    (GOOD, {"J2": "1"}, {"J2": "make 2 (R9)"}),
    (GOOD, {"H4": "3"}, {"H4": "only who is tied plays an extra round: Ana, Ben"}),
    (GOOD, {"H2": "1"}, {"H2": "twice", "H3": "twice"}),
    (GOOD, {"H2": "3"}, {"H2": "2 play in this round"}),
    (GOOD, {"H3": ""}, {"H3": "missing"}),
    (GOOD, {"I3": "32"}, {"I3": "make 40 (R8)"}),
    (GOOD, {"A3": ""}, {"A3": "the name is missing"}),
    (GOOD, {"A3": "Ana"}, {"A2": "twice, see A3", "A3": "twice, see A2"}),
    (GOOD, {"A3": "x" * 61}, {"A3": "longer than 60"}),
    (GOOD, {"C1": "Round 1 strokes of 3 cards"}, {"C4": "they have 4 to 8 cards"}),
    (GOOD, {"C1": "Round 1 strokes of 9 cards"}, {"C4": "they have 4 to 8 cards"}),
    (GOOD, {"C1": "Notes"}, {"C1": "'Notes' is no column", "D4": "", "G4": ""}),
    (GOOD, {"E1": "Round 1 place"}, {"E1": "twice, see B1", "K1": "the column is missing"}),
    (GOOD, {"E1": ""}, {"K1": "the column is missing", **{f"E{row}": "without a header" for row in range(2, 6)}}),
    (GOOD, {"E1": "Round 0 place"}, {"E1": "no such round", "K1": "the column is missing"}),
    (GOOD, {"L3": "7"}, {"L3": "without a header"}),
    (GOOD, {"B6": "2"}, {"A6": "the name is missing", "B3": "twice", "B6": "twice", "E6": "missing"}),
    (TEAMS, {"F3": "71"}, {"F3": "totals add up to 72 (R9.3)"}),
    (TEAMS, {"E3": "31"}, {"E3": "add up to 32"}),
    (TEAMS, {"G5": "1"}, {"G5": "make 2"}),
    (TEAMS, {"A3": ""}, {"A3": "the name is missing"}),
    (TEAMS, {"A3": "blue"}, {"A2": "two players or more"}),
    (SIX, {"B7": "7"}, {"B7": "from 1 to 6"}),
    (SIX, {"B6": ""}, {"B6": "put –", "B7": "put –"}),
    (SIX, {"B4": "6"}, {"B5": "nobody has place 3"}),
    (SIX, {"B4": "5"}, {"B4": "twice", "B6": "twice"}),
    (SIX, {"B7": "5"}, {"B6": "twice", "B7": "twice"}),
    (SIX, {"C7": "14"}, {"C7": "make 0"}),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(ONE_MISTAKE)))
def test_each_mistake_is_named_by_its_cell(number: int, tmp_path: Path) -> None:
    text, cells, expected = ONE_MISTAKE[number]
    found = problems_of(tmp_path, edited(text, **cells))
    for cell, words in expected.items():
        assert words in found.get(cell, "nothing is wrong")
    assert set(found) == set(expected)


def test_all_mistakes_are_listed(tmp_path: Path) -> None:
    found = problems_of(
        tmp_path, edited(GOOD, A3="Bob", B4="1", D5="20", F2="31", G5="39", L3="7"), names=NAMES_OF_GOOD
    )
    assert list(found) == ["B2", "F2", "A3", "L3", "B4", "D5", "G5", "A6"]


NAMES_OF_GOOD = ("Ana", "Ben", "Chloé", "Dan")


def test_players_who_are_missing_or_unknown_are_named(tmp_path: Path) -> None:
    three = GOOD.rsplit("Dan", 1)[0]
    assert problems_of(tmp_path, three, names=NAMES_OF_GOOD) == {"A5": "'Dan' is missing"}
    assert "the game has 4" in problems_of(tmp_path, three, Rules(rounds=2))["A5"]
    found = problems_of(tmp_path, edited(GOOD, A3="Benn"), names=NAMES_OF_GOOD)
    assert found == {"A3": "'Benn' is not one of the players; did you mean 'Ben'?", "A6": "'Ben' is missing"}
    assert problems_of(tmp_path, edited(GOOD, A6="Eva", B6="1"), Rules(rounds=2))["A6"].startswith(
        "one player too many"
    )
    with pytest.raises(ValueError, match="names: 3 given for 4"):
        read_scores(tmp_path / "class.csv", Rules(), NAMES[:3])


SIX_IN_PAIRS = Rules(players=6, team_sizes=(2, 4))


def test_what_the_rules_say_is_compared(tmp_path: Path) -> None:
    assert problems_of(tmp_path, GOOD, Rules(rounds=3)) == {"K1": "the column is missing"}
    assert set(problems_of(tmp_path, GOOD, Rules(rounds=1))) >= {"E1", "F1"}
    assert "none in the rules" in problems_of(tmp_path, TEAMS, Rules())["A1"]
    assert "column is missing" in problems_of(tmp_path, SIX, Rules(players=6, team_sizes=(3, 3)))["F1"]
    wrong = problems_of(
        tmp_path, edited(SIX, F1="Team", **{f"F{row}": "ab"[row > 4] for row in range(2, 8)}), SIX_IN_PAIRS
    )
    assert wrong == {"F1": "the teams have 3, 3 players here, and 2, 4 by the rules"}
    assert "no master stroke" in problems_of(tmp_path, GOOD, Rules(rounds=2, max_cards=3))["C4"]
    assert "nothing is played off" in problems_of(tmp_path, GOOD, Rules(rounds=2, play_off="none"))["H2"]


@pytest.mark.parametrize(
    ("cells", "state"),
    [
        (
            {f"{column}{row}": "" for column in "EFGHIJ" for row in range(2, 6)},
            "Not over yet: 1 of 2 rounds are played.",
        ),
        ({f"{column}{row}": "" for column in "HI" for row in (2, 3)} | {"J2": "", "J3": ""}, "Ana, Ben are tied"),
        ({"D2": "", "F4": "", "G5": "", "I3": "", "J4": ""}, "The game is over; Ben has won."),
    ],
)
def test_what_is_not_played_yet_or_not_added_up_is_no_mistake(
    cells: dict[str, str], state: str, tmp_path: Path
) -> None:
    (tmp_path / "class.csv").write_text(edited(GOOD, **cells), encoding="utf-8")
    sheet = read_scores(tmp_path / "class.csv")
    assert state in sheet.state()
    assert sheet.points[0] == (40, 32, 32, 19)


def test_a_game_that_is_not_over_has_no_final_places_and_no_play_off(tmp_path: Path) -> None:
    unplayed = {f"{column}{row}": "" for column in "EFG" for row in range(2, 6)}
    found = problems_of(tmp_path, edited(GOOD, **unplayed))
    assert set(found) == {f"{column}{row}" for column in "HI" for row in (2, 3)} | {f"J{row}" for row in range(2, 6)}
    empty = {f"{column}{row}": "" for column in "HI" for row in (2, 3)}
    found = problems_of(tmp_path, edited(GOOD, **empty, J2="1"))
    assert set(found) == {"J2", "J3"}
    assert "played off first, by Ana, Ben" in found["J2"]
    assert found["J3"] == found["J2"]
    skipped = edited(GOOD, **empty, J2="", J3="", K1="Play-off 2 place", K2="1", K3="2")
    assert "the play-off before it is empty" in problems_of(tmp_path, skipped)["K2"]


def test_who_has_not_finished_a_round_that_ended_early_has_a_dash(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text(
        edited(SIX, B5="–", C5="0", D5="", E5="", B6="-", C6="", D6="", E6="", B7="—", E7="")
    )
    assert read_scores(tmp_path / "class.csv").totals == (40, 32, 25, 0, 0, 0)


# --- any change at all -------------------------------------------------------------------------------------------------

VALUES = st.one_of(
    st.integers(-2, 130).map(str),
    st.sampled_from(
        ["", "-", "–", "1.0", "1,0", "x", "1 000", "=1", "'", '"', "Ana", "Total", "Player", "Round 2 points"]
    ),
    st.text(max_size=8),
)


def outcome(work: Callable[..., ScoreSheet], *arguments: Any, **named: Any) -> ScoreSheet | ValueError:
    """What is made, or the error."""
    try:
        return work(*arguments, **named)
    except ValueError as error:
        return error


@settings(
    max_examples=300, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.sampled_from([GOOD, TEAMS, SIX]), st.integers(0, 6), st.integers(0, 10), VALUES)
def test_a_changed_cell_is_right_or_named(tmp_path: Path, text: str, row: int, column: int, value: str) -> None:
    file = tmp_path / "class.csv"
    cell = cell_name(row, column)
    file.write_text(edited(text, **{cell: value}), encoding="utf-8", newline="")
    sheet = outcome(read_scores, file)
    if isinstance(sheet, ScoreProblems):
        # A cell may be wrong only beside another one of its row, such as strokes beside points; a header for a column.
        # A team that lost a player, and a place that nobody has now, are seen at others' cells.
        assert (
            row in (0, *(problem.row - 1 for problem in sheet.problems))
            or cell in " ".join(problem.message for problem in sheet.problems)
            or (text == TEAMS and column == 0)
            or any("nobody has place" in problem.message for problem in sheet.problems)
        )
        return
    if isinstance(sheet, ValueError):
        assert str(sheet).startswith("file: ")
        assert "\n" not in str(sheet)
        return
    # It was taken: then the sheet says what the file says, in every cell that is not empty.
    table = sheet.table("en")
    rows = list(csv.reader(io.StringIO(file.read_text(encoding="utf-8"))))
    order = {name: place for place, name in enumerate(sheet.names)}
    at = rows[0].index("Player")
    for line in [line for line in rows[1:] if any(cell.strip() for cell in line)]:
        for header, cell in zip(rows[0], line, strict=False):
            if cell.strip() and header:
                kept = str(
                    table[recognise(header).header][order[unicodedata.normalize("NFC", " ".join(line[at].split()))]]
                )
                written = " ".join(cell.split())
                if written in ("-", "–"):  # not finished: a hyphen stands for the dash
                    written = kept if kept in ("-", "–") else written
                assert kept == written or (read_number(cell.strip(), ".") or 0) == int(kept or 0)


# --- hostile names and files -------------------------------------------------------------------------------------------

HOSTILE = (
    "=1+1", "+49", "-Ana", "@SUM(A1)", "'=x", "''", "\uff1dA1", "<script>alert(1)</script>", 'a "quoted", one', "a;=1+1",
    "Ana,=2", "O'Hara",
)  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_hostile_names_come_back_and_are_no_formulas(lang: str, tmp_path: Path) -> None:
    sheet = ScoreSheet.template(Rules(players=12), HOSTILE, lang=lang)
    assert sheet.names == HOSTILE
    file = sheet.to_csv(tmp_path / "class.csv", lang)
    assert read_scores(file, sheet.rules, HOSTILE) == sheet
    lines = file.read_text(encoding="utf-8-sig").splitlines()
    for separator in ",;\t":  # whatever a spreadsheet takes for the separator
        for row in csv.reader(lines, delimiter=separator):
            assert not [cell for cell in row if cell.strip('" ')[:1] in tuple("=+-@\uff1d") and cell.strip('" ')]
    page = sheet._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(min_size=1, max_size=20), min_size=2, max_size=12), st.sampled_from(list(LANGUAGES)))
def test_any_names_come_back_or_are_refused(tmp_path: Path, names: list[str], lang: str) -> None:
    sheet = outcome(ScoreSheet.template, Rules(players=len(names)), names, lang=lang)
    if isinstance(sheet, ValueError):
        assert str(sheet).startswith("names")
        return
    assert [unicodedata.normalize("NFC", " ".join(name.split())) for name in names] == list(sheet.names)
    assert read_scores(sheet.to_csv(tmp_path / "names.csv", lang), sheet.rules, sheet.names) == sheet


HEAD = "Player,Round 1 place"
NO_SHEETS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "only a mark": (codecs.BOM_UTF8 + b"\r\n\r\n", "is empty"),
    "two header lines": (f"{HEAD}\n{HEAD}\nA,1\nB,2\n".encode(), "two header lines, rows 1 and 2"),
    "two header lines in two languages": (f"{HEAD}\nJoueur,Manche 1 rang\nA,1\n".encode(), "two header lines"),
    "a line above": (f"Class 4b\n{HEAD}\nA,1\nB,2\n".encode(), "two header lines, rows 1 and 2"),
    "no header": (b"Ana,1\nBen,2\n", "has no header line"),
    "prose": (b"Dear all, we played a game.\nBest wishes\n", "has no header line"),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no table of text"),
    "a spreadsheet's own file": (b"PK\x03\x04\x14\x00\x06\x00", "no table of text"),
    "half of a mark": (codecs.BOM_UTF16_LE + b"a", "no table of text"),
    "an open quote": (f'{HEAD}\n"Ana,1\nBen,2\n'.encode(), "no table of text"),
    "too large": (HEAD.encode() + b"\n" * MOST_BYTES, "larger than 1 MiB"),
    "too many rows": (f"{HEAD}\n{f'A,1{chr(10)}' * MOST_ROWS}".encode(), "more than 200 rows"),
    "too many columns": (f"{HEAD}\nA{',1' * MOST_COLUMNS}\n".encode(), "or 2,000 columns"),
}


@pytest.mark.parametrize("name", NO_SHEETS)
def test_what_is_no_sheet_gets_one_sentence(name: str, tmp_path: Path) -> None:
    content, words = NO_SHEETS[name]
    (tmp_path / "class.csv").write_bytes(content)
    with pytest.raises(ValueError, match=r"^file: ") as error:
        read_scores(tmp_path / "class.csv")
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert not isinstance(error.value, ScoreProblems)


LARGE = [
    f"{HEAD}\n" + "x,1,2,3,4,5,6,7,8,9\n" * 190,
    f"{HEAD}\n{'x' * 60_000},1\nBen,{'1' * 60_000}\n",
    f"{HEAD},{','.join(map(str, range(1900)))}\n" + "1," * 1900,
    '"' * 200_000,
    "Player,Round 9999999999999999 place,Round 1 place\nA,1,1\nB,2,2\n",
]


@pytest.mark.parametrize("number", range(len(LARGE)))
def test_messages_stay_short_enough_to_read(number: int, tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text(LARGE[number], encoding="utf-8")
    with pytest.raises(ValueError, match=r"class\.csv") as error:
        read_scores(tmp_path / "class.csv")
    assert len(str(error.value)) < 200_000
    assert max(map(len, str(error.value).splitlines())) < 300
    assert len(str(error.value).splitlines()) <= MOST_TOLD + 2


def test_refused_arguments(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"file: .* cannot be read: No such file"):
        read_scores(tmp_path / "none.csv")
    with pytest.raises(ValueError, match=r"file: .* cannot be read: Is a directory"):
        read_scores(tmp_path)
    with pytest.raises(ValueError, match="rounds: 100 are too many"):
        score_sheet(Rules(rounds=MOST_ROUNDS + 1))
    with pytest.raises(ValueError, match="names: 2 given for 4"):
        score_sheet(Rules(), ["Ana", "Ben"])
    with pytest.raises(ValueError, match="names: 'Ana' is there twice"):
        ScoreSheet.template(Rules(players=2), ["Ana", "Ana"])
    with pytest.raises(ValueError, match="names: '' cannot be used, the name is missing"):
        ScoreSheet.template(Rules(players=2), ["Ana", " "])
    with pytest.raises(ValueError, match=r"output: .* does not end in \.csv"):
        ScoreSheet.template(Rules()).to_csv(tmp_path / "class.xls")
    with pytest.raises(ValueError, match="size: 'A5' is not known; known are A4, Letter"):
        score_sheet(Rules(), size="A5")
    assert not list(tmp_path.iterdir())


# --- on paper ------------------------------------------------------------------------------------------------------------

PRINTED = {
    "short": (Rules(players=4), "A4", 1),
    "usual": (Rules(players=4, rounds=3), "A4", 1),
    "usual on Letter": (Rules(players=4, rounds=3), "Letter", 1),
    "many players": (Rules(players=12, rounds=3), "A4", 2),
    "teams": (Rules(players=6, rounds=5, team_sizes=(2, 4), play_off="all"), "Letter", 2),
    "nothing is played off": (Rules(players=5, play_off="none", max_cards=3), "A4", 1),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", PRINTED)
def test_printed_sheets(name: str, lang: str) -> None:
    rules, size, pages = PRINTED[name]
    paper = score_sheet(rules, NAMES[: rules.players], lang, size=size)
    document = pypdfium2.PdfDocument(paper.to_bytes())
    assert len(document) == pages
    told = " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())
    with in_language(lang):
        heads = [Column(kind).header for kind in ("player", "final")]
    for words in (*NAMES[: rules.players], *heads, *map(str, points_by_place(rules))):
        assert words in told
        assert words in paper.text
    for placed in paper.placed:
        assert placed.x >= paper.margin - 0.1
        assert placed.x + placed.width <= paper.width - paper.margin + 0.1
        assert placed.y + placed.height <= paper.height - paper.margin + 0.5
    grey = np.asarray(document[0].render(scale=1).to_pil().convert("L"))
    assert 0.01 < (grey < 128).mean() < 0.3


def test_every_player_has_a_row_and_every_round_its_columns() -> None:
    rules = Rules(players=5, rounds=4)
    rows = [line for line in score_sheet(rules, lang="en").text.splitlines() if line.startswith("____ |")]
    heads = [line for line in score_sheet(rules, lang="en").text.splitlines() if line.startswith("Player |")]
    assert len(rows) == 5 * len(heads)
    columns = [head for line in heads for head in line.split(" | ")]
    for number in range(1, 5):
        assert [f"Round {number}: {each}" in columns for each in ("Place", "4", "8", "9", "Points")] == [1, 1, 1, 0, 1]
    assert columns.count("Total") == columns.count("Final place") == 1


# --- beside a simulation ------------------------------------------------------------------------------------------------


def as_sheet(results: Results, game: int, folder: Path) -> ScoreSheet:
    file = folder / "game.csv"
    file.write_text(written_down(results, game), encoding="utf-8")
    return read_scores(file, results.rules)


@pytest.mark.parametrize("rules", [Rules(players=2, rounds=2), Rules(players=4, rounds=2, team_sizes=(2, 2))])
def test_a_class_of_simulated_games_has_their_figures(rules: Rules, tmp_path: Path) -> None:
    results = simulate(rules, games=250, seed=2, progress=False)
    few = simulate(rules, games=250 // 200, seed=2, progress=False)
    found = compare_scores(as_sheet(few, 0, tmp_path), results, lang="en")
    table = found.table
    points = results.players[results.players["round"] < 2].groupby(["game", "round"])["points"]
    expected = points.agg(["mean", "max", "min"])
    assert table.loc["points a round and player", "simulated_value"] == pytest.approx(expected["mean"].mean())
    spread = "points from first to last in a round"
    assert table.loc[spread, "simulated_value"] == pytest.approx((expected["max"] - expected["min"]).mean())
    assert table.loc[spread, "class_value"] == pytest.approx((expected["max"] - expected["min"])[0].mean())
    strokes = results.summary().loc["master strokes a round"]
    assert table.loc["master strokes a round", "simulated_value"] == pytest.approx(strokes["value"])
    assert table.loc["master strokes a round", ["simulated_low", "simulated_high"]].tolist() == pytest.approx(
        strokes[["low", "high"]].tolist()
    )
    totals = results.games[[column for column in results.games if column.startswith("total_")]]
    tied = totals.eq(totals.max(axis=1), axis=0).sum(axis=1) > 1
    assert table.loc["games with a tie for the first place", "simulated_value"] == pytest.approx(tied.mean())
    extra = table.loc["extra rounds a game"]
    assert extra["simulated_value"] == pytest.approx(results.games["extra_rounds"].mean())
    assert (extra["n"], extra["simulated_n"], table.loc[spread, "n"]) == (1, 250, 2)
    assert len(found.sentences) == len(table)
    assert (table["lowest"] <= table["highest"]).all()


def test_a_figure_outside_is_said_to_be_outside() -> None:
    rules = Rules(players=2)
    results = simulate(rules, games=600, seed=1, progress=False)
    dull, wild = sheet_of(rules, entries([1, 2])), sheet_of(rules, entries([1, 2], {0: {8: 4}}))
    inside = compare_scores([dull, dull, dull], results, "en")
    assert inside.table["inside"].all()
    assert all("and so does the class" in sentence for sentence in inside.sentences)
    outside = compare_scores([wild, dull, wild], results, "en")
    rows = outside.table
    assert not rows.loc[["master strokes a round", "master strokes of 8 cards a round"], "inside"].any()
    assert rows.loc["master strokes of 8 cards a round", "class_value"] == pytest.approx(8 / 3)
    assert "and the class does not" in str(outside)
    assert rows.loc["points a round and player", "class_value"] == pytest.approx((3 * 72 + 8 * 35) / 6)
    for lang in LANGUAGES:
        assert not set("{}") & set(str(compare_scores(dull, results, lang)))


def test_only_like_is_compared_with_like() -> None:
    rules = Rules(players=2)
    results = simulate(rules, games=300, progress=False)
    played = sheet_of(rules, entries([1, 2]))
    with pytest.raises(ValueError, match="sheets: no round is played"):
        compare_scores(sheet_of(rules), results)
    with pytest.raises(ValueError, match=r"results: the rules are not the same, operations is \+- and"):
        compare_scores(sheet_of(rules.replace(operations="+-"), entries([1, 2])), results)
    with pytest.raises(ValueError, match="sheets: the rules are not the same, rounds is 1 and 2"):
        compare_scores([played, sheet_of(rules.replace(rounds=2), entries([1, 2]), entries([1, 2]))], results)
    with pytest.raises(ValueError, match="300 simulated games are too few beside 2; simulate at least 400"):
        compare_scores([played, played], results)


# --- the command ---------------------------------------------------------------------------------------------------------


def run(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "nambarz_sim", "scores", *words], capture_output=True, text=True, cwd=cwd, timeout=300
    )


def test_the_command_makes_and_checks_sheets(tmp_path: Path) -> None:
    names = ["--names", "Ana,Ben,Chloé", "--rounds", "2"]
    assert run("print", "--output", "sheet.pdf", *names, cwd=tmp_path).returncode == 0
    assert run("template", "--output", "class.csv", *names, "--lang", "fr", cwd=tmp_path).returncode == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["class.csv", "sheet.pdf", "sheet.txt"]
    assert "0 of 2 rounds" in run("check", "class.csv", "--lang", "en", cwd=tmp_path).stdout
    (tmp_path / "class.csv").write_text(GOOD, encoding="utf-8")
    done = run("check", "class.csv", "--operations", "+-", "--output", "all.csv", "--simulate", "300", cwd=tmp_path)
    assert done.returncode == 0
    assert "The game is over; Ben has won." in done.stdout
    assert "points a round and player: 29.88" in done.stdout
    assert read_scores(tmp_path / "all.csv", Rules(rounds=2)).totals == (72, 72, 57, 38)


def test_the_command_names_all_mistakes_and_writes_nothing(tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text(edited(GOOD, B2="7", G5="1"), encoding="utf-8")
    done = run("check", "class.csv", "--output", "all.csv", "--lang", "de", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[0].startswith("nambarz: class.csv: 2 Fehler")
    assert [line.split(":")[0] for line in done.stderr.splitlines()[1:]] == [
        'Zeile 2, Spalte „Round 1 place“ (B2)', 'Zeile 5, Spalte „Total“ (G5)',
    ]  # fmt: skip
    (tmp_path / "class.csv").write_text(f"{HEAD}\n{HEAD}\n", encoding="utf-8")
    done = run("check", "class.csv", "--players", "4", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert run("template", "--output", "x.csv", "--lang", "it", cwd=tmp_path).returncode == 2
    assert run("print", "--output", "x.txt", cwd=tmp_path).returncode == 2
    assert [each.name for each in tmp_path.iterdir()] == ["class.csv"]


@pytest.mark.parametrize("command", [[], ["print"], ["template"], ["check"]])
def test_the_help_shows_an_example_that_runs(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text(GOOD, encoding="utf-8")
    told = " ".join(run(*command, "--help", cwd=tmp_path).stdout.split())
    example = shlex.split(told.partition("Example: nambarz scores ")[2])
    assert example[: len(command)] == command
    done = run(*example, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_example_files() -> None:
    folder = data_folder() / "scores"
    sheets = [read_scores(folder / f"table-{number}.csv") for number in (1, 2, 3)]
    assert [sheet.over for sheet in sheets] == [True] * 3
    assert [len(sheet.play_offs) for sheet in sheets] == [0, 1, 0]
    with pytest.raises(ScoreProblems) as error:
        read_scores(folder / "with-mistakes.csv")
    assert [problem.cell for problem in error.value.problems] == ["E2", "E3", "D4", "E5", "H5"]
