"""The mistakes of a player by mail: asked one after the other, judged, and never played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mail.commands import MailRequest, carry_out, find_situation
from mail.reading.words import read_words
from matches import find_mistakes
from tests.analyses import store_analysis
from tests.mail.commands.scenario import VOCABULARY, make_context, text_of, write
from tests.mail.marks import check_answer_marks
from tests.mail.scenario import ANN, BEN, address_of, start_quietly
from tests.marks import IS_MARKED
from tests.matches.scenario import CAROL, NOON, play_move

if TYPE_CHECKING:
    from mail.commands import Answer
    from matches import Matches, MatchView, Mistake, Person

LOSSES = {1: 0.2, 2: 0.32, 4: 0.2}


async def finish_match(matches: Matches) -> MatchView:
    """Return a match of four turns; in two of the second player and one of the first there was a mistake."""
    view = await start_quietly(matches)
    for _ in range(4):
        view = (await play_move(matches, view)).match
    await matches.resign(view.id, ANN, now=NOON)
    await store_analysis(matches, view.id, None, losses=LOSSES, has_tasks=True, now=NOON)
    return await matches.view(view.id, now=NOON)


def second_player(view: MatchView) -> Person:
    return ANN if view.seats[1].person == ANN else BEN


async def mistakes_of(matches: Matches, view: MatchView) -> tuple[Mistake, ...]:
    replay = await matches.replay(view.id, now=NOON)
    return find_mistakes(replay, await matches.game_analyses.get(replay), 1)


async def reply(matches: Matches, asked: Answer, person: Person, typed: str) -> Answer:
    """Carry out what a person types in answer to a task."""
    context = make_context(matches)
    situation = await find_situation(
        context, person, ((typed,),), match=asked.match, mistake=asked.mistake, now=NOON
    )
    words = read_words(situation.paragraphs, situation.position, VOCABULARY)
    request = MailRequest(
        person, address_of(person), words, situation.match, mistake=situation.mistake, subject="Re: Turn"
    )
    answer = await carry_out(context, request, now=NOON)
    return check_answer_marks(answer, typed) if IS_MARKED else answer


async def test_mistakes_are_asked_one_after_the_other(matches: Matches) -> None:
    view = await finish_match(matches)
    player, (first, second) = second_player(view), await mistakes_of(matches, view)
    asked = await write(matches, player, "mistakes", view)
    assert (asked.title, asked.mistake) == ("Find a better turn", 2)
    assert "Your mistake 1 of 2" in text_of(asked)
    played = " ".join(first.played)
    assert f"In turn 2 you played {played}, and your chances of winning fell by 32 points." in text_of(asked)
    board = await matches.view(view.id, revision=asked.revision, now=NOON)
    assert board.position == first.position

    again = await reply(matches, asked, player, played)
    assert (again.title, again.mistake) == ("There is a better turn", 2)
    assert f"{played} is what was played." in text_of(again)
    worse = " ".join(first.point.turns[-1].moves)
    assert "loses about 50 points" in text_of(await reply(matches, again, player, worse))
    following = await reply(matches, again, player, " ".join(first.point.better))
    assert (following.title, following.mistake) == ("That is a good turn", 4)
    assert "Your mistake 2 of 2" in text_of(following)
    done = await reply(matches, following, player, "hint")
    assert (done.title, done.mistake, done.revision) == ("The answer", None, view.revision)
    assert f"A good turn is {' '.join(second.point.better)}." in text_of(done)
    assert "That was the last one." in text_of(done)
    assert (await matches.view(view.id, now=NOON)).revision == view.revision


async def test_what_is_no_turn_on_the_board_of_the_task_is_asked_again(matches: Matches) -> None:
    view = await finish_match(matches)
    player = second_player(view)
    asked = await write(matches, player, f"#{view.id} mistakes")
    for typed in ("A1-A1", "what do you mean", ""):
        again = await reply(matches, asked, player, typed)
        assert (again.title, again.mistake) == ("Nothing was done", 2)
        assert "Your mistake 1 of 2" in text_of(again)


async def test_last_finished_match_is_meant_where_none_is_named(matches: Matches) -> None:
    await start_quietly(matches)
    assert "no finished match yet" in text_of(await write(matches, BEN, "fehler"))
    view = await finish_match(matches)
    await matches.resign((await start_quietly(matches)).id, ANN, now=NOON)  # without a turn
    asked = await write(matches, second_player(view), "ミス")
    assert (asked.match, asked.mistake) == (view.id, 2)


async def test_game_that_is_not_analysed_yet_is_analysed(matches: Matches) -> None:
    view = await start_quietly(matches)
    assert "Only finished games" in text_of(await write(matches, ANN, "mistakes", view))
    view = (await play_move(matches, view)).match
    await matches.resign(view.id, ANN, now=NOON)
    assert "Try again in a few minutes" in text_of(await write(matches, ANN, "mistakes", view))
    assert await matches.game_analyses.has_work(now=NOON)
    await store_analysis(matches, view.id, ANN, now=NOON)
    answer = await write(matches, ANN, "mistakes", view)
    assert answer.title.startswith("No mistakes of yours in ")


async def test_task_that_was_removed_is_refused(matches: Matches) -> None:
    view = await finish_match(matches)
    player = second_player(view)
    asked = await write(matches, player, "mistakes", view)
    other = ANN if player == BEN else BEN
    answer = await reply(matches, asked, other, "hint")
    assert ("This task no longer exists" in text_of(answer), answer.mistake) == (True, None)


@pytest.mark.parametrize("typed", ["mistakes", "#1 mistakes"])
async def test_nobody_else_gets_the_mistakes_of_a_match(matches: Matches, typed: str) -> None:
    view = await finish_match(matches)
    answer = await write(matches, CAROL, typed, view if typed == "mistakes" else None)
    assert (answer.mistake, "There is no match" in text_of(answer)) == (None, True)
