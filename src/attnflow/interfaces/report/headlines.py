"""Headline predictions: at most five, those that this run can test best, as predicted | measured | verdict.

A verdict is the outcome of a check of the register; what no check judges is "measured".
"""

from __future__ import annotations

from dataclasses import dataclass

from ...engine.attention import Softmax
from ...engine.attention.base import Scored
from ...engine.flow import Flow
from ...papers.claim import FAILS, Check, Prediction
from ...papers.register import Asked, ask, find_claim
from .numbers import rounded
from .promises import Promise
from .verdicts import MEASURED

MOST = 5
"""Headlines of a report."""

PER_TOPIC = {"monotone": 1, "number": 1}
"""Headlines of one topic; of the others two."""

TOPICS = {
    "fate": (
        "theorem6.1", "theorem5.1", "theorem4.1", "theorem4.3", "lemma6.4", "remark2", "clustering_theorem", "alternative",
        "theorem8.5", "theorem3.1", "theorem4.2", "theorem5.2", "theorem2.1", "scalar_v", "vertex_theorem",
        "l2_closed_form", "sinkhorn_closed_form", "terminal_phase", "limit_rank",
    ),
    "number": ("first_clusters", "theorem8.1", "rank_of_p*", "conjecture4.3"),
    "time": ("theorem6", "proposition3.11", "caps", "crowd", "staircase", "one_unnormalised_token"),
    "rate": ("variance_law", "decay", "equal_cosines", "theorem6.8", "hardmax", "semidefinite_descent", "noise"),
    "monotone": ("energy_identity", "dissipation", "free_energy", "energy", "sinkhorn_energy", "mean"),
}  # fmt: skip
"""What a claim is about, by the second part of its key; else by what it reads of a run."""

BY_READING = {"end state": "fate", "trajectory": "law", "monotone": "monotone", "static": "static", None: "static"}
WEIGHT = {"fate": 0.0, "number": 1.0, "time": 1.0, "rate": 2.0, "law": 3.0, "monotone": 3.5, "static": 9.0}
PENALTY = {"refuted": -20.0, "error": -20.0, "holds": 0.0, "consistent": 1.5, "undecided": 2.6}

SOONER_OR_LATER = "Almost every start ends as one cluster; the theorem gives no time"
ONE_CLUSTER = dict.fromkeys(
    (
        "geshkovski2024.theorem4.1",
        "geshkovski2024.theorem4.3",
        "geshkovski2024.theorem5.1",
        "geshkovski2024.theorem6.1",
    ),
    SOONER_OR_LATER,
) | {"rigollet2025.remark2": "Almost every start ends as one cluster, after a time that grows exponentially with β"}
"""Claims whose measurement is the number of clusters."""


@dataclass(frozen=True)
class Headline:
    """A row of the table; `verdict` is the outcome of the check of `claim`, or "measured" where there is none."""

    topic: str
    predicted: str
    measured: str
    verdict: str
    claim: str = ""


def headlines(
    predictions: list[Prediction], checks: list[Check], promises: list[Promise], *, ending: str = ""
) -> list[Headline]:
    """The predictions worth a row, the most telling first; `ending` says how many clusters there are at the end."""
    said = {prediction.claim: prediction for prediction in predictions}
    own = [Headline(topic_of(p.claim), p.predicted, p.measured, MEASURED, p.claim) for p in promises]
    rows = [_row(said.get(c.claim), c, ending) for c in checks]
    rows = [row for row in rows if row.verdict != "undecided" or _is_known(row)]
    return _chosen([*own, *sorted(rows, key=_rank)])


def _rank(row: Headline) -> float:
    """Small for what is about the fate of tokens and was tested; claims without a known topic come later."""
    return WEIGHT[row.topic] + PENALTY.get(row.verdict, 4.0) + (0 if _is_known(row) else 1.0)


def _is_known(row: Headline) -> bool:
    """Whether the claim has a topic by name; what such a claim leaves open is worth a row."""
    return any(row.claim.split(".", 1)[1] in names for names in TOPICS.values())


def _row(prediction: Prediction | None, check: Check, ending: str) -> Headline:
    predicted = prediction.words if prediction is not None else check.title
    measured = check.words
    if check.claim in ONE_CLUSTER and ending and not check.fails:
        predicted, measured = ONE_CLUSTER[check.claim], ending
    return Headline(topic_of(check.claim), _sentence(predicted), _sentence(measured), check.outcome, check.claim)


def topic_of(key: str) -> str:
    """What a claim is about; "measured" is what no claim says."""
    if not key:
        return MEASURED
    own = key.split(".", 1)[1]
    named = next((topic for topic, names in TOPICS.items() if own in names), None)
    return named or BY_READING[find_claim(key).decides]


def _chosen(rows: list[Headline]) -> list[Headline]:
    """Rows that say different things: no two of one measurement, few of one topic, nothing static but for failures."""
    kept: list[Headline] = []
    for row in rows:
        fails = row.verdict in FAILS
        twin = any(row.measured == other.measured or row.claim in _near(other.claim) for other in kept)
        same = sum(row.topic == other.topic for other in kept)
        if fails or not (twin or row.topic == "static" or same >= PER_TOPIC.get(row.topic, 2)):
            kept.append(row)
    failed = [row for row in kept if row.verdict in FAILS]
    return [*failed, *(row for row in kept if row not in failed)][: max(MOST, len(failed))]


def _near(key: str) -> tuple[str, ...]:
    return find_claim(key).see if key else ()


def without_extras(flow, mu) -> tuple[str, Asked] | None:
    """What of a flow no theorem speaks of (noise, feed-forward, its rule), and a claim that applies without it."""
    if not isinstance(flow, Flow) or not isinstance(flow.attention, Scored):
        return None
    bare = Flow(flow.space, flow.attention, flow.V, normalisation=flow.normalisation)
    tries = [("noise", flow.noise is not None, bare), ("a feed-forward layer", flow.feed_forward is not None, bare)]
    score = flow.attention.score
    softmax = Flow(flow.space, Softmax(B=score.B(mu.d), beta=score.beta), flow.V)
    tries.append((f"{type(flow.attention).__name__} attention here", not isinstance(flow.attention, Softmax), softmax))
    for what, is_there, simpler in tries:
        if is_there:
            known = [one for one in ask(simpler, mu) if one.applies and one.claim.decides not in ("static", None)]
            if known:
                return what, min(known, key=lambda one: WEIGHT[topic_of(one.claim.key)])
    return None


def _sentence(words: str) -> str:
    """Rounded, with a capital letter unless it begins with a symbol."""
    words = rounded(words.strip())
    first = words.split(" ", 1)[0]
    return words[0].upper() + words[1:] if (first.isalpha() and len(first) > 1) or first in ("a", "e.g.") else words
