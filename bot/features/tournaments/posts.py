"""What posts about tournaments look like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.features.tournaments.tables import draw_table, format_table
from bot.posts.post import Post, fit_lines
from bot.ui.buttons import link_button, view_of
from bot.ui.markdown import CODE_FENCE, DiscordText
from i18n import clocks, formatting
from i18n.tournament_log import explain_place
from i18n.writing import Moment, MomentStyle
from matches.tournaments.results import GameState, format_points
from matches.tournaments.values import MAX_ENTRANTS, Kind, TournamentState
from render.tables import MAX_RANKING_ROWS, Ranking, list_numbered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import discord

    from bot.context import BotClient
    from bot.features.tournaments.tables import Table
    from i18n import Texts
    from matches.tournaments.values import (
        GameSetup,
        GameView,
        GroupView,
        Settings,
        TournamentSummary,
        TournamentView,
    )

MAX_NAMES = 30  # of entrants in a post


def list_groups(view: TournamentView) -> tuple[GroupView, ...]:
    """Return the groups of the shown stage; none before the start."""
    return () if view.stage is None else view.stage.groups


def describe_tournament(client: BotClient, view: TournamentView) -> list[str]:
    """Return a tournament with its settings, dates and entrants, one thing a line."""
    texts, settings = client.texts, view.settings
    rated = texts("tournament_post.rated" if settings.rated else "tournament_post.unrated")
    terms = [
        format_kind(texts, settings.kind),
        clocks.describe_time_control(texts, settings.time_control),
        rated,
    ]
    lines = [
        texts("tournament_post.heading", name=settings.name, number=view.id),
        texts("tournament_post.about", about=settings.about) if settings.about else "",
        *(_format_setup(client, one) for one in settings.games),
        texts.join(terms, "list.dot"),
        _describe_rounds(texts, view),
        *_describe_limits(texts, settings),
        _describe_state(texts, view),
        _describe_entrants(texts, view),
        "" if view.ended_at is not None else texts("tournament_post.ends_on_date"),
    ]
    return [line for line in lines if line]


def build_announcement_post(
    client: BotClient, view: TournamentView, buttons: Sequence[discord.ui.Item[Any]]
) -> Post:
    """Return the post with which a tournament is announced."""
    text = client.texts.join(describe_tournament(client, view), "list.lines")
    links = list_links(client, view)
    return Post(text, buttons=lambda: view_of(*buttons, *links))


def list_links(client: BotClient, view: TournamentView) -> list[discord.ui.Button[discord.ui.View]]:
    """Return the link to the page of a tournament, if there is a website."""
    if client.seat_links is None:
        return []
    return [link_button(client.texts("tournament_post.open_page"), client.seat_links.tournament_url(view.id))]


async def build_table_post(
    client: BotClient,
    view: TournamentView,
    group: GroupView,
    table: Table,
    buttons: Sequence[discord.ui.Item[Any]],
    theme: str,
    *,
    as_text: bool,
) -> Post:
    """Return the table of a group: as a picture or as text, and why those with equal points stand so."""
    texts = client.texts
    heading = format_heading(texts, view, group)
    notes = list(_explain(texts, view, group))
    links = list_links(client, view)
    if as_text:
        block = DiscordText(f"{CODE_FENCE}\n{format_table(table).replace('`', chr(39))}\n{CODE_FENCE}")
        text = texts.join([heading, block, *notes], "list.lines")
        return Post(text, buttons=lambda: view_of(*buttons, *links))
    notes = [*describe_picture(texts, view, group, table), *notes]
    text = fit_lines(texts, heading, notes, "tournament_post.more")
    return Post(text, await draw_table(table, theme), lambda: view_of(*buttons, *links))


def describe_picture(texts: Texts, view: TournamentView, group: GroupView, table: Table) -> Iterator[str]:
    """Yield what to know about the picture of a table, one thing a line.

    That is how much of a long table it has, the place of a reader below that, and for whom numbers stand.
    """
    if isinstance(table, Ranking) and len(table.rows) > MAX_RANKING_ROWS:
        yield texts("tournament_post.first_lines", count=MAX_RANKING_ROWS, total=len(table.rows))
        for row in group.table[MAX_RANKING_ROWS:]:
            if row.entrant == view.me:
                yield texts("tournament_post.own_place", place=row.place)
    numbered = list_numbered(table)
    names = [texts("tournament_post.numbered", number=number, name=name) for number, name in numbered]
    if names:
        yield texts("tournament_post.legend", names=texts.join(names, "list.dot"))


def format_heading(texts: Texts, view: TournamentView, group: GroupView) -> str:
    """Return the name of a tournament with its stage, where it may have several, and division."""
    stage, kind = view.stage, view.settings.kind
    parts = [texts("tournament_post.name", name=view.settings.name)]
    if stage is not None:
        if kind not in (Kind.ROUND_ROBIN, Kind.LADDER):
            parts.append(texts(f"tournament_stage.{kind}", number=stage.dates.number))
        if len(stage.groups) > 1:
            parts.append(texts("tournament_post.division", number=group.number))
        if stage.dates.ended_at is None:
            ends = Moment(stage.dates.ends_at, MomentStyle.DATE)
            parts.append(texts("tournament_post.ends", ends=ends))
    return texts.join(parts, "list.dot")


def format_pairings(texts: Texts, view: TournamentView, group: GroupView) -> list[str]:
    """Return the games of a group, one a line; those that are being played first."""
    order = {GameState.OPEN: 0, GameState.WAITING: 1}
    games = sorted(group.games, key=lambda one: (order.get(one.state, 2), one.round, one.id))
    return [format_game(texts, view, one) for one in games]


def format_game(texts: Texts, view: TournamentView, game: GameView) -> str:
    """Return a game as a line: who plays whom, the match, and the result or how far it is."""
    first = view.entrant(game.first).person
    if game.second is None:
        return texts("tournament_post.game.bye", first=first)
    values = {"first": first, "second": view.entrant(game.second).person}
    if game.state is GameState.ANNULLED:
        return texts("tournament_post.game.annulled", **values)
    if game.points is not None:
        points = [format_points(one) for one in game.points]
        key = "over" if game.match is None else "over_match"
        return texts(
            f"tournament_post.game.{key}",
            match=0 if game.match is None else game.match,
            first_points=points[0],
            second_points=points[1],
            **values,
        )
    if game.answer_by is not None and game.match is None:
        return texts("tournament_post.game.challenged", when=Moment(game.answer_by), **values)
    if game.match is None:
        return texts("tournament_post.game.waiting", **values)
    return texts("tournament_post.game.open", match=game.match, **values)


def format_summary(texts: Texts, one: TournamentSummary) -> str:
    """Return a tournament as a line of a list."""
    starts = Moment(one.starts_at, MomentStyle.RELATIVE)
    ends = starts if one.stage_ends_at is None else Moment(one.stage_ends_at, MomentStyle.DATE)
    return texts(
        f"tournament_post.listed.{one.state}",
        name=one.name,
        number=one.id,
        kind=format_kind(texts, one.kind),
        games=texts.join(dict.fromkeys(texts(f"game.{setup.game}.name") for setup in one.games)),
        entrants=texts("tournament_post.players", count=one.entrants),
        starts=starts,
        ends=ends,
    )


def format_kind(texts: Texts, kind: Kind) -> str:
    """Return the name of a kind of tournament."""
    return texts(f"tournament_kind.{kind}")


def format_winners(texts: Texts, view: TournamentView) -> str:
    """Return the line that names the winners; empty if there are none."""
    winners = [view.entrant(one).person for one in view.winners]
    return texts("tournament_post.winners", count=len(winners), names=texts.join(winners)) if winners else ""


def _format_setup(client: BotClient, setup: GameSetup) -> str:
    texts, game = client.texts, client.games[setup.game]
    options = formatting.format_options(texts, game, setup.options)
    return texts.join([part for part in (texts(f"game.{setup.game}.name"), options) if part], "list.dot")


def _describe_rounds(texts: Texts, view: TournamentView) -> str:
    settings, days = view.settings, view.settings.length.days
    rounds = view.rounds or settings.rounds or 0
    length = texts(f"tournament_post.length.{settings.kind}", count=days)
    if settings.kind in {Kind.LEAGUE, Kind.SWISS, Kind.KNOCK_OUT} and rounds:
        return texts.join(
            [texts(f"tournament_post.rounds.{settings.kind}", count=rounds), length], "list.dot"
        )
    return length


def _describe_limits(texts: Texts, settings: Settings) -> Iterator[str]:
    limits = settings.limits
    if limits.min_rating is not None or limits.max_rating is not None:
        key = "both" if limits.min_rating and limits.max_rating else "from" if limits.min_rating else "to"
        yield texts(
            f"tournament_post.rating.{key}", least=limits.min_rating or 0, most=limits.max_rating or 0
        )
    if settings.is_of_server:
        yield texts("tournament_post.members_only")
    if limits.entrants < MAX_ENTRANTS:
        yield texts("tournament_post.limit", count=limits.entrants)


def _describe_state(texts: Texts, view: TournamentView) -> str:
    starts = view.settings.starts_at
    if view.state is TournamentState.OPEN:
        return texts(
            "tournament_post.state.open",
            starts=Moment(starts, MomentStyle.FULL),
            left=Moment(starts, MomentStyle.RELATIVE),
        )
    if view.state is TournamentState.RUNNING and view.stage is not None:
        ends = Moment(view.stage.dates.ends_at, MomentStyle.DATE)
        stage = texts(f"tournament_stage.{view.settings.kind}", number=view.stage.dates.number)
        return texts("tournament_post.state.running", stage=stage, ends=ends)
    return format_winners(texts, view) or texts(f"tournament_post.state.{view.state}")


def _describe_entrants(texts: Texts, view: TournamentView) -> str:
    active = [one.person for one in view.entrants if one.withdrawn is None]
    if not active:
        return texts("tournament_post.nobody")
    names: list[object] = list(active[:MAX_NAMES])
    if len(active) > MAX_NAMES:
        names.append(texts("tournament_post.others", count=len(active) - MAX_NAMES))
    return texts("tournament_post.entrants", count=len(active), names=texts.join(names))


def _explain(texts: Texts, view: TournamentView, group: GroupView) -> Iterator[str]:
    """Yield why those with equal points stand above each other, and who can still win."""
    below = {row.place: row for row in group.table}
    for row in group.table:
        next_row = below.get(row.place + 1)
        why = explain_place(texts, row, None if next_row is None else view.entrant(next_row.entrant).person)
        if why:
            yield texts("tournament_post.why", name=view.entrant(row.entrant).person, why=why)
    can_win = [view.entrant(row.entrant).person for row in group.table if row.best == 1]
    has_open = any(row.best != row.worst for row in group.table)
    if (
        has_open
        and view.settings.kind not in {Kind.LADDER, Kind.KNOCK_OUT}
        and len(can_win) < len(group.table)
    ):
        yield texts("tournament_post.can_win", count=len(can_win), names=texts.join(can_win[:MAX_NAMES]))
