"""`unname share`: annotated texts to learn from, without what they say of people."""
