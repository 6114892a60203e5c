"""Real Transformers: read trained weights as blocks, record hidden states, measure them against theory.

`files/`: formats of weights. `families/`: how the layers of each family of models are built. `reading.py` makes a `Model`,
`record.py` runs it on a prompt, `as_flow.py` takes one layer as a `Block`; one file for each thing measured.

May import: `engine/`, `theory/`.
Start with: `reading.py`, then `families/bert.py`.
To add a family: a file in `families/` and its line there, tested against random weights in `tests/models/`.
"""

from .alone import alone
from .as_flow import as_flow
from .checking import check_model
from .consensus import consensus
from .controls import reinitialised, shuffled
from .depth import along_depth, rogue_coordinates
from .heads_seen import attentions
from .lyapunov import lyapunov
from .model import Model
from .observed import difference, observed, same_frame
from .packages import PACKAGES
from .random_albert import random_albert
from .reading import read_model
from .record import record
from .regimes import regimes
from .spectra import spectra
