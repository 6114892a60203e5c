"""Figures of the posters of arXiv 2406.10823."""
