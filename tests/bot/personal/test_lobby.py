"""``/lobby``: open challenges and matches that go on, for everyone who sees their channels."""

# ruff: noqa: RUF001 - the texts carry the signs of good print

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Person
from storage import threads
from tests.discord_server.guilds import Kind

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Channel, Member, Reply


async def lobby(stage: Stage, person: Member, channel: Channel | None = None) -> Reply:
    return await person.command("lobby", {}, channel=channel or stage.channel)


def labels(reply: Reply) -> list[str | None]:
    return [button.label for button in reply.buttons]


async def test_empty_lobby_says_so(stage: Stage) -> None:
    reply = await lobby(stage, stage.alice)
    assert reply.text == "No challenge stands open here, and no match goes on. Begin with /challenge."
    assert reply.ephemeral


async def test_challenges_and_matches_are_listed(stage: Stage) -> None:
    await stage.start()
    made = await stage.challenge(opponent=None, board="9", start="facing")
    await stage.quiet()
    eve = stage.guild.member("Eve")
    reply = await lobby(stage, eve)
    here = f"<#{stage.channel.id}>"
    url = f"https://discord.com/channels/{stage.guild.id}/{stage.channel.id}/{made.shown.id}"
    assert reply.text.splitlines()[0] == "**Open challenges**"
    assert (
        "**2.** Alice challenges anyone to Morelli, later rules · 9 × 9 · Facing · No clock · rated, "
        f"in {here}; it lapses <t:" in reply.text
    )
    assert f"([post]({url}))" in reply.text
    assert "**Matches that go on**\n[Match 1](" in reply.text
    assert f"Morelli, in {here}: Alice \u2013 Bob; Alice to play" in reply.text
    assert labels(reply) == ["Accept 2"]


async def test_challenge_is_accepted_from_the_lobby(stage: Stage) -> None:
    made = await stage.challenge(opponent=None, board="9", start="facing")
    await stage.quiet()
    eve = stage.guild.member("Eve")
    answer = await eve.click(await lobby(stage, eve), "Accept 1")
    assert answer.text == f"You have accepted Alice's challenge: match 1 begins in <#{stage.channel.id}>."
    assert answer.ephemeral
    board = await stage.board(after=made)
    assert "**Morelli: Alice (Black) against Eve (White).**" in board.text
    assert stage.alice.pings[-1] is board
    assert "**Accepted** by Eve." in made.text
    assert not made.buttons


async def test_challenge_is_accepted_from_another_channel(stage: Stage) -> None:
    made = await stage.challenge(opponent=None, start="fists")
    await stage.quiet()
    other = stage.guild.channel("other")
    await stage.bob.click(await lobby(stage, stage.bob, other), "Accept 1")
    post = await stage.board(after=made)
    assert "Closed fists" in post.text
    assert other.messages == []


async def test_match_begins_in_a_thread_where_the_server_wants_it(stage: Stage) -> None:
    who = Person(f"discord:{stage.alice.id}", "Alice")
    await stage.bot.matches.servers.use_threads(
        f"discord:{stage.guild.id}", who, on=True, now=stage.bot.now()
    )
    made = await stage.challenge(opponent=None, board="9", start="facing")
    await stage.quiet()
    await stage.bob.click(await lobby(stage, stage.bob), "Accept 1")
    await stage.quiet()
    (thread,) = stage.channel.threads
    assert "**Morelli: Alice (Black) against Bob (White).**" in thread.messages[0].text
    assert "**Accepted** by Bob." in made.text


async def test_second_to_accept_is_told(stage: Stage) -> None:
    await stage.challenge(opponent=None)
    eve = stage.guild.member("Eve")
    seen = await lobby(stage, eve)
    await stage.bob.click(await lobby(stage, stage.bob), "Accept 1")
    assert "Somebody was quicker: Bob" in (await eve.click(seen, "Accept 1")).text


async def test_challenges_of_people_whom_one_has_blocked_are_not_listed(stage: Stage) -> None:
    await stage.challenge(opponent=None)
    await stage.bob.command("block", {"person": stage.alice}, channel=stage.channel)
    assert "No challenge stands open" in (await lobby(stage, stage.bob)).text
    assert "Alice challenges anyone" in (await lobby(stage, stage.alice)).text


async def test_challenges_between_others_are_not_listed(stage: Stage) -> None:
    await stage.challenge()
    assert "No challenge stands open" in (await lobby(stage, stage.guild.member("Eve"))).text
    assert labels(await lobby(stage, stage.bob)) == ["Accept 1"]
    mine = await lobby(stage, stage.alice)
    assert "**1.** Alice challenges Bob to Morelli" in mine.text
    assert labels(mine) == []


async def test_lobby_is_of_one_server(stage: Stage) -> None:
    await stage.start()
    there = stage.discord.guild("Elsewhere")
    room = there.channel("room")
    there.join(stage.alice)
    assert "No challenge stands open here" in (await lobby(stage, stage.alice, room)).text


async def test_what_goes_on_in_a_hidden_channel_is_not_listed(stage: Stage) -> None:
    hidden, eve = stage.guild.channel("hidden"), stage.guild.member("Eve")
    hidden.hide_from(eve)
    asked = {"opponent": stage.bob, "board": "9", "start": "facing"}
    await stage.bob.click(await stage.alice.command("challenge", asked, channel=hidden), "Accept")
    await stage.alice.command("challenge", {}, channel=hidden)
    await stage.quiet()
    assert "No challenge stands open here" in (await lobby(stage, eve)).text
    assert "Match 1" in (await lobby(stage, stage.guild.member("Dave"))).text
    for command in ("board", "replay", "export", "whatif"):
        looked = await eve.command(command, {"match": "1"}, channel=stage.channel)
        assert "I know no match 1 here." in looked.text


async def test_thread_is_as_hidden_as_its_channel(stage: Stage) -> None:
    who = Person(f"discord:{stage.alice.id}", "Alice")
    await stage.bot.matches.servers.use_threads(
        f"discord:{stage.guild.id}", who, on=True, now=stage.bot.now()
    )
    hidden, eve = stage.guild.channel("hidden"), stage.guild.member("Eve")
    hidden.hide_from(eve)
    asked = {"opponent": stage.bob, "board": "9", "start": "facing"}
    for channel in (stage.channel, hidden):
        await stage.bob.click(await stage.alice.command("challenge", asked, channel=channel), "Accept")
    await stage.quiet()
    assert [len(channel.threads) for channel in (stage.channel, hidden)] == [1, 1]
    seen = await lobby(stage, eve)
    assert "[Match 1]" in seen.text
    assert "[Match 2]" not in seen.text
    assert "[Match 2]" in (await lobby(stage, stage.guild.member("Dave"))).text


async def test_private_thread_is_for_those_within(stage: Stage) -> None:
    await stage.start()
    (one,) = await stage.bot.matches.recent(f"discord:{stage.guild.id}", now=stage.bot.now())
    private = stage.discord.world.new_thread(
        stage.channel.state,
        "among us",
        stage.alice.user,
        Kind.PRIVATE_THREAD,
        stage.discord.world.clock.snowflake(),
    )
    private.thread_members.add(stage.discord.world.bot.id)
    stage.discord.world.dispatch("THREAD_CREATE", private.json() | {"newly_created": True}, 1)
    async with stage.store.writing() as connection:
        await threads.move(connection, one.id, f"discord:{private.id}")
    eve = stage.guild.member("Eve")
    assert "No challenge stands open" in (await lobby(stage, eve)).text
    assert "[Match 1]" in (await lobby(stage, stage.alice)).text


async def test_what_is_over_is_not_listed(stage: Stage) -> None:
    await stage.start()
    await stage.bob.click(await stage.bob.command("resign", {}, channel=stage.channel), "Resign")
    assert "No challenge stands open here" in (await lobby(stage, stage.alice)).text


async def test_lobby_has_pages(stage: Stage) -> None:
    for _ in range(7):
        await stage.start()
    await stage.quiet()
    reply = await lobby(stage, stage.alice)
    assert "[Match 7]" in reply.text
    assert "[Match 1]" not in reply.text
    assert "-# Page 1 of 2" in reply.text
    reply = await stage.alice.click(reply, "Next")
    assert "[Match 1]" in reply.text
    reply = await stage.alice.click(reply, "Back")
    assert "-# Page 1 of 2" in reply.text
