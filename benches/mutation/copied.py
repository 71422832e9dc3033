"""A copy of the checkout, in which files are changed."""

import shutil
import subprocess
import sys
from pathlib import Path

_NO_REDIRECTION = """
import sys

sys.meta_path[:] = [one for one in sys.meta_path if "Redirect" not in type(one).__name__]
"""


def write_copy(root: Path, copy: Path) -> None:
    """The tracked files, and the compiled module, which only the tests of the copy import."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True)
    for name in tracked.stdout.decode().split("\0")[:-1]:
        source, target = root / name, copy / name
        if source.is_symlink():
            target.unlink(missing_ok=True)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.symlink_to(source.readlink())
        elif source.is_file() and (
            not target.exists() or target.read_bytes() != source.read_bytes()
        ):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    say = [sys.executable, "-c", "from bbc import _core; print(_core.__file__)"]
    module = subprocess.run(say, capture_output=True, text=True, check=True).stdout.strip()
    shutil.copy(module, copy / "python/bbc")
    # Nor do processes that tests start import what an editable installation redirects to.
    (copy / "python/sitecustomize.py").write_text(_NO_REDIRECTION, encoding="utf-8")
