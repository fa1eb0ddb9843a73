"""A game against the computer in a terminal: lines in, lines out."""

from __future__ import annotations

from collections.abc import Callable

from nambarz_sim.cards import Card
from nambarz_sim.events import Event, counted, listing
from nambarz_sim.session import YOU, Session

HELP = """\
  (10-4)/2          lay a calculation; right or wrong, a card laid is laid
  3bee              lay one card, or several: change-number 5
  10 4 2 replay     a replay behind it: then it is your turn again
  draw, keep, end   draw a card; keep the drawn card; end your turn without a replay
  hint              how many plays you have; again for one of them
  log               what has happened
  quit              stop the game"""


def play_game(session: Session, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
    """Play a session to its end: its computer players by themselves, every seat of a person by asking.

    Parameters
    ----------
    session
        A game with a person in one seat or more.
    ask
        Shows a prompt and returns the line that the person writes.
    tell
        Shows a line.

    Raises
    ------
    EOFError
        If there are no more lines, or the person stops the game.
    """
    _tell_events(session, session.log, tell)
    tell("Write help for what you can do.")
    hinted = 0
    while not session.over:
        told = len(session.log)
        if session.seats[session.seat] != YOU:
            session.advance()
            _tell_events(session, session.log[told:], tell)
            continue
        tell(_situation(session))
        line = ask(f"seat {session.seat}> ").strip()
        if line.lower() == "hint":
            hinted += 1
            tell(_hint(session, hinted))
            continue
        try:
            hinted = 0 if _act(session, line, tell) else hinted
        except ValueError as error:  # refused: nothing has changed
            tell(str(error))
        _tell_events(session, session.log[told:], tell)
    tell(score_sheet(session))


def _act(session: Session, line: str, tell: Callable[[str], None]) -> bool:
    """Do what a line says; whether something was done."""
    acts = {"draw": session.draw, "keep": session.keep, "end": session.end_turn}
    word = line.lower()
    if word in acts:
        acts[word]()
        return True
    if word == "quit":
        raise EOFError
    if word in ("help", ""):
        tell(HELP)
        return False
    if word == "log":
        _tell_events(session, session.log, tell)
        return False
    verdict = session.judge(line)
    session.attempt(line)
    tell(verdict.explanation)
    return True


def _situation(session: Session) -> str:
    """What the person to move sees."""
    seen = session.observation
    others = ", ".join(
        f"seat {seat} ({session.seats[seat]}) {counted(held, 'card')}"
        for seat, held in enumerate(seen.card_counts)
        if seat != session.seat and seen.in_round[seat]
    )
    lines = ["", f"To cover: {_shown(session.active)}   draw pile: {counted(seen.pile_size, 'card')}   {others}"]
    if session.drawn is not None:
        lines.append(f"You have drawn {session.drawn}: lay it, alone or with others, or keep it.")
    elif seen.played:
        lines.append("You may lay your replay, or end the turn.")
    lines.append(f"Your hand: {listing(seen.hand)}")
    return "\n".join(lines)


def _shown(active: Card) -> str:
    return f"{active}, open" if active.is_wildcard else str(active)


def _hint(session: Session, asked: int) -> str:
    """First how many plays there are and of what kind, then one of them."""
    plays = session.plays
    if not plays:
        return "There is no play: draw a card, or keep it, or end the turn."
    if asked == 1:
        kinds = dict.fromkeys(play.kind for play in plays)
        return f"There {'is' if len(plays) == 1 else 'are'} {counted(len(plays), 'play')}: {', '.join(kinds)}."
    return f"For example {plays[0]}."


def _tell_events(session: Session, events: list[Event], tell: Callable[[str], None]) -> None:
    """Tell what happened as the persons at the table see it."""
    people = [seat for seat, player in enumerate(session.seats) if player == YOU]
    for event in events:
        if event.act == "hand" and event.seat not in people:
            continue
        tell((event if event.seat in people else event.seen_by(people[0])).text)


def score_sheet(session: Session) -> str:
    """Each round's places and points, and the totals, as a table to read."""
    rounds = [event for event in session.log if event.act == "round"]
    lines = ["", f"{'':<16}" + "".join(f"{f'round {number}':>14}" for number in range(1, len(rounds) + 1))]
    for seat, player in enumerate(session.seats):
        cells = [
            f"{f'{each.points[seat]} (place {each.places[seat]})' if each.places[seat] else '–':>14}" for each in rounds
        ]
        lines.append(f"{f'seat {seat} ({player})':<16}{''.join(cells)}")
    return "\n".join(lines)
