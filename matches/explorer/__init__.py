"""The opening explorer: which moves were played in a position of public games, how often, and who won."""
