"""Use the metrics that were added to a copy of the tree from Python; print two estimates."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import jaccard_score

TREE = Path(sys.argv[1])
# An editable installation of another tree comes first otherwise.
sys.meta_path = [each for each in sys.meta_path if "Redirecting" not in type(each).__name__]
sys.path[:0] = [str(TREE / "python"), str(TREE / "tests")]

import bbc  # noqa: E402
import roads  # noqa: E402

assert Path(bbc.__file__).is_relative_to(TREE), bbc.__file__
LOSS, RATIO = "mean_fourth_power_error", "negative_jaccard"
N_ROWS, N_CONFIGURATIONS = 60, 5

row, configuration = np.arange(N_ROWS)[:, None], np.arange(N_CONFIGURATIONS)
truth = (row[:, 0] * 7 % 11) / 4.0
values = truth[:, None] + ((row * 13 + configuration * 5) % 17 - 8.0) / 8.0
classes = (row[:, 0] * 5 % 9 > 4).astype(np.int64)
labels = np.where((row * 3 + configuration * 7) % 10 < 3, 1 - classes[:, None], classes[:, None])


def estimates(metric, y, predictions, **options):
    """An estimate with few draws."""
    return bbc.correct(y, predictions, metric=metric, n_bootstraps=200, random_state=3, **options)


loss = estimates(LOSS, truth, values)
means = ((truth[:, None] - values) ** 4).mean(axis=0)
assert np.isclose(loss.apparent, means.min(), rtol=1e-14)
assert loss.winner == means.argmin()
assert not loss.greater_is_better
assert estimates(f"neg_{LOSS}", truth, values).estimate == -loss.estimate
weighted = estimates(LOSS, truth, values, sample_weight=1.0 + row[:, 0] % 3)
assert np.isfinite(weighted.estimate)

ratio = estimates(RATIO, classes, labels)
own = [jaccard_score(classes, each, pos_label=0) for each in labels.T]
assert ratio.apparent == max(own), (ratio.apparent, own)
assert ratio.winner == int(np.argmax(own))
assert np.isfinite(estimates(RATIO, classes, labels, sample_weight=1.0 + row[:, 0] % 3).estimate)
scores = (values - values.min()) / np.ptp(values)
cut = estimates(RATIO, classes, scores, selection=bbc.best_threshold())
called = [scores[:, j] >= t for j in range(N_CONFIGURATIONS) for t in np.unique(scores[:, j])]
best = max(jaccard_score(classes, c, pos_label=0) for c in called)
assert cut.apparent == best, (cut.apparent, best)

taken = roads.table()
assert taken[LOSS]["pooled"] == "grid"  # its vector form
assert taken[RATIO]["pooled"] == "look-up"
for other, name in (("fourth", LOSS), ("jac_neg", RATIO)):
    with pytest.raises(ValueError, match=name):
        bbc.metrics.get(other)

spec = importlib.util.spec_from_file_location("build", TREE / "docs/try/build.py")
build = importlib.util.module_from_spec(spec)
spec.loader.exec_module(build)
of_page = {metric["name"]: metric for metric in build.facts()["metrics"]}
assert of_page[LOSS]["title"] == "M4E"
assert of_page[RATIO]["group"] == "predicted labels"
print(f"{loss.estimate:.17g} {ratio.estimate:.17g}")
