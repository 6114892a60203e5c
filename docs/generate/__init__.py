"""Pages that are made, not written: what the register, the figures and the public names say of themselves."""
