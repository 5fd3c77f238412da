"""Time in matches: clocks, deadlines, time-outs, pauses and vacations."""
