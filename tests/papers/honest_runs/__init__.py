"""Honest runs for the claims of every paper, and which mutants a claim cannot see.

Each file is named after a paper and has `RUNS`, from the number of a claim (as in its key) to functions that make honest
runs of it, and `BLIND`, from the number to {mutant: why this claim says nothing against it}.
"""
