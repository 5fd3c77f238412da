"""Who plays whom: pure functions of entrants and results. The same input gives the same pairs."""
