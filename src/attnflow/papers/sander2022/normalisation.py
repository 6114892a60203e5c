"""What normalising rows and columns does: invariance, the variational form, column sums and the mean."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

from ...engine.attention import Sinkhorn
from ...engine.linalg.matrices import dense
from ...engine.spaces import Euclidean
from ..claim import Claim, Hypothesis, compared, undecided
from ..hunt import both, sampled
from ..hypotheses import is_plain
from ..tolerance import token_error
from .hunts import column_trial, few_steps_trial, invariance_trial, layer_trial, mean_trial, variational_trial


def is_sinkhorn(flow, mu) -> bool:
    """Tokens of R^d under converged Sinkhorn attention."""
    return is_plain(flow, mu, Euclidean, (Sinkhorn,)) and flow.attention.iterations is None


class Invariance(Claim):
    number = "proposition 1"
    title = "Sinkhorn attention hears distances only"
    printed = "Sinkhorn(C_ij + f_i + g_j) = Sinkhorn(C): scores ⟨x, y⟩/ε and −|x − y|²/(2ε) give one attention matrix"
    latex = r"\mathrm{Sinkhorn}(C + f\oplus g) = \mathrm{Sinkhorn}(C)"
    provenance = "seen"
    hunts = {"printed": sampled(invariance_trial, 20, law="2–10 tokens, normal scores and shifts, uneven masses")}

    def hypotheses(self, flow, mu):
        if not is_sinkhorn(flow, mu):
            return []
        return [Hypothesis("B is symmetric positive semidefinite", 0.0 if flow.attention.is_symmetric else -1.0)]

    def predict(self, flow, mu):
        words = "tokens hear distances |B^{1/2}(x − y)| only: moving all of them together changes no attention weight"
        return words, {}


class VariationalForm(Claim):
    number = "variational form"
    title = "Sinkhorn attention is the doubly stochastic matrix nearest to the exponentials of the scores"
    printed = "P minimises KL(P, e^C) over all doubly stochastic matrices"
    latex = r"P = \operatorname*{argmin}_{P\mathbf 1=\mathbf 1,\,P^\top\mathbf 1=\mathbf 1}\mathrm{KL}(P, e^C)"
    assumes = "any finite scores C"
    provenance = "seen"
    kind = "remark"
    hunts = {
        "printed": sampled(variational_trial, 20, law="normal scores, 2–8 tokens, random doubly stochastic competitors")
    }


class ColumnSums(Claim):
    number = "column sums"
    title = "Every sweep of Sinkhorn's algorithm brings the column sums nearer to 1"
    printed = (
        "the mass-weighted gap Σ_j m_j|Σ_i m_iP_ij/m_j − 1| never grows from one odd number of half-steps to the next"
    )
    latex = r"\sum_j\Big|\sum_i m_iP^{(2k+1)}_{ij}-m_j\Big| \le \sum_j\Big|\sum_i m_iP^{(2k-1)}_{ij}-m_j\Big|"
    assumes = "any finite scores, positive masses; half-steps that end on rows"
    provenance = "derived"
    hunts = {
        "printed": sampled(
            column_trial, 20, law="normal scores of size 0.1 to 10, 2–10 tokens, uneven masses, 9 sweeps"
        )
    }


class Mean(Claim):
    number = "mean"
    title = "Sinkhorn attention moves the mean of the tokens by e^{tV}"
    printed = "columns sum to 1, so the mean follows m' = Vm whatever the tokens do"
    latex = r"\int x\,d\mu_t = e^{tV}\int x\,d\mu_0"
    provenance = "derived"
    decides = "trajectory"
    hunts = {
        "printed": both(
            sampled(mean_trial, 4, law="2–5 tokens, twins among them, d = 1–3, any B, V and masses, t = 0.5"),
            sampled(layer_trial, 10, law="5–39 tokens with heavy tails, masses over decades, layers of η up to 5"),
        )
    }
    outside = {"Sinkhorn converged (1 or 3 half-steps)": sampled(few_steps_trial, 4)}

    def hypotheses(self, flow, mu):
        return [Hypothesis("columns are normalised", 0.0)] if is_sinkhorn(flow, mu) else []

    def predict(self, flow, mu):
        mean = np.asarray(mu.mass, float) @ np.asarray(mu.x, float)
        return "the mean of the tokens moves as e^{tV} times the first one, whatever the tokens do", {"mean": mean}

    def check(self, run):
        ts, x = np.asarray(run.ts, float), np.asarray(run.x, float)
        if len(ts) < 2:
            return undecided("one saved time shows no motion; save two or more")
        V, mean = (
            np.asarray(dense(run.flow.V, x.shape[-1]), float),
            np.einsum("n,knd->kd", np.asarray(run.mass, float), x),
        )
        grown = [expm(t * V) for t in ts]
        error = np.abs(mean - np.array([M @ mean[0] for M in grown])).max(axis=1)
        # Errors made early grow as the mean does.
        room = token_error(run) * np.maximum.accumulate([np.linalg.norm(M, 2) for M in grown])
        words = f"the mean is off e^(tV) times the first one by {error.max():.1e}, allowed {room.max():.1e}"
        return compared(float((error[1:] / room[1:]).max()), words, error=float(error.max()), room=float(room.max()))
