"""Self-attention dynamics: attention turns a measure into a velocity; a flow moves the measure."""

from importlib import import_module

__version__ = "0.1.0"

_HOME = {
    "spaces": ["Euclidean", "Sphere"],
    "measures": ["Particles", "Gaussian"],
    "attention": [
        "Softmax", "Unnormalised", "L2", "Sigmoid", "Linear", "Relu", "Linked", "Sinkhorn", "Hardmax",
        "Heads", "Causal", "Masked", "Biased",
    ],
    "normalisation": ["PostLN", "PreLN", "PeriLN", "MixLN", "NGPT", "SqrtLN"],
    "flow": ["Flow", "FeedForward", "velocity", "attention_matrix"],
    "rescaled": ["rescale"],
    "limits": ["limit"],
    "theory.claim": ["predict", "check"],
    "scenario": ["Scenario", "build"],
    "store": ["load_run"],
    "evolution": ["evolve", "evolve_batch", "layers"],
    "evolution.trajectory": ["Trajectory", "Status"],
    "initial": [
        "uniform_sphere", "uniform_ball", "uniform_cube", "gaussian", "mixture", "caps", "polygon", "simplex",
        "cross_polytope", "icosahedron", "cell_600", "equiangular", "quantile_nodes", "quadrature_nodes",
        "circle_nodes", "sphere_nodes", "gauss_hermite", "from_array", "from_file",
    ],
    "observe.energy": ["energy", "log_energy", "log_partition", "dissipation"],
    "observe.clusters": ["clusters", "cluster_counts"],
    "observe.cosines": ["cosines"],
    "observe.distances": ["wasserstein"],
    "observe.matrix": ["listening", "matrix_rank"],
    "observe.resolution": ["resolution"],
    "observe.shapes": ["hull", "in_hull", "hull_distances"],
    "draw.summary": ["summary_figure"],
    "draw.movie": ["animate"],
    "draw.style": ["save_figure"],
    "densities": [
        "Density", "density_from", "quadrature_tokens", "quantile_tokens", "random_tokens", "smoothed",
    ],
    "low_temperature": ["LowTemperatureLimit"],
    "concentration": ["check_concentration"],
    "phases": ["recognise_phases"],
    "cbo": ["CBO", "minimise"],
    "steady": [
        "steady_states", "stationarity", "stability", "minimiser", "dissipation_balance", "descend", "gradient_layers",
        "extremiser_table",
    ],
    "transport": ["transport_distance", "flux_bound"],
    "entropic.self_transport": ["self_transport"],
    "evolution.bridge": ["bridge"],
    "evolution.bridge_steps": ["Heat", "Reverse", "Surrogate", "Strang", "fokker_planck"],
    "observe.score_field": ["score_field"],
    "observe.columns": ["column_sums"],
    "closure": ["barycentre_of", "field_of", "stein_velocity"],
    "evolution.gaussian": ["evolve_projection", "gaussian_layers", "moment_velocity"],
    "fate": ["fate_of", "blow_up", "long_time", "isotropic_lines", "isotropic_subspace", "line_stability", "linear_stability"],
    "mean_field": ["mean_field_rate", "effective_share"],
    "observe.conditional": ["conditional_distance"],
    "observe.bures": ["bures"],
    "conventions": ["conventions_of"],
    "theory.stability_bounds": ["stability_bound"],
    "theory.lipschitz": ["local_lipschitz"],
    "theory.mean_shift": ["mean_shift", "kde_modes", "modes_on_line"],
}  # fmt: skip
_WHERE = {name: module for module, names in _HOME.items() for name in names}

__all__ = sorted(_WHERE)


def __getattr__(name: str):
    if name not in _WHERE:
        raise AttributeError(f"module 'attnflow' has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__():
    return __all__
