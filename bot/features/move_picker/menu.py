"""What a picking dialogue offers: the lines of its menu and its buttons, the hint, the preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.features.move_picker.grouping import DIRECTIONS, cells_in_group, group_cells
from engine.game import SelectionKind
from move_builder import MovePrompts, is_cell

if TYPE_CHECKING:
    from bot.features.move_picker.grouping import CellGroup
    from bot.features.move_picker.state import PickState
    from engine.game import Side
    from i18n import Texts
    from move_builder import MoveBuilderState

GROUP_PREFIX = "/"
ARROWS = dict(zip(DIRECTIONS, "↑↗→↘↓↙←↖", strict=True))
OPPOSITE_DIRECTIONS = dict(zip(DIRECTIONS, (*list(DIRECTIONS)[4:], *list(DIRECTIONS)[:4]), strict=True))


@dataclass(frozen=True, slots=True)
class MenuLine:
    """One line of a menu, or one button where it stands for a word such as yes."""

    label: str
    value: str
    description: str = ""
    is_selected: bool = False


@dataclass(frozen=True, slots=True)
class PickMenu:
    """What is offered for the open question: lines of a menu, words as buttons, and cells to mark.

    `group_kind` is ``way`` or ``file`` where the lines stand for groups of cells; `is_multiple` asks for any
    number of lines.
    """

    lines: tuple[MenuLine, ...] = ()
    buttons: tuple[MenuLine, ...] = ()
    cells: tuple[str, ...] = ()
    group_kind: str = ""
    is_multiple: bool = False


class PickMenuBuilder:
    """The texts of one stand of one dialogue, for the side to move."""

    def __init__(self, texts: Texts, move_state: MoveBuilderState, pick_state: PickState, side: Side) -> None:
        self.texts = texts
        self._move_state = move_state
        self._pick_state = pick_state
        self._prompts = MovePrompts(texts, move_state, side)

    def build_menu(self) -> PickMenu:
        """Return what can be answered; nothing once the turn is settled."""
        choice = self._move_state.choice
        if choice is None:
            return PickMenu()
        cells = tuple(option for option in choice.options if is_cell(option))
        if choice.multiple:
            lines = tuple(MenuLine(cell, cell, is_selected=True) for cell in cells) if len(cells) > 1 else ()
            buttons = tuple(
                MenuLine(label, value) for label, value in self._prompts.all_or_none_options(choice)
            )
            return PickMenu(lines, buttons, cells, is_multiple=True)
        option_buttons = tuple(
            MenuLine(self._prompts.option_label(choice.kind, option), option)
            for option in choice.options
            if not is_cell(option)
        )
        origin = self._move_state.path[-1] if choice.kind is SelectionKind.TARGET else ""
        shown_cells = cells_in_group(cells, origin, self._pick_state.group)
        cell_groups = group_cells(cells, origin) if len(shown_cells) == len(cells) else ()
        if cell_groups:
            return PickMenu(
                tuple(map(self._group_line, cell_groups)), option_buttons, shown_cells, cell_groups[0].kind
            )
        lines = tuple(MenuLine(cell, cell, self._prompts.describe_answer(cell)) for cell in shown_cells)
        return PickMenu(lines, option_buttons, shown_cells)

    def format_question(self) -> str:
        """Return the question that is open, or the preview's sentence."""
        question = self._prompts.question()
        return question if self._move_state.choice else self.texts("picking.preview", turn=question)

    def format_hint(self, menu: PickMenu) -> str:
        """Return the words that stand in the closed menu; none where there is no menu."""
        if self._move_state.choice is None or not menu.lines:
            return ""
        kind = menu.group_kind or self._move_state.choice.kind
        return self.texts.for_game(self._move_state.start.vocabulary, f"picking.hint.{kind}")

    def _group_line(self, group: CellGroup) -> MenuLine:
        key = OPPOSITE_DIRECTIONS.get(group.key, group.key) if self._pick_state.is_flipped else group.key
        label = self.texts(
            f"picking.group.{group.kind}",
            name=ARROWS.get(key, key),
            first=group.cells[0],
            last=group.cells[-1],
            count=len(group.cells),
        )
        description = self.texts("picking.group.about", count=len(group.cells))
        return MenuLine(label, f"{GROUP_PREFIX}{group.key}", description)
