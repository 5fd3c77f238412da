"""A user's preferences: an ephemeral panel of two pages, one for pictures and one for notices."""
