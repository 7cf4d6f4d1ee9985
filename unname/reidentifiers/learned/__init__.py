"""Reidentifiers that learn from documents about other people, without any neural library."""
