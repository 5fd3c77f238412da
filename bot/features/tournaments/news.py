"""The posts of announcements about tournaments: in the server's channel, or to one entrant."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bot.features.tournaments.buttons import NewsButton, StageButton, announcement_buttons, find_group
from bot.features.tournaments.playing import answer_buttons
from bot.features.tournaments.posts import (
    build_announcement_post,
    describe_picture,
    format_pairings,
    format_winners,
    list_links,
)
from bot.features.tournaments.tables import draw_table, load_table
from bot.posts.announcement_posts import marker_id
from bot.posts.post import Post, fit_lines
from bot.ui.buttons import view_of
from i18n.tournaments import describe_tournament
from matches import AnnouncementKind, Reader, Refusal
from matches.tournaments.values import Kind, TournamentId

if TYPE_CHECKING:
    from bot.context import BotClient
    from i18n import Texts
    from matches import Announcement
    from matches.tournaments.values import TournamentView

FOR_READERS = (AnnouncementKind.TOURNAMENT_ANNOUNCED, AnnouncementKind.TOURNAMENT_UPDATED)
"""What is the post of the tournament itself, for everybody who reads a channel."""

MAX_PAIRINGS = 20  # games in a post; with more only the button leads to them


async def build_news_post(client: BotClient, announcement: Announcement) -> Post | None:
    """Return the post of an announcement about a tournament; None if there is no such tournament any more."""
    texts = client.texts
    view = await _load_view(client, announcement)
    if view is None:
        return None
    marker = marker_id(announcement)
    if announcement.kind in FOR_READERS:
        return build_announcement_post(client, view, announcement_buttons(texts, view, marker))
    news = NewsButton.of(texts, view, marker)
    text = texts.join(describe_tournament(texts, announcement), "list.lines")
    if announcement.kind is AnnouncementKind.LADDER_CHALLENGED:
        game = int(announcement.details["game"])
        answers = answer_buttons(texts, view, game)
        return Post(text, buttons=lambda: view_of(*answers, news)) if game in view.rights.can_answer else None
    if announcement.kind not in {AnnouncementKind.STAGE_STARTED, AnnouncementKind.TOURNAMENT_OVER}:
        return Post(text, buttons=lambda: view_of(news, *list_links(client, view)))
    lines, picture = _list_lines(texts, announcement, view), None
    shown = await _load_shown(client, announcement, view)
    if shown is not None:
        group = find_group(shown)
        table = await load_table(client, shown, group, _build_reader(announcement))
        lines, picture = [*lines, *describe_picture(texts, shown, group, table)], await draw_table(table)
    pairings = (
        [] if view.stage is None else [StageButton.of(texts("tournament_post.pairings"), "pairs", view.id)]
    )
    return Post(
        fit_lines(texts, text, lines, "tournament_post.more"),
        picture,
        lambda: view_of(news, *pairings, *list_links(client, view)),
        announcement.recipients,
    )


def _list_lines(texts: Texts, announcement: Announcement, view: TournamentView) -> list[str]:
    """Return the winners of what is over; of a stage that starts its games, to one entrant the own ones."""
    if announcement.kind is AnnouncementKind.TOURNAMENT_OVER:
        return [line for line in [format_winners(texts, view)] if line]
    if view.stage is None or view.stage.dates.number != announcement.details["stage"]:
        return []
    groups = view.stage.groups
    if view.me is not None:
        own = find_group(view)
        games = tuple(one for one in own.games if view.me in (one.first, one.second))
        return format_pairings(texts, view, replace(own, games=games))
    if sum(len(one.games) for one in groups) > MAX_PAIRINGS:
        return []
    return [line for one in groups for line in format_pairings(texts, view, one)]


async def _load_view(
    client: BotClient, announcement: Announcement, stage: int | None = None
) -> TournamentView | None:
    reader = _build_reader(announcement)
    tournament = TournamentId(announcement.tournament or 0)
    try:
        return await client.matches.tournaments.view(tournament, reader, stage=stage, now=client.now())
    except Refusal:
        return None


def _build_reader(announcement: Announcement) -> Reader:
    """Return whoever reads the post: one entrant, or the members of the server."""
    accounts = frozenset[str]() if announcement.to is None else frozenset({announcement.to})
    return Reader(accounts=accounts, servers=frozenset({announcement.server}))


async def _load_shown(
    client: BotClient, announcement: Announcement, view: TournamentView
) -> TournamentView | None:
    """Return the tournament with the stage whose table to show: the last one that is over, if any."""
    if announcement.kind is AnnouncementKind.TOURNAMENT_OVER:
        return view if view.stage is not None else None
    before = int(announcement.details["stage"]) - 1
    if before < 1 or view.settings.kind is Kind.LADDER:
        return None
    return await _load_view(client, announcement, before)
