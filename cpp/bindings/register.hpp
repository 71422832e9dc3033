#pragma once

#include <pybind11/pybind11.h>

void register_replicate_scorer(pybind11::module_& module);
void register_correction(pybind11::module_& module);
void register_bounds(pybind11::module_& module);
void register_difference(pybind11::module_& module);
void register_censoring(pybind11::module_& module);
void register_errors(pybind11::module_& module);
void register_fold_scores(pybind11::module_& module);
void register_inference(pybind11::module_& module);
void register_intervals(pybind11::module_& module);
void register_model_luck(pybind11::module_& module);
void register_reading(pybind11::module_& module);
void register_roads(pybind11::module_& module);
void register_scores(pybind11::module_& module);
void register_winner_statistics(pybind11::module_& module);
