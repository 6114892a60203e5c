"""Self-attention dynamics: attention turns a measure into a velocity; a flow moves the measure."""

import ast
from importlib import import_module
from pathlib import Path

__version__ = "0.2.0"

_BY_FOLDER = {
    "measures": ["Density", "initial"],
    "measures.initial": [
        "mixture", "polygon", "uniform_ball", "uniform_cube", "caps", "simplex", "cross_polytope", "icosahedron", "cell_600",
        "equiangular", "quantile_nodes", "quadrature_nodes", "circle_nodes", "sphere_nodes", "gauss_hermite",
    ],
    "measures.density": ["density_from", "quadrature_tokens", "quantile_tokens", "random_tokens", "smoothed"],
    "measures.hulls": ["hull", "in_hull", "hull_distances"],
    "measures.conditional": ["conditional_distance"],
    "measures.bures": ["bures"],
    "measures.distances": ["wasserstein"],
    "attention": ["Biased", "Rotary", "Windowed", "MultiHead", "Linked"],
    "flow": ["FeedForward", "LayerNorm", "RMSNorm"],
    "flow.normalisation": ["PostLN", "PreLN", "PeriLN", "MixLN", "NGPT", "SqrtLN"],
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
        "steady_states", "stationarity", "stability", "dissipation_balance", "descend", "gradient_layers", "extremiser_table",
    ],
    "sphere.mean_shift": ["mean_shift", "kde_modes", "modes_on_line"],
    "low_temperature.concentration": ["check_concentration"],
    "low_temperature.recognise": ["recognise_phases"],
    "gaussian": ["fate_of", "long_time", "isotropic_lines", "isotropic_subspace", "line_stability", "linear_stability"],
    "gaussian.mean_field": ["mean_field_rate", "effective_share"],
    "gaussian.stability_bounds": ["stability_bound"],
    "gaussian.lipschitz": ["local_lipschitz"],
    "heat.steps": ["Heat", "Reverse", "Surrogate", "Strang", "fokker_planck"],
    "heat.score_field": ["score_field"],
    "mobility": ["flux_bound"],
    "cbo": ["minimise"],
    "models": ["reinitialised", "lyapunov"],
    "draw.movie": ["film"],
    "draw.style": ["save_figure"],
}  # fmt: skip
"""Names that belong to their folders; version 0.1 had them here, where they are still found."""


def _front_door() -> dict[str, list[str]]:
    """The names that the stub beside this file lists, by the module they live in; folders by the empty name."""
    found: dict[str, list[str]] = {}
    for node in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            found.setdefault(node.module or "", []).extend(alias.name for alias in node.names)
    return found


_FRONT = _front_door()
_FOLDERS = _FRONT.pop("")
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
