"""Made-up documents that stand for texts which a user brings, written apart from every tagger that is tried on them.

`interviews` gives transcripts of interviews in German and Spanish, `letters` gives English hospital letters with the table
of their patients. Names, villages and sentences are written by hand in the text files beside; nobody in them exists.
"""
