"""A tournament in Discord: announced, joined by buttons, paired, looked at, over."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import func, select

from matches import AnnouncementKind, ErasureChoice, Person, Reader
from matches.tournaments.results import GameState
from matches.tournaments.values import Kind, TournamentId
from render.tables import MAX_RANKING_ROWS
from storage.tables import OUTBOX
from tests.bot.environment import BotEnvironment, labels, running_bot
from tests.discord_server import ActionNotPossible, Member, Permission, Reply
from tests.discord_server.replies import names
from tests.matches.tournaments.scenario import ORGANISER, player, settings_of

if TYPE_CHECKING:
    from matches.tournaments.values import TournamentView

REASON = "did not show up"
NUMBER = TournamentId(1)


async def create(env: BotEnvironment, eve: Member, **options: Any) -> Reply:
    """Create a tournament as Eve, who manages the server."""
    given = {"name": "Spring cup", "kind": "round_robin", "game": "Morelli", "board": "9", **options}
    return await eve.command("tournament create", given, channel=env.channel)


def add_members(env: BotEnvironment, count: int) -> list[Member]:
    """Return Alice, Bob and further members."""
    return [env.alice, env.bob, *(env.guild.member(f"Member {one}") for one in range(3, count + 1))]


async def start(env: BotEnvironment, eve: Member, count: int = 3, **options: Any) -> list[Member]:
    """Have members join by the button, and the tournament start."""
    post, people = await create(env, eve, **options), add_members(env, count)
    for one in people:
        await one.click(post, "Join")
    await env.advance_time(days=7, minutes=1)
    return people


async def read_followup(env: BotEnvironment, reply: Reply) -> str:
    """Return what a user is told besides the post that was updated."""
    await env.wait_until_idle()
    return reply.followups[0].text


async def see(env: BotEnvironment) -> TournamentView:
    server = f"discord:{env.guild.id}"
    reader = Reader(servers=frozenset({server}))
    return await env.bot.matches.tournaments.view(NUMBER, reader, now=env.bot.now())


async def play_all(env: BotEnvironment) -> None:
    """Have the second player of each open game resign until none is left."""
    while True:
        view = await see(env)
        games = [] if view.stage is None else [one for group in view.stage.groups for one in group.games]
        open_games = [one for one in games if one.state is GameState.OPEN]
        if not open_games:
            return
        for one in open_games:
            assert one.match is not None
            assert one.second is not None
            await env.bot.matches.resign(one.match, view.entrant(one.second).person, now=env.bot.now())
        await env.advance_time(minutes=1)


@pytest.mark.long
async def test_from_the_announcement_to_the_winner(env: BotEnvironment, eve: Member) -> None:
    post = await create(env, eve, about="Everybody is welcome.")
    assert not post.ephemeral
    assert labels(post)[:2] == ["Join", "Leave"]
    for text in ("Spring cup", "Everybody is welcome", "round robin", "Morelli", "Nobody has joined yet"):
        assert text in post.text
    people = add_members(env, 4)
    for one in people:
        await one.click(post, "Join")
    again = await env.bob.click(post, "Join")  # a double click
    assert "You have joined “Spring cup”" in await read_followup(env, again)
    assert "4 players: Alice, Bob, Member 3 and Member 4" in post.shown.text
    left = await people[3].click(post, "Leave")
    assert "You have left" in await read_followup(env, left)
    assert "3 players" in post.shown.text

    await env.bot.close()
    async with running_bot(env.discord, env.database) as bot:
        env.bot = bot
        joined = await people[3].click(post, "Join")
        assert "You have joined" in await read_followup(env, joined)
        await env.advance_time(days=7, minutes=1)
        await env.advance_time(minutes=1)
        started = next(one for one in env.channel.messages if "has started" in one.text)
        assert started.text.count(" is being played") == 6
        assert "Table" in labels(started)
        table = await env.bob.click(started, "Table")
        assert table.ephemeral
        assert table.attachments[0].filename == "table.png"
        assert "Alice" in (table.attachments[0].description or "")
        pairings = await env.bob.click(table, "Pairings")
        assert "Alice" in pairings.text
        own = await env.bob.command("tournament games", {}, channel=env.channel)
        assert own.text.count("is being played") == 3

        await play_all(env)
        await env.advance_time(minutes=1)
        over = next(one for one in env.channel.messages if "is over" in one.text)
        winners = (await see(env)).winners
        assert winners
        assert "Winner" in over.text
        assert over.attachments[0].filename == "table.png"
        past = await env.bob.command("tournament list", {"which": "past"}, channel=env.channel)
        assert "Spring cup" in past.text
        assert "Winner" in post.shown.text
        assert labels(post)[:2] == ["Table", "Pairings"]


async def test_only_moderators_create_and_only_with_what_can_end(env: BotEnvironment, eve: Member) -> None:
    refused = await create(env, env.alice)
    assert "Manage Server" in refused.text
    cases: dict[str, dict[str, Any]] = {
        "There is no kind": {"kind": "battle"},
        "needs a time control": {"time-control": "none"},
        "longer than a round": {"days": 3},
        "starts in the future": {"starts": "400 days"},
        "below the highest": {"from-rating": 1500, "to-rating": 1400},
        "number of rounds": {"rounds": 3},
    }
    for expected, options in cases.items():
        reply = await create(env, eve, **options)
        assert reply.ephemeral
        assert expected in reply.text
    listed = await eve.command("tournament list", {}, channel=env.channel)
    assert "There are none" in listed.text


async def test_tournament_of_a_server_is_unknown_elsewhere(env: BotEnvironment, eve: Member) -> None:
    await create(env, eve)
    other = env.discord.guild("Elsewhere")
    channel, eva = other.channel("games"), other.member("Eva")
    for path in ("show", "join", "table", "log", "announce"):
        reply = await eva.command(f"tournament {path}", {"tournament": "1"}, channel=channel)
        assert "There is no such tournament" in reply.text
    listed = await eva.command("tournament list", {}, channel=channel)
    assert "Spring cup" not in listed.text
    found = await eva.autocomplete(
        "tournament show", {"tournament": "Spr"}, focused="tournament", channel=channel
    )
    assert found == []
    own = await env.alice.autocomplete(
        "tournament show", {"tournament": "spr"}, focused="tournament", channel=env.channel
    )
    assert names(own) == ["Spring cup (#1)"]
    shown = await env.alice.command("tournament show", {"tournament": "spring"}, channel=env.channel)
    assert "Spring cup" in shown.text


@pytest.mark.long
async def test_acts_stand_in_the_log_for_everybody(env: BotEnvironment, eve: Member) -> None:
    await start(env, eve, 4)
    given = {"tournament": "1", "player": "Bob", "reason": REASON}
    refused = await env.alice.command("tournament exclude", given, channel=env.channel)
    assert "Only the organiser and moderators" in refused.text
    done = await eve.command("tournament exclude", given, channel=env.channel)
    assert "Bob was excluded" in done.text
    ended = {"tournament": "1", "reason": "too few are left"}
    assert "ends now" in (await eve.command("tournament end", ended, channel=env.channel)).text
    log = await env.alice.command("tournament log", {"tournament": "1"}, channel=env.channel)
    assert f"Eve excluded Bob. *{REASON}*" in log.text
    assert "Eve ended the tournament. *too few are left*" in log.text


@pytest.mark.long
async def test_deleted_player_is_suggested_in_the_words_of_the_reader(
    env: BotEnvironment, eve: Member
) -> None:
    await start(env, eve)
    await play_all(env)
    persons, account = env.bot.matches.people.personal_data, f"discord:{env.bob.id}"
    await persons.erase(account, ErasureChoice.RESIGN, now=env.bot.now())
    given = {"tournament": "1", "game": "el"}  # in both languages, in no other name
    for locale, name in (("en-US", "Deleted player"), ("de", "Gelöschter Spieler")):
        eve.user.locale = locale
        offered = await eve.autocomplete("tournament correct", given, focused="game", channel=env.channel)
        assert [name in one for one in names(offered)] == [True, True]


@pytest.mark.long
async def test_leaving_after_the_start_is_asked_first(env: BotEnvironment, eve: Member) -> None:
    await start(env, eve, 4)
    question = await env.bob.command("tournament leave", {"tournament": "1"}, channel=env.channel)
    assert "remaining games are lost" in question.text
    assert "You have left" in (await env.bob.click(question, "Leave the tournament")).text
    assert (
        "You do not play"
        in (await env.bob.command("tournament leave", {"tournament": "1"}, channel=env.channel)).text
    )


@pytest.mark.long
async def test_ladder_challenge_is_answered_by_its_button(env: BotEnvironment, eve: Member) -> None:
    people = {one.name: one for one in await start(env, eve, 3, kind="ladder")}
    view = await see(env)
    assert view.stage is not None
    first, second, _ = [view.entrant(one).person.name for one in view.stage.groups[0].entrants]
    given = {"tournament": "1", "player": first}
    offered = await people[second].autocomplete(
        "tournament challenge", {"tournament": "1", "player": ""}, focused="player", channel=env.channel
    )
    assert names(offered) == [first]
    post = await people[second].command("tournament challenge", given, channel=env.channel)
    assert "You have challenged" in post.text
    await env.advance_time(minutes=1)
    told = people[first].dms[-1]
    assert f"{second} challenges you" in told.text
    again = await people[second].command("tournament challenge", given, channel=env.channel)
    assert "You have challenged" in again.text
    await env.advance_time(minutes=1)
    assert people[first].dms[-1] == told
    own = await people[first].command("tournament games", {}, channel=env.channel)
    assert labels(own) == ["Accept", "Decline and lose the place"]
    accepted = await people[first].click(told, "Accept")
    assert "Match #1 begins" in accepted.text
    await env.advance_time(minutes=1)
    assert "Black" in env.latest_message.text
    late = await people[first].command(
        "tournament answer", {"tournament": "1", "accept": True}, channel=env.channel
    )
    assert "No challenge waits" in late.text


async def test_replacement_is_asked_and_agrees(env: BotEnvironment, eve: Member) -> None:
    post = await create(env, eve)
    await env.bob.click(post, "Join")
    new = env.guild.member("Newcomer")
    given = {"tournament": "1", "player": "Bob", "by": new, "reason": REASON}
    asked = await eve.command("tournament replace", given, channel=env.channel)
    assert new.pings
    assert "Somebody else was asked" in (await env.alice.click(asked, "Take the place")).text
    done = await new.click(asked, "Take the place")
    assert "Newcomer takes the place of Bob" in done.text
    assert [one.person.name for one in (await see(env)).entrants if one.withdrawn is None] == ["Newcomer"]
    with pytest.raises(ActionNotPossible):
        await new.click(asked, "Take the place")


@pytest.mark.long
async def test_without_its_channel_entrants_are_told_privately(env: BotEnvironment, eve: Member) -> None:
    lounge = env.guild.channel("lounge")
    post = await create(env, eve, kind="Swiss tournament", rounds=2, days=30)
    people = add_members(env, 4)
    for one in people:
        await one.click(post, "Join")
    env.channel.delete()
    await env.advance_time(days=7, minutes=1)
    await env.advance_time(minutes=10)
    for one in people:
        texts = [message.text for message in one.dms]
        assert any("Round 1 of “Spring cup” is paired" in text for text in texts), texts
        assert not any("was deleted" in text for text in texts), texts
    lounge.allow(eve, Permission.MANAGE_GUILD)
    await eve.command("tournament announce", {"tournament": "1"}, channel=lounge)
    await play_all(env)
    await env.advance_time(minutes=10)
    assert any("Round 2 of “Spring cup” is paired" in one.text for one in lounge.messages)


@pytest.mark.long
async def test_each_round_is_posted_with_the_table_so_far(env: BotEnvironment, eve: Member) -> None:
    people = await start(env, eve, 4, kind="swiss", rounds=2, days=30)
    first = next(one for one in env.channel.messages if "Round 1 of" in one.text)
    assert not first.attachments
    await play_all(env)
    await env.advance_time(minutes=1)
    second = next(one for one in env.channel.messages if "Round 2 of" in one.text)
    assert [one.filename for one in second.attachments] == ["table.png"]
    assert second.text.count("is being played") == 2
    before = {"tournament": "1", "round": 1}
    pairings = await people[0].command("tournament pairings", before, channel=env.channel)
    assert pairings.text.count("**1 : 0**") == 2
    wrong = await people[0].command("tournament table", {**before, "round": 9}, channel=env.channel)
    assert "There is no such tournament" in wrong.text
    wrong = await people[0].command("tournament table", {**before, "division": 3}, channel=env.channel)
    assert "one table" in wrong.text


@pytest.mark.long
async def test_divisions_of_a_league_are_turned_like_pages(env: BotEnvironment, eve: Member) -> None:
    people = await start(env, eve, 14, kind="league")
    view = await see(env)
    assert view.stage is not None
    assert [len(one.table) for one in view.stage.groups] == [7, 7]
    table = await people[0].command(
        "tournament table", {"tournament": "1", "division": 1}, channel=env.channel
    )
    assert "division 1" in table.text
    assert labels(table) == ["Next", "Pairings"]
    other = await people[0].click(table, "Next")
    assert other.updated
    assert "division 2" in other.text
    assert labels(other) == ["Back", "Pairings"]
    off = await people[0].command(
        "tournament season", {"tournament": "1", "play": False}, channel=env.channel
    )
    assert "You do not play the next season" in off.text


async def test_names_are_shown_as_they_are_and_excluded_members_stay_out(
    env: BotEnvironment, eve: Member
) -> None:
    post = await create(env, eve, name="**@everyone** <@1> `x`")
    assert "**@everyone**" not in post.content
    assert "<@1>" not in post.content
    await eve.command("exclude", {"person": env.bob}, channel=env.channel)
    refused = await env.bob.click(post, "Join")
    assert refused.ephemeral
    assert "0 players" not in refused.text
    assert "Bob" not in post.shown.text


@pytest.mark.plain("it reads German")
async def test_entrants_of_a_tournament_without_a_place_are_told_privately_in_their_language(
    env: BotEnvironment,
) -> None:
    bot, now = env.bot, env.bot.now()
    settings = settings_of(Kind.LADDER, starts_at=now + timedelta(days=1))
    number = await bot.matches.tournaments.create(settings, ORGANISER, now=now)
    for one in range(2):
        await bot.matches.tournaments.join(number, player(one), now=now)
    bob = Person(f"discord:{env.bob.id}", "Bob")
    await bot.matches.people.preferences.change(bob, language="de", now=now)
    listed = await env.bob.command("tournament list", {}, channel=env.channel)
    assert "Spring cup" in listed.text
    joined = await env.bob.click(listed, "Join #1")
    assert "You have joined" in await read_followup(env, joined)
    await env.advance_time(days=1, minutes=1)
    await env.advance_time(minutes=1)
    assert [one.text for one in env.bob.dms if "Die Leiter „Spring cup“ ist bis" in one.text]
    assert "Tabelle" in labels(env.bob.dms[-1])
    table = await env.bob.click(env.bob.dms[-1], "Tabelle")
    assert table.attachments


async def test_announcement_shows_the_names_that_everybody_may_see(env: BotEnvironment, eve: Member) -> None:
    bot, now, organiser = env.bot, env.bot.now(), Person(f"discord:{eve.id}", "Eve")
    settings = settings_of(Kind.SWISS, starts_at=now + timedelta(days=1))
    number = await bot.matches.tournaments.create(settings, organiser, now=now)
    await bot.matches.tournaments.join(number, player(1), now=now)
    await bot.matches.visibility.set_alias(player(1), "", now=now)
    post = await eve.command("tournament announce", {"tournament": "1"}, channel=env.channel)
    assert "Player 1" not in post.text
    assert "Anonymous" in post.text
    await env.bob.click(post, "Join")
    assert "2 players: Anonymous" in post.shown.text
    shown = await env.bob.command("tournament show", {"tournament": "1"}, channel=env.channel)
    assert "2 players: Anonymous and Bob" in shown.text


async def test_what_cannot_be_is_refused(env: BotEnvironment, eve: Member) -> None:
    await start(env, eve)
    new = env.guild.member("Newcomer")
    given: dict[str, Any] = {"tournament": "1", "player": "Bob", "by": new, "reason": REASON}
    asked = await eve.command("tournament replace", given, channel=env.channel)
    assert asked.ephemeral
    assert not new.pings
    for level in ("club+", "adaptive"):
        reply = await create(env, eve, computer=level)
        assert f"There is no level {level}. Choose `beginner`, `casual`, `club`, `strong`" in reply.text
    for division in (-1, 0, 2):
        given = {"tournament": "1", "division": division}
        reply = await env.bob.command("tournament pairings", given, channel=env.channel)
        assert ("one table" in reply.text) is (division != 0), reply.text


@pytest.mark.plain("what is typed is compared with the texts of suggestions")
async def test_kind_can_be_typed_by_its_name(env: BotEnvironment, eve: Member) -> None:
    assert "Swiss tournament" in (await create(env, eve, kind="swiss Tournament")).text


@pytest.mark.long
async def test_one_leaves_in_private_messages(env: BotEnvironment, eve: Member) -> None:
    post = await create(env, eve)
    await env.bob.click(post, "Join")
    shown = await env.bob.command("tournament show", {"tournament": "1"}, channel=env.bob.dm)
    left = await env.bob.click(shown, "Leave")
    assert "You have left" in left.shown.text
    await env.bob.click(post, "Join")
    left = await env.bob.command("tournament leave", {"tournament": "1"}, channel=env.bob.dm)
    assert "You have left" in left.text
    assert (await see(env)).entrants == ()
    shown = await eve.command("tournament show", {"tournament": "1"}, channel=eve.dm)
    joined = await eve.click(shown, "Join")  # also there the organiser is a member
    assert "You have joined" in await read_followup(env, joined)


@pytest.mark.long
async def test_knock_out_is_shown_as_its_bracket(env: BotEnvironment, eve: Member) -> None:
    people = await start(env, eve, 3, kind="knock_out")
    await play_all(env)
    await env.advance_time(weeks=6)
    await play_all(env)
    await env.advance_time(minutes=1)
    table = await people[0].command("tournament table", {"tournament": "1"}, channel=env.channel)
    drawn = table.attachments[0].description or ""
    rounds = drawn.split("\n\n")
    assert [len(one.splitlines()) for one in rounds] == [2, 1]
    assert [name for name in ("Alice", "Bob", "Member 3") if name not in drawn] == [], drawn
    assert any("Round 2 of" in one.text and one.attachments for one in env.channel.messages)


async def test_announcement_shows_who_joins_elsewhere(env: BotEnvironment, eve: Member) -> None:
    post, bot = await create(env, eve), env.bot
    by_command = await env.bob.command("tournament join", {"tournament": "1"}, channel=env.channel)
    assert "You have joined" in by_command.text
    await bot.matches.tournaments.join(NUMBER, player(1), is_member=True, now=bot.now())
    await env.advance_time(minutes=1)
    assert "2 players: Bob and Player 1" in post.shown.text
    assert labels(post)[:3] == ["Join", "Leave", "Details"]
    again = await eve.command("tournament announce", {"tournament": "1"}, channel=env.channel)
    await env.bob.command("tournament leave", {"tournament": "1"}, channel=env.channel)
    await env.advance_time(minutes=1)
    assert "1 player: Player 1" in post.shown.text
    assert "1 player: Player 1" in again.shown.text
    again.shown.deleted = True
    await env.bob.click(post, "Join")
    await env.advance_time(minutes=1)
    assert "2 players" in post.shown.text
    details = await env.alice.click(post, "Details")
    assert details.ephemeral
    assert "2 players" in details.text


@pytest.mark.long
async def test_edits_of_an_announcement_do_not_pile_up(env: BotEnvironment, eve: Member) -> None:
    post, path = await create(env, eve), {"tournament": "1"}
    for _ in range(3):
        for act in ("join", "leave"):
            await env.bob.command(f"tournament {act}", path, channel=env.channel)
            await env.advance_time(minutes=1)
    assert "Nobody has joined yet" in post.shown.text
    async with env.database.read() as connection:
        count = await connection.scalar(
            select(func.count()).where(OUTBOX.c.kind == AnnouncementKind.TOURNAMENT_UPDATED)
        )
    assert count in (1, 2)


@pytest.mark.long
async def test_announcement_in_an_archived_thread_stays_and_its_channel_is_not_lost(
    env: BotEnvironment, eve: Member
) -> None:
    post, match = await create(env, eve), await env.start_match()
    await env.bob.command("tournament join", {"tournament": "1"}, channel=env.channel)
    route = f"/channels/*/messages/{post.shown.id}"
    with env.discord.faults.refuse("PATCH", route, status=400, code=50083, times=None) as fault:
        await env.advance_time(minutes=1)
        await env.advance_time(minutes=1)
    assert fault.hits == 1
    assert (await see(env)).settings.channel == f"discord:{env.channel.id}"
    await env.submit_move(env.alice, match, "C1-D2")
    assert "C1-D2" in env.latest_message.text


@pytest.mark.parametrize("is_processed", [False, True])
async def test_announcement_without_response_is_posted_later_once(
    env: BotEnvironment, eve: Member, *, is_processed: bool
) -> None:
    env.discord.faults.drop("POST", "/interactions/**", after_processing=is_processed)
    await create(env, eve)
    await env.advance_time(minutes=1)
    await env.advance_time(minutes=1)
    assert len([one for one in env.channel.messages if "Nobody has joined yet" in one.text]) == 1


async def test_entrants_are_told_of_a_changed_date(env: BotEnvironment, eve: Member) -> None:
    post, bot = await create(env, eve), env.bot
    await env.bob.click(post, "Join")
    settings = replace((await see(env)).settings, starts_at=bot.now() + timedelta(days=20))
    by = Person(f"discord:{eve.id}", "Eve")
    await bot.matches.tournaments.change(NUMBER, settings, by, reason=REASON, now=bot.now())
    await env.advance_time(minutes=1)
    told = next(one for one in env.channel.messages if "was moved" in one.text)
    assert "The start of “Spring cup” was moved" in told.text
    assert labels(told) == ["Details"]
    assert f"<t:{int(settings.starts_at.timestamp())}:R>" in post.shown.content


@pytest.mark.plain("the table lists names that no other test has")
async def test_numbers_in_a_picture_are_explained(env: BotEnvironment, eve: Member) -> None:
    post, bot = await create(env, eve, kind="ladder"), env.bot
    for one in range(2):
        name = "さくら" if one else "Player 0"
        person = replace(player(one), name=name)
        await bot.matches.tournaments.join(NUMBER, person, is_member=True, now=bot.now())
    await env.bob.click(post, "Join")
    await env.advance_time(days=7, minutes=1)
    view = await see(env)
    assert view.stage is not None
    place = next(
        row.place for row in view.stage.groups[0].table if view.entrant(row.entrant).person.name == "さくら"
    )
    table = await env.bob.command("tournament table", {"tournament": "1"}, channel=env.channel)
    assert f"In the picture: #{place} さくら" in table.text


async def test_organiser_changes_what_is_typed_before_the_start(env: BotEnvironment, eve: Member) -> None:
    post = await create(env, eve)
    await env.bob.click(post, "Join")
    given: dict[str, Any] = {"tournament": "1", "reason": REASON, "starts": "3 weeks", "players": 8}
    refused = await env.bob.command("tournament change", given, channel=env.channel)
    assert "Only the organiser" in refused.text
    before = (await see(env)).settings
    done = await eve.command("tournament change", given, channel=env.channel)
    assert "is changed" in done.text
    assert done.ephemeral
    after = (await see(env)).settings
    assert timedelta(0) <= env.bot.now() + timedelta(weeks=3) - after.starts_at < timedelta(minutes=1)
    limits = replace(before.limits, entrants=8)
    assert after == replace(before, starts_at=after.starts_at, limits=limits)
    await env.advance_time(minutes=1)
    assert "For 8 players at most" in post.shown.text
    log = await env.bob.command("tournament log", {"tournament": "1"}, channel=env.channel)
    assert "Eve moved the start" in log.text
    assert REASON in log.text


@pytest.mark.long
async def test_long_table_says_the_place_of_a_reader_who_is_not_drawn(
    env: BotEnvironment, eve: Member
) -> None:
    await create(env, eve, kind="ladder")
    for one in range(MAX_RANKING_ROWS + 1):
        await env.bot.matches.tournaments.join(NUMBER, player(one), is_member=True, now=env.bot.now())
    await env.advance_time(days=7, minutes=1)
    await env.bob.command("tournament join", {"tournament": "1"}, channel=env.channel)
    table = await env.bob.command("tournament table", {"tournament": "1"}, channel=env.channel)
    assert f"The picture shows the first {MAX_RANKING_ROWS} of {MAX_RANKING_ROWS + 2}." in table.text
    assert f"Your place: {MAX_RANKING_ROWS + 2}." in table.text
    other = await eve.command("tournament table", {"tournament": "1"}, channel=env.channel)
    assert "Your place" not in other.text
