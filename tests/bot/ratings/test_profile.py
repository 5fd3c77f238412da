"""Profiles: ratings, results, and the rating chart."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from i18n import Texts
from i18n import ratings as formatting
from i18n.ratings import MAX_RESULTS_LISTED
from matches import MatchId, Person, PictureTheme, Rating, RatingStep
from tests.bot.ratings.scenario import play_decided_match
from tests.discord_server import Permission
from tests.games import GAMES

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply


TEXTS = Texts.load()


async def show_profile(env: BotEnvironment, by: Member | None = None, **options: Any) -> Reply:
    """Use /profile, by default as Alice."""
    return await (by or env.alice).command("profile", options, channel=env.channel)


@pytest.mark.long
async def test_final_post_shows_both_rating_changes(env: BotEnvironment) -> None:
    post = await play_decided_match(env)
    assert (
        "-# Ratings: Alice 1500 → **1662** (+162) · Bob 1500 → **1338** (\N{MINUS SIGN}162)" in post.content
    )


@pytest.mark.long
async def test_final_post_after_a_move_shows_both_rating_changes(env: BotEnvironment) -> None:
    await env.start_match(game="morphos", board="5", start=None)
    line = ("A1", "E5", "A2", "E4", "A3", "E3", "A4", "E2", "A5")
    for number, text in enumerate(line):
        post = await env.move(env.bob if number % 2 else env.alice, text)
    assert "wins." in post.text
    assert "-# Ratings: Alice 1500 → **1662** (+162)" in post.text


@pytest.mark.long
async def test_unrated_match_shows_no_rating_changes(env: BotEnvironment) -> None:
    assert "Ratings" not in (await play_decided_match(env, rated=False)).content


@pytest.mark.long
async def test_profile_shows_rating_and_results(env: BotEnvironment) -> None:
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


@pytest.mark.long
async def test_profile_of_another_person_can_be_shown(env: BotEnvironment) -> None:
    await play_decided_match(env)
    reply = await show_profile(env, person=env.bob)
    assert "**Bob**\nMorelli: **1338?** ± 290" in reply.text
    assert "By opponent: Alice +0 =0 \N{MINUS SIGN}1" in reply.text


@pytest.mark.long
async def test_rating_chart_has_an_alt_text(env: BotEnvironment) -> None:
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


@pytest.mark.long
async def test_opponents_with_the_same_name_are_listed_separately(env: BotEnvironment) -> None:
    twins = [env.guild.member("Twin") for _ in range(2)]
    await play_decided_match(env, twins[0], opponent=twins[0])
    await play_decided_match(env, env.alice, opponent=twins[1])
    scores = next(
        line for line in (await show_profile(env)).text.splitlines() if line.startswith("By opponent")
    )
    assert sorted(scores.removeprefix("By opponent: ").split(", ")) == [
        "Twin +0 =0 \N{MINUS SIGN}1",
        "Twin +1 =0 \N{MINUS SIGN}0",
    ]


def test_alt_text_of_a_long_history_lists_the_last_results() -> None:
    now, rating = datetime(2026, 5, 1, tzinfo=UTC), Rating()
    steps = [RatingStep(MatchId(number), now, number % 2, rating) for number in range(MAX_RESULTS_LISTED + 1)]
    alt = formatting.format_history(TEXTS, Person("test:1", "Alice"), "morelli", steps, rating)
    assert f"{MAX_RESULTS_LISTED + 1} rated matches from 1 May 2026" in alt
    assert f"The last {MAX_RESULTS_LISTED} in order: won, lost" in alt
    assert alt.count("won") == alt.count("lost") == MAX_RESULTS_LISTED / 2


@pytest.mark.parametrize(
    ("name", "shown"),
    [("Alice\n\u202eecilA\x00", "Alice ecilA"), ("x" * 99, "x" * 59 + "…"), ("אבגד", "\u2068אבגד\u2069")],
)
def test_alt_text_shows_a_name_as_other_texts_do(name: str, shown: str) -> None:
    rating = Rating()
    steps = [RatingStep(MatchId(1), datetime(2026, 5, 1, tzinfo=UTC), 1, rating)]
    alt = formatting.format_history(TEXTS, Person("test:1", name), "morelli", steps, rating)
    assert alt.startswith(f"Chart of {shown}'s rating in Morelli: ")


def test_caption_explains_the_marks_if_there_are_any() -> None:
    assert "▲ won" in formatting.format_caption(TEXTS, "morelli", has_marks=True)
    assert "▲ won" not in formatting.format_caption(TEXTS, "morelli", has_marks=False)


@pytest.mark.long
async def test_rating_chart_uses_the_theme_of_the_viewer(env: BotEnvironment) -> None:
    await play_decided_match(env)
    before = (await show_profile(env)).attachments[0].data
    alice = Person(f"discord:{env.alice.id}", "Alice")
    await env.bot.matches.people.preferences.change(alice, theme=PictureTheme.CLEAR, now=env.bot.now())
    assert (await show_profile(env)).attachments[0].data != before


async def test_profile_can_show_another_game(env: BotEnvironment) -> None:
    await play_decided_match(env)
    reply = await show_profile(env, game="Morphos")
    assert "**Morphos here:** no results yet." in reply.text
    assert not reply.attachments


@pytest.mark.long
async def test_profile_without_a_rating_shows_the_game_played_last(env: BotEnvironment) -> None:
    for game, board in (("Morphos", "5"), ("Morabaraba", None)):
        await env.start_match(game=game, board=board, start=None, colour=None, rated=False)
        confirmation = await env.alice.command("resign", channel=env.channel)
        await env.wait_for_board(after=await env.alice.click(confirmation, "Resign"))
    text = (await show_profile(env)).text
    assert "Alice has no rating yet" in text
    assert "**Morabaraba here, rated or not:** one match" in text


async def test_profile_without_matches_has_no_rating(env: BotEnvironment) -> None:
    reply = await show_profile(env, env.guild.member("Eve"))
    assert "Eve has no rating yet" in reply.text
    assert not reply.attachments


async def test_unknown_game_is_refused(env: BotEnvironment) -> None:
    assert "There is no game go here" in (await show_profile(env, game="go")).text


async def test_games_are_suggested(env: BotEnvironment) -> None:
    found = await env.alice.autocomplete("profile", {"game": "mor"}, focused="game", channel=env.channel)
    assert [one.value for one in found] == [name for name in GAMES if "mor" in name]


@pytest.mark.long
async def test_correction_post_shows_both_rating_changes(env: BotEnvironment) -> None:
    await play_decided_match(env)
    boss = env.guild.member("Boss")
    env.channel.allow(boss, Permission.MANAGE_GUILD)
    for result, expected in (("white", "Alice 1500 → **1338** (\N{MINUS SIGN}162)"), ("none", None)):
        given = {"match": "1", "result": result, "reason": "A test."}
        reply = await boss.command("correct", given, channel=env.channel)
        assert expected in reply.text if expected else "Ratings" not in reply.text
    assert "Alice has no rating yet" in (await show_profile(env)).text


@pytest.mark.long
async def test_profile_counts_no_matches_of_channels_that_the_reader_cannot_see(env: BotEnvironment) -> None:
    club, carol = env.guild.channel("club"), env.guild.member("Carol")
    club.hide_from(carol)
    await play_decided_match(replace(env, channel=club), rated=False)
    inside, outside = await show_profile(env), await show_profile(env, carol, person=env.alice)
    assert "Bob +1" in inside.text
    assert "Bob" not in outside.text
    await play_decided_match(env)
    assert "one match: 1 won" in (await show_profile(env, carol, person=env.alice)).text
