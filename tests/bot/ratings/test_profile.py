"""Profiles: ratings, results, and the picture of a rating's course."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image

from bot.features.ratings import formatting
from bot.features.ratings.formatting import MAX_RESULTS_LISTED
from i18n import Texts
from matches import MatchId, Person, PictureTheme, Rating, RatingStep
from render import MAX_MARKED_POINTS
from tests.bot.ratings.scenario import play_decided_match
from tests.discord_server import Permission

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply


WORDS = Texts.load()


async def show_profile(env: BotEnvironment, by: Member | None = None, **options: Any) -> Reply:
    return await (by or env.alice).command("profile", options, channel=env.channel)


async def test_end_tells_what_became_of_both_ratings(env: BotEnvironment) -> None:
    post = await play_decided_match(env)
    assert (
        "-# Ratings: Alice 1500 → **1662** (+162) · Bob 1500 → **1338** (\N{MINUS SIGN}162)" in post.content
    )


async def test_end_by_a_move_tells_it_too(env: BotEnvironment) -> None:
    await env.start_match(game="morphos", board="5", start=None)
    line = ("A1", "E5", "A2", "E4", "A3", "E3", "A4", "E2", "A5")
    for number, text in enumerate(line):
        post = await env.move(env.bob if number % 2 else env.alice, text)
    assert "wins." in post.text
    assert "-# Ratings: Alice 1500 → **1662** (+162)" in post.text


async def test_match_that_is_not_rated_tells_nothing_of_ratings(env: BotEnvironment) -> None:
    assert "Ratings" not in (await play_decided_match(env, rated=False)).content


async def test_profile_tells_rating_and_results(env: BotEnvironment) -> None:
    await play_decided_match(env)
    reply = await show_profile(env)
    assert reply.ephemeral
    assert reply.text.splitlines()[:6] == [
        "**Alice**",
        "Morelli: **1662?** ± 290 · one rated match (provisional)",
        "**Morelli here, rated or not:** one match: 1 won, 0 drawn, 0 lost",
        "By opponent: Bob +1 =0 \N{MINUS SIGN}0",
        "By colour: Black +1 =0 \N{MINUS SIGN}0",
        "By start: Facing +1 =0 \N{MINUS SIGN}0",
    ]


async def test_profile_of_another(env: BotEnvironment) -> None:
    await play_decided_match(env)
    reply = await show_profile(env, person=env.bob)
    assert "**Bob**\nMorelli: **1338?** ± 290" in reply.text
    assert "By opponent: Alice +0 =0 \N{MINUS SIGN}1" in reply.text


async def test_picture_shows_the_course_and_says_so(env: BotEnvironment) -> None:
    await play_decided_match(env)
    await env.advance_time(days=30)
    await play_decided_match(env, env.alice)
    await env.advance_time(days=9)
    reply = await show_profile(env)
    (file,) = reply.attachments
    assert Image.open(BytesIO(file.data)).size == (700, 350)
    alt = file.description
    assert alt is not None
    assert alt.startswith("Chart of Alice's rating in Morelli: 2 rated matches from ")
    assert "1662 after the first" in alt
    assert alt.endswith("In order: won, lost")
    assert "▲ won, ● drawn, ▼ lost" in reply.text


async def test_opponents_of_one_name_are_told_apart(env: BotEnvironment) -> None:
    twins = [env.guild.member("Twin") for _ in range(2)]
    await play_decided_match(env, twins[0], opponent=twins[0])
    await play_decided_match(env, env.alice, opponent=twins[1])
    told = next(
        line for line in (await show_profile(env)).text.splitlines() if line.startswith("By opponent")
    )
    assert sorted(told.removeprefix("By opponent: ").split(", ")) == [
        "Twin +0 =0 \N{MINUS SIGN}1",
        "Twin +1 =0 \N{MINUS SIGN}0",
    ]


def test_long_course_says_that_its_last_results_are_told() -> None:
    now, rating = datetime(2026, 5, 1, tzinfo=UTC), Rating()
    steps = [RatingStep(MatchId(number), now, number % 2, rating) for number in range(MAX_RESULTS_LISTED + 1)]
    told = formatting.format_history(WORDS, "Alice", "morelli", steps, rating)
    assert f"{MAX_RESULTS_LISTED + 1} rated matches from 2026-05-01" in told
    assert f"The last {MAX_RESULTS_LISTED} in order: won, lost" in told
    assert told.count("won") == told.count("lost") == MAX_RESULTS_LISTED / 2


def test_caption_tells_the_signs_where_there_are_some() -> None:
    assert "▲ won" in formatting.format_caption(WORDS, "morelli", MAX_MARKED_POINTS)
    assert "▲ won" not in formatting.format_caption(WORDS, "morelli", MAX_MARKED_POINTS + 1)


async def test_picture_is_in_the_theme_that_the_person_has_chosen(env: BotEnvironment) -> None:
    await play_decided_match(env)
    before = (await show_profile(env)).attachments[0].data
    alice = Person(f"discord:{env.alice.id}", "Alice")
    await env.bot.matches.preferences.change(alice, theme=PictureTheme.CLEAR, now=env.bot.now())
    assert (await show_profile(env)).attachments[0].data != before


async def test_another_game_may_be_named(env: BotEnvironment) -> None:
    await play_decided_match(env)
    reply = await show_profile(env, game="Morphos")
    assert "**Morphos here:** no results yet." in reply.text
    assert not reply.attachments


async def test_whoever_has_not_played_has_no_rating(env: BotEnvironment) -> None:
    reply = await show_profile(env, env.guild.member("Eve"))
    assert "Eve has no rating yet" in reply.text
    assert not reply.attachments


async def test_unknown_game_is_refused(env: BotEnvironment) -> None:
    assert "There is no game go here" in (await show_profile(env, game="go")).text


async def test_games_are_proposed(env: BotEnvironment) -> None:
    found = await env.alice.autocomplete("profile", {"game": "mor"}, focused="game", channel=env.channel)
    assert [one.value for one in found] == ["morelli", "morphos", "morabaraba"]


async def test_correction_tells_what_becomes_of_both_ratings(env: BotEnvironment) -> None:
    await play_decided_match(env)
    boss = env.guild.member("Boss")
    env.channel.allow(boss, Permission.MANAGE_GUILD)
    for result, told in (("white", "Alice 1500 → **1338** (\N{MINUS SIGN}162)"), ("none", None)):
        given = {"match": "1", "result": result, "reason": "A test."}
        reply = await boss.command("correct", given, channel=env.channel)
        assert told in reply.text if told else "Ratings" not in reply.text
    assert "Alice has no rating yet" in (await show_profile(env)).text
