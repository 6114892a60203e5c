"""Diagrams beyond single runs: space against time, landscapes, basins, laws against temperature and depth."""

from .basins import draw_basins
from .circle_time import draw_circle_time
from .columns import draw_column_sums
from .depth import draw_cosine_histogram, draw_gram_spectrum
from .gaussian_basin import draw_gaussian_basin
from .landscape import draw_landscape
from .leaders import draw_leaders
from .merge_tree import draw_merge_tree
from .temperature import draw_cluster_law, draw_waiting_law

__all__ = [
    "draw_basins", "draw_circle_time", "draw_cluster_law", "draw_column_sums", "draw_cosine_histogram",
    "draw_gaussian_basin", "draw_gram_spectrum", "draw_landscape", "draw_leaders", "draw_merge_tree", "draw_waiting_law",
]  # fmt: skip
