"""Pages about players: their profile, feeds of finished matches, and the calendar of deadlines."""
