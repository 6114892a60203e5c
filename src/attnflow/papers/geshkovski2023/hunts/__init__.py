"""Trials of the claims of arXiv 2305.05465, in files named after their chapters."""
