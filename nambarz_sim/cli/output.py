"""Where the commands write: files, CSV and JSON."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nambarz_sim._errors import printable_lines
from nambarz_sim.languages import _

if TYPE_CHECKING:
    import pandas as pd

FORMATS = {".csv": "csv", ".json": "json"}
PICTURES = (".png", ".svg", ".pdf")


def say(text: object) -> None:
    """Print a text to read; of names in it, which may be anybody's, the terminal obeys nothing."""
    print(printable_lines(str(text)))


def output_format(output: Path | None, as_csv: bool, as_json: bool, table: str) -> str:
    """The format to write in; "" for a table to read. Everything is refused here, before any game is played."""
    if as_csv and as_json:
        raise ValueError("csv and json are both asked for; give one of them")
    asked = "csv" if as_csv else "json" if as_json else ""
    if output is None:
        return asked or ("" if table == "summary" else "csv")
    check_place("output", output, () if asked else tuple(FORMATS))
    return asked or FORMATS[output.suffix.lower()]


def check_place(option: str, file: Path, endings: tuple[str, ...]) -> None:
    """Refuse a file that cannot be written, before the work is done."""
    if endings and file.suffix.lower() not in endings:
        raise ValueError(f"{option}: {str(file)!r} does not end in {', '.join(endings)}; name it so")
    if file.is_dir() or not os.access(file.parent, os.W_OK):
        raise ValueError(
            f"{option}: {str(file)!r} cannot be written there; choose a file in a folder that you may write to"
        )


def as_text(frame: pd.DataFrame, form: str) -> str:
    """A table as CSV or JSON."""
    if form == "csv":
        return str(frame.to_csv(index=False, lineterminator="\n"))
    return str(frame.to_json(orient="records", indent=1, double_precision=15)) + "\n"


def write(text: str, output: Path | None) -> None:
    """Print a text, or put it into a file, the whole of it or none."""
    if output is None:
        sys.stdout.write(text)
        return
    unfinished = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(output)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise ValueError(f"output: {str(output)!r} cannot be written: {error.strerror}; choose another place") from None
    print(_("{file} written").format(file=output), file=sys.stderr)
