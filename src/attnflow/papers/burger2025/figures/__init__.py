"""Figures of arXiv 2501.03096."""
