"""People who play a turn in the browser: they open the link that the bot gives them, and submit the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import aiohttp

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Member, Reply
    from tests.soak.environment import SoakEnvironment

OWN_SITE = {"Sec-Fetch-Site": "same-origin"}


async def play_in_browser(env: SoakEnvironment, who: Member, view: MatchView, text: str) -> Reply:
    """Ask for the link to one's seat and play there; return the answer to the command.

    Raises SimulationFailure if the website does not open or refuses the turn.
    """
    channel, given = env.population.channel(view.channel), {"match": str(view.id)}
    reply = await env.perform(who, "/website", who.command("website", given, channel=channel), view.id)
    link = next((one.url for one in reply.buttons if one.url), None) if reply.message else None
    if link is None:
        return reply
    env.log.record(env.now, f"{who.name} plays {text} in the browser", view.id)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as browser:
        async with browser.get(link) as page:
            seat, is_open = page.url, page.ok
        form = {"board": str(view.revision), "text": text}
        async with browser.post(f"{seat}/play", data=form, headers=OWN_SITE) as page:
            if not (is_open and page.ok):
                raise env.log.failure(f"the website answered {page.status}: {await page.text()}", view.id)
    env.metrics.counts["turns in the browser"] += 1
    return reply
