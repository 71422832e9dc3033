"""The documentation is complete, and the files that it shows are those that were run."""

import importlib.util
import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_api_reference_lists_every_public_name():
    spec = importlib.util.spec_from_file_location("complete", DOCS / "_extensions" / "complete.py")
    complete = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(complete)
    pages = "\n".join(path.read_text() for path in (DOCS / "api").glob("*.rst"))
    listed = set(re.findall(r"^   ([\w.]+)$", pages, re.MULTILINE))
    missing = [name for name in complete.public_names() if name.removeprefix("bbc.") not in listed]
    assert missing == []
