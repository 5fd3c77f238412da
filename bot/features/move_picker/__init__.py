"""Picking a move step by step in an ephemeral message, with a preview before it is played."""
