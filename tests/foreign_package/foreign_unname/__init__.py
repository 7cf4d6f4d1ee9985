"""Parts for Unname from somebody else: one of each kind, and two that need something installed."""
