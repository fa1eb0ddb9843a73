"""The command `nambarz`: parse, call, print."""

from __future__ import annotations

import os
import sys
from concurrent.futures import BrokenExecutor

import typer

from nambarz_sim._errors import printable
from nambarz_sim.cli import balance, batches, compare, lesson, poster, scores, strokes, table, tournament, worksheet
from nambarz_sim.cli.options import Stopped, app

COMMANDS = (batches, compare, balance, lesson, strokes, tournament, worksheet, poster, scores, table)
"""The modules with the commands, in the order of the help; importing one adds its commands."""

# The class of "no such option" and the like: Click's or, in later versions of typer, typer's own copy of it.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main() -> None:
    """Run the command; bad input ends it with status 2 and one line, lost workers with 1, an interruption with 130."""
    try:
        status = app(standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as ended:
        # Typer ends so, with status 1, where the reader of a pipe has had enough: that is no error.
        sys.exit(0 if type(sys.stdout).__name__ == "PacifyFlushWrapper" else ended.code)
    except _UsageError as error:
        _fail(error.format_message())  # type: ignore[attr-defined]
    except (ValueError, OverflowError) as error:
        _fail(str(error))
    except (Stopped, KeyboardInterrupt, typer.Abort) as stop:
        _fail(str(stop) or "stopped", 130)
    except BrokenPipeError:  # the reader has gone before the last words
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:  # a full disk, for example
        reason = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
        _fail("; ".join([reason, *getattr(error, "__notes__", ())]), 1)
    except BrokenExecutor as error:
        _fail("; ".join([str(error), *getattr(error, "__notes__", ())]), 1)
    sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int = 2) -> None:
    print(f"nambarz: {printable(' '.join(message.split()))}", file=sys.stderr)
    sys.exit(status)
