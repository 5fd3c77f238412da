"""Challenging somebody: game, options, colour and terms."""
