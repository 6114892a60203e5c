"""Where the package lies, in a source tree as in an installed wheel; no file counts its own parents for that."""

import sys
from pathlib import Path

PACKAGE = Path(sys.modules[__name__.split(".")[0]].__path__[0])
