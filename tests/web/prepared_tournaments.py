"""Tournaments in every state, for what goes through all pages: accessibility tests and screenshots."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from matches import Person, Reader
from matches.tournaments.results import GameState
from matches.tournaments.values import GameSetup, Kind, Settings
from tests.web.environment import ALICE, BOB, CAROL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.results import EntrantId
    from matches.tournaments.values import GameView, TournamentId, TournamentView
    from tests.web.environment import WebEnvironment

NAMES = (
    "Dora",
    "Emil",
    "Fatima",
    "Gustav Adolf von Hohenstein",
    "三浦 はな",
    "Ines",
    "Jakub",
    "Kirsten",
    "Lev",
)
OTHERS = tuple(Person(f"test:{number}", name) for number, name in enumerate(NAMES))
PLAYERS = (ALICE, BOB, CAROL, *OTHERS)
DAY = timedelta(days=1)
GAMES = (GameSetup("morelli", {"size": 9}), GameSetup("morphos", {}))


async def prepare_tournaments(env: WebEnvironment) -> dict[str, int]:
    """Create tournaments that Carol organises and Alice plays in; return their numbers by kind and state.

    `open` can be joined, the others are running: a cross table of ten, a Swiss one in its second round, a
    knock-out in its second, a ladder with a challenge to Alice. `won` is over, and Alice has won it.
    """
    ten = PLAYERS[:10]
    made = {
        "round_robin": await create_tournament(env, Kind.ROUND_ROBIN, ten),
        "swiss": await create_tournament(env, Kind.SWISS, PLAYERS),
        "knock_out": await create_tournament(env, Kind.KNOCK_OUT, PLAYERS[:7]),
        "ladder": await create_tournament(env, Kind.LADDER, PLAYERS[:8]),
        "won": await create_tournament(env, Kind.ROUND_ROBIN, PLAYERS[:3], "Small cup"),
    }
    env.clock.advance(days=15)
    await run_sweeps(env)
    await decide_games(env, made["won"], winner=ALICE, share=1)
    await decide_games(env, made["swiss"], share=1)
    await decide_games(env, made["knock_out"], winner=ALICE, share=1)
    await decide_games(env, made["round_robin"], share=0.6)
    await _challenge(env, made["ladder"])
    made["open"] = await create_tournament(env, Kind.LEAGUE, PLAYERS[:5], "Autumn leagues")
    return {name: int(number) for name, number in made.items()}


async def see(env: WebEnvironment, number: TournamentId) -> TournamentView:
    """Return a tournament as its organiser sees it."""
    reader = Reader(frozenset({CAROL.account}))
    return await env.matches.tournaments.view(number, reader, now=env.clock())


def open_games(view: TournamentView) -> list[GameView]:
    groups = () if view.stage is None else view.stage.groups
    return [game for group in groups for game in group.games if game.state is GameState.OPEN]


async def create_tournament(
    env: WebEnvironment,
    kind: Kind,
    players: Sequence[Person],
    name: str = "Rayuela Open",
    *,
    by: Person = CAROL,
    **more: Any,
) -> TournamentId:
    """Create a tournament that begins in 14 days, and have players join it."""
    about = "Bring patience.\nHave fun!"
    settings = Settings(name, kind, GAMES, env.clock() + 14 * DAY, about=about, **more)
    number = await env.matches.tournaments.create(settings, by, now=env.clock())
    for one in players:
        await env.matches.tournaments.join(number, one, is_member=True, now=env.clock())
    return number


async def run_sweeps(env: WebEnvironment) -> None:
    """Do what is due in all tournaments."""
    while await env.matches.tournaments.sweep(now=env.clock()):
        pass


async def decide_games(
    env: WebEnvironment, number: TournamentId, *, share: float, winner: Person | None = None
) -> None:
    """End a share of the games of the present stage at random; `winner` wins all of theirs."""
    rng, decided = random.Random(3), 0
    view = await see(env, number)
    stage = view.stage
    while stage is not None and view.stage is not None and view.stage.dates.number == stage.dates.number:
        games = open_games(view)
        total = sum(len(group.games) for group in view.stage.groups)
        if not games or decided >= round(share * total):
            return
        for game in games[: max(1, round(share * total) - decided)]:
            await env.matches.resign(game.match, _loser(view, game, winner, rng), now=env.clock())  # type: ignore[arg-type]
            decided += 1
        await run_sweeps(env)
        view = await see(env, number)


def _loser(view: TournamentView, game: GameView, winner: Person | None, rng: random.Random) -> Person:
    ids: list[EntrantId] = [one for one in (game.first, game.second) if one is not None]
    people = [view.entrant(one).person for one in ids]
    if winner in people:
        return next(one for one in people if one != winner)
    return rng.choice(people)


async def _challenge(env: WebEnvironment, number: TournamentId) -> None:
    """Have the entrant below Alice challenge her, or Alice the one above her if she is the last."""
    view = await see(env, number)
    order = [view.entrant(one).person for one in view.stage.groups[0].entrants]  # type: ignore[union-attr]
    place = next(at for at, one in enumerate(order) if one.account == ALICE.account)
    by, to = (order[place + 1], ALICE) if place + 1 < len(order) else (ALICE, order[place - 1])
    target = next(one.id for one in view.entrants if one.person.account == to.account)
    await env.matches.tournaments.challenge(number, by, target, now=env.clock())
