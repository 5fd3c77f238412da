"""Hooks of a match: when they are called, and what their columns and failures do."""

# ruff: noqa: ARG002 - a hook need not use all its arguments

from dataclasses import dataclass, field

import pytest

from engine.game import Outcome
from matches import Announcement, AnnouncementKind, Database, EndReason, Matches, MatchState
from matches.errors import Refusal
from matches.hook_events import ConditionalReply, MatchEnded, MatchStarted, TurnPlayed
from matches.locking import LockedMatch, MatchHooks, MatchLocker
from matches.simultaneous_choice import Picks
from matches.turns import MatchActions
from storage.statements import Columns
from tests.matches.scenario import (
    ALICE,
    BOB,
    FISTS,
    FREE,
    NOON,
    legal_move,
    play_move,
    player_to_move,
    require_announcement,
    start_match,
)


class RefusedError(Refusal):
    key = "refused_by_a_test"


@dataclass
class RecordingHooks(MatchHooks):
    """Records its calls, and answers complete turns with `replies`."""

    calls: list[str] = field(default_factory=list)
    replies: list[ConditionalReply] = field(default_factory=list)
    fails: bool = False

    def on_pick(self, locked: LockedMatch) -> Columns:
        self.calls.append(f"picked {locked.person.name}")
        return {}

    def on_reveal(self, locked: LockedMatch, mover: str | None) -> Columns:
        self.calls.append(f"opened {mover}")
        return {"place": "test:elsewhere"}

    def on_turn(self, locked: LockedMatch, turn: TurnPlayed) -> Columns:
        self.calls.append(f"turned {locked.row.ply} {turn.is_complete} {turn.is_swap}")
        return {"place": "test:elsewhere"}

    def on_end(self, locked: LockedMatch, end: MatchEnded) -> Columns:
        self.calls.append(f"ended {locked.row.state} {end.outcome} {end.reason}")
        return {}

    async def reply(self, locked: LockedMatch, turn: TurnPlayed) -> ConditionalReply | None:
        return self.replies.pop(0) if self.replies else None

    async def after_end(self, locked: LockedMatch, end: MatchEnded) -> None:
        self.calls.append(f"after end {locked.row.state}")

    async def on_announced(self, locked: LockedMatch, announcement: Announcement) -> None:
        if self.fails:
            raise RefusedError


@pytest.fixture
def hooks() -> RecordingHooks:
    return RecordingHooks()


@pytest.fixture
def locker(database: Database, hooks: RecordingHooks) -> MatchLocker:
    return MatchLocker(database, [MatchHooks(), hooks])


async def test_turn_hooks_run(matches: Matches, locker: MatchLocker, hooks: RecordingHooks) -> None:
    view = await start_match(matches)
    update = await MatchActions(locker).play(
        view.id, ALICE, [legal_move(view)], None, latest_only=False, now=NOON
    )
    assert hooks.calls == ["turned 0 True False"]
    assert update.match.channel == "test:elsewhere"


async def test_pick_hooks_run(matches: Matches, locker: MatchLocker, hooks: RecordingHooks) -> None:
    view = await start_match(matches, FISTS)
    await Picks(locker).pick(view.id, BOB, "LR", now=NOON)
    opened = await Picks(locker).pick(view.id, ALICE, "LR", now=NOON)
    assert hooks.calls == ["picked Bob", f"opened {player_to_move(opened.match).account}"]
    assert opened.match.channel == "test:elsewhere"


async def test_end_hooks_run(matches: Matches, locker: MatchLocker, hooks: RecordingHooks) -> None:
    view = await start_match(matches)
    await MatchActions(locker).resign(view.id, ALICE, now=NOON)
    assert hooks.calls == ["ended playing white resigned", "after end over"]


@pytest.mark.long
async def test_end_hooks_run_for_an_end_by_a_move(
    matches: Matches, locker: MatchLocker, hooks: RecordingHooks
) -> None:
    view = await start_match(matches, {"size": 5}, game="morphos")
    while view.state is MatchState.PLAYING:
        view = (
            await MatchActions(locker).play(
                view.id, player_to_move(view), [legal_move(view)], None, latest_only=False, now=NOON
            )
        ).match
    assert hooks.calls[-3:] == [
        f"turned {view.ply - 1} True False",
        f"ended playing {view.result and view.result.outcome} played",
        "after end over",
    ]


async def test_failing_hook_undoes_the_move(
    matches: Matches, locker: MatchLocker, hooks: RecordingHooks
) -> None:
    view, hooks.fails = await start_match(matches), True
    with pytest.raises(RefusedError):
        await MatchActions(locker).play(view.id, ALICE, [legal_move(view)], None, latest_only=False, now=NOON)
    assert (await matches.view(view.id, now=NOON)).ply == 0


async def test_replies_are_played_at_once_and_announced_together(
    matches: Matches, locker: MatchLocker, hooks: RecordingHooks
) -> None:
    view = await start_match(matches, {}, game="morabaraba")
    hooks.replies = [ConditionalReply(BOB, ("G7",)), ConditionalReply(ALICE, ("D3",))]
    update = await MatchActions(locker).play(view.id, ALICE, ["A1"], 0, latest_only=False, now=NOON)
    announcement = require_announcement(update.announcement)
    assert (update.match.ply, player_to_move(update.match)) == (3, BOB)
    assert (announcement.kind, announcement.first_ply, announcement.ply) == (AnnouncementKind.TURN, 1, 3)
    assert (announcement.by, announcement.recipients) == (ALICE.account, (BOB.account,))
    assert announcement.details == {"replies": 2}
    assert [turned for turned in hooks.calls if turned.startswith("turned")] == [
        "turned 0 True False",
        "turned 1 True False",
        "turned 2 True False",
    ]
    assert (await matches.audit(view.id)).difference is None


async def test_turns_announced_together_are_viewed_together_later(
    matches: Matches, locker: MatchLocker, hooks: RecordingHooks
) -> None:
    view = await start_match(matches, {}, game="morabaraba")
    for _ in range(2):
        view = (await play_move(matches, view)).match
    hooks.replies = [ConditionalReply(BOB, ("G7",)), ConditionalReply(ALICE, ("D3",))]
    update = await MatchActions(locker).play(view.id, ALICE, ["C3"], 2, latest_only=False, now=NOON)
    await play_move(matches, update.match)
    seen = [update.match, await matches.views.at_announcement(require_announcement(update.announcement))]
    for one in seen:
        assert [[move.text for move in moves] for moves in (*one.preceding_turns, one.last_turn)] == [
            ["C3"],
            ["G7"],
            ["D3"],
        ]
        assert [one.last_turn[0].person, one.to_move and one.to_move.person] == [ALICE, BOB]


@pytest.mark.long
async def test_placements_before_the_reply_are_announced_with_it(
    matches: Matches, locker: MatchLocker, hooks: RecordingHooks
) -> None:
    view = (await play_move(matches, await start_match(matches, FREE))).match
    turns = MatchActions(locker)
    view = (await turns.play(view.id, BOB, [legal_move(view)], None, latest_only=False, now=NOON)).match
    hooks.replies = [ConditionalReply(ALICE, ("A9", "B9"))]
    seen = (await turns.play(view.id, BOB, [legal_move(view)], None, latest_only=False, now=NOON)).match
    assert [len(moves) for moves in (*seen.preceding_turns, seen.last_turn)] == [2, 2]


async def test_reply_may_resign(matches: Matches, locker: MatchLocker, hooks: RecordingHooks) -> None:
    view = await start_match(matches, {}, game="morabaraba")
    hooks.replies = [ConditionalReply(BOB, ())]
    update = await MatchActions(locker).play(view.id, ALICE, ["A1"], 0, latest_only=False, now=NOON)
    result = update.match.result
    assert result is not None
    assert (result.outcome, result.reason, result.winner and result.winner.person) == (
        Outcome(view.seats[0].side.value),
        EndReason.RESIGNED,
        ALICE,
    )
    assert hooks.calls[-2:] == [f"ended playing {result.outcome} resigned", "after end over"]
    announcement = require_announcement(update.announcement)
    assert announcement.recipients == (BOB.account,)
    later = await matches.views.at_announcement(announcement)
    assert (later.result, later.last_turn[-1].text, later.preceding_turns) == (result, "A1", ())


async def test_turn_without_replies_has_no_details(matches: Matches) -> None:
    update = await play_move(matches, await start_match(matches))
    assert require_announcement(update.announcement).details == {}


async def test_two_hooks_must_not_return_the_same_column(matches: Matches, database: Database) -> None:
    view = await start_match(matches)
    locker = MatchLocker(database, [RecordingHooks(), RecordingHooks()])
    with pytest.raises(ValueError, match="Two hooks return the columns place"):
        await MatchActions(locker).play(view.id, ALICE, [legal_move(view)], None, latest_only=False, now=NOON)


async def test_hook_returns_columns_of_a_new_match(matches: Matches) -> None:
    class Late(MatchHooks):
        async def on_start(self, connection: object, started: MatchStarted) -> Columns:
            assert (started.first, started.second, started.mover) == (
                ALICE.account,
                BOB.account,
                ALICE.account,
            )
            return {"takebacks": 7 if started.second == BOB.account else 0}

    matches.challenges._hooks = [Late()]
    view = await start_match(matches)
    assert view.takebacks == 7
