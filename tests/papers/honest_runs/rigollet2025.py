import numpy as np
from mutants import longer_run_of_minus_V
from solved import evolve

import attnflow as af


def circle(angles):
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def sphere(x, *, beta, V=1.0, mass=None, rule=af.Softmax, **options):
    return evolve(af.Flow(af.Sphere(), rule(beta=beta), V=V), af.Particles(x, mass), **options)


def hard(x, others=True, **options):
    return evolve(af.Flow(af.Sphere(), af.Hardmax(others=others)), af.Particles(x), **options)


def noisy(noise, x, **options):
    return evolve(af.Flow(af.Sphere(), af.Softmax(beta=1.0), noise=noise), af.Particles(x), step=0.1, **options)


SIX = circle(np.array([0.0, 0.5, 0.9, 1.4, 2.0, 2.7]))
PAIR = circle(np.repeat([0.0, 1.0], 3))
ANGLES = 2 * np.pi * np.arange(64) / 64
ROUND = circle(ANGLES + 1e-4 * np.sin(3 * ANGLES))

RUNS = {
    "remark2": [
        lambda: sphere(SIX, beta=1.0, until=20.0, save=21),
        lambda: sphere(SIX, beta=-0.1, until=30.0, save=21),
        lambda: sphere(SIX, beta=200.0, until=100.0, save=21),
        lambda: sphere(SIX, beta=1.0, until=10.0, save=21, rule=af.Unnormalised),
        lambda: sphere(np.array([[1.0, 0.0], [-1.0, 0.0]]), beta=1.0, until=20.0, save=21),
        lambda: sphere(SIX[:2], beta=1.0, until=20.0, save=[20.0]),
    ],
    "mean_shift": [
        lambda: sphere(SIX, beta=5.0, until=4.0, save=21),
        lambda: sphere(SIX, beta=0.01, until=20.0, save=21, V=0.5),
        lambda: sphere(SIX, beta=300.0, until=50.0, save=21, mass=[1.0, 20.0, 3.0, 1.0, 1.0, 1.0]),
        lambda: sphere(SIX, beta=5.0, until=4.0, save=np.linspace(1, 4, 21), start=1.0),
        lambda: sphere(SIX[:2], beta=5.0, until=4.0, save=[4.0]),
    ],
    "hardmax": [
        lambda: hard(SIX[[1, 2, 0, 3, 4, 5]], until=2.0, save=21),
        lambda: hard(SIX, until=9.0, save=21),
        lambda: hard(SIX, others=False, until=1.0, save=21),
    ],
    "first_clusters": [
        lambda: sphere(ROUND, beta=4.0, until=3.0, save=21),
        lambda: sphere(ROUND, beta=80.0, until=1.0, save=21),
        lambda: sphere(ROUND, beta=1.0, until=4.0, save=21, rule=af.Unnormalised),
    ],
    "theorem6": [
        lambda: sphere(PAIR, beta=5.0, until=4.0, save=21),
        lambda: sphere(PAIR, beta=0.1, until=12.0, save=21, mass=[1.0, 1.0, 1.0, 9.0, 9.0, 9.0], V=2.0),
        lambda: sphere(PAIR, beta=40.0, until=1e4, save=21),
        lambda: sphere(PAIR, beta=5.0, until=9.0, save=np.linspace(1, 9, 21), start=1.0),
        lambda: sphere(np.array([[1.0, 0.0], [-1.0, 1e-3]]), beta=2.0, until=40.0, save=21),
        lambda: sphere(SIX[:2], beta=5.0, until=9.0, save=[9.0]),
    ],
    "noise": [
        lambda: noisy(0.75, circle(np.zeros(400)), until=150.0, save=41),
        lambda: noisy(1.6, circle(np.zeros(400)), until=60.0, save=41),
    ],
}


def three_apart(run):
    """Six tokens that repel each other hardly move before they rest; three come to rest soon, and stay."""
    return longer_run_of_minus_V(sphere(SIX[::2], beta=1.0, until=20.0, save=21))


REFUTED = {
    "remark2": three_apart,
    "mean_shift": "clock × 1.5",
    "hardmax": "clock × 1.5",
    "first_clusters": "clock × 1.5",
    "theorem6": "clock × 1.5",
    "noise": "frozen",
}
BLIND = {}
