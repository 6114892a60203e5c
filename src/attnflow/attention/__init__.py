"""Who listens to whom."""

from ..kernel import Kernel
from .base import Attention
from .hardmax import Hardmax
from .heads import Heads
from .l2 import L2
from .linked import Linear, Linked, Relu, Sigmoid
from .masks import Biased, Causal, Masked
from .sinkhorn import Sinkhorn
from .softmax import Softmax
from .unnormalised import Unnormalised

RULES = (Softmax, Unnormalised, L2, Sigmoid, Linear, Relu, Sinkhorn, Hardmax)
"""Every rule that stands on its own; the laws in tests/laws are checked on each of them."""
