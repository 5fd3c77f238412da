"""One test for many examples, where a test for each would cost more than what it checks."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Test = Callable[..., None]


def for_each(
    names: str, examples: Iterable[Any], label: Callable[[Any], str] = str
) -> Callable[[Test], Test]:
    """Call a test with every example; the note of a failure names the one that failed.

    `names` are the test's arguments for an example, separated by commas; for several, an example is a tuple.
    """
    arguments, every = names.split(","), list(examples)
    assert every, "there are no examples"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            for example in every:
                values = (example,) if len(arguments) == 1 else example
                try:
                    test(**fixtures, **dict(zip(arguments, values, strict=True)))
                except BaseException as error:
                    error.add_note(f"with {', '.join(map(label, values))}")
                    raise

        signature = inspect.signature(test)
        kept = [one for name, one in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=kept)  # type: ignore[attr-defined]
        return run

    return decorate
