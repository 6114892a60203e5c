"""A run in plain words: what was run, what theory predicts, what happened."""

from .facts import Facts, gather, observe, told, with_errors
from .pages import as_html, as_markdown
from .words import story

__all__ = ["Facts", "as_html", "as_markdown", "gather", "observe", "story", "told", "with_errors"]
