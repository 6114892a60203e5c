"""The open questions of the sources, as experiments, in one list."""

from __future__ import annotations

from .cold_and_noisy import COLD
from .energies import ENERGIES
from .rescaled_tokens import RESCALED

QUESTIONS = (*RESCALED, *COLD, *ENERGIES)
