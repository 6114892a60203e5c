"""What attention does to Gaussians: exactly, where the field is affine, and through its moments where it is not."""

from .affine import Affine, barycentre_of, field_of
from .factor import factor
from .hear import Heard, hear, is_closed
from .projection import is_integrable, projected
from .stein import stein_velocity
