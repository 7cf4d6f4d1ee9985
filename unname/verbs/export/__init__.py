"""`unname export`: what somebody outside needs to attack a release."""
