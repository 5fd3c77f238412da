"""What was settled beforehand takes part in each turn: it answers, is kept while possible, else dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.concerns import Concern, Reply
from matches.conditionals.ahead import Ahead, branch_to
from matches.conditionals.tree import read, written
from matches.conditionals.values import Lost
from matches.errors import MatchError
from matches.reading import seat_of
from matches.stamps import write_stamp
from storage import conditionals

if TYPE_CHECKING:
    from matches.concerns import End, Turned
    from matches.conditionals.tree import Branch, Tree
    from matches.holding import Held
    from matches.values import Person
    from storage.conditionals import ConditionalRow


class Answering(Concern):
    """Answers for people what they have settled. Where nothing is settled in a match it costs nothing."""

    async def reply(self, held: Held, turned: Turned) -> Reply | None:
        """Give the answer to a complete turn, and take every tree of the match one turn further."""
        if not held.row.foreseen:
            return None
        rows = await conditionals.of_match(held.connection, held.row.id)
        replies = [await _follow(held, turned, row) for row in rows]
        if not rows:
            await held.change(foreseen=False)
        return next((reply for reply in replies if reply is not None), None)

    async def after_taken_back(self, held: Held) -> None:
        """Drop all: it was settled from a board that is no more."""
        if held.row.foreseen:
            for row in await conditionals.of_match(held.connection, held.row.id):
                await _lose(held, row, Lost.TAKEN_BACK)

    async def after_end(self, held: Held, end: End) -> None:  # noqa: ARG002
        """Forget all: nothing can be answered any more."""
        if held.row.foreseen:
            await conditionals.forget(held.connection, held.row.id)


async def _follow(held: Held, turned: Turned, row: ConditionalRow) -> Reply | None:
    """Take a tree one turn further; give the answer that is then due."""
    branch = _taken(held, turned, row)
    if branch is None:
        if row.person == turned.person.account:
            await conditionals.forget(held.connection, row.match, row.person)
        else:
            await _lose(held, row, Lost.DEVIATED)
        return None
    if not branch.then:
        await conditionals.forget(held.connection, row.match, row.person)
        return None
    answer = branch.then[0] if branch.then[0].own else None
    if answer is not None and not _legal(held, answer):
        await _lose(held, row, Lost.ILLEGAL)
        return None
    await _advance(held, row, branch.then)
    return None if answer is None else Reply(_person(held, row), answer.texts)


def _taken(held: Held, turned: Turned, row: ConditionalRow) -> Branch | None:
    """Give the branch of a tree that was just played, None where there is none."""
    branch = branch_to(row.match, held.game.load(row.position), read(row.tree), turned.position)
    fits = branch is not None and row.ply + len(branch.texts) == held.row.ply
    return branch if fits else None


def _legal(held: Held, answer: Branch) -> bool:
    side = seat_of(held.seats, held.board().to_move)
    if side is None:
        return False
    try:
        Ahead(held.row.id, held.board(), side.side).turn(answer.texts)
    except MatchError:
        return False
    return True


async def _advance(held: Held, row: ConditionalRow, tree: Tree) -> None:
    await conditionals.change(
        held.connection,
        row.match,
        row.person,
        ply=held.row.ply,
        position=str(held.board()),
        tree=written(tree),
        changed_at=held.now,
    )


async def _lose(held: Held, row: ConditionalRow, why: Lost) -> None:
    """Drop a tree, and have its person told in private."""
    await conditionals.change(
        held.connection,
        row.match,
        row.person,
        ply=write_stamp(held.row.ply, held.row.takebacks),
        position="",
        tree=written(()),
        changed_at=held.now,
        lost=why,
        due_at=held.now,
    )


def _person(held: Held, row: ConditionalRow) -> Person:
    return next(seat.person for seat in held.seats if seat.person.account == row.person)
