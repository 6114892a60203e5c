"""Observables of a measure or a run: energies, clusters, cosines, attention matrices, resolution."""
