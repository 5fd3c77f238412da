"""Challenges: opponent, game, options, colour and terms."""
