"""The limit of open files and connections of this process."""

from __future__ import annotations

import resource

ENOUGH = 16_384  # more than any part of Rayuela uses


def raise_descriptor_limit() -> None:
    """Raise the limit of open descriptors as far as the system allows, to at most ENOUGH; never lower it.

    Shells and service managers often set 1,024 although the system allows far more.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = ENOUGH if hard == resource.RLIM_INFINITY else min(ENOUGH, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def descriptor_limit() -> int:
    """Return how many descriptors this process may have open."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ENOUGH if soft == resource.RLIM_INFINITY else soft
