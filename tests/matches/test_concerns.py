"""The seams of a match: who takes part in its changes hears of each, in the one transaction of it."""

# ruff: noqa: ARG002 - a hook is told more than it needs

from dataclasses import dataclass, field

import pytest

from engine.game import Outcome
from matches import AnnouncementKind, MatchError, Matches, MatchState, Reason, Store
from matches.concerns import Begun, Columns, Concern, Concerns, End, Reply, Turned
from matches.endings import Endings
from matches.fists import Picks
from matches.holding import Held, Holder
from matches.turns import Turns
from tests.matches.story import ALICE, BOB, FISTS, FREE, NOON, begin, legal, move, mover, told


class RefusedError(MatchError):
    key = "refused_by_a_test"


@dataclass
class Listener(Concern):
    """Notes what it hears, and answers the first complete turn with `reply`."""

    heard: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)
    fails: bool = False

    def admits(self, held: Held) -> None:
        if held.person.name == "Mallory":
            raise RefusedError

    def picked(self, held: Held) -> Columns:
        self.heard.append(f"picked {held.person.name}")
        return {}

    def opened(self, held: Held, mover: str | None) -> Columns:
        self.heard.append(f"opened {mover}")
        return {"place": "test:elsewhere"}

    def turned(self, held: Held, turned: Turned) -> Columns:
        self.heard.append(f"turned {held.row.ply} {turned.complete} {turned.swapped}")
        return {"place": "test:elsewhere"}

    def ended(self, held: Held, end: End) -> Columns:
        self.heard.append(f"ended {held.row.state} {end.outcome} {end.reason}")
        return {}

    async def after_turn(self, held: Held, turned: Turned) -> None:
        self.heard.append(f"after turn {held.row.ply}")
        if self.fails:
            raise RefusedError

    async def reply(self, held: Held, turned: Turned) -> Reply | None:
        return self.replies.pop(0) if self.replies else None

    async def after_end(self, held: Held, end: End) -> None:
        self.heard.append(f"after end {held.row.state}")


@pytest.fixture
def listener() -> Listener:
    return Listener()


@pytest.fixture
def holder(store: Store, listener: Listener) -> Holder:
    return Holder(store, Concerns(Concern(), listener))


async def test_moves_are_heard_before_and_after(matches: Matches, holder: Holder, listener: Listener) -> None:
    view = await begin(matches)
    turn = await Turns(holder).play(view.id, ALICE, [legal(view)], None, exact=False, now=NOON)
    assert listener.heard == ["turned 0 True False", "after turn 1"]
    assert turn.match.place == "test:elsewhere"


async def test_fists_are_heard(matches: Matches, holder: Holder, listener: Listener) -> None:
    view = await begin(matches, FISTS)
    await Picks(holder).pick(view.id, BOB, "LR", NOON)
    opened = await Picks(holder).pick(view.id, ALICE, "LR", NOON)
    assert listener.heard == ["picked Bob", f"opened {mover(opened.match).account}"]
    assert opened.match.place == "test:elsewhere"


async def test_end_is_heard(matches: Matches, holder: Holder, listener: Listener) -> None:
    view = await begin(matches)
    await Endings(holder).resign(view.id, ALICE, NOON)
    assert listener.heard == ["ended playing white resigned", "after end over"]


async def test_end_by_a_move_is_heard(matches: Matches, holder: Holder, listener: Listener) -> None:
    view = await begin(matches, {"size": 5}, game="morphos")
    while view.state is MatchState.PLAYING:
        view = (
            await Turns(holder).play(view.id, mover(view), [legal(view)], None, exact=False, now=NOON)
        ).match
    assert listener.heard[-4:] == [
        f"turned {view.ply - 1} True False",
        f"ended playing {view.result and view.result.outcome} played",
        f"after turn {view.ply}",
        "after end over",
    ]


async def test_whoever_is_not_admitted_changes_nothing(matches: Matches, holder: Holder) -> None:
    view = await begin(matches)
    mallory = type(ALICE)(ALICE.account, "Mallory")
    with pytest.raises(RefusedError):
        await Turns(holder).play(view.id, mallory, [legal(view)], None, exact=False, now=NOON)
    assert (await matches.view(view.id, now=NOON)).ply == 0


async def test_what_fails_after_a_move_undoes_it(
    matches: Matches, holder: Holder, listener: Listener
) -> None:
    view, listener.fails = await begin(matches), True
    with pytest.raises(RefusedError):
        await Turns(holder).play(view.id, ALICE, [legal(view)], None, exact=False, now=NOON)
    assert (await matches.view(view.id, now=NOON)).ply == 0


async def test_replies_are_played_at_once_and_told_together(
    matches: Matches, holder: Holder, listener: Listener
) -> None:
    view = await begin(matches, {}, game="morabaraba")
    listener.replies = [Reply(BOB, ("G7",)), Reply(ALICE, ("D3",))]
    turn = await Turns(holder).play(view.id, ALICE, ["A1"], 0, exact=False, now=NOON)
    announcement = told(turn.announcement)
    assert (turn.match.ply, mover(turn.match)) == (3, BOB)
    assert (announcement.kind, announcement.first_ply, announcement.ply) == (AnnouncementKind.TURN, 1, 3)
    assert (announcement.by, announcement.whom) == (ALICE.account, (BOB.account,))
    assert announcement.details == {"replies": 2}
    assert [turned for turned in listener.heard if turned.startswith("turned")] == [
        "turned 0 True False",
        "turned 1 True False",
        "turned 2 True False",
    ]
    assert (await matches.audit(view.id)).difference is None


async def test_turns_told_together_are_seen_together_later_too(
    matches: Matches, holder: Holder, listener: Listener
) -> None:
    view = await begin(matches, {}, game="morabaraba")
    for _ in range(2):
        view = (await move(matches, view)).match
    listener.replies = [Reply(BOB, ("G7",)), Reply(ALICE, ("D3",))]
    turn = await Turns(holder).play(view.id, ALICE, ["C3"], 2, exact=False, now=NOON)
    await move(matches, turn.match)
    seen = [turn.match, await matches.view_of(told(turn.announcement), now=NOON)]
    for one in seen:
        assert [[move.text for move in moves] for moves in (*one.lead, one.last)] == [["C3"], ["G7"], ["D3"]]
        assert [one.last[0].person, one.to_move and one.to_move.person] == [ALICE, BOB]


async def test_placements_before_the_reply_are_told_with_it(
    matches: Matches, holder: Holder, listener: Listener
) -> None:
    view = (await move(matches, await begin(matches, FREE))).match
    turns = Turns(holder)
    view = (await turns.play(view.id, BOB, [legal(view)], None, exact=False, now=NOON)).match
    listener.replies = [Reply(ALICE, ("A9", "B9"))]
    seen = (await turns.play(view.id, BOB, [legal(view)], None, exact=False, now=NOON)).match
    assert [len(moves) for moves in (*seen.lead, seen.last)] == [2, 2]


async def test_reply_may_resign(matches: Matches, holder: Holder, listener: Listener) -> None:
    view = await begin(matches, {}, game="morabaraba")
    listener.replies = [Reply(BOB, ())]
    turn = await Turns(holder).play(view.id, ALICE, ["A1"], 0, exact=False, now=NOON)
    result = turn.match.result
    assert result is not None
    assert (result.outcome, result.reason, result.winner and result.winner.person) == (
        Outcome(view.seats[0].side.value),
        Reason.RESIGNED,
        ALICE,
    )
    assert listener.heard[-2:] == [f"ended playing {result.outcome} resigned", "after end over"]
    announcement = told(turn.announcement)
    assert announcement.whom == (BOB.account,)
    later = await matches.view_of(announcement, now=NOON)
    assert (later.result, later.last[-1].text, later.lead) == (result, "A1", ())


async def test_ordinary_matches_ask_nobody_anything_more(matches: Matches) -> None:
    turn = await move(matches, await begin(matches))
    assert told(turn.announcement).details == {}


async def test_concern_gives_columns_for_a_new_match(matches: Matches) -> None:
    class Late(Concern):
        async def begins(self, connection: object, begun: Begun) -> Columns:
            assert (begun.first, begun.second, begun.mover) == (ALICE.account, BOB.account, ALICE.account)
            return {"takebacks": 7 if begun.second == BOB.account else 0}

    matches._challenges._concerns = Concerns(Late())
    view = await begin(matches)
    assert view.takebacks == 7
