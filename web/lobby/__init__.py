"""Finding an opponent: the lobby, the form for a challenge, and the pages of challenges."""
