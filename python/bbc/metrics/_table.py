"""All metrics that have a name: scikit-learn's scorers with their sign, and the plain names."""

from collections.abc import Iterator
from dataclasses import replace

from .._typing import Predicts, Range, Target
from ._spec import Family, Metric, Parameter

_INF = float("inf")


def _loss(
    name: str,
    *,
    predicts: Predicts,
    target: Target = "real",
    highest: float = _INF,
    ranges: tuple[Range, Range] = ("(-inf, inf)", "(-inf, inf)"),
    kernel: str = "",
    parameters: tuple[tuple[str, Parameter], ...] = (),
) -> Metric:
    """An additive metric of which less is better and 0 is perfect."""
    return Metric(
        name=name,
        kernel=kernel or name,
        family="additive",
        greater_is_better=False,
        target=target,
        predicts=predicts,
        parameters=parameters,
        lowest=0.0,
        highest=highest,
        target_range=ranges[0],
        prediction_range=ranges[1],
    )


def _score(
    name: str,
    *,
    predicts: Predicts,
    target: Target,
    family: Family = "additive",
    lowest: float = 0.0,
    kernel: str = "",
    parameters: tuple[tuple[str, Parameter], ...] = (),
) -> Metric:
    """A metric of which more is better and 1 is perfect."""
    return Metric(
        name=name,
        kernel=kernel or name,
        family=family,
        greater_is_better=True,
        target=target,
        predicts=predicts,
        parameters=parameters,
        lowest=lowest,
        highest=1.0,
    )


def _averaged(name: str, kernel: str, **parameters: Parameter) -> Iterator[Metric]:
    """A confusion metric of one class, and its averages over classes."""
    pairs = tuple(parameters.items())
    yield _score(
        name,
        kernel=kernel,
        predicts="labels",
        target="binary",
        parameters=(*pairs, ("average", "binary")),
    )
    for average in ("macro", "micro", "weighted"):
        yield _score(
            f"{name}_{average}",
            kernel=kernel,
            predicts="labels",
            target="classes",
            parameters=(*pairs, ("average", average)),
        )


def _losses() -> Iterator[Metric]:
    yield _loss("zero_one_loss", predicts="labels", target="classes", highest=1.0)
    # The distance is counted in steps between the sorted classes.
    yield _loss(
        "ordinal_mean_absolute_error",
        predicts="labels",
        target="classes",
        highest=1.0,
    )
    yield _loss(
        "euclidean_distance_to_corner",
        kernel="distance_to_corner",
        predicts="labels",
        target="binary",
        highest=2.0**0.5,
    )
    yield _loss("log_loss", predicts="class_probabilities", target="classes")
    yield _loss("brier_score", predicts="class_probabilities", target="classes", highest=1.0)
    yield _loss("binomial_deviance", predicts="probability", target="binary")
    yield _loss("mean_squared_error", predicts="value")
    yield _loss("root_mean_squared_error", predicts="value")
    yield _loss("mean_absolute_error", predicts="value")
    yield _loss("mean_squared_log_error", predicts="value", ranges=("(-1, inf)", "(-1, inf)"))
    yield _loss("root_mean_squared_log_error", predicts="value", ranges=("(-1, inf)", "(-1, inf)"))
    yield _loss("mean_absolute_percentage_error", predicts="value")
    yield _loss("poisson_deviance", predicts="value", ranges=("[0, inf)", "(0, inf)"))
    yield _loss("gamma_deviance", predicts="value", ranges=("(0, inf)", "(0, inf)"))
    yield _loss("pinball_loss", predicts="value", parameters=(("alpha", 0.5),))


def _scores() -> Iterator[Metric]:
    yield _score("accuracy", predicts="labels", target="classes")
    yield _score("balanced_accuracy", predicts="labels", target="classes")
    yield from _averaged("precision", "precision")
    yield from _averaged("recall", "recall")
    yield from _averaged("f1", "f_beta", beta=1.0)
    yield from _averaged("f_beta", "f_beta", beta=1.0)
    yield from _averaged("jaccard", "jaccard")
    yield _score(
        "sensitivity",
        kernel="recall",
        predicts="labels",
        target="binary",
        parameters=(("average", "binary"),),
    )
    yield _score("specificity", predicts="labels", target="binary")
    yield _score("mcc", predicts="labels", target="classes", lowest=-1.0)
    yield _score(
        "matthews_corrcoef", kernel="mcc", predicts="labels", target="classes", lowest=-1.0
    )
    yield _score("kappa", predicts="labels", target="classes", lowest=-1.0)
    yield _score("r2", predicts="value", target="real", lowest=-_INF)
    yield _score("explained_variance", predicts="value", target="real", lowest=-_INF)
    yield _score("squared_pearson", predicts="value", target="real")
    yield _score("spearman", family="ranking", predicts="value", target="real", lowest=-1.0)
    yield _score("roc_auc", family="ranking", predicts="score", target="binary")
    yield _score("average_precision", family="ranking", predicts="score", target="binary")
    for kernel in ("roc_auc_ovr", "roc_auc_ovo"):
        for average in ("macro", "weighted"):
            yield _score(
                kernel if average == "macro" else f"{kernel}_{average}",
                kernel=kernel,
                family="ranking",
                predicts="class_scores",
                target="classes",
                parameters=(("average", average),),
            )
    yield _score("roc_auc_ovo_pairs", family="ranking", predicts="class_scores", target="classes")
    yield _score("concordance_index", family="ranking", predicts="risk", target="survival")


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
    """The metric whose reported value is the negative of another's."""
    return replace(
        plain,
        name=name,
        greater_is_better=not plain.greater_is_better,
        sign=-plain.sign,
        # Subtracting gives 0.0 where a minus sign would give -0.0.
        lowest=0.0 - plain.highest,
        highest=0.0 - plain.lowest,
    )


def _table() -> dict[str, Metric]:
    table = {metric.name: metric for metric in (*_scores(), *_losses())}
    table |= {name: negated(name, table[plain]) for name, plain in _NEGATED.items()}
    return table


METRICS: dict[str, Metric] = _table()
