"""Phase diagrams: the share of pairs of tokens that have merged, over time and temperature."""

from .diagram import PhaseDiagram, phase_diagram, weighted_phase_diagram

__all__ = ["PhaseDiagram", "phase_diagram", "weighted_phase_diagram"]
