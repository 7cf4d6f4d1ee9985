"""`unname index`: what is known of people, as an index."""
