"""Finished matches are packed in the background: smaller, and as good as before."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from zipfile import ZipFile

import pytest
from sqlalchemy import Table, func, insert, select, update

from engine.game import OptionValue, Outcome
from matches import (
    DELETED_NAME,
    ChallengeUpdate,
    ErasureChoice,
    Matches,
    MatchId,
    MatchView,
    OfferKind,
    StorageUnavailable,
    Terms,
)
from matches.times import to_millis
from matches.values import encode_revision
from matches.work.packing import BATCH_SIZE, PACK_AFTER
from storage import Database
from storage.match.packed_logs import MoveRow, format_log, parse_log
from storage.tables import MATCHES, MOVES, OUTBOX, PACKED_LOGS
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    FREE,
    NOON,
    SERVER,
    later,
    legal_move,
    make_challenge,
    mark_posted,
    play_move,
    play_to_end,
    player_to_move,
    post_everything,
    start_match,
)
from tests.refusals import refused

AFTERWARDS = NOON + PACK_AFTER + timedelta(minutes=1)
RATED = Terms(rated=True)


def row(ply: int, turn: int, side: str = "black", person: str = "a", at: int = 0) -> MoveRow:
    return MoveRow(ply, turn, side, person, f"m{ply}", None, at)


async def count(database: Database, table: Table) -> int:
    async with database.read() as connection:
        found: int = (await connection.execute(select(func.count()).select_from(table))).scalar_one()
        return found


async def pack_sent(matches: Matches, *, now: datetime) -> int:
    """Pack what is due when every announcement has been sent; return how many matches."""
    await post_everything(matches)
    return await matches.work.packing.pack(now=now)


async def list_exported_moves(matches: Matches) -> list[object]:
    """Return Alice's moves as her export lists them."""
    export = await matches.people.personal_data.export(ALICE.account, now=NOON)
    with ZipFile(BytesIO(export.data)) as archive:
        moves: list[object] = json.loads(archive.read("data.json"))["moves"]
    return moves


async def load_everything(matches: Matches, view: MatchView) -> list[object]:
    """Return all that can be seen of a match: now, at every ply, before takebacks, as replay and record."""
    plies = [await matches.view(view.id, ply=ply, now=NOON) for ply in range(view.ply + 1)]
    taken_back = [
        await matches.view(view.id, revision=encode_revision(ply, number), now=NOON)
        for number in range(view.takebacks)
        for ply in range(4)
    ]
    listed = await matches.public_queries.list_matches([view.id])
    return [
        await matches.view(view.id, now=NOON),
        *plies,
        *taken_back,
        await matches.replay(view.id, now=NOON),
        await matches.export_record(view.id, now=NOON),
        await matches.public_queries.get_last_moves(listed),
        await matches.audit(view.id),
        await list_exported_moves(matches),
    ]


async def finish_with_takeback(matches: Matches) -> MatchView:
    view = await start_match(matches, terms=RATED)
    for _ in range(3):
        view = (await play_move(matches, view)).match
    mover = player_to_move(view)
    other = BOB if mover == ALICE else ALICE
    offer = (await matches.offers.make(view.id, other, OfferKind.TAKEBACK, now=NOON)).match.pending_offer
    assert offer is not None
    view = (await matches.offers.answer(offer.id, mover, accept=True, now=NOON)).match
    view = (await play_move(matches, view, legal_move(view, 1))).match
    return (await play_move(matches, view)).match


async def finish_in_set_up_run(matches: Matches) -> MatchView:
    view = await start_match(matches, FREE)
    for _ in range(3):
        mover = player_to_move(view)
        view = (await matches.play(view.id, mover, [legal_move(view)], now=NOON)).match
    return view


async def finish_after_swap(matches: Matches) -> MatchView:
    view = await start_match(matches, {"size": 5}, game="morphos")
    for text in ("C3", "swap"):
        view = (await play_move(matches, view, text)).match
    return (await play_move(matches, view)).match


@pytest.mark.long
@pytest.mark.parametrize("finish", [finish_with_takeback, finish_in_set_up_run, finish_after_swap])
async def test_packed_match_looks_as_before(
    matches: Matches, database: Database, finish: Callable[[Matches], Awaitable[MatchView]]
) -> None:
    view = await finish(matches)
    view = (await matches.resign(view.id, ALICE, now=NOON)).match
    before = await load_everything(matches, view)
    assert await pack_sent(matches, now=AFTERWARDS) == 1
    assert (await count(database, MOVES), await count(database, PACKED_LOGS)) == (0, 1)
    assert await load_everything(matches, view) == before


@pytest.mark.long
async def test_match_played_to_its_end_agrees_with_its_packed_log(matches: Matches) -> None:
    view = (await play_to_end(matches, await start_match(matches))).match
    await pack_sent(matches, now=AFTERWARDS)
    found = await matches.audit(view.id)
    assert (found.moves, found.difference) == (view.ply, None)


async def test_damaged_packed_log_differs(matches: Matches, database: Database) -> None:
    view = await finish_with_takeback(matches)
    await matches.resign(view.id, ALICE, now=NOON)
    await pack_sent(matches, now=AFTERWARDS)
    async with database.transaction() as connection:
        text = (await connection.execute(select(PACKED_LOGS.c.text))).scalar_one()
        players = (ALICE.account, BOB.account)
        began_at = to_millis(NOON)
        *moves, last = parse_log(text, players, began_at)
        other = format_log([*moves, replace(last, text="nonsense")], players, began_at)
        await connection.execute(update(PACKED_LOGS).values(text=other))
    difference = (await matches.audit(view.id)).difference
    assert difference is not None
    assert (difference.ply, difference.field) == (view.ply, "move")


async def test_only_matches_that_ended_long_ago_are_packed(matches: Matches, database: Database) -> None:
    playing = (await play_move(matches, await start_match(matches))).match
    over = (await play_move(matches, await start_match(matches))).match
    await matches.resign(over.id, ALICE, now=later(hours=1))
    assert await pack_sent(matches, now=AFTERWARDS) == 0
    assert await pack_sent(matches, now=AFTERWARDS + timedelta(hours=1)) == 1
    assert await pack_sent(matches, now=AFTERWARDS + timedelta(days=1)) == 0
    async with database.read() as connection:
        assert (await connection.execute(select(MOVES.c.match))).scalars().all() == [playing.id]
    assert (await play_move(matches, playing)).match.ply == 2


async def test_announcements_and_challenge_go_when_all_are_sent(matches: Matches, database: Database) -> None:
    challenge = await make_challenge(matches, to=BOB)
    update_ = await matches.challenges.accept(challenge.id, BOB, now=NOON)
    first = (await list_kept(database))[0]
    await matches.announcements.mark_challenge_sent(challenge.id, "1/1", now=NOON)
    for _ in range(2):
        await mark_posted(matches, update_)
        update_ = await play_move(matches, update_.match)
    board = await mark_posted(matches, update_)
    resigned = await matches.resign(update_.match.id, ALICE, now=NOON)
    assert await matches.work.packing.pack(now=AFTERWARDS) == 0
    assert await list_kept(database) == [first + number for number in range(5)]
    await mark_posted(matches, resigned)
    await make_challenge(matches)
    assert await matches.work.packing.pack(now=AFTERWARDS) == 1
    assert await list_kept(database) == [board.id + 2]
    assert (await matches.views.summary(resigned.match.id)).post == f"post/{board.id + 1}"
    assert (await matches.view(resigned.match.id, now=AFTERWARDS)).challenge is None
    with refused("challenge_unknown"):
        await matches.challenges.find(challenge.id, now=AFTERWARDS)


async def test_newest_numbers_are_not_given_again(matches: Matches, database: Database) -> None:
    view = (await matches.resign((await start_match(matches)).id, ALICE, now=NOON)).match
    assert view.challenge is not None
    last = (await list_kept(database))[-1]
    assert await pack_sent(matches, now=AFTERWARDS) == 1
    assert await list_kept(database) == [last]
    assert (await make_challenge(matches)).id == view.challenge + 1


@pytest.mark.parametrize("options", [FISTS, FREE])
async def test_rematch_of_a_packed_match_is_for_the_same_options(
    matches: Matches, options: dict[str, OptionValue]
) -> None:
    view = await start_match(matches, options)
    await start_match(matches)
    if options == FISTS:
        await matches.pick(view.id, ALICE, "LR", now=NOON)
        await matches.pick(view.id, BOB, "LR", now=NOON)
    await matches.resign(view.id, ALICE, now=NOON)
    assert view.challenge is not None
    agreed = await matches.challenges.find(view.challenge, now=NOON)
    await pack_sent(matches, now=AFTERWARDS)
    made = await matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=AFTERWARDS)
    assert isinstance(made, ChallengeUpdate)
    assert made.challenge.options == agreed.options
    assert made.challenge.id != agreed.id


async def test_match_remembers_its_rematch_when_that_is_packed(matches: Matches) -> None:
    view = (await matches.resign((await start_match(matches)).id, ALICE, now=NOON)).match
    made = await matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=NOON)
    assert isinstance(made, ChallengeUpdate)
    rematch = (await matches.challenges.accept(made.challenge.id, BOB, now=NOON)).match
    await matches.resign(rematch.id, ALICE, now=NOON)
    await start_match(matches)
    assert await pack_sent(matches, now=AFTERWARDS) == 2
    with refused("rematch_started"):
        await matches.rematches.request(view.id, ALICE, server=SERVER, channel=CHANNEL, now=AFTERWARDS)


async def list_kept(database: Database) -> list[int]:
    """Return the numbers of the announcements that are left."""
    async with database.read() as connection:
        return list((await connection.execute(select(OUTBOX.c.id).order_by(OUTBOX.c.id))).scalars())


async def test_packed_match_can_be_corrected(matches: Matches, database: Database) -> None:
    view = await finish_with_takeback(matches)
    await matches.resign(view.id, ALICE, now=NOON)
    await pack_sent(matches, now=AFTERWARDS)
    await matches.corrections.correct(
        view.id, CAROL, Outcome.DRAW, reason="agreed", server=SERVER, now=AFTERWARDS
    )
    assert [change.after.rating for change in await matches.ratings.changes(view.id, now=AFTERWARDS)] == [
        1500,
        1500,
    ]
    assert await pack_sent(matches, now=AFTERWARDS) == 1
    assert (await matches.audit(view.id)).difference is None
    assert await count(database, PACKED_LOGS) == 1


async def test_erased_player_is_gone_from_a_packed_match(matches: Matches) -> None:
    view = await finish_after_swap(matches)
    await matches.resign(view.id, ALICE, now=NOON)
    await pack_sent(matches, now=AFTERWARDS)
    await matches.people.personal_data.erase(ALICE.account, ErasureChoice.RESIGN, now=AFTERWARDS)
    history = await matches.views.history(view.id)
    assert [move.person.name for move in history.moves] == [DELETED_NAME, BOB.name, DELETED_NAME]
    assert (await matches.audit(view.id)).difference is None


async def copy_finished(database: Database, view: MatchView, copies: int) -> list[MatchId]:
    """Copy a finished match and its moves; return the numbers of the copies."""
    ids = [MatchId(view.id + number) for number in range(1, copies + 1)]
    async with database.transaction() as connection:
        (row,) = (await connection.execute(select(MATCHES).where(MATCHES.c.id == view.id))).mappings()
        moves = (await connection.execute(select(MOVES).where(MOVES.c.match == view.id))).mappings().all()
        await connection.execute(insert(MATCHES), [{**row, "id": one, "challenge": None} for one in ids])
        copied = [{**move, "match": one} for one in ids for move in moves]
        await connection.execute(insert(MOVES), copied)
    return ids


async def test_two_processes_pack_each_match_once(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    view = (await matches.resign(view.id, ALICE, now=NOON)).match
    copies = 2 * BATCH_SIZE
    await copy_finished(database, view, copies)
    packed = await asyncio.gather(*(pack_sent(one, now=AFTERWARDS) for one in (matches, other_matches)))
    assert sum(packed) == copies + 1
    assert (await count(database, MOVES), await count(database, PACKED_LOGS)) == (0, copies + 1)


async def test_what_was_interrupted_goes_on(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    view = (await matches.resign(view.id, ALICE, now=NOON)).match
    ids = await copy_finished(database, view, BATCH_SIZE + 1)

    def interrupt() -> None:
        raise StorageUnavailable("killed after the first batch")

    await post_everything(matches)
    with database.on_commit(interrupt), pytest.raises(StorageUnavailable):
        await matches.work.packing.pack(now=AFTERWARDS)
    assert await count(database, PACKED_LOGS) == BATCH_SIZE
    for match in ids:
        assert (await matches.audit(match)).difference is None
    assert await pack_sent(matches, now=AFTERWARDS) == 2
    assert await count(database, MOVES) == 0


async def test_log_that_cannot_be_packed_stays(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_match(matches))).match
    await matches.resign(view.id, ALICE, now=NOON)
    async with database.transaction() as connection:
        await connection.execute(update(MOVES).values(turn=40))
    assert await pack_sent(matches, now=AFTERWARDS) == 1
    assert await pack_sent(matches, now=AFTERWARDS) == 0
    assert (await count(database, MOVES), await count(database, PACKED_LOGS)) == (1, 0)


@pytest.mark.parametrize(
    ("moves", "is_packed"),
    [
        ([], True),
        ([row(1, 1, at=5), row(2, 1, at=5), row(3, 2, "white", "b", 9)], True),
        ([row(1, 1, at=9), row(2, 2, "white", "b", at=5)], True),  # the clock was set back
        ([row(1, 11)], False),
        ([row(1, 2), row(2, 1)], False),
        ([row(1, 1), row(3, 2)], False),
        ([row(1, 1, person="c")], False),
    ],
)
def test_log_is_packed_only_without_loss(moves: list[MoveRow], *, is_packed: bool) -> None:
    text = format_log(moves, ("a", "b"), 3)
    assert (text is not None) == is_packed
    assert text is None or parse_log(text, ("a", "b"), 3) == moves


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("eNrj4gICAACbADM=", []),
        (
            "eNpLyklMzlYoz8gsSeUyMDAEY0MgtlQwU9A15so1VMg1Usg1BgDQWQlR",
            [row(1, 1, at=9), row(2, 1, at=15), row(3, 2, "white", "b", at=12)],
        ),
    ],
)
def test_log_packed_by_an_earlier_version_is_read(text: str, moves: list[MoveRow]) -> None:
    assert parse_log(text, ("a", "b"), 3) == moves


@pytest.mark.parametrize("change", ["", "A", "é", "é \n"])
def test_damaged_packed_log_is_noticed(change: str) -> None:
    text = format_log([row(1, 1, at=5), row(2, 2, "white", "b", 9)], ("a", "b"), 3) or ""
    with pytest.raises(ValueError, match="A packed log is damaged"):
        parse_log(text[:9] + change + text[10:], ("a", "b"), 3)
