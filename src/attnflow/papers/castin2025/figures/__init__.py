"""Figures of arXiv 2501.18322."""
