#include "detail/replicates.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <set>

#include "detail/evaluator.hpp"
#include "detail/row_weights.hpp"
#include "detail/two_sides.hpp"

namespace bbc::detail {
namespace {

constexpr std::uint32_t kMostAttempts = 1000;

constexpr const char* kAdvice =
    "; use more rows, a metric that needs fewer, or stratify_bootstrap=True";

}  // namespace

Replicates::Replicates(const Target& target, const CorrectionOptions& options, Needs needs)
    : sampler_(target.n_rows(), options.resampling),
      truth_name_(target.name),
      needs_(needs),
      redraw_(options.redraw),
      row_weights_(in_units(options.row_weights, target.n_rows())) {
  const auto n_rows = static_cast<std::size_t>(target.n_rows());
  if (options.folds.empty()) {
    repeats_.emplace_back();
    repeats_[0].push_back({{}, Defined(options.metric, target)});
  } else {
    const std::span<const std::int32_t> folds(options.folds);
    if (folds.size() % n_rows != 0) {
      throw_invalid("folds: " + std::to_string(folds.size()) + " values for repeats of " +
                    std::to_string(n_rows) + " rows");
    }
    for (std::size_t start = 0; start < folds.size(); start += n_rows) {
      repeats_.emplace_back();
      for (const auto& rows : rows_of_folds(folds.subspan(start, n_rows))) {
        repeats_.back().push_back({rows, Defined(options.metric, target.rows(rows))});
      }
    }
  }
  check_possible(target);
}

void Replicates::check_possible(const Target& target) const {
  const Defined& whole = repeats_[0][0].defined;
  if (!sampler_.is_explicit() && needs_ == Needs::both_sides && sampler_.n_units() < 2) {
    throw Error(ErrorCode::undefined_metric,
                target.name + ": a single unit is in every bag, so nothing is ever out of bag");
  }
  const auto row_unit = [&](std::size_t row) {
    return sampler_.unit_of_row().empty() ? static_cast<std::int32_t>(row)
                                          : sampler_.unit_of_row()[row];
  };
  const auto weighs = [&](std::size_t row) {
    return row_weights_.empty() || row_weights_[row] > 0;
  };
  for (const std::int32_t code : whole.needed_classes()) {
    std::set<std::int32_t> units;
    std::int64_t n_rows = 0;
    for (std::size_t row = 0; row < target.codes.size() && units.size() < 2; ++row) {
      if (target.codes[row] != code || !weighs(row)) continue;
      ++n_rows;
      units.insert(row_unit(row));
    }
    if (units.size() >= (needs_ == Needs::both_sides ? 2U : 1U)) continue;
    throw Error(ErrorCode::undefined_metric,
                target.name + ": class " + target.name_of_class(code) + " has " +
                    std::to_string(n_rows) + (n_rows == 1 ? " row" : " rows") +
                    (n_rows > 1 ? " in a single group" : "") +
                    ", so it is never both in bag and out of bag, and the metric needs it on "
                    "either side");
  }
  const std::vector<std::uint16_t> each_once(static_cast<std::size_t>(sampler_.n_rows()), 1);
  std::int64_t ignored = 0;
  if (!side_defined(each_once.data(), Side::in_bag, &ignored)) {
    throw Error(
        ErrorCode::undefined_metric,
        target.name + ": the metric needs " + whole.need() + ", and " +
            (repeats_[0].size() == 1 ? target.name + " has none" : "no fold of a repeat has it"));
  }
  if (sampler_.is_explicit() || needs_ != Needs::both_sides || repeats_[0].size() > 1 ||
      !whole.is_of_pairs()) {
    return;
  }
  const auto defined = [&](const std::vector<std::uint8_t>& used) {
    return whole([&](std::int64_t i) {
      const auto row = static_cast<std::size_t>(i);
      return weighs(row) && used[static_cast<std::size_t>(row_unit(row))] != 0;
    });
  };
  if (!both_sides_possible(sampler_.n_units(), defined)) {
    throw Error(ErrorCode::undefined_metric,
                target.name + ": the metric needs " + whole.need() +
                    " both in bag and out of bag, and no draw leaves one on either side");
  }
}

bool Replicates::side_defined(const std::uint16_t* counts, Side side,
                              std::int64_t* n_undefined) const {
  bool all_repeats = true;
  for (const auto& parts : repeats_) {
    bool any = false;
    for (const auto& part : parts) {
      const bool defined = part.defined([&](std::int64_t i) {
        const auto row = part.rows.empty() ? i : part.rows[static_cast<std::size_t>(i)];
        const bool on_side = (counts[row] != 0) == (side == Side::in_bag);
        return on_side &&
               (row_weights_.empty() || row_weights_[static_cast<std::size_t>(row)] > 0.0);
      });
      any = any || defined;
      if (!defined) ++*n_undefined;
    }
    all_repeats = all_repeats && any;
  }
  return all_repeats;
}

std::string Replicates::why_undefined(const std::uint16_t* counts) const {
  std::int64_t ignored = 0;
  if (std::find(counts, counts + sampler_.n_rows(), 0) == counts + sampler_.n_rows()) {
    return "leaves nothing out of bag";
  }
  const bool in_bag = side_defined(counts, Side::in_bag, &ignored);
  return std::string("leaves the metric undefined ") + (in_bag ? "out of bag" : "in bag") +
         ", where it needs " + repeats_[0][0].defined.need();
}

bool Replicates::acceptable(const std::uint16_t* counts, std::int64_t* n_undefined) const {
  const bool whole = repeats_.size() == 1 && repeats_[0].size() == 1;
  if (whole && row_weights_.empty() && needs_ == Needs::both_sides) {
    return repeats_[0][0].defined.on_both_sides(counts);
  }
  return side_defined(counts, Side::in_bag, n_undefined) &&
         (needs_ == Needs::in_bag || side_defined(counts, Side::out_of_bag, n_undefined));
}

void Replicates::draw(std::int64_t first, int n, Block& block) const {
  block.n_redrawn = 0;
  block.n_undefined_folds = 0;
  block.bag.n_replicates = n;
  block.bag.n_rows = sampler_.n_rows();
  block.bag.row_weights = row_weights_;
  block.bag.counts.resize(static_cast<std::size_t>(n * sampler_.n_rows()));
  sampler_.draw(first, n, 0, block.bag.counts.data());
  for (int lane = 0; lane < n; ++lane) {
    std::uint16_t* counts = block.bag.counts.data() + lane * sampler_.n_rows();
    for (std::uint32_t attempt = 0;; ++attempt) {
      if (attempt > 0) sampler_.draw(first + lane, attempt, counts);
      std::int64_t n_undefined = 0;
      if (acceptable(counts, &n_undefined)) {
        block.n_undefined_folds += n_undefined;
        break;
      }
      const std::string replicate = "replicate " + std::to_string(first + lane) + " ";
      if (sampler_.is_explicit()) throw_invalid("resamples: " + replicate + why_undefined(counts));
      if (!redraw_) {
        throw Error(ErrorCode::undefined_metric,
                    replicate + why_undefined(counts) + " (on_undefined=\"raise\")" + kAdvice);
      }
      if (attempt + 1 == kMostAttempts) {
        throw Error(ErrorCode::undefined_metric, truth_name_ + ": 1000 draws of " + replicate +
                                                     "failed; the last one " +
                                                     why_undefined(counts) + kAdvice);
      }
      ++block.n_redrawn;
    }
  }
}

Bag Replicates::all_rows() const {
  return {1, sampler_.n_rows(),
          std::vector<std::uint16_t>(static_cast<std::size_t>(sampler_.n_rows()), 1), row_weights_};
}

std::int64_t Replicates::n_fold_sides() const {
  std::int64_t n_folds = 0;
  for (const auto& parts : repeats_) n_folds += static_cast<std::int64_t>(parts.size());
  return n_folds * n_bootstraps() * (needs_ == Needs::both_sides ? 2 : 1);
}

}  // namespace bbc::detail
