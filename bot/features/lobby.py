"""``/lobby``: the open challenges and ongoing matches of a guild, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.feature import Feature
from bot.outbox import threads
from bot.outbox.responses import post_elsewhere
from bot.posts.places import describe_place
from bot.posts.post import Page, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import access, ids, markdown, permissions
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import define_command
from bot.ui.ids import PostId
from bot.ui.interactions import mark_committed
from i18n import clocks, formatting
from i18n.match_names import format_match_name
from i18n.writing import Moment, MomentStyle, Url
from matches import Challenge, ChallengeId

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import discord

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import MatchSummary

PAGE_SIZE = 5  # entries on a page


class LobbyPageButton(PersistentButton, template=r"lobby1:(?P<page>\d{1,4})"):
    """Shows a page of the lobby, freshly loaded."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        post = await _build_page(interaction, int(self.values["page"]))
        await replace_message(interaction, post)


class JoinButton(PersistentButton, template=r"join1:(?P<challenge>\d{1,12})"):
    """Accepts a challenge from the list; the match is played in the challenge's channel."""

    async def on_click(self, interaction: Interaction) -> None:
        """Accept the challenge and confirm it; the posts in the channel follow immediately."""
        client, challenge_id = interaction.client, ChallengeId(int(self.values["challenge"]))
        challenge = await client.matches.challenges.find(challenge_id, now=client.now())
        channel = await threads.resolve_match_channel(client, challenge)
        update = await client.matches.challenges.accept(
            challenge_id, ids.to_person(interaction.user), channel=channel, now=client.now()
        )
        mark_committed(interaction)
        if update.announcement is not None:
            by = challenge.by
            await post_elsewhere(
                interaction, update.announcement, "lobby.joined", update.match, edit=True, by=by
            )


async def show_lobby(interaction: Interaction) -> None:
    """Respond with the first page."""
    post = await _build_page(interaction, 0)
    await send_private(interaction, post, suppress_embeds=True)


async def _build_page(interaction: Interaction, page: int) -> Post:
    client = interaction.client
    texts, account = client.texts, ids.user_account(interaction.user)
    challenges, matches = await client.matches.public_queries.load_lobby(
        permissions.current_server(interaction) or "", now=client.now()
    )
    blocked = await client.matches.people.blocks.list_blocked(
        ids.to_person(interaction.user), now=client.now()
    )
    blocked_accounts = {person.account for person in blocked}
    found: list[Challenge | MatchSummary] = [
        *await access.visible(
            interaction,
            [one for one in challenges if _is_for(one, account) and one.by.account not in blocked_accounts],
        ),
        *await access.visible(interaction, matches),
    ]
    listed = Page.cut(found, page, PAGE_SIZE)
    lines = list(_format_lines(texts, client.games, listed.shown)) or [texts("lobby.empty")]
    lines += listed.format_number(texts)
    if client.seat_links is not None:
        lines.append(texts("lobby.website", url=Url(client.seat_links.lobby_url())))
    steps = (LobbyPageButton.create(texts(key), f"lobby1:{to}", row=4) for key, to in listed.steps())
    items = [*_join_buttons(texts, listed.shown, account), *steps]
    return Post(texts.join(lines, "list.lines"), None, lambda: view_of(*items))


def _is_for(challenge: Challenge, account: str) -> bool:
    """Return whether a challenge is to, by or open to the user."""
    return challenge.to is None or account in {challenge.to.account, challenge.by.account}


def _format_lines(
    texts: Texts, games: Mapping[str, Game], shown: Sequence[Challenge | MatchSummary]
) -> Iterator[str]:
    """Yield the lines of a page, with a heading above each kind."""
    heading = ""
    for one in shown:
        is_challenge = isinstance(one, Challenge)
        key = "lobby.challenges" if is_challenge else "lobby.matches"
        if key != heading:
            heading = key
            yield texts(key)
        yield (
            _format_challenge(texts, games, one) if isinstance(one, Challenge) else _format_match(texts, one)
        )


def _format_challenge(texts: Texts, games: Mapping[str, Game], challenge: Challenge) -> str:
    link = (
        ""
        if challenge.post is None
        else texts("lobby.link", url=Url(PostId.parse(challenge.post).url(challenge.server)))
    )
    options = formatting.format_options(texts, games[challenge.game], challenge.options)
    terms = clocks.describe_terms(texts, challenge.terms)
    text = texts(
        "lobby.challenge" if challenge.to is None else "lobby.challenge_for",
        challenge=challenge.id,
        by=challenge.by,
        to="" if challenge.to is None else challenge.to,
        game=texts(f"game.{challenge.game}.name"),
        details=texts.join([part for part in (options, terms) if part], "list.dot"),
        channel=markdown.channel_mention(challenge.channel),
        when=Moment(challenge.expires_at, MomentStyle.RELATIVE),
        link=link,
    )
    return texts.join([text, *clocks.describe_vacations(texts, challenge.away)], "list.lines")


def _format_match(texts: Texts, summary: MatchSummary) -> str:
    return texts(
        "lobby.match_direct" if summary.is_direct else "lobby.match",
        match_name=format_match_name(texts, summary),
        channel=describe_place(texts, summary),
        waits=texts.join(summary.waits_for),
        url=Url(ids.latest_post_url(summary)),
    )


def _join_buttons(
    texts: Texts, shown: Sequence[Challenge | MatchSummary], account: str
) -> Iterator[discord.ui.Item[Any]]:
    for one in shown:
        if isinstance(one, Challenge) and one.by.account != account:
            label = texts("lobby.join", challenge=one.id)
            yield JoinButton.create(label, f"join1:{one.id}", Style.success)


FEATURE = Feature(commands=(define_command("lobby", show_lobby),), items=(LobbyPageButton, JoinButton))
