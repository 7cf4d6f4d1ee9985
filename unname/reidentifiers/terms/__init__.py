"""Reidentifiers that match terms: those that a profile and a text have in common."""
