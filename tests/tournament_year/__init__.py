"""A simulated year of tournaments: real processes that are killed, outages, leavers, and an audit.

`year` runs it, `site` is the process that does what is due, `persons` are those who play, `happenings` what
else they do, `discord` tells them. `watch` looks after every step, with `divisions` and `ladder`; `audit` at
the end, with `results`, `pairs`, `leavers` and `told`. `tables`, `final_tables`, `brackets` and `seasons`
compute anew, from the records of matches and the written rules alone, what the tournaments must say: nothing
here uses code of `matches.tournaments`, but for creating and playing, and to see what is shown.
"""
