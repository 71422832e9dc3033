"""Multivariate adaptive regression splines: the R package earth through the R bridge."""

import importlib.util
import shutil
import subprocess
from functools import cache
from typing import Any


@cache
def available() -> bool:
    """Whether the bridge and the R package are there; R itself is started in the workers only."""
    if importlib.util.find_spec("bbc_r") is None or shutil.which("Rscript") is None:
        return False
    expression = 'quit(status = !requireNamespace("earth", quietly = TRUE))'
    return subprocess.run(["Rscript", "-e", expression], check=False).returncode == 0


def mars() -> Any:
    """A learner with the package's defaults: no interactions."""
    import bbc_r

    return bbc_r.RLearner(
        "function(x, y) earth::earth(as.matrix(x), y)",
        "function(model, newx) as.vector(predict(model, as.matrix(newx)))",
        task="regression",
    )
