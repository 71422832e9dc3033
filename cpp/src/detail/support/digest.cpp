#include "detail/support/digest.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "detail/support/arithmetic.hpp"

namespace bbc::detail {
namespace {

/// FNV-1a over words of 64 bits, each mixed first (the finalizer of SplitMix64): values are
/// hashed, not their bytes, so the order of bytes in memory does not matter.
class Digest {
 public:
  template <class T>
    requires(std::is_integral_v<T> || std::is_enum_v<T>)
  void add(T value) {
    auto word = static_cast<std::uint64_t>(value);
    word = (word ^ (word >> 30U)) * 0xBF58476D1CE4E5B9U;
    word = (word ^ (word >> 27U)) * 0x94D049BB133111EBU;
    state_ = (state_ ^ (word ^ (word >> 31U))) * 0x100000001B3U;
  }
  /// The two zeros are equal, so they count as one.
  void add(double value) { add(std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value)); }
  void add(const std::string& text) { add_each(text); }
  template <class T>
  void add(const std::vector<T>& values) {
    add_each(values);
  }

  template <class... Values>
  void add_all(const Values&... values) {
    (add(values), ...);
  }

  [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

 private:
  template <class Values>
  void add_each(const Values& values) {
    add(values.size());
    for (const auto& value : values) add(value);
  }

  std::uint64_t state_ = 0xCBF29CE484222325U;
};

// Every member by its place: a struct that gets another one does not compile until that is here.

void add(Digest& to, const metric::ZeroOne& of) {
  const auto& [accuracy] = of;
  to.add_all(accuracy);
}
void add(Digest& to, const metric::Confusion& of) {
  const auto& [formula, average, beta] = of;
  to.add_all(formula, average, beta);
}
void add(Digest& to, const metric::RowLoss& of) {
  const auto& [kind, root, greater_is_better, alpha, unit, lowest, highest] = of;
  to.add_all(kind, root, greater_is_better, alpha, unit, lowest, highest);
}
void add(Digest& to, const metric::Moments& of) {
  const auto& [formula] = of;
  to.add_all(formula);
}
void add(Digest& to, const metric::MulticlassAuc& of) {
  const auto& [scheme, weighted] = of;
  to.add_all(scheme, weighted);
}
void add(Digest& to, const selection::OneStandardError& of) {
  const auto& [complexity, folds] = of;
  to.add_all(complexity, folds);
}
void add(Digest& to, const selection::GreedyEnsemble& of) {
  const auto& [n_rounds] = of;
  to.add_all(n_rounds);
}
void add(Digest& to, const selection::TopK& of) {
  const auto& [k] = of;
  to.add_all(k);
}
void add(Digest& to, const selection::Rungs& of) {
  const auto& [of_row, reached, scores] = of;
  to.add_all(of_row, reached, scores);
}
/// Alternatives without members are told apart by their number.
template <class T>
  requires(std::is_empty_v<T>)
void add(Digest& /*to*/, const T& /*of*/) {}

template <class... Alternatives>
void add_one_of(Digest& to, const std::variant<Alternatives...>& of) {
  to.add(of.index());
  std::visit([&](const auto& alternative) { add(to, alternative); }, of);
}

}  // namespace

std::uint64_t digest_of(const Target& target, const CorrectionOptions& options) {
  Digest digest;
  const auto& [kind, codes, n_classes, label_values, label_names, values, events, event_weights] =
      target;
  digest.add_all(kind, codes, n_classes, label_values, label_names, values, events);
  // States of truths without them are as they were before there were any.
  if (!event_weights.empty()) digest.add_all(event_weights);
  const auto& [metric, resampling, selection, folds, row_weights, rotate_repeats, redraw,
               confidence_level, alternative, size_correction, classes, fixed_class_counts] =
      options;
  const auto& [kind_of_metric, sign] = metric;
  add_one_of(digest, kind_of_metric);
  digest.add(sign);
  const auto& [n_bootstraps, seed, stream, units, strata, resamples, drawn_folds] = resampling;
  digest.add_all(n_bootstraps, seed, stream, units, strata, resamples, drawn_folds);
  add_one_of(digest, selection);
  digest.add_all(folds, row_weights, rotate_repeats, redraw, confidence_level, alternative,
                 size_correction, classes, fixed_class_counts);
  return digest.value();
}

std::uint64_t checksum_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes.size());
  while (!bytes.empty()) {
    std::uint64_t word = 0;
    const std::size_t n = std::min(bytes.size(), sizeof word);
    std::memcpy(&word, bytes.data(), n);
    digest.add(word);
    bytes.remove_prefix(n);
  }
  return digest.value();
}

}  // namespace bbc::detail
