"""What the browser tests measured: for people to read, asserted nowhere."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import median


class Report:
    """Durations by what took them."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {}

    def add(self, what: str, *seconds: float) -> None:
        """Note how long something took."""
        self.seconds.setdefault(what, []).extend(seconds)

    def write(self, folder: Path) -> None:
        """``report.json`` and ``report.md`` with the medians."""
        rows = {
            what: {"median": round(median(times), 3), "most": round(max(times), 3), "times": len(times)}
            for what, times in self.seconds.items()
        }
        (folder / "report.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        lines = ["| what | median (s) | most (s) | times |", "|---|---|---|---|"]
        lines += [f"| {what} | {row['median']} | {row['most']} | {row['times']} |" for what, row in rows.items()]
        (folder / "report.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
