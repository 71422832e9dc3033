"""A reader of any page finds the numbers that the test counted itself while the run went on."""

import html
import re
import warnings

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)

import bbc
from kinds import draws, of_folds

FITS: list[int] = []  # the configuration of each fit, as it happens


class Watched(ClassifierMixin, BaseEstimator):
    """Scores by one column with noise; says when it is trained, and fails where it is told to."""

    def __init__(self, configuration=0, failing=-1):
        self.configuration = configuration
        self.failing = failing

    def fit(self, X, y):
        if self.configuration == self.failing:
            raise ValueError("told to fail")
        FITS.append(self.configuration)
        self.classes_ = np.unique(y)
        self.n_features_in_ = X.shape[1]
        return self

    def predict_proba(self, X):
        # The later the configuration, the more of its score is a column that says nothing.
        share = self.configuration / 8
        logit = (1 - share) * X[:, 0] + share * X[:, 1]
        p = 1 / (1 + np.exp(-3 * logit))
        return np.column_stack([1 - p, p])

    def predict(self, X):
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


SPLITTERS = {
    "5": (lambda groups: 5, 5, 1),
    "rows": (lambda groups: KFold(4, shuffle=True, random_state=0), 4, 1),
    "classes": (lambda groups: StratifiedKFold(3), 3, 1),
    "groups": (lambda groups: GroupKFold(4), 4, 1),
    "time": (lambda groups: TimeSeriesSplit(5), 5, 1),
    "repeats": (
        lambda groups: RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0), 4, 2,
    ),
    "hold-out": (lambda groups: PredefinedSplit(np.where(np.arange(len(groups)) % 3, -1, 0)), 1, 1),
}  # fmt: skip
PATTERNS = {
    "configurations": r"(\d+) configurations were compared",
    "folds": r"(\d+)-fold cross-validation",
    "repeats": r"cross-validation[a-z ]* with (\d+) repeats",
    "scored": r" on (\d+) rows",
    "groups": r"rows(?: \([^)]*\))? in (\d+) groups",
    "rows": r"\(of (\d+); the others lack predictions",
    "dropped": r"(\d+) (?:was|were) dropped after",
    "failed": r"(\d+) (?:was|were) left out because a fit failed",
    "events": r"; (\d+) events",
    "groups_with_event": r"; \d+ events in (\d+) groups",
}


def numbers_of(page):
    """The counts that a page states, by what they count."""
    page = re.sub(r"<style>.*?</style>|<img[^>]*>", "", page, flags=re.DOTALL)
    text = " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())
    found = {name: re.search(pattern, text) for name, pattern in PATTERNS.items()}
    return {name: int(match[1]) if match else None for name, match in found.items()}, text


@st.composite
def runs(draw):
    protocol = draw(st.sampled_from([bbc.BBC, bbc.BBCD, of_folds, bbc.CVT, bbc.TT, bbc.NCV]))
    splitter = draw(st.sampled_from(list(SPLITTERS)))
    if protocol in (of_folds, bbc.TT, bbc.NCV, bbc.BBCD) and splitter == "hold-out":
        splitter = "rows"
    if protocol is bbc.NCV and splitter in ("repeats", "time"):
        splitter = "classes"
    if protocol is bbc.BBCD and splitter == "repeats":
        splitter = "5"
    grouped = splitter == "groups"  # others would put a group on both sides of a fold
    two_level = protocol is bbc.BBC and splitter in ("5", "rows") and draw(st.booleans())
    return {
        "protocol": protocol,
        "splitter": splitter,
        "grouped": grouped,
        "n_rows": draw(st.integers(90, 150)),
        "n_configurations": draw(st.integers(2, 8)),
        "failing": draw(st.booleans()) and protocol in (bbc.BBC, of_folds, bbc.TT),
        "options": {"method": "bbc-two-level"} if two_level else {},
        "stratified": protocol is bbc.BBC and not grouped and not two_level and draw(st.booleans()),
        "seed": draw(st.integers(0, 1000)),
    }


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(runs())
def test_a_page_says_what_was_done(run):
    rng = np.random.default_rng(run["seed"])
    n, n_configurations = run["n_rows"], run["n_configurations"]
    X = rng.normal(size=(n, 2))
    y = (X[:, 0] + 0.7 * rng.normal(size=n) > 0).astype(int)
    groups = rng.integers(0, n // 4, n)
    make, n_folds, n_repeats = SPLITTERS[run["splitter"]]
    cv = make(groups)
    failing = n_configurations if run["failing"] else -1
    configurations = list(range(n_configurations + bool(run["failing"])))
    options = dict(run["options"])
    if draws(run["protocol"]):
        options["n_bootstraps"] = 100
    if run["protocol"] is bbc.BBCD:
        options["min_predictions"] = 20
    search = run["protocol"](
        Watched(failing=failing), {"configuration": configurations}, cv=cv, scoring="roc_auc",
        random_state=0, refit=False, **({"error_score": np.nan} if run["failing"] else {}),
        **options,
    )  # fmt: skip
    FITS.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search.fit(X, y, **({"groups": groups} if run["grouped"] else {}))
        corrected = bbc.correct(search, stratify_bootstrap=True) if run["stratified"] else search
        said, text = numbers_of(bbc.report(corrected).html)
    splitter = cv if not isinstance(cv, int) else KFold(cv)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # groups that a splitter does not read
        splits = [test for _, test in splitter.split(X, y, groups)]
    tested = np.unique(np.concatenate(splits))
    assert said["configurations"] == len(configurations), text
    assert said["folds"] == (n_folds if n_folds > 1 else None), text
    assert said["repeats"] == (n_repeats if n_repeats > 1 else None), text
    assert said["scored"] == len(tested), text
    assert said["rows"] == (n if len(tested) < n else None), text
    assert said["events"] == int(y[tested].sum()), text
    of_groups = run["grouped"]
    assert said["groups"] == (len(np.unique(groups[tested])) if of_groups else None), text
    with_event = len(np.unique(groups[tested][y[tested] == 1]))
    assert said["groups_with_event"] == (with_event if of_groups else None), text
    assert said["failed"] == (1 if run["failing"] else None), text
    if run["protocol"] is not bbc.NCV:
        fits = np.bincount(FITS, minlength=len(configurations))
        dropped = int(((fits > 0) & (fits < fits.max())).sum())
        assert (said["dropped"] or 0) == dropped, text
    assert ("in order of time" in text) == (run["splitter"] == "time"), text
    assert ("within classes" in text) == run["stratified"], text
    assert ("two-level bootstrap" in text) == bool(run["options"]), text
