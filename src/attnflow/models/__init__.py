"""Real Transformers: read trained weights as blocks, record hidden states, measure them against theory."""

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
