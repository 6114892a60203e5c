"""What a family knows of the weights before it: kinds of models, entries of configurations, tensors; the rest is refused."""

from __future__ import annotations

import re
from typing import Any

from ...errors import BadInput, quoted

WAY_OUT = "af.observed(hidden_states) still works"
HARMLESS = frozenset("""
architecture architectures attention_bias attention_out_bias attn_implementation batch_first bias chunk_size_feed_forward d_head
d_mlp d_model d_vocab d_vocab_out default_prepend_bos device dim_feedforward directionality do_sample early_stopping
embedding_dim embedding_size encoder_stride finetuning_task from_checkpoint gap_size gated_mlp global_pool
gradient_checkpointing head_dim hidden_size id2label image_size init_mode init_weights initializer_range inner_group_num
intermediate_size label2id language max_length max_position_embeddings max_sequence_length min_length mlp_bias model_name n_ctx
n_devices n_embd n_heads n_inner n_layer n_layers n_params n_positions name no_repeat_ngram_size num_beam_groups num_beams
num_channels num_classes num_features num_hidden_groups num_hidden_layers num_key_value_heads num_labels num_layers
num_return_sequences original_architecture output_attentions output_hidden_states output_past output_scores patch_size prefix
pretrained_cfg pretraining_tp problem_type qkv_bias remove_invalid_values reorder_and_upcast_attn return_dict
return_dict_in_generate seed task_specific_params task_type_vocab_size temperature tie_encoder_decoder tie_word_embeddings
tokenizer_class tokenizer_name tokenizer_prepends_bos top_k top_p torchscript transformers_version trust_remote_code
type_vocab_size typical_p unsloth_version use_attn_result use_bfloat16 use_cache vocab_size window_size
""".split())  # noqa: SIM905 # fmt: skip
"""Entries that change no layer (training, generation, labels), or only repeat what the shapes of tensors say."""
HARMLESS_SORTS = re.compile(
    r"_.*|(.*_)?dropout(_.*)?|.*_(pdrop|dropout_prob|token_ids?|penalty)|.*dtype|(summary|pooler|NTK)_\w+"
)
# ALBERT's first release counts parts that it never had more than one of.
HARMLESS_VALUES = {"down_scale_factor": 1, "attn_scores_soft_cap": -1.0, "output_logits_soft_cap": -1.0}
BESIDE = re.compile(
    r"(pooler|cls|lm_head|classifier|qa_outputs|score|predictions|head|fc_norm|unembed)\..*"
    r"|(.*\.)?(position_ids|token_type_ids|masked_bias|inv_freq|original_inv_freq|mask|IGNORE|rotary_sin|rotary_cos|mask_token)"
    r"|(h|layers)\.\d+\.attn(ention)?\.bias"
)
"""Tensors that change no layer: heads on the last state, and buffers of masks, positions and rotations."""


class Told(dict):
    """A table that remembers which of its entries were asked for."""

    def __init__(self, *given):
        super().__init__(*given)
        self.asked: set[str] = set()

    def __getitem__(self, name):
        self.asked.add(name)
        return super().__getitem__(name)

    def get(self, name, default=None):
        self.asked.add(name)
        return super().get(name, default)


def kind_of(config: dict[str, Any], *kinds: str, told: tuple[str, ...]) -> str:
    """The `model_type`, one of those that are read; but for the first, a configuration must say what kinds differ in."""
    kind = config.get("model_type")
    if kind is not None and kind not in kinds:
        raise BadInput(f"model_type {quoted(str(kind)[:30])} is not read: its layers may be built otherwise than in "
                       f"{', '.join(kinds[:4])}; {WAY_OUT}")  # fmt: skip
    for names in told if kind != kinds[0] else ():
        if all(config.get(name) is None for name in names.split("|")):
            raise BadInput(f"weights with such names are of many kinds: give read_model(…, config={{'model_type': …}}) of "
                           f"{', '.join(kinds[:4])}, or {names.split('|')[0]}")  # fmt: skip
    return kind or kinds[0]


def refuse_unread(tensors: Told, config: Told, prefix: str, depth: int) -> None:
    """Raise where the family did not ask for a tensor beside its own, or for an entry that may change the layers."""
    below = (name.removeprefix(prefix) for name in tensors if name.startswith(prefix) and name not in tensors.asked)
    if (odd := next((name for name in below if not BESIDE.fullmatch(name)), None)) is not None:
        raise BadInput(f"tensor {odd[-70:]} belongs to no layer that is read: the model is built otherwise; {WAY_OUT}")
    for name, value in config.items():
        if not (name in config.asked or is_harmless(name, value)):
            raise BadInput(f"the configuration says {quoted(str(name)[:40])} = {quoted(str(value)[:30])}, not known "
                           f"here; config={{…: None}} reads without it, {WAY_OUT}")  # fmt: skip
    for name in ("num_hidden_layers", "n_layer", "n_layers", "num_layers"):
        said = config.get(name)
        if isinstance(said, int) and said > 0 and depth / said not in (1, config.get("inner_group_num")):
            raise BadInput(f"the configuration says {name} = {said}, but the weights hold {depth} layers")


def is_harmless(name: str, value: Any) -> bool:
    """Whether an entry that nobody asked for changes no layer; one that is off changes none."""
    if not value or name in HARMLESS or name in HARMLESS_VALUES:
        return not value or HARMLESS_VALUES.get(name, value) == value
    return HARMLESS_SORTS.fullmatch(str(name)) is not None
