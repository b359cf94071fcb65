"""How the site is built: ``python -m sphinx -W --keep-going -b html docs docs/_build/html``."""

import os
import sys
from pathlib import Path

# The checkout's own package, whatever is installed.
sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ["MPLBACKEND"] = "agg"

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

import skeval

project = "skeval"
author = "The skeval developers"
project_copyright = author
version = release = skeval.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_gallery.gen_gallery",
]
html_math_renderer = "mathml"
exclude_patterns = ["_build", "examples"]
templates_path = ["_templates"]
default_role = "py:obj"

# API: pages in docs/api list the names, autosummary writes one page each.
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # numpydoc's Parameters says it in words
toc_object_entries_show_parents = "hide"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the class template lists them
numpydoc_xref_param_type = False

# Examples of docs/examples run during the build; a failing one fails it.
sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "generated/examples",
    "filename_pattern": r"/plot_",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 20,
    "reset_modules": ("matplotlib",),
    "write_computation_times": False,
}

html_theme = "pydata_sphinx_theme"
html_title = "skeval"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["skeval.css"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"**": ["all-pages"]}
html_context = {"default_mode": "light"}
html_theme_options = {
    "logo": {"text": "skeval"},
    "navbar_center": [],
    "show_prev_next": False,
    "show_toc_level": 2,
    "navigation_depth": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "default",
    "pygments_dark_style": "monokai",
}


def visit_math(self, node):
    """Write a formula as MathML, which browsers draw themselves: no script, no picture, no network."""
    try:
        formula = tex2mathml(node.astext())
    except Exception as error:
        error.add_note(f"({node.source}, line {node.line})")
        raise
    if isinstance(node, nodes.math_block):
        formula = formula.replace("<math ", '<math display="block" displaystyle="true" ', 1)
        formula = f'<div class="formula">{formula}</div>'
    self.body.append(formula)
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math, None))
