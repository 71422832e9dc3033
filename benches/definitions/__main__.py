"""Whose definition? Each convention of bbc beside its peers, on public data: definitions.csv.

`python -m benches.definitions` computes the table, and needs R with pROC, survival and caret for
the values in peers.csv; the test recomputes all else. lung.csv is the data set `lung` of R's
package survival (Loprinzi et al. 1994); the others come with scikit-learn.
"""

import csv
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn import metrics as peers
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.model_selection import KFold
from sklearn.neighbors import KNeighborsClassifier

import bbc

HERE = Path(__file__).resolve().parent
COLUMNS = ("number", "convention", "data", "peer", "bbc", "theirs", "difference")
CANCER = "breast cancer (scikit-learn), a risk from the mean texture"
DIABETES = "diabetes (scikit-learn), a line in the body mass index"
LUNG = "lung (survival), age as the risk"


@dataclass(frozen=True)
class Line:
    """A number by bbc's convention, and by a peer's."""

    number: str
    convention: str
    data: str
    peer: str
    ours: float
    theirs: float

    def cells(self) -> tuple[str, ...]:
        """Its cells in the table; differences below 1e-8 are those of rounding."""
        apart = self.ours - self.theirs
        shown = "0" if abs(apart) < 1e-8 else f"{apart:+.2g}"
        values = (f"{self.ours:.6g}", f"{self.theirs:.6g}", shown)
        return (self.number, self.convention, self.data, self.peer, *values)


def cancer() -> dict[str, np.ndarray]:
    """Truth (1 is benign), a feature, a fixed function of it as a risk, and labels."""
    X, y = load_breast_cancer(return_X_y=True)
    texture = X[:, 1]
    p = 1 / (1 + np.exp((texture - 19.3) / 3))
    return {"y": y, "texture": texture, "p": p, "label": (p > 0.5).astype(int)}


def diabetes() -> dict[str, np.ndarray]:
    """Truth, and a fixed line as the prediction."""
    X, y = load_diabetes(return_X_y=True)
    return {"y": y, "predicted": 150 + 900 * X[:, 2]}


def lung() -> dict[str, np.ndarray]:
    """Times in days, events, and ages."""
    with (HERE / "lung.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([float(row[name]) for row in rows]) for name in ("time", "event", "age")}


def curve() -> tuple[np.ndarray, np.ndarray]:
    """The calibration curve of the risk, before any correction."""
    data = cancer()
    c = bbc.correct(
        data["y"], data["p"][:, None], metric="log_loss", n_bootstraps=40, random_state=1
    )
    found = c.calibration().curve
    return found.x, found.apparent


def censoring(time: np.ndarray, event: np.ndarray, right: bool) -> np.ndarray:
    """Kaplan-Meier of the censoring at each row's own time: G(t), or G(t-) if not `right`."""
    survival = np.ones(len(time))
    for row, own in enumerate(time):
        for at in np.unique(time[event == 0]):
            if at < own or (right and at == own):
                # Events come before censored rows of the same time.
                followed = np.sum(time > at) + np.sum((time == at) & (event == 0))
                survival[row] *= 1 - np.sum((time == at) & (event == 0)) / followed
    return survival


def ours(metric: object, y: np.ndarray, prediction: np.ndarray, **options: object) -> float:
    """A metric of one column of predictions."""
    result = bbc.correct(
        y, prediction[:, None], metric=metric, n_bootstraps=40, random_state=1, **options
    )
    return float(result.apparent)


def lines(r: dict[str, float]) -> list[Line]:
    """All comparisons, given the values of R's packages."""
    found: list[Line] = []

    def add(number: str, convention: str, data: str, value: float, **theirs: float) -> None:
        for peer, other in theirs.items():
            name = peer.replace("__", " ").replace("_dot_", ".")
            found.append(Line(number, convention, data, NAMES.get(name, name), value, float(other)))

    _classification(add, r)
    _regression(add, r)
    _survival(add, r)
    _estimates(add, r)
    return found


#: Peers by their keyword.
NAMES = {
    "sklearn": "scikit-learn",
    "other class": "the other class (caret: the first level)",
    "trapezoid": "trapezoids under the curve (yardstick)",
    "clip15": "clipped at 1e-15 (MLmetrics)",
    "folds": 'mean over folds (`GridSearchCV`; `pooling="fold"`)',
    "turned": "pROC's default, which turns scores the way that gives more than 0.5",
    "continuity": "R prop.test(), with its continuity correction",
    "prop": "R prop.test(correct = FALSE)",
    "half": "halved for two or more classes, as Brier scores of two classes are",
    "caret": "caret R2(), a squared correlation",
    "glm": "R glm()",
    "loess": "R loess(): floor(0.75 n) neighbours; the largest difference",
    "linear": "type 7 (numpy, scipy.stats.bootstrap, R quantile())",
    "G": "G(t) (scikit-survival)",
    "at tau": "survival, where events at ymax count",
    "per bag": 'capped and weighed per sample (`"632+-per-bag"`: mlr)',
    "no factor": "without the factor",
}


def _classification(add, r) -> None:
    data = cancer()
    y, p, label = data["y"], data["p"], data["label"]
    area = ours("roc_auc", y, p)
    add(
        "ROC AUC",
        "a tie counts one half; the larger label is positive",
        CANCER,
        area,
        sklearn=peers.roc_auc_score(y, p),
        pROC=r["auc"],
    )
    add(
        "ROC AUC of a reversed score",
        "scores are never turned",
        CANCER,
        ours("roc_auc", y, data["texture"]),
        turned=r["auc turned"],
    )
    add(
        "average precision",
        "steps; tied scores are one step",
        CANCER,
        ours("average_precision", y, p),
        sklearn=peers.average_precision_score(y, p),
        trapezoid=_trapezoid(y, p),
    )
    add(
        "F1",
        "the positive class is 1, as in scikit-learn; text must name it",
        CANCER,
        ours("f1", y, label),
        sklearn=peers.f1_score(y, label),
        other__class=r["f1"],
    )
    add(
        "log loss of labels taken as risks",
        "clipped at the precision of the risks' type",
        CANCER,
        ours("log_loss", y, label.astype(float)),
        sklearn=peers.log_loss(y, label.astype(float)),
        clip15=peers.log_loss(y, np.clip(label, 1e-15, 1 - 1e-15)),
    )
    _of_classes_and_folds(add, area)


def _of_classes_and_folds(add, area: float) -> None:
    y, p = (cancer()[name] for name in ("y", "p"))
    X, species = load_iris(return_X_y=True)
    shares = np.full((len(species), 3), 0.2)
    shares[np.arange(len(species)), np.digitize(X[:, 2], [2.5, 4.8])] = 0.6
    value = float(
        bbc.correct(
            species, shares[:, None, :], metric="brier_score", n_bootstraps=40, random_state=1
        ).apparent
    )
    add(
        "Brier score of three classes",
        "summed over classes: 0 to 2; of two classes: 0 to 1",
        "iris (scikit-learn), shares from the petal length",
        value,
        sklearn=peers.brier_score_loss(species, shares),
        half=value / 2,
    )
    folds = np.empty(len(y), dtype=int)
    for fold, (_, test) in enumerate(KFold(10, shuffle=True, random_state=0).split(p)):
        folds[test] = fold
    add(
        "score of a cross-validation",
        "one score on all rows",
        f"{CANCER}, 10 folds",
        area,
        folds=np.mean([peers.roc_auc_score(y[folds == k], p[folds == k]) for k in range(10)]),
    )


def _trapezoid(y, p) -> float:
    precision, recall, _ = peers.precision_recall_curve(y, p)
    return float(peers.auc(recall, precision))


def _regression(add, r) -> None:
    data = diabetes()
    add(
        "R2",
        "1 - residual / total sum of squares, on all rows",
        DIABETES,
        ours("r2", data["y"], data["predicted"]),
        sklearn=peers.r2_score(data["y"], data["predicted"]),
        caret=r["r2"],
    )


def _survival(add, r) -> None:
    data = lung()
    outcome = np.array(
        list(zip(data["event"] == 1, data["time"], strict=True)),
        dtype=[("event", bool), ("time", float)],
    )
    add(
        "concordance index",
        "tied risks count one half; tied event times are not comparable",
        LUNG,
        ours("concordance_index", outcome, data["age"]),
        survival=r["concordance"],
    )
    weights = censoring(data["time"], data["event"], right=True)
    by_g = bbc.metrics.uno_concordance(censoring_survival=np.where(weights > 0, weights, 1.0))
    add(
        "Uno's concordance index",
        "weighted by 1 / G(t-)^2",
        LUNG,
        ours(bbc.metrics.uno_concordance(), outcome, data["age"]),
        survival=r["uno"],
        G=ours(by_g, outcome, data["age"]),
    )
    years = outcome.copy()
    years["time"] = np.ceil(outcome["time"] / 365.25 * 4) / 4
    weights = censoring(years["time"], data["event"], right=True)
    by_g = bbc.metrics.uno_concordance(censoring_survival=np.where(weights > 0, weights, 1.0))
    add(
        "Uno's concordance index",
        "weighted by 1 / G(t-)^2",
        f"{LUNG}, times in quarters of a year",
        ours(bbc.metrics.uno_concordance(), years, data["age"]),
        survival=r["uno quarters"],
        G=ours(by_g, years, data["age"]),
    )
    tau = float(np.median(years["time"]))
    add(
        "Uno's concordance index before tau",
        "events at T < tau count",
        f"{LUNG}, times in quarters of a year, tau = {tau:g}",
        ours(bbc.metrics.uno_concordance(tau=tau), years, data["age"]),
        at__tau=r["uno tau"],
    )


def _estimates(add, r) -> None:
    data = cancer()
    y, p, label = data["y"], data["p"], data["label"]
    result = bbc.correct(y, p[:, None], metric="roc_auc", random_state=1)
    add(
        "lower limit of the bootstrap interval",
        "order statistics of the replicates",
        CANCER,
        result.confidence_interval.low,
        linear=np.quantile(result.replicates, 0.025),
    )
    add(
        "lower limit by DeLong",
        "normal, cut at the metric's range",
        CANCER,
        bbc.baselines.intervals.delong(y, p).confidence_interval.low,
        pROC=r["delong"],
    )
    add(
        "lower limit by Wilson",
        "without continuity correction",
        CANCER,
        bbc.baselines.intervals.wilson(y, label).confidence_interval.low,
        prop=r["wilson"],
        continuity=r["wilson continuity"],
    )
    c = bbc.correct(y, p[:, None], metric="log_loss", n_bootstraps=400, random_state=1)
    found = c.calibration()
    add(
        "calibration slope, apparent",
        "maximum likelihood; that of replicates is Firth's",
        CANCER,
        found.slope.apparent,
        glm=r["slope"],
    )
    add(
        "calibration curve",
        "loess of degree 1, ceil(0.75 n) neighbours",
        CANCER,
        0.0,
        loess=r["loess"],
    )
    _of_resampling(add)


def _of_resampling(add) -> None:
    X, _ = load_iris(return_X_y=True)
    rows = np.random.default_rng(0).permutation(150)[:40]
    nearest = KNeighborsClassifier(1)
    noise = np.random.default_rng(1).integers(0, 2, 40)
    errors = {
        method: bbc.baselines.resampling_error(
            nearest, X[rows], noise, method=method, metric="zero_one_loss", random_state=1
        ).estimate
        for method in ("632+", "632+-per-bag")
    }
    add(
        ".632+ error of nearest neighbour",
        "weighed once, by the means over samples",
        "iris (scikit-learn), 40 rows, truth replaced by coin tosses (error 0.5)",
        errors["632+"],
        per__bag=errors["632+-per-bag"],
    )
    add(
        "standard error of nested cross-validation (Bates et al.), relative",
        "squared error times (K - 1) / K, K folds",
        "any, K = 10",
        1.0,
        no__factor=float(np.sqrt(10 / 9)),
    )


def ask_r(folder: Path) -> None:
    """Write the tables that R reads, and let it compute."""
    x, apparent = curve()
    tables = {"cancer": cancer(), "diabetes": diabetes(), "grid": {"x": x, "curve": apparent}}
    for name, columns in tables.items():
        stacked = np.column_stack(list(columns.values()))
        head = ",".join(columns)
        np.savetxt(folder / f"{name}.csv", stacked, "%.17g", ",", header=head, comments="")
    (folder / "lung.csv").write_text((HERE / "lung.csv").read_text())
    subprocess.run(["Rscript", str(HERE / "peers.R"), str(folder)], check=True)
    (HERE / "peers.csv").write_text((folder / "peers.csv").read_text())


def recorded() -> dict[str, float]:
    """The values of R's packages."""
    with (HERE / "peers.csv").open(newline="", encoding="utf-8") as file:
        return {row["name"]: float(row["value"]) for row in csv.DictReader(file)}


def main(folder: Path) -> None:
    """Write the table."""
    folder.mkdir(parents=True, exist_ok=True)
    ask_r(folder)
    with (HERE / "definitions.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(line.cells() for line in lines(recorded()))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "build/definitions"))
