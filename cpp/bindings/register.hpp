#pragma once

#include <pybind11/pybind11.h>

void register_errors(pybind11::module_& module);
