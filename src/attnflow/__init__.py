"""Self-attention dynamics: attention turns a measure into a velocity; a flow moves the measure."""

import ast
from importlib import import_module
from pathlib import Path

from .moved import follow_old_paths

__version__ = "0.2.0"

ROOMS = ("", "engine", "theory", "experiments", "interfaces")
"""Where folders of the front door stand; the empty name is the package itself."""

follow_old_paths()

_BY_FOLDER = {
    "engine.measures": ["Density", "initial"],
    "engine.measures.initial": [
        "mixture", "polygon", "uniform_ball", "uniform_cube", "caps", "simplex", "cross_polytope", "icosahedron", "cell_600",
        "equiangular", "quantile_nodes", "quadrature_nodes", "circle_nodes", "sphere_nodes", "gauss_hermite",
    ],
    "engine.measures.density": ["density_from", "quadrature_tokens", "quantile_tokens", "random_tokens", "smoothed"],
    "engine.measures.hulls": ["hull", "in_hull", "hull_distances"],
    "engine.measures.conditional": ["conditional_distance"],
    "engine.measures.bures": ["bures"],
    "engine.measures.distances": ["wasserstein"],
    "engine.attention": ["Biased", "Rotary", "Windowed", "MultiHead", "Linked"],
    "engine.flow": ["FeedForward", "LayerNorm", "RMSNorm"],
    "engine.flow.normalisation": ["PostLN", "PreLN", "PeriLN", "MixLN", "NGPT", "SqrtLN"],
    "engine.flow.gaussian_field": ["barycentre_of", "field_of", "moment_velocity", "stein_velocity"],
    "engine.flow.conventions": ["conventions_of"],
    "engine.evolution.gaussian": ["evolve_projection", "gaussian_layers"],
    "engine.observe.energy": ["log_energy", "log_partition", "dissipation"],
    "engine.observe.clusters": ["cluster_counts"],
    "engine.observe.robust_linkage": ["robust_clusters"],
    "engine.observe.merge_tree": ["merge_tree"],
    "engine.observe.matrix": ["column_sums", "listening", "matrix_rank"],
    "engine.observe.resolution": ["resolution"],
    "theory.sphere.steady": [
        "steady_states", "stationarity", "stability", "dissipation_balance", "descend", "gradient_layers", "extremiser_table",
    ],
    "theory.sphere.mean_shift": ["mean_shift", "kde_modes", "modes_on_line"],
    "theory.low_temperature.concentration": ["check_concentration"],
    "theory.low_temperature.recognise": ["recognise_phases"],
    "theory.gaussian": ["fate_of", "long_time", "isotropic_lines", "isotropic_subspace", "line_stability", "linear_stability"],
    "theory.gaussian.mean_field": ["mean_field_rate", "effective_share"],
    "theory.gaussian.stability_bounds": ["stability_bound"],
    "theory.gaussian.lipschitz": ["local_lipschitz"],
    "theory.heat.steps": ["Heat", "Reverse", "Surrogate", "Strang", "fokker_planck"],
    "theory.heat.score_field": ["score_field"],
    "theory.mobility": ["flux_bound"],
    "theory.cbo": ["minimise"],
    "models": ["reinitialised", "lyapunov"],
    "draw.movie": ["film"],
    "draw.style": ["save_figure"],
}  # fmt: skip
"""Names that belong to their folders; version 0.1 had them here, where they are still found."""


def _front_door() -> tuple[dict[str, list[str]], dict[str, str]]:
    """What the stub beside this file lists: names by the module they live in, and folders with their places."""
    names: dict[str, list[str]] = {}
    folders: dict[str, str] = {}
    for node in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            home, found = node.module or "", [alias.name for alias in node.names]
            if home in ROOMS:
                folders |= {name: f"{home}.{name}".lstrip(".") for name in found}
            else:
                names.setdefault(home, []).extend(found)
    return names, folders


_FRONT, _FOLDERS = _front_door()
_WHERE = {name: home for table in (_BY_FOLDER, _FRONT) for home, names in table.items() for name in names}

__all__ = sorted(name for names in _FRONT.values() for name in names)


def __getattr__(name: str):
    if name in _FOLDERS or name == "explore":  # a folder that can be called
        return import_module(f".{_FOLDERS.get(name, 'interfaces.explore')}", __name__)
    if name not in _WHERE:
        raise AttributeError(f"module 'attnflow' has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__():
    return sorted([*__all__, *_FOLDERS])
