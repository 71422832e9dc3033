#pragma once

#include <pybind11/pybind11.h>

void register_roads(pybind11::module_& module);
