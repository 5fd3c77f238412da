"""Notifications of browsers (web push): the front end that sends rows of the outbox to their services."""
