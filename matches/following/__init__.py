"""Following matches: spectators are notified of each turn, once a day, or of the end only."""
