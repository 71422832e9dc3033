// The compiled module: registers each part. Nothing here converts; Python converts, C++ refuses.
#include "register.hpp"

PYBIND11_MODULE(_core, module) {
  module.attr("__version__") = BBC_VERSION;
  register_errors(module);
  register_contest(module);
  register_correction(module);
  register_fold_scores(module);
  register_intervals(module);
  register_bounds(module);
  register_scores(module);
}
