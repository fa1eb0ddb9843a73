"""Which tests hold which clause of the rules, read from the tests' markers; run as a script it prints the table."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
RULES = TESTS.parent / "nambarz_sim" / "rules.py"


def clauses_of_the_rules() -> list[str]:
    """Every clause number that the rules' module docstring names, in order."""
    docstring = ast.get_docstring(ast.parse(RULES.read_text(encoding="utf-8"))) or ""
    return sorted(set(re.findall(r"\bR\d+\.\d+\b", docstring)), key=in_order)


def in_order(clause: str) -> tuple[int, ...]:
    """A key that sorts R2.10 after R2.9.

    Examples
    --------
    >>> sorted(["R6.10", "R6.9", "R10.1"], key=in_order)
    ['R6.9', 'R6.10', 'R10.1']
    """
    return tuple(int(part) for part in re.findall(r"\d+", clause))


def clauses_of_the_tests() -> dict[str, list[str]]:
    """For each clause that a marker names the tests that carry it, as ``file::test``."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.glob("test_*.py")):
        for clause, test in read_markers(path.read_text(encoding="utf-8")):
            found.setdefault(clause, []).append(f"{path.name}::{test}")
    return found


def read_markers(source: str) -> Iterator[tuple[str, str]]:
    """Each clause and the test or class that its marker stands on.

    Examples
    --------
    >>> list(read_markers("@pytest.mark.clause('R1.1', 'R1.2')\\ndef test_deck(): ..."))
    [('R1.1', 'test_deck'), ('R1.2', 'test_deck')]
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.clause":
                    for argument in decorator.args:
                        yield str(ast.literal_eval(argument)), node.name


def write_table() -> str:
    """The clauses and their tests as a Markdown table."""
    tests = clauses_of_the_tests()
    lines = ["| clause | tests |", "|---|---|"]
    for clause in sorted({*clauses_of_the_rules(), *tests}, key=in_order):
        held_by = ", ".join(f"`{test}`" for test in tests.get(clause, []))
        lines.append(f"| {clause} | {held_by or 'none'} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(write_table())
