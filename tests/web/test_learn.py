"""Lessons on the website without scripts: links and forms lead to the next question, then to a verdict."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

import engine
from lessons.content import default_lessons
from tests.lessons.solving import answers_for
from tests.marks import remove_marks

if TYPE_CHECKING:
    from lessons.content import Lesson
    from tests.web.environment import Visitor

LESSONS = default_lessons()


@pytest.mark.parametrize("lesson", LESSONS.lessons, ids=lambda lesson: lesson.game)
async def test_every_task_can_be_solved_by_its_solution_and_not_by_a_wrong_turn(
    visitor: Visitor, lesson: Lesson
) -> None:
    listed = await visitor.get(f"/learn/{lesson.game}")
    for number, task in enumerate(lesson.tasks, 1):
        path = f"/learn/{lesson.game}/{number}"
        assert f'href="{path}"' in listed.text
        assert remove_marks(task.title) in listed.visible_text
        start = engine.GAMES[lesson.game].load(task.position)
        answers = answers_for(start, start.parse(task.solution))
        solved = await visitor.get(f"{path}?{urlencode({'answers': '.'.join(answers)})}")
        assert 'data-state="solved"' in solved.text
        assert remove_marks(task.success).replace("**", "") in re.sub("<[^>]+>", "", solved.visible_text)
        failed = await visitor.get(f"{path}?{urlencode({'text': task.wrong})}")
        assert 'data-state="failed"' in failed.text


async def test_task_is_played_by_following_links(visitor: Visitor) -> None:
    page = await visitor.get("/learn/morelli/3")
    for cell in ("A6", "C6", "D6"):
        # One stone that can be captured: its cell does the same as the button, and there is no check box.
        assert ("Do you capture it?" in page.visible_text) == (cell == "D6")
        assert "checkbox" not in page.text
        [href] = re.findall(rf'<a data-cell="{cell}"[^>]*href="([^"]+)"', page.text)
        page = await visitor.get(f"/learn/morelli/3{unescape(href)}")
    assert 'href="/learn/morelli/4"' in page.text
    assert 'data-state="solved"' in page.text


async def test_typed_move_that_is_illegal_is_explained(visitor: Visitor) -> None:
    page = await visitor.get("/learn/morelli/2?text=A4-I4")
    assert "no nearer the Centre" in page.visible_text
    assert 'data-state="open"' in page.text


async def test_reply_that_should_have_been_prevented_is_shown(visitor: Visitor) -> None:
    page = await visitor.get("/learn/morabaraba/2?text=A4")
    assert "For example, Red places G7, closes the mill A7, D7 and G7" in page.visible_text


@pytest.mark.parametrize(
    "path", ["/learn/chess", "/learn/breakthrough", "/learn/morelli/99", "/learn/morelli/0"]
)
async def test_unknown_lesson_or_task_is_not_found(visitor: Visitor, path: str) -> None:
    assert (await visitor.get(path)).status == 404
