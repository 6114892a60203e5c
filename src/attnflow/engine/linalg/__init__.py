"""Matrices as users give them, their exponentials, factors and convex hulls."""
