"""`unname tag`: what taggers find."""
