"""`unname reveal`: the way back to the originals, for those who hold a key."""
