"""Figures of arXiv 2305.05465."""
