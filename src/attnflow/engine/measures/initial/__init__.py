"""First prompts: random laws, regular shapes, quantile and quadrature nodes, arrays and files; always seeded."""

from .files import from_array, from_file
from .laws import caps, gaussian_tokens, mixture, uniform_ball, uniform_cube, uniform_sphere
from .nodes import circle_nodes, gauss_hermite, quadrature_nodes, quantile_nodes, sphere_nodes
from .sampling import generator
from .shapes import cell_600, cross_polytope, equiangular, icosahedron, polygon, simplex

__all__ = [
    "caps",
    "cell_600",
    "circle_nodes",
    "cross_polytope",
    "equiangular",
    "from_array",
    "from_file",
    "gauss_hermite",
    "gaussian_tokens",
    "generator",
    "icosahedron",
    "mixture",
    "polygon",
    "quadrature_nodes",
    "quantile_nodes",
    "simplex",
    "sphere_nodes",
    "uniform_ball",
    "uniform_cube",
    "uniform_sphere",
]
