"""What NumPy does with arrays of the own types: a few hundred expressions with their outcomes."""
