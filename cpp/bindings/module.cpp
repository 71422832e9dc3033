// The compiled module: registers each part. Nothing here converts; Python converts, C++ refuses.
#include <bbc/resampling.hpp>

#include "detail/isa/simd.hpp"
#include "register.hpp"

// It works without the interpreter's lock: its own state is constant once it is loaded, but for the
// atomic limit_simd and the memory for draws, and the kernel, which runs without the lock anyway,
// guards its own.
PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
  // The first exception of a thread needs memory for the thread's own record of exceptions; if it
  // is std::bad_alloc and there is none left, the C library ends the process. So here is the first.
  try {
    throw 0;
  } catch (int) {
  }
  module.attr("__version__") = BBC_VERSION;
  module.def("limit_simd", &bbc::detail::limit_simd, pybind11::arg("name"));
  module.def("set_draw_memory", &bbc::set_draw_memory, pybind11::arg("n_bytes"));
  module.def("draw_memory", &bbc::draw_memory);
  register_errors(module);
  register_correction(module);
  register_replicate_scorer(module);
  register_censoring(module);
  register_fold_scores(module);
  register_inference(module);
  register_difference(module);
  register_intervals(module);
  register_bounds(module);
  register_model_luck(module);
  register_reading(module);
  register_roads(module);
  register_scores(module);
  register_winner_statistics(module);
}
