"""Pictures, all in one look."""
