"""When the computer resigns, offers an end and agrees to one."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from ai.search import Opponent
from ai.worker.endings import OFFER_PLIES, OFFER_TURNS, REPETITIONS, RESIGN_TURNS, accepts_result
from ai.worker.worker import Answer, Worker, decide
from engine import GAMES
from engine.game import Outcome, Side
from i18n.announcements import describe_announcement
from i18n.match_texts import format_pending_offer, format_result, format_short_result
from matches import (
    EndReason,
    Matches,
    MatchState,
    MatchView,
    Offer,
    OfferId,
    OfferKind,
    computer_level,
)
from matches.computer.service import LoggedBoard, computer_person
from tests.games import TEXTS
from tests.matches.scenario import ALICE, CHANNEL, SERVER, play_move, player_to_move

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ai.levels import Level
    from engine.game import Game, Position
    from matches import ComputerTask

FULL = (
    *("A1", "A4", "A7", "B2", "B4", "B6", "C3", "C4", "C5", "D1", "D2", "D3"),
    *("D5", "D6", "D7", "E3", "E4", "E5", "F2", "F4", "F6", "G1"),
)
CYCLE = ("D7-G7", "F4-G4", "G7-D7", "G4-F4")
"""After the placements of FULL, four turns that lead back to the same board."""


class ScriptedOpponent(Opponent):
    """An opponent that plays the CYCLE and expects what it is told, by position line or everywhere."""

    def __init__(self, expected: float, by_position: Mapping[str, float] | None = None) -> None:
        super().__init__(None)
        self.expected, self.by_position = expected, by_position or {}

    def is_strong_at(self, _game: Game) -> bool:
        return True

    def expect_result(self, position: Position, _seed: int) -> float:
        return self.by_position.get(str(position), self.expected)

    def choose_move(self, position: Position, _level: Level, _seed: int, *, share: float = 0.0) -> str:  # noqa: ARG002
        legal = set(map(str, position.legal_moves()))
        return next((text for text in CYCLE if text in legal), min(legal))


def now() -> datetime:
    return datetime.now(UTC)


async def start(matches: Matches, colour: Side, turns: int, level: str = "club") -> MatchView:
    """Start a match of Alice with this colour, and play the placements and so many turns of the cycle."""
    update = await matches.computer.start(
        ALICE,
        level=level,
        server=SERVER,
        channel=CHANNEL,
        game="morabaraba",
        options={"men": 11},
        colour=colour,
        now=now(),
    )
    return await play_on(matches, update.match, [*FULL, *(CYCLE[turn % 4] for turn in range(turns))])


async def play_on(matches: Matches, view: MatchView, texts: Iterable[str]) -> MatchView:
    for text in texts:
        view = (await play_move(matches, view, text, now=now() - timedelta(minutes=1))).match
    return view


async def work(matches: Matches, opponent: Opponent, view: MatchView) -> MatchView:
    """Let a worker do what is due; return the match after it."""
    worker = Worker(matches, GAMES, opponent, now)
    while await worker.work_once():
        await worker.finish()
    return await matches.view(view.id, now=now())


async def claim(matches: Matches) -> ComputerTask:
    (task,) = await matches.computer.claim(now=now())
    return task


@pytest.mark.parametrize(
    ("result", "expected", "accepts"),
    [(1, 0.99, True), (0.5, 0.5, False), (0.5, 0.44, True), (0, 0.1, False), (0, 0.01, True)],
)
def test_result_is_agreed_to_if_it_is_better_than_what_is_expected(
    result: float, expected: float, *, accepts: bool
) -> None:
    assert accepts_result(result, expected) is accepts


@pytest.mark.long
async def test_draw_is_agreed_to_on_the_third_occurrence_of_a_board(matches: Matches) -> None:
    opponent = ScriptedOpponent(0.5)
    view = await start(matches, Side.WHITE, turns=4)
    await matches.offers.make(view.id, ALICE, OfferKind.DRAW, now=now())
    view = await work(matches, opponent, view)
    assert (view.pending_offer, view.state) == (None, MatchState.PLAYING)  # the second time: declined
    view = await play_on(matches, view, CYCLE)
    await matches.offers.make(view.id, ALICE, OfferKind.DRAW, now=now())
    view = await work(matches, opponent, view)
    assert view.result is not None
    assert (view.result.outcome, view.result.reason) == (Outcome.DRAW, EndReason.AGREED)


@pytest.mark.long
async def test_draw_is_offered_on_the_third_occurrence_of_a_board_and_not_again_for_a_while(
    matches: Matches,
) -> None:
    opponent = ScriptedOpponent(0.6)
    view = await start(matches, Side.RED, turns=4)
    view = await work(matches, opponent, view)
    assert (view.last_turn[-1].text, view.pending_offer) == (CYCLE[0], None)
    view = await play_on(matches, view, CYCLE[1:])
    view = await work(matches, opponent, view)
    offer = view.pending_offer
    assert offer is not None
    assert (offer.kind, computer_level(offer.by.account)) == (OfferKind.DRAW, "club")
    assert not await matches.computer.is_thinking()  # the person has to answer
    update = await matches.offers.answer(offer.id, ALICE, accept=False, now=now())
    assert not await matches.computer.is_thinking()
    for _ in range(OFFER_PLIES // 4):
        view = await play_on(matches, update.match, CYCLE[1:])
        task = await claim(matches)
        assert decide(opponent, GAMES, task) == Answer(
            moves=(CYCLE[0],), offer=OfferKind.DRAW if view.ply - offer_ply(task) >= OFFER_PLIES else None
        )
        update = await play_move(matches, view, CYCLE[0], now=now())
    view = await play_on(matches, update.match, CYCLE[1:])
    assert decide(opponent, GAMES, await claim(matches)).offer is OfferKind.DRAW


@pytest.mark.long
async def test_nothing_is_offered_on_a_board_that_a_conditional_move_has_changed(matches: Matches) -> None:
    view = await start(matches, Side.RED, turns=8)
    line = ((CYCLE[0],), (CYCLE[1],))
    await matches.conditionals.add_line(view.id, ALICE, line, seen_revision=view.revision, now=now())
    view = await work(matches, ScriptedOpponent(0.6), view)
    assert view.pending_offer is not None
    assert (view.pending_offer.kind, view.last_turn[-1].text) == (OfferKind.DRAW, CYCLE[2])


@pytest.mark.long
@pytest.mark.parametrize(("turns", "accepts"), [(1, False), (3, True)])
async def test_no_draw_is_agreed_to_before_both_have_moved(
    matches: Matches, turns: int, *, accepts: bool
) -> None:
    update = await matches.computer.start(
        ALICE, level="club", server=SERVER, channel=CHANNEL, game="morabaraba", colour=Side.WHITE, now=now()
    )
    view = await play_on(matches, update.match, FULL[:turns])
    await matches.offers.make(view.id, ALICE, OfferKind.DRAW, now=now())
    assert decide(ScriptedOpponent(0.01), GAMES, await claim(matches)).accept is accepts


def offer_ply(task: ComputerTask) -> int:
    assert task.offered_at is not None
    return task.offered_at


@pytest.mark.long
@pytest.mark.parametrize(("level", "resigns"), [("casual", False), ("club", True), ("expert", True)])
async def test_lost_match_is_resigned_by_the_higher_levels(
    matches: Matches, level: str, *, resigns: bool
) -> None:
    view = await start(matches, Side.RED, turns=4, level=level)
    view = await work(matches, ScriptedOpponent(0.01), view)
    if resigns:
        assert view.result is not None
        assert (view.result.outcome, view.result.reason) == (Outcome.RED, EndReason.RESIGNED)
        why = f"Rayuela ({level}) resigns: it has been certain to lose for five turns."
        assert format_result(TEXTS, view).endswith(why)
        assert format_short_result(TEXTS, view.result).endswith(f"Rayuela ({level}) resigns.")
    else:
        assert (view.last_turn[-1].text, view.result) == (CYCLE[0], None)


async def test_match_is_resigned_only_if_it_was_lost_for_some_turns(matches: Matches) -> None:
    await start(matches, Side.RED, turns=4)
    task = await claim(matches)
    lost = ScriptedOpponent(0.01)
    assert decide(lost, GAMES, task).resigns
    before = task.boards[-9]  # four turns ago
    assert before.by == ALICE.account
    not_long = ScriptedOpponent(0.01, {before.position: 0.05})
    assert decide(not_long, GAMES, task) == Answer(moves=(CYCLE[0],))


async def test_match_is_played_to_the_end_against_who_wants_that(matches: Matches) -> None:
    await matches.people.preferences.change(ALICE, computer_plays_on=True, now=now())
    await start(matches, Side.RED, turns=4)
    task = await claim(matches)
    assert decide(ScriptedOpponent(0.01), GAMES, task) == Answer(moves=(CYCLE[0],))
    assert decide(ScriptedOpponent(0.01), GAMES, replace(task, plays_on=False)).resigns


def test_texts_say_for_how_many_turns_a_result_was_certain() -> None:
    assert (OFFER_TURNS, RESIGN_TURNS, REPETITIONS) == (3, 5, 3)
    assert "three turns" in TEXTS("offer.why.decided")
    assert "five turns" in TEXTS("result.resigned.computer", loser="")
    assert "three times" in TEXTS("offer.why.repeated")


@pytest.mark.long
async def test_match_is_not_resigned_on_a_board_that_was_taken_back_meanwhile(matches: Matches) -> None:
    view, loop = await start(matches, Side.RED, turns=4), asyncio.get_running_loop()

    class InterruptedOpponent(ScriptedOpponent):
        def expect_result(self, position: Position, seed: int) -> float:
            if self.expected:
                self.expected = 0.0
                takeback = matches.offers.make(view.id, ALICE, OfferKind.TAKEBACK, now=now())
                asyncio.run_coroutine_threadsafe(takeback, loop).result()
            return super().expect_result(position, seed)

    after = await work(matches, InterruptedOpponent(0.01), view)
    assert (after.ply, after.state, after.result) == (view.ply - 1, MatchState.PLAYING, None)


@pytest.mark.parametrize(
    ("tower", "expected", "offers"),
    [("W", 0.99, True), ("W", 0.9, False), ("B", 0.01, True), ("B", 0.99, False), ("B", 0.5, False)],
)
async def test_end_is_offered_if_the_rules_define_the_result_that_is_certain(
    matches: Matches, tower: str, expected: float, *, offers: bool
) -> None:
    update = await matches.computer.start(
        ALICE, level="club", server=SERVER, channel=CHANNEL, game="morelli", colour=Side.BLACK, now=now()
    )
    view = update.match
    for _ in range(4):
        view = (await play_move(matches, view, now=now() - timedelta(minutes=1))).match
    view = (await play_move(matches, view, now=now() - timedelta(minutes=1))).match
    assert computer_level(player_to_move(view).account)
    position = GAMES["morelli"].load(f"morelli nestor b7b/9/9/9/4{tower}4/9/9/9/w7w w -")
    board = LoggedBoard(ALICE.account, str(position))
    task = await claim(matches)
    task = replace(task, view=replace(task.view, position=position), boards=(board,) * 3)
    assert task.person == computer_person("club")
    answer = decide(ScriptedOpponent(expected), GAMES, task)
    assert (answer.resigns, answer.offer) == (False, OfferKind.END if offers else None)
    assert decide(ScriptedOpponent(expected), GAMES, replace(task, boards=(board,) * 2)).offer is None
    assert decide(ScriptedOpponent(expected), GAMES, replace(task, plays_on=True)).offer is None
    offered = replace(task.view, pending_offer=Offer(OfferId(1), OfferKind.END, task.person))
    assert format_pending_offer(TEXTS, offered, ()).startswith(
        "The result has looked certain for three turns. Rayuela (club) offers to end the match here."
    )
    offered = replace(offered, pending_offer=Offer(OfferId(1), OfferKind.END, ALICE))
    assert format_pending_offer(TEXTS, offered, ()).startswith("Alice offers to end the match")


async def test_person_declines_or_accepts_an_end_that_the_computer_offers(matches: Matches) -> None:
    view = await start(matches, Side.RED, turns=0)
    view = (await play_move(matches, view, CYCLE[0], now=now())).match
    by = computer_person("club")
    offered = await matches.offers.make(view.id, by, OfferKind.END, now=now())  # no winner yet: a draw
    assert offered.announcement is not None
    assert offered.announcement.recipients == (ALICE.account,)
    told = describe_announcement(TEXTS, offered.announcement, offered.match, GAMES["morabaraba"])
    assert told[0] == "The same board has occurred at least three times."
    assert told[1].startswith("Rayuela (club) offers a draw")
    assert offered.match.pending_offer is not None
    update = await matches.offers.answer(offered.match.pending_offer.id, ALICE, accept=True, now=now())
    assert update.match.result is not None
    assert update.match.result.outcome is Outcome.DRAW
