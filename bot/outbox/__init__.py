"""Delivery: responses to interactions, and whatever has to be sent later, once."""
