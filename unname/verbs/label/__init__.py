"""`unname index` and `unname label`: labels from a knowledge graph."""
