"""The commands and their options, in the order of `attnflow --help`."""

from . import runs, claims, pictures, models  # isort: skip
from .application import app
