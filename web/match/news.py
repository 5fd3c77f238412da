"""News: which of some matches have changed, for pages that keep no event stream."""

from __future__ import annotations

from itertools import islice

from aiohttp import web

from matches import MatchId
from web.accounts.my_games import load_turns
from web.context import CONTEXT
from web.match.access import keep_visible
from web.play.move_form import parse_number

MAX_MATCHES = 50


async def news(request: web.Request) -> web.Response:
    """Return as JSON the checksum at the end of the current version of each match in the query.

    Matches that do not exist or that the browser may not see are left out, and so are all after the
    first MAX_MATCHES. Of a browser that has games, `turns` is the number of matches that wait for it.
    """
    context = request.app[CONTEXT]
    numbers = (parse_number(value) for value in request.query.getall("match", []))
    matches = [MatchId(number) for number in islice(numbers, MAX_MATCHES) if number > 0]
    fingerprints = await keep_visible(request, matches) if matches else {}
    found: dict[str, str | int] = {
        str(match): context.cache.checksum(one) for match, one in fingerprints.items()
    }
    turns = await load_turns(request)
    if turns.can_have_games:
        found["turns"] = turns.count
    answer = web.json_response(found)
    answer.headers["Cache-Control"] = "no-store"
    return answer
