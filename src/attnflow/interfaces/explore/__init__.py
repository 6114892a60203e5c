"""The explorer: the engine computes knots, a page in the browser or a notebook plays them.

`attnflow.interfaces.explore` is this folder, and `af.explore(run)` shows a run in a notebook: the module can be called.

>>> import attnflow as af
>>> af.explore(af.Flow(af.Sphere(), af.Softmax()), af.uniform_sphere(8, 3, seed=0))  # doctest: +SKIP
"""

import sys
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what editors show for `af.explore`
    from .widget import explore


class _Explore(ModuleType):
    def __call__(self, *args, **kwargs):
        from .widget import explore

        return explore(*args, **kwargs)


sys.modules[__name__].__class__ = _Explore
