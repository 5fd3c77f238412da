"""A match that plays itself on the loopback Discord, to see the bot without a token."""
