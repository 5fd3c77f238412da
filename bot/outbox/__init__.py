"""Delivery of announcements: in responses to interactions, or later, exactly once."""
