"""``/tournament``: all of tournaments in Discord. See :mod:`matches.tournaments.service`."""

from __future__ import annotations

from bot.feature import Feature
from bot.features.tournaments import acts, changing, creating, playing
from bot.features.tournaments.buttons import ITEMS
from bot.features.tournaments.news import build_news_post
from bot.ui.commands import define_group

FEATURE = Feature(
    commands=(
        define_group("tournament", *playing.COMMANDS, *creating.COMMANDS, *changing.COMMANDS, *acts.COMMANDS),
    ),
    items=(*ITEMS, playing.AnswerButton, acts.ReplaceButton),
    tournament_posts=(build_news_post,),
)
