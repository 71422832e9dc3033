// bbc::Error -> the exceptions of bbc.errors, with Python's names of the arguments.
#include <bbc/error.hpp>
#include <exception>
#include <map>
#include <string>

#include "register.hpp"

namespace py = pybind11;

namespace {

/// The arguments that Python calls otherwise than the kernel.
const std::map<std::string, const char*> kNames = {
    {"target", "y_true"}, {"row_weights", "sample_weight"}, {"units", "groups"}};

void raise(const bbc::Error& error) {
  // The classes live in bbc.errors, below this module in the layers.
  const py::module_ errors = py::module_::import("bbc.errors");
  const bool undefined = error.code() == bbc::ErrorCode::undefined_metric;
  const py::object type = errors.attr(undefined ? "UndefinedMetricError" : "InvalidValueError");
  py::dict place;
  for (const auto& [axis, index] : error.place()) place[py::str(axis)] = index;
  const auto known = kNames.find(error.argument());
  py::object argument = py::str(known == kNames.end() ? error.argument() : known->second);
  if (error.argument() == "redraw") argument = errors.attr("Argument")("on_undefined", "raise");
  const py::object raised = type(argument, ": " + error.problem(), py::arg("place") = place,
                                 py::arg("hint") = error.hint());
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

void register_errors(py::module_& /*module*/) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const bbc::Error& error) {
      if (error.code() != bbc::ErrorCode::cancelled) {
        raise(error);
      } else if (PyErr_Occurred() == nullptr) {
        // Else the signal's handler has already set its exception (KeyboardInterrupt).
        PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
      }
    }
  });
}
