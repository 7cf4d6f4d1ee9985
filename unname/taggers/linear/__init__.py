"""Linear taggers: a conditional random field, a support vector machine, and both together."""
