"""Offers between the players of a match: end, draw, takeback; also aborts and rematches."""
