"""How well a tagger did, by several scorers."""
