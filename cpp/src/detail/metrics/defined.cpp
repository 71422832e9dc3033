#include "detail/metrics/defined.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "detail/metrics/spread.hpp"
#include "detail/metrics/traits.hpp"
#include "detail/support/arithmetic.hpp"

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
  using Classes = ConfusionTraits::Classes;
  const bool binary = confusion.average == Average::binary;
  switch (traits_of(confusion.formula).counted) {
    case Classes::both:
    case Classes::all:
    case Classes::any_two:
      return every_class(target);
    case Classes::negative:
      return binary ? std::vector{kNegative} : every_class(target);
    case Classes::positive:
      if (binary) return {kPositive};
      return confusion.average == Average::macro ? every_class(target)
                                                 : std::vector<std::int32_t>{};
  }
  return {};
}

/// Whether some row was not drawn, four rows at a time: a lane of 16 bits is zero where taking one
/// away sets a top bit that was not set before.
bool any_undrawn(const std::uint16_t* counts, std::int64_t n_rows) {
  constexpr std::uint64_t kOnes = 0x0001000100010001;
  std::int64_t row = 0;
  for (; row + 4 <= n_rows; row += 4) {
    std::uint64_t four = 0;
    std::memcpy(&four, counts + row, sizeof four);
    if (((four - kOnes) & ~four & kOnes << 15U) != 0) return true;
  }
  return std::find(counts + row, counts + n_rows, 0) != counts + n_rows;
}

/// Whether there is a row with and one without a count.
bool has_both_sides(const std::uint16_t* counts, std::span<const std::int32_t> rows) {
  // Few rows nearly always have both. Several are looked at without the branches of a search: those
  // were 25 % of a small draw.
  constexpr std::size_t kAtOnce = 8;
  std::uint32_t drawn = 0;    // not zero if a count is not
  std::uint32_t undrawn = 0;  // its top bit is set if a count is zero
  const auto look_at = [&](std::int32_t row) {
    drawn |= counts[row];
    undrawn |= counts[row] - 1U;
  };
  const auto both = [&] { return drawn != 0 && undrawn >> 31U != 0; };
  std::size_t i = 0;
  for (; i + kAtOnce <= rows.size(); i += kAtOnce) {
    for (std::size_t k = 0; k < kAtOnce; ++k) look_at(rows[i + k]);
    if (both()) return true;
  }
  for (; i < rows.size(); ++i) look_at(rows[i]);
  return both();
}

}  // namespace

Defined::Defined(const Metric& metric, const Target& target, bool fixed_spread,
                 std::span<const double> row_weights)
    : n_rows_(target.n_rows()) {
  if (const auto* confusion = std::get_if<Confusion>(&metric.kind)) {
    const auto counted = traits_of(confusion->formula).counted;
    if (counted == ConfusionTraits::Classes::any_two && target.n_classes > 2) {
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
    if (fixed_spread && has_spread(metric) && Spread(values_, row_weights).variance > 0.0) {
      need_ = Need::row;
    }
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
    begins_ = {0};
    for (const std::int32_t code : needed_classes_) {
      const auto& own = rows[static_cast<std::size_t>(code)];
      rows_by_class_.insert(rows_by_class_.end(), own.begin(), own.end());
      begins_.push_back(rows_by_class_.size());
    }
  }
}

bool Defined::on_both_sides(const std::uint16_t* counts) const {
  switch (need_) {
    case Need::row:
      return any_undrawn(counts, n_rows_);  // something is always drawn
    case Need::classes:
      for (std::size_t i = 0; i < needed_classes_.size(); ++i) {
        if (!has_both_sides(counts, rows_of_needed(i))) return false;
      }
      return true;
    case Need::variation:
    case Need::comparable_pair:
      break;
  }
  return (*this)([&](std::int64_t row) { return counts[row] != 0; }) &&
         (*this)([&](std::int64_t row) { return counts[row] == 0; });
}

std::string Defined::need() const {
  switch (need_) {
    case Need::classes:
      return needed_classes_.size() == 1 ? "a row of the class that it is about"
                                         : "a row of every class";
    case Need::variation:
      return "two different true values";
    case Need::comparable_pair:
      return "a comparable pair of rows";
    case Need::row:
      break;
  }
  return "a row";
}

}  // namespace bbc::detail
