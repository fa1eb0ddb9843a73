"""A game against the computer in a terminal: lines in, lines out, in the language of its session."""

from __future__ import annotations

from collections.abc import Callable

from nambarz_sim.arithmetic.shown import shown
from nambarz_sim.card_names import card_name, card_text
from nambarz_sim.cards import Card
from nambarz_sim.event_words import YOU, count_cards, listing, seat_name, tell_seat
from nambarz_sim.events import Event
from nambarz_sim.languages import N_, _, in_language, plural, written
from nambarz_sim.session import Session

HELP = N_("""\
  (10-4)/2          lay a calculation; right or wrong, a card laid is laid
  3bee              lay one card, or several: change-number 5
  10 4 2 replay     a replay behind it: then it is your turn again
  draw, keep, end   draw a card; keep the drawn card; end your turn without a replay
  hint              how many plays you have; again for one of them
  log               what has happened
  quit              stop the game""")
COMMANDS = (N_("draw"), N_("keep"), N_("end"), N_("hint"), N_("log"), N_("quit"), N_("help"))
"""What a person may write besides plays; in another language the words of that one, too."""

_KINDS = {
    "match": N_("match"), "calculation": N_("calculation"), "change": N_("change"), "replay": N_("replay"),
}  # fmt: skip


def kind_of_play(kind: str) -> str:
    """A kind of play in the language spoken."""
    return _(_KINDS[kind])


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
    with in_language(session.lang):
        _play(session, ask, tell)


def _play(session: Session, ask: Callable[[str], str], tell: Callable[[str], None]) -> None:
    _tell_events(session, session.log, tell)
    tell(_("Write help for what you can do."))
    hinted = 0
    while not session.over:
        told = len(session.log)
        if session.seats[session.seat] != YOU:
            session.advance()
            _tell_events(session, session.log[told:], tell)
            continue
        tell(_situation(session))
        line = ask(f"{seat_name(session.seat)}> ").strip()
        if _command(line) == "hint":
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
    word = _command(line)
    if word in acts:
        acts[word]()
        return True
    if word == "quit":
        raise EOFError
    if word in ("help", ""):
        tell(_(HELP))
        return False
    if word == "log":
        _tell_events(session, session.log, tell)
        return False
    verdict = session.judge(line)
    session.attempt(line)
    tell(verdict.explanation)
    return True


def _command(line: str) -> str:
    """The command that a line is, in English; the line itself if it is none."""
    word = line.casefold()
    return {_(command).casefold(): command for command in COMMANDS}.get(word, word)


def _situation(session: Session) -> str:
    """What the person to move sees."""
    seen = session.observation
    others = ", ".join(
        _("{who} {cards}").format(who=tell_seat(seat, session.seats[seat]), cards=count_cards(held))
        for seat, held in enumerate(seen.card_counts)
        if seat != session.seat and seen.in_round[seat]
    )
    table = _("To cover: {active}   draw pile: {pile}   {others}")
    lines = ["", table.format(active=_active(session.active), pile=count_cards(seen.pile_size), others=others)]
    if session.drawn is not None:
        told = _("You have drawn {card}: lay it, alone or with others, or keep it.")
        lines.append(told.format(card=card_text(session.drawn)))
    elif seen.played:
        lines.append(_("You may lay your replay, or end the turn."))
    lines.append(_("Your hand: {cards}").format(cards=listing(seen.hand)))
    return "\n".join(lines)


def _active(active: Card) -> str:
    return _("{wildcard}, open").format(wildcard=card_name(active)) if active.is_wildcard else card_text(active)


def _hint(session: Session, asked: int) -> str:
    """First how many plays there are and of what kind, then one of them."""
    plays = session.plays
    if not plays:
        return _("There is no play: draw a card, or keep it, or end the turn.")
    if asked == 1:
        kinds = ", ".join(kind_of_play(kind) for kind in dict.fromkeys(play.kind for play in plays))
        told = plural("There is {count} play: {kinds}.", "There are {count} plays: {kinds}.", len(plays))
        return told.format(count=written(len(plays)), kinds=kinds)
    return _("For example {play}.").format(play=shown(plays[0].expression))


def _tell_events(session: Session, events: list[Event], tell: Callable[[str], None]) -> None:
    """Tell what happened as the persons at the table see it."""
    people = [seat for seat, player in enumerate(session.seats) if player == YOU]
    for event in events:
        if event.act == "hand" and event.seat not in people:
            continue
        tell((event if event.seat in people else event.seen_by(people[0])).text)


def score_sheet(session: Session) -> str:
    """Each round's places and points, and the totals, as a table to read."""
    with in_language(session.lang):
        return _score_sheet(session)


def _score_sheet(session: Session) -> str:
    rounds = [event for event in session.log if event.act == "round"]
    heads = [_("round {number}").format(number=number) for number in range(1, len(rounds) + 1)]
    seats = [tell_seat(seat, player) for seat, player in enumerate(session.seats)]
    # A name's room: what the words of the language need more than the English ones.
    room = 16 + len(_("seat {seat} ({player})")) - len("seat {seat} ({player})")
    lines = ["", " " * room + "".join(f"{head:>14}" for head in heads)]
    for seat, name in enumerate(seats):
        lines.append(f"{name:<{room}}" + "".join(f"{_score(each, seat):>14}" for each in rounds))
    return "\n".join(lines)


def _score(event: Event, seat: int) -> str:
    if not event.places[seat]:
        return "–"
    return _("{points} (place {place})").format(points=event.points[seat], place=event.places[seat])
