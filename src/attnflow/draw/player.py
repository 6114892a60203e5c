"""Player: the frames of a film behind a slider, as HTML that needs nothing else."""

from __future__ import annotations

from html import escape
from pathlib import Path

SCRIPT = Path(__file__).with_name("player.js")
STYLE = "display:flex;gap:.6rem;align-items:center;max-width:29rem;margin-top:.4rem"


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
