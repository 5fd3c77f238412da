"""What the two people of a match offer each other: to end it, to take moves back, to play again."""
