"""How the tagger that ships was made: passages with slots, what fills them, corpora, the lexicon, and the training."""
