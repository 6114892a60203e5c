"""Runs as plain data, on disk, many at a time, and searches among them.

`extensions.py`: what users add. `scenario/`: a run as a validated TOML table. `store/`: runs on disk, whole or refused.
`sweeps/`: a scenario over axes of values. `laboratory/`: open questions as experiments, and hunts that leave scenarios.

May import: every room above it (`engine/`, `theory/`, `models/`, `draw/`, `papers/`); its parts in this order.
Start with: `scenario/data.py`, the keys of a scenario.
To add a key: `scenario/data.py`; something a sweep measures: `sweeps/observables.py`; an open question: `laboratory/`.
"""
