"""All metrics that have a name: scikit-learn's scorers with their sign, and the plain names."""

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .._typing import Predicts, Target
from ._spec import Metric, Parameter


def _loss(name: str, predicts: Predicts, target: Target = "real", **more: Any) -> Metric:
    """An additive metric for which lower is better and 0 is perfect."""
    facts: dict[str, Any] = {"kernel": name, "family": "additive"} | more
    return Metric(name, greater_is_better=False, target=target, predicts=predicts, **facts)


def _score(name: str, predicts: Predicts, target: Target, **more: Any) -> Metric:
    """A metric for which higher is better and 1 is perfect."""
    facts: dict[str, Any] = {"kernel": name, "family": "additive"} | more
    return Metric(name, greater_is_better=True, target=target, predicts=predicts, **facts)


def _averaged(name: str, kernel: str, **parameters: Parameter) -> Iterator[Metric]:
    """A confusion metric of one class, and its averages over classes."""
    for average in ("binary", "macro", "micro", "weighted"):
        binary = average == "binary"
        yield _score(
            name if binary else f"{name}_{average}",
            "labels",
            "binary" if binary else "classes",
            kernel=kernel,
            parameters=(*parameters.items(), ("average", average)),
        )


def _losses() -> Iterator[Metric]:
    yield _loss("zero_one_loss", "labels", "classes")
    # The distance is counted in steps between the sorted classes.
    yield _loss("ordinal_mean_absolute_error", "labels", "classes")
    yield _loss("euclidean_distance_to_corner", "labels", "binary", kernel="distance_to_corner")
    yield _loss("log_loss", "class_probabilities", "classes")
    yield _loss("brier_score", "class_probabilities", "classes")
    # Classes are ordered as sorted, and the mean is over the cut-offs between them.
    yield _loss("ranked_probability_score", "class_probabilities", "classes")
    yield _loss("binomial_deviance", "probability", "binary")
    yield _loss("mean_squared_error", "value")
    yield _loss("root_mean_squared_error", "value")
    yield _loss("mean_absolute_error", "value")
    logs: dict[str, Any] = {"target_range": "(-1, inf)", "prediction_range": "(-1, inf)"}
    yield _loss("mean_squared_log_error", "value", **logs)
    yield _loss("root_mean_squared_log_error", "value", **logs)
    yield _loss("mean_absolute_percentage_error", "value")
    counts: dict[str, Any] = {"target_range": "[0, inf)", "prediction_range": "(0, inf)"}
    yield _loss("poisson_deviance", "value", **counts)
    yield _loss("gamma_deviance", "value", **counts | {"target_range": "(0, inf)"})
    yield _loss("pinball_loss", "value", parameters=(("alpha", 0.5),))


def _scores() -> Iterator[Metric]:
    yield _score("accuracy", "labels", "classes")
    yield _score("balanced_accuracy", "labels", "classes")
    yield from _averaged("precision", "precision")
    yield from _averaged("recall", "recall")
    yield from _averaged("f1", "f_beta", beta=1.0)
    yield from _averaged("f_beta", "f_beta", beta=1.0)
    yield from _averaged("jaccard", "jaccard")
    yield replace(next(_averaged("recall", "recall")), name="sensitivity")
    yield _score("specificity", "labels", "binary")
    yield _score("mcc", "labels", "classes")
    yield _score("matthews_corrcoef", "labels", "classes", kernel="mcc")
    yield _score("kappa", "labels", "classes")
    yield _score("r2", "value", "real")
    yield _score("explained_variance", "value", "real")
    yield _score("squared_pearson", "value", "real")
    yield _score("spearman", "value", "real", family="ranking")
    yield _score("roc_auc", "score", "binary", family="ranking")
    yield _score("average_precision", "score", "binary", family="ranking")
    for kernel in ("roc_auc_ovr", "roc_auc_ovo"):
        for average in ("macro", "weighted"):
            yield _score(
                kernel if average == "macro" else f"{kernel}_{average}",
                "class_scores",
                "classes",
                kernel=kernel,
                family="ranking",
                parameters=(("average", average),),
            )
    yield _score("roc_auc_ovo_pairs", "class_scores", "classes", family="ranking")
    yield _score("concordance_index", "risk", "survival", family="ranking")
    yield _score(
        "uno_concordance",
        "risk",
        "survival",
        kernel="concordance_index",
        family="ranking",
        parameters=(("tau", math.inf),),
        censoring="uno",
    )


# scikit-learn's scorers that report the negative of a plain metric.
_NEGATED = {
    "neg_log_loss": "log_loss",
    "neg_brier_score": "brier_score",
    "neg_mean_squared_error": "mean_squared_error",
    "neg_root_mean_squared_error": "root_mean_squared_error",
    "neg_mean_absolute_error": "mean_absolute_error",
    "neg_mean_squared_log_error": "mean_squared_log_error",
    "neg_root_mean_squared_log_error": "root_mean_squared_log_error",
    "neg_mean_poisson_deviance": "poisson_deviance",
    "neg_mean_absolute_percentage_error": "mean_absolute_percentage_error",
    "neg_mean_gamma_deviance": "gamma_deviance",
}


def negated(name: str, plain: Metric) -> Metric:
    """The metric whose value is the negative of another's."""
    return replace(
        plain,
        name=name,
        greater_is_better=not plain.greater_is_better,
        sign=-plain.sign,
    )


def _table() -> dict[str, Metric]:
    table = {metric.name: metric for metric in (*_scores(), *_losses())}
    table |= {name: negated(name, table[plain]) for name, plain in _NEGATED.items()}
    return table


METRICS: dict[str, Metric] = _table()
