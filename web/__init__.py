"""The table: matches watched and played in a browser."""
