"""Offers between the players of a match: draw, end by agreement, takeback; also aborting and rematches."""
