"""Facts that no table of people holds: what a reader could look up, which of it is rare, and what is done about it."""
