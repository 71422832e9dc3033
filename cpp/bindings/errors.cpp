// bbc::Error -> the Python exceptions that users expect.
#include <bbc/error.hpp>
#include <exception>

#include "register.hpp"

namespace py = pybind11;

void register_errors(py::module_& module) {
  // The classes live in bbc.errors, below this module in the layers.
  static PyObject* undefined = nullptr;
  const py::module_ errors = py::module_::import("bbc.errors");
  undefined = errors.attr("UndefinedMetricError").ptr();
  Py_INCREF(undefined);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const bbc::Error& error) {
      switch (error.code()) {
        case bbc::ErrorCode::undefined_metric:
          PyErr_SetString(undefined, error.what());
          return;
        case bbc::ErrorCode::cancelled:
          // The signal's handler has already set its exception (KeyboardInterrupt).
          if (PyErr_Occurred() == nullptr) PyErr_SetString(PyExc_KeyboardInterrupt, error.what());
          return;
        case bbc::ErrorCode::invalid_argument:
          PyErr_SetString(PyExc_ValueError, error.what());
          return;
      }
    }
  });
  (void)module;
}
