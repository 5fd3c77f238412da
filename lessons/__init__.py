"""Interactive lessons: positions with a goal that the engine checks, for every front end."""
