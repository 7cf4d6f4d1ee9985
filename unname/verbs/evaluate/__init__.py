"""`unname evaluate`: score a tagger against annotators."""
