"""A simulated year of tournaments: real processes that are killed, outages, leavers, and an audit.

`year` runs it, `site` is the process that does what is due, `persons` are those who play, `watch` looks after
every step, `audit` at the end. `tables`, `brackets`, `seasons` compute anew, from the records of matches and
the written rules alone, what the tournaments must say: they import nothing from `matches.tournaments`.
"""
