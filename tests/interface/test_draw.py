"""Pictures: every kind draws, says what it shows, writes what it promises, and leaves no trace elsewhere."""

import sys
import warnings
from types import SimpleNamespace

import equinox as eqx
import jax.numpy as jnp
import matplotlib as mpl
import numpy as np
import pytest
from matplotlib._pylab_helpers import Gcf
from numpy.testing import assert_allclose
from PIL import Image

import attnflow as af
from attnflow.draw import movie, reel
from attnflow.draw.curve import is_geometric
from attnflow.draw.curves import draw_cosines, draw_counts
from attnflow.draw.diagrams.attention_matrix import draw_attention
from attnflow.draw.diagrams.merge_tree import draw_merge_tree
from attnflow.draw.energies import energies_of
from attnflow.draw.marks import areas_of, halos_of
from attnflow.draw.plane import box_around, draw_plane
from attnflow.draw.scene import scene_of, telling_times
from attnflow.draw.sphere import draw_sphere
from attnflow.draw.style import PALETTE, colours_of, new_figure, style
from attnflow.draw.summary import describe, in_words
from attnflow.draw.view import View, view_across, view_of
from attnflow.engine.evolution.trajectory import Status, Trajectory

SOFTMAX = af.Softmax(beta=3.0)


def made(x, flow, *, mass=None, ts=None):
    """A run with given states: pictures only read runs, so nothing needs to be solved."""
    x = np.asarray(x)
    ts = np.linspace(0, 1, len(x)) if ts is None else ts
    mass = np.full(x.shape[1], 1.0) if mass is None else mass
    states = af.Particles(x, np.broadcast_to(mass, x.shape[:2]))
    return Trajectory(jnp.asarray(ts), states, flow, Status.DONE, jnp.asarray(0), jnp.asarray(0))


def collapsing(d, *, sphere, n=12, k=9):
    """Tokens that go straight to two points."""
    start = np.asarray((af.uniform_sphere if sphere else af.uniform_cube)(n, d, seed=1).x)
    ends = np.asarray(af.cross_polytope(d).x)[[0, d]][np.arange(n) % 2]
    ends = ends + 0.2 * np.eye(d)[-1] if d > 1 else ends
    x = np.stack([(1 - s) * start + s * ends for s in np.linspace(0, 1, k)])
    if not sphere:
        return made(3 * x, af.Flow(af.Euclidean(), SOFTMAX))
    return made(x / np.linalg.norm(x, axis=-1, keepdims=True), af.Flow(af.Sphere(), SOFTMAX))


KINDS = {
    "circle": (2, True),
    "sphere": (3, True),
    "plane": (2, False),
    "space": (3, False),
    "line": (1, False),
    "shadow": (7, True),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.broad(3)
def test_summaries_of_every_kind(kind, tmp_path):
    d, sphere = KINDS[kind]
    run = collapsing(d, sphere=sphere)
    assert scene_of(run).kind == kind
    assert af.gathering(run).counts[-1] == 2
    figure = af.summary_figure(run)
    path = af.save_figure(figure, tmp_path / "summary.png", dpi=60)
    picture = np.asarray(Image.open(path).convert("L"))
    assert picture.std() > 10
    words = figure.get_suptitle()
    assert r"\beta = 3" in words and "n = 12" in words and f"d = {d}" in words
    assert ("variance" in figure.get_supxlabel()) == (kind == "shadow")


def test_summary_shows_cosines_where_no_clusters_form():
    gathering = collapsing(3, sphere=True)
    still = made(np.repeat(np.asarray(gathering.x)[:1], len(gathering.ts), axis=0), gathering.flow)
    labels = lambda run: {ax.get_ylabel() for part in af.summary_figure(run).subfigs for ax in part.axes}  # noqa: E731
    assert {"normalised energy", "clusters"} <= labels(gathering)
    spread = made(np.repeat(np.asarray(af.uniform_sphere(64, 3, seed=0).x)[None], 5, axis=0), gathering.flow)
    assert {"normalised energy", r"$\langle x_i, x_j\rangle$"} <= labels(spread)
    assert len(labels(still)) >= 2


def test_branches_of_a_merge_tree_are_as_high_as_its_bar_says():
    run = collapsing(3, sphere=True)
    groups, mass = af.gathering(run), np.asarray(run.mass)
    ax = draw_merge_tree(new_figure().add_subplot(), groups, mass)
    half, text = np.ptp(ax.lines[0].get_ydata()), ax.texts[-1].get_text()
    assert len(ax.get_yticks()) == 0 and text == "half of the tokens"
    ends = [band.vertices[:, 1] for band in ax.collections[0].get_paths() if band.vertices[:, 0].max() == groups.ts[-1]]
    assert_allclose(sorted(np.ptp(y[1:3]) for y in ends), sorted(2 * half * groups.last.mass))


TITLES = {
    "causal": (af.Flow(af.Sphere(), af.Causal(af.Softmax(beta=2.0))), "causal softmax", r"\beta = 2"),
    "noise": (af.Flow(af.Sphere(), af.Softmax(), noise=0.15), "noise = 0.15"),
    "V": (af.Flow(af.Sphere(), af.Softmax(), V=-1.0), "V = -1"),
    "B": (af.Flow(af.Sphere(), af.Softmax(B=np.diag([1.0, 2.0, 3.0]))), "B = [1 0 0; 0 2 0; 0 0 3]"),
    "scheme": (af.Flow(af.Sphere(), af.Softmax(), normalisation=af.PreLN()), "normalisation = PreLN"),
    "eps": (af.Flow(af.Euclidean(), af.Sinkhorn(eps=0.2)), r"\varepsilon = 0.2"),
    "heads": (af.Flow(af.Sphere(), af.Heads([(af.Softmax(), 1.0), (af.Softmax(), 0.5)])), "2-head attention"),
}


@pytest.mark.parametrize("kind", TITLES)
def test_titles_say_what_distinguishes_a_run(kind):
    flow, *words = TITLES[kind]
    title = describe(SimpleNamespace(flow=flow, states=af.uniform_sphere(5, 3, seed=0)))
    assert all(word in title for word in words) and "$n = 5$" in title
    assert title != describe(
        SimpleNamespace(flow=af.Flow(af.Sphere(), af.Softmax()), states=af.uniform_sphere(5, 3, seed=0))
    )


def test_summary_shows_the_leading_coordinate_of_rescaled_tokens():
    x = np.asarray(collapsing(3, sphere=False).x)
    flow = af.rescale(af.Flow(af.Euclidean(), SOFTMAX, V=np.diag([1.0, 0.3, -0.1])))
    curves = af.summary_figure(made(x, flow)).subfigs[1].axes[0]
    assert "varphi" in curves.get_ylabel()
    tokens = curves.lines[: x.shape[1]]  # then come the planes
    assert_allclose([line.get_ydata() for line in tokens], x[:, :, 0].T, atol=1e-12)
    seen = {(np.sign(line.get_ydata()[-1]), tuple(line.get_color())) for line in tokens}
    assert len(seen) == len({side for side, _ in seen}) == len({colour for _, colour in seen}) == 2


def test_summary_without_energy_and_of_a_gaussian(tmp_path):
    hard = made(np.asarray(collapsing(3, sphere=True).x), af.Flow(af.Sphere(), af.Hardmax()))
    assert "no energy is known" in energies_of(hard).name
    af.summary_figure(hard)
    covs = np.stack([np.diag([1 + s, 1 - s / 2]) for s in np.linspace(0, 1, 5)])
    states = af.Gaussian(np.zeros((5, 2)), covs)
    flow = af.Flow(af.Euclidean(), SOFTMAX)
    run = Trajectory(jnp.linspace(0, 1, 5), states, flow, Status.DONE, jnp.asarray(0), jnp.asarray(0))
    af.save_figure(af.summary_figure(run), tmp_path / "gaussian.png", dpi=50)
    af.animate(run, tmp_path / "gaussian.gif", dpi=40)


@pytest.mark.parametrize(("name", "magic"), [("f.pdf", b"%PDF"), ("f.png", b"\x89PNG"), ("f.svg", b"<?xml")])
def test_files_have_their_format_and_the_same_bytes_twice(name, magic, tmp_path):
    def write():
        figure = new_figure(2, 2)
        draw_sphere(figure.subplots(), af.uniform_sphere(20, 3, seed=1).x)
        return af.save_figure(figure, tmp_path / name, dpi=50).read_bytes()

    first = write()
    assert first.startswith(magic) and first == write()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_drawing_touches_neither_pyplot_nor_settings():
    before = dict(mpl.rcParams)
    af.summary_figure(collapsing(2, sphere=False))
    assert dict(mpl.rcParams) == before
    assert not Gcf.get_all_fig_managers()


def test_gif_has_a_frame_per_saved_time(tmp_path):
    path = af.animate(collapsing(3, sphere=True), tmp_path / "run.gif", dpi=40)
    with Image.open(path) as picture:
        assert picture.n_frames == 9
    assert [p.name for p in tmp_path.iterdir()] == ["run.gif"]
    fewer = af.animate(collapsing(2, sphere=False), tmp_path / "few.gif", dpi=40, frames=4)
    with Image.open(fewer) as picture:
        assert picture.n_frames == 4


def test_mp4_when_installed(tmp_path):
    pytest.importorskip("imageio_ffmpeg")
    with warnings.catch_warnings():
        # A fork beside the threads of JAX would warn.
        warnings.simplefilter("error")
        path = af.animate(collapsing(2, sphere=True), tmp_path / "run.mp4", dpi=50)
    assert path.read_bytes()[4:8] == b"ftyp"


def test_mp4_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ValueError, match="imageio-ffmpeg"):
        af.animate(collapsing(2, sphere=True), tmp_path / "run.mp4", dpi=40)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda path: af.save_figure(new_figure(), path / "f.bmp"), "pdf, pgf, png, svg"),
        (lambda path: af.save_figure(new_figure(), path / "no" / "f.png"), "does not exist"),
        (lambda path: af.animate(None, path / "f.avi"), "gif or mp4"),
        (lambda path: af.animate(None, path / "no" / "f.gif"), "does not exist"),
        (lambda path: af.animate(None, path / "f.gif", fps=0), "fps"),
        (lambda path: draw_attention(None, np.ones((2, 3, 3))), "one head at a time"),
    ],
)
def test_bad_requests_are_refused(act, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        act(tmp_path)
    assert not list(tmp_path.iterdir())


def test_areas_are_masses():
    mass = np.array([0.5, 0.3, 0.2, 0.0])
    areas = areas_of(mass)
    assert_allclose(areas / areas[0], mass / mass[0])


def test_halos_gather_the_mass_of_tokens_that_have_met():
    x = np.array([[0.0, 0], [1e-3, 0], [1, 1]])
    centres, areas, _ = halos_of(x, np.array([0.2, 0.4, 0.4]), np.ones((3, 4)), reach=0.01)
    assert_allclose(centres, [[2e-3 / 3, 0]])
    assert_allclose(areas / halos_of(x[:2], np.array([0.5, 0.5]), np.ones((2, 4)), reach=0.01)[1], 0.6)


def test_colours_follow_clusters():
    labels = np.array([0, 0, 1, 1, 1, 0])
    colours = colours_of(labels)
    assert len(np.unique(colours, axis=0)) == 2
    assert len(np.unique(colours_of(np.arange(8)), axis=0)) == 1
    many = colours_of(np.arange(40) // 4)
    assert len(np.unique(many, axis=0)) == len(PALETTE) + 1


def test_colours_are_told_apart_by_the_colour_blind():
    """Distances in a deuteranope's and a protanope's view (Viénot 1999) stay clear for the first colours."""
    rgb = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in PALETTE[:6]]) ** 2.2
    lms = np.array([[17.8824, 43.5161, 4.11935], [3.45565, 27.1554, 3.86714], [0.0299566, 0.184309, 1.46709]])
    for row, weights in ((0, [0, 2.02344, -2.52581]), (1, [0.494207, 0, 1.24827])):
        sight = np.eye(3)
        sight[row] = weights
        seen = np.clip(rgb @ (np.linalg.inv(lms) @ sight @ lms).T, 0, 1) ** (1 / 2.2)
        apart = np.linalg.norm(seen[:, None] - seen, axis=-1) + np.eye(6)
        # A tenth of the side of the colour cube: a difference anyone sees at a glance.
        assert apart.min() > 0.1


@pytest.mark.slow
def test_one_token_one_time_and_times_that_are_not_finite():
    flow, x = af.Flow(af.Sphere(), SOFTMAX), np.array(collapsing(3, sphere=True).x)
    af.summary_figure(made(x[:, :1], flow))
    af.summary_figure(made(x[:1], flow))
    broken = eqx.tree_at(lambda run: run.states.x, made(x, flow), jnp.asarray(x).at[-1].set(jnp.nan))
    scene = scene_of(broken)
    assert len(scene.ts) == 8 and "1 saved times are not finite" in scene.note
    af.summary_figure(broken)


def test_telling_times_end_when_tokens_have_met(rng):
    size = np.concatenate([np.linspace(1, 0, 20), 1e-12 * rng.normal(size=80)])
    run = made(rng.normal(size=(1, 5, 2)) * size[:, None, None], af.Flow(af.Euclidean(), SOFTMAX, V=-1.0))
    assert max(telling_times(scene_of(run))[:-1]) <= 20


def test_telling_times_begin_and_end_the_story():
    scene = scene_of(collapsing(3, sphere=True))
    chosen = telling_times(scene)
    assert chosen[0] == 0 and chosen[-1] == 8 and len(chosen) == 4 and np.all(np.diff(chosen) > 0)


def test_times_in_words():
    assert [in_words(t) for t in (0.0, 3.25, 2901.4, 1e6, 2.5e-5)] == [
        "$t = 0$",
        "$t = 3.25$",
        "$t = 2901$",
        "$t = 10^{6}$",
        r"$t = 2.5 \times 10^{-5}$",
    ]


def test_geometric_times_are_recognised():
    assert is_geometric(np.geomspace(0.1, 1e6, 50)) and not is_geometric(np.linspace(0, 10, 50))


def test_view_is_orthonormal_and_has_the_mass_in_front():
    frame = View(30, 20).of(np.eye(3))
    assert_allclose(frame.T @ frame, np.eye(3), atol=1e-14)
    cap = np.asarray(af.caps(50, 3, centres=[[1.0, 1, 0.3]], eps=0.05).x)
    assert view_of(cap).of(cap)[:, 2].min() > 0


def test_a_box_is_seen_across_a_corner_with_its_clusters_apart():
    planes = np.stack([np.repeat([-0.5, 0.5], 20), np.tile(np.linspace(-0.3, 0.3, 20), 2), np.zeros(40)], axis=1)
    view = view_across(planes)
    assert view.azimuth % 90 in (30, 45, 60)
    right = view.of(planes)[:, 0]
    assert right[:20].max() < right[20:].min() or right[20:].max() < right[:20].min()


def test_boxes_hold_their_points():
    x = np.random.default_rng(0).normal(size=(30, 2))
    low, high = box_around([x])
    assert np.all(low < x.min(axis=0)) and np.all(high > x.max(axis=0))
    assert_allclose(*(high - low))
    stretched = box_around([x * [1, 100]])
    assert stretched[1][1] - stretched[0][1] > 10 * (stretched[1][0] - stretched[0][0])


def test_plane_heat_maps_cosines_and_counts():
    figure = new_figure(8, 4)
    with style():
        axes = figure.subplots(1, 4)
    run = collapsing(3, sphere=True)
    x = np.asarray(run.x)
    draw_plane(axes[0], x[0][:, :2], trail=x[:3, :, :2])
    P = np.asarray(af.attention_matrix(run.flow, run.at(3)))
    image = draw_attention(axes[1], P, labels=af.clusters(run.last).labels, log=True)
    assert_allclose(np.sort(np.asarray(image.get_array()).ravel()), np.sort(P.ravel()))
    draw_cosines(axes[2], run)
    groups = af.gathering(run)
    draw_counts(axes[3], groups.ts, groups.counts)
    figure.canvas.draw()


def test_normalised_energy_lies_between_its_bounds_and_on_its_plateaus():
    """Three point clusters: the level drawn is the energy of their masses and places."""
    from attnflow.draw.energies import normalised_energies
    from attnflow.theory.limits.gathering import gathering

    centres, shares = np.eye(3), (30, 20, 10)
    x = np.repeat(centres, shares, axis=0)
    run = made(np.repeat(x[None], 6, axis=0), af.Flow(af.Sphere(), af.Softmax(beta=4.0)))
    found = normalised_energies(run, gathering(run))
    m = np.array(shares) / 60
    exact = (m**2).sum() + (1 - (m**2).sum()) * np.exp(-4)
    assert_allclose(found.values, exact, rtol=1e-6)  # single precision where 64 bits are off
    levels = {level.words: level.value for level in found.levels}
    assert_allclose(levels["3 clusters"], exact, rtol=1e-6)
    assert_allclose(levels["uniform law"], np.sinh(4) / 4 * np.exp(-4), rtol=1e-10)
    assert levels["one cluster"] == 1


def test_landscape_is_climbed_by_the_flow():
    """Its gradient on the sphere, by differences, is the velocity of softmax attention with B = V = I."""
    from attnflow.draw.diagrams.landscape import draw_landscape, field_at, heights

    rng = np.random.default_rng(0)
    x = rng.normal(size=(9, 3))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    mass, p = np.full(9, 1 / 9), x[:1] * 1.0
    field = field_at(p, x, mass, 5.0)[0]
    for axis in np.eye(3):
        tangent = axis - (axis @ p[0]) * p[0]
        ahead, behind = (p + s * 1e-5 * tangent for s in (1, -1))
        slope = (heights(ahead, x, mass, 5.0) - heights(behind, x, mass, 5.0))[0] / 2e-5
        assert abs(slope - field @ tangent) < 1e-8
    draw_landscape(new_figure().subplots(), x, beta=5.0)


@pytest.mark.slow
def test_shape_velocity_is_the_derivative_of_the_shape():
    from attnflow.draw.diagrams.gaussian_basin import grid, shape_velocity

    flow = af.Flow(af.Euclidean(), af.Softmax(B=np.array([[1.0, 0.3], [0.0, -0.5]])), V=0.7)
    _, covs = grid(5, 1.0)
    run = af.evolve(flow, af.Gaussian(np.zeros(2), covs[3]), until=2e-3, save=[0.0, 1e-3, 2e-3])
    shapes = np.array([[c[0, 0] - c[1, 1], 2 * c[0, 1]] / np.trace(c) for c in np.asarray(run.cov, float)])
    slope = (shapes[2] - shapes[0]) / 2e-3
    middle = shape_velocity(flow, np.asarray(run.cov, float)[1:2])[0]
    assert_allclose(slope, middle, atol=2e-3)  # single precision over a short time


def test_diagrams_are_drawn(tmp_path):
    from attnflow.draw import diagrams

    circle, space = collapsing(2, sphere=True), collapsing(3, sphere=True)
    figure = new_figure(9, 6)
    axes = figure.subplots(2, 3).ravel()
    diagrams.draw_circle_time(axes[0], circle)
    diagrams.draw_gram_spectrum(axes[1], space)
    diagrams.draw_cosine_histogram(axes[2], space)
    diagrams.draw_cluster_law(axes[3], [4, 16, 64], [3, 6, 11], errors=[1, 1, 2])
    diagrams.draw_waiting_law(axes[4], [2.0, 4.0, 8.0], angle=2.0)
    af.save_figure(figure, tmp_path / "diagrams.png", dpi=50)


def test_leaders_are_the_tokens_that_are_listened_to_most():
    """Rescaled tokens with V = I end at the corners of their hull, each with the leader that `limit` certifies."""
    from attnflow.draw.diagrams.leaders import by_leader, draw_leaders, leaders_of

    flow, mu = af.Flow(af.Euclidean(), af.Softmax()), af.Particles([[2.0, 0.0], [-1, 2], [-1, -2], [0.3, 0.1]])
    run = af.evolve(af.rescale(flow), mu, until=4.0, save=9)
    assert leaders_of(run).tolist() == af.limit(flow, mu).leaders.tolist() == [0, 1, 2, 0]
    tints = by_leader([0, 1, 0, -1])
    assert tints[0] == tints[2] != tints[1] and tints[3] not in tints[:2]
    ax = draw_leaders(new_figure().subplots(), run)
    assert len(ax.collections[0].get_paths()) == 4 and len(ax.collections[2].get_offsets()) == 3
    with pytest.raises(af.BadInput, match="one token for each"):
        draw_leaders(new_figure().subplots(), run, leaders=[0, 1])


def test_basins_of_two_tokens_are_half_spheres():
    """Of two opposite tokens a probe joins the nearer one: the border is the great circle between them."""
    from attnflow.draw.diagrams.basins import draw_basins, joins

    flow, mu = af.Flow(af.Sphere(), af.Softmax(beta=40.0)), af.Particles([[1.0, 0, 0], [-1.0, 0, 0]])
    rng = np.random.default_rng(0)
    probes = rng.normal(size=(40, 3))
    probes /= np.linalg.norm(probes, axis=1, keepdims=True)
    probes = probes[np.abs(probes[:, 0]) > 0.1]
    joined = joins(flow, mu, probes, until=20.0)
    sides = [set(joined[probes[:, 0] > 0]), set(joined[probes[:, 0] < 0])]
    assert sorted(sides, key=min) == [{0}, {1}]
    assert set(joins(flow, mu, probes, until=0.01)) <= {-1, 0, 1} and -1 in joins(flow, mu, probes, until=0.01)
    draw_basins(new_figure().subplots(), flow, mu, until=5.0, pixels=8)
    growing = af.Flow(af.Euclidean(), af.Unnormalised(), V=3.0)
    with pytest.raises(af.BadInput, match="basins need a run that reaches"):
        joins(growing, af.Particles([[2.0, 0.0], [1.0, 1.0]]), [[1.0, 0.0]], until=10.0)
    with pytest.raises(af.BadInput, match="basins are drawn on S²"):
        draw_basins(new_figure().subplots(), flow, af.uniform_sphere(3, 4, seed=0), until=1.0)


def test_film_of_the_attention_matrix_keeps_its_rows(tmp_path):
    """Blocks of rows still sum to 1, in the order of leaders the last matrix has blocks; the film has its frames."""
    from PIL import Image

    from attnflow.draw.diagrams import matrix_film

    run = collapsing(3, sphere=True)
    order = np.argsort(matrix_film.leaders_of(run), kind="stable")
    (P,) = matrix_film.matrices(run, order, [len(run.ts) - 1])
    assert_allclose(P.sum(axis=1), 1, rtol=1e-5)  # single precision where 64 bits are off
    exact = np.asarray(af.attention_matrix(run.flow, run.last))
    assert_allclose(P, exact[np.ix_(order, order)], rtol=1e-5, atol=1e-7)
    assert_allclose(matrix_film._averaged(np.full((1000, 1000), 1e-3)).sum(axis=1), 1, rtol=1e-12)
    film = matrix_film.animate_matrix(run, tmp_path / "P.gif", frames=3, dpi=40)
    with Image.open(film) as picture:
        assert picture.n_frames == 3


def test_rc_settings_of_users_are_respected():
    import matplotlib as mpl

    from attnflow.draw.style import chosen_look, fit_column, style

    with mpl.rc_context({"font.size": 17.0}), style():
        assert mpl.rcParams["font.size"] == 17.0 and mpl.rcParams["axes.spines.top"] is False
    with chosen_look(style="talk"), style():
        assert mpl.rcParams["font.size"] == 14
    with style():
        assert mpl.rcParams["font.size"] == 10
    assert fit_column(new_figure(8, 4), "single").get_size_inches()[0] == pytest.approx(3.35)


def test_a_film_is_shown_in_a_notebook():
    page = af.film(collapsing(3, sphere=True), frames=3)._repr_html_()
    assert page.count("data:image/webp") == 4 and "<script>" in page


@pytest.mark.parametrize("is_sphere", [True, False])
def test_a_frame_drawn_on_the_ground_is_the_whole_picture(is_sphere, monkeypatch):
    """Frames redraw only what moves or lies above it; on a logarithmic clock the first time is no reason to drop the layout."""
    run = collapsing(3, sphere=is_sphere)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frames = list(movie.film_frames(run, frames=3, log_time=True))
        monkeypatch.setattr(reel, "_above_ground", lambda ax: [ax])
        whole = list(movie.film_frames(run, frames=3, log_time=True))
    assert len(frames) == 3 and not np.array_equal(frames[0], frames[-1])
    assert all(np.array_equal(a, b) for a, b in zip(frames, whole))
