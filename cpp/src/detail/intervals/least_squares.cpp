#include <bbc/error.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "detail/intervals/influence.hpp"
#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

/// Subtracts each column's mean, which is what the intercept does.
void centre(std::vector<double>& values, std::size_t n_columns) {
  const std::size_t n = n_columns == 0 ? 0 : values.size() / n_columns;
  for (std::size_t k = 0; k < n_columns; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += values[i * n_columns + k];
    const double mean = sum / static_cast<double>(n);
    for (std::size_t i = 0; i < n; ++i) values[i * n_columns + k] -= mean;
  }
}

}  // namespace

std::vector<double> least_squares(std::vector<double> design, std::vector<double> response,
                                  std::size_t n_columns) {
  const std::size_t n = response.size();
  centre(design, n_columns);
  centre(response, 1);
  // Normal equations: the lower triangle of design' design, then its Cholesky factor in place.
  std::vector<double> gram(n_columns * n_columns);
  std::vector<double> slopes(n_columns);
  for (std::size_t i = 0; i < n; ++i) {
    const double* row = design.data() + i * n_columns;
    for (std::size_t k = 0; k < n_columns; ++k) {
      slopes[k] += row[k] * response[i];
      for (std::size_t j = 0; j <= k; ++j) gram[k * n_columns + j] += row[k] * row[j];
    }
  }
  for (std::size_t k = 0; k < n_columns; ++k) {
    const double before = gram[k * n_columns + k];
    for (std::size_t j = 0; j <= k; ++j) {
      double& cell = gram[k * n_columns + j];
      for (std::size_t i = 0; i < j; ++i) cell -= gram[k * n_columns + i] * gram[j * n_columns + i];
      if (j < k) cell /= gram[j * n_columns + j];
    }
    double& pivot = gram[k * n_columns + k];
    if (!(pivot > 1e4 * std::numeric_limits<double>::epsilon() * before)) {
      throw_invalid("n_bootstraps",
                    std::to_string(n) + " replicates do not determine the influence values of " +
                        std::to_string(n_columns) + " rows; the published variant needs more");
    }
    pivot = std::sqrt(pivot);
  }
  for (std::size_t k = 0; k < n_columns; ++k) {
    for (std::size_t j = 0; j < k; ++j) slopes[k] -= gram[k * n_columns + j] * slopes[j];
    slopes[k] /= gram[k * n_columns + k];
  }
  for (std::size_t k = n_columns; k-- > 0;) {
    for (std::size_t j = k + 1; j < n_columns; ++j)
      slopes[k] -= gram[j * n_columns + k] * slopes[j];
    slopes[k] /= gram[k * n_columns + k];
  }
  return slopes;
}

}  // namespace bbc::detail
