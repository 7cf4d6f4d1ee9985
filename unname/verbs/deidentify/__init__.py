"""`unname deidentify`: the main job."""
