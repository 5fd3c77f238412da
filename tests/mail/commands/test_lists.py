"""Lists, boards, notes, vacations, conditional moves, hints, and mails that stop."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from mail.hint_search import HintSearch
from matches import MatchState, Person, Terms, TimeControl
from matches.platforms import MAIL, WEBSITE
from tests.games import GAMES
from tests.mail.commands.scenario import make_context, text_of, write
from tests.mail.scenario import ANN, BEN, DUE, find_stop, start_quietly
from tests.matches.scenario import FISTS, NOON, SMALL, later, legal_move, play_move, start_match

if TYPE_CHECKING:
    from matches import Matches, MatchView
    from storage import Database

EVE = Person(f"web:{'e' * 24}", "Eve")
CLOCK = Terms(TimeControl.per_move(timedelta(days=3)))


async def reload(matches: Matches, view: MatchView) -> MatchView:
    return await matches.view(view.id, now=NOON)


async def start_public(matches: Matches) -> MatchView:
    """Start a match on the website that everybody may see."""
    made = await matches.challenges.create(
        ANN, to=BEN, server=WEBSITE, channel=WEBSITE, game="morelli", options=SMALL, now=NOON
    )
    return (await matches.challenges.accept(made.challenge.id, BEN, now=NOON)).match


async def list_told(matches: Matches) -> list[str]:
    """Return whom a mail about a match is due to."""
    due = await matches.posting.by_account.claim_due(MAIL, now=DUE, limit=20)
    return [batch.account for batch in due if any(one.match for one in batch.announcements)]


async def test_games_lists_every_match_with_whose_turn_and_time(matches: Matches) -> None:
    first = await start_match(matches, by=ANN, to=BEN, channel=WEBSITE, terms=CLOCK)
    second = await start_quietly(matches, BEN, ANN)
    third = await start_match(matches, FISTS, by=ANN, to=BEN, channel=WEBSITE)
    lines = (await write(matches, ANN, "games")).lines
    assert f"▶ Morelli vs Ben (#{first.id}): your turn, until 4 May 2026, 12:00 UTC" in lines
    assert f"Morelli vs Ben (#{second.id}): Ben to play" in lines
    assert f"▶ Morelli vs Ben (#{third.id}): your pick" in lines
    assert f"[#{first.id} board]" in lines[-1]


async def test_board_after_a_turn(matches: Matches) -> None:
    view = await start_quietly(matches)
    for _ in range(3):
        view = (await play_move(matches, view)).match
    past = await matches.view(view.id, ply=1, now=NOON)
    answer = await write(matches, ANN, "board 1", view)
    assert (answer.match, answer.revision) == (view.id, past.revision)
    assert "This is the board after turn 1 of 3." in text_of(answer)
    assert "the last one so far is 3" in text_of(await write(matches, ANN, "board 4", view))


@pytest.mark.parametrize("typed", ["#{match} board", "match {match} board", "#{match}", "board #{match}"])
async def test_match_is_named_by_its_number(matches: Matches, typed: str) -> None:
    await start_quietly(matches)
    second = await start_quietly(matches, BEN, ANN)
    answer = await write(matches, ANN, typed.format(match=second.id))
    assert answer.match == second.id


async def test_move_is_played_at_the_plain_address_by_number(matches: Matches) -> None:
    await start_quietly(matches)
    second = await start_quietly(matches)
    await write(matches, ANN, f"#{second.id} C1-D2")
    assert (await reload(matches, second)).ply == 1


async def test_move_at_the_plain_address_belongs_to_the_only_match_that_waits(matches: Matches) -> None:
    await play_move(matches, await start_quietly(matches))
    second = await start_quietly(matches)
    assert (await write(matches, ANN, "C1-D2")).match == second.id


async def test_with_several_matches_the_number_is_asked_for(matches: Matches) -> None:
    views = [await start_quietly(matches), await start_quietly(matches)]
    for typed in ("resign yes", "C1-D2", "draw", "if"):
        answer = await write(matches, ANN, typed)
        assert answer.title == "Nothing was done"
    assert "Begin with the number of the match" in text_of(await write(matches, ANN, "resign yes"))
    assert [(await reload(matches, one)).ply for one in views] == [0, 0]


@pytest.mark.parametrize("typed", ["#{match} resign yes", "#{match} board", "#{match} note x", "#4711 board"])
async def test_match_of_others_is_as_good_as_none(matches: Matches, typed: str) -> None:
    view = await start_quietly(matches)
    answer = await write(matches, EVE, typed.format(match=view.id))
    assert "There is no match #" in text_of(answer)
    assert answer.match is None
    assert "Ann" not in text_of(answer)


async def test_what_an_answer_shows_is_not_told_again(matches: Matches) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    await write(matches, ANN, "draw", view)
    answer = await write(matches, BEN, "board", view)
    assert "Ann offers a draw." in answer.lines
    assert await list_told(matches) == []


async def test_answer_with_an_old_board_discards_no_news(matches: Matches) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    await write(matches, BEN, "board 0", view)
    assert await list_told(matches) == [BEN.account]


async def test_who_moves_is_told_once_and_the_opponent_once(matches: Matches) -> None:
    view = await start_quietly(matches)
    await write(matches, ANN, "C1-D2", view)
    assert await list_told(matches) == [BEN.account]


async def test_note_is_kept_shown_and_deleted(matches: Matches) -> None:
    view = await start_quietly(matches)
    await write(matches, ANN, "note attack\non the left", view)
    assert await matches.people.notes.get(view.id, ANN) == "attack\non the left"
    assert "attack on the left" in text_of(await write(matches, ANN, "note show", view))
    assert "attack" not in text_of(await write(matches, BEN, "note show", view))
    assert "It was before: “attack on the left”" in text_of(await write(matches, ANN, "note defend", view))
    await write(matches, ANN, "note delete", view)
    assert await matches.people.notes.get(view.id, ANN) == ""
    too_long = await write(matches, ANN, f"note {'x' * 1600}", view)
    assert too_long.title == "Nothing was done"


async def test_mails_stop_and_start_again(matches: Matches, database: Database) -> None:
    assert (await write(matches, BEN, "stop")).title == "You get no more mails about matches"
    assert (await find_stop(database, BEN))[1]
    await write(matches, BEN, "start")
    assert not (await find_stop(database, BEN))[1]


async def test_vacation_by_mail(matches: Matches) -> None:
    await start_match(matches, by=ANN, to=BEN, channel=WEBSITE, terms=CLOCK)
    assert "You have 30 days" in text_of(await write(matches, ANN, "vacation"))
    assert "It ends on 8 May 2026" in text_of(await write(matches, ANN, "vacation 7 days"))
    assert "already on vacation" in text_of(await write(matches, ANN, "vacation 2 weeks"))
    assert "since 1 May 2026" in text_of(await write(matches, ANN, "vacation"))
    ended = await write(matches, ANN, "vacation end", now=later(days=2))
    assert "running again in one match" in text_of(ended)
    assert "not on vacation" in text_of(await write(matches, ANN, "vacation end"))


@pytest.mark.parametrize("typed", ["vacation 99 days", "vacation 0 days"])
async def test_vacation_of_an_impossible_length(matches: Matches, typed: str) -> None:
    assert "from 1 day to 30 days" in text_of(await write(matches, ANN, typed))


async def test_conditional_moves_are_saved_listed_played_and_told(matches: Matches) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    assert view.position is not None
    theirs = [str(move) for move in view.position.legal_moves()[:2]]
    saved = await write(matches, ANN, f"if {theirs[0]} then D1-E2\nif {theirs[1]} then resign", view)
    assert saved.title.startswith("Your 2 lines are saved")
    assert [line[:2] for line in saved.lines[:2]] == ["1.", "2."]
    await write(matches, ANN, "if remove 2", view)
    assert not any(line.startswith("2.") for line in (await write(matches, ANN, "if", view)).lines)
    answer = await write(matches, BEN, theirs[0], view)
    assert "Ann had a conditional move ready: Black D1-E2" in answer.lines
    assert "Ben (White) to play" in text_of(answer)
    assert (await reload(matches, view)).ply == 3


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("if A9-A9 then D1-E2", "Nothing was saved"),
        ("if {theirs} then Z9-Z9", "Nothing was"),
        ("if {theirs}", "nothing was done"),
        ("if remove 7", "There is no line with that number: you have 0"),
        ("if they move I resign", "nothing was done"),
    ],
)
async def test_conditional_moves_are_refused(matches: Matches, typed: str, said: str) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    answer = await write(matches, ANN, typed.format(theirs=legal_move(view)), view)
    assert said in text_of(answer)
    assert (await matches.conditionals.get(view.id, ANN)).tree == ()


async def test_wrong_line_saves_none_of_several(matches: Matches) -> None:
    view = (await play_move(matches, await start_quietly(matches), "C1-D2")).match
    theirs = legal_move(view)
    await write(matches, ANN, f"if {theirs} then D1-E2\nif {theirs} then A9-A9", view)
    assert (await matches.conditionals.get(view.id, ANN)).tree == ()


async def test_no_conditional_moves_in_ones_own_turn(matches: Matches) -> None:
    view = await start_quietly(matches)
    assert "It is your turn" in text_of(await write(matches, ANN, "if A1-B2 then C1-D2", view))


@pytest.mark.long
async def test_hint_is_a_legal_turn_and_plays_nothing(matches: Matches) -> None:
    started = await write(matches, ANN, "play beginner morabaraba white")
    assert started.match is not None
    view = await matches.view(started.match, now=NOON)
    answer = await write(matches, ANN, "hint", view)
    assert answer.title == f"A hint for Morabaraba vs Rayuela (beginner) (#{view.id})"
    turn = next(line for line in answer.lines if line.startswith("The computer would play "))
    assert view.position is not None
    view.position.parse(turn.removeprefix("The computer would play ").removesuffix(" here."))
    assert (await matches.view(view.id, now=NOON)).ply == 0


async def test_search_that_takes_too_long_finds_nothing() -> None:
    position = GAMES["morelli"].initial_position()
    assert await HintSearch(search_seconds=0).find_turn(position) == ()


@pytest.mark.long
async def test_no_hint_against_people_or_in_a_game_without_a_search(matches: Matches) -> None:
    view = await start_quietly(matches)
    assert "only in matches against the computer" in text_of(await write(matches, ANN, "hint", view))
    toy = next(name for name in GAMES if name not in {"morelli", "morphos", "morabaraba"})
    started = await write(matches, ANN, f"play casual {toy} {GAMES[toy].sides[0]}")
    assert started.match is not None
    shown = await matches.view(started.match, now=NOON)
    if shown.state is MatchState.PLAYING:
        assert "No hint was found" in text_of(await write(matches, ANN, "hint", shown))


async def test_help_names_no_line_that_is_a_command(matches: Matches) -> None:
    view = await start_quietly(matches)
    for place in (view, None):
        for line in (await write(matches, ANN, "help", place)).lines:
            again = await write(matches, ANN, line, place, context=make_context(matches))
            assert again.title == "Nothing was done"


@pytest.mark.parametrize(
    ("typed", "mode"),
    [
        ("watch {match}", "turns"),
        ("watch #{match}", "turns"),
        ("watch {match} daily", "daily"),
        ("#{match} watch", "turns"),
    ],
)
async def test_match_of_others_is_watched(matches: Matches, typed: str, mode: str) -> None:
    view = await start_public(matches)
    answer = await write(matches, EVE, typed.format(match=view.id))
    assert answer.title.startswith("You watch Morelli: ")
    assert answer.title.endswith(f"(#{view.id})")
    (followed,) = await matches.people.following.list_followed(EVE.account)
    assert (followed.match.id, followed.mode) == (view.id, mode)
    assert f"(#{view.id})" in text_of(await write(matches, EVE, "watch"))
    await write(matches, EVE, f"unwatch {view.id}")
    assert "You watch no match" in text_of(await write(matches, EVE, "watch"))


async def test_private_match_cannot_be_watched(matches: Matches) -> None:
    view = await start_quietly(matches)
    assert "There is no match #" in text_of(await write(matches, EVE, f"watch {view.id}"))
    assert "There is no match #" in text_of(await write(matches, EVE, "watch 4711"))
