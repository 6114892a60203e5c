"""The conventions a flow uses, in one printable line: papers differ in exactly these."""

from __future__ import annotations

from .attention import L2, Attention, Heads, Sigmoid, Sinkhorn, Unnormalised
from .attention.masks import Biased, Causal, Masked
from .matrices import Schedule


def conventions_of(flow) -> str:
    """Scale, prefactor, mean or sum, bias, mask and half-steps of a flow's attention."""
    parts = _of(flow.attention)
    return "; ".join(["score x^T B y with B = Q^T K (the transpose of Castin et al.'s A)", *parts])


def _of(rule: Attention) -> list[str]:
    match rule:
        case Heads():
            return [f"head {h}: " + ", ".join(_of(head)) for h, (head, _) in enumerate(rule.heads)]
        case Causal() | Masked():
            visible = "j <= i" if isinstance(rule, Causal) else "s_j <= s_i, ties included"
            visible = "by table" if getattr(rule, "table", None) is not None else visible
            return [
                *_of(rule.rule),
                f"mask {visible}",
                f"averages over {'what is heard' if rule.average == 'heard' else 'all'}",
            ]
        case Biased():
            return [*_of(rule.rule), "scores lowered by position"]
        case Sinkhorn():
            steps = "converged" if rule.iterations is None else f"{rule.iterations} half-steps, rows first"
            return [f"Sinkhorn, score/eps with eps = {_number(rule.eps)}", steps, "prefactor 1 (1/eps is in V)"]
        case Unnormalised():
            scale = rule.scale if isinstance(rule.scale, str) else _number(rule.scale)
            return [f"Unnormalised, beta = {_number(rule.score.beta)}", f"scale {scale}"]
        case Sigmoid():
            bias = rule.bias if isinstance(rule.bias, str) else _number(rule.bias)
            form = "sum" if rule.total else "mean"
            return [f"Sigmoid, beta = {_number(rule.score.beta)}", f"{form} over tokens", f"bias {bias}"]
        case L2():
            return [f"L2, weights exp(-beta|Qx - Ky|^2) with beta = {_number(rule.score.beta)}", "rows sum to 1"]
    beta = getattr(getattr(rule, "score", None), "beta", None)
    name = getattr(getattr(rule, "link", None), "__name__", "")
    return [f"{type(rule).__name__}{f'({name})' if name else ''}, beta = {'-' if beta is None else _number(beta)}"]


def _number(value) -> str:
    return "a function of t" if isinstance(value, Schedule) or callable(value) else f"{float(value):g}"
