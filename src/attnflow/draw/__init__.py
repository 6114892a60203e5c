"""Pictures and films in one look; the numbers come from `engine/observe/`.

One file for each kind of picture; `diagrams/` holds pictures of more than one run.

May import: `engine/`, `theory/`, `models/`; `pictures.py` and what it imports need no JAX, so that a second process draws early.
Start with: `summary.py`, the picture of a whole run; `style.py` is the look.
To add a picture: a function that takes a run (or plain arrays) and draws on given axes, shown in `tests/interface/test_draw.py`.
"""
