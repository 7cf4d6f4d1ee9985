"""`unname audit`: attack a masked corpus of any tool."""
