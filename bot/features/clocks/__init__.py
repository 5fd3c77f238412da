"""Clocks in Discord: time-outs, added time, pauses and vacations."""
