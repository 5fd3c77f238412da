"""What a mail that arrives says: the words that a person typed, what a machine reports, and who sent it.

Nothing here asks a database, a clock or the network, and nothing raises for what a mail contains.
"""
