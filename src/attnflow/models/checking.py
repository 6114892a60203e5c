"""Self-checks of a model that was read: laws that hold for the right weights and fail for wrong ones."""

from __future__ import annotations

from dataclasses import dataclass

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ..engine.evolution import layers
from ..engine.evolution.trajectory import Trajectory
from ..engine.linalg.arguments import as_annotated
from ..engine.measures import Particles
from ..engine.summation.tiled import Tiled
from ..errors import BadInput
from .as_flow import first_made
from .families.known import WAY_OUT
from .heads_seen import attentions, seen_by, weights_of
from .model import Model
from .record import record

GROSS = 0.05
"""Relative differences from a module that no rounding explains, half precision included."""


@dataclass(frozen=True)
class Law:
    """A law, the largest violation seen, and how much round-off may cause."""

    name: str
    error: float
    tol: float
    words: str

    @property
    def holds(self) -> bool:
        return bool(self.error <= self.tol)


@as_annotated
def check_model(model: Model, prompt=None, *, source=None) -> list[Law]:
    """Laws of a model on a prompt (default: a few of its words); with a torch module as `source`, also against its forward."""
    prompt = example(model) if prompt is None else prompt
    found = laws_of(model, record(model, prompt, frame="sphere" if model.is_post_ln else "raw"))
    return found if source is None else [*found, *_against(model, record(model, prompt, frame="raw"), source, prompt)]


def laws_of(model: Model, run: Trajectory, walked: Trajectory | None = None) -> list[Law]:
    """Laws on a recorded run; `walked` are layers of all blocks in turn from the first state that a norm made."""
    return [_rows(model, run), *_key_offset(model, run), *_mean_gain(model, run), _chain(model, run, walked)]


def example(model: Model):
    """A short prompt that fits any model of its family."""
    rng = np.random.default_rng(0)
    if model.family == "ViT":
        c, p = model.embedding.kernel.shape[1:3]  # pyright: ignore[reportAttributeAccessIssue]
        side = round(((model.embedding.positions or 2) - 1) ** 0.5) * p
        return rng.normal(size=(c, side, side))
    table = getattr(model.embedding, "word", None)
    if table is None:
        return rng.normal(size=(24, model.d))
    return rng.integers(0, len(table), min(24, model.embedding.positions or 24))


def _rows(model: Model, run: Trajectory) -> Law:
    error = max(float(np.abs(np.asarray(P).sum(-1) - 1).max()) for _, P in attentions(model, run))
    return Law("attention", error, _round_off(), "every row of every attention matrix sums to 1")


def _key_offset(model: Model, run: Trajectory) -> list[Law]:
    heads, mu = seen_by(model, run, 0)
    if heads.k is None or heads.turn is not None:
        return []
    moved = eqx.tree_at(lambda h: h.k, heads, heads.k + 1.0)
    error = float(np.abs(np.asarray(weights_of(moved, mu)) - np.asarray(weights_of(heads, mu))).max())
    return [Law("key offset", error, 1e3 * _round_off(), "an offset of all keys changes no weight")]


def _mean_gain(model: Model, run: Trajectory) -> list[Law]:
    r"""A post-LN layer is $u \leftarrow N(u + \eta F)$ for every mean gain ḡ, with η and F depending on it."""
    if not model.is_post_ln:
        return []
    block, sphere = model.layers[-1], model.reading(model.depth - 1)
    if sphere is None:
        return []
    u, want = np.asarray(run.x)[-2:]
    ends = [np.asarray(_stepped(block, sphere, jnp.asarray(u), run.mass, jnp.asarray(gain))) for gain in (0.5, 2.0)]
    errors = [float(np.abs(end - want).max()) for end in ends]
    eps = max(s.closing.eps for s in block.sublayers if s.closing is not None)
    words = "a layer is a step on the sphere, whatever the mean gain it is written with"
    return [Law("mean gain", max(errors), 1e4 * _round_off() + 10 * eps, words)]


@eqx.filter_jit
def _stepped(block, norm, u, mass, gain):
    d = u.shape[-1]
    for sublayer in block.sublayers:
        y = norm.read(u)
        said = sublayer.says(y, Particles(y, mass), Tiled())
        force = sublayer.closing.centred(y - jnp.sqrt(d) * gain * u + said)
        moved = u + force / (jnp.sqrt(d) * gain)
        u, norm = moved / jnp.linalg.norm(moved, axis=-1, keepdims=True), sublayer.closing
    return u


def _chain(model: Model, run: Trajectory, walked: Trajectory | None) -> Law:
    """Layers as blocks, by a compiled loop, against the recorded states."""
    want, first = np.asarray(run.x), first_made(model)
    if walked is not None:
        got = np.asarray(walked.x)[: len(want) - first]
    else:
        starts = [Particles(want[layer], run.mass) for layer in range(first, model.depth)]
        ends = [layers(model.layers[first + k], start, 1).x[1] for k, start in enumerate(starts)]
        got = np.stack([want[first], *ends])
    seen = want[first : first + len(got)]
    error = max(float(np.abs(one - other).max() / np.abs(other).max()) for one, other in zip(got, seen))
    words = "layers as blocks take each state to the next, from the first that a norm made"
    return Law("layers", error, 1e4 * _round_off(), words)


def _against(model: Model, run: Trajectory, source, prompt, place: str = "layers") -> list[Law]:
    """The hidden states and attention of the module itself, as far as it shows them."""
    states, weights, tol = shown_by(source, prompt, place)
    if not states:
        return []
    errors = [_apart(state, own) for state, own in zip(states, run.x)]
    if model.final is not None:
        # Decoders show their last state after the final norm, ViT before it.
        errors[-1] = min(errors[-1], _apart(states[-1], model.final(run.x[-1])))
    words = "states equal those of the module, to its precision"
    laws = [Law("hidden states", max(errors) if len(states) == len(run.x) else np.inf, tol, words)]
    if weights:
        pairs = zip(attentions(model, run), weights, strict=True)
        worst = max(float(np.abs(np.asarray(P) - A).max()) for (_, P), A in pairs)
        laws.append(Law("attention of the module", worst, tol, "weights equal those of the module, to its precision"))
    return laws


def _apart(state, own) -> float:
    return float(np.abs(state - np.asarray(own)).max() / np.abs(state).max())


def shown_by(source, prompt, place: str = "layers") -> tuple[list[np.ndarray], list[np.ndarray], float]:
    """States and attention matrices of a torch module with its layers at `place`, and what its precision allows."""
    if not hasattr(source, "parameters"):
        return [], [], np.nan
    import torch  # pyright: ignore[reportMissingImports] (an extra)

    first = next(source.parameters())
    given = torch.as_tensor(np.asarray(prompt)).to(first.device)[None]
    was_training = {part: part.training for part in source.modules()}
    source.eval()
    try:
        with torch.no_grad():
            states, weights = _asked(source, given.to(first.dtype) if given.is_floating_point() else given, place)
    finally:
        for part, was in was_training.items():
            part.training = was
    # A hundred roundings; rotary positions and RMS norms are in single precision whatever the weights are.
    tol = 100 * max(torch.finfo(first.dtype).eps, torch.finfo(torch.float32).eps)
    return *([np.asarray(h[0].detach().double().cpu()) for h in shown] for shown in (states, weights)), tol  # pyright: ignore[reportReturnType]


def _asked(source, given, place: str):
    """States and attention matrices of the part that was read: told by Hugging Face's models, seen at the layers of others."""
    stem, _, name = place.rpartition(".")
    told = next((part for part in source.modules() if hasattr(getattr(part, "config", None), "to_dict")), None)
    if told is not None:
        is_eager = getattr(told.config, "_attn_implementation", None) == "eager"
        said = told(given, output_hidden_states=True, output_attentions=is_eager)
        return said.hidden_states, getattr(said, "attentions", None) or () if is_eager else ()
    part, states = source.get_submodule(stem), []
    layers = getattr(part, name)
    hooks = [layers[0].register_forward_pre_hook(lambda layer, said: states.append(said[0]))]
    hooks += [layer.register_forward_hook(lambda layer, told, said: states.append(said)) for layer in layers]
    try:
        # Torch's own layers hear along the first axis, unless told otherwise.
        is_turned = not getattr(getattr(layers[0], "self_attn", None), "batch_first", True)
        last = part(given.swapaxes(0, 1) if is_turned else given)
    finally:
        for hook in hooks:
            hook.remove()
    # What comes out at the end is the last state, unless a head stands behind it.
    states[-1] = last if getattr(last, "shape", None) == states[-1].shape else states[-1]
    return [state.swapaxes(0, 1) if is_turned else state for state in states], ()


def check_source(model: Model, source, place: str) -> None:
    """Raise where a module computes other states than the layers that were read from it."""
    prompt = example(model)
    try:
        laws = _against(model, record(model, prompt, frame="raw"), source, prompt, place)
    except (TypeError, ValueError, AttributeError, RuntimeError, LookupError) as error:
        raise BadInput(f"the module cannot be asked for its states ({' '.join(str(error).split())[:70]}): check=False reads it "
                       "unchecked") from None  # fmt: skip
    for law in laws:
        # Rounding explains little more than `tol` in single precision; in half precision layers add it up.
        if not law.error <= min(GROSS, 100 * law.tol):
            raise BadInput(f"read as {model.family}, but {law.name} differ by {law.error:.2g} from the module's own: its layers "
                           f"are built otherwise; {WAY_OUT}")  # fmt: skip


def _round_off() -> float:
    return 100 * float(jnp.finfo(jnp.result_type(float)).eps)
