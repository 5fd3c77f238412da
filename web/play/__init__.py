"""Seats: entering moves, offers, personal links, games against the computer."""
