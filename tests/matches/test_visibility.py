"""Who may see a match on the website, and with which names."""

import asyncio

import pytest

from matches import (
    ANONYMOUS_NAME,
    Audience,
    Matches,
    MatchId,
    MatchState,
    MoveReason,
    Reader,
    ShownNames,
    replay_from_history,
)
from matches.audience import choose_name
from tests.matches.scenario import ALICE, BOB, CAROL, CHANNEL, NOON, SERVER, make_challenge, start_match
from tests.refusals import refused

LOUNGE, STAFF = "test:lounge", "test:staff"
NAMES = Audience.NAMES


async def audience(matches: Matches, match: MatchId) -> Audience:
    return (await matches.view(match, now=NOON)).audience


async def open_channels(matches: Matches, *channels: str) -> None:
    await matches.visibility.record_channels(SERVER, channels)


async def test_match_has_the_audience_of_its_server_and_place(matches: Matches) -> None:
    await open_channels(matches, CHANNEL, LOUNGE)
    match, staff = (await start_match(matches)).id, (await start_match(matches, channel=STAFF)).id
    for channels, setting, expected in (
        ((CHANNEL, LOUNGE), Audience.MEMBERS, Audience.MEMBERS),
        ((CHANNEL, LOUNGE), NAMES, NAMES),
        ((LOUNGE,), NAMES, Audience.CLOSED),
        ((LOUNGE, STAFF), Audience.ALIASES, Audience.CLOSED),
        ((CHANNEL, STAFF), Audience.ALIASES, Audience.ALIASES),
        ((), Audience.ALIASES, Audience.CLOSED),
    ):
        await open_channels(matches, *channels)
        await matches.servers.change(SERVER, ALICE, audience=setting, now=NOON)
        assert await audience(matches, match) is expected
        assert await audience(matches, staff) is Audience.PLAYERS


async def test_match_that_began_where_no_channel_is_open_is_never_shown(matches: Matches) -> None:
    """On many servers @everyone sees nothing; members get a role first."""
    await open_channels(matches)
    match = (await start_match(matches)).id
    await open_channels(matches, CHANNEL)
    assert await audience(matches, match) is Audience.PLAYERS
    await matches.visibility.forget_channels(SERVER)  # the bot was removed, and comes back
    late = (await start_match(matches)).id
    assert await audience(matches, late) is Audience.UNKNOWN
    await open_channels(matches, CHANNEL)
    assert await audience(matches, late) is Audience.MEMBERS


async def test_changes_of_audience_do_not_wait_for_each_other(matches: Matches) -> None:
    await open_channels(matches, CHANNEL, LOUNGE)
    numbers = [(await start_match(matches)).id for _ in range(3)]
    for turn in range(4):
        setting, channels = (NAMES, (CHANNEL,)) if turn % 2 else (Audience.MEMBERS, (LOUNGE, CHANNEL))
        await asyncio.gather(
            matches.servers.change(SERVER, ALICE, audience=setting, now=NOON),
            open_channels(matches, *channels),
            *(
                matches.posting.places.relocate(one, ALICE, SERVER, CHANNEL, now=NOON)
                for one in reversed(numbers)
            ),
        )
        assert {await audience(matches, one) for one in numbers} == {setting}


async def test_match_follows_its_moves(matches: Matches) -> None:
    await open_channels(matches, CHANNEL, LOUNGE)
    match, other = [(await start_match(matches, channel=one)).id for one in (CHANNEL, STAFF)]
    await matches.posting.places.lose(SERVER, CHANNEL, MoveReason.DELETED, now=NOON)
    assert await audience(matches, match) is Audience.CLOSED
    await open_channels(matches, LOUNGE)
    await open_channels(matches, CHANNEL, LOUNGE)  # it is still played in direct messages
    assert await audience(matches, match) is Audience.CLOSED
    for channel, expected in ((LOUNGE, Audience.MEMBERS), (STAFF, Audience.CLOSED)):
        for moved, found in ((match, expected), (other, Audience.PLAYERS)):
            await matches.posting.places.relocate(moved, ALICE, SERVER, channel, now=NOON)
            assert await audience(matches, moved) is found


async def test_match_inherits_from_its_challenge_what_has_happened_since(matches: Matches) -> None:
    await open_channels(matches, CHANNEL)
    kept, closed = [await make_challenge(matches, channel=CHANNEL) for _ in range(2)]
    await matches.servers.change(SERVER, ALICE, audience=NAMES, now=NOON)
    begun = (await matches.challenges.accept(kept.id, BOB, channel="test:new-thread", now=NOON)).match
    await open_channels(matches, LOUNGE)
    late = (await matches.challenges.accept(closed.id, BOB, now=NOON)).match
    assert (begun.audience, late.audience) == (NAMES, Audience.PLAYERS)


async def test_thread_of_a_match_is_as_open_as_its_channel(matches: Matches) -> None:
    await open_channels(matches, CHANNEL, LOUNGE)
    thread = "test:thread"
    await start_match(matches)  # the server is known then
    await matches.posting.threads.record_opened(thread, SERVER, CHANNEL, now=NOON)
    match = (await start_match(matches, channel=thread)).id
    assert await audience(matches, match) is Audience.MEMBERS
    await open_channels(matches, LOUNGE)
    assert await audience(matches, match) is Audience.CLOSED


async def test_server_that_is_erased_shows_nothing(matches: Matches) -> None:
    await open_channels(matches, CHANNEL)
    await matches.servers.change(SERVER, ALICE, audience=NAMES, now=NOON)
    match = (await start_match(matches)).id
    await matches.people.personal_data.erase_server(SERVER)
    assert await audience(matches, match) is Audience.CLOSED
    await open_channels(matches, CHANNEL)
    assert await audience(matches, match) is Audience.MEMBERS


@pytest.mark.parametrize(
    ("audience", "alias", "account", "expected"),
    [
        (NAMES, None, ALICE.account, "Alice"),
        (NAMES, "Rook", ALICE.account, "Rook"),
        (NAMES, "", ALICE.account, ANONYMOUS_NAME),
        (Audience.ALIASES, None, ALICE.account, ANONYMOUS_NAME),
        (Audience.ALIASES, "Rook", ALICE.account, "Rook"),
        (Audience.ALIASES, None, "computer:club", "Alice"),
        (Audience.ALIASES, None, "deleted:0123", "Alice"),
    ],
)
def test_public_name(audience: Audience, alias: str | None, account: str, expected: str) -> None:
    assert choose_name(ShownNames.PUBLIC, audience, account, "Alice", alias) == expected
    assert choose_name(ShownNames.REAL, audience, account, "Alice", alias) == "Alice"


async def test_public_views_replays_and_records_name_nobody_else(matches: Matches) -> None:
    await open_channels(matches, CHANNEL)
    await matches.servers.change(SERVER, ALICE, audience=Audience.ALIASES, now=NOON)
    match = (await start_match(matches)).id
    await matches.resign(match, ALICE, now=NOON)
    await matches.corrections.correct(match, CAROL, None, reason="Bob said so", server=SERVER, now=NOON)
    assert await matches.visibility.set_alias(ALICE, " Rook\u200b ", now=NOON) == "Rook"
    history = await matches.views.history(match, ShownNames.PUBLIC)
    shown = (
        history.match,
        replay_from_history(history),
        await matches.export_record(match, names=ShownNames.PUBLIC, now=NOON),
    )
    for text in map(repr, shown):
        assert "'Bob'" not in text
        assert "'Carol'" not in text
        assert "Bob said so" not in text
        assert "'Alice'" not in text
        assert '"Alice"' not in text
        assert "Rook" in text
        assert ANONYMOUS_NAME in text
    assert "Alice" not in shown[2]


async def test_alias_of_invisible_signs_is_refused(matches: Matches) -> None:
    with refused("alias_empty"):
        await matches.visibility.set_alias(ALICE, "\u200b\u202e", now=NOON)
    assert await matches.visibility.get_alias(ALICE.account) is None


@pytest.mark.parametrize(
    "alias",
    [
        "Rayuela", "Rayuela (expert)", "RAYUELA", "R\u0430yu\u0435l\u0430", "R a y u e l a", "Deleted player",
        "deleted  Player", "Anonymous", "Bob", "bob", "B\u00f6b", "\u0412\u043eb", "B0b", "Carol", "CAROL",
    ],
)  # fmt: skip
async def test_alias_of_somebody_else_is_refused(matches: Matches, alias: str) -> None:
    await start_match(matches)
    await matches.people.preferences.change(CAROL, now=NOON)
    with refused("alias_taken"):
        await matches.visibility.set_alias(ALICE, alias, now=NOON)
    assert await matches.visibility.get_alias(ALICE.account) is None


async def test_alias_of_ones_own_is_kept(matches: Matches) -> None:
    await start_match(matches)
    for alias in ("Alice", "alice", "Ray", "Bobby", "Player"):
        assert await matches.visibility.set_alias(ALICE, alias, now=NOON) == alias
        assert await matches.visibility.set_alias(ALICE, alias, now=NOON) == alias
    with refused("alias_taken"):
        await matches.visibility.set_alias(BOB, "player", now=NOON)


async def test_lists_have_what_their_reader_may_see(matches: Matches) -> None:
    await open_channels(matches, CHANNEL)
    match = (await start_match(matches)).id
    await start_match(matches, channel=STAFF)
    outsider, member = Reader(), Reader(frozenset({"test:m"}), frozenset({SERVER}))
    for setting, readers in ((Audience.MEMBERS, {member}), (NAMES, {outsider, member})):
        await matches.servers.change(SERVER, ALICE, audience=setting, now=NOON)
        for reader in (outsider, member):
            found = await matches.public_queries.find_matches([MatchState.PLAYING], reader=reader, limit=9)
            assert [one.id for one in found.matches] == ([match] if reader in readers else [])
