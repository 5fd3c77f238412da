"""A match by mail from challenge to result between a Japanese and a German reader, each in their language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from i18n import Texts
from mail.commands.challenge_line import read_challenge
from mail.wrapping import TEXT_WIDTH, measure_width, wrap_text
from matches import EndReason, MatchState
from tests.games import GAMES
from tests.mail.correspondence import Mailbox, MovedClock, Program, running_office, text_of
from tests.mail.test_whole_matches import find_account
from tests.matches.scenario import NOON, legal_move

if TYPE_CHECKING:
    from email.message import EmailMessage

    from storage import Database
    from tests.mail.correspondence import PostOffice

JAPANESE, GERMAN = Texts.load(language="ja"), Texts.load(language="de")
HANA, UWE = "hana@example.org", "uwe@elsewhere.example"
ASKED = "Re: A game?"  # in answer to what a player wrote, with that subject
KANA = re.compile(r"[ぁ-んァ-ヶ]")


async def join(office: PostOffice, address: str, name: str, language: str) -> Mailbox:
    """Get an account by mail, and choose the language of its mails."""
    box = office.mailbox(address, Program.GMAIL)
    await box.write("hello")
    await box.reply(f"join {name}")
    person = await office.matches.people.accounts.find_by_mail(address)
    assert person is not None
    await office.matches.people.preferences.change(person, language=language, now=office.clock())
    return box


def check_language(mail: EmailMessage, *, is_japanese: bool) -> None:
    """Check the subject, the text and the HTML of a mail."""
    html = mail.get_body(("html",))
    assert html is not None
    assert f'<html lang="{"ja" if is_japanese else "de"}">' in html.get_content()
    raw = mail.as_bytes().partition(b"\n\n")[0]
    assert raw.isascii()  # a subject of other letters is encoded (RFC 2047), and was read back
    subject = str(mail["Subject"])
    for text in (text_of(mail), *([] if subject == ASKED else [subject])):
        assert bool(KANA.search(text)) is is_japanese, text


@pytest.mark.long
async def test_match_from_challenge_to_result_in_two_languages(database: Database) -> None:
    async with running_office(database, MovedClock(NOON)) as office:
        hana = await join(office, HANA, "Hana", "ja")
        uwe = await join(office, UWE, "Uwe", "de")
        seen = {box.address: len(box.mails) for box in (hana, uwe)}
        sent = await hana.write("申し込み Uwe、morphos、3日、レーティング対象外")
        assert str(sent["Subject"]) == ASKED
        assert JAPANESE("mail.reply.challenged", name="Uwe") in text_of(sent)
        await office.wait()
        accepted = await uwe.reply("annehmen")
        assert "Morphos" in text_of(accepted)
        await office.wait()
        (summary,) = await office.matches.views.list_recent_of(await find_account(office, HANA), limit=5)
        boxes = {await find_account(office, box.address): box for box in (hana, uwe)}
        for _ in range(4):
            view = await office.matches.view(summary.id, now=office.clock())
            await boxes[view.waits_for[0].account].reply(legal_move(view))
            await office.wait()
        await hana.reply("盤面")
        asked = await hana.reply("投了")
        assert "[投了 はい]" in text_of(asked)
        over = await hana.reply("投了　はい", asked)
        assert JAPANESE("mail.reply.resigned", match_name="").strip() in text_of(over)
        await office.wait()
        view = await office.matches.view(summary.id, now=office.clock())
        assert (view.state, view.result and view.result.reason) == (MatchState.OVER, EndReason.RESIGNED)
        for box in (hana, uwe):
            mails = box.mails[seen[box.address] :]
            assert len(mails) >= 5
            assert any(str(mail["Subject"]) != ASKED for mail in mails)
            for mail in mails:
                check_language(mail, is_japanese=box is hana)


@pytest.mark.parametrize("language", ["ja", "de"])
def test_lines_of_japanese_fit_and_keep_marks_and_commands_together(language: str) -> None:
    texts = Texts.load(language=language)
    for key, text in texts.templates.items():
        if not key.startswith(("mail.", "refused.")) or not isinstance(text, str):
            continue
        lines = wrap_text(text).split("\n")
        assert "".join("".join(lines).split()) == "".join(text.split())
        for line in lines:
            assert measure_width(line) <= TEXT_WIDTH + 4, line  # marks that do not begin a line
            assert line[:1] not in "、。」』・ー", line
            assert line[-1:] not in "「『", line
            assert line.count("[") == line.count("]"), line


@pytest.mark.parametrize(
    "typed", ["Uwe、morphos、3日、レーティング対象外", "Uwe\uff0cmorphos\uff1b3日, レーティング対象外"]
)
def test_challenge_is_read_with_the_commas_of_japanese(typed: str) -> None:
    wish = read_challenge(JAPANESE, GAMES, typed, None)
    assert (wish.to, wish.game.name, wish.terms.rated) == ("Uwe", "morphos", False)
