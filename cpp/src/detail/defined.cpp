#include "detail/defined.hpp"

#include <algorithm>
#include <numeric>

namespace bbc::detail {
namespace {

using metric::Average;
using metric::Confusion;

constexpr std::int32_t kNegative = 0;
constexpr std::int32_t kPositive = 1;

std::vector<std::int32_t> every_class(const Target& target) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(target.n_classes));
  std::iota(classes.begin(), classes.end(), 0);
  return classes;
}

/// Classes that a confusion metric needs: those whose share of right calls it divides by.
std::vector<std::int32_t> needed_by(const Confusion& confusion, const Target& target) {
  switch (confusion.formula) {
    case Confusion::Formula::balanced_accuracy:
    case Confusion::Formula::mcc:
    case Confusion::Formula::kappa:
    case Confusion::Formula::distance_to_corner:
      return every_class(target);
    case Confusion::Formula::specificity:
      return confusion.average == Average::binary ? std::vector{kNegative} : every_class(target);
    default:
      break;
  }
  switch (confusion.average) {
    case Average::binary:
      return {kPositive};
    case Average::macro:
      return every_class(target);
    default:
      return {};
  }
}

}  // namespace

Defined::Defined(const Metric& metric, const Target& target) : n_rows_(target.n_rows()) {
  if (const auto* confusion = std::get_if<Confusion>(&metric.kind)) {
    const bool any_two = confusion->formula == Confusion::Formula::mcc ||
                         confusion->formula == Confusion::Formula::kappa;
    if (any_two && target.n_classes > 2) {
      need_ = Need::variation;
      values_.assign(target.codes.begin(), target.codes.end());
    } else {
      needed_classes_ = needed_by(*confusion, target);
    }
  } else if (std::holds_alternative<metric::Auc>(metric.kind) ||
             std::holds_alternative<metric::MulticlassAuc>(metric.kind)) {
    needed_classes_ = every_class(target);
  } else if (std::holds_alternative<metric::AveragePrecision>(metric.kind)) {
    needed_classes_ = {kPositive};
  } else if (std::holds_alternative<metric::Moments>(metric.kind) ||
             std::holds_alternative<metric::Spearman>(metric.kind)) {
    need_ = Need::variation;
    values_ = target.values;
  } else if (std::holds_alternative<metric::Concordance>(metric.kind)) {
    need_ = Need::comparable_pair;
    values_ = target.values;
    events_ = target.events;
    by_time_.resize(static_cast<std::size_t>(n_rows_));
    std::iota(by_time_.begin(), by_time_.end(), 0);
    std::stable_sort(by_time_.begin(), by_time_.end(), [&](std::int32_t a, std::int32_t b) {
      const auto i = static_cast<std::size_t>(a);
      const auto j = static_cast<std::size_t>(b);
      return values_[i] != values_[j] ? values_[i] < values_[j] : events_[i] > events_[j];
    });
  }
  if (!needed_classes_.empty()) {
    need_ = Need::classes;
    std::vector<std::vector<std::int32_t>> rows(static_cast<std::size_t>(target.n_classes));
    for (std::size_t row = 0; row < target.codes.size(); ++row) {
      rows[static_cast<std::size_t>(target.codes[row])].push_back(static_cast<std::int32_t>(row));
    }
    for (const std::int32_t code : needed_classes_) {
      rows_of_class_.push_back(rows[static_cast<std::size_t>(code)]);
    }
  }
}

std::string Defined::need() const {
  switch (need_) {
    case Need::classes:
      return needed_classes_.size() == 1 ? "a row of the class that it is about"
                                         : "a row of every class";
    case Need::variation:
      return "two different values of y";
    case Need::comparable_pair:
      return "a comparable pair of rows";
    default:
      return "a row";
  }
}

}  // namespace bbc::detail
