"""What the papers prove, as code."""
