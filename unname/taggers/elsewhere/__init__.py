"""Our taggers in the tools of others: a component of spaCy and a recogniser of Presidio. Nothing else here loads them."""
