"""Leaning to recall: how many times as likely as was learned a tagger may take identifiers to be."""

# The most times as likely.
MOST_LEAN = 1e6
