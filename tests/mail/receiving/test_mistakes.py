"""A mail that asks for a better turn, and the answers to it, from bytes to the next mail."""

from __future__ import annotations

from email.utils import parseaddr
from typing import TYPE_CHECKING

import pytest

from mail.receiving.outcomes import Outcome
from matches import find_mistakes
from tests.analyses import store_analysis
from tests.mail.receiving.scenario import make_receiver, pen_of, reply_address, spoil
from tests.mail.scenario import ANN, BEN, REPLIES, sending, start_quietly
from tests.mail.smtp_server import running_smtp
from tests.mail.test_notices import text_of
from tests.matches.scenario import NOON, play_move

if TYPE_CHECKING:
    from email.message import EmailMessage

    from matches import Matches, MatchView
    from storage import Database


async def finish_match(matches: Matches) -> MatchView:
    """Return a match of Ann, who moved first, and Ben, who made mistakes in turns 2 and 4."""
    view = await start_quietly(matches)
    for _ in range(4):
        view = (await play_move(matches, view)).match
    view = (await matches.resign(view.id, ANN, now=NOON)).match
    player = BEN if view.seats[1].person == BEN else ANN
    assert player == BEN
    losses = {2: 0.32, 4: 0.2}
    await store_analysis(matches, view.id, None, losses=losses, has_tasks=True, now=NOON)
    for person in (ANN, BEN):
        await matches.people.notices.mark_seen(person.account, view.id, now=NOON)
    return view


async def receive(matches: Matches, database: Database, raw: bytes) -> EmailMessage:
    """Receive a mail, and return the answer to it."""
    assert await make_receiver(matches).receive(raw) is Outcome.ANSWERED
    async with running_smtp() as server, sending(database, server.port, lambda: NOON, REPLIES) as sender:
        await sender.send_due()
    return server.mails[-1]


def address_in(mail: EmailMessage) -> str:
    return parseaddr(mail["Reply-To"])[1]


@pytest.mark.plain("what comes back has lost its marks")
@pytest.mark.long
async def test_every_task_is_answered_at_its_own_address(matches: Matches, database: Database) -> None:
    view, pen = await finish_match(matches), pen_of(BEN)
    replay = await matches.replay(view.id, now=NOON)
    first, _ = find_mistakes(replay, await matches.game_analyses.get(replay), 1)
    played, better = (" ".join(moves) for moves in (first.played, first.point.better))
    asked = await receive(matches, database, pen.write(reply_address(view, BEN), "mistakes"))
    assert address_in(asked) == REPLIES.mistake_address(view.id, 2, BEN.account)
    assert any(part.get_content_type() == "image/png" for part in asked.walk())
    assert f"written like {played}. It is judged" in " ".join(text_of(asked).split())

    # The whole mail comes back below the answer, without any mark.
    typed = f"{played}\n\n{text_of(asked)}"
    again = await receive(matches, database, pen.write(address_in(asked), typed))
    assert "is what was played" in text_of(again)
    assert address_in(again) == address_in(asked)
    following = await receive(matches, database, pen.write(address_in(again), better))
    assert address_in(following) == REPLIES.mistake_address(view.id, 4, BEN.account)
    done = await receive(matches, database, pen.write(address_in(following), "Hint, please"))
    assert address_in(done) == reply_address(view, BEN)
    assert "That was the last one." in text_of(done)
    assert (await matches.view(view.id, now=NOON)).revision == view.revision


@pytest.mark.long
async def test_only_the_player_is_answered_and_needs_no_proof(matches: Matches, database: Database) -> None:
    view = await finish_match(matches)
    address = REPLIES.mistake_address(view.id, 2, BEN.account)
    receiver = make_receiver(matches)
    assert await receiver.knows(address)
    assert not await receiver.knows(spoil(address))
    for raw in (pen_of(ANN).write(address, "hint"), pen_of(BEN, "fail").write(address, "hint")):
        assert await receiver.receive(raw) is Outcome.FORGED
    # Nothing proves that it is Ben's: a turn is judged, and whatever else is asked for waits for a click.
    replay, pen = await matches.replay(view.id, now=NOON), pen_of(BEN, None)
    played = " ".join(replay.turn_at(2).move_texts)
    mail = await receive(matches, database, pen.write(address, played))
    assert "is what was played" in text_of(mail)
    assert await receiver.receive(pen.write(address, "stop")) is Outcome.ASKED


@pytest.mark.long
async def test_of_a_turn_that_is_no_mistake_any_more_nothing_is_asked(
    matches: Matches, database: Database
) -> None:
    view, pen = await finish_match(matches), pen_of(BEN)
    for typed in ("Hm, I do not know.", "hint"):
        raw = pen.write(REPLIES.mistake_address(view.id, 6, BEN.account), typed)
        mail = await receive(matches, database, raw)
        assert "Nothing was done" in text_of(mail)
        assert address_in(mail) == reply_address(view, BEN)
