"""Each reader gets mail in the language that they have chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from i18n import Texts
from i18n.translations import list_languages
from matches.posting.letters import LetterKind
from tests.mail.scenario import ANN, BEN, DUE, address_of, sending, start_quietly, write
from tests.mail.smtp_server import running_smtp
from tests.matches.scenario import NOON, play_move

if TYPE_CHECKING:
    from email.message import EmailMessage

    from matches import Matches
    from storage import Database

OTHERS = list_languages()[1:]


def html_of(mail: EmailMessage) -> str:
    body = mail.get_body(("html",))
    assert body is not None
    return str(body.get_content())


@pytest.mark.long
@pytest.mark.parametrize("language", OTHERS)
async def test_turn_is_told_in_the_language_of_its_reader(
    matches: Matches, database: Database, language: str
) -> None:
    await matches.people.preferences.change(BEN, language=language, now=NOON)
    match = await start_quietly(matches)
    await play_move(matches, match)
    async with running_smtp() as server, sending(database, server.port, lambda: DUE) as sender:
        await sender.send_due()
    (mail,) = server.mails
    texts = Texts.load(language=language)
    assert f'<html lang="{language}">' in html_of(mail)
    assert texts("mail.notices.why") in html_of(mail)
    english = Texts.load()("notice.turn", opponent=ANN.name, game="Morelli")
    assert str(mail["Subject"]) == texts("notice.turn", opponent=ANN.name, game="Morelli") != english


@pytest.mark.parametrize("language", OTHERS)
async def test_code_comes_in_the_language_of_the_page_that_asked(database: Database, language: str) -> None:
    await write(database, LetterKind.CODE, address_of(BEN), code="question", language=language)
    async with running_smtp() as server, sending(database, server.port, lambda: NOON) as sender:
        await sender.send_due()
    (mail,) = server.mails
    assert str(mail["Subject"]) == Texts.load(language=language)("mail.code.subject")
