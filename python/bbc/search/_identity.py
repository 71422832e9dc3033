"""What a store keeps of a run besides its fits: its identity and its description."""

import sys
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import sklearn

from .._names import SEEDING
from .._store import Identity, Store
from .._store._code import VALUE, Code
from .._store._fingerprint import Cloned, Fingerprint
from .._store._homes import version
from .._training._seeds import RULE
from .._typing import AnyArray
from .._warn import warn
from ._run import Run, folds_digest

_VERSION = "the version of "
# Packages that affect numbers, whatever package the learners come from.
_ALWAYS = ("numpy", "scikit-learn", "scipy")
# Settings of scikit-learn that change the input of learners.
_SETTINGS = ("array_api_dispatch", "enable_metadata_routing", "transform_output")
# Patterns of the records.
LATEST = {
    "protocol": str,
    "metrics": [str],
    "pooling": str,
    "dynamic search": bool,
    "groups": (type(None), "biufSU1"),
    "sample_weight": (type(None), "f1"),
}
# Of runs that were stored since a positive class need not be said, too.
LATEST_OR_EARLIER = (LATEST | {"pos_label given": bool}, LATEST)
DESCRIPTION = {
    "seed": int,
    "labels": bool,
    "methods": [str],
    "positive": (type(None), int),
    "probabilities": bool,
    "classes": (type(None), "biufSU1"),
    "y": "biufSUV1",
    "test rows": "i1",
    "test sizes": "i2",
    "time ordered": bool,
}
# Of runs that predict survival at some times, too.
DESCRIPTIONS = (
    DESCRIPTION,
    DESCRIPTION | {"times": [float]},
    DESCRIPTION | {"decisions": bool},
)


def identify(
    run: Run, fit_params: Mapping[str, Any], kernel_version: str
) -> tuple[Identity, dict[str, str]]:
    """Return the identity of a run, and what cannot be compared, with the reason."""
    fingerprint = Fingerprint()
    configurations: dict[str, str] = {}
    n_equal: Counter[str] = Counter()
    for each in run.configurations:
        digest = fingerprint.of(Cloned(run.trainer.seeded(each)), f"configuration {each.name!r}")
        configurations[f"{digest}.{n_equal[digest]}"] = each.name
        n_equal[digest] += 1
    settings = sklearn.get_config()
    data = {
        "the number of rows": str(run.n_rows),
        "y": fingerprint.of(run.y, "y"),
        "X": fingerprint.of(run.X, "X"),
        "fit parameters": fingerprint.of(dict(sorted(fit_params.items())), "fit parameters"),
        "random_state": str(run.seed),
        SEEDING: RULE,
        "what is predicted": run.responses.describe,
        # The part itself may start much later, after inner loops.
        "the partition": folds_digest(run.splits()),
        "scikit-learn's configuration": fingerprint.text([settings[name] for name in _SETTINGS]),
    }
    roots = list(fingerprint.met.values())
    code = Code(roots)
    known = {"bbc": kernel_version, "Python": f"{sys.version_info[0]}.{sys.version_info[1]}"}
    known |= {name: version(name) for name in sorted({*_ALWAYS, *code.packages})}
    versions = {_VERSION + name: [found] for name, found in known.items()}
    identity = Identity(
        {name: [found] for name, found in data.items()},
        versions | _listed(code.facts),
        configurations,
        lambda: _listed(Code(roots).values),
    )
    return identity, code.unseen


def warn_of_unseen(store: Store, unseen: Mapping[str, str]) -> None:
    """Warn once of what is not compared."""
    lines = [f"{name} ({why})" for name, why in sorted(unseen.items())]
    lines += [f"{name.removeprefix(VALUE)} (changed by training)" for name in store.changing]
    if lines:
        warn(
            f"store {store.path!r} cannot detect changes of the following, so pass another path "
            f"when you change them: {'; '.join(lines)}"
        )


def _listed(values: Mapping[str, set[str]]) -> dict[str, list[str]]:
    return {name: sorted(found) for name, found in values.items()}


def description(run: Run) -> dict[str, Any]:
    """Return what is needed to use a run's fits without the caller."""
    splits, responses = run.splits(), run.responses
    times = {"times": list(responses.times)} if responses.times else {}
    beside = {"decisions": True} if responses.decisions else {}
    return (
        times
        | beside
        | {
            "seed": run.seed,
            "labels": responses.labels,
            "methods": list(responses.methods),
            "positive": responses.positive,
            "probabilities": responses.probabilities,
            "classes": _plain(responses.classes),
            "y": _plain(run.y),
            "test rows": np.concatenate([split.rows.test for split in splits]),
            "test sizes": np.array([[split.repeat, len(split.rows.test)] for split in splits]),
            "time ordered": run.time_ordered,
        }
    )


def latest(run: Run, protocol: str, pooling: str) -> dict[str, Any]:
    """Return what may differ from call to call on the same fits."""
    decides = run.scoring.metric
    others = [each.name for each in run.scoring.metrics.values() if each is not decides]
    return {
        "protocol": protocol,
        "metrics": [decides.name, *others],
        "pooling": pooling,
        "dynamic search": run.dynamic_search,
        "pos_label given": run.responses.said,
        "groups": _plain(run.groups),
        "sample_weight": None if run.sample_weight is None else run.sample_weight.astype(float),
    }


def versions_of(code: Mapping[str, list[str]]) -> dict[str, str]:
    """Return the versions that fits were made with."""
    return {
        name.removeprefix(_VERSION): ", ".join(found)
        for name, found in code.items()
        if name.startswith(_VERSION)
    }


def seed_of(store: Store) -> int:
    """Return the seed of the run that a store holds."""
    run = store.record("run", DESCRIPTIONS)
    assert run is not None
    return int(run["seed"])


def was_dynamic(store: Store) -> bool:
    """Whether an earlier call chose configurations given the scores of others."""
    found = store.record("latest", LATEST_OR_EARLIER)
    return found is not None and bool(found["dynamic search"])


def _plain(values: AnyArray | None) -> AnyArray | None:
    """Objects as strings: a store keeps nothing that could run code."""
    return values.astype(str) if values is not None and values.dtype.hasobject else values
