"""Evolution in time: integrators, discrete layers, merging, noise, batches, checkpoints."""

from .batch import evolve_batch
from .layers import layers
from .options import Options, checked
from .run import evolve
from .trajectory import Status, Trajectory
