"""``/tournament``: tournaments in Discord."""
