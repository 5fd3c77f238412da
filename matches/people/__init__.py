"""What a person stores, prefers and holds: notes, lines, sessions, seat keys."""
