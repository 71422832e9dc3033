#pragma once

#include <bbc/metric.hpp>
#include <numbers>
#include <string_view>

namespace bbc::detail {

// What code asks of an entry of metrics.inc, instead of naming metrics.

/// Which numbers a truth or a prediction may be.
enum class Numbers { any, nonnegative, positive, above_minus_one };

[[nodiscard]] constexpr bool is_one_of(Numbers numbers, double value) {
  switch (numbers) {
    case Numbers::any:
      return true;
    case Numbers::nonnegative:
      return !(value < 0.0);
    case Numbers::positive:
      return !(value <= 0.0);
    case Numbers::above_minus_one:
      return !(value <= -1.0);
  }
  return true;
}

struct LossTraits {
  enum class Reads { value, probabilities, label };
  /// How it is computed: one row at a time, or also in the loops of each instruction set.
  enum class Form { scalar, vector };
  Reads reads;
  Form form;
  Numbers truths = Numbers::any;
  Numbers predictions = Numbers::any;
  const char* needs = "";  ///< the message about other numbers
};

[[nodiscard]] constexpr LossTraits traits_of(metric::RowLoss::Kind kind) {
  using Kind = metric::RowLoss::Kind;
  using Reads = LossTraits::Reads;
  using Form = LossTraits::Form;
  switch (kind) {
#define BBC_VALUE_LOSS(kind, form, truths, predictions, needs, formula) \
  case Kind::kind:                                                      \
    return {Reads::value, Form::form, Numbers::truths, Numbers::predictions, needs};
#define BBC_CLASS_LOSS(kind, form, ...) \
  case Kind::kind:                      \
    return {Reads::probabilities, Form::form};
#define BBC_LABEL_LOSS(kind, ...) \
  case Kind::kind:                \
    return {Reads::label, Form::scalar};
#include <bbc/metrics.inc>
  }
  return {Reads::value, Form::scalar};
}

struct ConfusionTraits {
  enum class Classes {
    positive,
    negative,
    both,     ///< of two classes
    all,      ///< however many there are
    any_two,  ///< likewise, but two of them will do
  };
  enum class Shift { never, unless_micro, always };
  bool is_ratio;
  Classes counted;  ///< without these it is undefined
  Shift shift;      ///< whether its expectation depends on the number of rows
  double lowest = 0.0;
  double highest = 1.0;
  bool greater_is_better = true;
};

[[nodiscard]] constexpr ConfusionTraits traits_of(metric::Confusion::Formula formula) {
  using Formula = metric::Confusion::Formula;
  using Classes = ConfusionTraits::Classes;
  using Shift = ConfusionTraits::Shift;
  constexpr bool higher = true;
  constexpr bool lower = false;
  switch (formula) {
#define BBC_RATIO(formula, undefined_without, shift, ratio) \
  case Formula::formula:                                    \
    return {true, Classes::undefined_without, Shift::shift, 0.0, 1.0, higher};
#define BBC_CONFUSION(formula, undefined_without, shift, lowest, highest, better) \
  case Formula::formula:                                                          \
    return {false, Classes::undefined_without, Shift::shift, lowest, highest, better};
#include <bbc/metrics.inc>
  }
  return {false, Classes::all, Shift::always, 0.0, 1.0, lower};
}

/// The average that it is: some are means over classes, whatever was asked for.
[[nodiscard]] constexpr metric::Average average_of(const metric::Confusion& kind) {
  using Formula = metric::Confusion::Formula;
  switch (kind.formula) {
    case Formula::youden:
    case Formula::balanced_accuracy:
      return metric::Average::macro;
    case Formula::mcc:
    case Formula::kappa:
    case Formula::quadratic_kappa:
    case Formula::linear_kappa:
    case Formula::distance_to_corner:
#define BBC_RATIO(formula, ...) case Formula::formula:
#include <bbc/metrics.inc>
      break;
  }
  return kind.average;
}

/// Whether the formula is about all classes, however many, and takes no average.
[[nodiscard]] constexpr bool is_of_all_classes(metric::Confusion::Formula formula) {
  const auto counted = traits_of(formula).counted;
  return counted == ConfusionTraits::Classes::all || counted == ConfusionTraits::Classes::any_two;
}

/// Whether it takes two classes and no more.
[[nodiscard]] constexpr bool is_of_two_classes(const metric::Confusion& kind) {
  return traits_of(kind.formula).counted == ConfusionTraits::Classes::both ||
         (kind.average == metric::Average::binary && !is_of_all_classes(kind.formula));
}

}  // namespace bbc::detail
