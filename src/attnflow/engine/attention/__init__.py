"""Attention rules: one file each, with all that is known of it."""

from ..summation.kernel import Kernel
from .base import Attention, Scored
from .hardmax import Hardmax
from .heads import Heads
from .l2 import L2
from .linked import Linear, Linked, Relu, Sigmoid
from .masks import Biased, Causal, Masked, Windowed
from .multi_head import MultiHead
from .radial import Compact, Everyone, InverseQuadratic, Laplace, Radial
from .rotary import Rotary, Rotation, rotation
from .sinkhorn import Sinkhorn
from .softmax import Softmax
from .unnormalised import Unnormalised

RULES = (
    Softmax, Unnormalised, L2, Sigmoid, Linear, Relu, Sinkhorn, Hardmax, Laplace, InverseQuadratic, Compact, Everyone,
)  # fmt: skip
"""Every rule that stands on its own; the laws in tests/laws are checked on each of them."""
