"""The batch loop: observe, choose, apply, over many games, into record arrays."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from nambarz_sim._numba import kernel
from nambarz_sim.engine.kernel import apply_attempt, legal_plays, next_round, of_card, score_round, start_game, step
from nambarz_sim.engine.state import (
    ACTIVE,
    AT_HANDS,
    AT_TALLY,
    DEALT_IN,
    DISCARDS,
    ENDED,
    EXTRA_ROUND,
    FIRST_WILDCARD,
    GAME_OVER,
    GAME_PLACES,
    HELD,
    IN_ROUND,
    LAY_REPLAY,
    NUMBER_INDEX,
    OPEN,
    PARTIES,
    PHASE,
    PHASE_FRESH,
    PLACES,
    PLAY_KIND,
    PLAYERS,
    RECYCLES_DONE,
    REDEALS,
    ROUND,
    ROUNDS,
    SEAT,
    STARTER,
    TALLY_SIZE,
    TIED,
    TOTALS,
    TURN_START,
    TURNS,
    TYPES,
)
from nambarz_sim.rules import MOST_EXTRA_ROUNDS
from nambarz_sim.strategies.erring import LAID, PLAY, SIGNS, TRIED, err, see_plays
from nambarz_sim.strategies.kernel import choose
from nambarz_sim.strategies.planner import choose_planned

# columns of the rounds' records
ROUND_NUMBER, ROUND_EXTRA, ROUND_DEALT_IN, ROUND_STARTER, ROUND_TURNS, ROUND_ENDED, ROUND_WINNER = range(7)
ROUND_REDEALS, ROUND_RECYCLES, ROUND_WIDTH = 7, 8, 9
# first columns of the players' records; the round's tally follows
ROW_SEAT, PLAYER_TALLY = 0, 1
PLAYER_WIDTH = PLAYER_TALLY + TALLY_SIZE
# first columns of the games' records; each party's total and then each party's place follow
GAME_ROUNDS, GAME_EXTRA, GAME_TIED, GAME_PARTIES = range(4)
LARGEST_RECORD = 32_767
# columns of what is watched in a round: 1 + the seat that led last (0: none yet), and how often another one took the lead;
# then for each number index two: turns begun on it, and those of them in which it was covered without a draw
WATCHED_LEADER, WATCHED_CHANGES, WATCHED_NUMBERS = range(3)


@kernel()
def most_rounds(pack):
    """The most rounds that one game can have, extra rounds included (R9.2)."""
    return pack[ROUNDS] + MOST_EXTRA_ROUNDS * pack[PARTIES]


@kernel()
def record_round(pack, state, records, at):
    """Write the round that has been scored; the row after its last player row. False in ``fits`` if a count is too large.

    ``at (3,)``: the next rows in ``records.rounds``, ``records.players`` and whether all counts fitted so far.
    """
    row = records.rounds[at[0]]
    row[ROUND_NUMBER] = state[ROUND]
    row[ROUND_EXTRA] = state[EXTRA_ROUND]
    row[ROUND_DEALT_IN] = state[DEALT_IN]
    row[ROUND_STARTER] = state[STARTER]
    row[ROUND_TURNS] = state[TURNS]
    row[ROUND_ENDED] = state[ENDED]
    row[ROUND_REDEALS] = state[REDEALS]
    row[ROUND_RECYCLES] = state[RECYCLES_DONE]
    at[0] += 1
    for seat in range(pack[PLAYERS]):
        if not state[IN_ROUND + seat]:
            continue
        if state[PLACES + seat] == 1:
            row[ROUND_WINNER] = seat
        line = records.players[at[1]]
        line[ROW_SEAT] = seat
        tally = pack[AT_TALLY] + seat * TALLY_SIZE
        bits = 0  # one above the largest record's is set if any count is too large; without a branch, several at once
        for column in range(TALLY_SIZE):
            value = state[tally + column]
            bits |= value
            line[PLAYER_TALLY + column] = value
        if bits > LARGEST_RECORD:
            at[2] = 0
        at[1] += 1


@kernel()
def record_game(pack, state, records, row):
    """Write the game that is over."""
    parties = pack[PARTIES]
    line = records.games[row]
    rounds = state[ROUND]
    extra = rounds - pack[ROUNDS] if rounds > pack[ROUNDS] else 0
    line[GAME_ROUNDS] = rounds - extra
    line[GAME_EXTRA] = extra
    line[GAME_TIED] = state[TIED]
    for party in range(parties):
        line[GAME_PARTIES + party] = state[TOTALS + party]
        line[GAME_PARTIES + parties + party] = state[GAME_PLACES + party]


@kernel(inline="part")
def is_full(pack, records, at):
    """Whether the records have no room for one more game of any length."""
    room = most_rounds(pack)
    return at[0] + room > len(records.rounds) or at[1] + room * pack[PLAYERS] > len(records.players)


@kernel(inline="part")
def close_round(pack, state, records, at):
    """Where a round is over, score it, write it down, and deal the next one or end the game."""
    if state[ENDED]:
        score_round(pack, state)
        record_round(pack, state, records, at)
        next_round(pack, state)


@kernel()
def play_games(pack, state, plays, strategies, seed, first_game, games, records, at):
    """Play games until `games` are done or the records are full; how many were played.

    ``strategies (players,)`` codes; ``records`` arrays to fill; ``at (3,)`` as in `record_round`.
    """
    for played in range(games):
        if is_full(pack, records, at):
            return played
        start_game(pack, state, seed, first_game + played)
        while not state[GAME_OVER]:
            count = legal_plays(pack, state, plays)
            choice = choose(pack, state, plays, count, strategies[state[SEAT]]) if count > 0 else -1
            step(pack, state, plays, choice)
            close_round(pack, state, records, at)
        record_game(pack, state, records, played)
    return games


@kernel()
def play_games_of_pupils(pack, state, plays, strategies, pupils, seed, first_game, games, records, at):
    """`play_games` where some seat is a pupil's: it sees some of the plays, and may err; ``pupils`` as in `Pupils`."""
    for played in range(games):
        if is_full(pack, records, at):
            return played
        start_game(pack, state, seed, first_game + played)
        while not state[GAME_OVER]:
            count = see_plays(pack, state, plays, pupils)
            choice = choose(pack, state, plays, count, strategies[state[SEAT]]) if count > 0 else -1
            tried = err(pack, state, plays, int(choice), pupils)
            if tried > 0:
                scratch = pupils.scratch
                apply_attempt(pack, state, scratch[TRIED], scratch[SIGNS], tried, scratch[LAID], scratch[PLAY])
            else:
                step(pack, state, plays, choice)
            close_round(pack, state, records, at)
        record_game(pack, state, records, played)
    return games


@kernel()
def play_games_of_planners(pack, state, plays, strategies, planning, seed, first_game, games, records, at):
    """`play_games` where some seat is a planner's; ``planning`` as in `Planning`."""
    for played in range(games):
        if is_full(pack, records, at):
            return played
        start_game(pack, state, seed, first_game + played)
        while not state[GAME_OVER]:
            count = legal_plays(pack, state, plays)
            if planning.playouts[state[SEAT]] > 0:
                choice = choose_planned(pack, state, plays, count, planning)
            else:
                choice = choose(pack, state, plays, count, strategies[state[SEAT]])
            step(pack, state, plays, choice)
            close_round(pack, state, records, at)
        record_game(pack, state, records, played)
    return games


# --- games that are watched more closely --------------------------------------------------------------------------------


@kernel()
def watch_deal(pack, state, watched, at):
    """Count the wildcards that each seat dealt in has been dealt, into the rows that `record_round` will fill."""
    types = pack[TYPES]
    line = at[1]
    for seat in range(pack[PLAYERS]):
        if state[IN_ROUND + seat]:
            hand = pack[AT_HANDS] + seat * types
            for card in range(pack[FIRST_WILDCARD], types):
                watched.players[line] += state[hand + card]
            line += 1


@kernel()
def watch_turn(pack, state, plays, choice, watched, at):
    """Where a turn begins on a number, count it, and whether the choice covers it without a draw.

    A replay covers nothing, and on an open wildcard the number below does not count (R4.3, R5.4).
    """
    if state[PHASE] != PHASE_FRESH or state[DISCARDS] != state[TURN_START] or state[OPEN] >= 0:
        return
    row = watched.rounds[at[0]]
    column = WATCHED_NUMBERS + 2 * of_card(pack, state[ACTIVE], NUMBER_INDEX)
    row[column] += 1
    if choice >= 0 and plays[choice, PLAY_KIND] != LAY_REPLAY:
        row[column + 1] += 1


@kernel()
def watch_lead(pack, state, watched, at):
    """After a turn, see whether one seat alone holds the fewest cards, and whether it is another than the last that did."""
    fewest = -1
    leader = 0
    for seat in range(pack[PLAYERS]):
        if not state[IN_ROUND + seat]:
            continue
        if fewest < 0 or state[HELD + seat] < fewest:
            fewest = state[HELD + seat]
            leader = seat + 1
        elif state[HELD + seat] == fewest:
            leader = 0
    row = watched.rounds[at[0]]
    if leader > 0:
        if row[WATCHED_LEADER] > 0 and row[WATCHED_LEADER] != leader:
            row[WATCHED_CHANGES] += 1
        row[WATCHED_LEADER] = leader


@kernel()
def play_games_watched(pack, state, plays, strategies, seed, first_game, games, records, watched, at):
    """`play_games` that also fills ``watched``, whose rows are those of ``records``; no count there exceeds the turns."""
    for played in range(games):
        if is_full(pack, records, at):
            return played
        start_game(pack, state, seed, first_game + played)
        watch_deal(pack, state, watched, at)
        while not state[GAME_OVER]:
            turn = state[TURNS]
            count = legal_plays(pack, state, plays)
            choice = choose(pack, state, plays, count, strategies[state[SEAT]]) if count > 0 else -1
            watch_turn(pack, state, plays, choice, watched, at)
            step(pack, state, plays, choice)
            if state[TURNS] != turn or state[ENDED]:
                watch_lead(pack, state, watched, at)
            over = state[ENDED]
            close_round(pack, state, records, at)
            if over and not state[GAME_OVER]:
                watch_deal(pack, state, watched, at)
        record_game(pack, state, records, played)
    return games
