"""Which facts to tell a reader, at most two: about one turn, or why one is better than another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.game import Move

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Fact, Position

MAX_FACTS = 2


@dataclass(frozen=True, slots=True)
class TurnComparison:
    """Why one of two turns is better.

    `gains` are what it does and the other does not, `drawbacks` what the other allows and it does not.
    """

    gains: tuple[Fact, ...] = ()
    drawbacks: tuple[Fact, ...] = ()


def choose_facts(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the most important facts that speak for a turn."""
    return tuple(fact for fact in facts if not fact.is_drawback)[:MAX_FACTS]


def compare_turns(position: Position, played: Sequence[str], better: Sequence[str]) -> TurnComparison:
    """Compare two turns, each as the texts of its moves. Raise GameError if one is not legal.

    A fact that is true of both, to the same extent or a greater one, is no reason and is left out. What
    cannot be stopped (``forces_...``) is more than what is threatened (``threatens_...``).
    """
    facts, better_facts = _find_facts(position, played), _find_facts(position, better)
    return TurnComparison(
        choose_facts(fact for fact in better_facts if not _is_among(fact, facts)),
        tuple(fact for fact in facts if fact.is_drawback and not _is_among(fact, better_facts))[:MAX_FACTS],
    )


def _find_facts(position: Position, texts: Sequence[str]) -> tuple[Fact, ...]:
    moves, reached = list[Move](), position
    for text in texts:
        moves.append(reached.parse(text))
        reached = reached.play(moves[-1])
    return position.facts(moves)


def _is_among(fact: Fact, others: Iterable[Fact]) -> bool:
    stronger = {fact.key.replace("threatens_", "forces_")} - {fact.key}
    return any(
        other.key in stronger or (other.key == fact.key and other.extent >= fact.extent) for other in others
    )
