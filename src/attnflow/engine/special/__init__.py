"""Special functions: exponentials, Legendre functions, spherical harmonics, Funk–Hecke eigenvalues, couplings."""
