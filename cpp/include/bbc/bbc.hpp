#pragma once

// Everything that the library offers to C++.
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/error.hpp>
#include <bbc/estimate.hpp>
#include <bbc/metric.hpp>
#include <bbc/philox.hpp>
#include <bbc/predictions.hpp>
#include <bbc/resampling.hpp>
#include <bbc/target.hpp>
#include <bbc/version.hpp>
