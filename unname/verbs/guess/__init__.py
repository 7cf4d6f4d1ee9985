"""`unname guess`: the guesses of a language model."""
