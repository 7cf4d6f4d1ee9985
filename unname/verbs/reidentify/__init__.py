"""`unname reidentify`: the likeliest people for each document."""
