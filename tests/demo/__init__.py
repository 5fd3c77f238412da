"""A match that plays itself on the loopback Discord, for somebody who has no token yet."""
