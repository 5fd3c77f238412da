"""Tournaments on the website: the list, the page of each, the forms of players and organisers."""
