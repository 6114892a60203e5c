r"""Rescaled runs to late times, where softmax becomes hard: anchors, ties, and tokens that slide along them.

- `journey.py` is the run: it changes anchors, follows rows along ties (`ties.py` finds which) and goes on after each event.
  `ordinary.py` brings ordinary runs here: only those that spend a thousand steps or get stuck.
- `anchored.py`: tokens that come close to each other are kept as offsets $x_i - x_a$ from an anchor.
- A softmax row on a tie is integrated by implicit steps (`stiff.py`): explicit steps would shrink like the layer around the tie.
- Once rounding is wider than that layer, and for hardmax rows always, its weights are those that keep the tie, a small linear
  system (`sliding.py`); rows that depend on each other are solved together (`game.py`). This is Filippov's sliding mode.
- Where all scores vanish, more tokens are tied than the tie can tell apart: the weights are those of largest entropy
  (`pressed.py`); hardmax rows rest there (`rest.py`).
- Where a tie ceases to attract its row, the row leaves it, or the run stops if both sides are open (`folds.py`).
"""
