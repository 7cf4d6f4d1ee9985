"""Any encoder with a linear head over its tokens."""
