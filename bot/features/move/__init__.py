"""Playing a move by command or modal."""
