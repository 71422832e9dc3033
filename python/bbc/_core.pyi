"""What the compiled module offers; only `bbc._engine` may import it."""

from collections.abc import Callable, Sequence
from typing import Any, overload

from ._typing import AnyArray, CodeArray, FloatArray, IndexArray

__version__: str

class Metric:
    # Parameters: average, beta, alpha.
    def __init__(self, name: str, *, sign: float = ..., **parameters: Any) -> None: ...
    @property
    def size_dependent(self) -> bool: ...
    @property
    def greater_is_better(self) -> bool: ...
    def limits(self, n_classes: float) -> tuple[float, float]: ...

def limit_simd(name: str) -> None: ...
def set_draw_memory(n_bytes: int) -> None: ...
def draw_memory() -> int: ...
def metric_names() -> list[str]: ...
def metric_table() -> list[dict[str, Any]]: ...
def limit_of(name: str) -> int: ...
def default_n_bootstraps(rule: str, by_function: bool) -> int: ...

MOST_RIVALS: int

class Target:
    @staticmethod
    def labels(
        codes: CodeArray,
        n_classes: int,
        label_values: IndexArray,
        label_names: list[str],
    ) -> Target: ...
    @staticmethod
    def real(values: FloatArray) -> Target: ...
    @staticmethod
    def survival(events: AnyArray, times: FloatArray) -> Target: ...

def road(
    metric: Metric,
    target: Target,
    predictions: list[AnyArray],
    folds: CodeArray | None,
    row_weights: FloatArray | None,
) -> str: ...

class Censoring:
    def __init__(
        self, events: AnyArray, times: FloatArray, row_weights: FloatArray | None
    ) -> None: ...
    def before(self, times: FloatArray) -> FloatArray: ...
    def beyond(self, times: FloatArray) -> FloatArray: ...

def uno_target(
    events: AnyArray, times: FloatArray, uncensored: FloatArray, tau: float
) -> Target: ...
def dynamic_auc_target(
    events: AnyArray, times: FloatArray, uncensored: FloatArray, time: float
) -> Target: ...
def brier_weights(
    events: AnyArray,
    times: FloatArray,
    uncensored: FloatArray,
    uncensored_beyond: FloatArray,
    at: Sequence[float],
) -> FloatArray: ...
def brier_losses(
    times: FloatArray, weights: FloatArray, at: Sequence[float], predictions: FloatArray
) -> FloatArray: ...
def against_curve(
    losses: Sequence[FloatArray],
    times: FloatArray,
    weights: FloatArray,
    at: Sequence[float],
    row_weights: FloatArray | None,
    units: CodeArray | None,
    folds: CodeArray | None,
) -> tuple[float, float, bool]: ...
def event_probability(
    events: AnyArray, times: FloatArray, time: float, row_weights: FloatArray | None
) -> float: ...
def pseudo_event_probabilities(
    events: AnyArray,
    times: FloatArray,
    time: float,
    row_weights: FloatArray | None,
    n_threads: int,
) -> FloatArray: ...

class Rungs:
    of_row: list[int]
    reached: list[int]
    scores: list[int]

def find_rungs(
    predicted: AnyArray,
    of_row: CodeArray | None,
    units: CodeArray | None,
    burn: float,
    choose_only: Sequence[int],
) -> Rungs: ...

class Options:
    def __init__(
        self,
        *,
        metric: Metric,
        n_bootstraps: int,
        seed: int,
        stream: int,
        units: CodeArray | None = None,
        strata: CodeArray | None = None,
        resamples: CodeArray | None = None,
        drawn_folds: CodeArray | None = None,
        folds: CodeArray | None = None,
        row_weights: FloatArray | None = None,
        redraw: bool,
        confidence_level: float,
        alternative: str,
        complexity: FloatArray | None = None,
        complexity_folds: CodeArray | None = None,
        rotate_repeats: bool = False,
        choice: str = "",
        choice_size: int = 0,
        size_correction: bool = True,
        rungs: Rungs | None = None,
        classes: CodeArray | None = None,
        fixed_class_counts: bool = False,
    ) -> None: ...

class Sampler:
    def __init__(self, target: Target, options: Options) -> None: ...
    def draw(self, replicate: int, attempt: int) -> tuple[AnyArray, AnyArray]: ...

def rate_terms(
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    configuration: int,
    by_folds: bool,
) -> FloatArray: ...
def too_few_folds(n_folds: int) -> str: ...
def order_statistic_interval(
    replicates: FloatArray,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> tuple[float, float]: ...
def corrected_limits(
    replicates: FloatArray,
    estimate: float,
    rates: FloatArray,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> dict[str, Any]: ...
def correct(
    target: Target, predictions: Sequence[AnyArray], options: Options, n_threads: int
) -> dict[str, Any]: ...
def correct_families(
    target: Target, families: Sequence[Sequence[AnyArray]], options: Options, n_threads: int
) -> list[dict[str, Any]]: ...
def fold_scores(
    target: Target,
    predictions: Sequence[AnyArray],
    metric: Metric,
    folds: CodeArray | None,
    row_weights: FloatArray | None,
    every_fold: bool,
    n_threads: int,
) -> FloatArray: ...
def tt(
    deciding: FloatArray, greater_decides: bool, reported: FloatArray, greater_is_better: bool
) -> dict[str, Any]: ...
def few_folds_terms(scores: FloatArray) -> FloatArray: ...
def correct_by_folds(
    target: Target, predictions: Sequence[AnyArray], options: Options, n_threads: int
) -> dict[str, Any]: ...
def correct_fold_scores(
    fold_scores: FloatArray, options: Options, target: Target | None, n_threads: int
) -> dict[str, Any]: ...
def fold_score_terms(score: float, target: Target, options: Options) -> FloatArray: ...
@overload
def truth_tells(metric: Metric, n_classes: int) -> bool: ...
@overload
def truth_tells(target: Target, options: Options) -> bool: ...
def spread_shares(values: FloatArray, folds: CodeArray, n_folds: int) -> FloatArray: ...
def dominated(
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    dropping_level: float,
    n_threads: int,
) -> tuple[int, FloatArray, AnyArray]: ...

class Influence:
    def __init__(self, values: FloatArray, n_effective: float, infeasible: str) -> None: ...
    @property
    def values(self) -> FloatArray: ...
    @property
    def n_effective(self) -> float: ...
    @property
    def infeasible(self) -> str: ...

def influence(
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    configuration: int,
    n_threads: int,
) -> Influence: ...
def n_distinct(predictions: Sequence[AnyArray]) -> int: ...
def class_contributions(
    target: Target, predictions: Sequence[AnyArray], options: Options, configuration: int
) -> FloatArray: ...
def hidden_by_draws(first: FloatArray, second: FloatArray, options: Options) -> float: ...
def training_overlap(n_folds: float, n_repeats: int) -> float: ...
def differences(
    replicates: Sequence[FloatArray],
    n_configurations: Sequence[int],
    influences: Sequence[Influence | None],
    pairs: Sequence[tuple[int, int, float]],
    *,
    n_drawn: int,
    n_units: int,
    n_repeats: int,
    of_folds: bool,
    overlap: float,
    greater_is_better: bool,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> list[dict[str, Any]]: ...
def model_confidence_set(
    scores: FloatArray,
    replicates: FloatArray,
    greater_is_better: bool,
    confidence_level: float,
    n_threads: int,
) -> dict[str, Any]: ...

class RowValues:
    def __init__(
        self,
        target: Target,
        predictions: Sequence[AnyArray],
        metric: Metric,
        limits: tuple[float, float] | None,
        n_threads: int,
    ) -> None: ...
    @property
    def scores(self) -> FloatArray: ...

def block_length(
    target: Target, predictions: list[AnyArray], metric: Metric, n_threads: int
) -> tuple[int, bool]: ...
def discrete_argmin(
    rows: RowValues, greater_is_better: bool, confidence_level: float, n_threads: int
) -> dict[str, Any]: ...
def winner_interval(
    rows: RowValues,
    winner: int,
    greater_is_better: bool,
    confidence_level: float,
    alternative: str,
    units: CodeArray | None,
    seed: int,
    n_threads: int,
) -> dict[str, Any]: ...
def winner_standard_error(rows: RowValues, winner: int, greater_is_better: bool) -> float: ...
def remaining_optimism(
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    folds: CodeArray | None,
    winner: int,
    replicate_winners: IndexArray,
    replicates: FloatArray,
    n_threads: int,
) -> dict[str, Any]: ...
def weighted_mean_correction(
    errors: FloatArray, n_train: float, n_test: float, shrink: bool, seed: int, n_threads: int
) -> dict[str, Any]: ...
def truncated_normal_cdf(x: float, mean: float, sd: float, low: float, high: float) -> float: ...
def correct_by_rule(
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    choose: Callable[[FloatArray, IndexArray], int],
    n_threads: int,
) -> dict[str, Any]: ...
def in_bag_scores(
    target: Target, predictions: Sequence[AnyArray], options: Options, n_threads: int
) -> tuple[FloatArray, FloatArray, int]: ...
def replicate_moments(
    replicates: FloatArray, apparent: float, n_configurations: int, options: Options
) -> tuple[float, float, float]: ...

class Redraws:
    def __init__(
        self,
        target: Target,
        options: Options,
        *,
        places: CodeArray | None = None,
        attempts: IndexArray | None = None,
    ) -> None: ...
    def counts(self, first: int, n: int, n_threads: int) -> AnyArray: ...

def winner_scores(
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    redraws: Redraws,
    winners: IndexArray,
    winner: int,
    n_threads: int,
) -> dict[str, Any]: ...

class Statistic:
    @staticmethod
    def calibration(n_bins: int, grid: FloatArray) -> Statistic: ...
    @staticmethod
    def calibration_scalars() -> list[str]: ...
    @staticmethod
    def survival_calibration(grid: FloatArray) -> Statistic: ...
    @staticmethod
    def survival_calibration_scalars() -> list[str]: ...
    @staticmethod
    def net_benefit(thresholds: FloatArray) -> Statistic: ...
    @staticmethod
    def roc(
        false_positive_rates: FloatArray,
        sensitivities: FloatArray,
        specificity_ranges: list[tuple[float, float]],
        sensitivity_ranges: list[tuple[float, float]],
    ) -> Statistic: ...
    @staticmethod
    def precision_recall(recalls: FloatArray) -> Statistic: ...

def winner_values(
    statistic: Statistic,
    target: Target,
    predictions: Sequence[AnyArray],
    options: Options,
    redraws: Redraws,
    winners: IndexArray,
    winner: int,
    n_threads: int,
) -> tuple[FloatArray, FloatArray, list[FloatArray], FloatArray]: ...
def curve_band(
    replicates: FloatArray,
    confidence_level: float,
    rates: Sequence[FloatArray] = ...,
    ranges: FloatArray = ...,
) -> dict[str, AnyArray]: ...

class Correction:
    def __init__(self, target: Target, options: Options) -> None: ...
    def add(
        self, predictions: Sequence[AnyArray], first_configuration: int, n_threads: int
    ) -> None: ...
    def merge(self, state: bytes) -> None: ...
    def added(self) -> tuple[tuple[int, int], ...]: ...
    def winner(self) -> int: ...
    def finish(self) -> dict[str, Any]: ...
    def state(self) -> bytes: ...

def score(
    target: Target,
    predictions: Sequence[AnyArray],
    metric: Metric,
    folds: CodeArray | None,
    row_weights: FloatArray | None,
    n_threads: int,
) -> tuple[FloatArray, int]: ...
def model_luck(
    target: Target,
    predictions: Sequence[AnyArray],
    metric: Metric,
    folds: CodeArray,
    units: CodeArray | None,
    row_weights: FloatArray | None,
    seed: int,
    n_permutations: int,
    n_threads: int,
) -> dict[str, Any]: ...
def luck_matters(
    p_value: float,
    predicted_bias: float,
    estimate: float,
    low: float,
    high: float,
    alternative: str,
) -> bool: ...
def largest_share(
    target: Target,
    predictions: Sequence[AnyArray],
    metric: Metric,
    configuration: int,
    folds: CodeArray | None,
    row_weights: FloatArray | None,
) -> tuple[float, bool]: ...
def ranking(
    target: Target, predictions: Sequence[AnyArray], configuration: int, folds: CodeArray | None
) -> tuple[float, bool]: ...
def delong(
    is_positive: AnyArray, scores: FloatArray, confidence_level: float, alternative: str
) -> dict[str, Any]: ...
def delong_test(
    is_positive: AnyArray,
    first: FloatArray,
    second: FloatArray,
    confidence_level: float,
    alternative: str,
) -> dict[str, Any]: ...
def hanley_mcneil(
    is_positive: AnyArray, scores: FloatArray, confidence_level: float, alternative: str
) -> dict[str, Any]: ...
def hanley_mcneil_paraschakis2024(
    is_positive: AnyArray,
    scores: FloatArray,
    n_correct: int,
    n_other: int,
    confidence_level: float,
    alternative: str,
) -> dict[str, Any]: ...
def wilson(
    n_successes: int, n_trials: int, confidence_level: float, alternative: str
) -> dict[str, Any]: ...
def clopper_pearson(
    n_successes: int, n_trials: int, confidence_level: float, alternative: str
) -> dict[str, Any]: ...
def naive_bootstrap(
    target: Target,
    predictions: AnyArray,
    options: Options,
    kind: str,
    lowest: float,
    highest: float,
    n_threads: int,
) -> dict[str, Any]: ...
def corrected_resampled_t(
    scores: FloatArray,
    n_train: float,
    n_test: float,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> dict[str, Any]: ...
def conservative_z(
    estimate: float,
    first: FloatArray,
    second: FloatArray,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> dict[str, Any]: ...
def calibrated_limits(
    estimate: float,
    replicate_sd: float,
    n_folds: int,
    luck_variance: float,
    overlap: float,
    rates: FloatArray,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> dict[str, Any]: ...
def wald(
    losses: FloatArray, confidence_level: float, alternative: str, lowest: float, highest: float
) -> dict[str, Any]: ...
def nested_cv(
    outer: list[FloatArray],
    inner: list[FloatArray],
    n_rows: int,
    n_folds: int,
    cv_loss: float | None,
    confidence_level: float,
    alternative: str,
    lowest: float,
    highest: float,
) -> dict[str, Any]: ...
def tilting(
    is_positive: AnyArray,
    columns: FloatArray,
    selected: int,
    published: bool,
    n_bootstraps: int,
    seed: int,
    resamples: CodeArray | None,
    confidence_level: float,
    alternative: str,
    n_threads: int,
) -> dict[str, Any]: ...
def mabt(
    is_positive: AnyArray,
    columns: FloatArray,
    selected: int,
    published: bool,
    n_bootstraps: int,
    seed: int,
    resamples: CodeArray | None,
    confidence_level: float,
    alternative: str,
    n_threads: int,
) -> dict[str, Any]: ...
def bound(
    is_positive: AnyArray,
    predictions: FloatArray,
    folds: CodeArray,
    fold_names: list[str],
    method: str,
    top_decile: bool,
    published: bool,
    confidence_level: float,
    n_bootstraps: int,
    seed: int,
    n_threads: int,
) -> dict[str, Any]: ...
