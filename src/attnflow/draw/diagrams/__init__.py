"""Diagrams beyond single runs: space against time, landscapes, basins, laws against temperature and depth."""

from .circle_time import draw_circle_time
from .depth import draw_cosine_histogram, draw_gram_spectrum
from .gaussian_basin import draw_gaussian_basin
from .landscape import draw_landscape
from .temperature import draw_cluster_law, draw_waiting_law

__all__ = [
    "draw_circle_time", "draw_cluster_law", "draw_cosine_histogram", "draw_gaussian_basin", "draw_gram_spectrum",
    "draw_landscape", "draw_waiting_law",
]  # fmt: skip
