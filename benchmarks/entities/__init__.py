"""The making of the tagger that ships: passages with slots, values to fill them, corpora, the lexicon, and the training."""
