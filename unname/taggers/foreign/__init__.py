"""Taggers of other libraries, each by one word: `spacy:NAME`, `hf:DIR`, `presidio`, `gliner:DIR`.

None of their libraries is needed by anything else here, and none is loaded before somebody names its tagger.
"""
