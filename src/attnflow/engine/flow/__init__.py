"""Velocity fields: a space, an attention rule, a value matrix, and what a layer adds to them."""

from .block import Block, Branch, Sublayer, stack
from .feed_forward import ACTIVATIONS, FeedForward
from .flow import AnyFlow, Flow, VectorField, check_fits, check_flow
from .layer_norm import LayerNorm, Norm, RMSNorm
from .strategy import choose
from .velocity import attention_matrix, velocity
