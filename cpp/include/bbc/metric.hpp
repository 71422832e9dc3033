#pragma once

#include <bbc/export.h>

#include <bbc/interval.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bbc {

/// The metrics, a closed set. Each alternative is one way of computing; its members choose among
/// formulas that share it. What is known of each metric, and formulas, stand in metrics.inc.
namespace metric {

enum class Average { binary, macro, micro, weighted };

/// Share of wrong labels, or of right ones.
struct ZeroOne {
  bool accuracy = false;

  bool operator==(const ZeroOne&) const = default;
};

/// Any function of the confusion matrix.
struct Confusion {
  enum class Formula {
#define BBC_RATIO(formula, ...) formula,
#define BBC_CONFUSION(formula, ...) formula,
#include <bbc/metrics.inc>
  };
  Formula formula = Formula::balanced_accuracy;
  Average average = Average::binary;
  double beta = 1.0;

  bool operator==(const Confusion&) const = default;
};

/// Mean of one loss (or score) per row.
struct RowLoss {
  enum class Kind {
#define BBC_VALUE_LOSS(kind, ...) kind,
#define BBC_CLASS_LOSS(kind, ...) kind,
#define BBC_LABEL_LOSS(kind, ...) kind,
#include <bbc/metrics.inc>
  };
  Kind kind = Kind::given;
  bool root = false;               ///< report the square root of the mean
  bool greater_is_better = false;  ///< `given` only
  double alpha = 0.5;              ///< pinball: the quantile
  double unit = 1.0;  ///< squared: a power of two by which truth and prediction are multiplied
  // `given` only: between which values the mean lies, if that is known.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();

  bool operator==(const RowLoss&) const = default;
};

/// Functions of first and second weighted moments of truth and prediction.
struct Moments {
  enum class Formula { r2, explained_variance, squared_pearson };
  Formula formula = Formula::r2;

  bool operator==(const Moments&) const = default;
};

struct Auc {
  bool operator==(const Auc&) const = default;
};
struct AveragePrecision {
  bool operator==(const AveragePrecision&) const = default;
};
struct MulticlassAuc {
  /// `ovo_pairs`: mean over ordered pairs (a, b) of the AUC of a against b with the score of a;
  /// `ovo`: scikit-learn's one-vs-one, which averages the two orders of a pair first.
  enum class Scheme { ovr, ovo, ovo_pairs };
  Scheme scheme = Scheme::ovr;
  bool weighted = false;  ///< classes (pairs) weighted by prevalence

  bool operator==(const MulticlassAuc&) const = default;
};
struct Spearman {
  bool operator==(const Spearman&) const = default;
};
struct Concordance {
  bool operator==(const Concordance&) const = default;
};

}  // namespace metric

struct Metric {
  using Kind = std::variant<metric::ZeroOne, metric::Confusion, metric::RowLoss, metric::Moments,
                            metric::Auc, metric::AveragePrecision, metric::MulticlassAuc,
                            metric::Spearman, metric::Concordance>;
  Kind kind;
  /// -1 reports the negated value, as scikit-learn's neg_* scorers do.
  double sign = 1.0;

  bool operator==(const Metric&) const = default;

  /// Direction of the value that the formula computes, before `sign`.
  [[nodiscard]] BBC_API bool formula_greater_is_better() const;
  /// Direction of the reported value.
  [[nodiscard]] bool greater_is_better() const { return formula_greater_is_better() == (sign > 0); }
  /// Whether its expectation depends on the number of rows, so that scores of the rows out of bag
  /// differ from those of all rows although nothing was selected. R2 is not among them: a
  /// correction divides it by the variance of all rows.
  [[nodiscard]] BBC_API bool size_dependent() const;
  /// Smallest and largest possible reported value, infinite where unbounded. The Brier score and
  /// the ordinal error reach further with more classes in the truth, and throw Error for less than
  /// one; infinity gives the limits for any number. Other metrics do not read `n_classes`.
  [[nodiscard]] BBC_API Range range(double n_classes) const;
};

struct MetricParameters {
  std::string average = "binary";  ///< confusion metrics, one-vs-rest AUC
  double beta = 1.0;               ///< f_beta
  double alpha = 0.5;              ///< pinball_loss
  double sign = 1.0;
  // row_loss, row_score: between which values their mean lies.
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
};

/// The metric of this name; throws Error naming the known ones.
[[nodiscard]] BBC_API Metric make_metric(std::string_view name,
                                         const MetricParameters& parameters = {});
[[nodiscard]] BBC_API std::vector<std::string_view> metric_names();

/// What is known of a metric under the name that users write. Lists are words between spaces.
struct MetricFacts {
  std::string name;
  std::string kernel;   ///< the name of `make_metric`
  std::string average;  ///< for `make_metric`; empty if the metric takes none
  double sign = 1.0;    ///< for `make_metric`
  std::string
      parameters;      ///< list: those that users set, of beta, average, alpha, tau, time, times
  std::string form;    ///< zero_one, confusion, row_loss, moments, or ranking: how it is computed
  std::string family;  ///< "additive" or "ranking"
  std::string target;  ///< kind of truth: "binary", "classes", "real", "survival" or "any"
  std::string predicts;
  std::string target_range;      ///< which numbers, as an interval
  std::string prediction_range;  ///< likewise
  std::string needs_classes;     ///< without which it is undefined: "all", "two", "positive", ...
  std::string censoring;  ///< how rows are weighted for it: "", "uno", "dynamic_auc", "brier"
  bool greater_is_better = false;
  bool size_dependent = false;
  bool orders_classes = false;   ///< counts how far apart classes are, as sorted
  bool one_class = false;        ///< which of two classes is the positive one matters
  bool skewed = false;           ///< its estimates are, where a class has few rows
  Range range = {0.0, 1.0};      ///< of two classes; `Metric::range` has others
  std::string title;             ///< what readers call it, where that is not the name
  std::string multiclass;        ///< list: metrics for more classes, to suggest in its place
  std::string sklearn;           ///< the function of sklearn.metrics
  std::string yardstick;         ///< yardstick's name of the same value
  std::string yardstick_of_two;  ///< likewise, if there are two classes
  std::string others;            ///< list: what others call metrics like this
};

/// All names that users may write.
[[nodiscard]] BBC_API const std::vector<MetricFacts>& metric_table();
/// Limits of the value for so many classes, as `Metric::range`.
[[nodiscard]] BBC_API Range range_of(const MetricFacts& facts, double n_classes);

}  // namespace bbc
