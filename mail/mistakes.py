"""What a mail about a mistake shows: the board before it, and the sentences of the task."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.mistakes import format_count, format_task
from i18n.writing import Code
from matches import MatchUnknown, find_mistakes

if TYPE_CHECKING:
    from datetime import datetime

    from i18n import Texts
    from matches import Matches, MatchId, MatchView, Mistake


async def list_mistakes(
    matches: Matches, match: MatchId, account: str, *, now: datetime
) -> tuple[Mistake, ...]:
    """Return the mistakes of an account in a match. Raises MatchUnknown, also if it does not play there."""
    replay = await matches.replay(match, now=now)
    analysis = await matches.game_analyses.get(replay)
    accounts = [seat.person.account for seat in replay.turns[0].seats]
    if account not in accounts:
        raise MatchUnknown(match=match)
    return find_mistakes(replay, analysis, accounts.index(account))


async def load_board(
    matches: Matches, match: MatchId, turn: int, account: str, *, now: datetime
) -> MatchView:
    """Return the board of a match before a turn, as an account sees it. Raises MatchUnknown."""
    replay = await matches.replay(match, now=now)
    ply = sum(len(one.move_texts) for one in replay.turns[1:turn])
    return await matches.view(match, ply=ply, readers=(account,), now=now)


def describe_mistake(texts: Texts, mistake: Mistake) -> tuple[str, ...]:
    """Return the sentences of a task. The example is the turn that was played: no hint at a better one."""
    how = texts(
        "mail.mistakes.how",
        example=Code(" ".join(mistake.played)),
        hint=Code(texts("answer_word.hint")),
    )
    return format_count(texts, mistake, ""), format_task(texts, mistake, ""), how
