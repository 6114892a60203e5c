"""Time integrators that diffrax does not offer; each file says why it exists."""
