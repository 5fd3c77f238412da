"""Results corrected or voided by those who run the server: kept, told to both, undone in what followed."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from dataclasses import dataclass, field

import pytest

from engine.game import Outcome
from matches import (
    AnnouncementKind,
    MatchError,
    Matches,
    MatchNotOver,
    MatchState,
    MatchUnknown,
    MatchView,
    OutcomeRefused,
    Reason,
    ResultStands,
    Store,
    WhyRefused,
)
from matches.concerns import Concern, Concerns, End
from matches.holding import Held, Holder
from matches.servers.corrections import LONGEST, Corrections
from tests.matches.story import ALICE, BOB, CAROL, NOON, NOWHERE, SERVER, begin, later, move, play_out, told

WHY = "Alice's brother resigned for her."


async def resigned(matches: Matches) -> MatchView:
    """Alice, Black, has resigned."""
    return (await matches.resign((await begin(matches)).id, ALICE, now=NOON)).match


async def test_corrected_result_is_the_match_s(matches: Matches) -> None:
    view = await resigned(matches)
    turn = await matches.corrections.correct(
        view.id, CAROL, Outcome.BLACK, why=WHY, server=SERVER, now=later(hours=1)
    )
    result = (await matches.view(view.id, now=NOON)).result
    assert turn.match.result == result
    assert result is not None
    assert (result.outcome, result.reason) == (Outcome.BLACK, Reason.CORRECTED)
    assert result.winner is not None
    assert result.winner.person == ALICE


async def test_correction_says_who_made_it_why_and_when(matches: Matches) -> None:
    view = await resigned(matches)
    await matches.corrections.correct(
        view.id, CAROL, Outcome.DRAW, why=f"  {WHY}\n", server=SERVER, now=later(hours=1)
    )
    (kept,) = await matches.corrections.of(view.id, now=NOON)
    assert (kept.by, kept.why, kept.at) == (CAROL, WHY, later(hours=1))
    assert (kept.old_outcome, kept.old_reason) == (Outcome.WHITE, Reason.RESIGNED)
    assert kept.outcome is Outcome.DRAW
    history = await matches.history(view.id, now=NOON)
    assert history.match.result is not None
    assert history.match.result.correction == kept


async def test_correction_calls_both_people(matches: Matches) -> None:
    view = await resigned(matches)
    turn = await matches.corrections.correct(view.id, CAROL, Outcome.BLACK, why=WHY, server=SERVER, now=NOON)
    announcement = told(turn.announcement)
    assert announcement.kind is AnnouncementKind.CORRECTED
    assert set(announcement.whom) == {ALICE.account, BOB.account}
    assert (announcement.by, announcement.place) == (CAROL.account, view.place)
    assert announcement.details == {"outcome": "black", "why": WHY}
    seen = await matches.view_of(announcement, now=NOON)
    assert seen.result == turn.match.result


async def test_voided_result_has_no_outcome(matches: Matches) -> None:
    view = await resigned(matches)
    turn = await matches.corrections.correct(view.id, CAROL, None, why=WHY, server=SERVER, now=NOON)
    result = turn.match.result
    assert result is not None
    assert (result.outcome, result.reason, result.winner, result.loser) == (None, Reason.VOIDED, None, None)
    assert turn.match.state is MatchState.OVER
    assert told(turn.announcement).details["outcome"] == ""


async def test_result_can_be_corrected_again(matches: Matches) -> None:
    view = await resigned(matches)
    for outcome in (None, Outcome.DRAW, Outcome.WHITE):
        await matches.corrections.correct(view.id, CAROL, outcome, why=WHY, server=SERVER, now=NOON)
    kept = await matches.corrections.of(view.id, now=NOON)
    assert [one.outcome for one in kept] == [None, Outcome.DRAW, Outcome.WHITE]
    assert [one.old_outcome for one in kept] == [Outcome.WHITE, None, Outcome.DRAW]


async def test_game_played_to_its_end_can_be_voided_and_still_agrees_with_its_log(matches: Matches) -> None:
    view = (await play_out(matches, await begin(matches, {"size": 5}, game="morphos"))).match
    await matches.corrections.correct(view.id, CAROL, None, why=WHY, server=SERVER, now=NOON)
    assert (await matches.audit(view.id)).difference is None


@pytest.mark.parametrize(
    ("outcome", "why", "house", "refusal"),
    [
        (Outcome.WHITE, WHY, SERVER, ResultStands),
        (Outcome.RED, WHY, SERVER, OutcomeRefused),
        (Outcome.BLACK, "  ", SERVER, WhyRefused),
        (Outcome.BLACK, "x" * (LONGEST + 1), SERVER, WhyRefused),
        (Outcome.BLACK, WHY, "test:other", MatchUnknown),
    ],
)
async def test_correction_is_refused(
    matches: Matches, outcome: Outcome, why: str, house: str, refusal: type[MatchError]
) -> None:
    view = await resigned(matches)
    with pytest.raises(refusal):
        await matches.corrections.correct(view.id, CAROL, outcome, why=why, server=house, now=NOON)
    assert (await matches.view(view.id, now=NOON)).result == view.result
    assert await matches.corrections.of(view.id, now=NOON) == ()


async def test_match_that_goes_on_is_not_corrected(matches: Matches) -> None:
    view = await begin(matches)
    with pytest.raises(MatchNotOver):
        await matches.corrections.correct(view.id, CAROL, None, why=WHY, server=SERVER, now=NOON)


async def test_unknown_match_is_not_corrected(matches: Matches) -> None:
    with pytest.raises(MatchUnknown):
        await matches.corrections.correct(NOWHERE, CAROL, None, why=WHY, server=SERVER, now=NOON)


@pytest.mark.parametrize("outcome", [None, Outcome.DRAW], ids=["voided", "draw"])
async def test_record_of_a_game_that_the_rules_ended_tells_that_end(
    matches: Matches, outcome: Outcome | None
) -> None:
    view = (await play_out(matches, await begin(matches, {"size": 5}, game="morphos"))).match
    before = await matches.record(view.id, now=NOON)
    await matches.corrections.correct(view.id, CAROL, outcome, why=WHY, server=SERVER, now=NOON)
    assert await matches.record(view.id, now=NOON) == before


async def test_record_of_a_corrected_match_can_be_imported(matches: Matches) -> None:
    view = await resigned(matches)
    await matches.corrections.correct(view.id, CAROL, Outcome.BLACK, why=WHY, server=SERVER, now=NOON)
    record = await matches.record(view.id, now=NOON)
    assert '[Result "black"]' in record
    assert '[Reason "corrected"]' in record
    replay = await matches.import_record(record.encode(), BOB, server=SERVER, now=NOON)
    assert replay.record is not None


@dataclass
class Listener(Concern):
    """Notes the corrections that it hears of, and may fail."""

    fails: bool = False
    heard: list[tuple[End, End]] = field(default_factory=list)

    async def after_correction(self, held: Held, was: End, end: End) -> None:
        self.heard.append((was, end))
        if self.fails:
            raise WhyRefused


async def test_whoever_takes_part_in_matches_hears_of_a_correction(matches: Matches, store: Store) -> None:
    view, listener = await resigned(matches), Listener()
    corrections = Corrections(store, Holder(store, Concerns(Concern(), listener)))
    await corrections.correct(view.id, CAROL, None, why=WHY, server=SERVER, now=NOON)
    assert listener.heard == [(End(Outcome.WHITE, Reason.RESIGNED), End(None, Reason.VOIDED))]


async def test_what_fails_after_a_correction_undoes_it(matches: Matches, store: Store) -> None:
    view, listener = await resigned(matches), Listener(fails=True)
    corrections = Corrections(store, Holder(store, Concerns(listener)))
    with pytest.raises(WhyRefused):
        await corrections.correct(view.id, CAROL, None, why=WHY, server=SERVER, now=NOON)
    assert (await matches.view(view.id, now=NOON)).result == view.result
    assert await corrections.of(view.id, now=NOON) == ()


async def ratings(matches: Matches) -> list[float]:
    return [
        one.rating.rating
        for person in (ALICE, BOB)
        for one in await matches.ratings.standings(person, now=NOON)
    ]


async def test_ratings_follow_a_correction(matches: Matches) -> None:
    view = await begin(matches)
    for _ in range(2):
        view = (await move(matches, view)).match
    await matches.resign(view.id, ALICE, now=NOON)
    loser, winner = await ratings(matches)
    assert loser < winner
    await matches.corrections.correct(view.id, CAROL, Outcome.BLACK, why=WHY, server=SERVER, now=NOON)
    assert await ratings(matches) == [winner, loser]
    await matches.corrections.correct(view.id, CAROL, None, why=WHY, server=SERVER, now=NOON)
    assert await ratings(matches) == []
