"""The page of a puzzle: its board, the turn that is being entered, and what became of the turns before.

All of it is in the address, so a puzzle needs no script; what counts is posted.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from aiohttp import web

import render
from engine.game import GameError
from matches import Person, PuzzleChoice, PuzzleVerdict
from web.accounts.signed_in import find_member
from web.context import CONTEXT
from web.pages.pages import NO_STORE
from web.pages.rules_pages import PICTURE_HEADERS
from web.pages.view_options import ViewOptions
from web.puzzles.content import PuzzlePage, load_content
from web.puzzles.entering import follow_state, read_turn
from web.puzzles.seen import read_seen, remember_seen
from web.puzzles.state import MAX_THEME_LENGTH, PuzzleState
from web.puzzles.texts import list_choices
from web.server.forms import read_fields, redirect

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matches.puzzles.service import Puzzles


async def next_puzzle(request: web.Request) -> web.Response:
    """Lead to a puzzle that the visitor has not seen; say so if there is none left."""
    context, query = request.app[CONTEXT], request.query
    choice = PuzzleChoice(query.get("game", "")[:MAX_THEME_LENGTH], query.get("theme", "")[:MAX_THEME_LENGTH])
    member, puzzles = await find_member(request), context.matches.puzzles
    seen = read_seen(context, request) if member is None else ()
    stored = await puzzles.next(None if member is None else member.account, choice, seen=seen)
    if stored is not None:
        return redirect(PuzzleState(stored.key, choice=choice).url())
    games = await puzzles.list_games()
    game = choice.game if choice.game in games else ""
    themes = await puzzles.list_themes(game) if game else ()
    is_known = game == choice.game and await _has_theme(puzzles, choice, games)
    choices = list_choices(context.texts, games, game, themes, replace(choice, game=game))
    answer = context.pages.respond(
        request, "puzzles_none.html", choices=choices, has_any=bool(games), is_known=is_known
    )
    answer.headers.update(NO_STORE)
    return answer


async def _has_theme(puzzles: Puzzles, choice: PuzzleChoice, games: Sequence[str]) -> bool:
    """Return whether puzzles of the game, or of any, have the theme of a choice."""
    chosen = [game for game in games if choice.game in {"", game}]
    return not choice.theme or any([choice.theme in await puzzles.list_themes(game) for game in chosen])


async def puzzle_page(request: web.Request) -> web.Response:
    """Show a puzzle as its address says."""
    state = PuzzleState.parse(request.match_info["key"], request.query)
    return await _respond(request, state, request.query, request.query.getall("take", []))


async def play_turn(request: web.Request) -> web.Response:
    """Take answers to the open question. A turn that they complete is judged, and rated if that ends it.

    With the field `part` the answer is what changes on the page.
    """
    context, fields = request.app[CONTEXT], await read_fields(request)
    values, taken = dict(fields), [value for name, value in fields if name == "take"]
    state = PuzzleState.parse(request.match_info["key"], values)
    stored = await context.matches.puzzles.get(state.key)
    progress, state = follow_state(stored, state)
    move = None
    if progress.verdict is PuzzleVerdict.OPEN:
        with suppress(GameError):  # the page says why, where it reads the same
            state, move = read_turn(progress.position, state, values, taken)
    is_seen = False
    if move is not None:
        member = await find_member(request)
        person = None if member is None else Person(member.account, member.name)
        turns = [*progress.found, str(move)]
        result = await context.matches.puzzles.attempt(state.key, person, turns, now=context.now())
        done = result.progress
        state, values, taken = state.with_turns(*done.found, *filter(None, [done.wrong])), {}, []
        is_seen = person is None and done.verdict is not PuzzleVerdict.OPEN
    is_part = "part" in dict(fields)
    answer = await _respond(request, state, values, taken, is_part=True) if is_part else redirect(state.url())
    if is_seen:
        remember_seen(context, request, answer, state.key)
    return answer


async def board_png(request: web.Request) -> web.Response:
    """Return the board of a puzzle as PNG, for previews of its link."""
    context = request.app[CONTEXT]
    puzzle = (await context.matches.puzzles.get(request.match_info["key"])).puzzle
    options = ViewOptions.from_request(context.texts, request, puzzle.game, puzzle.solver)
    png = await context.run_in_thread(request, lambda: render.to_png(options.scene(puzzle.start, ())))
    return web.Response(body=png, content_type="image/png", headers={**PICTURE_HEADERS, "Vary": "Cookie"})


async def _respond(
    request: web.Request,
    state: PuzzleState,
    values: Mapping[str, str],
    taken: Sequence[str],
    *,
    is_part: bool = False,
) -> web.Response:
    """Return the page, or what changes on it."""
    context = request.app[CONTEXT]
    content = await load_content(request, state.key, is_part=is_part)

    def build() -> web.Response:
        progress, seen = follow_state(content.stored, state)
        error = None
        if progress.verdict is PuzzleVerdict.OPEN:
            try:
                seen = read_turn(progress.position, seen, values, taken)[0]
            except GameError as refused:
                error, seen = refused, replace(seen, answers=(), text="")
        shown = PuzzlePage(request, content, values).describe(seen, progress, error)
        template = "puzzle_parts.html" if is_part else "puzzle.html"
        return context.pages.respond(request, template, **shown)

    answer = await context.run_in_thread(request, build)
    answer.headers.update(NO_STORE)
    return answer
