# fmt: off
"""The front door, in groups: the one list of its names, read by editors, and by `__init__.py` when a name is asked for."""

# where tokens live, what a prompt is
from .engine.spaces import Euclidean as Euclidean, Sphere as Sphere
from .engine.measures import Particles as Particles, Gaussian as Gaussian
from .engine.measures.initial import (
    uniform_sphere as uniform_sphere, gaussian_tokens as gaussian_tokens, from_array as from_array,
    from_file as from_file,
)

# who listens to whom
from .engine.attention import (
    Softmax as Softmax, Unnormalised as Unnormalised, L2 as L2, Sigmoid as Sigmoid, Linear as Linear, Relu as Relu,
    Sinkhorn as Sinkhorn, Hardmax as Hardmax, Heads as Heads, Causal as Causal, Masked as Masked,
)

# what moves
from .engine.flow import Flow as Flow, Block as Block, attention_matrix as attention_matrix, velocity as velocity
from .engine.flow.rescaled import rescale as rescale
from .engine.evolution import (
    evolve as evolve, evolve_batch as evolve_batch, layers as layers, Trajectory as Trajectory, Status as Status,
)

# what is seen
from .engine.observe.energy import energy as energy
from .engine.observe.clusters import clusters as clusters
from .theory.limits.gathering import gathering as gathering
from .engine.observe.cosines import cosines as cosines

# what theory says
from .theory.limits.limit import limit as limit
from .theory.sphere.steady import minimiser as minimiser
from .theory.low_temperature import LowTemperatureLimit as LowTemperatureLimit
from .theory.gaussian import blow_up as blow_up
from .theory.heat.self_transport import self_transport as self_transport
from .theory.heat.bridge import bridge as bridge
from .theory.mobility import transport_distance as transport_distance
from .theory.cbo import CBO as CBO
from .papers.register import predict as predict, check as check, claims as claims, register_paper as register_paper
from .papers.claim import Claim as Claim
from .papers.paper import Paper as Paper
from .papers.hunt import falsify as falsify

# real Transformers
from .models import (
    read_model as read_model, record as record, observed as observed, as_flow as as_flow, consensus as consensus,
    regimes as regimes, spectra as spectra, shuffled as shuffled,
)

# plain data, disk, pictures, extensions
from .experiments.scenario import (
    Scenario as Scenario, build as build, register_rule as register_rule, register_prompt as register_prompt,
    register_space as register_space,
)
from .experiments.store import load_run as load_run
from .experiments.sweeps.run import sweep as sweep
from .theory.reduction.reduce import reduce as reduce
from .draw.summary import summary_figure as summary_figure
from .draw.movie import animate as animate
from .engine.programs import compile_cache as compile_cache
from .interfaces.explore import explore as explore
from .errors import BadInput as BadInput, Notice as Notice

# folders, for all the rest
from . import draw as draw, models as models, papers as papers
from .engine import (
    attention as attention, evolution as evolution, flow as flow, measures as measures, observe as observe,
    summation as summation,
)
from .theory import (
    cbo as cbo, gaussian as gaussian, heat as heat, limits as limits, low_temperature as low_temperature,
    mobility as mobility, sphere as sphere,
)
from .experiments import scenario as scenario, store as store
