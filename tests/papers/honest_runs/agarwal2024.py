import numpy as np

import attnflow as af


def nodes(density, eps, *, reach=9.0, ratio=0.3):
    return af.quadrature_nodes(density, int(2 * reach / (ratio * np.sqrt(eps))) + 1, low=-reach, high=reach)


def normal(variance):
    return lambda x: np.exp(-(x**2) / (2 * variance))


def mixture(variance, centre=2.0):
    return lambda x: np.exp(-((x - centre) ** 2) / (2 * variance)) + np.exp(-((x + centre) ** 2) / (2 * variance))


def line(density, eps, *, ratio=0.3, **options):
    return lambda: af.bridge(nodes(density, eps, ratio=ratio), eps, is_sampled=False, **options)


def plane(step=None, eps=0.2, steps=4):
    """An anisotropic Gaussian in the plane by product nodes."""
    side = np.linspace(-5, 5, 33)
    x = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    mass = np.exp(-(x[:, 0] ** 2) / 2 - x[:, 1] ** 2 / 1.2)
    return lambda: af.bridge(af.Particles(x, mass), eps, steps=steps, step=step, is_sampled=False)


def samples(n, d, eps, **options):
    x = np.random.default_rng(3).normal(size=(n, d))
    return lambda: af.bridge(x, eps, **options)


def circle(density, eps, *, n=200, **options):
    return lambda: af.bridge(af.circle_nodes(n, density=density), eps, space=af.Sphere(), is_sampled=False, **options)


def cap(width):
    return lambda theta: np.exp(np.cos(theta) / width)


HEAT = [
    line(normal(1.0), 0.1, steps=10),
    line(mixture(0.05), 0.1, until=1.0, ratio=0.15),
    line(mixture(0.01), 0.1, until=1.0, ratio=0.1),
    line(mixture(1.0), 0.1, until=5.0, save=10),
    line(lambda x: mixture(0.02, 3.0)(x) + np.exp(-(x**2) / 4), 0.1, until=1.0, ratio=0.1, tol=1e-6),
    line(lambda x: np.exp(-np.abs(x)), 0.2, until=1.0),
    plane(),
    samples(400, 1, 0.1, steps=10),
    samples(3, 2, 0.1, steps=3),
    samples(2, 1, 5.0, steps=3),
    samples(50, 20, 0.1, steps=2),
]
SPHERE = [
    circle(lambda theta: np.exp(np.cos(theta)), 0.1, steps=8),
    circle(cap(0.05), 0.02, until=0.2),
    circle(cap(0.02), 0.1, until=0.5, n=400),
    circle(lambda theta: np.exp(np.cos(theta) + 0.8 * np.cos(2 * theta)), 0.5, until=2.0),
]
RUNS = {
    "heat_flow": HEAT,
    "free_energy": HEAT,
    "sphere_heat": SPHERE,
    "reverse_steps": [
        line(normal(1.0), 0.05, steps=8, step=af.Reverse()),
        line(mixture(0.5), 0.05, until=0.2, step=af.Reverse()),
        plane(af.Reverse(), eps=0.1, steps=3),
        samples(300, 2, 0.2, steps=2, step=af.Reverse()),
        line(mixture(0.05), 0.1, until=1.0, step=af.Reverse()),
    ],
}
REFUTED = {
    "heat_flow": "clock × 1.5",
    "free_energy": "time reversed",
    "sphere_heat": "clock × 1.5",
    "reverse_steps": "frozen",
}
BLIND = {}
