"""The page of a seat: the page of a match with move form, picks, offers and ways to end the match."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from aiohttp import web

from engine.game import GameError
from i18n import formatting as game_formatting
from i18n.match_texts import REASONS_WITHOUT_RESULT, describe_pick
from i18n.names import name_of
from i18n.refusals import format_game_error
from i18n.writing import Moment, isolate
from matches import (
    WEB,
    Action,
    MatchState,
    OfferKind,
    Refusal,
    StaleBoard,
    TooManyMoves,
    is_between_people,
    platform_of,
    possible_offers,
)
from matches.people.notes import MAX_NOTE_LENGTH
from matches.platforms import WEBSITE
from move_builder import answers_for, parse_turn, split_moves, suggest_lines
from web.accounts import my_games
from web.addresses import report_url
from web.context import CONTEXT
from web.errors import format_error
from web.match.game_analysis import game_analysis_context
from web.match.match_page import MatchPage, players_context, turn_items
from web.match.profile_links import load_profile_links
from web.pages.preferences import preference_items
from web.pages.view_options import BoardPicture, ViewOptions
from web.play import computer_games, held_seats, hints, local_games, move_form, rematches, seat_links
from web.play.seat_sessions import renew_seat_session, require_player
from web.tournaments.marks import tournament_of_match

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.game import Position, Side
    from web.context import WebContext
    from web.play.move_form import MoveForm
    from web.play.seat_sessions import PlayerSession

MAX_MOVE_TEXT = 200
ANSWER_TIME = timedelta(minutes=1)  # in which the computer answers, if it can play
ENDINGS = ("resign", "abort", "lock", "accept")  # what a player is asked to confirm


async def seat_page(request: web.Request) -> web.Response:
    """Show the page of a seat, with the move form as far as the URL answers it."""
    context = request.app[CONTEXT]
    session = await require_player(request)
    if await _record_contact(context, session):
        session = await require_player(request)
    if "part" not in request.query:  # a page that is hidden loads parts too
        await mark_seen(context, session)
    if session.token is not None:
        accounts = [seat.person.account for seat in session.view.seats]
        held_seats.add_seat(request, session.token, request.match_info["seat"], accounts)
    answer = await render_seat_page(
        request, session, answers=request.query, taken=request.query.getall("take", [])
    )
    renew_seat_session(context, answer, session)
    held_seats.save_seats(request, answer)
    return answer


async def _record_contact(context: WebContext, session: PlayerSession) -> bool:
    """Record that whoever opens the page has been told what could not be sent; return whether that is new."""
    time, told = session.view.time, 0
    unreached = {person.account for person in time.unreached} if time is not None else set()
    if session.state.has_untold or not unreached.isdisjoint(session.accounts):
        for account in session.accounts:
            found = await context.matches.posting.places.record_contact(
                account, match=session.view.id, now=context.now()
            )
            told += len(found)
    return told > 0


async def seen(request: web.Request) -> web.Response:
    """Record that the player sees the board: the open page has shown something new."""
    context, session = request.app[CONTEXT], await require_player(request)
    await _record_contact(context, session)
    await mark_seen(context, session)
    return web.Response(status=204, headers={"Cache-Control": "no-store"})


async def mark_seen(context: WebContext, session: PlayerSession) -> None:
    """Have the players of a session told nothing more about what its page shows."""
    if session.state.has_unseen:
        for account in session.accounts:
            await context.matches.people.notices.mark_seen(account, session.view.id, now=context.now())


async def render_seat_page(
    request: web.Request,
    session: PlayerSession,
    *,
    answers: Mapping[str, str],
    taken: Sequence[str] = (),
    notice: str = "",
) -> web.Response:
    """Return the page of a seat; with ``part=seat`` only its players, board and controls.

    These come with the turns since the version `after` of the match, which the page has. `answers` are those
    of the move form, `taken` the cells ticked in it.
    """
    context = request.app[CONTEXT]
    view_options = ViewOptions.from_request(
        context.texts, request, context.games[session.view.game], _bottom_side(session)
    )
    page = MatchPage.create(context, session.cached, view_options, request.query.get("turn"), session.path)
    # On a large board this takes long enough that other players would wait for it in the event loop.
    form, form_notice = await context.run_in_thread(
        request, lambda: _current_move_form(session, page, answers, taken)
    )
    query = {} if form is None else form.query(session.view.revision)
    typed = answers.get("text", "")[:MAX_MOVE_TEXT] if form_notice else ""
    near = await context.run_in_thread(request, lambda: _near_turns(session, typed)) if typed else ()
    turns = await my_games.load_turns(request)
    values = {
        **page.link_context(**query),
        **page.board_context(None if form is None else BoardPicture(form.svg, form.counts)),
        **players_context(context, page.cached, session.view, view_options.side),
        **_seat_context(context, session, page),
        "own_result": _own_result(context, session),
        **_computer_context(context, session, page),
        **await _ending_context(request, session, page, query),
        "declined": _declined_offer(context, session),
        **_line_context(session),
        "move_form": form,
        "form_query": query,
        "notice": notice or form_notice,
        "links_url": seat_links.links_url(request, session.view),
        "next_game": turns.next_after(session.view.id),
        "typed": typed,
        "near_turns": near,
    }
    values |= hints.hint_context(context, session, form)
    if form is not None and form.is_complete:
        values |= {"caption": form.question, "is_preview": True}
    if request.query.get("part") == "seat":
        since = page.cached.last_turn_of(request.query.get("after", "")) or 0
        values |= {"since": since, "new_turns": turn_items(page.cached, since + 1)}
        answer = context.pages.respond(request, "seat_parts.html", **values)
    else:
        values["preferences"] = preference_items(request, is_seated=True)
        values |= _note_context(session)
        values["report_url"] = _report_url(session)
        values["profile_links"] = await load_profile_links(request, session.view)
        values["tournament"] = await tournament_of_match(request, session.view, is_seated=True)
        values["game_analysis"] = await game_analysis_context(request, page)
        answer = context.pages.respond(request, "match.html", **values | page.frame_context(**query))
    answer.headers["Cache-Control"] = "no-store"
    view_options.save_theme(request, answer, secure=context.is_secure)
    return answer


def _seat_context(context: WebContext, session: PlayerSession, page: MatchPage) -> dict[str, Any]:
    """Return the template context of the seat controls, without the move form."""
    view = session.view
    pending_offer = view.pending_offer
    possible = session.possible_actions
    can_answer = Action.ANSWER_OFFER in possible
    return {
        "is_seated": True,
        "own_seat_url": "",
        "revision": view.revision,
        "own_side": session.seat.side.value,
        "is_awaited": session.is_awaited and page.is_latest,
        "is_own_turn": session.is_awaited,
        "acting_name": isolate(name_of(context.texts, session.person)),
        "one_screen": session.has_both_seats,
        "can_resign": Action.RESIGN in possible,
        "can_rematch": rematches.can_rematch(context, session),
        "rematch": page.cached.fingerprint.rematch,
        "can_abort": Action.ABORT in possible,
        "has_link": session.token is not None,
        "version": page.cached.version,
        "offers": _possible_offers(context, session),
        "has_offer": pending_offer is not None,
        "answerable_offer": pending_offer if can_answer else None,
        "own_offer": pending_offer if Action.WITHDRAW_OFFER in possible and not can_answer else None,
        "picks": _pick_options(context, session),
    }


def _own_result(context: WebContext, session: PlayerSession) -> tuple[str, str] | None:
    """Return the result for the player as ``won``, ``lost`` or ``draw`` and as text; None if there is none.

    On a shared screen somebody has won whoever it is.
    """
    texts, result = context.texts, session.view.result
    if result is None or result.reason in REASONS_WITHOUT_RESULT:
        return None
    if result.winner is None:
        return "draw", texts("web.result.draw")
    if session.has_both_seats:
        return "won", texts("web.result.winner", name=result.winner.person)
    kind = "won" if result.winner.person == session.person else "lost"
    return kind, texts(f"web.result.{kind}")


def _computer_context(context: WebContext, session: PlayerSession, page: MatchPage) -> dict[str, Any]:
    """Return the template context of the opponent if it is the computer; None as `computer` if it is not."""
    seat, view = session.computer, session.view
    if seat is None:
        return {"computer": None}
    level = computer_games.seat_level(seat)
    is_running = view.state is MatchState.PLAYING
    has_moved = bool(page.cached.turns_since_last_of(session.person.account))
    return {
        "computer": {
            "name": isolate(name_of(context.texts, seat.person)),
            "is_thinking": seat.person in view.waits_for,
            # Workers on other machines may do what this website cannot.
            "is_available": context.has_computer() or context.now() - view.changed_at < ANSWER_TIME,
            "can_take_back": is_running and has_moved and view.terms.takebacks_allowed,
            "other_levels": computer_games.level_choices(level).items(),
            "new_url": f"/new?game={view.game}",
        },
    }


async def _ending_context(
    request: web.Request, session: PlayerSession, page: MatchPage, query: Mapping[str, str]
) -> dict[str, Any]:
    """Return the links to the questions before irreversible actions, and the question that is asked now.

    The links and the way back keep `query`, the turn that is being entered.
    """
    context, view = page.context, session.view
    possible = {
        "resign": Action.RESIGN in session.possible_actions,
        "abort": Action.ABORT in session.possible_actions,
        "lock": session.token is not None and view.state is not MatchState.OVER,
        "accept": Action.ANSWER_OFFER in session.possible_actions
        and view.pending_offer is not None
        and view.pending_offer.kind is not OfferKind.TAKEBACK,
    }
    asked = next((one for one in ENDINGS if request.query.get("ask") == one and possible[one]), "")
    latest = None if page.is_latest else page.turn
    return {
        "asked": asked,
        "ends_match": possible["accept"],
        "game_name": context.texts(f"game.{view.game}.name"),
        "ask_hrefs": {one: page.href(latest, query={"ask": one, **query}) for one in ENDINGS},
        "keep_href": page.href(latest, query=query),
        "opponents": context.texts.join(
            seat.person for seat in view.seats if seat.person.account != session.person.account
        ),
        "is_local": platform_of(view.server) == WEB,
        "return_link": await local_games.return_link(context, session) if asked == "lock" else "",
        "return_until": Moment(context.now() + seat_links.LINK_LIFETIME),
    }


def _report_url(session: PlayerSession) -> str:
    """Return where a player who is signed in reports the opponent, a person, of a match of the website."""
    is_offered = session.view.server == WEBSITE and session.token is None
    return report_url(match=session.view.id) if is_offered and is_between_people(session.view) else ""


def _note_context(session: PlayerSession) -> dict[str, Any]:
    """Return the template context of the player's private note; None as the note for a shared screen."""
    note = None if session.has_both_seats else session.state.note
    return {"note": note, "note_limit": MAX_NOTE_LENGTH, "note_state": ""}


def _line_context(session: PlayerSession) -> dict[str, Any]:
    """Return whether the player can have conditional moves, and how many answers they hold."""
    is_over = session.view.state is MatchState.OVER
    if not session.allows_conditional_moves or session.cached.replay is None or is_over:
        return {"can_have_lines": False}
    return {"can_have_lines": True, "line_count": session.state.line_count}


def _declined_offer(context: WebContext, session: PlayerSession) -> str:
    """Return that the player's last offer on this board was declined; empty if it was not."""
    kind = session.state.declined_offer
    if kind is None or session.has_both_seats or session.view.pending_offer is not None:
        return ""
    return context.texts(f"web.offer.{kind}.declined")


def _possible_offers(context: WebContext, session: PlayerSession) -> list[dict[str, str]]:
    """Return the labels of the offers that are possible on this board, or would be if none were pending.

    The computer is not asked for a takeback: it always agrees, so a button takes back at once.
    """
    view, texts, position = session.view, context.texts, session.view.position
    left_out = None if session.computer is None else OfferKind.TAKEBACK
    has_result = position is not None and position.agreed_outcome is not None
    result = game_formatting.format_agreed_end(texts, position) if position is not None and has_result else ""
    return [
        {
            "kind": kind.value,
            "label": texts(f"web.offer.{kind}.make"),
            "about": texts(f"web.offer.{kind}.about", result=result),
        }
        for kind in possible_offers(replace(view, pending_offer=None))
        if kind is not left_out
    ]


def _pick_options(context: WebContext, session: PlayerSession) -> list[dict[str, str]]:
    """Return the picks to choose from; empty if the player has already picked or there is nothing to pick."""
    rules, texts = context.games[session.view.game], context.texts
    if rules.simultaneous_choice is None or Action.PICK not in session.possible_actions:
        return []
    return [{"pick": pick, **describe_pick(texts, rules, pick)} for pick in rules.simultaneous_choice.picks]


def _current_move_form(
    session: PlayerSession, page: MatchPage, answers: Mapping[str, str], taken: Sequence[str]
) -> tuple[MoveForm | None, str]:
    """Return the move form and a notice about a refused answer; no form unless the player is to move."""
    position = session.turn_start
    if position is None or not session.is_awaited or not page.is_latest:
        return None, ""
    form_context = move_form.MoveFormContext(
        texts=page.context.pages.texts,
        side=session.seat.side,
        view_options=page.view_options,
        revision=session.view.revision,
        last_events=tuple(event for move in session.view.last_turn for event in move.events),
        has_status_bar=False,
        hint=answers.get("hint", "")[:MAX_MOVE_TEXT] if hints.can_hint(page.context, session) else "",
    )
    try:
        return _build_move_form(session, form_context, answers, taken), ""
    except (GameError, Refusal) as error:
        saved_answers = answers_for(position, session.saved_moves)
        return move_form.build_form(form_context, position, saved_answers), error_text(page.context, error)


def _build_move_form(
    session: PlayerSession,
    form_context: move_form.MoveFormContext,
    query: Mapping[str, str],
    taken: Sequence[str],
) -> MoveForm:
    """Apply the answers in the URL. Raises GameError, and StaleBoard if they were given on an older board."""
    position, view = session.turn_start, session.view
    if position is None:
        raise Refusal("no_move_given", match=view.id, due=0, example="")
    text = query.get("text", "")[:MAX_MOVE_TEXT]
    if "answers" in query:
        answers = move_form.parse_answers(query["answers"])
    else:
        answers = answers_for(position, session.saved_moves)
    if (answers or text) and "board" in query and move_form.parse_number(query["board"]) != view.revision:
        raise StaleBoard(match=view.id)
    if "text" in query:
        return _preview_typed_moves(session, form_context, position, text)
    if "then" in query:
        answers = (*answers, *move_form.parse_answers(query["then"]))
    if "ticked" in query:
        answers = move_form.add_ticked_cells(position, answers, taken)
    return move_form.build_form(form_context, position, answers)


def _preview_typed_moves(
    session: PlayerSession, form_context: move_form.MoveFormContext, position: Position, text: str
) -> MoveForm:
    """Preview moves given as text, after the saved ones or in their place.

    `position` is the one before the turn. Raises `no_move_given`, TooManyMoves, GameError.
    """
    match, saved_moves = session.view.id, session.saved_moves
    moves = position.resolve_words(split_moves(text))
    count, due = len(moves), position.moves_due - len(saved_moves)
    if count == 0:
        raise Refusal("no_move_given", match=match, due=due, example=position.example_move)
    if count <= due:
        moves = [*saved_moves, *moves]
    elif count != position.moves_due:
        raise TooManyMoves(match=match, due=due, given=count)
    return move_form.build_preview(form_context, parse_turn(position, " ".join(moves)), " ".join(moves))


def _near_turns(session: PlayerSession, typed: str) -> list[str]:
    """Return legal turns near typed ones, after the saved moves."""
    position = session.view.position
    if position is None:
        return []
    lines = suggest_lines(position, position.resolve_words(split_moves(typed)))
    return list(dict.fromkeys(" ".join(line[: position.moves_due]) for line in lines))


def _bottom_side(session: PlayerSession) -> Side | None:
    """Return the player's own side; None (the default side) if both players share a screen."""
    return None if session.has_both_seats else session.seat.side


def error_text(context: WebContext, error: Refusal | GameError) -> str:
    """Return the text that explains an error to the player."""
    if isinstance(error, GameError):
        return context.texts("web.refused.move", reason=format_game_error(context.texts, error))
    return format_error(context.texts, error)
