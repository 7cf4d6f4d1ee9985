"""`unname release`: a release that was held back goes out."""
