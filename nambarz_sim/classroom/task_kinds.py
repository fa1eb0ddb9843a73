"""How each kind of task is made: cards that may do, the engine's word on them, and what makes an answer clear.

Every legality is asked of the engine: the legal plays of a hand (`find_plays`) and the verdict on an attempt (`judge`).
Two plays are the same for a pupil if they use the same cards, so answers are counted by sets of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from nambarz_sim.arithmetic.expression import SIGNS, read_attempt
from nambarz_sim.cards import Card
from nambarz_sim.classroom.attempts import draw_attempt
from nambarz_sim.classroom.hands import Dealer, take
from nambarz_sim.classroom.levels import Level
from nambarz_sim.classroom.tasks import GAP, Task
from nambarz_sim.engine.plays import Play, find_plays
from nambarz_sim.rules import Rules
from nambarz_sim.verdict import judge

FEWEST_TO_FIND, MOST_TO_FIND = 2, 6
"""How many sets of cards there are to find where all are asked for."""
MOST_TO_CHOOSE = 12
"""How many sets of cards may be right where one is asked for: with more, anything would do."""
PATIENCE = 500
"""So many hands in a row without a new task are looked at before a kind of task is given up."""


def draw_tasks(kind: str, level: Level, rules: Rules | None, count: int, seed: int, fewest: int = 0) -> list[Task]:
    """Different tasks of a kind, the same ones for the same seed.

    Parameters
    ----------
    kind, level, rules
        What the tasks are to be like; the operations and steps of the rules are those of the level.
    count, fewest
        How many are wanted, and how many will do; `count` without.
    seed
        Which ones.

    Raises
    ------
    ValueError
        If the level has not so many.
    """
    dealer = Dealer(level, level.rules(rules), Random(f"worksheet {seed} {kind} {level}"))
    draw = _DRAWS[kind]
    found: dict[object, Task] = {}
    needed = fewest or count
    in_vain = 0
    while len(found) < count and in_vain < PATIENCE:
        task = draw(dealer)
        in_vain += 1
        if task and task.key not in found:
            found[task.key] = task
            in_vain = 0
    if len(found) < needed:
        only = f"only {len(found)} different tasks of the kind {kind} were" if found else f"no task {kind} was"
        raise ValueError(
            f"kinds: {only} found for level {level.name or 'of your own'} with {level.signs}, {level.fewest_cards} to "
            f"{level.most_cards} cards in a calculation and {level.hand_size} in the hand, and {needed} are needed; leave "
            f"this kind out, ask for fewer sheets or tasks, or take another level"
        )
    return list(found.values())


def _found(dealer: Dealer, matching: bool = False) -> tuple[Card, tuple[Card, ...], list[Play]] | None:
    """An active card, a hand, and its plays."""
    entry = dealer.calculation()
    dealt = dealer.around(entry, matching) if entry else None
    if dealt is None:
        return None
    active, hand = dealt
    return active, hand, find_plays(list(hand), active, dealer.rules)


def _sizes(plays: Iterable[Play]) -> list[int]:
    """How many cards the plays have, one for each set of cards, the most first."""
    return sorted((len(cards) for cards in {tuple(sorted(play.cards)) for play in plays}), reverse=True)


def _find_play(dealer: Dealer) -> Task | None:
    """Only calculations to find: a card that simply matches would be no task."""
    if not (found := _found(dealer)):
        return None
    active, hand, plays = found
    if any(play.kind != "calculation" for play in plays) or not 1 <= len(_sizes(plays)) <= MOST_TO_CHOOSE:
        return None
    return Task("find-play", hand, active, dealer.rules, _alone(plays))


def _find_all(dealer: Dealer) -> Task | None:
    if not (found := _found(dealer)):
        return None
    active, hand, plays = found
    sizes = _sizes(plays)
    if not FEWEST_TO_FIND <= len(sizes) <= MOST_TO_FIND or sizes[0] > dealer.level.most_cards:
        return None
    return Task("find-all", hand, active, dealer.rules, _alone(plays), len(sizes))


def _longest(dealer: Dealer) -> Task | None:
    """One set of cards is larger than every other; where two are the most, the others can only be cards that match."""
    if not (found := _found(dealer, matching=dealer.level.most_cards == 2)):
        return None
    active, hand, plays = found
    sizes = _sizes(plays)
    if len(sizes) < 2 or sizes[0] == sizes[1] or sizes[0] > dealer.level.most_cards:
        return None
    return Task("longest", hand, active, dealer.rules, _alone(play for play in plays if len(play.cards) == sizes[0]))


def _exactly(dealer: Dealer) -> Task | None:
    """Some plays have the number of cards asked for, others have not, so that the number says something."""
    if not (found := _found(dealer)):
        return None
    active, hand, plays = found
    level, sizes = dealer.level, _sizes(plays)
    wanted = [size for size in range(level.fewest_cards, level.most_cards + 1) if size in sizes]
    if len(set(sizes)) < 2 or not wanted:
        return None
    count = dealer.random.choice(wanted)
    if sizes.count(count) > MOST_TO_CHOOSE:
        return None
    return Task(
        "exactly", hand, active, dealer.rules, _alone(play for play in plays if len(play.cards) == count), count
    )


def _alone(plays: Iterable[Play]) -> tuple[tuple[Play, ...], ...]:
    return tuple((play,) for play in plays)


# --- complete the calculation ----------------------------------------------------------------------------------------


def _complete(dealer: Dealer) -> Task | None:
    """Number cards with one number or sign missing, and only one that makes the calculation right."""
    entry = dealer.calculation()
    if entry is None:
        return None
    pool = dealer.shuffled()
    numbers = sorted({card.number or 0 for card in pool if card.kind == "number"})
    active = take(pool, entry.target)
    hand = [card for number in entry.order if (card := take(pool, number, "number"))]
    if active is None or len(hand) < len(entry.order):
        return None
    gap = dealer.random.randrange(2 * len(entry.order) - 1)
    words, signs = [str(number) for number in entry.order], list(entry.operations)
    right = words[gap // 2] if gap % 2 == 0 else signs[gap // 2]
    known = [str(number) for number in numbers] if gap % 2 == 0 else dealer.rules.operations
    written = _written_with(words, signs, gap, GAP)
    fits = [each for each in known if _makes(_written_with(words, signs, gap, each), active, dealer.rules)]
    if fits != [right] or not judge(_written_with(words, signs, gap, right), hand, active, dealer.rules).legal:
        return None
    return Task("complete", tuple(hand), active, dealer.rules, written=written, solution=right)


def _written_with(words: list[str], signs: list[str], gap: int, value: str) -> str:
    """A calculation with something put into its gap, with the brackets that hold whatever stands there."""
    words, signs = words.copy(), signs.copy()
    hidden = gap // 2 if gap % 2 else -1
    if gap % 2:
        signs[hidden] = value
    else:
        words[gap // 2] = value
    text, loose = words[0], False
    for place, (sign, word) in enumerate(zip(signs, words[1:], strict=True)):
        # A missing sign may bind or not: whatever may stand there, the cards before it come first.
        if loose and (sign in "*/" or place == hidden):
            text = f"({text})"
        text = f"{text} {SIGNS.get(sign, sign)} {word}"
        loose = sign in "+-" or place == hidden
    return text


def _makes(written: str, active: Card, rules: Rules) -> bool:
    """Whether a calculation gives the number of the active card, by whatever rule it may be wrong."""
    value = read_attempt(written, rules.the_deck).value
    return value is not None and value == active.number


# --- right or wrong --------------------------------------------------------------------------------------------------


def _right_or_wrong(dealer: Dealer) -> Task | None:
    """An attempt that is right, or has exactly one fault."""
    if not (tried := draw_attempt(dealer)):
        return None
    verdict = judge(tried.written, list(tried.cards), tried.active, dealer.rules)
    solution = "right" if verdict.legal else verdict.fault
    return Task("right-or-wrong", tried.cards, tried.active, dealer.rules, written=tried.written, solution=solution)


# --- a turn with a replay --------------------------------------------------------------------------------------------


def _replay(dealer: Dealer) -> Task | None:
    """A hand with a replay wildcard and a turn of two plays; no turn of two plain matches, which would be no task."""
    dealt = _around_two(dealer)
    if dealt is None:
        return None
    active, hand = dealt
    firsts = [play for play in find_plays(list(hand), active, dealer.rules) if play.kind != "replay"]
    if not 1 <= len(firsts) <= MOST_TO_CHOOSE:
        return None
    turns: dict[tuple[tuple[Card, ...], ...], tuple[Play, ...]] = {}
    for first in firsts:
        left = _without(hand, first.cards)
        if not any(play.kind == "replay" for play in find_plays(left, first.cards[-1], dealer.rules, played=True)):
            continue
        left = _without(left, (Card("replay"),))
        for second in find_plays(left, first.cards[-1], dealer.rules):
            if first.kind == second.kind == "match":
                return None
            turns.setdefault((tuple(sorted(first.cards)), tuple(sorted(second.cards))), (first, second))
    if not turns:
        return None
    return Task("replay", hand, active, dealer.rules, tuple(turns.values()))


def _around_two(dealer: Dealer) -> tuple[Card, tuple[Card, ...]] | None:
    """An active card, and a hand around a play on it, a replay, and a calculation on the card laid last."""
    if not dealer.rules.wildcards.replay:
        return None
    room = dealer.level.hand_size - 2  # without the replay and the card between the two plays
    second = dealer.calculation(most_cards=room)
    if second is None:
        return None
    pool, kind = dealer.shuffled(), dealer.one_type()
    active, between = pool.pop(), take(pool, second.target)
    if between is None:
        return None
    parts = [take(pool, number, kind) for number in second.order]
    first = dealer.ending_in(second.target, active.number or 0, room + 1 - len(parts))
    if first is not None:
        parts += [take(pool, number, between.kind) for number in first.order[:-1]]
    hand = [card for card in [between, *parts] if card]
    hand += pool[: max(0, dealer.level.hand_size - 1 - len(hand))]
    return active, dealer.in_order([*hand, Card("replay")])


def _without(hand: Iterable[Card], laid: Iterable[Card]) -> list[Card]:
    left = list(hand)
    for card in laid:
        left.remove(card)
    return left


_DRAWS: dict[str, Callable[[Dealer], Task | None]] = {
    "find-play": _find_play,
    "find-all": _find_all,
    "longest": _longest,
    "exactly": _exactly,
    "complete": _complete,
    "right-or-wrong": _right_or_wrong,
    "replay": _replay,
}
