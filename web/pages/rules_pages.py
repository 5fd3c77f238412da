"""The rules on the website: a list of the rule books, one page for each book, and its pictures as SVG."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aiohttp import web

import render
from engine.game import GameError
from i18n.readers import current_language
from rules.pictures import example_scene
from web.addresses import explorer_path
from web.analysis_board.board_link import AnalysisBoard, analysis_path
from web.context import CONTEXT
from web.match import formatting
from web.pages.markdown import MarkdownRenderer
from web.pages.pages import language_attribute
from web.pages.view_options import BOARD_WIDTH, cookie_theme, parse_theme

if TYPE_CHECKING:
    from markupsafe import Markup

    from rules.content import RuleBook, RulePage
    from web.context import WebContext

BEFORE = "-"  # the parameter `move` for the position before any move
PICTURE_HEADERS = {"Cache-Control": "public, max-age=86400"}


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """One board of a section: the example's position, or the board after one of its moves.

    `href` is the page with this board in the section, `picture` the URL of the board as SVG.
    """

    label: str
    href: str
    picture: str
    caption: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Section:
    """One rule page as a section of a web page.

    `lang` is the attribute of `text` if its language is not the reader's. `board` is the one that its picture
    shows, `boards` all that it can show if there are several.
    `analysis_url` leads to an analysis board of the example, and is empty if its game is over.
    """

    key: str
    title: str
    text: Markup
    lang: Markup
    board: ShownBoard
    boards: tuple[ShownBoard, ...]
    analysis_url: str


# The sections of each book as it is first shown, by vocabulary, theme and language.
SECTION_CACHE = web.AppKey("section_cache", dict[tuple[str, render.ThemeName, str], list[Section]])


def book_path(context: WebContext, name: str) -> str:
    """Return the path of the book of a vocabulary or a game; that of the list if there is none."""
    book = context.rule_books.find(name)
    return "/rules" if book is None else f"/rules/{context.rule_books.name_of(book)}"


def cover_path(request: web.Request, book: RuleBook) -> str:
    """Return the URL of a book's first picture."""
    path = book_path(request.app[CONTEXT], book.vocabulary)
    return f"{path}/{book.pages[0].key}/board.svg?{urlencode({'theme': cookie_theme(request)})}"


def lesson_path(context: WebContext, game: str) -> str:
    """Return the path of a game's lesson; empty if it has none."""
    return f"/learn/{game}" if context.lessons.find(game) else ""


async def rules_list(request: web.Request) -> web.Response:
    """Show the list of the rule books."""
    context = request.app[CONTEXT]
    books = [
        {
            "title": book.title,
            "note": book.note,
            "href": book_path(context, book.vocabulary),
            "picture": cover_path(request, book),
            "lesson": lesson_path(context, book.game),
        }
        for book in context.rule_books
        if book.game in context.games
    ]
    return context.pages.respond(request, "rules_list.html", books=books)


async def rule_book(request: web.Request) -> web.Response:
    """Show a book: the summary, the table of contents, and every page with its picture."""
    context, book = request.app[CONTEXT], _requested_book(request)
    path = book_path(context, book.vocabulary)
    if request.path != path:
        return web.Response(status=301, headers={"Location": path})
    key, cache = (book.vocabulary, cookie_theme(request), current_language()), request.app[SECTION_CACHE]
    if key not in cache:
        cache[key] = [_section(context, request, book, page, "") for page in book.pages]
    sections, move = list(cache[key]), request.query.get("move", "")
    for index, page in enumerate(book.pages):
        if move and page.key == request.query.get("example"):
            sections[index] = _section(context, request, book, page, move)
    others = [
        (book_path(context, other.vocabulary), other.title)
        for other in context.rule_books
        if other is not book and other.game in context.games
    ]
    return context.pages.respond(
        request,
        "rules.html",
        title=book.title,
        note=book.note,
        path=path,
        sections=sections,
        others=others,
        lesson=lesson_path(context, book.game),
        analysis_url=_new_game_url(context, book),
        explorer_url=explorer_path(book.game),
    )


async def example_svg(request: web.Request) -> web.Response:
    """Return the board of an example, by default as its page shows it."""
    context, book = request.app[CONTEXT], _requested_book(request)
    page = book.find_page(request.match_info["page"])
    if page is None:
        raise web.HTTPNotFound
    move, example = request.query.get("move"), page.example
    if move is not None:
        example = replace(example, show="" if move == BEFORE else move, path=None)
    theme = parse_theme(request.query.get("theme"), cookie_theme(request))
    render_options = render.RenderOptions(context.texts, width=BOARD_WIDTH, theme=theme)
    try:
        scene = example_scene(context.games[book.game].load(example.position), example, render_options)
    except GameError:
        raise web.HTTPNotFound from None
    answer = web.Response(
        text=render.to_svg(render.build_scene(*scene)), content_type="image/svg+xml", headers=PICTURE_HEADERS
    )
    answer.headers["Vary"] = "Accept-Encoding, Cookie"
    answer.enable_compression()
    return answer


def _requested_book(request: web.Request) -> RuleBook:
    context = request.app[CONTEXT]
    book = context.rule_books.find(request.match_info["book"])
    if book is None or book.game not in context.games:
        raise web.HTTPNotFound
    return book


def _new_game_url(context: WebContext, book: RuleBook) -> str:
    """Return the analysis board of a new game; empty if the rules of a new game are those of another book."""
    game = context.games[book.game]
    start = game.initial_position(**game.complete_options())
    return analysis_path(game.name) if context.rule_books.find(start.vocabulary) is book else ""


def _section(
    context: WebContext, request: web.Request, book: RuleBook, page: RulePage, chosen: str
) -> Section:
    """Return a page of a book; the picture shows the move `chosen`, by default as the page says."""
    boards = _boards(context, request, book, page, chosen)
    moves = {label: board.href for label, board in boards.items() if label not in {"", BEFORE}}
    own = boards.pop("")
    choosable = tuple(boards.values()) if len(boards) > 1 or page.example.path is not None else ()
    board = next((one for one in choosable if one.is_shown), own)
    titles = {one.title: f"#{one.key}" for one in book.pages if one is not page}
    position = context.games[book.game].load(page.example.position)
    return Section(
        key=page.key,
        title=page.title,
        text=MarkdownRenderer(titles, moves).render(page.text),
        lang=language_attribute(page.text),
        board=board,
        boards=choosable,
        analysis_url="" if position.to_move is None else AnalysisBoard(position).url(),
    )


def _boards(
    context: WebContext, request: web.Request, book: RuleBook, page: RulePage, chosen: str
) -> dict[str, ShownBoard]:
    """Return the boards of an example by move.

    "" is the board that its page shows, BEFORE the position before any move.
    """
    texts, example, theme = context.texts, page.example, cookie_theme(request)
    position = context.games[book.game].load(example.position)
    path = book_path(context, book.vocabulary)
    captions = {"": example.caption}
    if example.moves:
        captions[BEFORE] = texts("web.rules.before_caption")
    for text in example.moves:
        events = position.events(position.parse(text))
        side = position.to_move
        captions[text] = (
            "" if side is None else formatting.describe_turn(texts, book.vocabulary, side, events)
        )
    if example.show in captions:
        captions[example.show] = example.caption
    shown = chosen if chosen in captions and chosen else example.show
    return {
        move: ShownBoard(
            label=texts("web.rules.before") if move == BEFORE else move,
            href=f"{path}?{urlencode({'example': page.key, 'move': move})}#{page.key}",
            picture=f"{path}/{page.key}/board.svg?"
            + urlencode({**({"move": move} if move else {}), "theme": theme.value}),
            caption=caption,
            is_shown=move == shown and bool(move),
        )
        for move, caption in captions.items()
    }
