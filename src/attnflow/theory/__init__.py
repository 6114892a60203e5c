"""What mathematics says about a flow before it is run: one folder for each kind of question; no claims inside.

`limits/`: where rescaled tokens go in R^d, with certificates. `sphere/`: steady states, clusters and phase diagrams.
`low_temperature/`: large β. `gaussian/`: Gaussian prompts and their fate. `heat/`: Sinkhorn attention and heat flow.
`mobility/`: the transport distance of attention. `cbo/`: consensus-based optimisation. `reduction/`: cheaper models of one run.

May import: `engine/`; its folders in the order of ARCHITECTURE.md.
Start with: `sphere/equiangular.py`, a closed form on one page.
To add a closed form or a limit: a file in the folder of its question, tested against another route in `tests/exact/`.
"""
