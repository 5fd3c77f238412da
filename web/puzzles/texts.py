"""What the pages of puzzles say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from i18n.puzzle_texts import list_theme_names
from matches import PuzzleChoice
from web.puzzles.state import next_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from i18n import Texts


def list_choices(
    texts: Texts, games: Sequence[str], game: str, themes: Sequence[str], choice: PuzzleChoice
) -> dict[str, Any]:
    """Return the template context of the choice of a next puzzle; `themes` are those of `game`."""
    named = [("", texts("web.puzzles.all_games")), *((one, texts(f"game.{one}.name")) for one in games)]
    return {
        "games": [(next_path(PuzzleChoice(one)), name, one == choice.game) for one, name in named],
        "game": game,
        "themes": list_theme_names(texts, game, themes) if game else [],
        "theme": choice.theme,
    }
