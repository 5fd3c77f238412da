"""Playing a move by command or form."""
