"""`unname train`: models that learn from documents."""
