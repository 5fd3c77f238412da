"""Turns by mail: moves, set-up runs, picks; and why one is not played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import MatchState
from tests.games import GAMES
from tests.mail.commands.scenario import text_of, write
from tests.mail.scenario import ANN, BEN, start_quietly
from tests.matches.scenario import FISTS, FREE, NOON, legal_move, play_move, player_to_move, start_match

if TYPE_CHECKING:
    from engine.game import OptionValue
    from matches import Matches, MatchView, Person

WEBSITE = "web:site"


async def reload(matches: Matches, view: MatchView, reader: Person | None = None) -> MatchView:
    readers = () if reader is None else (reader.account,)
    return await matches.view(view.id, readers=readers, now=NOON)


async def start(matches: Matches, options: dict[str, OptionValue]) -> MatchView:
    return await start_match(matches, options, by=ANN, to=BEN)


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_whole_game_is_played_by_mail(matches: Matches, game: str) -> None:
    view = await start_quietly(matches, game=game)
    for _ in range(40):
        if view.state is not MatchState.PLAYING:
            break
        person, before = player_to_move(view), view.ply
        answer = await write(matches, person, f"{legal_move(view)} please", view)
        view = await reload(matches, view)
        assert view.ply == before + 1 or view.moves_due, text_of(answer)
        assert (answer.match, answer.revision) == (view.id, view.revision)
    assert view.ply >= 2
    assert (await matches.audit(view.id)).difference is None


async def test_turn_is_confirmed_with_what_comes_next(matches: Matches) -> None:
    answer = await write(matches, ANN, "c1 - d2", await start_quietly(matches))
    assert answer.title == "Your move is played: Black C1-D2"
    assert answer.lines == ("Ben (White) to play.",)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("C1-C1", "It is still your turn."),
        ("A2-B2", "Did you mean"),
        ("B9", "so a move names two cells"),
        ("C1-D2 or B1-C2?", "nothing was"),
        ("Nice game!", "Write [help]"),
        ("", "Your mail was empty"),
        ("C1-D2\nno, B1-C2", "There are several moves"),
    ],
)
async def test_what_is_no_turn_is_refused_with_the_board(matches: Matches, typed: str, said: str) -> None:
    view = await start_quietly(matches)
    answer = await write(matches, ANN, typed, view)
    assert said in text_of(answer)
    assert "Ann (Black) to play." in text_of(answer)
    assert (answer.match, answer.revision) == (view.id, 0)
    assert (await reload(matches, view)).ply == 0


@pytest.mark.long
async def test_old_mail_plays_nothing_and_gets_the_present_board(matches: Matches) -> None:
    first = await start_quietly(matches)
    await write(matches, ANN, "C1-D2", first)
    second = await reload(matches, first)
    await write(matches, BEN, legal_move(second), second)
    for typed in ("B1-C2", "C1-D2", "A1-A1", "draw", "resign yes"):  # legal, once legal, never, and not moves
        answer = await write(matches, ANN, typed, first)
        assert "The match has moved on" in text_of(answer)
        assert "Ann (Black) to play." in text_of(answer)
    now = await reload(matches, first)
    assert (now.ply, now.pending_offer, now.result) == (2, None, None)


async def test_turn_of_the_opponent_is_not_played(matches: Matches) -> None:
    view = await start_quietly(matches)
    for typed in (legal_move(view), "A9-B8"):
        answer = await write(matches, BEN, typed, view)
        assert "It is Ann's turn" in text_of(answer)
    assert (await reload(matches, view)).ply == 0


async def start_run(matches: Matches) -> MatchView:
    """Start a free set-up with Black's first stone; Ben owes two."""
    return (await play_move(matches, await start(matches, FREE), "A1")).match


@pytest.mark.parametrize("typed", ["A2 A3", "A2, A3", "A2\nA3"])
async def test_whole_run_in_one_mail(matches: Matches, typed: str) -> None:
    view = await start_run(matches)
    answer = await write(matches, BEN, typed, view)
    assert answer.title == "Your move is played: White places A2 and A3"
    assert (await reload(matches, view)).ply == 3


async def test_set_up_run_can_come_in_parts(matches: Matches) -> None:
    view = await start_run(matches)
    answer = await write(matches, BEN, "A2", view)
    assert answer.title == "Your stones so far are saved"
    assert "Saved: A2. You have one more to place." in text_of(answer)
    assert (await write(matches, BEN, "A3", view)).title.startswith("Your move is played")
    assert (await reload(matches, view)).ply == 3


async def test_whole_run_replaces_the_part_that_is_saved(matches: Matches) -> None:
    view = await start_run(matches)
    await write(matches, BEN, "A2", view)
    answer = await write(matches, BEN, "B1 C1", view)
    assert answer.title == "Your move is played: White places B1 and C1"


@pytest.mark.long
async def test_last_stone_of_a_run_is_taken_back_alone(matches: Matches) -> None:
    view = await start_run(matches)
    await write(matches, BEN, "A2", view)
    answer = await write(matches, BEN, "undo", view)
    assert answer.title == "Your last stone is taken back"
    assert (await reload(matches, view, BEN)).unfinished_moves == ()


async def test_unfinished_run_is_told_to_nobody_else(matches: Matches) -> None:
    view = await start_run(matches)
    await write(matches, BEN, "A2", view)
    assert "A2" not in text_of(await write(matches, ANN, "board", view))


@pytest.mark.parametrize(("typed", "is_pick"), [("LR", True), ("l r", True), ("LX", False), ("A1-B2", False)])
async def test_closed_fists(matches: Matches, typed: str, is_pick: bool) -> None:
    view = await start(matches, FISTS)
    answer = await write(matches, ANN, typed, view)
    assert (answer.title == f"Your pick in Morelli vs Ben (#{view.id}) is saved") is is_pick
    assert [person.name for person in (await reload(matches, view)).picked_by] == ["Ann"] * is_pick
    if not is_pick:
        assert "is not one of the picks" in text_of(answer) or "Write [help]" in text_of(answer)


@pytest.mark.long
async def test_picks_are_secret_until_both_are_made(matches: Matches) -> None:
    view = await start(matches, FISTS)
    await write(matches, ANN, "LL", view)
    seen = text_of(await write(matches, BEN, "board", view))
    assert "left" not in seen
    assert "already picked" in text_of(await write(matches, ANN, "RR", view))
    answer = await write(matches, BEN, "RR", view)
    assert "both left" in text_of(answer)
    assert "both right" in text_of(answer)
    assert (await reload(matches, view)).state is MatchState.PLAYING
