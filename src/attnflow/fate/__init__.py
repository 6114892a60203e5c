"""What becomes of a Gaussian prompt: blow-up, growth, limits and their rank, equilibria and their stability."""

from .blow_up import BlowUp, blow_up
from .equilibria import equilibrium_residual, isotropic_lines, isotropic_subspace, largest_isotropic_rank
from .long_time import LongRun, long_time
from .predictor import Fate, fate_of
from .stability import line_stability, linear_stability
