#include <limits>

#include "detail/c_interface/problem.hpp"
#include "detail/support/arithmetic.hpp"
#include "detail/support/sized.hpp"

namespace bbc::detail {
namespace {

constexpr std::size_t kOldestPredictions = BBC_END_OF(bbc_predictions, strides);
static_assert(sizeof(bbc_predictions) == BBC_END_OF(bbc_predictions, strides));

template <class T>
Predictions view_of(const bbc_predictions& block, const void* data, bool reversed) {
  View<T> view;
  view.data = static_cast<const T*>(data);
  view.n_rows = block.n_rows;
  view.n_configurations = block.n_configurations;
  view.n_outputs = block.n_outputs;
  const bool c_order = block.strides[0] == 0 && block.strides[1] == 0 && block.strides[2] == 0;
  view.strides = {c_order ? block.n_configurations * block.n_outputs : block.strides[0],
                  c_order ? block.n_outputs : block.strides[1], c_order ? 1 : block.strides[2]};
  if (reversed && block.n_outputs == 2) {
    view.data += view.strides[2];
    view.strides[2] = -view.strides[2];
  }
  return view;
}

Predictions view_of_repeat(const bbc_predictions& block, const void* data, bool reversed) {
  switch (block.dtype) {
    case BBC_FLOAT64:
      return view_of<double>(block, data, reversed);
    case BBC_INT8:
      return view_of<std::int8_t>(block, data, reversed);
    case BBC_UINT8:
      return view_of<std::uint8_t>(block, data, reversed);
    case BBC_INT16:
      return view_of<std::int16_t>(block, data, reversed);
    case BBC_INT32:
      return view_of<std::int32_t>(block, data, reversed);
    case BBC_INT64:
      return view_of<std::int64_t>(block, data, reversed);
    default:
      throw_invalid("predictions", "unknown dtype");
  }
}

}  // namespace

bbc_predictions default_predictions() {
  bbc_predictions predictions{};
  predictions.n_outputs = 1;
  return predictions;
}

bbc_predictions checked_block(const bbc_predictions* given) {
  require(given != nullptr, "predictions", "must be given");
  const auto block = read_sized(given, kOldestPredictions, default_predictions(), "predictions");
  require(block.n_repeats > 0 && block.repeats != nullptr, "predictions", "no repeats");
  require(block.n_outputs > 0, "predictions", "n_outputs must be positive");
  require(block.n_configurations > 0, "predictions", "no configurations");
  require(block.n_configurations <= std::numeric_limits<std::int64_t>::max() / block.n_outputs,
          "predictions", "n_configurations x n_outputs must be below 2^63");
  return block;
}

bool has_reversed_classes(const Target& target) {
  const auto& classes = target.label_values;
  return classes.size() == 2 && classes[0] > classes[1];
}

std::vector<Predictions> make_repeats(const bbc_predictions& block, bool reversed) {
  std::vector<Predictions> repeats;
  for (std::int64_t r = 0; r < block.n_repeats; ++r) {
    require(block.repeats[r] != nullptr, "predictions", "a repeat is NULL");
    repeats.push_back(view_of_repeat(block, block.repeats[r], reversed));
  }
  return repeats;
}

}  // namespace bbc::detail
