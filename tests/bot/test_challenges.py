"""Challenges: made, accepted, declined, withdrawn, expired, and every refusal."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bot.environment import labels
from tests.games import GAMES

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment

WEEK = 7 * 24 * 3600


async def test_challenge_pings_only_the_opponent(env: BotEnvironment) -> None:
    reply = await env.make_challenge()
    assert f"Alice challenges {env.bob.mention}" in reply.text
    assert labels(reply) == ["Accept", "Decline", "Withdraw", "Options explained", "Rules", "Learn"]
    assert env.bob.pings == [reply.message]
    assert not env.alice.pings
    assert not reply.ephemeral


async def test_challenge_post_shows_the_defaults(env: BotEnvironment) -> None:
    reply = await env.alice.command("challenge", {"opponent": env.bob}, channel=env.channel)
    assert "later rules · 13 × 13 · closed fists" in reply.text
    assert "a random colour" in reply.text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"edition": "2015"}, "rules of 2015 · 13 × 13 · random start"),
        (
            {"edition": "mindsports", "start": "pairs", "board": "11"},
            "Mindsports rules · 11 × 11 · start by pairs",
        ),
        ({"start": "adjacent", "board": "9"}, "later rules · 9 × 9 · Adjacent"),
        ({"game": "morelli", "start": "free"}, "later rules · 13 × 13 · Free"),
        ({"game": "morphos", "board": "19", "mutators": "ac"}, "19 × 19 · mutators ac"),
        ({"game": "morabaraba", "men": "11", "colour": "red"}, "11 men each"),
        ({"game": "Morabaraba", "men": "11 men each", "colour": "Red"}, "11 men each"),
        ({"game": "Morelli ", "board": "9 × 9", "start": "facing"}, "later rules · 9 × 9 · Facing"),
        pytest.param(
            {"board": "9x9", "start": "Facing", "edition": "later"},
            "later rules · 9 × 9 · Facing",
            marks=pytest.mark.plain("what is typed is compared with the texts of suggestions"),
        ),
        ({"game": "morphos", "board": "5 by 5", "mutators": "C, a"}, "5 × 5 · mutators ac"),
    ],
)
async def test_challenge_post_shows_its_options(
    env: BotEnvironment, options: dict[str, str], expected: str
) -> None:
    assert expected in (await env.make_challenge(**options)).text


@pytest.mark.parametrize(
    ("colour", "expected"),
    [("black", "plays Black"), ("White", "plays White"), ("random", "a random colour")],
)
async def test_challenge_post_shows_the_colour(env: BotEnvironment, colour: str, expected: str) -> None:
    assert expected in (await env.make_challenge(colour=colour)).text


async def test_open_challenge_can_be_accepted_by_anyone(env: BotEnvironment) -> None:
    reply = await env.make_challenge(opponent=None)
    assert "Alice challenges anyone" in reply.text
    assert labels(reply) == ["Accept", "Withdraw", "Play the computer", "Options explained", "Rules", "Learn"]
    assert not env.bob.pings
    await env.bob.click(reply, "Accept")
    await env.wait_for_board(after=reply)


async def test_accepting_closes_the_challenge_and_shows_the_board(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(board="9", start="facing")
    accepted = await env.bob.click(challenge, "Accept")
    board = await env.wait_for_board(after=challenge)
    assert "Accepted** by Bob" in accepted.text
    assert accepted.updated
    assert not accepted.buttons
    assert "Alice (Black) against Bob (White)" in board.text
    assert env.alice.pings == [board]
    assert board.attachments[0].data.startswith(b"\x89PNG")


@pytest.mark.long
async def test_random_colour_yields_both_colours(env: BotEnvironment) -> None:
    seen = set[str]()
    for _ in range(40):
        seen.add((await env.start_match(colour="random")).text.splitlines()[0])
        if len(seen) == 2:
            break
    assert {"Alice (Black) against Bob (White)", "Bob (Black) against Alice (White)"} == {
        text.strip("*.").removeprefix("Morelli: ") for text in seen
    }


async def test_declining_closes_the_challenge(env: BotEnvironment) -> None:
    reply = await env.bob.click(await env.make_challenge(), "Decline")
    assert "declined" in reply.text
    assert not reply.buttons


async def test_withdrawing_closes_the_challenge(env: BotEnvironment) -> None:
    reply = await env.alice.click(await env.make_challenge(), "Withdraw")
    assert "Alice **withdrew** it" in reply.text
    assert not reply.buttons


async def test_challenger_is_called_when_the_challenge_is_accepted(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(colour="white", board="9", start="facing")
    await env.bob.click(challenge, "Accept")
    board = await env.wait_for_board(after=challenge)
    assert f"{env.alice.mention}, Bob accepted your challenge.\n" in board.text
    assert env.alice.pings == [board]
    assert env.bob.pings == [challenge.message, board]


async def test_challenger_who_moves_first_is_called_once(env: BotEnvironment) -> None:
    assert (await env.start_match()).text.count(env.alice.mention) == 1


@pytest.mark.parametrize("fails", [False, True], ids=["response", "outbox"])
async def test_challenger_is_called_once_when_the_challenge_is_declined(
    env: BotEnvironment, fails: bool
) -> None:
    challenge = await env.make_challenge()
    if fails:
        env.discord.faults.drop("POST", "/webhooks/**", after_processing=True)
    await env.bob.click(challenge, "Decline")
    await env.wait_until_idle()
    for _ in range(3):
        await env.advance_time(minutes=2)
    (called,) = env.alice.pings
    assert called.text == f"{env.alice.mention}, Bob declined your challenge to Morelli."
    assert labels(called) == ["Open challenges"]
    assert env.bob.pings == [challenge.message]
    assert "no open challenges" in (await env.alice.click(called, "Open challenges")).text


async def test_challenged_player_is_told_of_a_withdrawal(env: BotEnvironment) -> None:
    challenge = await env.make_challenge()
    await env.alice.click(challenge, "Withdraw")
    await env.wait_until_idle()
    assert not env.alice.pings
    assert [one.text for one in env.bob.pings[1:]] == [
        f"{env.bob.mention}, Alice withdrew the challenge to Morelli."
    ]


async def test_nobody_is_called_when_an_open_challenge_is_withdrawn(env: BotEnvironment) -> None:
    await env.alice.click(await env.make_challenge(opponent=None), "Withdraw")
    await env.advance_time(minutes=2)
    assert len(env.channel.messages) == 1


@pytest.mark.parametrize(
    ("is_open", "expected"),
    [(False, "Bob did not answer in time."), (True, "nobody accepted it in time.")],
)
async def test_challenger_is_called_when_the_challenge_expires(
    env: BotEnvironment, is_open: bool, expected: str
) -> None:
    await env.make_challenge(**({"opponent": None} if is_open else {}))
    await env.advance_time(seconds=WEEK + 1)
    await env.advance_time(minutes=2)
    assert [one.text for one in env.alice.pings] == [
        f"{env.alice.mention}, your challenge to Morelli expired: {expected}"
    ]


@pytest.mark.long
async def test_challenge_expires_after_a_week(env: BotEnvironment) -> None:
    challenge = (await env.make_challenge()).shown
    env.discord.advance(WEEK - 60)
    await env.bot.outbox.run_once()
    assert labels(challenge) == ["Accept", "Decline", "Withdraw", "Options explained", "Rules", "Learn"]
    env.discord.advance(61)
    await env.bot.outbox.run_once()
    assert "Expired" in challenge.text
    assert not challenge.buttons
    requests = len(env.discord.requests)
    env.discord.advance(WEEK)
    await env.bot.outbox.run_once()
    assert len(env.discord.requests) == requests


async def test_expired_challenge_cannot_be_accepted_before_cleanup(env: BotEnvironment) -> None:
    challenge = await env.make_challenge()
    env.discord.advance(WEEK + 1)
    assert "expired" in (await env.bob.click(challenge, "Accept")).text


async def test_deleted_challenge_post_expires_silently(env: BotEnvironment) -> None:
    challenge = (await env.make_challenge()).shown
    challenge.deleted = True
    env.discord.advance(WEEK + 1)
    await env.bot.outbox.run_once()
    env.discord.advance(WEEK)
    before = env.request_routes()
    await env.bot.outbox.run_once()
    assert env.request_routes() == before


async def test_challenge_post_in_an_archived_thread_stays_and_its_channel_is_not_lost(
    env: BotEnvironment,
) -> None:
    match = await env.start_match()
    challenge = (await env.make_challenge()).shown
    route = f"/channels/*/messages/{challenge.id}"
    with env.discord.faults.refuse("PATCH", route, status=400, code=50083, times=None) as fault:
        await env.advance_time(seconds=WEEK + 1)
        await env.advance_time(minutes=1)
    assert fault.hits == 1
    assert not [one for one in env.alice.dms if "Morelli" in one.text]
    await env.submit_move(env.alice, match, "C1-D2")
    assert "C1-D2" in env.latest_message.text


@pytest.mark.parametrize(
    ("who", "button", "expected"),
    [
        ("alice", "Accept", "your own"),
        ("alice", "Decline", "your own"),
        ("bob", "Withdraw", "Only Alice can withdraw"),
        ("eve", "Accept", "is for Bob"),
        ("eve", "Decline", "is for Bob"),
        ("eve", "Withdraw", "Only Alice can withdraw"),
    ],
)
async def test_buttons_refuse_the_wrong_person_in_private(
    env: BotEnvironment, who: str, button: str, expected: str
) -> None:
    challenge = await env.make_challenge()
    person = env.guild.member("Eve") if who == "eve" else getattr(env, who)
    reply = await person.click(challenge, button)
    assert expected in reply.text
    assert reply.ephemeral
    assert labels(challenge) == ["Accept", "Decline", "Withdraw", "Options explained", "Rules", "Learn"]
    assert len(env.channel.messages) == 1


@pytest.mark.parametrize(
    ("first", "expected"),
    [("Accept", "You have already accepted"), ("Decline", "declined"), ("Withdraw", "withdrawn")],
)
async def test_second_click_on_a_closed_challenge_is_refused(
    env: BotEnvironment, first: str, expected: str
) -> None:
    challenge = (await env.make_challenge()).shown
    components = challenge.components
    await (env.alice if first == "Withdraw" else env.bob).click(challenge, first)
    challenge.components = components  # as shown by a client that has not received the update yet
    reply = await env.bob.click(challenge, "Accept")
    assert expected in reply.text
    assert reply.ephemeral


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {"edition": "2015", "start": "free"},
            "In Morelli, Free does not go with rules of 2015. For `start` choose random start or start by",
        ),
        (
            {"board": "10"},
            "10 is not a value of the option `board` in Morelli. Choose a suggested value, such as 13 × 13,",
        ),
        ({"edition": "1066"}, "1066 is not a value of the option `edition` in Morelli"),
        ({"men": "12"}, "Morelli has no option `men`. Leave it out. The challenge was not made."),
        ({"game": "go"}, "There is no game go here"),
        ({"colour": "red"}, "Red is not a colour in this game. Choose Black or White"),
        ({"colour": "mauve"}, "mauve is not a colour in this game"),
        ({"board": " x "}, "x is not a value"),
    ],
)
async def test_bad_options_are_refused_in_private(
    env: BotEnvironment, options: dict[str, str], expected: str
) -> None:
    reply = await env.make_challenge(**options)
    assert expected.casefold() in reply.text.casefold()
    assert reply.ephemeral
    assert not env.channel.messages


async def test_people_who_would_not_see_the_challenge_cannot_be_challenged(env: BotEnvironment) -> None:
    hidden = env.guild.channel("hidden")
    hidden.hide_from(env.bob)
    reply = await env.alice.command("challenge", {"opponent": env.bob}, channel=hidden)
    assert "Bob cannot see this channel" in reply.text
    assert reply.ephemeral
    eve = env.discord.guild("Elsewhere").member("Eve")
    reply = await env.make_challenge(opponent=eve)
    assert "eve is not on this server" in reply.text.lower()
    assert (hidden.messages, env.channel.messages, env.bob.pings) == ([], [], [])


async def test_challenging_oneself_is_refused(env: BotEnvironment) -> None:
    assert "cannot challenge yourself" in (await env.make_challenge(opponent=env.alice)).text


async def test_challenging_a_bot_is_refused(env: BotEnvironment) -> None:
    robot = env.guild.member("Robot", bot=True)
    assert "is a bot" in (await env.make_challenge(opponent=robot)).text


@pytest.mark.long
async def test_eleventh_open_challenge_is_refused(env: BotEnvironment) -> None:
    for _ in range(10):
        assert not (await env.make_challenge(opponent=None)).ephemeral
    assert "You already have 10 open challenges" in (await env.make_challenge(opponent=None)).text
    await env.alice.click(env.channel.messages[0], "Withdraw")
    assert not (await env.make_challenge(opponent=None)).ephemeral


async def suggestions(env: BotEnvironment, focused: str, **typed: str) -> list[str]:
    """Return the values that autocomplete suggests for the focused option of /challenge."""
    choices = await env.alice.autocomplete("challenge", typed, focused=focused, channel=env.channel)
    return [str(choice.value) for choice in choices]


@pytest.mark.parametrize(
    ("focused", "typed", "values"),
    [
        ("game", {"game": ""}, list(GAMES)),
        ("edition", {"edition": ""}, ["nestor", "2015", "mindsports"]),
        ("edition", {"edition": "later"}, ["nestor"]),
        ("edition", {"start": "pairs", "edition": ""}, ["2015", "mindsports"]),
        ("board", {"board": ""}, ["13", "11", "9"]),
        ("start", {"start": ""}, ["fists", "facing", "adjacent", "free"]),
        ("start", {"edition": "2015", "start": ""}, ["random", "pairs"]),
        ("start", {"edition": "nestor", "start": "fa"}, ["facing"]),
        ("colour", {"colour": ""}, ["random", "black", "white"]),
        ("colour", {"colour": "w"}, ["white"]),
        ("colour", {"game": "morabaraba", "colour": ""}, ["random", "white", "red"]),
        (
            "board",
            {"game": "morphos", "board": "1"},
            ["10", "11", "12", "13", "14", "15", "16", "17", "18", "19"],
        ),
        ("board", {"game": "morabaraba", "board": ""}, []),
        ("mutators", {"game": "morphos", "mutators": "abcd"}, ["abcd", "abcde"]),
        ("mutators", {"game": "morphos", "mutators": "e, d c"}, ["cde", "acde", "bcde", "abcde"]),
        ("mutators", {"game": "morphos", "mutators": "no corner two full grudge"}, ["abce", "abcde"]),
        ("men", {"game": "morabaraba", "men": ""}, ["12", "11"]),
    ],
)
async def test_only_fitting_options_are_suggested(
    env: BotEnvironment, focused: str, typed: dict[str, str], values: list[str]
) -> None:
    assert await suggestions(env, focused, **typed) == values


@pytest.mark.parametrize("colour", [" random", "RANDOM ", " Black "])
async def test_typed_colour_may_have_spaces_and_capitals(env: BotEnvironment, colour: str) -> None:
    reply = await env.make_challenge(colour=colour)
    assert not reply.ephemeral, reply.text
