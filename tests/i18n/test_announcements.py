"""Every announcement about a match is said from the catalogue alone, without a front end."""

from dataclasses import replace
from datetime import timedelta

import pytest

from bot.ui.markdown import DISCORD
from i18n import Texts
from i18n.announcements import (
    DESCRIBED_KINDS,
    describe_announcement,
    describe_challenge,
    describe_closed_challenge,
    describe_digest,
    describe_lost_lines,
    describe_public_reminder,
    describe_reminder,
    describe_time,
)
from matches import AnnouncementKind, Matches, MatchId, MatchView, Person, Terms, TimeControl
from matches.updates import Announcement
from tests.games import GAMES
from tests.matches.scenario import (
    ALICE,
    BOB,
    FISTS,
    NOON,
    later,
    make_challenge,
    play_move,
    require_announcement,
    start_match,
)

TEXTS = Texts.load()
CHOICE = GAMES["morelli"].simultaneous_choice
PICK = CHOICE.picks[0] if CHOICE else ""
UNTIL = "⏳ Bob has until 4 May 2026, 12:00 UTC (in 3 days)."
OPTIONS = "later rules · 9 \N{MULTIPLICATION SIGN} 9 · {}"
# Kinds with functions of their own: they are about a challenge or several matches, or call for a turn.
OTHER_KINDS = {
    *("CHALLENGED", "DECLINED", "WITHDRAWN", "EXPIRED", "REMINDED", "DIGEST"),
    "DAILY_PUZZLE_OFF",
    *("STAGE_STARTED", "ENTRANT_WITHDRAWN", "TOURNAMENT_OVER", "LADDER_CHALLENGED", "LADDER_UNANSWERED"),
    *("TOURNAMENT_CHANGED", "TOURNAMENT_ANNOUNCED", "TOURNAMENT_UPDATED"),
}


def describe(announcement: Announcement | None, view: MatchView) -> str:
    assert announcement is not None
    lines = describe_announcement(TEXTS, announcement, view, GAMES[view.game])
    time = describe_time(TEXTS, announcement, view)
    return "\n".join([*lines, time] if time else lines)


def test_every_kind_has_a_description() -> None:
    assert {kind.name for kind in DESCRIBED_KINDS} | OTHER_KINDS == {kind.name for kind in AnnouncementKind}


@pytest.mark.long
async def test_a_match_is_told_in_plain_words(matches: Matches) -> None:
    terms = Terms(time_control=TimeControl.per_move(timedelta(days=3)))
    view = await start_match(matches, terms=terms)
    updates = [
        await play_move(matches, view, "C1-D2"),
        await matches.clocks.pauses.offer(view.id, ALICE, now=NOON),
        await matches.clocks.pauses.answer(view.id, BOB, accept=True, now=NOON),
        await matches.resign(view.id, BOB, now=NOON),
    ]
    assert [describe(update.announcement, update.match).splitlines() for update in updates] == [
        ["Alice: Black C1-D2", "Bob, it is your turn. You play White.", UNTIL],
        [
            f"Alice offers to pause Morelli #{view.id}: the clock stops until one of you resumes.",
            "Bob, do you accept?",
            UNTIL,
        ],
        [
            (
                f"⏸️ Morelli #{view.id} is paused. Alice, Bob accepts. Either of you can restart the clock "
                "with the button or /resume; the player to move then has at least one day."
            )
        ],
        ["Black (Alice) wins. Bob resigns.", "Alice, thank you for the game."],
    ]


@pytest.mark.long
async def test_a_secret_choice_is_told_in_plain_words(matches: Matches) -> None:
    view = await start_match(matches, FISTS)
    await matches.pick(view.id, ALICE, PICK, now=NOON)
    update = await matches.pick(view.id, BOB, PICK, now=NOON)
    told = describe(update.announcement, update.match)
    assert told.startswith("The fists open.\nAlice:")


@pytest.mark.long
async def test_a_declined_challenge_is_told_in_plain_words(matches: Matches) -> None:
    challenge = await make_challenge(matches, to=BOB)
    update = await matches.challenges.decline(challenge.id, BOB, now=later(hours=1))
    told = describe_closed_challenge(TEXTS, update.challenge, ALICE.account)
    assert told == "Alice, Bob declined your challenge to Morelli."


@pytest.mark.long
async def test_an_open_challenge_is_told_in_plain_words(matches: Matches) -> None:
    terms = Terms(time_control=TimeControl.per_move(timedelta(days=3)))
    challenge = await make_challenge(matches, to=BOB, options=FISTS, terms=terms)
    lines = describe_challenge(
        TEXTS, challenge, GAMES["morelli"], now=challenge.expires_at - timedelta(days=2)
    )
    assert "\n".join(lines).splitlines() == [
        "Alice challenges Bob to a game of Morelli.",
        OPTIONS.format("closed fists"),
        "3 days per move · on time-out the opponent may claim the win · rated",
        "Alice plays Black.",
        "It expires in 2 days.",
    ]


@pytest.mark.long
async def test_who_accepted_a_challenge_is_told(matches: Matches) -> None:
    challenge = await make_challenge(matches)
    await matches.challenges.accept(challenge.id, BOB, now=NOON)
    closed = await matches.challenges.find(challenge.id, now=NOON)
    lines = describe_challenge(TEXTS, closed, GAMES["morelli"], BOB)
    assert (lines[0], lines[-1]) == ("Alice challenges anyone to a game of Morelli.", "Accepted by Bob.")


async def test_a_reminder_is_told_in_plain_words(matches: Matches) -> None:
    view = await start_match(matches, terms=Terms(time_control=TimeControl.per_move(timedelta(days=3))))
    announcement = require_announcement((await play_move(matches, view, "C1-D2")).announcement)
    reminder = replace(announcement, kind=AnnouncementKind.REMINDED, to=BOB.account)
    view = await matches.views.at_announcement(reminder)
    assert describe_reminder(TEXTS, reminder, view, GAMES["morelli"], "a letter") == [
        f"Morelli vs Alice (#{view.id}): your turn in a letter.",
        f"Morelli #{view.id}: Alice (Black) \N{EN DASH} Bob (White), {OPTIONS.format('Facing')}",
        "Black C1-D2. Bob (White) to play.",
    ]
    assert describe_public_reminder(TEXTS, reminder, view, later(days=1)).splitlines() == [
        f"Bob, it is your turn in Morelli vs Alice (#{view.id}).",
        "⏳ Bob has until 4 May 2026, 12:00 UTC (in 2 days).",
    ]


@pytest.mark.long
async def test_a_digest_is_told_in_plain_words(matches: Matches) -> None:
    view = (await play_move(matches, await start_match(matches), "C1-D2")).match
    assert describe_digest(TEXTS, [(view, 1, "https://a.test/m/1")], [MatchId(7), MatchId(8)]) == [
        "Matches you watch: the last day",
        f"Morelli: Alice \N{EN DASH} Bob (#{view.id}), one move: Black C1-D2. Bob (White) to play.",
        ("You no longer watch match #7 and match #8, because you cannot see their channels any more."),
    ]


async def test_lost_conditional_moves_are_told_in_plain_words(matches: Matches) -> None:
    view = await start_match(matches)
    assert describe_lost_lines(TEXTS, view, BOB.account, "taken_back", "a letter") == (
        f"Morelli vs Alice (#{view.id}): Moves were taken back, so your conditional moves were deleted. "
        "The board is in a letter. Only you get this message."
    )


@pytest.mark.long
async def test_names_are_written_as_the_reader_sees_them(matches: Matches) -> None:
    challenge = await make_challenge(matches, Person("test:1", "*Ann*"), Person("test:2", "_Bo_"))
    view = (await matches.challenges.accept(challenge.id, Person("test:2", "_Bo_"), now=NOON)).match
    announcement = (await play_move(matches, view, "C1-D2")).announcement
    assert announcement is not None
    after = await matches.views.at_announcement(announcement)
    texts = TEXTS.with_writer(DISCORD)
    assert describe_announcement(texts, announcement, after, GAMES["morelli"]) == [
        r"\*Ann\*: **Black C1-D2**",
        r"\_Bo\_, it is your turn. You play **White**.",
    ]
