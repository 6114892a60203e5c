"""Hostile arguments of every public name: an answer, or one clean line that says what is wrong; `make fuzz` tries more."""

import datetime
import decimal
import fractions
import inspect
import os
import time
import warnings
from pathlib import Path

import jax.numpy as jnp
import jaxtyping
import numpy as np
import pytest

import attnflow as af
from attnflow import cbo, flow, gaussian, heat, limits, low_temperature, mobility, models, scenario, sphere, store
from attnflow.errors import BadInput
from attnflow.interfaces.explore.widget import what_to_show
from attnflow.theory.gaussian import closed_forms
from attnflow.theory.heat import epsilon_conventions, gaussian_transport

COUNT = int(os.environ.get("ATTNFLOW_FUZZ", "120"))
PARTS = 4
SECONDS = 20.0

X = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]])
B3 = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, -1.0]])
MU, LAW, RULE = af.Particles(X), af.Gaussian(np.zeros(3), 0.1 * np.eye(3)), af.Softmax(beta=2.0)
BALL, FREE = af.Flow(af.Sphere(), RULE), af.Flow(af.Euclidean(), RULE)
TURNING = af.Flow(af.Euclidean(), af.Softmax(np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])))
DENSITY = af.Density(np.ones(64))
CIRCLE = af.Particles(X[:3, :2])
RUN = af.evolve(BALL, MU, until=1.0, save=3)
FREE_RUN = af.evolve(FREE, MU, until=0.5, save=3)
MODEL = models.random_albert(4, heads=2, depth=2, words=8)
RECORD = af.record(MODEL, [1, 2, 3, 4])
BLOCK = MODEL.layers[0]
TABLE = {"tokens": {"n": 4, "d": 3}, "time": {"until": 1.0, "save": 3}}
SCENARIO = scenario.from_dict(TABLE)
MATRIX = {"B": B3, "beta": 1.0, "Q": None, "K": None}
EVOLVED = {"until": 0.5, "save": 3, "max_steps": 4096}
COV = np.array([[0.5, 0.1], [0.1, 0.4]])


def named(paper: str = "nowhere", **given):
    """`falsify`, but never all papers."""
    return af.falsify("nowhere" if paper is None else paper, **given)


CALLS = {
    "Block": (af.Block, {"sublayers": [flow.Sublayer(RULE)]}),
    "CBO": (af.CBO, {"objective": lambda x: (x**2).sum(-1)}),
    "Causal": (af.Causal, {"rule": RULE}),
    "Flow": (af.Flow, {"space": af.Sphere(), "attention": RULE, "V": B3}),
    "Gaussian": (af.Gaussian, {"mean": np.zeros(3), "cov": np.eye(3)}),
    "Hardmax": (af.Hardmax, {"B": B3}),
    "Heads": (af.Heads, {"heads": [(RULE, B3)]}),
    "L2": (af.L2, {"B": np.eye(3)}),
    "Linear": (af.Linear, MATRIX),
    "LowTemperatureLimit": (af.LowTemperatureLimit, {"V": B3}),
    "Masked": (af.Masked, {"rule": RULE, "positions": [0.0, 0.5, 0.5, 1.0]}),
    "Particles": (af.Particles, {"x": X}),
    "Relu": (af.Relu, MATRIX),
    "Sigmoid": (af.Sigmoid, MATRIX),
    "Sinkhorn": (af.Sinkhorn, {"B": B3}),
    "Softmax": (af.Softmax, MATRIX),
    "Unnormalised": (af.Unnormalised, MATRIX),
    "animate": (af.animate, {"run": RUN, "path": "film.gif", "frames": 2, "dpi": 40}),
    "as_flow": (af.as_flow, {"model": MODEL}),
    "attention_matrix": (af.attention_matrix, {"flow": BALL, "mu": MU}),
    "blow_up": (af.blow_up, {"flow": FREE, "mu": LAW, "until": 1.0, "max_steps": 40}),
    "bridge": (af.bridge, {"mu": MU, "eps": 0.5, "steps": 2}),
    "build": (af.build, {"scenario": SCENARIO}),
    "check": (af.check, {"run": RUN, "paper": "castin2024"}),
    "claims": (af.claims, {}),
    "clusters": (af.clusters, {"mu": MU}),
    "consensus": (af.consensus, {"block": BLOCK, "most": 3}),
    "cosines": (af.cosines, {"mu": MU}),
    "energy": (af.energy, {"flow": BALL, "mu": MU}),
    "evolve": (af.evolve, {"flow": BALL, "mu": MU, **EVOLVED}),
    "evolve_batch": (af.evolve_batch, {"flows": BALL, "mus": [MU, MU], **EVOLVED}),
    "explore": (what_to_show, {"shown": BALL, "mu": MU, **EVOLVED}),
    "falsify": (named, {"paper": "nowhere", "seed": 0, "effort": 1}),
    "from_array": (af.from_array, {"x": X}),
    "from_file": (af.from_file, {"path": "tokens.npy"}),
    "gathering": (af.gathering, {"run": RUN}),
    "gaussian_tokens": (af.gaussian_tokens, {"n": 4, "d": 3}),
    "layers": (af.layers, {"flow": BALL, "mu": MU, "count": 2, "eta": 0.1}),
    "limit": (af.limit, {"flow": FREE, "mu": MU, "until": 2.0}),
    "load_run": (af.load_run, {"path": "nowhere"}),
    "minimiser": (af.minimiser, {"B": -np.eye(2)}),
    "observed": (af.observed, {"array": np.stack([X, X])}),
    "predict": (af.predict, {"flow": BALL, "mu": MU, "paper": "castin2024"}),
    "read_model": (af.read_model, {"source": "nowhere"}),
    "record": (af.record, {"model": MODEL, "prompt": [1, 2, 3, 4]}),
    "reduce": (af.reduce, {"flow": BALL, "mu": MU, "until": 1.0}),
    "regimes": (af.regimes, {"model": MODEL, "run": RECORD}),
    "register_paper": (af.register_paper, {"paper": None}),
    "register_prompt": (af.register_prompt, {"name": "two words", "function": len}),
    "register_rule": (af.register_rule, {"name": "two words", "rule": af.Softmax}),
    "register_space": (af.register_space, {"name": "two words", "space": af.Sphere}),
    "rescale": (af.rescale, {"flow": FREE}),
    "self_transport": (af.self_transport, {"mu": X, "eps": 0.5}),
    "shuffled": (af.shuffled, {"model": MODEL}),
    "spectra": (af.spectra, {"model": MODEL, "run": RECORD}),
    "summary_figure": (af.summary_figure, {"run": RUN}),
    "sweep": (af.sweep, {"scenario": TABLE, "axes": {"seed": [0, 1]}, "on": "serial"}),
    "transport_distance": (
        af.transport_distance,
        {"mu0": CIRCLE, "mu1": CIRCLE, "B": np.eye(2), "intervals": 4, "pieces": 2},
    ),
    "uniform_sphere": (af.uniform_sphere, {"n": 4, "d": 3}),
    "velocity": (af.velocity, {"flow": BALL, "mu": MU}),
    "Density": (af.Density, {"values": np.ones(64)}),
    "mixture": (af.mixture, {"n": 4, "weights": [0.5, 0.5], "means": [[0.0, 1.0], [1.0, 0.0]], "covs": [1.0, 2.0]}),
    "polygon": (af.polygon, {"n": 4}),
    "uniform_ball": (af.uniform_ball, {"n": 4, "d": 3}),
    "uniform_cube": (af.uniform_cube, {"n": 4, "d": 3}),
    "caps": (af.caps, {"n": 4, "d": 3, "centres": X[:2], "angle": 0.1}),
    "simplex": (af.simplex, {"d": 3}),
    "cross_polytope": (af.cross_polytope, {"d": 3}),
    "equiangular": (af.equiangular, {"n": 3, "d": 3, "cos": 0.2}),
    "quantile_nodes": (af.quantile_nodes, {"n": 4}),
    "quadrature_nodes": (af.quadrature_nodes, {"density": lambda x: 1 + np.cos(x), "n": 4, "low": 0.0, "high": 1.0}),
    "circle_nodes": (af.circle_nodes, {"n": 4}),
    "sphere_nodes": (af.sphere_nodes, {"rings": 2, "azimuths": 3}),
    "gauss_hermite": (af.gauss_hermite, {"law": LAW, "order": 2}),
    "density_from": (af.density_from, {"function": lambda x: 1 + x[..., 0] ** 2, "size": 64}),
    "quadrature_tokens": (af.quadrature_tokens, {"rho": DENSITY}),
    "quantile_tokens": (af.quantile_tokens, {"rho": DENSITY, "n": 4}),
    "random_tokens": (af.random_tokens, {"rho": DENSITY, "n": 4, "seed": 0}),
    "smoothed": (af.smoothed, {"mu": CIRCLE, "size": 64}),
    "hull": (af.hull, {"x": X}),
    "in_hull": (af.in_hull, {"points": X, "x": X}),
    "hull_distances": (af.hull_distances, {"points": X, "x": X}),
    "conditional_distance": (af.conditional_distance, {"mu": MU, "nu": MU, "positions": [0, 0, 1, 1]}),
    "bures": (af.bures, {"mu": LAW, "nu": LAW}),
    "wasserstein": (af.wasserstein, {"mu": MU, "nu": MU}),
    "Biased": (af.Biased, {"rule": RULE, "slope": 0.1}),
    "Rotary": (af.Rotary, {"rule": RULE, "turn": af.attention.rotation(2)}),
    "rotation": (af.attention.rotation, {"width": 2}),
    "Windowed": (af.Windowed, {"rule": RULE, "width": 2}),
    "MultiHead": (
        af.MultiHead,
        {"Q": np.ones((1, 3, 3)), "K": np.ones((1, 3, 3)), "V": np.ones((1, 3, 3)), "W": np.ones((1, 3, 3))},
    ),
    "Linked": (af.Linked, {"link": jnp.tanh, "B": B3}),
    "FeedForward": (af.FeedForward, {"w": B3, "a": B3}),
    "LayerNorm": (af.LayerNorm, {"gain": np.ones(3)}),
    "RMSNorm": (af.RMSNorm, {"gain": np.ones(3)}),
    "MixLN": (af.MixLN, {"tau": 0.5}),
    "NGPT": (af.NGPT, {"alpha": 0.5}),
    "barycentre_of": (af.barycentre_of, {"rule": RULE, "g": LAW}),
    "field_of": (af.field_of, {"flow": FREE, "g": LAW}),
    "moment_velocity": (af.moment_velocity, {"flow": FREE, "mu": LAW}),
    "stein_velocity": (af.stein_velocity, {"flow": FREE, "g": LAW, "x": X}),
    "conventions_of": (af.conventions_of, {"flow": FREE}),
    "evolve_projection": (af.evolve_projection, {"flow": FREE, "mu": LAW, **EVOLVED}),
    "gaussian_layers": (af.gaussian_layers, {"flow": FREE, "mu": LAW, "count": 2, "eta": 0.1}),
    "log_energy": (af.log_energy, {"flow": BALL, "mu": MU}),
    "log_partition": (af.log_partition, {"flow": BALL, "mu": MU}),
    "dissipation": (af.dissipation, {"flow": BALL, "mu": MU}),
    "cluster_counts": (af.cluster_counts, {"run": RUN}),
    "robust_clusters": (af.robust_clusters, {"mu": MU}),
    "merge_tree": (af.merge_tree, {"ts": [0.0, 1.0], "labels": [[0, 1], [0, 0]], "mass": [0.5, 0.5]}),
    "column_sums": (af.column_sums, {"flow": BALL, "mu": MU}),
    "listening": (af.listening, {"flow": BALL, "mu": MU}),
    "matrix_rank": (af.matrix_rank, {"P": np.full((4, 4), 0.25)}),
    "resolution": (af.resolution, {"flow": BALL, "mu": MU}),
    "steady_states": (af.steady_states, {"B": B3}),
    "stationarity": (af.stationarity, {"B": B3, "mu": MU}),
    "stability": (af.stability, {"flow": BALL, "mu": af.Particles([[1.0, 0.0, 0.0]])}),
    "dissipation_balance": (af.dissipation_balance, {"run": RUN}),
    "descend": (af.descend, {"B": -1.0, "d": 2, "n": 4, "layers": 2}),
    "gradient_layers": (af.gradient_layers, {"flow": BALL, "mu": MU, "count": 2}),
    "mean_shift": (af.mean_shift, {"mu": MU, "beta": 2.0, "until": 0.5}),
    "kde_modes": (af.kde_modes, {"mu": MU, "beta": 2.0}),
    "modes_on_line": (af.modes_on_line, {"samples": [0.0, 1.0, 3.0], "beta": 2.0}),
    "check_concentration": (
        af.check_concentration,
        {"V": B3, "x": X, "betas": [4.0, 8.0], "until": 0.5, "save": 3},
    ),
    "recognise_phases": (af.recognise_phases, {"run": RUN}),
    "fate_of": (af.fate_of, {"flow": FREE, "mu": LAW, "until": 1.0}),
    "long_time": (af.long_time, {"flow": FREE, "mu": LAW, "until": 1.0, "max_steps": 40}),
    "isotropic_lines": (af.isotropic_lines, {"B": np.diag([1.0, -1.0])}),
    "isotropic_subspace": (af.isotropic_subspace, {"B": B3, "rank": 1, "tries": 2}),
    "line_stability": (af.line_stability, {"flow": TURNING, "l": [1.0, 0.0, 0.0], "size": 0.5}),
    "linear_stability": (af.linear_stability, {"flow": FREE, "mu": LAW}),
    "mean_field_rate": (af.mean_field_rate, {"flow": FREE, "mu": LAW, "counts": [4, 8], "until": 0.2, "repeats": 1}),
    "effective_share": (af.effective_share, {"flow": FREE, "mu": LAW, "x": X}),
    "stability_bound": (af.stability_bound, {"flow": FREE, "radius": 1.0, "d": 3, "horizon": 0.5}),
    "local_lipschitz": (af.local_lipschitz, {"flow": FREE, "mu": MU}),
    "Heat": (af.Heat, {"fraction": 0.5}),
    "Surrogate": (af.Surrogate, {"log_ratio": lambda x: 0.0 * x[..., 0]}),
    "Strang": (af.Strang, {"drift": lambda x: -x}),
    "fokker_planck": (af.fokker_planck, {"log_nu": lambda x: 0.0 * x[..., 0], "theta": -1}),
    "score_field": (af.score_field, {"mu": MU, "eps": 0.5}),
    "flux_bound": (
        af.flux_bound,
        {"rho0": lambda a: 1 + 0 * a, "rho1": lambda a: 1 + 0.5 * np.cos(a), "B": np.eye(2), "nodes": 16, "times": 4},
    ),
    "minimise": (af.minimise, {"cbo": af.CBO(lambda x: (x**2).sum(-1)), "d": 3, "n": 4, "steps": 2}),
    "reinitialised": (af.reinitialised, {"model": MODEL}),
    "lyapunov": (af.lyapunov, {"block": BLOCK, "run": RECORD, "count": 1}),
    "film": (af.film, {"run": RUN, "frames": 2, "dpi": 40}),
    "save_figure": (af.save_figure, {"figure": None, "path": "figure.png"}),
}  # fmt: skip
"""Every public name with a call that makes sense, or with one that is refused at once."""

FOLDERS = {
    "cbo.consensus": (cbo.consensus, {"cbo": af.CBO(lambda x: (x**2).sum(-1)), "x": X}),
    "cbo.consensus_of": (cbo.consensus_of, {"flow": BALL}),
    "cbo.drift": (cbo.drift, {"cbo": af.CBO(lambda x: (x**2).sum(-1)), "x": X}),
    "cbo.gaussian_of_dot": (cbo.gaussian_of_dot, {"rule": RULE}),
    "cbo.geometric": (cbo.geometric, {"start": 1.0, "rate": 1.1}),
    "flow.stack": (flow.stack, {"blocks": [BLOCK, BLOCK]}),
    "flow.Sublayer": (flow.Sublayer, {"part": RULE}),
    "closed_forms.softmax_identity": (closed_forms.softmax_identity, {"B": np.eye(2), "cov": COV, "t": 0.5}),
    "closed_forms.softmax_identity_blow_up": (closed_forms.softmax_identity_blow_up, {"B": np.eye(2), "cov": COV}),
    "closed_forms.softmax_identity_limit": (closed_forms.softmax_identity_limit, {"B": -np.eye(2), "cov": COV}),
    "closed_forms.riccati": (closed_forms.riccati, {"B": np.eye(2), "W": np.eye(2), "cov": COV, "t": 0.5}),
    "closed_forms.bures_energy": (closed_forms.bures_energy, {"B": np.eye(2), "cov": COV}),
    "closed_forms.unnormalised_blow_up": (closed_forms.unnormalised_blow_up, {"a": 1.0, "r0": 0.5}),
    "gaussian.equilibrium_residual": (gaussian.equilibrium_residual, {"flow": FREE, "mu": LAW}),
    "gaussian.largest_isotropic_rank": (gaussian.largest_isotropic_rank, {"B": B3}),
    "heat.GaussianMixture": (heat.GaussianMixture, {"weights": [1.0], "means": [[0.0, 0.0]], "covs": [COV]}),
    "heat.beta": (epsilon_conventions.beta, {"eps": 0.5}),
    "heat.bary_matrix": (gaussian_transport.bary_matrix, {"cov": COV, "eps": 0.5}),
    "heat.value": (gaussian_transport.value, {"cov": COV, "eps": 0.5}),
    "heat.heat_variance": (gaussian_transport.heat_variance, {"lam": 0.5, "eps": 0.5, "steps": 2}),
    "heat.swap_plan": (heat.swap_plan, {"x": X, "eps": 0.5, "swaps": 40, "burn_in": 4, "record": 4}),
    "limits.classify": (limits.classify, {"V": B3, "d": 3}),
    "limits.enumerate_limits": (limits.enumerate_limits, {"vertices": X[:3, :2]}),
    "limits.escape_level": (limits.escape_level, {"n": 3}),
    "limits.exceptional_row": (limits.exceptional_row, {"z": X[:, 0], "mass": np.full(4, 0.25), "token": 0}),
    "limits.is_possible_limit": (limits.is_possible_limit, {"vertices": X[:3, :2]}),
    "limits.pair_limit": (limits.pair_limit, {"e": 0.5}),
    "limits.repelled_pair": (limits.repelled_pair, {"t": 0.5}),
    "limits.symmetric_triple_limit": (limits.symmetric_triple_limit, {"u0": 0.5}),
    "low_temperature.cluster_variance": (low_temperature.cluster_variance, {"v0": 0.5, "t": 0.1, "beta": 4.0}),
    "low_temperature.dominant_space": (low_temperature.dominant_space, {"A": B3}),
    "low_temperature.first_collapse": (low_temperature.first_collapse, {"deviations": [0.1, 0.2], "beta": 4.0}),
    "low_temperature.heat_variance": (low_temperature.heat_variance, {"v0": 0.5, "t": 0.1, "beta": 4.0}),
    "low_temperature.laplace_bound": (low_temperature.laplace_bound, {"x": X, "y": X, "B": np.eye(3), "beta": 4.0}),
    "low_temperature.terminal_phase": (low_temperature.terminal_phase, {"V": B3, "B": B3, "v": X[0]}),
    "low_temperature.uniform_length": (low_temperature.uniform_length, {"kappa": 2.0, "d": 3}),
    "mobility.dirac_length": (mobility.dirac_length, {"B": np.eye(2), "a": 0.0, "b": 1.0}),
    "mobility.splitting_onset": (mobility.splitting_onset, {"lam": 1.0}),
    "models.alone": (models.alone, {"model": MODEL, "run": RECORD}),
    "models.check_model": (models.check_model, {"model": MODEL}),
    "models.along_depth": (models.along_depth, {"run": RECORD}),
    "models.rogue_coordinates": (models.rogue_coordinates, {"model": MODEL, "run": RECORD}),
    "models.difference": (models.difference, {"run": RECORD, "other": RECORD}),
    "models.random_albert": (models.random_albert, {"d": 4, "heads": 2, "depth": 2, "words": 8}),
    "scenario.dumps": (scenario.dumps, {"scenario": SCENARIO}),
    "scenario.from_dict": (scenario.from_dict, {"table": TABLE}),
    "scenario.load": (scenario.load, {"path": "nowhere"}),
    "scenario.loads": (scenario.loads, {"words": ""}),
    "scenario.with_values": (scenario.with_values, {"scenario": SCENARIO, "settings": ["seed=1"]}),
    "sphere.best_direction": (sphere.best_direction, {"x": X}),
    "sphere.caps_of": (sphere.caps_of, {"x": X, "centres": X[:2], "beta": 4.0}),
    "sphere.cluster_rates": (sphere.cluster_rates, {"B": B3}),
    "sphere.dissipated_power": (sphere.dissipated_power, {"flow": BALL, "mu": MU}),
    "equiangular.rate": (sphere.equiangular.rate, {"rho": 0.5, "n": 4, "beta": 2.0}),
    "equiangular.time_to": (sphere.equiangular.time_to, {"rho": 0.5, "n": 4, "beta": 2.0}),
    "equiangular.cosine": (sphere.equiangular.cosine, {"t": 0.5, "n": 4, "beta": 2.0}),
    "equiangular.layers_to": (sphere.equiangular.layers_to, {"rho": 0.5, "n": 4, "beta": 2.0, "eta": 0.1}),
    "sphere.interaction_energy": (sphere.interaction_energy, {"x": X, "mass": np.full(4, 0.25), "B": B3}),
    "long_context.critical_gamma": (sphere.long_context.critical_gamma, {"rho": 0.5}),
    "mean_shift.score": (sphere.mean_shift.score, {"x": X, "mu": MU, "beta": 2.0}),
    "sphere.merging_time": (sphere.merging_time, {"theta0": 1.0, "beta": 2.0}),
    "noisy_circle.onset": (sphere.noisy_circle.onset, {"beta": 1.0}),
    "noisy_circle.ordered_law": (sphere.noisy_circle.ordered_law, {"kappa": 0.1, "beta": 1.0}),
    "noisy_sphere.critical_noise": (sphere.noisy_sphere.critical_noise, {"d": 3, "beta": 1.0}),
    "sphere.renyi_centres": (sphere.renyi_centres, {"x": X, "delta": 0.5}),
    "sharp_configurations.energy": (sphere.sharp_configurations.energy, {"x": X, "beta": 1.0}),
    "sharp_configurations.is_sharp": (sphere.sharp_configurations.is_sharp, {"x": X}),
    "staircase.energy": (sphere.staircase.energy, {"theta": [0.0, 1.0], "beta": 2.0}),
    "staircase.jumps": (sphere.staircase.jumps, {"theta": [0.0, 1.0], "beta": 2.0}),
    "sphere.strong_centres": (sphere.strong_centres, {"delta": 0.5, "d": 2}),
    "sphere.structure": (sphere.structure, {"flow": BALL, "d": 3}),
    "two_clusters.merging_law": (sphere.two_clusters.merging_law, {"theta0": 1.0, "beta": 2.0}),
    "uniform_law.growth": (sphere.uniform_law.growth, {"degree": 2, "beta": 2.0}),
    "uniform_law.fastest": (sphere.uniform_law.fastest, {"beta": 2.0}),
    "uniform_law.critical_kappa": (sphere.uniform_law.critical_kappa, {"beta": 2.0}),
    "sphere.wendel": (sphere.wendel, {"n": 4, "d": 3}),
    "store.find_result": (store.find_result, {"path": "nowhere"}),
    "store.load": (store.load, {"path": "nowhere"}),
    "store.to_xarray": (store.to_xarray, {"run": RUN}),
    "store.trajectory_of": (store.trajectory_of, {"dataset": store.to_xarray(RUN)}),
    "store.write": (store.write, {"dataset": store.to_xarray(RUN), "path": "nowhere"}),
}
"""Functions of folders, beyond the front door."""

HOSTILE = (
    lambda: None, lambda: True, lambda: False, lambda: 0, lambda: 1, lambda: 2, lambda: -1, lambda: 10**15, lambda: 2**63,
    lambda: 10**400, lambda: -(10**400), lambda: 0.0, lambda: 0.5, lambda: -0.5, lambda: 1.0, lambda: float("nan"),
    lambda: float("inf"), lambda: -float("inf"), lambda: 1e308, lambda: -1e308, lambda: 1e200, lambda: 1e15, lambda: 1e-320,
    lambda: 1e-200, lambda: 1j, lambda: np.float32(2), lambda: np.int64(3), lambda: np.array(2.0), lambda: np.array([2.0]),
    lambda: np.bool_(True), lambda: jnp.asarray(0.5), lambda: jnp.ones(3), lambda: fractions.Fraction(1, 3),
    lambda: decimal.Decimal("0.5"),
    lambda: "", lambda: "x", lambda: "auto", lambda: "\x1b[31m\nred", lambda: "\0", lambda: "é" * 5000, lambda: b"x",
    lambda: bytearray(b"x"),
    lambda: Path("nowhere"), lambda: Path("/dev/null"), lambda: Path("/"), lambda: "/proc/self/mem/x",
    lambda: [], lambda: [[]], lambda: [1, [2]], lambda: [1, 2, 3], lambda: [0.0, 0.0, 0.0], lambda: [None], lambda: ["a", "b"],
    lambda: [float("nan")], lambda: [True, False], lambda: (), lambda: (1.0,), lambda: (MU, MU), lambda: [BALL],
    lambda: range(3), lambda: {1, 2}, lambda: {}, lambda: {"x": 1}, lambda: {1: 2}, lambda: iter([1.0]),
    lambda: (i for i in range(3)), lambda: lambda *given: "x", lambda: lambda *given: np.ones(7),
    lambda: lambda *given: float("nan"), lambda: lambda *given: None, lambda: object(), lambda: np,
    lambda: ..., lambda: ValueError("x"), lambda: datetime.date(2020, 1, 1),
    lambda: X, lambda: X.T, lambda: X[:0], lambda: X[:, :0], lambda: X[:1], lambda: X[:, :2], lambda: X[:, :1], lambda: X[0],
    lambda: X[None], lambda: X[:, :, None, None], lambda: X + 1j, lambda: X.astype(object), lambda: X.astype("float32"),
    lambda: X.astype("float16"), lambda: X.astype(int), lambda: X.astype(bool), lambda: X.astype(str),
    lambda: np.full((4, 3), None), lambda: np.full((4, 3), np.nan), lambda: X * np.inf, lambda: 0 * X, lambda: 1e308 * X,
    lambda: 1e200 * X, lambda: 1e-200 * X, lambda: 1e-320 * X, lambda: np.ma.masked_greater(X, 0.7),
    lambda: np.array(["2020"] * 3, "datetime64[Y]"), lambda: np.array([1, 2], "timedelta64[s]"), lambda: np.zeros(3, "i4,f8"),
    lambda: np.array([10**400, 1]), lambda: np.matrix(np.eye(3)), lambda: jnp.asarray(X), lambda: X[::-1, ::-1],
    lambda: B3, lambda: np.eye(3), lambda: np.eye(2), lambda: np.zeros((3, 3)), lambda: -np.eye(3), lambda: np.diag([1.0, 0, 0]),
    lambda: np.array([[0.0, 1, 0], [0, 0, 1], [0, 0, 0]]), lambda: np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 0]]),
    lambda: 1e308 * np.eye(3), lambda: 1e200 * np.eye(3), lambda: 1e-200 * np.eye(3), lambda: np.full((3, 3), np.nan),
    lambda: np.ones((1, 1)), lambda: np.eye(7), lambda: np.full(4, 0.25), lambda: np.array([0.5, 0.6, 0.2, 0.1]),
    lambda: [-1.0, 1.0, 0.5, 0.5], lambda: [1e308] * 4, lambda: [0, 0, 1, 1],
    lambda: MU, lambda: CIRCLE, lambda: af.Particles([[0.0, 0.0, 0.0]]), lambda: af.Particles(1e200 * X),
    lambda: af.Particles(X[:1]), lambda: af.Particles(X.astype("float32")), lambda: af.Particles([[1.0], [2.0]]),
    lambda: af.Particles(X, mass=[1.0, 0.0, 0.0, 0.0]), lambda: af.Particles(X[[0, 0, 0, 0]]),
    lambda: LAW, lambda: af.Gaussian(np.zeros(3), np.zeros((3, 3))), lambda: af.Gaussian(np.zeros(2), np.eye(2)),
    lambda: af.Gaussian(np.full(3, 1e200), 1e200 * np.eye(3)), lambda: DENSITY, lambda: BALL, lambda: FREE,
    lambda: af.Flow(af.Euclidean(), af.L2()), lambda: af.Flow(af.Euclidean(), af.Sinkhorn(eps=0.5)),
    lambda: af.Flow(af.Sphere(), af.Hardmax()), lambda: af.Flow(af.Sphere(), af.Sigmoid()),
    lambda: af.Flow(af.Sphere(), af.Causal(RULE)), lambda: af.Flow(af.Sphere(), af.Unnormalised(1e200 * np.eye(3))),
    lambda: af.Flow(af.Euclidean(), RULE, V=np.eye(2)), lambda: af.Flow(af.Sphere(), af.Softmax(B=lambda t: t)),
    lambda: af.Flow(af.Sphere(), RULE, noise=0.3), lambda: af.Flow(af.Sphere(), RULE, normalisation=af.PreLN()),
    lambda: af.Flow(af.Sphere(), RULE, feed_forward=af.FeedForward()), lambda: af.Flow(af.Euclidean(), af.Heads([(RULE, B3)])),
    lambda: af.rescale(FREE), lambda: BLOCK, lambda: MODEL, lambda: RUN, lambda: FREE_RUN, lambda: RECORD,
    lambda: af.evolve_batch(BALL, [MU, MU], until=1.0, save=3), lambda: SCENARIO, lambda: TABLE, lambda: RULE,
    lambda: af.Sphere(), lambda: af.Euclidean(), lambda: af.Hardmax(), lambda: af.CBO(lambda x: (x**2).sum(-1)),
    lambda: af.PreLN(),
)  # fmt: skip
"""What could stand where something else is wanted; made afresh, since some can be read only once."""


def arguments(function) -> list[str]:
    """The names of what a function takes."""
    wrong = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [name for name, parameter in inspect.signature(function).parameters.items() if parameter.kind not in wrong]


def attack(seed: int) -> tuple[str, dict]:
    """A call with one argument, sometimes two, that may be anything."""
    rng = np.random.default_rng(seed)
    table = CALLS | FOLDERS
    name = list(table)[rng.integers(len(table))]
    function, valid = table[name]
    names = list(dict.fromkeys([*valid, *arguments(function)]))
    chosen = rng.choice(names, size=min(len(names), 1 + (rng.random() < 0.15)), replace=False)
    return name, valid | {str(argument): HOSTILE[rng.integers(len(HOSTILE))]() for argument in chosen}


def answered(name: str, given: dict) -> bool:
    """Call it; False where it is refused in one clean line."""
    began = time.process_time()
    try:
        (CALLS | FOLDERS)[name][0](**given)
    except (
        jaxtyping.TypeCheckError
    ):  # of the engine's annotations, which only tests look at, and before the call itself
        return False
    except BadInput as refusal:
        line = str(refusal)
        assert line.isprintable() and 0 < len(line) <= 200, line
        return False
    finally:
        assert time.process_time() - began < SECONDS
    return True


@pytest.mark.parametrize("part", range(PARTS))
def test_a_hostile_argument_is_answered_or_refused(part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for seed in range(part, COUNT, PARTS):
        name, given = attack(seed)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answered(name, given)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {name}") from error


def test_every_public_name_is_attacked():
    spared = {
        "BadInput", "Notice", "Claim", "Paper", "Scenario", "Status", "Trajectory", "Euclidean", "Sphere", "compile_cache",
    }  # fmt: skip
    assert set(af.__all__) <= CALLS.keys() | spared
