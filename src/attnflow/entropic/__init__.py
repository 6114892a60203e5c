"""Entropic transport of a measure to itself: the problem behind doubly stochastic attention."""
