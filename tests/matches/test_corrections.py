"""Results corrected or voided by managers of a server, and the effects of that."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

import pytest

from engine.game import Outcome
from matches import AnnouncementKind, Database, EndReason, Matches, MatchState, MatchView, Person
from matches.errors import Refusal
from matches.locking import LockedMatch, MatchHooks, MatchLocker
from matches.servers.corrections import Corrections
from matches.updates import Announcement
from matches.values import MAX_REASON_LENGTH
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    NOON,
    SERVER,
    UNKNOWN_MATCH,
    later,
    play_move,
    play_to_end,
    require_announcement,
    start_match,
)
from tests.refusals import refused

CORRECTION_REASON = "Alice's brother resigned for her."


async def play_resigned_match(matches: Matches) -> MatchView:
    """Return a match in which Alice, Black, has resigned."""
    return (await matches.resign((await start_match(matches)).id, ALICE, now=NOON)).match


async def test_corrected_result_replaces_the_old_one(matches: Matches) -> None:
    view = await play_resigned_match(matches)
    update = await matches.corrections.correct(
        view.id, CAROL, Outcome.BLACK, reason=CORRECTION_REASON, server=SERVER, now=later(hours=1)
    )
    result = (await matches.view(view.id, now=NOON)).result
    assert update.match.result == result
    assert result is not None
    assert (result.outcome, result.reason) == (Outcome.BLACK, EndReason.CORRECTED)
    assert result.winner is not None
    assert result.winner.person == ALICE


@pytest.mark.parametrize("player", [ALICE, BOB])
async def test_players_do_not_correct_their_own_match(matches: Matches, player: Person) -> None:
    over, abandoned = await play_resigned_match(matches), await start_match(matches)
    for view in (over, abandoned):
        with refused("own_match_corrected"):
            await matches.corrections.correct(
                view.id, player, None, reason=CORRECTION_REASON, server=SERVER, now=later(days=40)
            )
        assert await matches.corrections.list_for_match(view.id, now=NOON) == ()
    assert (await matches.view(abandoned.id, now=NOON)).state is MatchState.PLAYING


async def test_correction_records_author_reason_and_time(matches: Matches) -> None:
    view = await play_resigned_match(matches)
    await matches.corrections.correct(
        view.id, CAROL, Outcome.DRAW, reason=f"  {CORRECTION_REASON}\n", server=SERVER, now=later(hours=1)
    )
    (kept,) = await matches.corrections.list_for_match(view.id, now=NOON)
    assert (kept.by, kept.stated_reason, kept.corrected_at) == (CAROL, CORRECTION_REASON, later(hours=1))
    assert (kept.old_outcome, kept.old_reason) == (Outcome.WHITE, EndReason.RESIGNED)
    assert kept.outcome is Outcome.DRAW
    history = await matches.views.history(view.id)
    assert history.match.result is not None
    assert history.match.result.correction == kept


async def test_correction_notifies_both_players(matches: Matches) -> None:
    view = await play_resigned_match(matches)
    update = await matches.corrections.correct(
        view.id, CAROL, Outcome.BLACK, reason=CORRECTION_REASON, server=SERVER, now=NOON
    )
    announcement = require_announcement(update.announcement)
    assert announcement.kind is AnnouncementKind.CORRECTED
    assert set(announcement.recipients) == {ALICE.account, BOB.account}
    assert (announcement.by, announcement.channel) == (CAROL.account, view.channel)
    assert announcement.details == {"outcome": "black", "why": CORRECTION_REASON}
    seen = await matches.views.at_announcement(announcement)
    assert seen.result == update.match.result


async def test_voided_result_has_no_outcome(matches: Matches) -> None:
    view = await play_resigned_match(matches)
    update = await matches.corrections.correct(
        view.id, CAROL, None, reason=CORRECTION_REASON, server=SERVER, now=NOON
    )
    result = update.match.result
    assert result is not None
    assert (result.outcome, result.reason, result.winner, result.loser) == (
        None,
        EndReason.VOIDED,
        None,
        None,
    )
    assert update.match.state is MatchState.OVER
    assert require_announcement(update.announcement).details["outcome"] == ""


async def test_result_can_be_corrected_again(matches: Matches) -> None:
    view = await play_resigned_match(matches)
    for outcome in (None, Outcome.DRAW, Outcome.WHITE):
        await matches.corrections.correct(
            view.id, CAROL, outcome, reason=CORRECTION_REASON, server=SERVER, now=NOON
        )
    kept = await matches.corrections.list_for_match(view.id, now=NOON)
    assert [one.outcome for one in kept] == [None, Outcome.DRAW, Outcome.WHITE]
    assert [one.old_outcome for one in kept] == [Outcome.WHITE, None, Outcome.DRAW]


async def test_game_played_to_its_end_can_be_voided_and_still_agrees_with_its_log(matches: Matches) -> None:
    view = (await play_to_end(matches, await start_match(matches, {"size": 5}, game="morphos"))).match
    await matches.corrections.correct(view.id, CAROL, None, reason=CORRECTION_REASON, server=SERVER, now=NOON)
    assert (await matches.audit(view.id)).difference is None


@pytest.mark.parametrize(
    ("outcome", "why", "house", "refusal"),
    [
        (Outcome.WHITE, CORRECTION_REASON, SERVER, "result_unchanged"),
        (Outcome.RED, CORRECTION_REASON, SERVER, "invalid_outcome"),
        (Outcome.BLACK, "  ", SERVER, "invalid_reason"),
        (Outcome.BLACK, "x" * (MAX_REASON_LENGTH + 1), SERVER, "invalid_reason"),
        (Outcome.BLACK, CORRECTION_REASON, "test:other", "match_unknown"),
    ],
)
async def test_correction_is_refused(
    matches: Matches, outcome: Outcome, why: str, house: str, refusal: str
) -> None:
    view = await play_resigned_match(matches)
    with refused(refusal):
        await matches.corrections.correct(view.id, CAROL, outcome, reason=why, server=house, now=NOON)
    assert (await matches.view(view.id, now=NOON)).result == view.result
    assert await matches.corrections.list_for_match(view.id, now=NOON) == ()


async def test_active_match_cannot_be_corrected(matches: Matches) -> None:
    view = await start_match(matches)
    with refused("match_not_over"):
        await matches.corrections.correct(
            view.id, CAROL, None, reason=CORRECTION_REASON, server=SERVER, now=NOON
        )


async def test_unknown_match_is_not_corrected(matches: Matches) -> None:
    with refused("match_unknown"):
        await matches.corrections.correct(
            UNKNOWN_MATCH, CAROL, None, reason=CORRECTION_REASON, server=SERVER, now=NOON
        )


@pytest.mark.parametrize("outcome", [None, Outcome.DRAW], ids=["voided", "draw"])
async def test_record_keeps_the_result_of_the_rules(matches: Matches, outcome: Outcome | None) -> None:
    view = (await play_to_end(matches, await start_match(matches, {"size": 5}, game="morphos"))).match
    before = await matches.export_record(view.id, now=NOON)
    await matches.corrections.correct(
        view.id, CAROL, outcome, reason=CORRECTION_REASON, server=SERVER, now=NOON
    )
    assert await matches.export_record(view.id, now=NOON) == before


async def test_record_of_a_corrected_match_can_be_imported(matches: Matches) -> None:
    view = await play_resigned_match(matches)
    await matches.corrections.correct(
        view.id, CAROL, Outcome.BLACK, reason=CORRECTION_REASON, server=SERVER, now=NOON
    )
    record = await matches.export_record(view.id, now=NOON)
    assert '[Result "black"]' in record
    assert '[Reason "corrected"]' in record
    replay = await matches.records.import_record(record.encode(), BOB, server=SERVER, now=NOON)
    assert replay.record is not None


class FailingHooks(MatchHooks):
    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        raise Refusal("invalid_reason")


async def test_failing_hook_undoes_a_correction(matches: Matches, database: Database) -> None:
    view = await play_resigned_match(matches)
    corrections = Corrections(database, MatchLocker(database, [FailingHooks()]), {})
    with refused("invalid_reason"):
        await corrections.correct(view.id, CAROL, None, reason=CORRECTION_REASON, server=SERVER, now=NOON)
    assert (await matches.view(view.id, now=NOON)).result == view.result
    assert await corrections.list_for_match(view.id, now=NOON) == ()


async def ratings(matches: Matches) -> list[float]:
    return [
        one.rating.rating
        for person in (ALICE, BOB)
        for one in await matches.ratings.standings(person, now=NOON)
    ]


async def test_ratings_follow_a_correction(matches: Matches) -> None:
    view = await start_match(matches)
    for _ in range(2):
        view = (await play_move(matches, view)).match
    await matches.resign(view.id, ALICE, now=NOON)
    loser, winner = await ratings(matches)
    assert loser < winner
    await matches.corrections.correct(
        view.id, CAROL, Outcome.BLACK, reason=CORRECTION_REASON, server=SERVER, now=NOON
    )
    assert await ratings(matches) == [winner, loser]
    await matches.corrections.correct(view.id, CAROL, None, reason=CORRECTION_REASON, server=SERVER, now=NOON)
    assert await ratings(matches) == []
