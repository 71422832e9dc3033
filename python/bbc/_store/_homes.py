"""Where code comes from: packages, which are compared by version, or the user's project."""

import json
import sys
import sysconfig
from functools import cache
from importlib import metadata, util
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import ModuleType
from typing import Any

# Their versions are always compared, however they are installed.
_OURS = {"bbc", "bbc_r"}
_SITES = {"site-packages", "dist-packages"}
_STANDARD = Path(sysconfig.get_paths()["stdlib"])

# A tenth of a second: all metadata of all packages.
_distributions = cache(metadata.packages_distributions)


@cache
def packages_of(module: str) -> tuple[str, ...] | None:
    """Return the distributions that a module comes from, or None if its code must be followed.

    Code outside packages is followed, and so is a package installed from a folder, whose files
    change while its version does not. A package may lie in any folder, as ``pip install --target``
    puts it. The standard library has Python's version.
    """
    top = module.partition(".")[0]
    if top in _OURS:
        return ()
    if top == "__main__":
        return None
    place = _place(top)
    if place is None:
        return () if top in sys.stdlib_module_names else None
    in_site = bool(_SITES & set(place.parts))
    if not in_site and top in sys.stdlib_module_names and _STANDARD in place.parents:
        return ()
    found = tuple(sorted(set(_distributions().get(top, ()))))
    if not in_site and not any(_is_beside_record(place, distribution) for distribution in found):
        return None
    from_a_folder = any("dir_info" in _origin(distribution) for distribution in found)
    return None if from_a_folder or not found else found


def version(distribution: str) -> str:
    """Return a version, with the commit or the hash of what was installed from elsewhere."""
    origin = _origin(distribution)
    notes = origin.get("vcs_info", {}) | origin.get("archive_info", {})
    source = notes.get("commit_id") or notes.get("hash") or notes.get("hashes")
    return metadata.version(distribution) + (f" ({source})" if source else "")


def name_in_a_package(value: Any) -> str:
    """Return the name of an object in a package's module; empty if it has none."""
    owner = getattr(value, "__self__", value)  # of a bound function
    for home in (getattr(value, "__module__", None), type(owner).__module__):
        if isinstance(home, str) and packages_of(home) is not None:
            for name, member in getattr(sys.modules.get(home), "__dict__", {}).items():
                if member is value:
                    return f"{home}.{name}"
    return ""


def compiled_home(function: Any) -> ModuleType | None:
    """Return the module of a function that is no Python code."""
    home = getattr(function, "__module__", None) if hasattr(function, "__name__") else None
    return sys.modules.get(home) if isinstance(home, str) and is_compiled(home) else None


def is_compiled(module: str) -> bool:
    """Whether a module is no Python code."""
    file = str(getattr(sys.modules.get(module), "__file__", None))
    return file.endswith(tuple(EXTENSION_SUFFIXES))


def _place(module: str) -> Path | None:
    """The file of a top-level module or, without one, its folder; None if there is neither."""
    known = sys.modules.get(module)
    try:
        spec = known.__spec__ if known is not None else util.find_spec(module)
    except (AttributeError, ImportError, ValueError):
        return None
    if spec is None:  # a script or a notebook
        return None
    folders = list(spec.submodule_search_locations or ())
    origin = spec.origin if spec.has_location else None
    found = origin or (folders[0] if folders else None)
    return None if found is None else Path(found)


def _is_beside_record(place: Path, distribution: str) -> bool:
    """Whether an installer put a module where it put the record of what it installed."""
    found = metadata.distribution(distribution)
    return (
        Path(str(found.locate_file(""))) in place.parents and found.read_text("RECORD") is not None
    )


@cache
def _origin(distribution: str) -> dict[str, Any]:
    """The recorded origin of a package that is not from an index; conda's records are ignored."""
    found = metadata.distribution(distribution)
    note = found.read_text("direct_url.json")
    if note is None or (found.read_text("INSTALLER") or "").strip() == "conda":
        return {}
    return dict(json.loads(note))
