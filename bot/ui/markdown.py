"""Texts in Discord's markdown: the writer of the catalogue's texts, and text from users."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from bot.ui import ids
from i18n.writing import MomentStyle, Writer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from i18n.contracts import Lookup
    from i18n.writing import Mention, Moment

# Signs of markdown, mentions, emoji, links and timestamps, wherever they are: also what is around the text
# could complete them, such as the colon of ``:smile`` in front of another colon.
SPECIAL_SIGNS = re.compile(r"[\\*_~|`<>@#\[\]:/]")
# What begins a list or small text at the start of a line.
LINE_START = re.compile(r"^(\s*\d*)([-+.)])(?=\s|\\#|$)", re.MULTILINE)
# The signs of markdown in a template, outside its placeholders; and a line that is no item of a list.
TEMPLATE_SIGNS = re.compile(r"(\{[^{}]*\})|([\\*_~|`])")
NUMBERED_LINE = re.compile(r"^((?:\{indent\})?\{(?:number|rank)\})\.(?= )", re.MULTILINE)
CODE_FENCE = "```"
MAX_TEXT_LENGTH = 2000  # of a message
STYLES = {MomentStyle.RELATIVE: "R", MomentStyle.DATE: "D", MomentStyle.FULL: "f"}


class DiscordText(str):
    """Text in Discord's markdown, which is not escaped again."""

    __slots__ = ()


class DiscordWriter(Writer):
    """Writes texts in Discord's markdown; each reader sees times in their own time zone."""

    written = DiscordText
    tags: ClassVar[Mapping[str, tuple[str, str]]] = {
        "b": ("**", "**"),
        "i": ("*", "*"),
        "code": ("`", "`"),
        "small": ("-# ", ""),
        "h": ("## ", ""),
        "a": ("[", "](URL)"),
    }

    def escape(self, text: str) -> str:
        """Return text that Discord shows as it is: no markdown, mentions, links, timestamps or emoji."""
        return LINE_START.sub(r"\1\\\2", SPECIAL_SIGNS.sub(r"\\\g<0>", text))

    def escape_template(self, text: str) -> str:
        """Return a part of a template that Discord shows as it is; lists remain lists."""
        escaped = TEMPLATE_SIGNS.sub(lambda sign: sign[1] or f"\\{sign[2]}", text)
        return NUMBERED_LINE.sub(r"\1\\.", escaped)

    def write_mention(self, mention: Mention) -> str:
        """Return a mention that notifies a user; anybody else is named."""
        if ids.is_from_discord(mention.account):
            return f"<@{ids.snowflake(mention.account)}>"
        return self.write_name(mention.name)

    def write_moment(self, moment: Moment, texts: Lookup) -> str:  # noqa: ARG002 - Discord words it
        """Return a timestamp."""
        return f"<t:{int(moment.at.timestamp())}:{STYLES[moment.style]}>"

    def write_code(self, code: str) -> str:
        """Return something to type; in code no other sign is special."""
        return "`{}`".format(code.replace("`", "'"))


DISCORD = DiscordWriter()


def cut_text(text: str, max_length: int = MAX_TEXT_LENGTH) -> str:
    """Return markdown that fits into a message: a longer one ends in an ellipsis after a whole line.

    A long line is cut within, after a word, never in a mention.
    """
    if len(text) <= max_length:
        return text
    start = text[: max_length - len(f"\n{CODE_FENCE}\n…")]
    end = start.rfind("\n")
    end = end if end > len(start) // 2 else max(end, start.rfind(" "))
    shown = start[: end if end > 0 else len(start)]
    is_code = shown.count(CODE_FENCE) % 2 == 1
    ending = f"\n{CODE_FENCE}\n…" if is_code else "\n…" if text[len(shown)] == "\n" else "…"
    return DiscordText(shown + ending)


def hide(text: str) -> DiscordText:
    """Return a text that readers see when they click it."""
    return DiscordText(f"||{text}||")


def channel_mention(channel: str) -> DiscordText:
    """Return a mention that links to a channel or thread."""
    return DiscordText(f"<#{ids.snowflake(channel)}>")
