"""The verbs of the command, a folder each: its options, what it does, its command, its page."""
