import doctest
import re
from collections.abc import Iterator

from matches import errors
from matches.errors import Refusal


def tree(kind: type[Refusal], depth: int = 0) -> Iterator[tuple[int, str]]:
    """Yield the classes below one, in the order of their names, with their depth."""
    own = [one for one in kind.__subclasses__() if one.__module__ == errors.__name__]
    for one in sorted(own, key=lambda one: one.__name__):
        yield depth, one.__name__
        yield from tree(one, depth + 1)


def test_tree_at_the_top_shows_every_class() -> None:
    shown = re.findall(r"^    ((?:│?   )*)[├└]── (\w+)$", errors.__doc__ or "", re.MULTILINE)
    assert [(len(indent) // 4, name) for indent, name in shown] == list(tree(Refusal))


def test_examples_are_true() -> None:
    result = doctest.testmod(errors)
    assert (result.failed, result.attempted > 0) == (0, True)


def test_values_of_a_refusal_are_read_only() -> None:
    refusal = Refusal("match_over", match=7)
    assert (refusal.key, dict(refusal.values)) == ("match_over", {"match": 7})
    assert not hasattr(refusal.values, "update")
