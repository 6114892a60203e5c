"""Figures of Geshkovski et al. 2023 (arXiv 2305.05465): rescaled tokens in the plane and in space."""

from __future__ import annotations

import numpy as np

from ....draw.diagrams.leaders import by_leader
from ....draw.plane import box_around, draw_plane
from ....draw.space import draw_space
from ....draw.style import PALETTE, SLATE, new_figure, styled
from ....theory.limits.limit import limit
from ....theory.limits.polytope import hull_vertices
from ....theory.limits.value_matrix import classify
from ...figure import Drawn, figure
from ..matrices import FIGURE_6, FIGURE_7, FIGURE_13, FIGURE_14
from .runs import TRUE_TIME, cube, panels, plain, tokens_at

DIAGONAL = np.diag([1.0, 1.0, -0.5])


KEY = "colour: the leader a token ends with; halo: the share of tokens at one point; dashed: the limit polytope"


def _polytope(flow, mu, times, *, flat: int, expected: str, notes=()):
    """Tokens coloured by their certified leader, the limit polytope around them."""
    z, found = tokens_at(flow, mu, times), limit(flow, mu)
    corners = np.zeros(0, int) if found.z is None else hull_vertices(found.z[found.vertices][:, :flat])
    held = bool(found.certificate.holds and len(corners) == len(found.vertices))  # pyright: ignore[reportArgumentType]
    colours = by_leader(found.leaders) if found.leaders is not None else SLATE
    is_whole = flat == mu.d
    drawn = found.z[found.vertices] if found.z is not None and is_whole else None
    fig = (_whole if is_whole else _without_growth)(z, times, colours, drawn)
    count = 0 if found.leaders is None else len(found.vertices)  # pyright: ignore[reportArgumentType]
    observed = f"{count} leaders, {len(corners)} of them corners of the hull; certificate: {found.certificate.words}"
    data = {"times": np.asarray(times), "z": z, "leaders": found.leaders, "limit": found.z}
    return Drawn(fig, data, expected, held, observed, (TRUE_TIME, *notes))


def _whole(z, times, colours, corners):
    fig, _ = panels(z, times, colours=colours, limits=box_around([z[0]]), polytope=corners)
    return _keyed(fig, KEY)


def _without_growth(z, times, colours, _):
    """On common axes: the third coordinate, which never stops growing, is divided by its growth."""
    slowed = z.copy()
    slowed[:, :, 2] *= np.exp(DIAGONAL[2, 2] * np.asarray(times, float))[:, None]
    low, high = slowed.min(axis=(0, 1)), slowed.max(axis=(0, 1))
    room, names = 0.08 * (high - low), ("$z_1$", "$z_2$", "$e^{-t/2}z_3$")
    fig, _ = panels(slowed, times, colours=colours, limits=(low - room, high + room), names=names)
    return _keyed(fig, "colour: the leader a token ends with")


def _keyed(fig, words: str):
    """A figure with words below it, made higher by as much: boxes in space do not give way."""
    fig.set_figheight(fig.get_figheight() + 0.5)
    fig.supxlabel(words, fontsize=8.5, color=SLATE)
    return fig


@figure("1", "V = I in space: tokens become the vertices of a polytope")
@styled
def polytope(*, full: bool, seed: int) -> Drawn:
    return _polytope(
        plain(), cube(40, 3, seed), (0, 1, 2, 5), flat=3,
        expected="tokens end at the vertices of a polytope; leaders = vertices of the hull",
    )  # fmt: skip


@figure("5", "V = I in the plane: tokens become the vertices of a polygon")
@styled
def polygon(*, full: bool, seed: int) -> Drawn:
    return _polytope(
        plain(), cube(40 if full else 20, 2, seed), (0, 1, 2, 5), flat=2,
        expected="tokens end at the vertices of a polygon; leaders = vertices of the hull",
    )  # fmt: skip


@figure("16", "V = I with a score matrix that is not positive")
@styled
def any_scores(*, full: bool, seed: int) -> Drawn:
    B = np.random.default_rng(seed + 1).uniform(-1, 1, (3, 3))
    return _polytope(
        plain(B=B), cube(40, 3, seed), (0, 1, 2, 5), flat=3,
        expected="the same pattern as with B = I (observed, not proved)", notes=("outside the hypotheses of theorem 3.1",),
    )  # fmt: skip


def _paranormal(flow, mu, times, expected, notes=()):
    drawn = _polytope(flow, mu, times, flat=2, expected=expected, notes=notes)
    z = drawn.data["z"]
    spread = np.ptp(z[:, :, 2], axis=1)
    slope = float(np.log(spread[-1] / spread[-2]) / (times[-1] - times[-2]))
    held = drawn.held and abs(slope - 0.5) < 0.01
    observed = f"{drawn.observed}; the third coordinate spreads like e^({slope:.4f} t)"
    return Drawn(drawn.figure, drawn.data, expected, held, observed, drawn.notes)


@figure("8", "V = diag(1, 1, −1/2): polytope × line")
@styled
def paranormal(*, full: bool, seed: int) -> Drawn:
    expected = "a polygon in (z₁, z₂) before t = 5; the third coordinate grows like e^{t/2}"
    return _paranormal(plain(DIAGONAL), cube(40, 3, seed), (0, 5, 10, 15), expected)


@figure("17", "V = diag(1, 1, −1/2) with a score matrix that is not positive")
@styled
def paranormal_any_scores(*, full: bool, seed: int) -> Drawn:
    B = np.random.default_rng(seed + 1).uniform(-1, 1, (3, 3))
    expected = "the same pattern as figure 8 (observed, not proved)"
    return _paranormal(
        plain(DIAGONAL, B), cube(40, 3, seed), (0, 5, 10, 15), expected, ("outside the hypotheses of theorem 5.2",)
    )


def _side(z, V):
    return np.where(z[-1] @ V.left[0] > 0, PALETTE[1], PALETTE[0])


@figure("6", "A simple dominant eigenvalue: two hyperplanes")
@styled
def hyperplanes(*, full: bool, seed: int) -> Drawn:
    flow, mu, times = plain(FIGURE_6), cube(40, 2, seed), (0, 1, 5, 15)
    z, found, V = tokens_at(flow, mu, times), limit(flow, mu), classify(FIGURE_6, 2)
    fig, axes = panels(z, times, colours=_side(z, V), limits=box_around(z))
    for ax in axes:
        for c in found.planes:  # pyright: ignore[reportOptionalIterable]
            foot = c * V.left[0] / (V.left[0] @ V.left[0])
            ax.axline(
                tuple(foot),
                slope=-V.left[0][0] / V.left[0][1],
                color=SLATE,
                linewidth=0.8,
                linestyle=(0, (4, 3)),
                zorder=0,
            )
    normal = V.left[0] / np.linalg.norm(V.left[0])
    held = bool(found.certificate.holds and len(found.planes) == 2 and np.allclose(normal, (0.658, 0.753), atol=1e-3))  # pyright: ignore[reportArgumentType]
    planes = ", ".join(f"{c:.5f}" for c in found.planes)  # pyright: ignore[reportOptionalIterable]
    observed = f"planes φ₁* = {planes} with unit normal ({normal[0]:.3f}, {normal[1]:.3f}); {found.certificate.words}"
    expected = "two parallel lines, normal (.658, .753)"
    note = "V is not symmetric: the lines are perpendicular to the dual vector, not to φ₁ as the caption says"
    data = {"times": np.asarray(times), "z": z, "planes": found.planes, "normal": normal}
    return Drawn(fig, data, expected, held, observed, (TRUE_TIME, note))


@figure("7a", "Two positive eigenvalues and a negative one")
@styled
def two_positive(*, full: bool, seed: int) -> Drawn:
    flow, mu, times = plain(FIGURE_7), cube(40, 3, seed), np.linspace(0, 15, 31)
    z, V = tokens_at(flow, mu, times), classify(FIGURE_7, 3)
    eigenvalues, vectors = np.linalg.eigh(FIGURE_7)
    c = z @ vectors[:, ::-1]
    sides = c[-1][:, 0] > 0
    inside = np.array(
        [
            [max(np.ptp(step[sides == s][:, k]) for s in (True, False) if (sides == s).any()) for k in range(3)]
            for step in c
        ]
    )
    fig = _gathering_plane(c, times, inside, eigenvalues[::-1], colours=_side(z, V))
    held = bool((inside[-1, :2] < 0.05 * inside[0, :2]).all() and inside[-1, 2] > 2 * inside[0, 2])
    before, after = (np.array2string(inside[k], precision=3) for k in (0, -1))
    observed = (
        f"λ = {np.round(eigenvalues[::-1], 5).tolist()}: spread inside the groups {before} at first, {after} at t = 15"
    )
    expected = "both coordinates of positive eigenvalues cluster, the third diverges"
    return Drawn(fig, {"times": np.asarray(times), "z": z, "coordinates": c}, expected, held, observed, (TRUE_TIME,))


def _gathering_plane(c, times, inside, eigenvalues, *, colours):
    """Two gathering coordinates at four times on common axes, and how wide the groups are along all three."""
    fig = new_figure(11.4, 2.9)
    *axes, last = fig.subplots(1, 5, width_ratios=[1, 1, 1, 1, 1.25])
    names = (r"$\varphi_1^*(z)$", r"$\varphi_2^*(z)$")
    for ax, k in zip(axes, (0, 10, 20, 30)):
        draw_plane(ax, c[k][:, :2], colours=colours, limits=box_around([c[0][:, :2]]), names=names)
        ax.set_title(f"$t = {times[k]:g}$")
        ax.label_outer()
    for k, (column, eigenvalue) in enumerate(zip(inside.T, eigenvalues)):
        last.plot(times, column, color=PALETTE[k + 2], label=rf"$\lambda = {eigenvalue:.2f}$".replace("-", "−"))
    last.set(yscale="log", xlabel="$t$", title="width of the groups along $\\varphi_k^*$")
    last.legend(loc="center right")
    return fig


def _complex_pair(V, times, seed, *, expected, held_by, notes=()):
    flow, mu = plain(V), cube(25, 3, seed)
    z, spectrum = tokens_at(flow, mu, times), classify(V, 3)
    is_attracting = np.linalg.eigvals(V).real.min() > 0
    c = z @ spectrum.left[0]
    sides = c[-1] > 0
    rest = z - c[..., None] * spectrum.right[:, 0]
    groups = [s for s in (True, False) if (sides == s).any()]
    wide = np.array(
        [
            max(np.linalg.norm(step[sides == s] - step[sides == s].mean(axis=0), axis=1).max() for s in groups)
            for step in rest
        ]
    )
    near = max(np.ptp(c[-1][sides == s]) for s in groups)
    fig, _ = panels(z, times, colours=_side(z, spectrum), limits=box_around(z) if is_attracting else None)
    radii = np.array2string(wide, precision=3)
    observed = f"{len(groups)} planes, thickness {near:.1e}; radius inside them {radii} at t = {list(times)}"
    held = bool(near < 1e-3 and held_by(wide))
    data = {"times": np.asarray(times), "z": z, "phi1": c, "radius": wide}
    return Drawn(fig, data, expected, held, observed, (TRUE_TIME, *notes))


@figure("13", "Complex eigenvalues with positive real part: two points")
@styled
def complex_attracting(*, full: bool, seed: int) -> Drawn:
    return _complex_pair(
        FIGURE_13, (0, 5, 40), seed, expected="two points, slowly (radius times e^{−0.0991·35} = 0.031 from t = 5 to 40)",
        held_by=lambda wide: abs(np.log(wide[-1] / wide[-2]) / 35 + 0.0991) < 0.02,
        notes=("the caption's eigenvalue 1 − 0.08i should read 0.1 − 0.08i",),
    )  # fmt: skip


@figure("14", "Complex eigenvalues with negative real part: rotation inside two planes")
@styled
def complex_rotating(*, full: bool, seed: int) -> Drawn:
    times = np.concatenate([[0.0], np.linspace(5, 40, 71)])
    z, spectrum = tokens_at(plain(FIGURE_14), cube(25, 3, seed), times), classify(FIGURE_14, 3)
    eigenvalues, left = np.linalg.eig(FIGURE_14.T)
    pair = int(np.argmax(np.imag(eigenvalues)))
    side = z[-1] @ spectrum.left[0] > 0
    turning, rate = [], complex(eigenvalues[pair])
    for group in (side, ~side):
        if group.sum() > 1:
            q = (z @ left[:, pair])[:, group]
            turning.append((q - q.mean(axis=1, keepdims=True)) * np.exp(rate.real * times)[:, None])
    thick = max(float(np.ptp(z[-1][g] @ spectrum.left[0])) for g in (side, ~side) if g.any())
    # Tokens that follow a leader differ from it by e^{−λt} times a constant; before t = 10 some still change leaders.
    late = times >= 10
    speeds = np.concatenate([np.polyfit(times[late], np.unwrap(np.angle(q[late]), axis=0), 1)[0] for q in turning])
    fig = _rotation(z, times, turning, late, colours=_side(z, spectrum), rate=rate)
    spread = float(-np.median(speeds) / rate.imag)
    held = bool(thick < 1e-3 and abs(spread - 1) < 0.02)
    observed = (
        f"{len(turning)} planes, thickness {thick:.1e}; tokens turn at {np.median(-speeds):.4f} (median from t = 10 on), "
        f"Im λ = {rate.imag:.4f}; their distance grows like e^({-rate.real:.3f} t)"
    )
    expected = "two planes (thickness below 0.001); inside them tokens turn at the speed Im λ, to 2 %, and spread"
    data = {"times": times, "z": z, "speeds": speeds}
    return Drawn(fig, data, expected, held, observed, (TRUE_TIME,))


def _rotation(z, times, turning, late, *, colours, rate):
    """Tokens at three times, and their ways inside the planes with the growth taken out."""
    fig = new_figure(12.0, 3.1)
    axes = fig.subplots(1, 3 + len(turning))
    for ax, k in zip(axes, (0, 1, len(times) - 1)):
        low, high = z[k].min(axis=0), z[k].max(axis=0)
        room = 0.08 * (high - low)
        draw_space(ax, z[k], colours=colours, limits=(low - room, high + room), names=("$z_1$", "$z_2$", "$z_3$"))
        ax.set_title(f"$t = {times[k]:g}$")
    for k, (ax, q) in enumerate(zip(axes[3:], turning)):
        for path in q[late].T:
            ax.plot(path.real, path.imag, color=PALETTE[1 - k], linewidth=0.8, alpha=0.7)
            ax.plot(path.real[-1], path.imag[-1], "o", color=PALETTE[1 - k], markersize=3)
        ax.set(aspect="equal", xticks=[], yticks=[], title=f"plane {k + 1}, $t$ from 10 to 40")
        ax.set_xlabel(rf"$e^{{{rate.real:.2f}t}}$ times the place in the plane".replace("-", "−"))
    return fig
