"""Reidentifiers that stand on neural encoders: two trained towers, or a frozen sentence encoder."""
