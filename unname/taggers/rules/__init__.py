"""Identifiers by rule: shapes, check digits, and cue words beside them."""
