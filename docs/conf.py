"""The site: pages written by hand in docs/, pages made by docs/generate, tutorials run from examples/."""

import sys
import time
from pathlib import Path

import sphinxcontrib.katex as katex

sys.path.insert(0, str(Path(__file__).parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from docs.generate.night import night_style

from attnflow import __version__

project, author, copyright = "attnflow", "The attnflow developers", "The attnflow developers"
version = release = __version__

extensions = [
    "myst_parser", "sphinx.ext.githubpages", "sphinx.ext.viewcode", "sphinx_gallery.gen_gallery", "sphinxcontrib.katex",
    "sphinx_design", "sphinx_copybutton",
]  # fmt: skip
exclude_patterns = [
    "generate",
    "node_modules",
    "_drawn",
    "_katex",
    "**/README.*",
    "tutorials/*.ipynb",
    "tutorials/*.py",
]
nitpicky = True
# Types in signatures are read by people; only what links to a page of this site has to exist.
nitpick_ignore_regex = [(r"py:(class|exc|func|mod|meth|attr|data|const)", r".*")]
suppress_warnings = ["config.cache"]  # sphinx-gallery keeps classes in its settings
smartquotes = False  # primes are derivatives here
highlight_language = "none"  # blocks without a language are commands
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"

myst_enable_extensions = ["amsmath", "attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Formulas are set while the site is built: pages need neither scripts nor a network.
katex_prerender = True
katex_css_path = "katex/katex.min.css"
katex.KATEX_DEFAULT_OPTIONS["throwOnError"] = True
katex.STARTUP_TIMEOUT = katex.RENDER_TIMEOUT = 60.0

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "tutorials",
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",
    "download_all_examples": False,
    "show_signature": False,
    "min_reported_time": 10_000,
    "plot_gallery": "True",
    "reset_modules": ("matplotlib",),
    "ignore_repr_types": r"matplotlib\.",  # legends and axes as text tell nobody anything
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "attnflow"
html_static_path = ["_static", "_katex"]
html_css_files = ["attnflow.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "logo": {"text": "attnflow"},
    "navbar_align": "left",
    "header_links_before_dropdown": 7,
    "show_toc_level": 2,
    "show_prev_next": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "use_edit_page_button": False,
    "back_to_top_button": True,
}
html_context = {"default_mode": "auto"}  # else every page complains that it has none
html_sidebars = {"index": [], "figures/*": [], "papers/index": []}
copybutton_prompt_text, copybutton_prompt_is_regexp = r">>> |\.\.\. ", True


def start_katex(app) -> None:
    """Its socket is there a moment before it listens, and on a busy machine that moment is long."""
    for _ in range(100):
        try:
            katex.KaTeXServer.get()
            return
        except ConnectionRefusedError:
            time.sleep(0.2)


def write_night(app, failure) -> None:
    if failure is None:
        (Path(app.outdir) / "_static" / "night.css").write_text(night_style(Path(app.outdir) / "_images"), "utf-8")


def setup(app) -> None:
    app.connect("builder-inited", start_katex)
    app.connect("build-finished", write_night)
