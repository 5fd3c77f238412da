"""Time in matches: paces, deadlines, what happens at the flag, vacations and pauses."""
