"""What the page of a puzzle shows: read for one visitor, and described for the templates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from markupsafe import Markup

import render
from i18n import puzzle_texts
from i18n.refusals import format_game_error
from matches import PuzzleVerdict
from web.accounts.signed_in import find_member
from web.addresses import NOTICES_PATH, PUZZLES_PATH
from web.analysis_board.board_link import AnalysisBoard
from web.context import CONTEXT
from web.match.formatting import describe_turn
from web.pages.rules_pages import book_path
from web.pages.view_options import ViewOptions, cookie_theme
from web.play.move_form import MoveFormContext
from web.puzzles.entering import build_turn_form
from web.puzzles.state import next_path
from web.puzzles.texts import list_choices

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp import web

    from engine.game import GameError
    from matches import Attempt, MatchId, PastAttempt, Progress, SolverRating, StoredPuzzle
    from web.context import WebContext
    from web.play.move_form import MoveForm
    from web.puzzles.state import PuzzleState

HISTORY = 12  # attempts that are shown


@dataclass(frozen=True, slots=True)
class PuzzleContent:
    """A puzzle, and what is known about a visitor; `account` is empty for somebody without one.

    `own_match` is the match of the puzzle if the visitor has played it. `games`, `themes` and `history` are
    empty where only a part of the page is shown.
    """

    stored: StoredPuzzle
    account: str = ""
    attempt: Attempt | None = None
    rating: SolverRating | None = None
    own_match: MatchId | None = None
    games: tuple[str, ...] = ()
    themes: tuple[str, ...] = ()
    history: tuple[PastAttempt, ...] = ()

    @property
    def may_reveal(self) -> bool:
        """Whether showing a hint or the solution changes nothing any more."""
        return not self.account or self.attempt is not None or self.own_match is not None


async def load_content(request: web.Request, key: str, *, is_part: bool) -> PuzzleContent:
    """Read what the page shows. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    puzzles = request.app[CONTEXT].matches.puzzles
    content = PuzzleContent(await puzzles.get(key))
    game = content.stored.puzzle.game.name
    if not is_part:
        content = replace(content, games=await puzzles.list_games(), themes=await puzzles.list_themes(game))
    member = await find_member(request)
    if member is None:
        return content
    account = member.account
    return replace(
        content,
        account=account,
        attempt=await puzzles.find_attempt(key, account),
        rating=await puzzles.find_rating(account, game),
        own_match=await puzzles.find_match(key, account),
        history=() if is_part else await puzzles.list_history(account, limit=HISTORY),
    )


@dataclass(frozen=True, slots=True)
class PuzzlePage:
    """The page of a puzzle for a request; `values` are the fields of its address or of the form sent."""

    request: web.Request
    content: PuzzleContent
    values: Mapping[str, str]

    @property
    def _context(self) -> WebContext:
        return self.request.app[CONTEXT]

    def describe(self, state: PuzzleState, progress: Progress, error: GameError | None) -> dict[str, Any]:
        """Return the template context of the page; `error` is why what was entered was refused."""
        context, content = self._context, self.content
        stored, texts = content.stored, context.texts
        puzzle = stored.puzzle
        shows_solution = state.shown == "solution" and content.may_reveal
        form = None
        if progress.verdict is PuzzleVerdict.OPEN and not shows_solution:
            form = self._build_form(state, progress)
            svg = form.svg
        else:
            svg = self._draw(progress, shows_solution=shows_solution)
        is_over = progress.verdict is PuzzleVerdict.SOLVED or shows_solution
        return {
            **self._links(state, progress),
            "game": texts(f"game.{puzzle.game.name}.name"),
            "rules": book_path(context, puzzle.start.vocabulary),
            "options": puzzle_texts.format_rules(texts, stored),
            "task": puzzle_texts.format_task(texts, stored),
            "side": puzzle.solver.value,
            "verdict": "shown" if shows_solution else progress.verdict.value,
            "is_over": is_over,
            "is_begun": bool(progress.found),
            "last_turn": puzzle_texts.format_last_turn(texts, progress, describe_turn),
            "svg": Markup(svg),  # noqa: S704 - made by the renderer, which escapes all texts
            "form": form,
            "notice": "" if error is None else format_game_error(texts, error),
            "hint": puzzle_texts.format_hint(texts, stored, progress)
            if state.shown == "hint" and form is not None and content.may_reveal
            else "",
            "solution": puzzle_texts.format_solution(texts, stored, describe_turn) if is_over else [],
            "is_reported": state.shown == "reported",
            **self._figures(is_over=is_over or content.attempt is not None),
            **self._choices(state),
        }

    def _links(self, state: PuzzleState, progress: Progress) -> dict[str, Any]:
        """Return addresses, and the fields of forms that go on from here."""
        puzzle = self.content.stored.puzzle
        board = AnalysisBoard(puzzle.start).with_moves(*puzzle.line)
        is_told = self._context.sends_mail and bool(self.content.account)
        return {
            "path": state.path,
            "url": state.url(),
            "send_path": f"{state.path}/turn",
            "method": "post",
            "form_fields": list(state.fields().items()),
            "answers": ".".join(state.answers),
            "typed": state.text,
            "retry_url": state.with_turns(*progress.found).url(),
            "next_path": next_path(state.choice),
            "mail_path": f"{NOTICES_PATH}#puzzle" if is_told else "",
            "analysis_url": board.at(0).url(),
            "picture_url": f"{self._context.base}{state.path}/board.png",
        }

    def _choices(self, state: PuzzleState) -> dict[str, Any]:
        """Return what is beside the puzzle: the choice of the next one, and the visitor's last ones."""
        content = self.content
        game = state.choice.game or content.stored.puzzle.game.name
        themes = content.themes if game == content.stored.puzzle.game.name else ()
        return {
            "choices": list_choices(self._context.texts, content.games, game, themes, state.choice),
            "history": [
                (
                    f"{PUZZLES_PATH}/{one.attempt.puzzle}",
                    one.attempt.is_solved,
                    one.attempt.puzzle == state.key,
                )
                for one in reversed(content.history)
            ],
        }

    def _figures(self, *, is_over: bool) -> dict[str, Any]:
        """Return ratings and what counts; those of the puzzle only when it is over."""
        content, texts = self.content, self._context.texts
        stored, attempt, rating = content.stored, content.attempt, content.rating
        start = stored.puzzle.start
        themes = [
            name for _, name in puzzle_texts.list_theme_names(texts, start.vocabulary, stored.puzzle.themes)
        ]
        return {
            "is_member": bool(content.account),
            "attempt": attempt,
            "change": ""
            if attempt is None
            else f"{attempt.after - attempt.before:+d}".replace("-", "\u2212"),
            "rating": _format_rating(rating),
            "puzzle_rating": _format_rating(stored) if is_over else "",
            "solved": stored.solved,
            "tried": stored.solved + stored.failed,
            "themes": themes if is_over else [],
            "own_match": content.own_match,
        }

    def _view_options(self) -> ViewOptions:
        puzzle = self.content.stored.puzzle
        return ViewOptions.from_query(
            self._context.texts, self.values, puzzle.game, puzzle.solver, cookie_theme(self.request)
        )

    def _build_form(self, state: PuzzleState, progress: Progress) -> MoveForm:
        form_context = MoveFormContext(
            texts=self._context.pages.texts,
            side=self.content.stored.puzzle.solver,
            view_options=self._view_options(),
            revision=0,
            last_events=progress.events,
            parameters=urlencode(state.fields()),
        )
        return build_turn_form(form_context, progress.position, state)

    def _draw(self, progress: Progress, *, shows_solution: bool) -> str:
        puzzle = self.content.stored.puzzle
        position, events = progress.position, progress.events
        if shows_solution:
            last = puzzle.position_at(len(puzzle.line) - 1)
            move = last.parse(puzzle.line[-1])
            position, events = last.play(move), last.events(move)
        is_over = position.to_move is None
        return render.to_svg(self._view_options().scene(position, events, is_over=is_over))


def _format_rating(rated: SolverRating | StoredPuzzle | None) -> str:
    """Return a rating as whole points; empty if there is none."""
    if rated is None:
        return ""
    return puzzle_texts.format_points(rated.rating.rating, is_provisional=rated.is_provisional)
