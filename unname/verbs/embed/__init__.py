"""`unname embed`: profiles as vectors."""
