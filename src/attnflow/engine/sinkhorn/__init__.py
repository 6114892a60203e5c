"""Sinkhorn scaling: entropic transport of a measure to itself, which makes attention doubly stochastic."""
