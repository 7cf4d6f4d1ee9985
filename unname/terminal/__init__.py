"""Parts that the verbs share on a terminal: option types, settings files, progress, and printing."""
