"""Player: the frames of a film behind a slider, as HTML that needs nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path

from .movie import film_frames
from .reel import packed

SCRIPT = Path(__file__).with_name("player.js")
STYLE = "display:flex;gap:.6rem;align-items:center;max-width:29rem;margin-top:.4rem"


class Film:
    """The motion of a run, to be shown in a notebook; `html` is the player itself."""

    def __init__(self, frames: list[str], caption: str = ""):
        self.frames, self.caption = frames, caption

    @property
    def html(self) -> str:
        return player(self.frames, self.caption)

    def _repr_html_(self) -> str:
        return f"{self.html}<script>\n{script()}</script>"

    def __repr__(self) -> str:
        return f"Film({len(self.frames)} frames; shown in a notebook)"


def film(run, *, frames: int = 90, trail: int = 12, dpi: int = 100, log_time=None) -> Film:
    """The tokens in motion with a slider, for notebooks: frames are kept inside, no file is written.

    >>> import attnflow as af
    >>> flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=4.0)), af.uniform_sphere(8, 3, seed=0)
    >>> run = af.evolve(flow, mu, until=20.0)
    >>> len(af.film(run, frames=2)._repr_html_()) > 1000
    True
    """
    return Film(packed(film_frames(run, frames=frames, trail=trail, dpi=dpi, log_time=log_time)))


def player(frames: list[str], caption: str = "") -> str:
    """A picture, a button and a slider; without scripts, the last frame."""
    words, last = escape(caption), len(frames) - 1
    sources = ",".join(f'"{frame}"' for frame in frames)
    return (
        f'<figure class="player" tabindex="0"><img src="{frames[-1]}" alt="{words or "tokens in motion"}">'
        f'<div style="{STYLE}"><button type="button" aria-label="play or pause">▶</button>'
        f'<input type="range" min="0" max="{last}" value="{last}" aria-label="time" style="flex:1"></div>'
        f'<figcaption>{words}</figcaption><script type="application/json">[{sources}]</script></figure>'
    )


def script() -> str:
    """What makes players move."""
    return SCRIPT.read_text(encoding="utf-8")
