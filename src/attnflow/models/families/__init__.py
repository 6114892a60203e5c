"""Families of Transformers: which tensors each is known by, and how they become blocks."""

from . import albert, bert, gpt2, llama, neox, sceptr, transformer_lens, vit

FAMILIES = {
    "ALBERT": albert, "BERT": bert, "GPT-2": gpt2, "GPT-NeoX": neox, "Llama": llama, "ViT": vit,
    "torch encoder": sceptr, "TransformerLens": transformer_lens,
}  # fmt: skip
"""By name, in the order in which they are tried; each has `KNOWN_BY` (a tensor) and `build(weights)`."""
