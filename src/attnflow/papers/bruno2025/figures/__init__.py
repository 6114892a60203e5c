"""Figures of arXiv 2509.25040."""
