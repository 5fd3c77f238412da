"""Replies in the manner of many mail programs, with what must happen; written by hand, no private mails."""

# ruff: noqa: E501, RUF001 - lines of mails in many languages

from __future__ import annotations

import base64
import quopri
from dataclasses import dataclass
from html import escape
from zlib import crc32

OWN = "play+mz-7-q4zt9v3mxp6w8h1d@games.example"
BOB = "bob@mail.example"
AUTHSERV = "mx.games.example"
POSITION = (
    "morelli nestor wbbbbbbbbb1bb/w11w/w11w/w11w/w11w/7wb2ww/w12/w11w/w6b4w/7w4w/w9b1w/w11w/bbbbbbbb1bb1w b -"
)
MOVE, EXAMPLE = "B1-B10", "A1-B2"
SIGNATURE = "-- "
SENT = f"""\
It is your turn in match 123 against Ada (Morelli, turn 7).

Ada (White) played M7-L8.

To play, reply to this mail with your move in the first line, for example: {EXAMPLE}
You can also reply with one of these words: resign, takeback, board, help.

Black: A1 B1 C1 D1 E1 F1 G1 H1 J1 K1 B13 C13 D13 E13 F13 G13 H13 I13
White: A2 A3 A4 A5 A6 A7 A9 A10 A11 A12 A13 M1 M2 M3 M4 M5 M6 M8 M9
13 w b b b b b b b b b . b b
12 w . . . . . . . . . . . w
   A B C D E F G H I J K L M
You have 3 days, until Thursday, 26 November, 15:24 UTC.
Board: https://games.example/match/123
{SIGNATURE}
Rayuela, https://games.example
Stop these mails: https://games.example/stop/abc
"""
SENT_WITH_LINKS = SENT.replace("https://games.example", "https://games.example<https://safe.example/?u=1>")
PLAY, REFUSE = f"play {MOVE}", "refuse"


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: who wrote it how, the body after the headers, and the action."""

    name: str
    body: bytes
    action: str
    headers: str = ""

    @property
    def raw(self) -> bytes:
        """The mail as it arrives."""
        head = (
            f"Return-Path: <{BOB}>\n"
            f"Delivered-To: {OWN}\n"
            f"Received: from mail.example by {AUTHSERV}; Mon, 23 Nov 2026 16:01:02 +0000\n"
            f"Authentication-Results: {AUTHSERV}; dkim=pass header.d=mail.example;"
            " spf=pass smtp.mailfrom=mail.example; dmarc=pass header.from=mail.example\n"
            f"From: Bob Example <{BOB}>\n"
            f"To: Rayuela <{OWN}>\n"
            "Subject: Re: Your turn in match 123\n"
            "Date: Mon, 23 Nov 2026 17:01:00 +0100\n"
            f"Message-ID: <{crc32(self.name.encode())}@mail.example>\n"
            "MIME-Version: 1.0\n"
        )
        return (f"{head}{self.headers}".encode() + self.body).replace(b"\n", b"\r\n")


def mark(text: str, sign: str = "> ") -> str:
    """Return a text with a sign before each line."""
    return "".join(f"{sign}{line}".rstrip() + "\n" for line in text.splitlines())


def wrap_badly(text: str, width: int = 72) -> str:
    """Return a marked text whose long lines continue without a mark, as some programs send it."""
    lines: list[str] = []
    for line in mark(text).splitlines():
        rest = line
        while len(rest) > width:
            at = rest.rfind(" ", 0, width)
            lines.append(rest[:at])
            rest = rest[at + 1 :]
        lines.append(rest)
    return "\n".join(lines) + "\n"


def wrap_anew(text: str, width: int = 60) -> str:
    """Return a text whose lines are joined and wrapped at another width, without marks."""
    words, lines = text.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines) + "\n"


def plain(name: str, text: str, action: str = PLAY, *, flowed: bool = False, headers: str = "") -> Reply:
    """Return a reply in plain text."""
    flow = "; format=flowed" if flowed else ""
    kind = f"Content-Type: text/plain; charset=utf-8{flow}\nContent-Transfer-Encoding: 8bit\n\n"
    return Reply(name, (kind + text).encode(), action, headers)


def encoded(name: str, text: str, charset: str, action: str = PLAY) -> Reply:
    """Return a reply in base64 and another character set."""
    kind = f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: base64\n\n".encode()
    return Reply(name, kind + base64.encodebytes(text.encode(charset)), action)


def html(name: str, source: str, action: str = PLAY) -> Reply:
    """Return a reply in HTML alone."""
    kind = b"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
    return Reply(name, kind + quopri.encodestring(source.encode()), action)


def attributed(name: str, attribution: str, *, below: bool = False, action: str = PLAY) -> Reply:
    """Return a reply above or below a marked quotation."""
    quoted = f"{attribution}\n\n{mark(SENT)}"
    return plain(name, f"{quoted}\n{MOVE}\n" if below else f"{MOVE}\n\n{quoted}", action)


def headed(
    name: str, head: str, *, typed: str = MOVE, below: str = "", action: str = PLAY, sent: str = SENT
) -> Reply:
    """Return a reply above, or below, a quotation without marks that has a head as Outlook writes it."""
    return plain(name, f"{typed}\n\n{head}\n\n{sent}\n{below}\n", action)


SENT_HTML = escape(SENT).replace("\n", "<br>\n")
ATTRIBUTIONS = {
    "polish": f"W dniu pon., 23 lis 2026 o 16:24 Rayuela <\n{OWN}> napisał(a):",
    "dutch": f"Op ma 23 nov. 2026 om 16:24 schreef Rayuela <\n{OWN}>:",
    "italian": f"Il giorno lun 23 nov 2026 alle ore 16:24 Rayuela <{OWN}> ha\nscritto:",
    "turkish": f"Rayuela <{OWN}>, 23 Kas 2026 Pzt,\n16:24 tarihinde şunu yazdı:",
    "portuguese": f"Em seg., 23 de nov. de 2026 às 16:24, Rayuela <\n{OWN}> escreveu:",
    "french": f"Le lun. 23 nov. 2026 à 16:24,\nRayuela <{OWN}> a écrit :",
    "spanish": f"El lun, 23 nov 2026 a las 16:24, Rayuela (<{OWN}>)\nescribió:",
    "swedish": f"Den mån 23 nov. 2026 kl 16:24 skrev Rayuela <\n{OWN}>:",
    "czech": f"po 23. 11. 2026 v 16:24 odesílatel Rayuela <{OWN}>\nnapsal:",
    "korean": f"2026년 11월 23일 (월) 오후 4:24, Rayuela <{OWN}>님이 작성:",
    "chinese": f"Rayuela <{OWN}> 于2026年11月23日周一 16:24写道：",
    "japanese": f"2026年11月23日(月) 16:24 Rayuela <{OWN}>:",
    "russian": f"пн, 23 нояб. 2026 г. в 16:24, Rayuela <{OWN}>:",
    "yandex": f'23.11.2026, 16:24, "Rayuela" <{OWN}>:',
    "mutt": "On Mon, Nov 23, 2026 at 04:24:00PM +0100, Rayuela wrote:",
    "evolution": "On Mon, 2026-11-23 at 16:24 +0100, Rayuela wrote:",
    "gnus": f"Rayuela <{OWN}> writes:",
    "roundcube": "On 2026-11-23 16:24, Rayuela wrote:",
    "roundcube_german": "Am 2026-11-23 16:24, schrieb Rayuela:",
    "name_unknown": "On 23/11/2026 16:24, the games server\nwrote:",
}
HEADS = {
    "spanish": f"De: Rayuela <{OWN}>\nEnviado: lunes, 23 de noviembre de 2026 16:24\nPara: Bob <{BOB}>\nAsunto: Your turn",
    "dutch": f"Van: Rayuela <{OWN}>\nVerzonden: maandag 23 november 2026 16:24\nAan: Bob <{BOB}>\nOnderwerp: Your turn",
    "italian": f"Da: Rayuela <{OWN}>\nInviato: lunedì 23 novembre 2026 16:24\nA: Bob <{BOB}>\nOggetto: Your turn",
    "polish": f"Od: Rayuela <{OWN}>\nWysłano: poniedziałek, 23 listopada 2026 16:24\nDo: Bob <{BOB}>\nTemat: Your turn",
    "japanese": f"差出人: Rayuela <{OWN}>\n送信日時: 2026年11月23日 16:24\n宛先: Bob <{BOB}>\n件名: Your turn",
    "chinese": f"发件人： Rayuela <{OWN}>\n发送时间： 2026年11月23日 16:24\n收件人： Bob <{BOB}>\n主题： Your turn",
    "qq": f'------------------ 原始邮件 ------------------\n发件人: "Rayuela" <{OWN}>;\n发送时间: 2026年11月23日(星期一) 晚上11:24\n收件人: "Bob"<{BOB}>;\n主题: Your turn',
    "naver": f'-----Original Message-----\nFrom: "Rayuela"<{OWN}>\nTo: <{BOB}>;\nCc:\nSent: 2026-11-23 (월) 16:24:00 (UTC+09:00)\nSubject: Your turn',
    "date_first": f"Date: Mon, 23 Nov 2026 16:24:00 +0100\nFrom: Rayuela <{OWN}>\nTo: {BOB}\nSubject: Your turn",
    "seznam": f"---------- Původní e-mail ----------\nOd: Rayuela <{OWN}>\nKomu: {BOB}\nDatum: 23. 11. 2026 16:24:00\nPředmět: Your turn",
    "notes": f"From:   Rayuela <{OWN}>\nTo:     Bob Example/Sales/Example@Example, {BOB}\nDate:   11/23/2026 04:24 PM\nSubject:        Your turn",
    "name_only": "From: Rayuela\nSent: Monday, November 23, 2026 4:24 PM\nTo: Bob Example\nSubject: Your turn",
    "bold": f"*From:* Rayuela <{OWN}>\n*Sent:* Monday, November 23, 2026 4:24 PM\n*To:* Bob\n*Subject:* Your turn",
    "mailto": f"From: Rayuela [mailto:{OWN}]\nSent: Monday, November 23, 2026 4:24 PM\nTo: Bob\nSubject: Your turn",
}
OTHER_HEAD = f"From: Carol <carol@other.example>\nSent: Sunday\nTo: Rayuela <{OWN}>\nSubject: Re: Your turn"
OWN_OLD_HEAD = f"From: Bob Example <{BOB}>\nSent: Sunday\nTo: Rayuela <{OWN}>\nSubject: Re: Your turn"
NAMED_OLD_HEAD = f"From: Bob Example\nSent: Sunday\nTo: Rayuela <{OWN}>\nSubject: Re: Your turn"
SENTENCES = (
    *(f"I told {OWN} that I do not want\nB1-B10", "I would never play this, Rayuela:\nB1-B10"),
    *(
        "I saw at https://games.example/match/123 that I cannot play\nB1-B10",
        "Dear Bob, no:\nB1-B10",
        "Hello, no\nB1-B10",
    ),
    *("I think B1-B10 is best", "B1-B10?", "Maybe B1-B10", "B1-B10 or A1-B2", "no B1-B10", "not B1-B10"),
    *("resign yet I will not", "board looks nice", "draw would be fair?", "help me decide", "draw?"),
    *("accept my apologies", "stop it, you are too good", "end of the week I answer", "note", "play well"),
    *("vacation was nice", "if I play B1-B10 then you lose", "challenge accepted", "hint hint: B1-B10"),
    *("B1-B10\nno wait", "B1-B10\nor A1-B2", "A1-B2\n\nSorry, I meant B1-B10", "A1-B2\n\nB1-B10"),
    *("B1-B10\nresign", "B1-B10\n\nresign", "resign\nB1-B10", "Sorry, I meant\nB1-B10", "Thanks!\n\nB1-B10"),
    *(
        "B1-B10\nis what I would play if I dared",
        "B1-B10\nnot sure",
        "B1-C99",
        "Bob",
        "-- \nB1-B10",
        "1",
        "?",
    ),
    *(
        "I resign? Never!",
        "resign.. just kidding",
        "Hi, resign\nB1-B10",
        "B1",
        "7.",
        "投了しません",
    ),
)

REPLIES = (
    *(attributed(f"gmail_{name}", text) for name, text in ATTRIBUTIONS.items()),
    *(attributed(f"below_{name}", text, below=True) for name, text in ATTRIBUTIONS.items()),
    *(headed(f"outlook_{name}", text) for name, text in HEADS.items()),
    *(headed(f"outlook_below_{name}", text, typed="", below=MOVE) for name, text in HEADS.items()),
    *(headed(f"outlook_empty_{name}", text, typed="", action=REFUSE) for name, text in HEADS.items()),
    *(plain(f"sentence_{number}", f"{text}\n", REFUSE) for number, text in enumerate(SENTENCES)),
    *(
        plain(f"sentence_quoting_{number}", f"{text}\n\n{ATTRIBUTIONS['dutch']}\n\n{mark(SENT)}", REFUSE)
        for number, text in enumerate(SENTENCES)
    ),
    plain(
        "portuguese_below_without_marks",
        f"Em seg., 23 de nov. de 2026 16:24, Rayuela <{OWN}> escreveu:\n\n{SENT}\n{MOVE}\n",
    ),
    plain(
        "portuguese_empty",
        f"Em seg., 23 de nov. de 2026 16:24, Rayuela <{OWN}> escreveu:\n\n{SENT}\n",
        REFUSE,
    ),
    plain(
        "mail_ru",
        f"\n{MOVE}\n  \n>Понедельник, 23 ноября 2026, 16:24 +03:00 от Rayuela <{OWN}>:\n> \n{mark(SENT, '>')}"
        " \n--\nБоб\n",
    ),
    encoded("qq_gbk", f"{MOVE}\n\n\n{HEADS['qq']}\n\n{SENT}", "gb18030"),
    encoded("russian_koi8", f"{MOVE}\n\nС уважением, Боб\n\n{mark(SENT)}", "koi8-r"),
    encoded("korean_euc", f"{MOVE}\n\n감사합니다\n\n{mark(SENT)}", "euc-kr"),
    plain("badly_wrapped", f"{MOVE}\n\nOn Mon, Rayuela wrote:\n{wrap_badly(SENT)}"),
    plain("badly_wrapped_narrow", f"{MOVE}\n\nOn Mon, Rayuela wrote:\n{wrap_badly(SENT, 65)}"),
    plain("badly_wrapped_below", f"On Mon, Rayuela wrote:\n{wrap_badly(SENT)}\n{MOVE}\n"),
    plain("badly_wrapped_empty", f"\nOn Mon, Rayuela wrote:\n{wrap_badly(SENT, 80)}", REFUSE),
    plain("wrapped_anew", f"{MOVE}\n\nOn Mon, Rayuela wrote:\n\n{wrap_anew(SENT)}"),
    plain("wrapped_anew_below", f"On Mon, Rayuela wrote:\n\n{wrap_anew(SENT)}\n{MOVE}\n"),
    plain("wrapped_anew_empty", f"On Mon, Rayuela wrote:\n\n{wrap_anew(SENT, 30)}\n", REFUSE),
    plain("bars", f"{MOVE}\n\nRayuela wrote:\n{mark(SENT, '| ')}"),
    plain("bars_below", f"Rayuela wrote:\n{mark(SENT, '| ')}\n{MOVE}\n"),
    plain(
        "the_bat",
        f"Hello Rayuela,\n\nMonday, November 23, 2026, 4:24:00 PM, you wrote:\n\n{mark(SENT, 'RA> ')}\n{MOVE}\n\n"
        f"-- \nBest regards,\n Bob                            mailto:{BOB}\n",
    ),
    plain(
        "zoho",
        f"{MOVE}\n\n\n\n---- On Mon, 23 Nov 2026 16:24:00 +0100 Rayuela <{OWN}> wrote ---\n\n{mark(SENT)}",
    ),
    plain("apple_japanese", f"{MOVE}\n\n> 2026/11/23 16:24、Rayuela <{OWN}>のメール:\n> \n{mark(SENT)}"),
    plain(
        "iphone_japanese",
        f"{MOVE}\n\niPhoneから送信\n\n> 2026/11/23 16:24、Rayuela <{OWN}>のメール:\n{mark(SENT)}",
    ),
    plain(
        "iphone_one_line", f"{MOVE}\nSent from my iPhone\n\n> On 23 Nov 2026, Rayuela wrote:\n{mark(SENT)}"
    ),
    headed("outlook_links", HEADS["mailto"], sent=SENT_WITH_LINKS),
    headed("outlook_links_below", HEADS["mailto"], typed="", below=MOVE, sent=SENT_WITH_LINKS),
    plain(
        "pgp_inline",
        f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{MOVE}\n\n-----BEGIN PGP SIGNATURE-----\n\niQ==\n"
        "-----END PGP SIGNATURE-----\n",
    ),
    plain("greeting_same_paragraph", f"Hi Ada,\n{MOVE}\n\nBest\nBob\n"),
    plain("greeting_japanese", f"お世話になっております。\n\n{MOVE}\n\nよろしくお願いします。\n"),
    plain("flowed_quotation", f"{MOVE}\n\nOn 11/23/26 16:24, Rayuela wrote:\n{mark(SENT)}", flowed=True),
    plain("chat_about_moves", f"{MOVE}\n\nYou expected A1-B2, I guess. Good luck!\n\n{mark(SENT)}"),
    plain("reply_to_own_mail", f"\n\n{OWN_OLD_HEAD}\n\n{MOVE}\n", REFUSE),
    plain("reply_to_own_mail_by_name", f"\n\n{NAMED_OLD_HEAD}\n\n{MOVE}\n", REFUSE),
    plain("own_mail_quoted", f"board\n\n{OWN_OLD_HEAD}\n\n{MOVE}\n", "command board"),
    plain("forward_of_another", f"\n{OTHER_HEAD}\n\n{MOVE}\n", REFUSE),
    plain("another_quoted", f"On Sunday Carol <carol@other.example> wrote:\n\n{MOVE}\n", REFUSE),
    plain("another_marked", f"On 22 Nov 2026 10:00 Carol <carol@other.example> wrote:\n> resign\n\n{MOVE}\n"),
    plain(
        "between_quotations",
        f"On Mon, Rayuela wrote:\n> {SENT.splitlines()[0]}\n{MOVE}\n> Ada played M7-L8.\n",
    ),
    html(
        "fastmail_html",
        f"<!DOCTYPE html><html><head><title></title><style>p.Mso{{margin:0}}</style></head><body><div>{MOVE}</div>"
        '<div><br></div><div id="sig1"><div class="signature">--</div><div class="signature">Bob</div></div>'
        "<div>On Mon, 23 Nov 2026, at 16:24, Rayuela wrote:</div>"
        f'<blockquote type="cite" id="qt">{SENT_HTML}</blockquote></body></html>',
    ),
    html(
        "yahoo_html",
        f'<html><head></head><body><div class="ydp1yahoo-style-wrap"><div dir="ltr" data-setdir="false">{MOVE}</div>'
        '<div><br></div></div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Monday, November 23, 2026, '
        f"Rayuela &lt;{OWN}&gt; wrote:</div><div>{SENT_HTML}</div></div></body></html>",
    ),
    html(
        "zoho_html",
        f'<div style="font-family: Verdana"><div>{MOVE}<br></div><div><br></div><div class="zmail_extra">'
        f"---- On Mon, 23 Nov 2026 Rayuela &lt;{OWN}&gt; wrote ---<br><blockquote>{SENT_HTML}</blockquote></div></div>",
    ),
    html(
        "mail_ru_html",
        f"<HTML><BODY><p>{MOVE}</p><p>--<br>Bob</p><blockquote>Понедельник от Rayuela<br>{SENT_HTML}</blockquote></BODY></HTML>",
    ),
    html(
        "gmx_html",
        f'<html><body><div style="font-family: Verdana;"><div>{MOVE}</div><div>&nbsp;<div name="quote" style="'
        f'border-left:2px solid #C3D9E5;"><div><b>Von:</b>&nbsp;Rayuela</div>{SENT_HTML}</div></div></div></body></html>',
    ),
    html(
        "naver_html",
        f'<div><p>{MOVE}</p><p><br></p><p>-----Original Message-----<br><b>From:</b> "Rayuela"&lt;{OWN}&gt;<br>'
        f"<b>To:</b> &lt;{BOB}&gt;<br></p><p>{SENT_HTML}</p></div>",
    ),
    html(
        "qq_html",
        f'<div>{MOVE}</div><div><br></div><div style="font-size:12px">------------------&nbsp;原始邮件&nbsp;---------</div>'
        f'<div style="background:#efefef;"><div><b>发件人:</b>&nbsp;"Rayuela" &lt;{OWN}&gt;;</div><div><b>发送时间:</b>'
        f"&nbsp;2026年11月23日</div></div><div><br></div>{SENT_HTML}",
    ),
    html(
        "outlook_web_html",
        f'<div class="elementToProof">{MOVE}</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">'
        f"<b>From:</b> Rayuela</div><div>{SENT_HTML}</div>",
    ),
    html(
        "outlook_web_empty",
        f'<div></div><div id="divRplyFwdMsg"><b>From:</b> x</div><div>{MOVE}</div>',
        REFUSE,
    ),
    html(
        "tutanota_html",
        f'<div>{MOVE}</div><br>23 Nov 2026 by {OWN}:<br><blockquote class="tutanota_quote">{SENT_HTML}</blockquote>',
    ),
    html("html_empty", f"<blockquote>{SENT_HTML}</blockquote>", REFUSE),
    html("html_two_paragraphs", "<p>A1-B2</p><p>B1-B10</p>", REFUSE),
    html("html_hidden", f"<style>A1-B2</style><!-- A1-B2 --><p>{MOVE}</p>"),
    plain("command_takeback", "Take back, please!\n", "command takeback"),
    plain("command_resign_japanese", "投了します。\n\nありがとうございました。\n", "command resign"),
    plain("command_undo_japanese", "待ったお願いします\n", "command takeback"),
    plain("command_draw_japanese", "引き分け\n", "command draw"),
    plain("command_help_japanese", "ヘルプ\n", "command help"),
    plain("command_board_turn", "board 5\n", "command board"),
    plain("command_vacation", "vacation 2 weeks\n", "command vacation"),
    plain("command_if", "if A1-B2 then C1-C10\n", "command if"),
    plain("command_note", "note: A1-B2 was good, was it not?\n", "command note"),
)
