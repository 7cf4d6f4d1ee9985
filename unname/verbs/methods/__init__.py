"""`unname methods`: the parts that are installed."""
