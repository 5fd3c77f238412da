"""Studies: games that people store on the website, with variations and comments, in chapters."""
