"""Identifiers by rule: shapes, check digits, and the words that stand beside them."""
