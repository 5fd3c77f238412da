"""What the two people of a match offer each other in Discord."""
