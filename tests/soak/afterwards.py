"""What comes after a match: another with sides changed, or a result put right by those who run the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.soak import order
from tests.soak.matchmaking import Asked, asked_in

if TYPE_CHECKING:
    from matches import MatchView
    from tests.soak.stage import Stage


async def rematch(stage: Stage, view: MatchView) -> Asked | None:
    """One of the two offers a rematch; give the challenge that then stands."""
    chance, place = stage.chance, stage.cast.place(view.place)
    first, second = chance.sample(view.seats, 2)
    who, other = (stage.cast.person(seat.person.account) for seat in (first, second))
    known = len(place.state.messages)
    await stage.do(who, "/rematch", who.command("rematch", {"match": str(view.id)}, channel=place), view.id)
    number = asked_in(place.state.messages[known:])
    if number is None:
        return None
    stage.figures.deeds["rematches offered"] += 1
    return Asked(number, who, other, place, stage.cast.guild_of(place).id)


async def correct(stage: Stage, view: MatchView) -> None:
    """Whoever runs the server gives a match another result, or none."""
    place = stage.cast.place(view.place)
    steward = order.steward(stage, stage.cast.guild_of(place))
    results = [*(seat.side.value for seat in view.seats), "draw", "none"]
    result = stage.chance.choice(results)
    given = {"match": str(view.id), "result": result, "reason": "They had agreed on it."}
    reply = await stage.do(
        steward, f"/correct {result}", steward.command("correct", given, channel=place), view.id
    )
    stage.figures.deeds["corrections"] += not (reply.failed or reply.ephemeral)
