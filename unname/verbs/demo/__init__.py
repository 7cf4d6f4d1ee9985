"""`unname demo`: the first minute."""
