"""Many runs: a scenario over axes of values, computed on whatever is there, never lost."""
