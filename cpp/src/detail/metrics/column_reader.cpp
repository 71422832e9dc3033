#include "detail/metrics/column_reader.hpp"

#include <algorithm>
#include <bbc/error.hpp>
#include <cmath>
#include <string>
#include <type_traits>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

template <class T, class Function>
void for_each_row(const View<T>& view, std::span<const std::int32_t> rows, Function&& function) {
  if (rows.empty()) {
    for (std::int64_t row = 0; row < view.n_rows; ++row) function(row);
  } else {
    for (const std::int32_t row : rows) function(std::int64_t{row});
  }
}

/// Several at a time: compilers make vectors of it.
bool all_finite(std::span<const double> values) {
  constexpr std::size_t kWays = 8;
  double zeros[kWays] = {};  // unless a value is not finite
  std::size_t i = 0;
  for (; i + kWays <= values.size(); i += kWays) {
    for (std::size_t k = 0; k < kWays; ++k) zeros[k] += values[i + k] * 0.0;
  }
  for (; i < values.size(); ++i) zeros[0] += values[i] * 0.0;
  return std::all_of(zeros, zeros + kWays, [](double zero) { return zero == 0.0; });
}

/// Refuses the first value that is not finite of a copy, whose columns have `n` entries of
/// `n_outputs` values each.
void refuse_not_finite(const std::vector<double>& copy, std::int64_t n, std::int64_t n_outputs,
                       std::span<const std::int32_t> rows, std::int64_t first_configuration) {
  if (all_finite(copy)) return;
  const auto wrong =
      std::find_if_not(copy.begin(), copy.end(), [](double value) { return std::isfinite(value); });
  const std::int64_t entry = (wrong - copy.begin()) / n_outputs;
  const std::int64_t row = entry % n;
  throw_at("not finite", rows.empty() ? row : std::int64_t{rows[at(row)]},
           first_configuration + entry / n);
}

std::int32_t code_of(const std::vector<std::int64_t>& labels, std::int64_t label) {
  // Labels mostly ascend, and there may be as many as rows; what bisection finds is right anyhow.
  std::size_t low = 0;
  for (std::size_t high = labels.size(); high - low > 1;) {
    const std::size_t middle = low + (high - low) / 2;
    (labels[middle] <= label ? low : high) = middle;
  }
  if (!labels.empty() && labels[low] == label) return static_cast<std::int32_t>(low);
  const auto found = std::find(labels.begin(), labels.end(), label);
  return found == labels.end() ? -1 : static_cast<std::int32_t>(found - labels.begin());
}

}  // namespace

std::int64_t n_rows(const Predictions& predictions) {
  return std::visit([](const auto& view) { return view.n_rows; }, predictions);
}

std::int64_t n_configurations(const Predictions& predictions) {
  return std::visit([](const auto& view) { return view.n_configurations; }, predictions);
}

std::int64_t n_outputs_of(const Predictions& predictions) {
  return std::visit([](const auto& view) { return view.n_outputs; }, predictions);
}

void check_strides(const Predictions& predictions) {
  std::visit(
      [](const auto& view) {
        const auto refuse = [](const char* axis, std::int64_t size, std::int64_t stride) {
          if (stride != 0 || size <= 1) return;
          throw_invalid("predictions", "a stride of 0 for " + std::to_string(size) + " " + axis +
                                           ", which would all be the same");
        };
        refuse("rows", view.n_rows, view.strides[0]);
        refuse("configurations", view.n_configurations, view.strides[1]);
        refuse("outputs", view.n_outputs, view.strides[2]);
      },
      predictions);
}

Predictions configurations(const Predictions& predictions, std::int64_t first, std::int64_t last) {
  return std::visit(
      [&](auto view) -> Predictions {
        view.data += first * view.strides[1];
        view.n_configurations = last - first;
        return view;
      },
      predictions);
}

Predictions rows_of(const Predictions& predictions, std::int64_t first, std::int64_t last) {
  return std::visit(
      [&](auto view) -> Predictions {
        view.data += first * view.strides[0];
        view.n_rows = last - first;
        return view;
      },
      predictions);
}

void read_values(const Predictions& predictions, std::int64_t configuration,
                 std::span<const std::int32_t> rows, std::vector<double>& values) {
  std::visit(
      [&](const auto& view) {
        const auto n = rows.empty() ? view.n_rows : static_cast<std::int64_t>(rows.size());
        values.resize(at(n * view.n_outputs));
        double* to = values.data();
        for_each_row(view, rows, [&](std::int64_t row) {
          for (std::int64_t output = 0; output < view.n_outputs; ++output) {
            *to++ = static_cast<double>(view(row, configuration, output));
          }
        });
        refuse_not_finite(values, n, view.n_outputs, rows, configuration);
      },
      predictions);
}

double read_value(const Predictions& predictions, std::int64_t row, std::int64_t configuration) {
  const double value = std::visit(
      [&](const auto& view) { return static_cast<double>(view(row, configuration)); }, predictions);
  if (!std::isfinite(value)) throw_at("not finite", row, configuration);
  return value;
}

void read_columns(const Predictions& predictions, std::int64_t first, std::int64_t last,
                  std::span<const std::int32_t> rows, std::vector<double>& columns) {
  const std::int64_t n_columns = last - first;
  std::visit(
      [&](const auto& view) {
        const auto n = rows.empty() ? view.n_rows : static_cast<std::int64_t>(rows.size());
        columns.resize(at(n * n_columns));
        // What was copied is checked while it is in the first-level cache: later, preparing AUC of
        // 10,000 x 50 took 1.024 of the time without any check.
        constexpr std::int64_t kAtOnce = 256;
        bool finite = true;
        for (std::int64_t from = 0; from < n; from += kAtOnce) {
          const std::int64_t to = std::min(n, from + kAtOnce);
          for (std::int64_t i = from; i < to; ++i) {
            const auto* values = &view(rows.empty() ? i : std::int64_t{rows[at(i)]}, first);
            for (std::int64_t j = 0; j < n_columns; ++j) {
              columns[at(j * n + i)] = static_cast<double>(values[j * view.strides[1]]);
            }
          }
          for (std::int64_t j = 0; j < n_columns; ++j) {
            finite &= all_finite(std::span(columns).subspan(at(j * n + from), at(to - from)));
          }
        }
        if (!finite) refuse_not_finite(columns, n, 1, rows, first);
      },
      predictions);
}

void throw_at(const std::string& problem, std::int64_t row, std::int64_t configuration) {
  throw_invalid("predictions", problem, {{"row", row}, {"configuration", configuration}});
}

void throw_changed() { throw_invalid("predictions", "changed while they were read"); }

void throw_unknown_label(const Target& target, std::int64_t label, std::int64_t row,
                         std::int64_t configuration) {
  std::string known;
  for (std::size_t i = 0; i < target.label_values.size() && i < 10; ++i) {
    known += (i == 0 ? "" : ", ") + std::to_string(target.label_values[i]);
  }
  if (target.label_values.size() > 10) known += ", ...";
  throw_at("label " + std::to_string(label) + ", which the truth does not have (" + known + ")",
           row, configuration);
}

void read_codes(const Predictions& predictions, const Target& target, std::int64_t configuration,
                std::span<const std::int32_t> rows, std::vector<std::int32_t>& codes) {
  codes.clear();
  std::visit(
      [&](const auto& view) {
        using Value = std::decay_t<decltype(view(0, 0))>;
        if constexpr (std::is_same_v<Value, double>) {
          throw_invalid("predictions", "labels must be integers, not float64");
        } else {
          for_each_row(view, rows, [&](std::int64_t row) {
            const auto label = static_cast<std::int64_t>(view(row, configuration));
            const std::int32_t code = code_of(target.label_values, label);
            if (code < 0) throw_unknown_label(target, label, row, configuration);
            codes.push_back(code);
          });
        }
      },
      predictions);
}

}  // namespace bbc::detail
