"""Reidentifiers that match terms: what a profile and a text both say."""
