"""`unname sanitize`: GreedySanitize (Li 2014)."""
