"""A run in plain words: what was run, what theory predicts, what happened."""
