"""The API reference is complete: a public name without a page fails the build."""

import types
from collections.abc import Iterator

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging

import bbc

_LOGGER = logging.getLogger(__name__)


def public_names(module: types.ModuleType = bbc, path: str = "bbc") -> Iterator[str]:
    """Whatever users reach without an underscore, by its shortest name."""
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, types.ModuleType):
            yield from public_names(value, f"{path}.{name}")
        elif not (name.startswith("_") or (module is not bbc and _is_shorter(name, value))):
            yield f"{path}.{name}"


def _is_shorter(name: str, value: object) -> bool:
    """Whether the same is reached from the package itself."""
    return name in bbc.__all__ and getattr(bbc, name) is value


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn about every public name that no page documents."""
    documented = env.domains.python_domain.objects
    for name in public_names():
        if name not in documented:
            _LOGGER.warning("%s is public, and the API reference lacks it", name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Check once all pages are read."""
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
