"""The laboratory: open questions as ready experiments, and hunts for counterexamples on any engine."""
