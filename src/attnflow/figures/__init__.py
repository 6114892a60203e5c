"""Every published figure, by paper."""
