"""What can be read off a measure or a run."""
