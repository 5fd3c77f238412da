"""The turning points of a finished game as tasks, in an ephemeral message, one at a time."""
