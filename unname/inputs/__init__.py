"""From files and Python values to what a run works on."""
