"""Fates of covariances that turn while they grow: the trace rises in waves, and its clock tells the rate."""

import numpy as np
import pytest
from scipy.integrate import cumulative_trapezoid

from attnflow.gaussian.growth import CLOCK, judge_growth


def recorded(trace, t):
    """What a run that follows this trace records at the values of its clock."""
    clock = cumulative_trapezoid(1 + trace, t, initial=0.0)
    at = np.interp(CLOCK[CLOCK < clock[-1]], clock, t)
    return {"trace": np.interp(at, t, trace), "t": at, "clock": CLOCK[: len(at)], "is_reached": np.ones(len(at), bool)}


@pytest.mark.parametrize("rate", [0.3, 2.0, 7.0])
@pytest.mark.parametrize("depth", [0.0, 0.5, 0.9])
def test_waves_do_not_hide_exponential_growth(rate, depth):
    t = np.linspace(0, 23 / rate, 400_001)
    found = judge_growth(recorded(np.exp(rate * t) * (1 + depth * np.sin(4.1 * rate * t)), t), 1e8)
    # The record holds points of half a decade, so that waves of this depth leave a few hundredths of the rate.
    assert found.fate == "exponential growth" and abs(found.rate / rate - 1) < 0.1


@pytest.mark.parametrize("power", [0.3, 0.5, 0.7])
def test_powers_of_time_are_not_exponential(power):
    t = np.concatenate([[0.0], np.geomspace(1e-6, 1e7, 400_001)])
    assert judge_growth(recorded(1 + t**power, t), 1e9).fate != "exponential growth"
