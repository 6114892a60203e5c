"""Reduced models: cheaper descriptions of one run, each with its error against the run itself or a bound on it."""
