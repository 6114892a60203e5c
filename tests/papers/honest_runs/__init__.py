"""Honest runs for the claims of every paper, which doctored run each must refute, and which mutants it cannot see.

Each file is named after a paper and has `RUNS`, from the number of a claim (as in its key) to functions that make honest
runs of it; `REFUTED`, from the number to what is done to the first of them so that the claim must be refuted (a name that
`mutants.doctored` knows, or a function of the run); and `BLIND`, from the number to {mutant: why this claim says nothing
against it}.
"""
