"""What may happen in a run: one file for each, all of one small protocol (`base.py`)."""
