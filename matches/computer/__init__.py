"""The computer as an opponent: its accounts, matches against it, and what it owes. It never thinks here."""
