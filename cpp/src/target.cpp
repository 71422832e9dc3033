#include <bbc/data.hpp>
#include <bbc/error.hpp>
#include <string>

#include "detail/support/arithmetic.hpp"

namespace bbc {
namespace {

template <class T>
std::vector<T> gather(const std::vector<T>& values, const std::vector<std::int32_t>& selected) {
  std::vector<T> out;
  if (values.empty()) return out;
  out.reserve(selected.size());
  for (const std::int32_t row : selected) {
    if (row < 0 || static_cast<std::size_t>(row) >= values.size()) {
      throw_invalid("rows", "there is no row " + std::to_string(row));
    }
    out.push_back(values[static_cast<std::size_t>(row)]);
  }
  return out;
}

}  // namespace

std::string Target::name_of_class(std::int32_t code) const {
  const auto index = static_cast<std::size_t>(code);
  const std::size_t n_known = label_names.empty() ? label_values.size() : label_names.size();
  if (code < 0 || (n_known > 0 && index >= n_known)) {
    throw_invalid("code", "there is no class " + std::to_string(code));
  }
  if (!label_names.empty()) return label_names[index];
  return std::to_string(label_values.empty() ? std::int64_t{code} : label_values[index]);
}

Target Target::rows(const std::vector<std::int32_t>& selected) const {
  return {kind,
          gather(codes, selected),
          n_classes,
          label_values,
          label_names,
          gather(values, selected),
          gather(events, selected),
          gather(event_weights, selected)};
}

}  // namespace bbc
