"""`unname identity`: a key for a vault."""
