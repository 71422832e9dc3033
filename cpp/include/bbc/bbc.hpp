#pragma once

// Everything that the library offers to C++.
#include <bbc/binomial.hpp>
#include <bbc/bootstrap_interval.hpp>
#include <bbc/bound.hpp>
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/delong.hpp>
#include <bbc/distributions.hpp>
#include <bbc/error.hpp>
#include <bbc/estimate.hpp>
#include <bbc/interval.hpp>
#include <bbc/interval_estimate.hpp>
#include <bbc/metric.hpp>
#include <bbc/philox.hpp>
#include <bbc/predictions.hpp>
#include <bbc/resampling.hpp>
#include <bbc/resampling_interval.hpp>
#include <bbc/streams.hpp>
#include <bbc/target.hpp>
#include <bbc/tilting.hpp>
#include <bbc/version.hpp>
