"""Lessons in Discord: a game is learned in an ephemeral message, one task at a time."""
