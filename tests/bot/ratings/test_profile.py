"""Profiles: ratings, results, and the picture of a rating's course."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

from PIL import Image

from bot.ratings import wording
from bot.ratings.wording import MOST_SIGNS
from matches import MatchId, Person, Rating, RatingStep, Theme
from render import MOST_SIGNED
from tests.bot.ratings.story import beat
from tests.discord_server import Permission
from words import Words

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Reply


WORDS = Words.load()


async def profile(stage: Stage, by: Member | None = None, **options: Any) -> Reply:
    return await (by or stage.alice).command("profile", options, channel=stage.channel)


async def test_end_tells_what_became_of_both_ratings(stage: Stage) -> None:
    post = await beat(stage)
    assert (
        "-# Ratings: Alice 1500 → **1662** (+162) · Bob 1500 → **1338** (\N{MINUS SIGN}162)" in post.content
    )


async def test_end_by_a_move_tells_it_too(stage: Stage) -> None:
    await stage.start(game="morphos", board="5", start=None)
    line = ("A1", "E5", "A2", "E4", "A3", "E3", "A4", "E2", "A5")
    for number, text in enumerate(line):
        post = await stage.move(stage.bob if number % 2 else stage.alice, text)
    assert "wins." in post.text
    assert "-# Ratings: Alice 1500 → **1662** (+162)" in post.text


async def test_match_that_is_not_rated_tells_nothing_of_ratings(stage: Stage) -> None:
    assert "Ratings" not in (await beat(stage, rated=False)).content


async def test_profile_tells_rating_and_results(stage: Stage) -> None:
    await beat(stage)
    reply = await profile(stage)
    assert reply.ephemeral
    assert reply.text.splitlines()[:6] == [
        "**Alice**",
        "Morelli: **1662?** ± 290 · one rated match, so it is provisional",
        "**Morelli here, rated or not:** one match: 1 won, 0 drawn, 0 lost",
        "By opponent: Bob +1 =0 \N{MINUS SIGN}0",
        "By colour: Black +1 =0 \N{MINUS SIGN}0",
        "By start: Facing +1 =0 \N{MINUS SIGN}0",
    ]


async def test_profile_of_another(stage: Stage) -> None:
    await beat(stage)
    reply = await profile(stage, person=stage.bob)
    assert "**Bob**\nMorelli: **1338?** ± 290" in reply.text
    assert "By opponent: Alice +0 =0 \N{MINUS SIGN}1" in reply.text


async def test_picture_shows_the_course_and_says_so(stage: Stage) -> None:
    await beat(stage)
    await stage.pass_time(days=30)
    await beat(stage, stage.alice)
    await stage.pass_time(days=9)
    reply = await profile(stage)
    (file,) = reply.attachments
    assert Image.open(BytesIO(file.data)).size == (700, 350)
    alt = file.description
    assert alt is not None
    assert alt.startswith("The course of Alice's rating at Morelli: 2 rated matches from ")
    assert "1662 after the first" in alt
    assert alt.endswith("In order: won, lost")
    assert "▲ won, ● drawn, ▼ lost" in reply.text


async def test_opponents_of_one_name_are_told_apart(stage: Stage) -> None:
    twins = [stage.guild.member("Twin") for _ in range(2)]
    await beat(stage, twins[0], opponent=twins[0])
    await beat(stage, stage.alice, opponent=twins[1])
    told = next(line for line in (await profile(stage)).text.splitlines() if line.startswith("By opponent"))
    assert sorted(told.removeprefix("By opponent: ").split(", ")) == [
        "Twin +0 =0 \N{MINUS SIGN}1",
        "Twin +1 =0 \N{MINUS SIGN}0",
    ]


def test_long_course_says_that_its_last_results_are_told() -> None:
    now, rating = datetime(2026, 5, 1, tzinfo=UTC), Rating()
    steps = [RatingStep(MatchId(number), now, number % 2, rating) for number in range(MOST_SIGNS + 1)]
    told = wording.course(WORDS, "Alice", "morelli", steps, rating)
    assert f"{MOST_SIGNS + 1} rated matches from 2026-05-01" in told
    assert f"The last {MOST_SIGNS} in order: won, lost" in told
    assert told.count("won") == told.count("lost") == MOST_SIGNS / 2


def test_caption_tells_the_signs_where_there_are_some() -> None:
    assert "▲ won" in wording.caption(WORDS, "morelli", MOST_SIGNED)
    assert "▲ won" not in wording.caption(WORDS, "morelli", MOST_SIGNED + 1)


async def test_picture_is_in_the_theme_that_the_person_has_chosen(stage: Stage) -> None:
    await beat(stage)
    before = (await profile(stage)).attachments[0].data
    alice = Person(f"discord:{stage.alice.id}", "Alice")
    await stage.bot.matches.people.change(alice, theme=Theme.CLEAR, now=stage.bot.now())
    assert (await profile(stage)).attachments[0].data != before


async def test_another_game_may_be_named(stage: Stage) -> None:
    await beat(stage)
    reply = await profile(stage, game="Morphos")
    assert "**Morphos here:** nothing yet." in reply.text
    assert not reply.attachments


async def test_whoever_has_not_played_has_no_rating(stage: Stage) -> None:
    reply = await profile(stage, stage.guild.member("Eve"))
    assert "Eve has no rating yet" in reply.text
    assert not reply.attachments


async def test_unknown_game_is_refused(stage: Stage) -> None:
    assert "I do not know the game go" in (await profile(stage, game="go")).text


async def test_games_are_proposed(stage: Stage) -> None:
    found = await stage.alice.autocomplete("profile", {"game": "mor"}, focused="game", channel=stage.channel)
    assert [one.value for one in found] == ["morelli", "morphos", "morabaraba"]


async def test_correction_tells_what_becomes_of_both_ratings(stage: Stage) -> None:
    await beat(stage)
    boss = stage.guild.member("Boss")
    stage.channel.allow(boss, Permission.MANAGE_GUILD)
    for result, told in (("white", "Alice 1500 → **1338** (\N{MINUS SIGN}162)"), ("none", None)):
        given = {"match": "1", "result": result, "reason": "A test."}
        reply = await boss.command("correct", given, channel=stage.channel)
        assert told in reply.text if told else "Ratings" not in reply.text
    assert "Alice has no rating yet" in (await profile(stage)).text
