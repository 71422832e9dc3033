#include "detail/fast/error_patterns.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <variant>

#include "detail/metrics/column_reader.hpp"

namespace bbc::detail {
namespace {

template <class T>
bool fits(std::int64_t label) {
  return label >= std::numeric_limits<T>::min() && label <= std::numeric_limits<T>::max();
}

/// The labels of the target that predictions of type T can hold, in ascending order.
template <class T>
class KnownLabels {
 public:
  explicit KnownLabels(const Target& target) {
    for (const std::int64_t label : target.label_values) {
      if (fits<T>(label)) labels_.push_back(static_cast<T>(label));
    }
    std::sort(labels_.begin(), labels_.end());
    if (labels_.empty()) return;
    const auto width =
        static_cast<std::uint64_t>(labels_.back()) - static_cast<std::uint64_t>(labels_.front());
    is_range_ = width == labels_.size() - 1;
  }

  [[nodiscard]] bool empty() const { return labels_.empty(); }
  /// Neither a range nor two labels: the kernel cannot tell who is known.
  [[nodiscard]] bool scattered() const { return labels_.size() > 2 && !is_range_; }
  [[nodiscard]] bool contains(T label) const {
    return std::binary_search(labels_.begin(), labels_.end(), label);
  }

  void describe(LabelRow<T>& row) const {
    row.is_range = is_range_;
    row.lowest = labels_.front();
    row.highest = labels_.back();
    if (!scattered()) return;
    row.is_range = true;
    row.lowest = std::numeric_limits<T>::min();
    row.highest = std::numeric_limits<T>::max();
  }

 private:
  std::vector<T> labels_;
  bool is_range_ = false;
};

/// The errors of a tile of configurations in the rows of one chunk; false at an unknown label.
template <class T>
bool find_tile_errors(const View<T>& view, const Target& target, const KnownLabels<T>& known,
                      const PatternKernel& kernel, const std::int32_t* rows, int n_rows,
                      std::int64_t first, int n, std::uint8_t* errors) {
  if (known.empty()) return false;
  T gathered[kPackTile];
  LabelRow<T> row{};
  row.n_configurations = n;
  known.describe(row);
  for (int i = 0; i < n_rows; ++i, errors += kPackTile) {
    const T* labels = &view(rows[i], first);
    if (view.strides[1] != 1) {
      for (int j = 0; j < n; ++j) gathered[j] = labels[j * view.strides[1]];
      labels = gathered;
    }
    const auto code = target.codes[static_cast<std::size_t>(rows[i])];
    const std::int64_t truth = target.label_values[static_cast<std::size_t>(code)];
    row.labels = labels;
    row.truth_fits = fits<T>(truth);
    row.truth = row.truth_fits ? static_cast<T>(truth) : T{0};
    if (!kernel.errors(row, errors)) return false;
    if (!known.scattered()) continue;
    for (int j = 0; j < n; ++j) {
      if (errors[j] != 0 && !known.contains(labels[j])) return false;
    }
  }
  return true;
}

/// Throws the error for the first label that the target does not have.
[[noreturn]] void refuse_unknown_label(const EvaluatorInput& input) {
  std::vector<std::int32_t> codes;
  for (const auto& predictions : input.repeats) {
    for (std::int64_t j = 0; j < n_configurations(predictions); ++j) {
      read_codes(predictions, input.target, j, {}, codes);
    }
  }
  throw_changed();  // some patterns are not written
}

std::vector<std::int32_t> all_rows(const Target& target) {
  std::vector<std::int32_t> rows(target.codes.size());
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace

ErrorPatterns::ErrorPatterns(const EvaluatorInput& input, const PatternKernel& kernel,
                             const Control& control)
    : ErrorPatterns(input, all_rows(input.target), kernel, control) {}

ErrorPatterns::ErrorPatterns(const EvaluatorInput& input, std::span<const std::int32_t> rows,
                             const PatternKernel& kernel, const Control& control)
    : ErrorPatterns(static_cast<std::int64_t>(rows.size()),
                    static_cast<std::int64_t>(input.repeats.size()),
                    detail::n_configurations(input.repeats[0])) {
  // Of the types that repeats have, once: there may be as many labels as rows.
  std::tuple<std::optional<KnownLabels<std::int8_t>>, std::optional<KnownLabels<std::uint8_t>>,
             std::optional<KnownLabels<std::int16_t>>, std::optional<KnownLabels<std::int32_t>>,
             std::optional<KnownLabels<std::int64_t>>>
      known_labels;
  for (const auto& predictions : input.repeats) {
    std::visit(
        [&](const auto& view) {
          using T = std::remove_cv_t<std::remove_pointer_t<decltype(view.data)>>;
          if constexpr (std::is_integral_v<T>) {
            auto& known = std::get<std::optional<KnownLabels<T>>>(known_labels);
            if (!known) known.emplace(input.target);
          }
        },
        predictions);
  }
  std::atomic<bool> all_known{true};
  const double cells = static_cast<double>(n_rows_) * static_cast<double>(n_repeats_) *
                       static_cast<double>(n_configurations_);
  parallel_for(
      n_chunks() * n_repeats_, control, 0.5 * cells, [&](std::int64_t task, const StopFlag& stop) {
        const std::int64_t chunk = task / n_repeats_;
        const std::int64_t repeat = task % n_repeats_;
        const auto fill = [&](const auto& view) {
          using T = std::remove_cv_t<std::remove_pointer_t<decltype(view.data)>>;
          if constexpr (std::is_integral_v<T>) {
            const auto& known = *std::get<std::optional<KnownLabels<T>>>(known_labels);
            alignas(64) std::uint8_t errors[kChunkRows * kPackTile];
            std::memset(errors, 0, sizeof errors);
            for (std::int64_t first = 0; first < n_configurations_; first += kPackTile) {
              stop.check();
              const auto n =
                  static_cast<int>(std::min<std::int64_t>(kPackTile, n_configurations_ - first));
              if (!find_tile_errors(view, input.target, known, kernel,
                                    rows.data() + chunk * kChunkRows, rows_of_chunk(chunk), first,
                                    n, errors)) {
                all_known = false;
                return;
              }
              kernel.pack(errors, tile(chunk, repeat, first));
            }
          } else {
            all_known = false;
          }
        };
        std::visit(fill, input.repeats[static_cast<std::size_t>(repeat)]);
      });
  if (!all_known) refuse_unknown_label(input);
}

}  // namespace bbc::detail
