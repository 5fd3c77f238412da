"""People: signing in, their account, their matches and their data."""
