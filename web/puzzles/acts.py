"""What one does with a puzzle besides playing: look at a hint or the solution, report, remove."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from matches import Person
from web.accounts.signed_in import find_member, require_member
from web.context import CONTEXT
from web.puzzles.seen import remember_seen
from web.puzzles.state import PuzzleState, next_path
from web.server.forms import read_form, redirect

if TYPE_CHECKING:
    from aiohttp import web


async def show_hint(request: web.Request) -> web.Response:
    """Show a hint, which ends the attempt."""
    return await _reveal(request, "hint")


async def show_solution(request: web.Request) -> web.Response:
    """Show the solution, which ends the attempt."""
    return await _reveal(request, "solution")


async def report(request: web.Request) -> web.Response:
    """Report that the last turn is a second solution."""
    context, state = request.app[CONTEXT], await _requested_state(request)
    member = await require_member(request)
    person = Person(member.account, member.name)
    puzzles = context.matches.puzzles
    await puzzles.report(state.key, person, state.turns, now=context.now())
    return redirect(replace(state, shown="reported").url())


async def remove(request: web.Request) -> web.Response:
    """Remove a puzzle for a player of its match."""
    context, state = request.app[CONTEXT], await _requested_state(request)
    member = await require_member(request)
    await context.matches.puzzles.withdraw(state.key, member.account, now=context.now())
    return redirect(next_path(state.choice))


async def _reveal(request: web.Request, shown: str) -> web.Response:
    context, state = request.app[CONTEXT], await _requested_state(request)
    member, puzzles = await find_member(request), context.matches.puzzles
    answer = redirect(replace(state, answers=(), text="", shown=shown).url())
    if member is None:
        await puzzles.get(state.key)  # there is one
        remember_seen(context, request, answer, state.key)
    else:
        await puzzles.reveal(state.key, Person(member.account, member.name), now=context.now())
    return answer


async def _requested_state(request: web.Request) -> PuzzleState:
    return PuzzleState.parse(request.match_info["key"], await read_form(request))
