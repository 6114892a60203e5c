"""Rescaled runs to late times, where softmax becomes hard: anchors, ties, and tokens that slide along them."""
