"""Digests of small batches: whatever changes a result without a new version fails here.

Where a change of results is meant, the package gets a new version and a line in CHANGELOG.md, and ``python
tests/test_digests.py`` writes `golden/digests.json` anew.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from nambarz_sim import Rules, simulate
from nambarz_sim._version import __version__
from nambarz_sim.simulation.results import Results

FILE = Path(__file__).parent / "golden" / "digests.json"
BATCHES = {
    "beginner, greedy": (Rules(), "greedy", 60),
    "two players, random": (Rules(players=2), "random", 60),
    "top-level, master and thrifty": (Rules.preset("top-level", players=3), ["master", "thrifty", "matcher"], 60),
    "teams of several rounds": (Rules(players=4, team_sizes=(2, 2), rounds=3, play_off="all"), "thrifty", 20),
    "plus and minus, flipped discards": (Rules(operations="+-", recycle="flip", wildcards=24), "greedy", 40),
    "twelve players, no wildcards": (Rules(players=12, wildcards=0, decks=2, unfinished_bonus=True), "matcher", 15),
    "rational steps, short calculations": (Rules(steps="rational", operations="+-", max_cards=4), "master", 40),
    "pupils who err": (Rules(players=3, penalty_cards=2), ["year-3", "year-5:thrifty", "pupil slip=0.3"], 40),
}


def digest(results: Results) -> str:
    """A digest of every number in the records."""
    found = hashlib.sha256()
    for table in results.records:
        found.update(repr(table.shape).encode())
        found.update(table.astype("<i2").tobytes())
    return found.hexdigest()


def digest_of(name: str) -> str:
    rules, strategies, games = BATCHES[name]
    return digest(simulate(rules, games, seed=7, strategies=strategies, workers=1, progress=False))


@pytest.mark.parametrize("name", BATCHES)
def test_results_are_those_of_this_version(name: str) -> None:
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert digest_of(name) == kept["digests"][name], (
        f"the results of {name!r} have changed since version {kept['version']}: if that is meant, give the package a new "
        f"version with a line in CHANGELOG.md, and write the digests anew (python tests/test_digests.py)"
    )


def test_digests_belong_to_this_version_and_the_change_log_names_it() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8"))["version"] == __version__
    assert f"\n## {__version__}" in (Path(__file__).parents[1] / "CHANGELOG.md").read_text(encoding="utf-8")


def write() -> None:
    """Write the digests of the results as they are now, if the version is a new one."""
    known = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {"version": "", "digests": {}}
    found = {name: digest_of(name) for name in BATCHES}
    changed = [name for name, each in known["digests"].items() if found.get(name, each) != each]
    if changed and known["version"] == __version__:
        raise SystemExit(
            f"{', '.join(changed)}: changed within version {__version__}; give the package a new version first"
        )
    FILE.write_text(json.dumps({"version": __version__, "digests": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
