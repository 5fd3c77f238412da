"""Reports about players, and what the moderators of a website do about them."""
