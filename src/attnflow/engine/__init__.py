"""What every run needs, from a matrix to a trajectory, and what is read off one.

`files/`, `programs/`: files that appear whole, compiled programs on disk. `linalg/`, `special/`: matrices and special functions.
`spaces.py`, `measures/`: where tokens live, what a prompt is. `attention/` gives weights as a kernel, `summation/` sums them,
`sinkhorn/` makes them doubly stochastic. `flow/` turns a measure into a velocity, `evolution/` moves it in time,
`observe/` reads the run.

May import: `errors.py` alone; its folders in this order.
Start with: `flow/flow.py`, then `evolution/run.py`.
To add a rule: one file in `attention/`; what is read off a run: one in `observe/` (ARCHITECTURE.md, "Where to change what").
"""
