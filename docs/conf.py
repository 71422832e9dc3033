"""How the documentation is built: `make docs`, with every warning an error."""

import shutil
import sys
from pathlib import Path

import bbc

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_extensions"))
# Pages that are made at build time: pictures, the API's stubs, the gallery, a report.
EXTRA = HERE / "_generated" / "extra"
EXTRA.mkdir(parents=True, exist_ok=True)
shutil.copy(HERE / "quickstart" / "scores.csv", EXTRA)
# Built by `make try`, where emscripten is.
TRY = HERE.parent / "build" / "try" / "index.html"
shutil.rmtree(EXTRA / "try", ignore_errors=True)
if TRY.exists():
    (EXTRA / "try").mkdir()
    shutil.copy(TRY, EXTRA / "try")
# Built by r-bridge/site.sh, where R and pkgdown are.
R_PAGES = HERE.parent / "build" / "r" / "site"
shutil.rmtree(EXTRA / "r", ignore_errors=True)
if R_PAGES.exists():
    shutil.copytree(R_PAGES, EXTRA / "r")
runnable_folder = str(EXTRA)

project = "bbc"
author = "The bbc developers"
copyright = author  # noqa: A001
version = release = bbc.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
    "cheatsheet",
    "complete",
    "mathml",
    "runnable",
]
nitpicky = False
html_math_renderer = "mathml"
templates_path = ["_templates"]
exclude_patterns = ["_templates", "_generated/extra", "examples", "images", "try"]
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_typehints = "none"  # numpydoc's sections say the types in words
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False
# Three of the rules of tests/test_architecture.py, which asks for the others.
numpydoc_validation_checks = {"GL08", "SS01", "PR02"}
numpydoc_validation_exclude = {r"\.__init__$"}

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "_generated/gallery",
    "filename_pattern": r"/plot_",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "capture_repr": (),
    "remove_config_comments": True,
    "notebook_extensions": set(),
    "show_memory": False,
    "show_signature": False,
    "within_subsection_order": "FileNameSortKey",
    "min_reported_time": 5,
    "doc_module": ("bbc",),
    "backreferences_dir": "_generated/backreferences",
}

html_theme = "furo"
html_title = f"bbc {release}"
html_static_path = ["_static"]
html_extra_path = ["_generated/extra"]
html_css_files = ["bbc.css"]
html_search_scorer = str(HERE / "_static" / "search.js")
html_copy_source = False
html_show_sphinx = False
