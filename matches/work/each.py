"""Work on several rows of which one may fail: the others are still worked on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from storage import StorageUnavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

ItemT = TypeVar("ItemT")


async def for_each(items: Iterable[ItemT], work: Callable[[ItemT], Awaitable[object]]) -> None:
    """Do the work for each item. Raise StorageUnavailable at once, other errors at the end, in a group."""
    errors = list[Exception]()
    for item in items:
        try:
            await work(item)
        except StorageUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised with all the others
            errors.append(error)
    if errors:
        raise ExceptionGroup("some could not be worked on; they are tried again", errors)
