"""Scenarios at the edges of what runs can be: every door must say the same of each."""

from attnflow.experiments.scenario import Scenario, from_dict

LAW = {"kind": "law", "d": 2, "mean": [0.3, -0.2], "cov": [[1.0, 0.2], [0.2, 0.6]]}
DIAGONAL = {"kind": "law", "d": 2, "cov": [[0.8, 0.0], [0.0, 0.3]]}
TURN = [[0.0, -1.0], [1.0, 0.0]]
CAPS = {"kind": "caps", "n": 8, "d": 3, "centres": [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], "angle": 5e-4}


def scenario(tokens, attention=None, flow=None, time=None) -> Scenario:
    """Without pictures, which take long and say nothing here."""
    parts = {"tokens": tokens, "attention": attention or {}, "flow": flow or {}, "time": time or {}}
    return from_dict({"title": "odd", "seed": 3, **parts, "output": {"figure": [], "animation": False}})


def ball(n, d=3, kind="sphere", **more):
    return {"kind": kind, "n": n, "d": d, **more}


R = {"space": "euclidean"}
Z = {"space": "euclidean", "rescaled": True}
STEPS = {"until": 5.0, "save": 9}

ODD = {
    "law by euler": scenario(LAW, {"beta": 1.0}, R | {"V": -1.0}, {"until": 2.0, "save": 11, "method": "euler", "step": 0.1}),
    "law just before its blow-up": scenario(DIAGONAL, {"beta": 1.0}, R, {"until": 0.62499999, "save": 12}),
    "law past its blow-up": scenario(DIAGONAL, {"beta": 1.0}, R, {"until": 2.0, "save": 12}),
    "law, loose scalings": scenario(
        LAW, {"rule": "sinkhorn", "eps": 1.0, "tol": 1e-4}, R | {"V": -1.0}, {"until": 2.0, "save": 9}
    ),
    "law, linear, fixed steps": scenario(
        LAW, {"rule": "linear", "beta": 0.5}, R | {"V": -0.5}, {"until": 1.0, "save": 5, "method": "rk4", "step": 0.05}
    ),
    "law under two heads": scenario(
        LAW, {"heads": [{"rule": "softmax", "beta": 1.0, "V": -0.5}, {"rule": "softmax", "beta": 0.3, "V": 0.1}]}, R,
        {"until": 1.0, "save": 5},
    ),
    "law, one saved time": scenario(LAW, {"beta": 1.0}, R | {"V": -1.0}, {"until": 2.0, "save": [1.3]}),
    "pre-LN, one saved time": scenario(ball(6), {"beta": 2.0}, {"normalisation": "pre_ln"}, {"until": 3.0, "save": 1}),
    "pre-LN, loose scalings": scenario(
        ball(6), {"rule": "sinkhorn", "eps": 0.5, "tol": 1e-3}, {"normalisation": "pre_ln", "V": 0.7}, STEPS
    ),
    "loose scalings in space": scenario(
        ball(7, 2, "gaussian"), {"rule": "sinkhorn", "eps": 1.0, "tol": 1e-4}, R | {"V": -1.0}, STEPS
    ),
    "two scalings": scenario(ball(6, 2), {"rule": "sinkhorn", "eps": 0.3, "iterations": 2}, {}, STEPS),
    "hardmax, rescaled": scenario(ball(7, 2, "cube"), {"rule": "hardmax"}, Z, {"until": 4.0, "save": 9}),
    "hardmax on the sphere": scenario(ball(5, 2), {"rule": "hardmax", "others": True}, {}, STEPS),
    "rescaled, two late times": scenario(
        ball(7, 2, "cube"), {"beta": 1.0}, Z | {"V": [[1.0, 0.3], [0.0, 0.4]]}, {"until": 300.0, "save": 2}
    ),
    "rescaled, decaying": scenario(ball(9, 2, "cube"), {"beta": 1.0}, Z | {"V": -1.0}, {"until": 20.0, "save": 20}),
    "masked with a slope": scenario(
        ball(4, 2), {"beta": 1.0, "causal": True, "positions": [0.0, 0.2, 0.5, 0.9], "slope": 0.3}, {}, STEPS
    ),
    "causal heads": scenario(
        ball(6, 2), {"heads": [{"rule": "softmax", "beta": 2.0, "V": TURN}, {"rule": "softmax", "V": 1.0}], "causal": True},
        {}, STEPS,
    ),
    "noise": scenario(ball(30, 2), {"beta": 3.0}, {"noise": 0.2}, {"until": 2.0, "save": 9, "step": 0.01}),
    "layers": scenario(ball(8, 3, "caps", centres=2, angle=0.3), {"beta": 4.0}, {},
                       {"until": 12.0, "save": 13, "method": "euler", "step": 0.25}),
    "merging": scenario(ball(12, 2), {"beta": 20.0}, {}, {"until": 3000.0, "save": 40, "spacing": 5.0, "merge": 1e-3}),
    "a pair of narrow caps": scenario(CAPS, {"beta": 3.0}, {}, {"until": 30.0, "save": 40}),
    "masses of all sizes": scenario(
        ball(5, mass=[0.1, 0.2, 0.3, 0.3999999999999999, 1e-16]), {"beta": 0.1}, {"V": -1.0},
        {"until": 0.1 + 0.2, "save": [0.1, 0.3]},
    ),
    "feed-forward": scenario(
        ball(5, 2), {"beta": 1.0}, {"feed_forward": {"w": 0.5, "a": 0.3, "b": 0.1, "activation": "tanh"}}, STEPS
    ),
    "out of steps": scenario(ball(6), {"beta": 9.0}, {}, {"until": 50.0, "save": 9, "max_steps": 12}),
    "loose tolerance": scenario(ball(9, 2), {"beta": 5.0}, {}, {"until": 40.0, "save": 20, "tol": 1e-4}),
    "rest": scenario(ball(6), {"beta": 1.0}, {}, {"until": 500.0, "save": 20, "steady": 1e-6}),
    "one token": scenario(ball(1), {"beta": 4.0}, {}, STEPS),
}  # fmt: skip
