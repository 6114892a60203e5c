"""What the papers prove, as code: a register of claims, and one folder for each paper.

A paper's folder is named after its first author and year: its record, its chapters of claims, its hunts and its figures.
`register.py` asks claims about a run, `following.py` asks whether the run follows its own equation, `hunt.py` looks for
counterexamples, `independent.py` integrates without the engine.

May import: `engine/`, `theory/`, `models/`, `draw/`; no paper imports another one's claims.
Start with: `claim.py`, then a short chapter such as `sander2022/`.
To add a claim: a class in a chapter of its paper, with an honest run in `tests/papers/honest_runs/`.
"""
