"""Figures on the survey arXiv 2512.01868."""
