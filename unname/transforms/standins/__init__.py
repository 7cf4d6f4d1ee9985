"""Stand-ins by kind: people and how a text calls them, places, trades, dates that move, and what is written in figures."""
