"""Tables of tournaments as pictures and as plain text.

The pictures contain only numbers and names, so they need no translation. They are written at twice the size
at which a phone shows them. What the bundled font cannot write is left out of a name in a picture; where that
is most of it, a number stands there, and :func:`list_numbered` says for whom. Send the plain text with it,
which has all names in full.
"""

from render.tables.bracket import Bracket, Duel, draw_bracket, format_bracket
from render.tables.cross_table import (
    MAX_CROSS_TABLE_ROWS,
    CrossTable,
    CrossTableRow,
    Result,
    draw_cross_table,
    format_cross_table,
)
from render.tables.legend import list_numbered
from render.tables.ranking import MAX_RANKING_ROWS, Ranking, RankingRow, draw_ranking, format_ranking
