"""Self-attention dynamics: attention turns a measure into a velocity; a flow moves the measure."""

from importlib import import_module

__version__ = "0.2.0"

_FRONT = {
    # where tokens live, what a prompt is
    "spaces": ["Euclidean", "Sphere"],
    "measures": ["Particles", "Gaussian", "Density"],
    "measures.initial": ["uniform_sphere", "gaussian_tokens", "mixture", "polygon", "from_array", "from_file"],
    # who listens to whom
    "attention": [
        "Softmax", "Unnormalised", "L2", "Sigmoid", "Linear", "Relu", "Sinkhorn", "Hardmax", "Heads", "Causal", "Masked",
        "Biased", "Rotary", "Windowed", "MultiHead",
    ],
    # what moves
    "flow": ["Flow", "Block", "FeedForward", "LayerNorm", "RMSNorm", "attention_matrix", "velocity"],
    "flow.normalisation": ["PostLN", "PreLN", "PeriLN", "MixLN", "NGPT", "SqrtLN"],
    "flow.rescaled": ["rescale"],
    "evolution": ["evolve", "evolve_batch", "layers", "Trajectory", "Status"],
    # what is seen
    "observe.energy": ["energy"],
    "observe.clusters": ["clusters"],
    "limits.gathering": ["gathering"],
    "observe.cosines": ["cosines"],
    "measures.distances": ["wasserstein"],
    # what theory says
    "limits.limit": ["limit"],
    "sphere.steady": ["minimiser", "steady_states"],
    "low_temperature": ["LowTemperatureLimit"],
    "gaussian": ["blow_up", "fate_of"],
    "heat.self_transport": ["self_transport"],
    "heat.bridge": ["bridge"],
    "mobility": ["transport_distance"],
    "cbo": ["CBO"],
    "papers.register": ["predict", "check", "claims", "register_paper"],
    "papers.claim": ["Claim"],
    "papers.paper": ["Paper"],
    "papers.hunt": ["falsify"],
    # real Transformers
    "models": [
        "read_model", "record", "observed", "as_flow", "consensus", "regimes", "spectra", "shuffled", "reinitialised",
        "lyapunov",
    ],
    # plain data, disk, pictures, extensions
    "scenario": ["Scenario", "build", "register_rule", "register_prompt", "register_space"],
    "store": ["load_run"],
    "sweeps.run": ["sweep"],
    "reduction.reduce": ["reduce"],
    "draw.summary": ["summary_figure"],
    "draw.movie": ["animate"],
    "draw.player": ["film"],
    "draw.style": ["save_figure"],
    "compiled_programs": ["compile_cache"],
    "explore": ["explore"],
    "errors": ["BadInput", "Notice"],
}  # fmt: skip
"""The front door: names by the folder they live in."""

_BY_FOLDER = {
    "measures": ["initial"],
    "measures.initial": [
        "uniform_ball", "uniform_cube", "caps", "simplex", "cross_polytope", "icosahedron", "cell_600", "equiangular",
        "quantile_nodes", "quadrature_nodes", "circle_nodes", "sphere_nodes", "gauss_hermite",
    ],
    "measures.density": ["density_from", "quadrature_tokens", "quantile_tokens", "random_tokens", "smoothed"],
    "measures.hulls": ["hull", "in_hull", "hull_distances"],
    "measures.conditional": ["conditional_distance"],
    "measures.bures": ["bures"],
    "attention": ["Linked"],
    "flow.gaussian_field": ["barycentre_of", "field_of", "moment_velocity", "stein_velocity"],
    "flow.conventions": ["conventions_of"],
    "evolution.gaussian": ["evolve_projection", "gaussian_layers"],
    "observe.energy": ["log_energy", "log_partition", "dissipation"],
    "observe.clusters": ["cluster_counts"],
    "observe.robust_linkage": ["robust_clusters"],
    "observe.merge_tree": ["merge_tree"],
    "observe.matrix": ["column_sums", "listening", "matrix_rank"],
    "observe.resolution": ["resolution"],
    "sphere.steady": [
        "stationarity", "stability", "dissipation_balance", "descend", "gradient_layers", "extremiser_table",
    ],
    "sphere.mean_shift": ["mean_shift", "kde_modes", "modes_on_line"],
    "low_temperature.concentration": ["check_concentration"],
    "low_temperature.recognise": ["recognise_phases"],
    "gaussian": ["long_time", "isotropic_lines", "isotropic_subspace", "line_stability", "linear_stability"],
    "gaussian.mean_field": ["mean_field_rate", "effective_share"],
    "gaussian.stability_bounds": ["stability_bound"],
    "gaussian.lipschitz": ["local_lipschitz"],
    "heat.steps": ["Heat", "Reverse", "Surrogate", "Strang", "fokker_planck"],
    "heat.score_field": ["score_field"],
    "mobility": ["flux_bound"],
    "cbo": ["minimise"],
}  # fmt: skip
"""Names of version 0.1 that now belong to their folders; they are still found here."""

_FOLDERS = ("attention", "cbo", "draw", "evolution", "flow", "gaussian", "heat", "limits", "low_temperature", "measures",
            "mobility", "models", "observe", "papers", "scenario", "sphere", "store", "summation")  # fmt: skip
_WHERE = {name: home for table in (_BY_FOLDER, _FRONT) for home, names in table.items() for name in names}

__all__ = sorted(name for names in _FRONT.values() for name in names)


def __getattr__(name: str):
    if name in _FOLDERS or name == "explore":  # a folder that can be called
        return import_module(f".{name}", __name__)
    if name not in _WHERE:
        raise AttributeError(f"module 'attnflow' has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__():
    return sorted([*__all__, *_FOLDERS])
