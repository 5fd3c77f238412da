"""How many challenges and matches one person may have, and who may challenge nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from matches import Challenge, ChallengeLimits, Matches, Person
from matches.platforms import WEBSITE
from storage.tables import PEOPLE
from tests.games import GAMES
from tests.matches.scenario import ALICE, BOB, CAROL, NOON, SERVER, SMALL, later, make_challenge, start_match
from tests.refusals import refused

if TYPE_CHECKING:
    from storage import Database

NEW, OTHER = Person("web:" + "a" * 24, "Nia"), Person("web:" + "b" * 24, "Oona")
GAME: dict[str, Any] = {"game": "morelli", "options": SMALL}
SITE: dict[str, Any] = {"server": WEBSITE, "channel": WEBSITE, **GAME}


@pytest.fixture
def strict(database: Database) -> Matches:
    """Return the matches of a database in which people may have few of them."""
    limits = ChallengeLimits(running=2, new_running=1, standing=1)
    return Matches(database, games=GAMES, challenge_limits=limits)


async def challenge(matches: Matches, by: Person = NEW, **changes: Any) -> Challenge:
    return (await matches.challenges.create(by, **{**SITE, "now": NOON, **changes})).challenge


async def mark(database: Database, person: Person, **values: Any) -> None:
    async with database.transaction() as connection:
        await connection.execute(PEOPLE.update().where(PEOPLE.c.account == person.account).values(**values))


async def test_person_is_challenged_once_at_a_time_at_a_game(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB)
    with refused("already_challenged"):
        await make_challenge(matches, to=BOB)
    await make_challenge(matches, to=BOB, game="morphos")
    await make_challenge(matches, to=CAROL)
    await matches.challenges.withdraw(made.id, ALICE, now=NOON)
    await make_challenge(matches, to=BOB)


async def test_who_declined_is_left_in_peace_for_a_day(matches: Matches) -> None:
    made = await make_challenge(matches, to=BOB)
    await matches.challenges.decline(made.id, BOB, now=NOON)
    with refused("declined_lately"):
        await make_challenge(matches, to=BOB, game="morphos", now=later(hours=23))
    await make_challenge(matches, by=BOB, to=ALICE)
    await make_challenge(matches, to=BOB, now=later(days=1))


async def test_who_withdraws_again_and_again_has_to_wait(matches: Matches) -> None:
    # Each of these challenges is told to the same person by mail and push.
    for _ in range(3):
        made = await make_challenge(matches, to=BOB)
        await matches.challenges.withdraw(made.id, ALICE, now=NOON)
    with refused("withdrawn_often") as caught:
        await make_challenge(matches, to=BOB, now=later(hours=23))
    assert caught.value.values == {"name": BOB, "limit": 3}
    await make_challenge(matches, to=CAROL)
    await make_challenge(matches, to=BOB, now=later(days=1))


async def test_rematches_have_a_rule_of_their_own(matches: Matches) -> None:
    views = [await start_match(matches) for _ in range(2)]
    for view in views:
        await matches.resign(view.id, BOB, now=NOON)
        await matches.rematches.request(view.id, ALICE, server=SERVER, channel="test:table", now=NOON)
    assert len(await matches.challenges.list_for_person(BOB, SERVER, now=NOON)) == 2


async def test_matches_of_one_person_are_limited(strict: Matches) -> None:
    made = [await make_challenge(strict, by=BOB) for _ in range(2)]
    views = [await start_match(strict, to=CAROL) for _ in range(2)]
    with refused("too_many_matches") as caught:
        await make_challenge(strict)
    assert caught.value.values == {"limit": 2}
    with refused("too_many_matches"):
        await strict.challenges.accept(made[0].id, ALICE, now=NOON)
    await strict.resign(views[0].id, ALICE, now=NOON)
    await strict.challenges.accept(made[0].id, ALICE, now=NOON)


async def test_busy_challenger_gets_no_more_matches(strict: Matches) -> None:
    made = await make_challenge(strict)
    for _ in range(2):
        await start_match(strict, to=CAROL)
    with refused("opponent_too_busy"):
        await strict.challenges.accept(made.id, BOB, now=NOON)


async def test_matches_against_the_computer_do_not_count(strict: Matches) -> None:
    for _ in range(3):
        await strict.computer.start(
            ALICE, level="casual", **{**GAME, "server": SERVER, "channel": SERVER}, now=NOON
        )
    await start_match(strict)


@pytest.mark.parametrize("days", [0, 7])
async def test_new_account_has_few_open_challenges(matches: Matches, days: int) -> None:
    for _ in range(3):
        await challenge(matches)
    if not days:
        with refused("new_account_challenges"):
            await challenge(matches)
    for _ in range(4 if days else 0):
        await challenge(matches, now=later(days=days))


async def test_new_account_has_few_matches(strict: Matches) -> None:
    made = await challenge(strict, ALICE, now=later(days=-8))
    await challenge(strict, NEW)
    first = await challenge(strict, BOB, now=later(days=-8))
    await strict.challenges.accept(first.id, NEW, now=later(days=-2))
    with refused("new_account_matches"):
        await strict.challenges.accept(made.id, NEW, now=later(days=-2))


@pytest.mark.long
async def test_new_account_meets_few_strangers_in_a_day(matches: Matches) -> None:
    people = [Person(f"test:{number}", f"P{number}") for number in range(5)]
    for person in people[:3]:
        made = await challenge(matches, to=person)
        await matches.challenges.withdraw(made.id, NEW, now=NOON)
    with refused("new_account_strangers"):
        await challenge(matches, to=people[3])
    open_one = await challenge(matches, people[4])
    await matches.challenges.accept(open_one.id, NEW, now=NOON)
    await challenge(matches, to=people[4])
    await challenge(matches, to=people[3], now=later(days=1))


async def test_newcomer_in_a_chat_server_is_not_hindered(matches: Matches) -> None:
    for _ in range(5):
        await make_challenge(matches)


async def test_known_member_is_not_new_on_the_website(matches: Matches) -> None:
    await make_challenge(matches, now=later(days=-8))
    for _ in range(5):
        await challenge(matches, ALICE)


@pytest.mark.parametrize(
    ("values", "own_refusal", "refusal"),
    [
        ({"is_guest": True}, "guest_only_computer", "opponent_cannot_play"),
        ({"closed_at": 1}, "account_closed", "opponent_closed"),
    ],
)
async def test_guests_and_closed_accounts_play_nobody(
    matches: Matches, database: Database, values: dict[str, Any], own_refusal: str, refusal: str
) -> None:
    made, own = await challenge(matches, OTHER), await challenge(matches, NEW)
    await mark(database, NEW, **values)
    with refused(own_refusal):
        await challenge(matches, NEW)
    with refused(own_refusal):
        await matches.challenges.accept(made.id, NEW, now=NOON)
    with refused(refusal):
        await matches.challenges.accept(own.id, OTHER, now=NOON)
    with refused(refusal):
        await challenge(matches, OTHER, to=NEW)


async def test_standing_challenges_are_limited(strict: Matches) -> None:
    await challenge(strict, games=1)
    with refused("too_many_standing"):
        await challenge(strict, games=1, game="morphos", options={})
