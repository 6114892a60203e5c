"""Programs kept on disk from one process to the next: compiled ones by JAX, traced ones by attnflow."""

from .compiled import cache_folder, compile_cache
