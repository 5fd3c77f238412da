"""The contents of the move picker: the options of its select, its buttons, the placeholder, the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.ui.cell_groups import DIRECTIONS, cells_in_group, group_cells, split_cells
from engine.game import SelectionKind
from move_builder import MovePrompts, is_cell

if TYPE_CHECKING:
    from bot.ui.cell_groups import CellGroup
    from engine.game import Side
    from i18n import Texts
    from move_builder import MoveBuilderState

GROUP_PREFIX = "/"
ARROWS = dict(zip(DIRECTIONS, "↑↗→↘↓↙←↖", strict=True))
OPPOSITE_DIRECTIONS = dict(zip(DIRECTIONS, (*list(DIRECTIONS)[4:], *list(DIRECTIONS)[:4]), strict=True))


@dataclass(frozen=True, slots=True)
class MenuOption:
    """One option of the select, or one button for a word such as yes."""

    label: str
    value: str
    description: str = ""
    is_selected: bool = False


@dataclass(frozen=True, slots=True)
class PickMenu:
    """The answers to the open question: select options, buttons for words, and the cells to mark.

    There may be more options than fit in one select: `selects` are the parts. `group_kind` is ``way`` or
    ``file`` if the options are groups of cells; `is_multiple` allows any number of options.
    """

    options: tuple[MenuOption, ...] = ()
    buttons: tuple[MenuOption, ...] = ()
    cells: tuple[str, ...] = ()
    group_kind: str = ""
    is_multiple: bool = False

    @property
    def selects(self) -> tuple[tuple[MenuOption, ...], ...]:
        """The options of each select."""
        if self.group_kind or self.is_multiple or not self.options:
            return (self.options,) if self.options else ()
        by_value = {option.value: option for option in self.options}
        return tuple(tuple(by_value[cell] for cell in cells) for cells in split_cells(list(by_value)))


class PickMenuBuilder:
    """The texts of one step of the picker, for the side to move, in at most `max_selects` selects."""

    def __init__(
        self,
        texts: Texts,
        move_state: MoveBuilderState,
        side: Side,
        max_selects: int = 1,
        *,
        group: str = "",
        is_flipped: bool = False,
    ) -> None:
        self.texts = texts.plain  # menus and buttons show no markdown
        self._side = side
        self._max_selects = max_selects
        self._move_state = move_state
        self._group = group
        self._is_flipped = is_flipped
        self._prompts = MovePrompts(self.texts, move_state, side)

    def build_menu(self) -> PickMenu:
        """Return the possible answers; empty once the turn is complete."""
        choice = self._move_state.choice
        if choice is None:
            return PickMenu()
        cells = tuple(option for option in choice.options if is_cell(option))
        if choice.multiple:
            options = (
                tuple(MenuOption(cell, cell, is_selected=True) for cell in cells) if len(cells) > 1 else ()
            )
            buttons = tuple(
                MenuOption(label, value) for label, value in self._prompts.all_or_none_options(choice)
            )
            return PickMenu(options, buttons, cells, is_multiple=True)
        option_buttons = tuple(
            MenuOption(self._prompts.option_label(choice.kind, option), option)
            for option in choice.options
            if not is_cell(option)
        )
        origin = self._move_state.path[-1] if choice.kind is SelectionKind.TARGET else ""
        shown_cells = cells_in_group(cells, origin, self._group, self._max_selects)
        is_whole = len(shown_cells) == len(cells)
        cell_groups = group_cells(cells, origin, self._max_selects) if is_whole else ()
        if cell_groups:
            return PickMenu(
                tuple(map(self._group_option, cell_groups)), option_buttons, shown_cells, cell_groups[0].kind
            )
        return PickMenu(tuple(map(self._cell_option, shown_cells)), option_buttons, shown_cells)

    def format_question(self, texts: Texts) -> str:
        """Return the open question, or the sentence of the preview, as `texts` writes it."""
        question = MovePrompts(texts, self._move_state, self._side).question()
        return question if self._move_state.choice else texts("picking.preview", turn=question)

    def format_hint(self, menu: PickMenu) -> str:
        """Return the placeholder of the select; empty without a select."""
        if self._move_state.choice is None or not menu.options:
            return ""
        kind = menu.group_kind or self._move_state.choice.kind
        return self.texts.for_game(self._move_state.start.vocabulary, f"picking.hint.{kind}")

    def format_hints(self, menu: PickMenu) -> list[str]:
        """Return the placeholder of each select; several of them name their cells."""
        hint, selects = self.format_hint(menu), menu.selects
        if len(selects) < 2:
            return [hint for _ in selects]
        return [
            self.texts.plain("picking.hint_range", hint=hint, first=options[0].label, last=options[-1].label)
            for options in selects
        ]

    def _cell_option(self, cell: str) -> MenuOption:
        return MenuOption(cell, cell, self._prompts.describe_answer(cell))

    def _group_option(self, group: CellGroup) -> MenuOption:
        if len(group.cells) == 1:
            [cell] = group.cells
            return MenuOption(cell, cell, self._prompts.describe_answer(cell) or self._describe_group(group))
        key = OPPOSITE_DIRECTIONS.get(group.key, group.key) if self._is_flipped else group.key
        label = self.texts(
            f"picking.group.{group.kind}",
            name=ARROWS.get(key, key),
            first=group.cells[0],
            last=group.cells[-1],
            count=len(group.cells),
        )
        return MenuOption(label, f"{GROUP_PREFIX}{group.key}", self._describe_group(group))

    def _describe_group(self, group: CellGroup) -> str:
        vocabulary = self._move_state.start.vocabulary
        return self.texts.for_game(vocabulary, "picking.group.about", count=len(group.cells))
