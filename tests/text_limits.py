"""Which texts have a limit of Discord, by their keys."""

from __future__ import annotations

import re

from bot.ui.buttons import MAX_LABEL_LENGTH as MAX_BUTTON_LENGTH
from bot.ui.commands import MAX_DESCRIPTION_LENGTH
from bot.ui.modals import MAX_LABEL_LENGTH

MAX_CHOICE_LENGTH = 100  # Discord's, for what a select offers
LEVEL_ROOM = 28  # for the name of a level before what is said about it
MAX_PAGE_LENGTH = 1700  # of the text and caption of a page of rules, for a message with its buttons
MAX_TASK_TEXT_LENGTH = 300  # of each text of a task, for a phone

LIMITED = (
    (re.compile(r"button\.\w+|server\.(rate_computer_\w+|language_button)"), MAX_BUTTON_LENGTH),
    (re.compile(r"level\.\w+\.about"), MAX_CHOICE_LENGTH - LEVEL_ROOM),
    (re.compile(r"offer\.\w+\.(accept|decline)"), MAX_BUTTON_LENGTH),
    (re.compile(r"\w+\.(modal_title|modal_label)|mydata\.confirm\.\w+|note\.label"), MAX_LABEL_LENGTH),
    (re.compile(r"(preferences|server)\.\w+_(title|label)"), MAX_LABEL_LENGTH),
    # Options of selects, and what is said below them.
    (
        re.compile(r"mydata\.erase\.(resign|keep|all)(_about)?|notices\.(kind|about|way|lack)\.\w+"),
        MAX_CHOICE_LENGTH,
    ),
    (re.compile(r"server\.audience(_about)?\.\w+|preferences\.\w+\.\w+"), MAX_CHOICE_LENGTH),
    (re.compile(r"command\.[\w-]+\.(\w+\.)?about"), MAX_DESCRIPTION_LENGTH),
)


def limit_of(key: str) -> int:
    """Return how many characters the text of a key may have at most, 0 without a limit."""
    return min((limit for pattern, limit in LIMITED if pattern.fullmatch(key)), default=0)
