"""Scores of taggers, by several scorers."""
