"""What people settle beforehand: if the other plays this, I answer that, known to nobody but themselves."""

from matches.conditionals.ahead import LONGEST, MOST, Ahead, Step, known_line, steps
from matches.conditionals.tree import RESIGN, Branch, Line, Tree, lines
from matches.conditionals.values import Lost, Notice, Settled

__all__ = [
    "LONGEST",
    "MOST",
    "RESIGN",
    "Ahead",
    "Branch",
    "Line",
    "Lost",
    "Notice",
    "Settled",
    "Step",
    "Tree",
    "known_line",
    "lines",
    "steps",
]
